import { LineIndex, type Span } from '../base/text.ts';
import { tokenize } from '../syntax/tokens.ts';
import { commentAt, type CommentPlace } from './comment.ts';
import { readHints } from './prose.ts';
import { parseTable } from './tables/parse.ts';

/** A comment that a module can be written from, and what the module would take the place of. */
export interface CommentSite extends CommentPlace {
  /** From the header below the comment to its `endmodule`, as far as it has one; without a header the empty span behind the comment. */
  readonly span: Span;
  /** What stands between the header and `endmodule`; `none` where there is no `endmodule`. */
  readonly body: 'none' | 'empty' | 'filled';
}

/** The site of the comment that covers a zero-based line, or that stands right above it; undefined where there is none. */
export function siteAt(source: string, line: number): CommentSite | undefined {
  const comment = commentAt(source, line);
  if (comment === undefined) return undefined;
  const end = comment.start + comment.text.length;
  const alone: CommentSite = { ...comment, header: undefined, span: { start: end, end }, body: 'none' };
  if (comment.header === undefined) return alone;
  const start = source.indexOf(comment.header, end);
  const below = bodyAfter(source, start, start + comment.header.length);
  // A finished module further down is another one.
  return below.body === 'filled' && isFollowedByBlankLine(source, end) ? alone : { ...comment, ...below };
}

function isFollowedByBlankLine(source: string, offset: number): boolean {
  return /^[ \t]*(?:\r?\n[ \t]*(?:\r?\n|$)|$)/.test(source.slice(offset));
}

/** Every comment of a text that stands alone on its lines, once. */
export function sites(source: string): CommentSite[] {
  const index = new LineIndex(source);
  const found: CommentSite[] = [];
  for (const match of source.matchAll(/^[ \t]*\/[/*]/gm)) {
    const last = found.at(-1);
    if (last !== undefined && match.index < last.start + last.text.length) continue;
    const site = siteAt(source, index.position(match.index).line);
    if (site !== undefined && site.start !== last?.start) found.push(site);
  }
  return found;
}

function bodyAfter(source: string, start: number, headerEnd: number): Pick<CommentSite, 'span' | 'body'> {
  const tokens = tokenize(source.slice(headerEnd));
  const at = tokens.findIndex(({ kind, text }) => kind === 'identifier' && ['endmodule', 'module', 'macromodule'].includes(text));
  const end = tokens[at];
  if (end?.text !== 'endmodule') return { span: { start, end: headerEnd }, body: 'none' };
  return { span: { start, end: headerEnd + end.span.end }, body: at === 0 ? 'empty' : 'filled' };
}

/** Whether a text holds a table, well formed or not, so that a module can be built from it without a model. */
export function holdsTable(text: string): boolean {
  const names = { ports: [], closed: false };
  return parseTable(text, 0, { names, machineNames: names, hints: readHints(text), noMachine: undefined }).kind !== 'none';
}

const LICENCE = /copyright|licen[cs]e|spdx|all rights reserved|permission is hereby/i;
const WISH = /\b(?:implement|design|write|create|generate|build|module|circuit|counter|register|fifo|adder|multiplexer|mux|decoder|encoder|state machine|fsm|inputs?|outputs?)\b/gi;

/**
 * Whether a comment reads like a description of a module that is still to be written: it stands above a header without a body, or it stands alone and
 * holds a table or speaks of what modules are made of.
 */
export function isSpecification({ text, header, body, start }: CommentSite, source: string): boolean {
  if (body === 'filled' || text.trim() === '' || LICENCE.test(text)) return false;
  if (header !== undefined) return true;
  return isFollowedByBlankLine(source, start + text.length) && (holdsTable(text) || new Set((text.match(WISH) ?? []).map((word) => word.toLowerCase())).size >= 2);
}
