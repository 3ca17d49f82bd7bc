/**
 * Indices that may lie beyond what they select from: nothing is written there and what is read is unknown (IEEE 1800, 7.4.5 and 11.5.1).
 * Yosys drops the high bits of such an index of a memory, and loses the whole of a part select that reaches below its variable. Here both
 * are written so that it reads them as a simulator does.
 */
import { withEdits, type Edit } from './edits.ts';
import { groupsAt, memoryNames, outerTokens, type Group } from './memories.ts';
import { afterGroup, isPlainName, openingOf, tokenize, type Token } from './tokens.ts';

/** Most characters of a guarded text, as a multiple of the text and beside that. */
const MOST_GROWTH = { times: 20, beside: 20_000 } as const;

/**
 * The text, macros expanded, with every access to a memory led to no word where it lies beyond, and every assigned part select downwards
 * written as one upwards; undefined where some use of a memory is not understood.
 *
 * A memory gets one dimension, words counted from 0, and a number of words that is no power of two: so there is always an address
 * that fits into as many bits and is that of no word, at which Yosys writes nothing and reads unknown values.
 */
export function guardIndices(text: string): string | undefined {
  const tokens = tokenize(text);
  const suspects = memoryNames(tokens);
  const guard = new Guard(text, tokens);
  for (const { from, to } of modulesOf(tokens)) {
    for (const name of suspects) {
      const mentions = mentionsIn(tokens, from, to, name);
      const declared = mentions.filter((at) => typeOf(tokens, at) !== undefined);
      const isNone = declared.length > 0 && declared.every((at) => groupsAt(tokens, at).length === 0 && !suspects.has(typeOf(tokens, at) ?? ''));
      if (mentions.length === 0 || isNone) continue;
      const [only] = declared;
      if (only === undefined || declared.length > 1 || !guard.add(only, mentions.filter((at) => at !== only))) return undefined;
    }
  }
  const guarded = guard.guarded();
  return guarded.length > MOST_GROWTH.times * text.length + MOST_GROWTH.beside ? undefined : guarded;
}

/** Whether some part of a variable is assigned from a place on downwards that is no plain number. */
export function assignsDownwards(text: string): boolean {
  const tokens = tokenize(text);
  return tokens.some(({ text: word }, at) => word === '[' && downwardsTarget(tokens, { start: at, end: afterGroup(tokens, at) }) !== undefined);
}

function modulesOf(tokens: readonly Token[]): { readonly from: number; readonly to: number }[] {
  const starts = tokens.flatMap(({ text }, at) => (['module', 'macromodule', 'interface', 'program'].includes(text) ? [at] : []));
  return starts.map((from) => {
    const end = tokens.findIndex(({ text }, at) => at > from && /^end(?:module|interface|program)$/.test(text));
    return { from, to: end < 0 ? tokens.length : end };
  });
}

/** Where a name stands, other than as that of a port in a list of connections. */
function mentionsIn(tokens: readonly Token[], from: number, to: number, name: string): number[] {
  const mentions: number[] = [];
  for (let at = from; at < to; at++) if (tokens[at]?.text === name && !(tokens[at - 1]?.text === '.' && tokens[at + 1]?.text === '(')) mentions.push(at);
  return mentions;
}

const TYPE_WORDS: ReadonlySet<string> = new Set(
  `reg wire logic bit byte shortint int longint integer time real realtime string signed unsigned input output inout ref var const
   tri tri0 tri1 triand trior trireg wand wor supply0 supply1 uwire static automatic parameter localparam`.split(/\s+/),
);

/** The word of the type behind which a name stands, or with which the list begins that it is in; undefined where it is not declared. */
function typeOf(tokens: readonly Token[], name: number): string | undefined {
  let at = name - 1;
  while (tokens[at]?.text === ']') at = openingOf(tokens, at) - 1;
  const before = tokens[at];
  if (before === undefined) return undefined;
  if (before.text === '}' || TYPE_WORDS.has(before.text) || (isPlainName(before) && tokens[at - 1]?.text !== '.')) return before.text;
  if (before.text !== ',' || at !== name - 1) return undefined;
  for (at--; at >= 0 && !['(', '[', '{', ';', 'begin', 'end'].includes(tokens[at]?.text ?? ''); at--) {
    if ([')', ']', '}'].includes(tokens[at]?.text ?? '')) at = openingOf(tokens, at);
    else if (TYPE_WORDS.has(tokens[at]?.text ?? '')) return tokens[at]?.text;
  }
  const first = tokens[at + 1];
  const second = tokens[groupsAt(tokens, at + 1).at(-1)?.end ?? at + 2];
  return first !== undefined && second !== undefined && isPlainName(first) && isPlainName(second) ? first.text : undefined;
}

const PLAIN = /^-?\d+$/;

/**
 * An index as a number with a sign, in as many bits as it has itself: a choice is of signed numbers only where both its ends are, and the
 * operands of a concatenation and of `$signed` do not grow with what stands around (IEEE 1800, 11.6 to 11.8).
 */
function wide(expression: string): string {
  if (PLAIN.test(expression)) return expression;
  return `((1'b1 ? -1 : (${expression})) < 0 ? $signed(${expression}) : $signed({1'b0, ${expression}}))`;
}

/** One dimension of a memory: the lowest and the highest index, as expressions. */
interface Dimension {
  readonly low: string;
  readonly high: string;
}

interface Memory {
  readonly dimensions: readonly Dimension[];
  /** The number of words that it is given. */
  readonly words: string;
}

class Guard {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  /** Where each memory is declared, and where it is used. */
  readonly #declared = new Map<number, Memory>();
  readonly #used = new Map<number, Memory>();

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  /** Takes in a memory; false when some of its uses is not understood. */
  add(declared: number, uses: readonly number[]): boolean {
    const groups = groupsAt(this.#tokens, declared);
    const dimensions = groups.flatMap((group) => this.#dimension(group) ?? []);
    if (groups.length === 0 || dimensions.length < groups.length || !uses.every((at) => isAccess(this.#tokens, at, groups.length))) return false;
    const memory: Memory = { dimensions, words: wordsOf(dimensions) };
    this.#declared.set(declared, memory);
    for (const at of uses) this.#used.set(at, memory);
    return true;
  }

  guarded(): string {
    return this.#emit(0, this.#tokens.length);
  }

  #emit(from: number, to: number): string {
    const endOf = (at: number): number => this.#tokens[at]?.end ?? 0;
    const edits: Edit[] = [];
    for (let at = from; at < to; at++) {
      const replaced = this.#replacement(at);
      if (replaced === undefined) continue;
      edits.push({ start: endOf(at), end: endOf(replaced.end - 1), replacement: replaced.text });
      at = replaced.end - 1;
    }
    return withEdits(this.#text, edits, this.#tokens[from]?.start ?? 0, endOf(to - 1));
  }

  /** What stands behind a token instead of the groups up to `end`. */
  #replacement(at: number): { readonly text: string; readonly end: number } | undefined {
    const groups = groupsAt(this.#tokens, at);
    const [declared, used] = [this.#declared.get(at), this.#used.get(at)];
    const inside = ({ start, end }: Group): string => this.#emit(start + 1, end - 1);
    if (declared !== undefined) return { text: ` [0 : ${declared.words} - 1]`, end: groups.at(-1)?.end ?? at + 1 };
    const rest = groups.slice(used?.dimensions.length ?? 0);
    if (used === undefined && !rest.some((group) => downwardsTarget(this.#tokens, group) !== undefined)) return undefined;
    const address = used && `[${addressOf(used, groups.slice(0, used.dimensions.length).map(inside))}]`;
    return { text: `${address ?? ''}${rest.map((group) => `[${this.#upwards(group) ?? inside(group)}]`).join('')}`, end: groups.at(-1)?.end ?? at + 1 };
  }

  #upwards(group: Group): string | undefined {
    const minus = downwardsTarget(this.#tokens, group);
    if (minus === undefined) return undefined;
    const [base, width] = [this.#emit(group.start + 1, minus), this.#emit(minus + 2, group.end - 1)];
    return `${wide(base)} - (${wide(width)} - 1) +: ${width}`;
  }

  /** Undefined where a size or range is not plain. */
  #dimension(group: Group): Dimension | undefined {
    const outer = outerTokens(this.#tokens, group.start + 1, group.end - 1);
    const colons = outer.filter(({ text }) => text === ':');
    const [colon] = colons;
    if (outer.length === 0 || colons.length > 1 || outer.some(({ text }) => text === '?')) return undefined;
    if (colon === undefined) {
      const size = this.#emit(group.start + 1, group.end - 1);
      return { low: '0', high: PLAIN.test(size) ? String(Number(size) - 1) : `(${wide(size)} - 1)` };
    }
    const [one, other] = [wide(this.#emit(group.start + 1, colon.at)), wide(this.#emit(colon.at + 1, group.end - 1))];
    if (PLAIN.test(one) && PLAIN.test(other)) return { low: String(Math.min(Number(one), Number(other))), high: String(Math.max(Number(one), Number(other))) };
    return { low: `(${one} < ${other} ? ${one} : ${other})`, high: `(${one} < ${other} ? ${other} : ${one})` };
  }
}

function sizeOf({ low, high }: Dimension): string {
  return PLAIN.test(low) && PLAIN.test(high) ? String(Number(high) - Number(low) + 1) : `(${high} - ${low} + 1)`;
}

/** How many words there are, or one or two more, so that it is no power of two. */
function wordsOf(dimensions: readonly Dimension[]): string {
  const sizes = dimensions.map(sizeOf);
  const size = `(${sizes.join(' * ')})`;
  if (!sizes.every((one) => PLAIN.test(one))) return `((${size} & (${size} - 1)) != 0 ? ${size} : ${size} == 1 ? 3 : ${size} + 1)`;
  const product = sizes.reduce((all, one) => all * Number(one), 1);
  return String(Number.isInteger(Math.log2(product)) ? Math.max(3, product + 1) : product);
}

function addressOf({ dimensions, words }: Memory, indices: readonly string[]): string {
  const places = dimensions.map((dimension, at) => ({ ...dimension, index: wide(indices[at] ?? '') }));
  const within = places.map(({ low, high, index }) => `${index} >= ${low} && ${index} <= ${high}`).join(' && ');
  const address = places.reduce((sum, { low, high, index }) => `${sum === '' ? '' : `(${sum}) * ${sizeOf({ low, high })} + `}(${low === '0' ? index : `${index} - ${low}`})`, '');
  return `${within} ? ${address} : ${words}`;
}

/** A word of a memory of so many dimensions, or a part of a word. */
function isAccess(tokens: readonly Token[], name: number, dimensions: number): boolean {
  const groups = groupsAt(tokens, name).slice(0, dimensions);
  if (tokens[name - 1]?.text === '.' || groups.length < dimensions) return false;
  return groups.every(({ start, end }) => {
    const outer = outerTokens(tokens, start + 1, end - 1).map(({ text }) => text);
    return outer.length > 0 && outer.filter((word) => word === ':').length === outer.filter((word) => word === '?').length;
  });
}

/** Where the `-` of a `-:` stands in a part select that may be assigned and that does not begin at a plain number. */
function downwardsTarget(tokens: readonly Token[], { start, end }: Group): number | undefined {
  if (!['=', '<=', ',', '}'].includes(tokens[end]?.text ?? '')) return undefined;
  const minus = outerTokens(tokens, start + 1, end - 1).find(({ text, at }) => text === '-' && tokens[at + 1]?.text === ':')?.at;
  return minus === start + 2 && tokens[start + 1]?.kind === 'number' ? undefined : minus;
}
