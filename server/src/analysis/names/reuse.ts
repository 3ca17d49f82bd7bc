import type { Steps } from '../../base/steps.ts';
import { changeBetween } from '../../base/text.ts';
import { Lexer } from '../../syntax/lexer.ts';
import { NamesBuilder } from './builder.ts';
import type { OpenScope } from './builder.ts';
import { withOldNames } from './lexer.ts';
import type { FileNames } from './model.ts';
import { changed, countsOf, Shift } from './shift.ts';
import type { Counts, NameLists } from './shift.ts';

/** An item of a compilation unit, such as a design unit. */
export interface OuterItem {
  /** Offset of its first token. */
  readonly start: number;
  /** What had been read in front of it. */
  readonly before: Counts;
}

/** What the reading of a model leaves behind for the next one. */
interface Reading extends NameLists {
  readonly text: string;
  readonly items: readonly OuterItem[];
}

const readings = new WeakMap<FileNames, Reading>();

/** Reads items of a compilation unit from where a builder stands, up to a token or, where that is undefined, to the end. */
export type ReadItems = (b: NamesBuilder, items: OuterItem[], endToken: number | undefined) => Steps<void>;

/** Remembers how the items of a text were read, unless one of them is read by what stands in others. */
export function remember(names: FileNames, b: NamesBuilder, items: readonly OuterItem[], areDeclared: boolean): void {
  const root = b.scopes[0];
  const isPlain = !areDeclared && !b.looksFar && root?.generates === 0 && root.base === undefined && root.ports.length === 0;
  if (isPlain) readings.set(names, { text: b.text, items, scopes: b.scopes, declarations: b.declarations, uses: b.uses, instances: b.instances, calls: b.calls, processes: b.processes, unknownMacros: b.unknownMacros });
}

export function noteItem(b: NamesBuilder, items: OuterItem[]): void {
  items.push({ start: b.startAt(), before: countsOf(b) });
}

/**
 * Reads only those items of a compilation unit again that an edit may concern; the others are taken over from an earlier model.
 * Undefined where more depends on the edit.
 */
export function* readChanged(previous: FileNames, text: string, readItems: ReadItems): Steps<{ readonly b: NamesBuilder; readonly items: readonly OuterItem[] } | undefined> {
  const before = readings.get(previous);
  if (!before) return undefined;
  const { start, oldEnd, newEnd } = changeBetween(before.text, text);
  const touched = (source: string, end: number): string => source.slice(Math.max(0, start - 1), end + 1);
  // The end of an attribute may be looked for from anywhere before it.
  if (touched(before.text, oldEnd).includes('*)') || touched(text, newEnd).includes('*)')) return undefined;
  // An item may look at the token behind it.
  const first = Math.max(0, before.items.findLastIndex((each) => each.start < start) - 1);
  const behind = before.items.findIndex((each) => each.start > oldEnd);
  const item = before.items[first];
  if (!item || (first === 0 && behind < 0)) return undefined;
  const delta = newEnd - oldEnd;
  const lexer = new Lexer(text, first === 0 ? 0 : item.start);
  const isInStep = (index: number): boolean => {
    const at = (before.items[index]?.start ?? 0) + delta;
    return lexer.readTo(at) === at;
  };
  let next = behind < 0 ? before.items.length : behind;
  while (next < before.items.length && !isInStep(next)) next++;
  yield;
  const lexed = lexer.tokens.length;
  const rest = before.items[next];
  // With the tokens of one more item, nothing in front of it is cut off.
  lexer.readTo(rest ? (before.items[next + 1]?.start ?? before.text.length) + delta : text.length);
  const { tokens, areDeclared } = withOldNames(lexer.tokens);
  if (areDeclared) return undefined;
  yield;
  const b = new NamesBuilder(text, tokens);
  takeOver(before, item.before, b);
  const items = before.items.slice(0, first);
  yield* readItems(b, items, rest && lexed);
  if (b.looksFar) return undefined;
  if (!rest) return { b, items };
  const added = countsOf(b);
  if (b.at !== lexed || !declaresTheSame(before, b, item.before, rest.before, added)) return undefined;
  const by = changed(added, rest.before, (now, then) => now - then);
  yield* new Shift(delta, by).append(before, rest.before, b);
  declareOuter(b, added.declarations);
  const moved = before.items.slice(next).map((each): OuterItem => ({ start: each.start + delta, before: changed(each.before, by, (then, more) => then + more) }));
  return { b, items: [...items, ...moved] };
}

/** Begins with what was read in front of a place. */
function takeOver(before: Reading, counts: Counts, b: NamesBuilder): void {
  const [root] = before.scopes;
  if (!root) return;
  const names: OpenScope['names'] = new Map();
  for (const [name, list] of root.names) {
    const kept = list.filter((index) => index < counts.declarations);
    if (kept.length > 0) names.set(name, kept);
  }
  const scope: OpenScope = { ...root, names, imports: root.imports.slice(0, counts.imports), ports: [], parameters: root.parameters.slice(0, counts.parameters) };
  b.scopes.splice(0, b.scopes.length, scope);
  append(b.scopes, before.scopes, 1, counts.scopes);
  append(b.declarations, before.declarations, 0, counts.declarations);
  append(b.uses, before.uses, 0, counts.uses);
  append(b.instances, before.instances, 0, counts.instances);
  append(b.calls, before.calls, 0, counts.calls);
  append(b.processes, before.processes, 0, counts.processes);
  append(b.unknownMacros, before.unknownMacros, 0, counts.unknownMacros);
}

function append<T>(to: T[], from: readonly T[], first: number, end: number): void {
  for (let at = first; at < end; at++) {
    const entry = from[at];
    if (entry !== undefined) to.push(entry);
  }
}

/** Later items see the names and imports outside of all units that stand before them. */
function declaresTheSame(before: Reading, b: NamesBuilder, from: Counts, until: Counts, added: Counts): boolean {
  const outer = (lists: NameLists, end: Counts): string => {
    const names = lists.declarations.slice(from.declarations, end.declarations).filter(({ scope, hidden }) => scope === 0 && !hidden);
    return JSON.stringify([names.map(({ name }) => name), lists.scopes[0]?.imports.slice(from.imports, end.imports)]);
  };
  return outer(before, until) === outer(b, added);
}

/** Enters the declarations outside of all units from an index on. */
function declareOuter(b: NamesBuilder, first: number): void {
  const names = b.scopes[0]?.names;
  for (let index = first; index < b.declarations.length; index++) {
    const declaration = b.declarations[index];
    if (!declaration || declaration.scope !== 0 || declaration.hidden) continue;
    const list = names?.get(declaration.name);
    if (list) list.push(index);
    else names?.set(declaration.name, [index]);
  }
}
