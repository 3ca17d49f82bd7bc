import type { SyntaxDiagnostic } from './diagnostics.ts';
import { matchAt } from './macros.ts';
import { COMMENT_OR_STRING } from './pieces.ts';

const BEFORE_ITEM = new RegExp(String.raw`\s+|${COMMENT_OR_STRING}|\(\*[\s\S]*?\*\)`, 'y');
/** Items that no compilation unit may hold by itself, as it may declarations (IEEE 1800-2017, A.1.2). */
const ITEM = /(?:always|always_comb|always_ff|always_latch|assign|initial|final|generate|defparam|specify)(?![\w$])/y;
const UNIT_END = /\bend(?:module|interface|program)\b/;

/** What is wrong with the first item of a text that stands in no design unit. */
export function strayItem(text: string): SyntaxDiagnostic | undefined {
  let start = 0;
  for (let piece = matchAt(BEFORE_ITEM, text, 0); piece !== undefined; piece = matchAt(BEFORE_ITEM, text, start)) start += piece.length;
  const word = matchAt(ITEM, text, start);
  return word === undefined ? undefined : { span: { start, end: start + word.length }, code: 'unexpected', message: `'${word}' stands outside of any module; move it into one.` };
}

/** A text without any design unit is a part of one that an include brings together. */
export function hasDesignUnit(text: string): boolean {
  return UNIT_END.test(text);
}
