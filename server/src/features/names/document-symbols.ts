import type { Declaration, DeclarationKind, FileNames, ScopeIndex } from '../../analysis/names/model.ts';
import { placeOf } from '../../analysis/names/model.ts';
import { beginningOf } from '../../base/text.ts';
import type { Span } from '../../base/text.ts';
import type { OutlineSymbol } from '../outline.ts';
import type { NameSnapshot } from './snapshot.ts';

/** What a symbol is: a function or task of a class is a method, a typedef of an enumeration an enum. */
export type SymbolKindName = DeclarationKind | 'method' | 'enum';

export interface DocumentSymbol {
  readonly name: string;
  readonly kind: SymbolKindName;
  readonly detail: string;
  /** The declaration as a whole. */
  readonly span: Span;
  /** Its name. */
  readonly nameSpan: Span;
  readonly children: readonly DocumentSymbol[];
}

const LEFT_OUT: ReadonlySet<DeclarationKind> = new Set(['argument', 'specparam']);

/** No person nests like that; a tree that is deeper ends here. */
const DEEPEST = 100;

/** What a file itself declares, as a tree. */
export function documentSymbols(snapshot: NameSnapshot, file: string): DocumentSymbol[] {
  const names = snapshot.source(file)?.names;
  return names ? new Tree(names, file).symbolsIn(0) : [];
}

class Tree {
  readonly #names: FileNames;
  readonly #file: string;
  readonly #declared = new Map<ScopeIndex, Declaration[]>();
  readonly #inner = new Map<ScopeIndex, ScopeIndex[]>();

  constructor(names: FileNames, file: string) {
    this.#names = names;
    this.#file = file;
    for (const declaration of names.declarations) if (!declaration.implicit && !LEFT_OUT.has(declaration.kind)) append(this.#declared, declaration.scope, declaration);
    names.scopes.forEach(({ parent }, index) => {
      if (parent !== undefined) append(this.#inner, parent, index);
    });
  }

  symbolsIn(scope: ScopeIndex, depth = 0): DocumentSymbol[] {
    if (depth > DEEPEST) return [];
    const own = this.#withoutMembers(this.#declared.get(scope) ?? []).flatMap(({ declaration, members }) => this.#symbolOf(declaration, members, depth));
    // What stands in a generate block without a name, or in the scope of its loop, belongs to what is around it.
    const nested = (this.#inner.get(scope) ?? []).filter((inner) => this.#isTransparent(inner)).flatMap((inner) => this.symbolsIn(inner, depth + 1));
    return [...own, ...nested].sort((a, b) => a.nameSpan.start - b.nameSpan.start);
  }

  #isTransparent(scope: ScopeIndex): boolean {
    const { kind, owner } = this.#names.scopes[scope] ?? {};
    if (owner !== undefined) return false;
    return kind === 'generate' || (kind === 'block' && (this.#inner.get(scope) ?? []).some((inner) => this.#names.scopes[inner]?.kind === 'generate'));
  }

  /** Declarations with the values of the enumeration that each of them is. They stand before it, in the same scope. */
  #withoutMembers(declared: readonly Declaration[]): { readonly declaration: Declaration; readonly members: readonly Declaration[] }[] {
    const found: { declaration: Declaration; members: Declaration[] }[] = [];
    let members: Declaration[] = [];
    for (const declaration of declared.toSorted((a, b) => a.span.start - b.span.start)) {
      if (declaration.kind === 'enum-member') members.push(declaration);
      else {
        found.push({ declaration, members: isEnum(declaration) ? members : [] });
        members = [];
      }
    }
    return found;
  }

  #symbolOf(declaration: Declaration, members: readonly Declaration[], depth: number): DocumentSymbol[] {
    const { kind, name, span, extent, direction, typeText, dimensionsText, inner, type } = declaration;
    const place = placeOf(this.#names, span);
    if (place.file !== this.#file) return [];
    const whole = placeOf(this.#names, extent);
    const holdsName = whole.file === this.#file && whole.span.start <= place.span.start && place.span.end <= whole.span.end;
    const detail = [direction, beginningOf(typeText.replace(/\s+/g, ' '), 60), dimensionsText].filter((part) => part !== undefined && part !== '').join(' ');
    const within = type?.kind === 'inline' ? type.scope : kind === 'function' || kind === 'task' || kind === 'modport' ? undefined : inner;
    const children = [...members.flatMap((member) => this.#symbolOf(member, [], depth + 1)), ...(within === undefined ? [] : this.symbolsIn(within, depth + 1))];
    return [{ name, kind: this.#kindOf(declaration), detail, span: holdsName ? whole.span : place.span, nameSpan: place.span, children }];
  }

  #kindOf(declaration: Declaration): SymbolKindName {
    const { kind, scope } = declaration;
    if (kind === 'typedef' && isEnum(declaration)) return 'enum';
    if (this.#names.scopes[scope]?.kind !== 'class') return kind;
    return kind === 'variable' ? 'member' : kind === 'function' || kind === 'task' ? 'method' : kind;
  }
}

function isEnum({ typeText }: Declaration): boolean {
  return /^\s*enum\b/.test(typeText);
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Symbols of all files whose name has the letters of a query in their order, the closest first. */
export function workspaceSymbols(snapshot: NameSnapshot, query: string, most = 500): OutlineSymbol[] {
  const found = [...snapshot.symbols()].flatMap((symbol) => {
    const cost = distance(symbol.name, query);
    return cost === undefined ? [] : [{ symbol, cost }];
  });
  return found.sort((a, b) => a.cost - b.cost || a.symbol.name.length - b.symbol.name.length).slice(0, most).map(({ symbol }) => symbol);
}

/** 0 for an equal beginning, else the letters that lie between those of the query; undefined when it does not fit. */
function distance(name: string, query: string): number | undefined {
  const [text, wanted] = [name.toLowerCase(), query.toLowerCase()];
  if (text.startsWith(wanted)) return 0;
  let at = 0;
  for (const letter of wanted) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return undefined;
  }
  return at - wanted.length + 1;
}
