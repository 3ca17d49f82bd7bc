import type { Span } from '../base/text.ts';
import type { SyntaxDiagnostic } from './diagnostics.ts';
import { COMMENT_OR_STRING } from './pieces.ts';

const STRAY_END = /^'(end(?:module|interface|program|package))' without /;
const STRAY_BLOCK_END = /^'(?:end|endcase|endgenerate|endfunction|endtask|join)' without /;
const OWN_END = /\b(end(?:module|interface|program|package))\b(?:\s*:\s*\w+)?\s*$/;
const COMMENT = new RegExp(COMMENT_OR_STRING, 'g');

/**
 * The diagnostics of a text, of which some may be one mistake: where code stands between the end of a design unit and another
 * such end, the first of the two came too early, and so did what it cuts off. `pieces` divide the text, and `found` is in its order.
 */
export function withEarlyEnds(text: string, pieces: readonly Span[], found: readonly SyntaxDiagnostic[]): SyntaxDiagnostic[] {
  let mended = [...found];
  for (const stray of found) {
    const early = earlyEnd(text, pieces, stray);
    if (!early) continue;
    const ends = mended.filter((other) => STRAY_BLOCK_END.test(other.message) && early.span.end <= other.span.start && other.span.start < stray.span.start);
    const begun = mended.filter(({ code, message, span }) => code === 'unclosed' && message.includes(' without ') && span.start < early.span.start).slice(-ends.length);
    const cutOff = new Set(begun.length === ends.length ? [...begun, ...ends] : []);
    mended = mended.flatMap((other) => (other === stray ? [early] : cutOff.has(other) ? [] : [other]));
  }
  return mended.sort((a, b) => a.span.start - b.span.start);
}

function earlyEnd(text: string, pieces: readonly Span[], { span, message }: SyntaxDiagnostic): SyntaxDiagnostic | undefined {
  const end = STRAY_END.exec(message)?.[1];
  if (end === undefined) return undefined;
  const before = pieces.findLast((piece) => piece.end <= span.start && OWN_END.test(text.slice(piece.start, piece.end)));
  const own = before && OWN_END.exec(text.slice(before.start, before.end));
  if (!before || own?.[1] !== end || text.slice(before.end, span.start).replace(COMMENT, '').trim() === '') return undefined;
  const start = before.start + own.index;
  return { span: { start, end: start + end.length }, code: 'unexpected', message: `Code and another '${end}' follow this one; remove one of the two.` };
}
