import { changeBetween } from '../base/text.ts';
import type { Finding } from './finding.ts';

/** Something short was typed, and the cursor stands behind it. */
export interface Typing {
  /** Offset of the cursor. */
  readonly cursor: number;
}

/** How the newer of two texts was typed; undefined when more was taken out than put in, or much was put in at once. */
export function typingBetween(before: string, after: string): Typing | undefined {
  const { start, oldEnd, newEnd } = changeBetween(before, after);
  const inserted = after.slice(start, newEnd);
  const isTyped = newEnd - start > oldEnd - start && inserted.trimEnd().split('\n').length <= 2 && inserted.length <= 200;
  return isTyped ? { cursor: newEnd } : undefined;
}

/**
 * Whether a syntax error may be no more than a construct that is being typed: it is on the line of the cursor or the last
 * one with text before it, or it is a block around the cursor that has no end yet.
 */
export function isUnfinished(finding: Finding, text: string, { cursor }: Typing): boolean {
  if (finding.place.kind !== 'span' || finding.severity !== 'error') return false;
  const { start, end } = finding.place.span;
  if (finding.code === 'unclosed') return start < cursor;
  const between = start < cursor ? text.slice(end, cursor) : text.slice(cursor, start);
  return !between.includes('\n') || between.trim() === '';
}
