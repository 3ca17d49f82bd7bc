import { HARD_WORDS } from './keywords.ts';

/** The closing bracket, by the opening one. */
export const BRACKETS: ReadonlyMap<string, string> = new Map([['(', ')'], ['[', ']'], ['{', '}'], ["'{", '}'], ["'(", ')']]);
export const CLOSING: ReadonlySet<string> = new Set([')', ']', '}']);

const NONE = -1;

/**
 * Which bracket of a list of words closes what, whatever the kinds of the brackets. It is worked out in one pass, so that
 * asking at every bracket of a deep nesting stays linear.
 */
export class BracketTable {
  /** From a word on, the first bracket that closes more than was opened since. */
  readonly #closers: Int32Array;
  /** From a word on, the first `;` outside of what opens since; only right where there is a closer. */
  readonly #ends: Int32Array;
  readonly #semicolons: Int32Array;
  readonly #stops: Int32Array;

  constructor(words: readonly { readonly text: string }[]) {
    const { length } = words;
    const column = (): Int32Array => new Int32Array(length + 1).fill(length);
    this.#closers = new Int32Array(length + 1).fill(NONE);
    this.#ends = column();
    this.#semicolons = column();
    this.#stops = column();
    const levels: { readonly closer: number; end: number }[] = [];
    // A property that chooses by `case` has semicolons within its parentheses.
    let cases = 0;
    let outside = length;
    for (let index = length - 1; index >= 0; index--) {
      const text = words[index]?.text ?? '';
      if (CLOSING.has(text)) levels.push({ closer: index, end: length });
      else if (BRACKETS.has(text)) levels.pop();
      const level = levels.at(-1);
      if (text === 'endcase') cases++;
      else if (text === 'case' && cases > 0) cases--;
      const isSemicolon = text === ';';
      if (isSemicolon && level) level.end = cases > 0 ? level.end : index;
      else if (isSemicolon) outside = index;
      this.#closers[index] = level?.closer ?? NONE;
      this.#ends[index] = level?.end ?? outside;
      this.#semicolons[index] = isSemicolon ? index : (this.#semicolons[index + 1] ?? length);
      this.#stops[index] = isSemicolon || HARD_WORDS.has(text) ? index : (this.#stops[index + 1] ?? length);
    }
  }

  /** The bracket that closes what is open at a word; undefined when there is none. */
  around(at: number): number | undefined {
    const closer = this.#closers[at] ?? NONE;
    return closer === NONE ? undefined : closer;
  }

  /** The bracket that closes the one at `open`; undefined when there is none or a `;` stands between, but for brackets in it. */
  closing(open: number): number | undefined {
    const closer = this.around(open + 1);
    return closer === undefined || (this.#ends[open + 1] ?? NONE) < closer ? undefined : closer;
  }

  /** The next `;` from a word on, or the number of words. */
  semicolon(at: number): number {
    return this.#semicolons[at] ?? at;
  }

  /** The next `;` or word that begins or ends a construct, from a word on, or the number of words. */
  stop(at: number): number {
    return this.#stops[at] ?? at;
  }
}
