import { finish } from '../../base/steps.ts';
import type { Steps } from '../../base/steps.ts';
import { Lexer } from '../../syntax/lexer.ts';
import type { Tokens } from '../../syntax/lexer.ts';
import { oldNames } from './old-names.ts';

/** The tokens of a preprocessed text; words that only later standards reserve are identifiers where the text declares them as names. */
export function lexNames(text: string): Tokens {
  return finish(lexNamesInSteps(text)).tokens;
}

/** Characters that are split into tokens in one step. */
const STEP = 50_000;

/** As `lexNames`, step by step. */
export function* lexNamesInSteps(text: string): Steps<ReturnType<typeof withOldNames>> {
  const lexer = new Lexer(text);
  for (let at = 0; at < text.length; at = lexer.readTo(at + STEP)) yield;
  return withOldNames(lexer.tokens);
}

/** `areDeclared`: how a word is read depends on other parts of the text. */
export function withOldNames(tokens: Tokens): { readonly tokens: Tokens; readonly areDeclared: boolean } {
  const { places, areDeclared } = oldNames(tokens.kinds, tokens.texts);
  if (places.length === 0) return { tokens, areDeclared };
  const kinds = [...tokens.kinds];
  for (const index of places) kinds[index] = 'identifier';
  return { tokens: { ...tokens, kinds }, areDeclared };
}
