import { readCondition } from './arrows.ts';
import type { RawMachine, RawState, RawTransition, Term, Values } from './machine.ts';
import { isColumnName, portNamed, type Names } from './names.ts';
import type { Problems} from './text.ts';
import { split, trimmed, wholeLine, wordsOf, type Cell, type Line } from './text.ts';

type Role =
  | { readonly kind: 'state' }
  | { readonly kind: 'input'; readonly name: Cell }
  /** `when` is the condition of a column such as `next state x=0`. */
  | { readonly kind: 'next'; readonly when: Values | undefined }
  | { readonly kind: 'output'; readonly name: Cell | undefined; readonly when: Values | undefined };

interface Column {
  readonly cell: Cell;
  readonly role: Role;
  /** Index of the part of the line between bars that it stands in. */
  readonly group: number;
}

interface Heading {
  readonly columns: readonly Column[];
  /** Lines that the heading takes. */
  readonly lines: number;
  readonly barred: boolean;
}

const CONDITION = /[A-Za-z_]\w*(?:\[\d+\])?\s*=\s*[01xX-]+/g;
const NEXT = /\bnext\b|^n(?:ext)?_?s(?:tate)?\b|^[A-Za-z]\w*\+$/i;
const PRESENT = /^(?:present|current|old|from)?[\s_]*state\b|^(?:ps|cs|present|current)\b/i;
const STATE_NAME = /^\*?(?:->)?\s*(?:[A-Za-z_]\w*|[01]{2,})\*?(?:\s*\(reset\))?$/i;

/** Reads a state table in columns; undefined when no line heads one. */
export function readStateTable(lines: readonly Line[], names: Names, problems: Problems): RawMachine | undefined {
  for (const [at, line] of lines.entries()) {
    const heading = line.kind === 'text' ? readHeading(lines, at, names) : undefined;
    if (heading === undefined) continue;
    const rows = rowsBelow(lines.slice(at + heading.lines), heading, problems);
    if (rows.length > 0) return readRows(rows, heading);
  }
  return undefined;
}

function readHeading(lines: readonly Line[], at: number, names: Names): Heading | undefined {
  const line = lines[at];
  if (line === undefined) return undefined;
  const barred = line.groups.length > 1;
  const groups = barred ? line.groups : headingWords(line);
  if (!groups.some(({ text }) => NEXT.test(text)) && !groups.some(({ text }) => hasCondition(text))) return undefined;
  const second = barred ? secondLine(lines, at, groups.length) : undefined;
  const columns: Column[] = [];
  let seenNext = false;
  for (const [group, cell] of groups.entries()) {
    const below = second?.line.groups[group];
    const cells = below !== undefined && hasCondition(below.text) ? split(below, /\s*,\s*|\s+(?=[A-Za-z_]\w*(?:\[\d+\])?\s*=)/g) : columnsOfCell(cell);
    const wider = below !== undefined && !hasCondition(below.text) && !isRule(below.text) ? { text: `${cell.text} ${below.text}`, span: cell.span } : undefined;
    for (const own of wider === undefined ? cells : [wider]) {
      const role = roleOf(own, cell, { first: columns.length === 0, seenNext, names });
      if (role === undefined) return undefined;
      seenNext ||= role.kind === 'next';
      columns.push({ cell: own, role, group });
    }
  }
  const counts = (kind: Role['kind']): number => columns.filter(({ role }) => role.kind === kind).length;
  return counts('state') === 1 && counts('next') >= 1 ? { columns, lines: second === undefined ? 1 : second.at - at + 1, barred } : undefined;
}

function hasCondition(text: string): boolean {
  return text.search(CONDITION) >= 0;
}

function isRule(text: string): boolean {
  return /^[-=:\s]*$/.test(text);
}

/** Words of a heading without bars; `next state` is one of them. */
function headingWords(line: Line): Cell[] {
  const whole = wholeLine(line);
  const wide = split(whole, / {2,}|\t+/g);
  return wide.length >= 3 ? wide : split(whole, /(?<!\bwhen)[ \t]+(?!state\b)/gi);
}

/** A second line of the heading that holds the conditions of the columns. */
function secondLine(lines: readonly Line[], at: number, groups: number): { readonly line: Line; readonly at: number } | undefined {
  const below = lines.findIndex((line, index) => index > at && line.kind !== 'rule');
  const line = lines[below];
  return line?.kind === 'text' && line.groups.length === groups && hasCondition(line.text) ? { line, at: below } : undefined;
}

/** The columns that one part of a heading names: `next in=0, next in=1` are two. */
function columnsOfCell(cell: Cell): Cell[] {
  const parts = split(cell, /\s*,\s*/g);
  const variables = parts.map(({ text }) => /([A-Za-z_]\w*(?:\[\d+\])?)\s*=/.exec(text)?.[1]);
  const repeated = parts.length > 1 && variables.every((variable) => variable !== undefined) && new Set(variables).size < parts.length;
  if (repeated) return parts;
  const words = wordsOf(cell);
  const listed = words.length > 1 && words.every(({ text }) => /^[A-Za-z_]\w*(?:\[\d+\])?=[01xX-]+$/.test(text)) && new Set(words.map(({ text }) => text.split('=')[0])).size < words.length;
  return listed ? words : [cell];
}

interface Surroundings {
  readonly first: boolean;
  readonly seenNext: boolean;
  readonly names: Names;
}

function roleOf(cell: Cell, whole: Cell, { first, seenNext, names }: Surroundings): Role | undefined {
  const condition = conditionOf(cell);
  const title = whole.text === cell.text ? cell.text : `${whole.text} ${cell.text}`;
  if (/^out(?:put)?s?\b/i.test(title) && !isPort(title, names)) return { kind: 'output', name: nameAfter(cell, /^out(?:put)?s?\b/i), when: condition };
  if (NEXT.test(title) || condition !== undefined) return { kind: 'next', when: condition };
  if (PRESENT.test(title) || (first && /^(?:s|q|state)$/i.test(title))) return { kind: 'state' };
  if (/^in(?:put)?s?\b/i.test(title) && !isPort(title, names)) {
    const name = nameAfter(cell, /^in(?:put)?s?\b/i) ?? soleInput(names, cell);
    return { kind: 'input', name };
  }
  const bare = /^\(?([A-Za-z_]\w*(?:\[\d+(?::\d+)?\])?)\)?$/.exec(title)?.[1];
  if (bare === undefined || !isColumnName(bare)) return undefined;
  const direction = portNamed(bare.replace(/\[.*$/, ''), names.ports)?.direction ?? (seenNext ? 'output' : 'input');
  const name = { ...cell, text: bare };
  return direction === 'output' ? { kind: 'output', name, when: undefined } : { kind: 'input', name };
}

function isPort(text: string, { ports }: Names): boolean {
  return portNamed(text, ports) !== undefined;
}

function conditionOf(cell: Cell): Values | undefined {
  const matches = [...cell.text.matchAll(CONDITION)];
  const terms = matches.flatMap((match): Term[] => {
    const condition = readCondition(trimmed(cell.text, match.index, match.index + match[0].length, cell.span.start));
    return condition === undefined || condition === 'else' || condition.kind !== 'named' ? [] : [...condition.terms];
  });
  return terms.length === 0 ? undefined : { kind: 'named', terms };
}

/** The name in `Output z` or `Output (z)`. */
function nameAfter(cell: Cell, word: RegExp): Cell | undefined {
  const found = /^[\s(]*([A-Za-z_]\w*(?:\[\d+(?::\d+)?\])?)\)?\s*$/.exec(cell.text.replace(word, ''))?.[1];
  if (found === undefined) return undefined;
  const at = cell.text.lastIndexOf(found);
  return { text: found, span: { start: cell.span.start + at, end: cell.span.start + at + found.length } };
}

function soleInput({ ports }: Names, cell: Cell): Cell {
  const inputs = ports.filter((port) => port.direction === 'input');
  return { ...cell, text: inputs.length === 1 ? (inputs[0]?.name ?? 'in') : 'in' };
}

interface Row {
  readonly line: Line;
  /** One cell for each column; undefined where the row leaves its state out. */
  readonly cells: readonly (Cell | undefined)[];
}

function rowsBelow(lines: readonly Line[], heading: Heading, problems: Problems): Row[] {
  const rows: Row[] = [];
  for (const line of lines) {
    if (line.kind === 'rule') continue;
    if (line.kind === 'blank') {
      if (rows.length > 0) break;
      continue;
    }
    if (heading.barred && line.groups.length < 2) break;
    const cells = cellsOfRow(line, heading);
    if (cells.length !== heading.columns.length) {
      if (!heading.barred && !/(?:^|\s)[01xX-]+(?:\s|$)/.test(line.text)) break;
      const cell = cells[heading.columns.length] ?? cells.at(-1) ?? wholeLine(line);
      problems.add(cell, 'cell-count', `This row has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} where ${heading.columns.length} are needed, one for each column.`);
      continue;
    }
    rows.push({ line, cells });
  }
  return rows;
}

function cellsOfRow(line: Line, { columns, barred }: Heading): Cell[] {
  if (!barred) {
    const whole = wholeLine(line);
    const wide = split(whole, / {2,}|\t+/g);
    return wide.length === columns.length ? wide : wordsOf(whole);
  }
  // An empty first cell repeats the state above, but a leading bar makes no cell.
  const groups = Math.max(...columns.map(({ group }) => group)) + 1;
  const parts = line.groups.length === groups - 1 && /^\s*$/.test(line.text.slice(0, line.text.search(/[|│┃║]/))) ? [{ text: '', span: { start: line.start, end: line.start } }, ...line.groups] : line.groups;
  return parts.flatMap((part, at) => {
    const own = columns.filter(({ group }) => group === at).length;
    if (own <= 1) return [part];
    const listed = split(part, /\s*,\s*/g);
    return listed.length === own ? listed : split(part, /\s*,\s*|\s+/g);
  });
}

function readRows(rows: readonly Row[], { columns }: Heading): RawMachine {
  const states: RawState[] = [];
  const transitions: RawTransition[] = [];
  const mealy = columns.some(({ role }) => role.kind === 'output' && role.when !== undefined) || (isLong(columns) && outputsFollowInputs(rows, columns));
  let current: Cell | undefined;
  for (const { cells } of rows) {
    const stateCell = cells[columns.findIndex(({ role }) => role.kind === 'state')];
    const state = readState(stateCell, current);
    if (state === undefined) continue;
    current = state.name;
    const outputs = outputsOfRow(columns, cells, undefined);
    states.push({ ...state, outputs: mealy ? undefined : outputs });
    const conditions = inputsOfRow(columns, cells);
    for (const [at, { role }] of columns.entries()) {
      const cell = cells[at];
      if (role.kind !== 'next' || cell === undefined) continue;
      const target = readTarget(cell);
      const when = role.when === undefined ? conditions : join(conditions, role.when);
      transitions.push({ from: state.name, when, to: target.to, outputs: target.outputs ?? (mealy ? outputsOfRow(columns, cells, role.when) : undefined) });
    }
  }
  return { form: 'state table', states, transitions, resetTo: undefined };
}

function isLong(columns: readonly Column[]): boolean {
  return columns.some(({ role }) => role.kind === 'input');
}

/** Whether rows of one state have different outputs, so that the outputs depend on the inputs (Mealy). */
function outputsFollowInputs(rows: readonly Row[], columns: readonly Column[]): boolean {
  const seen = new Map<string, string>();
  let current = '';
  for (const { cells } of rows) {
    const outputs = columns.flatMap(({ role }, at) => (role.kind === 'output' ? [cells[at]?.text ?? ''] : [])).join(' ');
    const name = cells[columns.findIndex(({ role }) => role.kind === 'state')]?.text ?? '';
    current = name === '' ? current : name;
    const earlier = seen.get(current);
    if (earlier !== undefined && earlier !== outputs) return true;
    seen.set(current, outputs);
  }
  return false;
}

/** The state of a row with its reset mark: `*A`, `A*`, `->A` or `A (reset)`; an empty cell repeats the one above. */
function readState(cell: Cell | undefined, above: Cell | undefined): Omit<RawState, 'outputs'> | undefined {
  if (cell === undefined) return undefined;
  if (cell.text === '' || cell.text === '"') return above === undefined ? undefined : { name: above, reset: false };
  if (!STATE_NAME.test(cell.text)) return { name: cell, reset: false };
  const name = cell.text.replace(/^\*?(?:->)?\s*|\*$|\s*\(reset\)$/gi, '').replace(/\*$/, '');
  const at = cell.text.indexOf(name);
  return { name: { text: name, span: { start: cell.span.start + at, end: cell.span.start + at + name.length } }, reset: name !== cell.text };
}

/** `B`, `B/1` or `B (1)`. */
function readTarget(cell: Cell): { readonly to: Cell; readonly outputs: Values | undefined } {
  const [to, ...digits] = split(cell, /\s*[/(),]\s*/g);
  return { to: to ?? cell, outputs: digits.length === 0 ? undefined : { kind: 'positional', digits } };
}

function inputsOfRow(columns: readonly Column[], cells: readonly (Cell | undefined)[]): Values {
  const terms = columns.flatMap(({ role }, at): Term[] => {
    const value = cells[at];
    return role.kind === 'input' && value !== undefined ? [{ name: role.name, value }] : [];
  });
  return { kind: 'named', terms };
}

function join(a: Values, b: Values): Values {
  return a.kind === 'named' && b.kind === 'named' ? { kind: 'named', terms: [...a.terms, ...b.terms] } : b;
}

/** Outputs of a row in the columns with this condition. */
function outputsOfRow(columns: readonly Column[], cells: readonly (Cell | undefined)[], when: Values | undefined): Values | undefined {
  const key = (values: Values | undefined): string => (values?.kind === 'named' ? values.terms.map(({ name, value }) => `${name.text}=${value.text}`).join() : '');
  const own = columns.flatMap(({ role }, at) => {
    const value = cells[at];
    return role.kind === 'output' && value !== undefined && key(role.when) === key(when) ? [{ name: role.name, value }] : [];
  });
  if (own.length === 0) return undefined;
  const named = own.flatMap(({ name, value }) => (name === undefined ? [] : [{ name, value }]));
  if (named.length === own.length) return { kind: 'named', terms: named };
  return { kind: 'positional', digits: own.flatMap(({ value }) => split(value, /\s*,\s*|\s+/g)) };
}
