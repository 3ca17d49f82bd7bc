import type { Span } from '../../base/text.ts';
import type { TableProblem } from './table.ts';

/** A piece of a table's text with its place. */
export interface Cell {
  readonly text: string;
  readonly span: Span;
}

export interface Line {
  readonly text: string;
  /** Offset of its first letter. */
  readonly start: number;
  /** Cells between bars, each with its words; empty for a line that only separates. */
  readonly groups: readonly Group[];
  readonly kind: 'blank' | 'rule' | 'text';
}

export interface Group extends Cell {
  readonly words: readonly Cell[];
  /** What stands before the group: two bars, or an arrow, divide inputs from outputs. */
  readonly division: 'start' | 'bar' | 'double';
}

const BARS = /\|\||║|‖|[|│┃¦]|=>|->|→|(?<=\s):(?=\s)/g;
const DOUBLE = new Set(['||', '║', '‖', '=>', '->', '→', ':']);
const RULE = /^[\s|│┃║+\-=:─━═┼╋╬├┤┬┴┌┐└┘╔╗╚╝╠╣╦╩]+$/;

/** The lines of a text; `start` is the offset of its first letter in the source. */
export function linesOf(text: string, start: number): Line[] {
  const lines: Line[] = [];
  let at = start;
  for (const part of text.split('\n')) {
    const line = part.replace(/\r$/, '');
    lines.push(lineOf(line, at));
    at += part.length + 1;
  }
  return lines;
}

function lineOf(text: string, start: number): Line {
  if (text.trim() === '') return { text, start, groups: [], kind: 'blank' };
  if (RULE.test(text) && /--|==|──|━━|══|:-|-:|[+┼╋╬]/.test(text)) return { text, start, groups: [], kind: 'rule' };
  return { text, start, groups: groupsOf(text, start), kind: 'text' };
}

function groupsOf(text: string, start: number): Group[] {
  const groups: Group[] = [];
  let from = 0;
  let division: Group['division'] = 'start';
  const push = (to: number): void => {
    const cell = trimmed(text, from, to, start);
    const outer = groups.length === 0 && division === 'start' && cell.text === '';
    if (!outer) groups.push({ ...cell, words: wordsOf(cell), division });
  };
  for (const bar of text.matchAll(BARS)) {
    push(bar.index);
    from = bar.index + bar[0].length;
    division = DOUBLE.has(bar[0]) ? 'double' : 'bar';
  }
  push(text.length);
  const last = groups.at(-1);
  if (last?.text === '' && groups.length > 1) groups.pop();
  return groups;
}

/** The part of a line between two columns, without the blanks around it. */
export function trimmed(text: string, from: number, to: number, start: number): Cell {
  const part = text.slice(from, to);
  const lead = part.length - part.trimStart().length;
  const inner = part.trim();
  // An empty cell keeps the place of its blanks, so that it can be pointed at.
  if (inner === '') return { text: '', span: { start: start + from, end: start + to } };
  return { text: inner, span: { start: start + from + lead, end: start + from + lead + inner.length } };
}

/** Parts of a cell between matches of `separator`; empty parts are left out. */
export function split(cell: Cell, separator: RegExp): Cell[] {
  const parts: Cell[] = [];
  let from = 0;
  for (const match of [...cell.text.matchAll(separator), undefined]) {
    const part = trimmed(cell.text, from, match?.index ?? cell.text.length, cell.span.start);
    if (part.text !== '') parts.push(part);
    from = match === undefined ? from : match.index + match[0].length;
  }
  return parts;
}

export function wordsOf(cell: Cell): Cell[] {
  return split(cell, /\s+/g);
}

/** All words of a line. */
export function allWords(line: Line): Cell[] {
  return line.groups.flatMap((group) => group.words);
}

export function wholeLine(line: Line): Cell {
  return trimmed(line.text, 0, line.text.length, line.start);
}

/** Collects what is wrong. */
export class Problems {
  readonly list: TableProblem[] = [];

  add(cell: { readonly span: Span }, code: string, message: string): void {
    if (!this.list.some((problem) => problem.span.start === cell.span.start && problem.code === code)) this.list.push({ span: cell.span, code, message });
  }
}

const VALUE = /^(?:[01xX\-dD*?~]+|\d+'[bB][01xXzZ?_]+)$/;

/** Whether a word can stand in a row of values. */
export function isValue(text: string): boolean {
  return VALUE.test(text);
}

/** Bits of a value in letters of `0`, `1` and `-`; undefined for an unknown symbol. */
export function bitsOfValue(text: string): string | undefined {
  const literal = /^(\d+)'([bBdDhH])([0-9a-fA-FxXzZ?_]+)$/.exec(text);
  if (literal !== null) return sizedLiteral(Number(literal[1]), (literal[2] ?? 'b').toLowerCase(), (literal[3] ?? '').replaceAll('_', ''));
  if (!/^[01xXdD\-*?~]+$/.test(text)) return undefined;
  return text.replace(/[^01]/g, '-');
}

function sizedLiteral(width: number, base: string, digits: string): string | undefined {
  if (width < 1 || width > 64) return undefined;
  if (base === 'b') return /^[01xXzZ?]+$/.test(digits) && digits.length <= width ? digits.replace(/[^01]/g, '-').padStart(width, '0') : undefined;
  if (!(base === 'h' ? /^[0-9a-fA-F]+$/ : /^\d+$/).test(digits)) return undefined;
  const bits = BigInt(base === 'h' ? `0x${digits}` : digits).toString(2).padStart(width, '0');
  return bits.length === width ? bits : undefined;
}
