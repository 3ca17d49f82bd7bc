/** Results of functions as Yosys can read them: it knows no `return` (IEEE 1800, 13.4.1), but the variable with the name of the function. */
import { withEdits, type Edit } from './edits.ts';
import { outerTokens } from './memories.ts';
import { armsOf, CASES, subroutinesIn } from './processes.ts';
import { readSubroutine } from './subroutines.ts';
import { afterStatement, tokenize, type Token } from './tokens.ts';

/**
 * The text with the result assigned where a function returns it, at equal lines. Nothing may run behind that: what follows a choice in which every statement returns becomes
 * its other branch. A function stays as it is where more would have to be done, as in a loop, and where macros may hide what it does.
 */
export function withoutReturns(text: string): string {
  const tokens = tokenize(text);
  const edits = subroutinesIn(tokens).flatMap((range) => {
    const { name, body, to, isFunction } = readSubroutine(tokens, range);
    const isPlain = isFunction && tokens.slice(range.from, to).every(({ kind }) => kind !== 'directive');
    return (isPlain && new Returning(tokens, name).list(body, to)) || [];
  });
  return withEdits(text, edits);
}

class Returning {
  readonly #tokens: readonly Token[];
  readonly #name: string;

  constructor(tokens: readonly Token[], name: string) {
    this.#tokens = tokens;
    this.#name = name;
  }

  /** The edits of statements behind which a function ends; undefined where it may return before others. */
  list(from: number, to: number): readonly Edit[] | undefined {
    const edits: Edit[] = [];
    for (let at = from; at < to; ) {
      const end = afterStatement(this.#tokens, at);
      if (end > to) return undefined;
      if (end < to && this.#returns(at, end)) {
        if (!this.#isOpenChoice(at, end)) return undefined;
        const [first, rest] = [this.#statement(at, end), this.list(end, to)];
        if (first === undefined || rest === undefined) return undefined;
        const [behind, last] = [this.#tokens[end - 1]?.end ?? 0, this.#tokens[to - 1]?.end ?? 0];
        return [...edits, ...first, { start: behind, end: behind, replacement: ' else begin' }, ...rest, { start: last, end: last, replacement: ' end' }];
      }
      const own = this.#statement(at, end);
      if (own === undefined) return undefined;
      edits.push(...own);
      at = end;
    }
    return edits;
  }

  #statement(at: number, end: number): readonly Edit[] | undefined {
    if (!this.#returns(at, end)) return [];
    const token = this.#tokens[at];
    const word = token?.text ?? '';
    if (word === 'return') return token === undefined || this.#word(at + 1) === ';' ? undefined : [{ start: token.start, end: token.end, replacement: `${this.#name} =` }];
    if (word === 'begin') return this.list(...this.#inner(at, end));
    if (word !== 'if' && !CASES.has(word)) return undefined;
    const all = armsOf(this.#tokens, at).map(({ from, to }) => this.#statement(from, to));
    return all.reduce<readonly Edit[] | undefined>((edits, own) => (edits === undefined || own === undefined ? undefined : [...edits, ...own]), []);
  }

  /** Between `begin` and `end`. */
  #inner(at: number, end: number): [number, number] {
    return [this.#word(at + 1) === ':' ? at + 3 : at + 1, end - 1];
  }

  #returns(from: number, to: number): boolean {
    return this.#tokens.slice(from, to).some(({ text }) => text === 'return');
  }

  /** An `if` to which an `else` may be added and whose branches all return. */
  #isOpenChoice(at: number, end: number): boolean {
    if (this.#word(at) !== 'if') return false;
    const [then, other] = armsOf(this.#tokens, at);
    if (then === undefined || !this.#ends(then.from, then.to)) return false;
    return other === undefined || (this.#word(other.from) === 'if' && this.#isOpenChoice(other.from, end));
  }

  /** A statement that always returns. */
  #ends(at: number, end: number): boolean {
    const word = this.#word(at);
    if (word === 'return') return true;
    if (word === 'begin') {
      let last = -1;
      for (let [next, to] = this.#inner(at, end); next < to; next = afterStatement(this.#tokens, next)) last = next;
      return last >= 0 && this.#ends(last, end - 1);
    }
    const isComplete = word === 'if' ? armsOf(this.#tokens, at).length > 1 : CASES.has(word) && outerTokens(this.#tokens, at, end).some(({ text }) => text === 'default');
    return isComplete && armsOf(this.#tokens, at).every(({ from, to }) => this.#ends(from, to));
  }

  #word(at: number): string {
    return this.#tokens[at]?.text ?? '';
  }
}
