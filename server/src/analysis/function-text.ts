import type { FunctionItem } from './items.ts';
import type { ParsedSource } from './parsed-text.ts';

/** The function that a piece of preprocessed text declares. `parse` reads a whole text; undefined where it takes too long. */
export function functionIn(text: string, parse: (text: string) => ParsedSource | undefined): FunctionItem | undefined {
  const parsed = parse(`package p;\n${text}\nendpackage\n`);
  const item = parsed?.summary.packages[0]?.items.find((each) => each.kind === 'function');
  parsed?.delete();
  return item;
}
