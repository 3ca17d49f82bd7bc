/**
 * A number of tokens that a text has at the very least: words together with one sign before them, groups of up to three digits and
 * other runs of signs, blanks not counted. Tokenizers of the byte-pair family cut a text at these borders first, so that a real count is rarely below it.
 */
export function leastTokens(text: string): number {
  return text.match(/[^\s\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|[^\s\p{L}\p{N}]+/gu)?.length ?? 0;
}
