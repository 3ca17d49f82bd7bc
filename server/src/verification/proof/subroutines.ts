/** What tasks and functions do beside their arguments and results: where they look at other variables, change them, or keep something from one call to the next. */
import { flowOf } from './flow.ts';
import { outerTokens } from './memories.ts';
import { declaredNames, isWithin, subroutinesIn, TYPE_WORDS, typedefsIn, type Range } from './processes.ts';
import { constantNames, isPlainName, type Token } from './tokens.ts';

/** Names that statements assign, by the place of each. */
export type Targets = (tokens: readonly Token[], range: Range) => ReadonlyMap<number, string>;

const DIRECTIONS = ['input', 'output', 'inout', 'ref'];

export interface Subroutine extends Range {
  readonly name: string;
  readonly isFunction: boolean;
  /** Its variables hold what they were from one call to the next. */
  readonly isStatic: boolean;
  /** Where its statements begin. */
  readonly body: number;
  readonly own: ReadonlySet<string>;
}

export function readSubroutine(tokens: readonly Token[], range: Range): Subroutine {
  const semicolon = outerTokens(tokens, range.from, range.to).find(({ text }) => text === ';')?.at ?? range.to;
  const open = outerTokens(tokens, range.from, semicolon).find(({ text }) => text === '(')?.at ?? semicolon;
  return {
    ...range,
    name: tokens[open - 1]?.text ?? '',
    isFunction: tokens[range.from]?.text === 'function',
    isStatic: tokens[range.from + 1]?.text !== 'automatic',
    body: semicolon + 1,
    own: declaredNames(tokens, range),
  };
}

/** Where other names than its own stand in it, that of a constant, type or member left out. */
function foreignPlaces(tokens: readonly Token[], { body, to, own, name }: Subroutine, fixed: ReadonlySet<string>): number[] {
  const places: number[] = [];
  for (let at = body; at < to; at++) {
    const token = tokens[at];
    if (token === undefined || !isPlainName(token) || TYPE_WORDS.has(token.text) || own.has(token.text) || token.text === name || fixed.has(token.text)) continue;
    const [before, earlier, behind] = [tokens[at - 1]?.text, tokens[at - 2]?.text, tokens[at + 1]?.text];
    const isLabel = before === ':' && (earlier === 'begin' || earlier === 'end');
    const isScoped = (before === ':' && earlier === ':') || (behind === ':' && tokens[at + 2]?.text === ':');
    if (before !== '.' && !isLabel && !isScoped) places.push(at);
  }
  return places;
}

/** Why what subroutines do is not what a netlist says; one full sentence. `isTimed`: places in statements that wait for an edge or run once, or know what subroutines look at. */
export function subroutineDoubt(tokens: readonly Token[], targets: Targets, isTimed: (at: number) => boolean): string | undefined {
  const subroutines = subroutinesIn(tokens).map((range) => readSubroutine(tokens, range));
  const fixed = new Set([...constantNames(tokens), ...subroutines.map(({ name }) => name), ...typedefsIn(tokens).map(({ name }) => name)]);
  const open = new Set<string>();
  for (const subroutine of subroutines) {
    const changed = targets(tokens, { from: subroutine.body, to: subroutine.to });
    const places = foreignPlaces(tokens, subroutine, fixed);
    const own = places.find((at) => changed.has(at));
    if (subroutine.isFunction && own !== undefined) return `The function '${subroutine.name}' changes '${tokens[own]?.text ?? ''}' beside its result, and whether it is called may depend on what stands around, which a proof cannot follow.`;
    if (places.some((at) => !changed.has(at))) open.add(subroutine.name);
  }
  for (let before = -1; before < open.size; ) {
    before = open.size;
    for (const { name, body, to } of subroutines) if (tokens.slice(body, to).some(({ text }) => open.has(text))) open.add(name);
  }
  const call = tokens.findIndex(({ text }, at) => open.has(text) && tokens[at - 1]?.text !== '.' && !isTimed(at) && !subroutines.some((one) => isWithin(one, at)));
  return call < 0 ? undefined : `The subroutine '${tokens[call]?.text ?? ''}' reads more than its arguments, and what calls it may not wake when that changes, which a proof cannot follow.`;
}

/** A variable of a subroutine that may be read, or be a result, before a call has set it: it holds what an earlier call has left; undefined where there is none. */
export function keptVariable(tokens: readonly Token[]): string | undefined {
  for (const range of subroutinesIn(tokens)) {
    const subroutine = readSubroutine(tokens, range);
    if (!subroutine.isStatic) continue;
    const [given, results] = [argumentsOf(tokens, subroutine, ['input', 'inout', 'ref']), argumentsOf(tokens, subroutine, ['output'])];
    const kept = [...subroutine.own].find((name) => {
      const { reads, isSet } = flowOf(tokens, subroutine.body, subroutine.to, name);
      return !given.has(name) && !TYPE_WORDS.has(name) && (reads.length > 0 || (results.has(name) && !isSet));
    });
    if (kept !== undefined) return kept;
  }
  return undefined;
}

/** The arguments of some directions. */
function argumentsOf(tokens: readonly Token[], { from, to }: Subroutine, directions: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (let at = from; at < to; at++) {
    if (!directions.includes(tokens[at]?.text ?? '')) continue;
    const end = outerTokens(tokens, at + 1, to).find(({ text }) => [';', ')', ...DIRECTIONS].includes(text))?.at ?? to;
    for (const name of declaredNames(tokens, { from: at, to: end })) names.add(name);
  }
  return names;
}
