import { changeBetween } from '../base/text.ts';
import type { Span } from '../base/text.ts';
import type { Macro } from './macros.ts';
import type { DefinedMacro, Preprocessed } from './preprocessed.ts';
import { SourceMap } from './source-map.ts';
import type { Segment } from './source-map.ts';

/** What may begin or end something that the preprocessor does not merely copy; a comment up to the end of a line is copied. */
const NOT_COPIED = /[`"\\]|\/\*|\*\/|pragma/;

/**
 * What the preprocessor makes of an edited text, from what it made of the text before the edit: the same as from scratch. Undefined where
 * lines are concerned that are more than copied. Everything that it depends on besides the text has to be as it was.
 */
export function preprocessedAgain(before: Preprocessed, file: string, old: string, text: string): Preprocessed | undefined {
  if (before.problems.length > 0 || before.expanded.some(({ name }) => name === '__LINE__') || before.includes.some(({ resolved }) => resolved === file)) return undefined;
  const change = changeBetween(old, text);
  const delta = change.newEnd - change.oldEnd;
  const lines = linesAround(old, change.start, change.oldEnd);
  const segment = lines && before.map.segments.findIndex(({ kind, file: from, source, root }) => kind === 'verbatim' && from === file && source.start === root.start && source.start <= lines.start && lines.end <= source.end);
  const place = segment === undefined ? undefined : before.map.segments[segment];
  if (!lines || segment === undefined || !place || place.source.end - place.source.start + delta <= 0) return undefined;
  const at = place.start + lines.start - place.source.start;
  const [was, is] = [old.slice(lines.start, lines.end), text.slice(lines.start, lines.end + delta)];
  if (NOT_COPIED.test(was) || NOT_COPIED.test(is) || before.text.slice(at, at + was.length) !== was) return undefined;
  const shift = (span: Span): Span => (span.start < lines.end ? span : { start: span.start + delta, end: span.end + delta });
  const shiftOwn = <T extends { readonly file: string; readonly span: Span }>(entry: T): T => (entry.file === file ? { ...entry, span: shift(entry.span) } : entry);
  const shiftMacro = <M extends Macro>(macro: M): M => (macro.location?.file === file ? { ...macro, location: shiftOwn(macro.location) } : macro);
  const segments = before.map.segments.map((each, index): Segment => {
    if (index < segment) return each;
    const grown = ({ start, end }: Span): Span => ({ start, end: end + delta });
    if (index === segment) return { ...each, source: grown(each.source), root: grown(each.root) };
    return { ...each, start: each.start + delta, source: each.file === file && each.source.start >= lines.end ? shift(each.source) : each.source, root: shift(each.root) };
  });
  return {
    text: before.text.slice(0, at) + is + before.text.slice(at + was.length),
    map: new SourceMap(file, segments, before.map.length + delta),
    blanked: before.blanked.slice(0, lines.start) + is + before.blanked.slice(lines.end),
    inactive: before.inactive.map(shift),
    problems: before.problems,
    includes: before.includes.map(shiftOwn),
    macros: new Map([...before.macros].map(([name, macro]) => [name, shiftMacro(macro)])),
    definitions: before.definitions.map((macro): DefinedMacro => shiftMacro(macro)),
    expanded: before.expanded.map(shiftOwn),
    unknown: before.unknown.map(shiftOwn),
  };
}

/** Whole lines around a part of a text, with one in front of it that is not blank, so that it is seen whether such lines are copied there; undefined where there is none. */
function linesAround(text: string, start: number, end: number): Span | undefined {
  let first = lineStart(text, start);
  while (first > 0 && text.slice(first, text.indexOf('\n', first)).trim() === '') first = lineStart(text, first - 1);
  const last = text.indexOf('\n', end);
  const span = { start: first, end: last < 0 ? text.length : last };
  return text.slice(span.start, span.end).trim() === '' ? undefined : span;
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}
