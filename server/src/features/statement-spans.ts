import { lexNames } from '../analysis/names/lexer.ts';
import type { Tokens } from '../syntax/lexer.ts';
import type { Span } from '../base/text.ts';

/** Words that begin a statement of several parts, or a process. */
const HEADS: ReadonlySet<string> = new Set(['if', 'for', 'while', 'repeat', 'foreach', 'forever', 'do', 'always', 'always_comb', 'always_ff', 'always_latch', 'initial', 'final']);
/** Words before a statement that belong to it. */
const PREFIXES: ReadonlySet<string> = new Set(['unique', 'unique0', 'priority']);
const OPENING: ReadonlySet<string> = new Set(['(', '[', '{', "'{", "'("]);
const CLOSING: ReadonlySet<string> = new Set([')', ']', '}']);
const DEEPEST = 200;

/**
 * Statements that go on behind a first block or condition, as an `if` with all its `else`, and processes, each as a whole.
 * `blocks` are the parts of the same text between opening and closing words or brackets.
 */
export function statementSpans(text: string, blocks: readonly Span[]): Span[] {
  const reader = new Reader(lexNames(text), blocks);
  return reader.spans();
}

class Reader {
  readonly #tokens: Tokens;
  /** Of the token that begins a block, the index of the one behind it. */
  readonly #behind = new Map<number, number>();

  constructor(tokens: Tokens, blocks: readonly Span[]) {
    this.#tokens = tokens;
    const starts = new Map(tokens.starts.map((start, index) => [start, index]));
    const ends = new Map(tokens.ends.map((end, index) => [end, index]));
    for (const { start, end } of blocks) {
      const [first, last] = [starts.get(start), ends.get(end)];
      if (first !== undefined && last !== undefined) this.#behind.set(first, last + 1);
    }
  }

  spans(): Span[] {
    const found: Span[] = [];
    for (let at = 0; at < this.#tokens.length; at++) {
      if (!HEADS.has(this.#word(at)) || this.#word(at - 1) === 'else') continue;
      const last = this.#statement(at, 0) - 1;
      const first = PREFIXES.has(this.#word(at - 1)) ? at - 1 : at;
      if (last > at) found.push({ start: this.#tokens.starts[first] ?? 0, end: this.#tokens.ends[last] ?? 0 });
    }
    return found;
  }

  #word(at: number): string {
    const kind = this.#tokens.kinds[at];
    return kind === 'keyword' || kind === 'operator' ? (this.#tokens.texts[at] ?? '') : '';
  }

  /** The token behind the statement that begins at one. */
  #statement(from: number, depth: number): number {
    if (depth > DEEPEST) return from;
    let at = from;
    while (PREFIXES.has(this.#word(at))) at++;
    const block = /^\w/.test(this.#word(at)) ? this.#behind.get(at) : undefined;
    if (block !== undefined) return this.#label(block);
    const word = this.#word(at);
    if (word === 'if') return this.#chain(at, depth);
    if (word === '@' || word === '#' || word === '##') return this.#statement(this.#control(at + 1), depth + 1);
    if (word === 'do') return this.#simple(this.#statement(at + 1, depth + 1));
    if (HEADS.has(word)) return this.#statement(this.#brackets(at + 1), depth + 1);
    return this.#simple(at);
  }

  #chain(from: number, depth: number): number {
    let at = from;
    for (;;) {
      at = this.#statement(this.#brackets(at + 1), depth + 1);
      if (this.#word(at) !== 'else') return at;
      at++;
      if (this.#word(at) !== 'if') return this.#statement(at, depth + 1);
    }
  }

  /** Behind the brackets that begin at a token, if some do. */
  #brackets(at: number): number {
    return OPENING.has(this.#word(at)) ? (this.#behind.get(at) ?? at + 1) : at;
  }

  /** Behind a delay or event. */
  #control(at: number): number {
    if (OPENING.has(this.#word(at))) return this.#brackets(at);
    let behind = at + 1;
    while (this.#word(behind) === '.' || this.#word(behind) === '::') behind += 2;
    return behind;
  }

  #simple(from: number): number {
    let at = from;
    while (at < this.#tokens.length && this.#word(at) !== ';' && !CLOSING.has(this.#word(at)) && !/^end/.test(this.#word(at))) {
      const block = this.#behind.get(at);
      at = block ?? at + 1;
    }
    return this.#word(at) === ';' ? at + 1 : at;
  }

  #label(at: number): number {
    return this.#word(at) === ':' && this.#tokens.kinds[at + 1] === 'identifier' ? at + 2 : at;
  }
}
