import { STRING_PIECE } from './pieces.ts';
import { RESERVED_WORDS } from './reserved-words.ts';

export type TokenClass = 'identifier' | 'keyword' | 'system' | 'macro' | 'number' | 'string' | 'operator';

/** Tokens as columns: the n-th entries of all lists belong together. */
export interface Tokens {
  readonly length: number;
  readonly kinds: readonly TokenClass[];
  /** As written; for an escaped identifier without the backslash. */
  readonly texts: readonly string[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const OPERATORS = [
  ['<<<=', '>>>='],
  ['<<<', '>>>', '<<=', '>>=', '===', '!==', '==?', '!=?', '<->', '->>', '&&&', '|->', '|=>', '#=#', '#-#'],
  ['<=', '>=', '==', '!=', '&&', '||', '->', '=>', '*>', '~&', '~|', '~^', '^~', '::', '+:', '-:', "'{", "'(", '.*', '##', '++', '--', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<', '>>', '**', ':=', ':/'],
].map((list) => new Set(list));

/** Second characters of operators that have one. */
const SECONDS: ReadonlySet<number> = new Set(OPERATORS.flatMap((list) => [...list].map((operator) => operator.charCodeAt(1))));

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isWord = (code: number): boolean => isLetter(code) || isDigit(code) || code === 36;
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || (code >= 160 && /\s/.test(String.fromCharCode(code)));

/** A based number takes in digits that its base does not have; those make it a wrong number and not two tokens. */
const DIGITS = String.raw`(?:\s*[0-9a-fA-FxXzZ?][0-9a-fA-FxXzZ?_]*(?![\w$])|\w*)`;
const NUMBER = new RegExp(String.raw`(?:\d[\d_]*\s*)?'[sS]?[bBoOdDhH]${DIGITS}|'[01xXzZ](?![\w])|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?(?:(?:step|s|ms|us|ns|ps|fs)\b)?`, 'y');
const STRING = new RegExp(STRING_PIECE, 'y');
const EMPTY_ATTRIBUTE = /\(\*\s*\)/y;

/** The end of what a pattern matches at a place; the place itself where it does not. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The end of a decimal number without a size, fraction or unit; undefined where it may have one. */
function plainNumberEnd(text: string, at: number): number | undefined {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end++;
  if (isWord(text.charCodeAt(end)) || text.charCodeAt(end) === 46) return undefined;
  let next = end;
  while (isSpace(text.charCodeAt(next))) next++;
  return text.charCodeAt(next) === 39 ? undefined : end;
}

function numberEnd(text: string, at: number): number {
  const end = endOf(NUMBER, text, at);
  return end === at ? at : at + withoutCondition(text.slice(at, end), text, at).length;
}

const BITS: Readonly<Record<string, number>> = { b: 1, o: 3, h: 4 };

/**
 * A number up to the `?` of a conditional operator right behind it, as in `1'b1?a:b`. By the letter of the standard that
 * `?` is a digit; it is read as one only where the number stays well-formed and no operand follows.
 */
function withoutCondition(number: string, text: string, start: number): string {
  if (!number.includes('?')) return number;
  const [, size = '', letter = '', digits = ''] = /^([\d_]*)\s*'[sS]?([bBoOdDhH])\s*(\S*)$/.exec(number) ?? [];
  const mark = digits.search(/(?<=[\da-fA-F])\?/);
  if (mark < 0) return number;
  const base = letter.toLowerCase();
  const count = digits.replaceAll('_', '').length;
  const tooLong = size !== '' && count > Math.ceil(Number(size.replaceAll('_', '')) / (BITS[base] ?? 1));
  const isWrong = base === 'd' || tooLong || !isInBase(digits, base);
  const behind = start + number.length;
  const operandFollows = digits.endsWith('?') && /^\s*(?:[\w'"({`$\\]|[~!](?![=&|^]))/.test(text.slice(behind, behind + 40));
  return isWrong || operandFollows ? number.slice(0, number.length - digits.length + mark) : number;
}

/** Whether a base, named by its small letter, has all these digits. */
export function isInBase(digits: string, base: string): boolean {
  if (base === 'd') return /^(?:[\d_]+|[xXzZ?]_*)$/.test(digits);
  return (base === 'b' ? /^[01xXzZ?_]+$/ : base === 'o' ? /^[0-7xXzZ?_]+$/ : /^[\da-fA-FxXzZ?_]+$/).test(digits);
}

function operatorEnd(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  if (SECONDS.has(next)) {
    const size = [4, 3, 2].find((length, row) => OPERATORS[row]?.has(text.slice(at, at + length)) === true) ?? 1;
    // `:/` and a further sign begin a comment behind a colon.
    const beginsComment = size === 2 && text.charCodeAt(at) === 58 && next === 47 && /[/*]/.test(text.charAt(at + 2));
    return at + (beginsComment ? 1 : size);
  }
  const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (next & 0xfc00) === 0xdc00;
  return at + (isPair ? 2 : 1);
}

/** Splits Verilog text into tokens; comments, attributes and white space are left out. Linear; never throws. */
export function lex(text: string): Tokens {
  const lexer = new Lexer(text);
  lexer.readTo(text.length);
  return lexer.tokens;
}

/** Reads tokens in parts, from any place at which one may begin. */
export class Lexer {
  readonly #text: string;
  readonly #lastAttributeEnd: number;
  readonly #kinds: TokenClass[] = [];
  readonly #texts: string[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #at: number;

  constructor(text: string, from = 0) {
    this.#text = text;
    this.#at = from;
    this.#lastAttributeEnd = text.lastIndexOf('*)');
  }

  /** Those that have been read. */
  get tokens(): Tokens {
    return { length: this.#kinds.length, kinds: this.#kinds, texts: this.#texts, starts: this.#starts, ends: this.#ends };
  }

  #push(kind: TokenClass, start: number, end: number, written = this.#text.slice(start, end)): number {
    this.#kinds.push(kind);
    this.#texts.push(written);
    this.#starts.push(start);
    this.#ends.push(end);
    return end;
  }

  /** Reads up to an offset, and on to the end of what it lies in; returns the offset that was reached. */
  readTo(until: number): number {
    const text = this.#text;
    const stop = Math.min(until, text.length);
    const wordEnd = (from: number): number => {
      let end = from;
      while (isWord(text.charCodeAt(end))) end++;
      return end;
    };
    let at = this.#at;
    while (at < stop) {
      const code = text.charCodeAt(at);
      if (isSpace(code)) {
        at++;
      } else if (isLetter(code)) {
        const end = wordEnd(at + 1);
        const word = text.slice(at, end);
        at = this.#push(RESERVED_WORDS.has(word) ? 'keyword' : 'identifier', at, end, word);
      } else if (code === 47 && text.charCodeAt(at + 1) === 47) {
        const end = text.indexOf('\n', at);
        at = end < 0 ? text.length : end;
      } else if (code === 47 && text.charCodeAt(at + 1) === 42) {
        const end = text.indexOf('*/', at + 2);
        at = end < 0 ? text.length : end + 2;
      } else if (isDigit(code)) {
        at = this.#push('number', at, plainNumberEnd(text, at) ?? numberEnd(text, at));
      } else if (code === 39 && endOf(NUMBER, text, at) > at) {
        at = this.#push('number', at, numberEnd(text, at));
      } else if (code === 34) {
        at = this.#push('string', at, endOf(STRING, text, at));
      } else if (code === 92 && at + 1 < text.length && !isSpace(text.charCodeAt(at + 1))) {
        let end = at + 1;
        while (end < text.length && !isSpace(text.charCodeAt(end))) end++;
        at = this.#push('identifier', at, end, text.slice(at + 1, end));
      } else if ((code === 36 || code === 96) && isLetter(text.charCodeAt(at + 1))) {
        at = this.#push(code === 36 ? 'system' : 'macro', at, wordEnd(at + 1));
      } else if (code === 40 && text.charCodeAt(at + 1) === 42 && at + 2 <= this.#lastAttributeEnd && endOf(EMPTY_ATTRIBUTE, text, at) === at) {
        at = text.indexOf('*)', at + 2) + 2;
      } else {
        at = this.#push('operator', at, operatorEnd(text, at));
      }
    }
    this.#at = at;
    return at;
  }
}
