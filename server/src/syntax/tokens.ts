import type { Span } from '../base/text.ts';
import { STRING_PIECE } from './pieces.ts';

export type TokenKind = 'identifier' | 'system' | 'number' | 'string' | 'operator';

export interface Token {
  readonly kind: TokenKind;
  /** As written; for an escaped identifier without the backslash. */
  readonly text: string;
  /** Relative to the tokenized text, or to the text that it is a part of. */
  readonly span: Span;
}

const SPACE = String.raw`(?<space>\s+|//[^\n]*|/\*[\s\S]*?(?:\*/|$)|\(\*(?!\s*\))[\s\S]*?\*\))`;
/** A based number takes in digits that its base does not have; those make it a wrong number and not two tokens. */
const DIGITS = String.raw`(?:\s*[0-9a-fA-FxXzZ?][0-9a-fA-FxXzZ?_]*(?![\w$])|\w*)`;
const NUMBER = String.raw`(?<number>(?:\d[\d_]*\s*)?'[sS]?[bBoOdDhH]${DIGITS}|'[01xXzZ](?![\w])|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?(?:(?:step|s|ms|us|ns|ps|fs)\b)?)`;
const IDENTIFIER = String.raw`(?<identifier>[A-Za-z_][A-Za-z0-9_$]*|\\\S+|${'`'}[A-Za-z_]\w*)`;
const SYSTEM = String.raw`(?<system>\$[A-Za-z_][A-Za-z0-9_$]*)`;
const STRING = `(?<string>${STRING_PIECE})`;
const OPERATOR = String.raw`(?<operator><<<=|>>>=|\|->|\|=>|#-#|#=#|<<<|>>>|<<=|>>=|===|!==|==\?|!=\?|<->|->>|&&&|\*\*|\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|<<|>>|<=|>=|==|!=|&&|\|\||->|=>|~&|~\||~\^|\^~|::|\+:|-:|'\{|'\(|\.\*|\*>|:=|:/(?![/*])|##|[\ud800-\udbff][\udc00-\udfff]|[\s\S])`;
const TOKEN = new RegExp([SPACE, NUMBER, IDENTIFIER, SYSTEM, STRING, OPERATOR].join('|'), 'g');

const KINDS = ['number', 'identifier', 'system', 'string', 'operator'] as const;

/**
 * Splits Verilog text into tokens; comments, attributes and white space are left out. `base` is added to their places.
 * Never throws.
 */
export function tokenize(text: string, base = 0): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const groups = match.groups ?? {};
    const kind = KINDS.find((name) => groups[name] !== undefined);
    if (kind === undefined) continue;
    const written = kind === 'number' ? withoutCondition(match[0], text, match.index) : match[0];
    pattern.lastIndex = match.index + written.length;
    const start = base + match.index;
    const span = { start, end: start + written.length };
    tokens.push({ kind, text: written.startsWith('\\') ? written.slice(1) : written, span });
  }
  return tokens;
}

const BITS: Readonly<Record<string, number>> = { b: 1, o: 3, h: 4 };

/**
 * A number up to the `?` of a conditional operator right behind it, as in `1'b1?a:b`. By the letter of the standard that
 * `?` is a digit; it is read as one only where the number stays well-formed and no operand follows.
 */
function withoutCondition(number: string, text: string, start: number): string {
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

/** Walks over tokens. */
export class TokenCursor {
  readonly tokens: readonly Token[];
  at = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  get done(): boolean {
    return this.at >= this.tokens.length;
  }

  peek(ahead = 0): string | undefined {
    return this.tokens[this.at + ahead]?.text;
  }

  get current(): Token | undefined {
    return this.tokens[this.at];
  }

  accept(text: string): boolean {
    if (this.peek() !== text || this.current?.kind === 'string') return false;
    this.at++;
    return true;
  }

  acceptOneOf(words: ReadonlySet<string>): string | undefined {
    const text = this.peek();
    if (text === undefined || !words.has(text)) return undefined;
    this.at++;
    return text;
  }

  identifier(): string | undefined {
    const token = this.current;
    if (token?.kind !== 'identifier') return undefined;
    this.at++;
    return token.text;
  }
}
