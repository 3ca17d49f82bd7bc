import { lex } from '../../syntax/lexer.ts';
import type { Tokens } from '../../syntax/lexer.ts';
import { oldNames } from './old-names.ts';

/** The tokens of a preprocessed text; words that only later standards reserve are identifiers where the text declares them as names. */
export function lexNames(text: string): Tokens {
  const tokens = lex(text);
  const names = oldNames(tokens.kinds, tokens.texts);
  if (names.length === 0) return tokens;
  const kinds = [...tokens.kinds];
  for (const index of names) kinds[index] = 'identifier';
  return { ...tokens, kinds };
}
