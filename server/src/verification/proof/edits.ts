/** Pieces of a text that others take the place of. */

/** Offsets, and what stands there instead. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The text between two offsets with its pieces replaced. They do not overlap; of those that begin in one place the first comes first. */
export function withEdits(text: string, edits: readonly Edit[], from = 0, to = text.length): string {
  let [result, copied] = ['', from];
  for (const { start, end, replacement } of [...edits].sort((a, b) => a.start - b.start)) {
    result += text.slice(copied, start) + replacement;
    copied = end;
  }
  return result + text.slice(copied, to);
}
