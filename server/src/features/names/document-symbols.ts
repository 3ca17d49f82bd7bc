import type { DeclarationIndex, DeclarationKind, FileNames, ScopeIndex } from '../../analysis/names/model.ts';
import { placeOf } from '../../analysis/names/model.ts';
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

/** What a file itself declares, as a tree. */
export function documentSymbols(snapshot: NameSnapshot, file: string): DocumentSymbol[] {
  const names = snapshot.source(file)?.names;
  return names ? symbolsIn(names, file, 0) : [];
}

function symbolsIn(names: FileNames, file: string, scope: ScopeIndex): DocumentSymbol[] {
  const own = names.declarations.flatMap((declaration, index) => (declaration.scope === scope && !declaration.implicit && !LEFT_OUT.has(declaration.kind) ? symbolOf(names, file, index) : []));
  // What stands in a block without a name, and a loop, belongs to what is around it; but not the variables of procedures.
  const nested = names.scopes.flatMap((inner, index) => (inner.parent === scope && inner.owner === undefined && isTransparent(names, index) ? symbolsIn(names, file, index) : []));
  return [...own, ...nested].sort((a, b) => a.nameSpan.start - b.nameSpan.start);
}

function isTransparent(names: FileNames, scope: ScopeIndex): boolean {
  const kind = names.scopes[scope]?.kind;
  if (kind === 'generate') return true;
  return kind === 'block' && names.scopes.some((inner) => inner.parent === scope && inner.kind === 'generate');
}

function symbolOf(names: FileNames, file: string, index: DeclarationIndex): DocumentSymbol[] {
  const declaration = names.declarations[index];
  if (!declaration) return [];
  const place = placeOf(names, declaration.span);
  if (place.file !== file) return [];
  const whole = placeOf(names, declaration.extent);
  const span = whole.file === file && whole.span.start <= place.span.start && place.span.end <= whole.span.end ? whole.span : place.span;
  const detail = [declaration.direction, declaration.typeText.replace(/\s+/g, ' ').slice(0, 60), declaration.dimensionsText].filter((part) => part !== undefined && part !== '').join(' ');
  const inner = declaration.inner;
  const hasChildren = inner !== undefined && declaration.kind !== 'function' && declaration.kind !== 'task' && declaration.kind !== 'modport';
  return [{ name: declaration.name, kind: declaration.kind, detail, span, nameSpan: place.span, children: hasChildren ? symbolsIn(names, file, inner) : [] }];
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
