import type { Span } from '../base/text.ts';
import type { SyntaxDiagnostic } from './diagnostics.ts';
import { COMMENT_OR_STRING } from './pieces.ts';

const STRAY_END = /^'(end(?:module|interface|program|package))' (?:without |is not expected)/;
const OWN_END = /\b(end(?:module|interface|program|package))\b(?:\s*:\s*\w+)?\s*$/;
const COMMENT = new RegExp(COMMENT_OR_STRING, 'g');

/** An end of a design unit that came too early, and the diagnostic of the later one that has no beginning because of it. */
export interface EarlyEnd {
  readonly diagnostic: SyntaxDiagnostic;
  readonly stray: SyntaxDiagnostic;
}

/**
 * The first end of a design unit that another such end follows, with code and no beginning between them. `pieces` divide the
 * text, and `found` are its diagnostics in its order.
 */
export function firstEarlyEnd(text: string, pieces: readonly Span[], found: readonly SyntaxDiagnostic[]): EarlyEnd | undefined {
  for (const stray of found) {
    const diagnostic = earlyEnd(text, pieces, stray);
    if (diagnostic) return { diagnostic, stray };
  }
  return undefined;
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
