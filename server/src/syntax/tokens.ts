import type { Span } from '../base/text.ts';
import { lex } from './lexer.ts';
import type { TokenClass } from './lexer.ts';

export type TokenKind = 'identifier' | 'system' | 'number' | 'string' | 'operator';

export interface Token {
  readonly kind: TokenKind;
  /** As written; for an escaped identifier without the backslash. */
  readonly text: string;
  /** Relative to the tokenized text, or to the text that it is a part of. */
  readonly span: Span;
}

const KINDS: Readonly<Record<TokenClass, TokenKind>> = { identifier: 'identifier', keyword: 'identifier', macro: 'identifier', system: 'system', number: 'number', string: 'string', operator: 'operator' };

/** The tokens of a text as objects. `base` is added to their places. Never throws. */
export function tokenize(text: string, base = 0): Token[] {
  const { kinds, texts, starts, ends } = lex(text);
  return kinds.map((kind, index) => ({ kind: KINDS[kind], text: texts[index] ?? '', span: { start: base + (starts[index] ?? 0), end: base + (ends[index] ?? 0) } }));
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
