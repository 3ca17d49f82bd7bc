import type { Steps } from '../base/steps.ts';
import { changeBetween } from '../base/text.ts';
import type { Finding } from './finding.ts';

/** Something short was typed, and the cursor stands behind it. */
export interface Typing {
  /** Offset of the cursor. */
  readonly cursor: number;
}

/** Problems of constructs that go on up to where they are closed. */
const OPEN_CODES = new Set(['unclosed', 'unbalanced-conditional']);
const STRAY = /^`(?:else|elsif|endif)/;
const MACRO_CODES = new Set(['bad-macro-usage', 'bad-directive']);

/** How the newer of two texts was typed; undefined when more was taken out than put in, or much was put in at once. */
export function typingBetween(before: string, after: string): Typing | undefined {
  const { start, oldEnd, newEnd } = changeBetween(before, after);
  const inserted = after.slice(start, newEnd);
  const isTyped = newEnd - start > oldEnd - start && inserted.trimEnd().split('\n').length <= 2 && inserted.length <= 200;
  return isTyped ? { cursor: newEnd } : undefined;
}

/**
 * The findings without those errors that may be no more than a construct that is being typed: it is on the line of the cursor
 * or the last one with text before it, it is a block round the cursor that has no end yet, or it is not there when that line
 * is blank. `findingsIn` tells what is found in another text of the same length; undefined when that takes too long.
 */
export function withoutUnfinished(findings: readonly Finding[], text: string, { cursor }: Typing, findingsIn: (text: string) => readonly Finding[] | undefined): Finding[] {
  const finished = findings.filter((finding) => !isUnfinished(finding, text, cursor));
  return finished.some(isError) ? stillThere(finished, findingsIn(withoutLine(text, cursor))) : finished;
}

/** As `withoutUnfinished`, where the findings in another text come in steps. */
export function* withoutUnfinishedInSteps(findings: readonly Finding[], text: string, { cursor }: Typing, findingsIn: (text: string) => Steps<readonly Finding[] | undefined>): Steps<Finding[]> {
  const finished = findings.filter((finding) => !isUnfinished(finding, text, cursor));
  return finished.some(isError) ? stillThere(finished, yield* findingsIn(withoutLine(text, cursor))) : finished;
}

function stillThere(finished: Finding[], others: readonly Finding[] | undefined): Finding[] {
  return others ? finished.filter((finding) => !isError(finding) || others.some((other) => isSame(finding, other))) : finished;
}

function isError({ place, severity }: Finding): boolean {
  return place.kind === 'span' && severity === 'error';
}

function isSame(a: Finding, b: Finding): boolean {
  return a.message === b.message && a.place.kind === 'span' && b.place.kind === 'span' && a.place.span.start === b.place.span.start;
}

function isUnfinished({ place, severity, code }: Finding, text: string, cursor: number): boolean {
  if (place.kind !== 'span' || severity !== 'error') return false;
  const { start, end } = place.span;
  if (OPEN_CODES.has(code) && !STRAY.test(text.slice(start, end))) return start < cursor;
  if (MACRO_CODES.has(code) && start < cursor && /^[^()]*\([^()]*(?:\([^()]*\)[^()]*)*$/.test(text.slice(start, cursor))) return true;
  const between = start < cursor ? text.slice(end, cursor) : text.slice(cursor, start);
  return !between.includes('\n') || between.trim() === '';
}

/** The text with the line of the cursor blanked, or the last one with text before it where that is blank. */
function withoutLine(text: string, cursor: number): string {
  let start = text.lastIndexOf('\n', cursor - 1) + 1;
  const lineEnd = text.indexOf('\n', cursor);
  const end = lineEnd < 0 ? text.length : lineEnd;
  if (text.slice(start, end).trim() === '') start = text.lastIndexOf('\n', text.slice(0, start).trimEnd().length - 1) + 1;
  return text.slice(0, start) + text.slice(start, end).replace(/[^\r\n]/g, ' ') + text.slice(end);
}
