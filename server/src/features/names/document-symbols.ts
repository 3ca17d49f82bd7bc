import type { Declaration, DeclarationKind, FileNames, ScopeIndex } from '../../analysis/names/model.ts';
import { placeOf } from '../../analysis/names/model.ts';
import { beginningOf } from '../../base/text.ts';
import type { Span } from '../../base/text.ts';
import type { OutlineSymbol } from '../outline.ts';
import type { NameSnapshot } from './snapshot.ts';

export interface DocumentSymbol {
  readonly name: string;
  readonly kind: DeclarationKind;
  readonly detail: string;
  /** The declaration as a whole. */
  readonly span: Span;
  /** Its name. */
  readonly nameSpan: Span;
  readonly children: readonly DocumentSymbol[];
}

const LEFT_OUT: ReadonlySet<DeclarationKind> = new Set(['argument', 'enum-member', 'specparam']);

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
    const own = (this.#declared.get(scope) ?? []).flatMap((declaration) => this.#symbolOf(declaration, depth));
    // What stands in a generate block without a name, or in the scope of its loop, belongs to what is around it.
    const nested = (this.#inner.get(scope) ?? []).filter((inner) => this.#isTransparent(inner)).flatMap((inner) => this.symbolsIn(inner, depth + 1));
    return [...own, ...nested].sort((a, b) => a.nameSpan.start - b.nameSpan.start);
  }

  #isTransparent(scope: ScopeIndex): boolean {
    const { kind, owner } = this.#names.scopes[scope] ?? {};
    if (owner !== undefined) return false;
    return kind === 'generate' || (kind === 'block' && (this.#inner.get(scope) ?? []).some((inner) => this.#names.scopes[inner]?.kind === 'generate'));
  }

  #symbolOf({ kind, name, span, extent, direction, typeText, dimensionsText, inner }: Declaration, depth: number): DocumentSymbol[] {
    const place = placeOf(this.#names, span);
    if (place.file !== this.#file) return [];
    const whole = placeOf(this.#names, extent);
    const holdsName = whole.file === this.#file && whole.span.start <= place.span.start && place.span.end <= whole.span.end;
    const detail = [direction, beginningOf(typeText.replace(/\s+/g, ' '), 60), dimensionsText].filter((part) => part !== undefined && part !== '').join(' ');
    const isOpaque = inner === undefined || kind === 'function' || kind === 'task' || kind === 'modport';
    return [{ name, kind, detail, span: holdsName ? whole.span : place.span, nameSpan: place.span, children: isOpaque ? [] : this.symbolsIn(inner, depth + 1) }];
  }
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
