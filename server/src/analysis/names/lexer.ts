import { lex } from '../../syntax/lexer.ts';
import type { Tokens } from '../../syntax/lexer.ts';
import { oldNames } from './old-names.ts';

/** The tokens of a preprocessed text; words that only later standards reserve are identifiers where the text declares them as names. */
export function lexNames(text: string): Tokens {
  return withOldNames(lex(text)).tokens;
}

/** `areDeclared`: how a word is read depends on other parts of the text. */
export function withOldNames(tokens: Tokens): { readonly tokens: Tokens; readonly areDeclared: boolean } {
  const { places, areDeclared } = oldNames(tokens.kinds, tokens.texts);
  if (places.length === 0) return { tokens, areDeclared };
  const kinds = [...tokens.kinds];
  for (const index of places) kinds[index] = 'identifier';
  return { tokens: { ...tokens, kinds }, areDeclared };
}
