import type { Span } from '../base/text.ts';

export type TokenKind = 'identifier' | 'system' | 'number' | 'string' | 'operator';

export interface Token {
  readonly kind: TokenKind;
  /** As written; for an escaped identifier without the backslash. */
  readonly text: string;
  /** Relative to the tokenized text, or to the text that it is a part of. */
  readonly span: Span;
}

const SPACE = String.raw`(?<space>\s+|//[^\n]*|/\*[\s\S]*?(?:\*/|$)|\(\*(?!\s*\))[\s\S]*?\*\))`;
const NUMBER = String.raw`(?<number>(?:\d[\d_]*\s*)?'[sS]?[bBoOdDhH]\s*[0-9a-fA-FxXzZ?][0-9a-fA-FxXzZ?_]*|'[01xXzZ](?![\w])|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?(?:(?:s|ms|us|ns|ps|fs)\b)?)`;
const IDENTIFIER = String.raw`(?<identifier>[A-Za-z_][A-Za-z0-9_$]*|\\\S+|${'`'}[A-Za-z_]\w*)`;
const SYSTEM = String.raw`(?<system>\$[A-Za-z_][A-Za-z0-9_$]*)`;
const STRING = String.raw`(?<string>"(?:[^"\\\n]|\\[\s\S])*"?)`;
const OPERATOR = String.raw`(?<operator><<<=|>>>=|<<<|>>>|<<=|>>=|===|!==|==\?|!=\?|<->|->>|&&&|\*\*|\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|<<|>>|<=|>=|==|!=|&&|\|\||->|=>|~&|~\||~\^|\^~|::|\+:|-:|'\{|'\(|\.\*|##|[\s\S])`;
const TOKEN = new RegExp([SPACE, NUMBER, IDENTIFIER, SYSTEM, STRING, OPERATOR].join('|'), 'g');

const KINDS = ['number', 'identifier', 'system', 'string', 'operator'] as const;

/**
 * Splits Verilog text into tokens; comments, attributes and white space are left out. `base` is added to their places.
 * Never throws.
 */
export function tokenize(text: string, base = 0): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const groups = match.groups ?? {};
    const kind = KINDS.find((name) => groups[name] !== undefined);
    if (kind === undefined) continue;
    const written = match[0];
    const start = base + match.index;
    const span = { start, end: start + written.length };
    tokens.push({ kind, text: written.startsWith('\\') ? written.slice(1) : written, span });
  }
  return tokens;
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
