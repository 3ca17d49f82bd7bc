import { finish } from '../base/steps.ts';
import type { Steps } from '../base/steps.ts';
import type { Span } from '../base/text.ts';
import { OPAQUE_PIECE } from './pieces.ts';

/** A macro's name in a source text, active or not. */
export interface MacroMention {
  readonly name: string;
  readonly kind: 'define' | 'undef' | 'test' | 'use';
  /** Of the name, without the backtick. */
  readonly span: Span;
}

const PIECE = new RegExp(String.raw`${OPAQUE_PIECE}|\`(define|undef|ifdef|ifndef|elsif)[ \t]+([A-Za-z_][\w$]*)|\`([A-Za-z_][\w$]*)`, 'g');
const WORD = new RegExp(String.raw`${OPAQUE_PIECE}|[\`$]?[A-Za-z_][\w$]*`, 'g');
const KINDS: Readonly<Record<string, MacroMention['kind']>> = { define: 'define', undef: 'undef' };
const DIRECTIVES: ReadonlySet<string> = new Set([
  'include', 'else', 'endif', 'timescale', 'default_nettype', 'resetall', 'celldefine', 'endcelldefine', 'line', 'pragma', 'begin_keywords', 'end_keywords', 'undefineall',
  'nounconnected_drive', 'unconnected_drive', 'define', 'undef', 'ifdef', 'ifndef', 'elsif', '__FILE__', '__LINE__',
]);

/** Every mention of a macro outside of comments and strings, also in inactive branches and in the texts of other macros. */
export function macroMentions(text: string): MacroMention[] {
  return finish(macroMentionsInSteps(text));
}

/** As `macroMentions`, step by step. */
export function* macroMentionsInSteps(text: string): Steps<MacroMention[]> {
  const found: MacroMention[] = [];
  for (const match of text.matchAll(PIECE)) {
    yield;
    const [whole, directive, tested, used] = match;
    const name = tested ?? used;
    if (name === undefined || (directive === undefined && DIRECTIVES.has(name))) continue;
    const end = match.index + whole.length;
    found.push({ name, kind: directive === undefined ? 'use' : (KINDS[directive] ?? 'test'), span: { start: end - name.length, end } });
  }
  return found;
}

/** Places of an identifier in a part of a text, outside of comments and strings; for an escaped one its backslash is included. */
export function identifierMentions(text: string, name: string, within: Span = { start: 0, end: text.length }): Span[] {
  const part = text.slice(within.start, within.end);
  if (!part.includes(name)) return [];
  const found: Span[] = [];
  for (const match of part.matchAll(WORD)) {
    if (match[0] !== name && match[0] !== `\\${name}`) continue;
    const start = within.start + match.index;
    found.push({ start, end: start + match[0].length });
  }
  return found;
}
