import type { Span } from '../base/text.ts';

export interface MacroParameter {
  readonly name: string;
  readonly default: string | undefined;
}

/** A text macro of `` `define``. */
export interface Macro {
  readonly name: string;
  /** Undefined for an object-like macro; an empty list still wants parentheses at the usage. */
  readonly parameters: readonly MacroParameter[] | undefined;
  readonly body: string;
  /** Undefined for a macro given from outside, such as a command line define. */
  readonly location: { readonly file: string; readonly span: Span } | undefined;
}

export const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_$]*/y;
const ESCAPED = /\\\S+/y;
/** A string that is closed on its line, or on one that a backslash continues. */
const STRING = /"(?:[^"\\\n]|\\\r?\n|\\.)*"/y;
/** White space on a line that a backslash may continue. */
export const SAME_LINE: RegExp = /(?:[ \t]|\\\r?\n)*/y;
/** A list of formal arguments that goes on behind line ends without backslashes. */
const SPREAD_LIST = /(?:[ \t]|\\\r?\n)*(?:[A-Za-z_][A-Za-z0-9_$]*|\\\S+)\((?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[A-Za-z_][A-Za-z0-9_$]*|[,=]|\d+)*\)/y;

/** Matches a sticky expression at an offset; undefined when it does not match there. */
export function matchAt(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0];
}

/** The end of the line that an offset is on, behind all lines that a backslash continues; the line end stays outside. */
export function endOfDirective(text: string, offset: number): number {
  let at = offset;
  while (at < text.length) {
    const char = text[at];
    if (char === '\n') return text[at - 1] === '\r' ? at - 1 : at;
    if (char === '\\' && (text[at + 1] === '\n' || text.startsWith('\r\n', at + 1))) {
      at += text[at + 1] === '\n' ? 2 : 3;
      continue;
    }
    if (char === '`' && text[at + 1] === '"') {
      at += 2;
      continue;
    }
    if (char === '"') {
      at += matchAt(STRING, text, at)?.length ?? 1;
      continue;
    }
    if (text.startsWith('/*', at)) {
      const close = text.indexOf('*/', at + 2);
      at = close < 0 ? text.length : close + 2;
      continue;
    }
    if (text.startsWith('//', at)) {
      const line = text.indexOf('\n', at);
      const end = line < 0 ? text.length : line;
      if (!/\\\r?$/.test(text.slice(at, end))) return text[end - 1] === '\r' ? end - 1 : end;
      at = end + 1;
      continue;
    }
    at++;
  }
  return text.length;
}

/** The end of the definition whose keyword ends at `offset`. */
export function endOfDefinition(text: string, offset: number): number {
  return endOfDirective(text, offset + (matchAt(SPREAD_LIST, text, offset)?.length ?? 0));
}

/** Reads what follows `` `define``, from behind the keyword to `end`; undefined when there is no name. */
export function readDefinition(text: string, offset: number, end: number, file: string): Macro | undefined {
  const nameStart = offset + (matchAt(SAME_LINE, text, offset)?.length ?? 0);
  const written = matchAt(IDENTIFIER, text, nameStart) ?? matchAt(ESCAPED, text, nameStart);
  if (written === undefined) return undefined;
  const name = written.startsWith('\\') ? written.slice(1) : written;
  let at = nameStart + written.length;
  // The blank behind an escaped name is a part of it.
  if (written !== name && text.startsWith(' (', at)) at++;
  let parameters: MacroParameter[] | undefined;
  if (text[at] === '(') {
    const list = splitArguments(text.slice(0, end), at);
    if (!list) return undefined;
    at = list.end;
    parameters = list.arguments.flatMap((part) => {
      const [, formal, defaultText] = /^\s*([A-Za-z_][A-Za-z0-9_$]*)\s*(?:=([\s\S]*))?$/.exec(cleanBody(part)) ?? [];
      return formal === undefined ? [] : [{ name: formal, default: defaultText?.trim() }];
    });
  }
  const location = { file, span: { start: nameStart, end: nameStart + written.length } };
  return { name, parameters, body: cleanBody(text.slice(at, end)), location };
}

/** Joins continued lines, those in strings apart, and drops comments, which are no part of a macro's text. */
function cleanBody(raw: string): string {
  const cleaned = raw.replace(/"(?:[^"\\\n]|\\\r?\n|\\.)*"|\/\/[^\n]*?(?=\\?\r?\n|$)|\/\*[\s\S]*?\*\/|\\\r?\n/g, (piece) => (piece.startsWith('"') ? piece : piece.startsWith('/') ? ' ' : '\n'));
  return cleaned.trim();
}

function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\\r?\n|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (piece) => (piece.startsWith('/') ? ' ' : piece));
}

/** Splits the parenthesised list at `open` at its top-level commas; undefined when it is not closed. */
export function splitArguments(text: string, open: number): { arguments: string[]; end: number } | undefined {
  const parts: string[] = [];
  const closers: string[] = [];
  const token = /"(?:[^"\\\n]|\\\r?\n|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\\\S+\s|[()[\]{},]/g;
  token.lastIndex = open + 1;
  let start = open + 1;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const piece = match[0];
    if (piece === '(' || piece === '[' || piece === '{') closers.push(piece);
    else if (piece === ',' && closers.length === 0) {
      parts.push(text.slice(start, match.index));
      start = token.lastIndex;
    } else if (piece === ')' || piece === ']' || piece === '}') {
      if (closers.length > 0) closers.pop();
      else if (piece === ')') {
        parts.push(text.slice(start, match.index));
        const empty = parts.length === 1 && parts[0]?.trim() === '';
        return { arguments: empty ? [] : parts, end: token.lastIndex };
      }
    }
  }
  return undefined;
}

/**
 * Puts arguments into a macro's text by IEEE 1800-2017, 22.5.1: not inside plain strings, with `` `" `` making a string,
 * `` `\`" `` an escaped quote in it, and ` `` ` joining tokens. Undefined when an argument without a default is missing
 * or there are too many.
 */
export function substitute(macro: Macro, values: readonly string[]): string | undefined {
  const parameters = macro.parameters ?? [];
  if (values.length > parameters.length) return undefined;
  const bound = new Map<string, string>();
  for (const [index, parameter] of parameters.entries()) {
    const given = values[index] === undefined ? undefined : withoutComments(values[index]).trim();
    const value = given === undefined || given === '' ? (parameter.default ?? given ?? (values.length === 0 && parameters.length === 1 ? '' : undefined)) : given;
    if (value === undefined) return undefined;
    bound.set(parameter.name, value);
  }
  const token = /``|`\\`"|`"|`[A-Za-z_][A-Za-z0-9_$]*|"(?:[^"\\\n`]|\\\r?\n|\\.|`(?!"))*"|'[sS]?[hHdDbBoO][0-9a-fA-F_xXzZ?]*|\\\S+(?=\s|$)|[A-Za-z_][A-Za-z0-9_$]*/g;
  return macro.body.replace(token, (piece) => {
    if (piece === '``') return '';
    if (piece === '`"') return '"';
    if (piece === '`\\`"') return '\\"';
    return bound.get(piece) ?? piece;
  });
}

/** Names of the macros that the text of a macro uses. */
export function mentionedMacros(macro: Macro | undefined): string[] {
  return [...(macro?.body ?? '').matchAll(/`([A-Za-z_][A-Za-z0-9_$]*)/g)].map(([, name]) => name ?? '');
}
