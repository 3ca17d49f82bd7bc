import { LineIndex, type Span } from '../base/text.ts';
import { tokenize } from '../syntax/tokens.ts';

/** The text of one comment, without its marks. */
export interface CommentText {
  /** As long as the comment in the source, so that offsets keep their distance: marks and leading stars are blanks. */
  readonly text: string;
  /** Offset of `text` in the source. */
  readonly start: number;
}

/** A comment and what stands right below it. */
export interface CommentPlace extends CommentText {
  /** Text of the module header below the comment, from `module` to its semicolon; undefined when something else stands there. */
  readonly header: string | undefined;
  /** What a generated module takes the place of: the module below, from its header to its end, else nothing, right behind the comment. */
  readonly place: Span;
}

/**
 * Finds the comment that covers a zero-based line, or the one right above it. Line comments on successive lines are one comment.
 * Undefined where there is none.
 */
export function commentAt(source: string, line: number): CommentPlace | undefined {
  const index = new LineIndex(source);
  const groups = groupComments(source, index);
  const lineOf = (offset: number): number => index.position(offset).line;
  const covering = groups.find((group) => lineOf(group.start) <= line && line <= lineOf(group.end));
  const above = groups.findLast((group) => lineOf(group.end) < line && source.slice(group.end, index.offset({ line, character: 0 })).trim() === '');
  const found = covering ?? above;
  if (found === undefined) return undefined;
  const below = headerAt(source.slice(found.end));
  const place = below === undefined ? { start: found.end, end: found.end } : moduleSpan(source, found.end + below.at, below.header);
  return { text: withoutMarks(source.slice(found.start, found.end)), start: found.start, header: below?.header, place };
}

/** The module that begins at an offset; only its header when it does not end before another one begins. */
function moduleSpan(source: string, start: number, header: string): Span {
  const words = tokenize(source.slice(start)).filter(({ kind, text }) => kind === 'identifier' && /^(?:macro)?module$|^endmodule$/.test(text));
  const next = words[1];
  return { start, end: start + (next?.text === 'endmodule' ? next.span.end : header.length) };
}

/** Blanks the marks of a comment's text; text that is no comment stays as it is. */
export function withoutMarks(comment: string): string {
  const blank = (text: string): string => ' '.repeat(text.length);
  if (comment.startsWith('/*')) {
    // Only where every line has its star is the star a mark; elsewhere it may be a cell.
    const inner = comment.replace(/^\/\*+!?/, blank).replace(/\*+\/$/, blank);
    const lines = inner.split('\n').slice(1).filter((line) => line.trim() !== '');
    return lines.every((line) => /^\s*\*/.test(line)) ? inner.replace(/(?<=\n)[ \t]*\*/g, blank) : inner;
  }
  return comment.replace(/^[ \t]*\/\/+!?/gm, blank);
}

/** Comments of a text; a run of line comments, each alone on its line, is one span. */
function groupComments(source: string, index: LineIndex): Span[] {
  const groups: (Span & { readonly alone: boolean })[] = [];
  for (const match of source.matchAll(/"(?:[^"\\\n]|\\[\s\S])*"|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/g)) {
    if (match[0].startsWith('"')) continue;
    const span = { start: match.index, end: match.index + match[0].length };
    const { line, character } = index.position(span.start);
    const alone = match[0].startsWith('//') && source.slice(span.start - character, span.start).trim() === '';
    const before = groups.at(-1);
    if (alone && before?.alone === true && index.position(before.end).line === line - 1) groups[groups.length - 1] = { start: before.start, end: span.end, alone };
    else groups.push({ ...span, alone });
  }
  return groups;
}

/** The header of the module that a text begins with, other comments and directives aside, and where it begins. */
function headerAt(text: string): { readonly header: string; readonly at: number } | undefined {
  const before = /^(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|`(?:timescale|default_nettype|include)[^\n]*)*/.exec(text)?.[0] ?? '';
  const rest = text.slice(before.length);
  const header = /^(?:macro)?module\b/.test(rest) ? headersOf(rest)[0]?.text : undefined;
  return header === undefined ? undefined : { header, at: before.length };
}

/** The module headers of a source text, each from `module` to its semicolon. */
export function headersOf(source: string): { readonly name: string; readonly text: string }[] {
  const tokens = tokenize(source);
  return tokens.flatMap((token, at) => {
    if (token.kind !== 'identifier' || (token.text !== 'module' && token.text !== 'macromodule')) return [];
    const name = tokens.slice(at + 1, at + 3).find(({ text }) => text !== 'automatic' && text !== 'static')?.text;
    const end = tokens.slice(at).find(({ kind, text }) => kind === 'operator' && text === ';');
    return name === undefined || end === undefined ? [] : [{ name, text: source.slice(token.span.start, end.span.end) }];
  });
}
