import { RESERVED_WORDS } from '../../syntax/reserved-words.ts';
import { oldNames } from './old-names.ts';

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
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 160 || code === 65279;

const TICK = /'[sS]?[bBoOdDhH]\s*[0-9a-fA-FxXzZ?][0-9a-fA-FxXzZ?_]*|'[01xXzZ](?!\w)/y;
const NUMBER = /\d[\d_]*(?:\s*'[sS]?[bBoOdDhH]\s*[0-9a-fA-FxXzZ?][0-9a-fA-FxXzZ?_]*|(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?(?:(?:s|ms|us|ns|ps|fs|step)\b)?)/y;
const STRING = /"""[\s\S]*?"""|"(?:[^"\\]|\\[\s\S])*"?/y;

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

/** Splits preprocessed text into tokens without comments, attributes and white space. Linear; never throws. */
export function lex(text: string): Tokens {
  const kinds: TokenClass[] = [];
  const texts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const push = (kind: TokenClass, start: number, end: number, written = text.slice(start, end)): number => {
    kinds.push(kind);
    texts.push(written);
    starts.push(start);
    ends.push(end);
    return end;
  };
  const wordEnd = (from: number): number => {
    let end = from;
    while (isWord(text.charCodeAt(end))) end++;
    return end;
  };
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      at++;
    } else if (isLetter(code)) {
      const end = wordEnd(at + 1);
      const word = text.slice(at, end);
      at = push(RESERVED_WORDS.has(word) ? 'keyword' : 'identifier', at, end, word);
    } else if (code === 47 && text.charCodeAt(at + 1) === 47) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (code === 47 && text.charCodeAt(at + 1) === 42) {
      const end = text.indexOf('*/', at + 2);
      at = end < 0 ? text.length : end + 2;
    } else if (isDigit(code)) {
      at = push('number', at, plainNumberEnd(text, at) ?? endOf(NUMBER, text, at));
    } else if (code === 39 && endOf(TICK, text, at) > at) {
      at = push('number', at, endOf(TICK, text, at));
    } else if (code === 34) {
      at = push('string', at, endOf(STRING, text, at));
    } else if (code === 92) {
      let end = at + 1;
      while (end < text.length && !isSpace(text.charCodeAt(end))) end++;
      at = push('identifier', at, end, text.slice(at + 1, end));
    } else if ((code === 36 || code === 96) && isLetter(text.charCodeAt(at + 1))) {
      at = push(code === 36 ? 'system' : 'macro', at, wordEnd(at + 1));
    } else if (code === 40 && text.charCodeAt(at + 1) === 42 && !/^\(\*\s*\)/.test(text.slice(at, at + 12))) {
      const end = text.indexOf('*)', at + 2);
      at = end < 0 ? text.length : end + 2;
    } else {
      const mayBeLonger = SECONDS.has(text.charCodeAt(at + 1));
      const size = mayBeLonger ? ([4, 3, 2].find((length, row) => OPERATORS[row]?.has(text.slice(at, at + length)) === true) ?? 1) : 1;
      at = push('operator', at, at + size);
    }
  }
  for (const index of oldNames(kinds, texts)) kinds[index] = 'identifier';
  return { length: kinds.length, kinds, texts, starts, ends };
}
