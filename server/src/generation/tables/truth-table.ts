import { isColumnName, portNamed, resolveColumn, type Names } from './names.ts';
import { reportContradictions, reportDoubles, type ReadRow } from './rows.ts';
import { MOST_INPUT_BITS, type BitRef, type LogicTable, type TableResult } from './table.ts';
import { allWords, bitsOfValue, isValue, Problems, type Cell, type Group, type Line } from './text.ts';

interface Column {
  readonly cell: Cell;
  /** Index of the group between bars that it stands in. */
  readonly group: number;
  readonly bits: readonly BitRef[];
  readonly output: boolean;
}

/** A heading with the rows below it. */
interface Block {
  readonly heading: Line;
  readonly rows: readonly Line[];
}

/** Reads a truth table: a line of names over lines of values, with or without bars. */
export function parseTruthTable(lines: readonly Line[], names: Names): TableResult {
  const block = findBlock(lines);
  if (block === undefined) return { kind: 'none' };
  const problems = new Problems();
  const notes: string[] = [];
  const columns = readColumns(block, names, problems, notes);
  if (problems.list.length > 0) return { kind: 'ill-formed', problems: problems.list };
  const inputs = columns.filter((column) => !column.output).flatMap((column) => column.bits);
  const outputs = columns.filter((column) => column.output).flatMap((column) => column.bits);
  if (inputs.length > MOST_INPUT_BITS) {
    problems.add(columns[0]?.cell ?? { span: { start: 0, end: 0 } }, 'too-wide', `The table has ${inputs.length} input bits; at most ${MOST_INPUT_BITS} can be handled.`);
  }
  const rows = block.rows.flatMap((line, at) => readRow(line, columns, `row ${at + 1}`, problems) ?? []);
  if (problems.list.length === 0) reportContradictions(rows, outputs, problems);
  if (problems.list.length > 0) return { kind: 'ill-formed', problems: problems.list };
  const table: LogicTable = { kind: 'logic', form: 'truth table', inputs, outputs, rows: rows.map(({ inputs: from, outputs: to, span }) => ({ inputs: from, outputs: to, span })) };
  return { kind: 'table', table, notes };
}

/** The first line of names that has a row of as many values below it; rows go on as long as lines look like rows. */
function findBlock(lines: readonly Line[]): Block | undefined {
  for (const [at, heading] of lines.entries()) {
    if (!isHeading(heading)) continue;
    const rows: Line[] = [];
    const below = lines.slice(at + 1);
    for (const [index, line] of below.entries()) {
      // A table goes on after a blank line, or a line that cannot be read, where a whole row follows; nothing is left out silently.
      const goesOn = (): boolean => isWholeRow(below.slice(index + 1).find(({ kind }) => kind !== 'rule'), heading);
      if (line.kind === 'rule' || (line.kind === 'blank' && (rows.length === 0 || goesOn()))) continue;
      if (line.kind === 'blank' || (!looksLikeRow(line, heading) && (rows.length === 0 || !goesOn()))) break;
      rows.push(line);
    }
    if (rows.some((row) => row.groups.length === heading.groups.length && holdsValues(row))) return { heading, rows };
  }
  return undefined;
}

function isWholeRow(line: Line | undefined, heading: Line): boolean {
  return line !== undefined && line.groups.length === heading.groups.length && allWords(line).length === headingWords(heading).length && holdsValues(line);
}

function holdsValues(line: Line): boolean {
  return allWords(line).every(({ text }) => isValue(text)) && /[01]/.test(line.text);
}

function isHeading(line: Line): boolean {
  const words = headingWords(line);
  return line.kind === 'text' && words.length >= 2 && words.every(({ text }) => isColumnName(text)) && !words.every(({ text }) => isValue(text));
}

/** Names of a heading; commas between them are no part of them. */
function headingWords(line: Line): (Cell & { readonly group: number })[] {
  return line.groups.flatMap((group, at) =>
    group.words.flatMap((word) => {
      const text = word.text.replace(/^,|,$/g, '');
      return text === '' ? [] : [{ text, span: word.span, group: at }];
    }),
  );
}

function looksLikeRow(line: Line, heading: Line): boolean {
  const words = allWords(line);
  const values = words.filter(({ text }) => isValue(text) || /^\d+$/.test(text) || bitsOfValue(text) !== undefined).length;
  if (heading.groups.length > 1 && line.groups.length > 1) return values * 2 >= words.length || line.groups.length === heading.groups.length;
  return values >= 1 && values * 2 > words.length;
}

function readColumns({ heading, rows }: Block, names: Names, problems: Problems, notes: string[]): Column[] {
  const words = headingWords(heading);
  const outputs = outputColumns(heading, words, names, notes);
  const columns = words.map((cell, at): Column => ({
    cell,
    group: cell.group,
    bits: resolveColumn(cell, widthOf(at, rows, words.length), names, problems) ?? [],
    output: outputs.has(at),
  }));
  reportDoubles(columns, problems);
  for (const column of columns) {
    const port = portNamed(column.bits[0]?.port ?? '', names.ports);
    if (port === undefined || !names.closed || (port.direction === 'output') === column.output) continue;
    problems.add(column.cell, 'direction', `'${port.name}' is an ${port.direction} of the module, but stands among the ${column.output ? 'outputs' : 'inputs'}.`);
  }
  return columns;
}

/** Digits of a column where all its words are values of one length, in rows that have a word for each column. */
function widthOf(column: number, rows: readonly Line[], columns: number): number | undefined {
  const widths = new Map<number, number>();
  for (const row of rows) {
    const words = allWords(row);
    const width = words.length === columns ? bitsOfValue(words[column]?.text ?? '')?.length : undefined;
    if (width !== undefined) widths.set(width, (widths.get(width) ?? 0) + 1);
  }
  // A single letter may stand for a whole vector that does not matter.
  if (widths.size > 1) widths.delete(1);
  return [...widths].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Which columns are outputs: by a double bar or an arrow, else by the interface, else what follows the last bar, else the last. */
function outputColumns(heading: Line, words: readonly (Cell & { readonly group: number })[], names: Names, notes: string[]): Set<number> {
  const direction = (text: string): string | undefined => {
    const bits = names.ports.length === 0 ? undefined : resolveColumn({ text, span: { start: 0, end: 0 } }, undefined, { ...names, closed: true }, new Problems());
    return portNamed(bits?.[0]?.port ?? '', names.ports)?.direction;
  };
  const stated = words.map(({ text }) => direction(text));
  const doubled = heading.groups.findLastIndex((group: Group) => group.division === 'double');
  if (doubled <= 0 && stated.includes('output')) return new Set([...words.keys()].filter((at) => stated[at] === 'output'));
  const from = doubled > 0 ? doubled : heading.groups.length - 1;
  const byGroup = [...words.keys()].filter((at) => (words[at]?.group ?? 0) >= from);
  const chosen = new Set(heading.groups.length > 1 ? byGroup : [words.length - 1]);
  if (doubled <= 0 && words.length > 2) {
    notes.push(`${[...chosen].map((at) => words[at]?.text ?? '').join(', ')} ${chosen.size === 1 ? 'is' : 'are'} taken as output; a double bar (||) before the outputs says it clearly.`);
  }
  return chosen;
}

function readRow(line: Line, columns: readonly Column[], label: string, problems: Problems): ReadRow | undefined {
  const values = cellsOfRow(line, columns, problems);
  if (values === undefined) return undefined;
  const bits = columns.map((column, at) => bitsOfCell(values[at], column, problems));
  if (bits.some((value) => value === undefined)) return undefined;
  const side = (output: boolean): string => columns.map((column, at) => (column.output === output ? (bits[at] ?? '') : '')).join('');
  const outputCells = columns.flatMap((column, at) => (column.output ? column.bits.map(() => values[at] ?? column.cell) : []));
  const first = values[0]?.span.start ?? line.start;
  return { inputs: side(false), outputs: side(true), outputCells, label, span: { start: first, end: values.at(-1)?.span.end ?? first } };
}

/** One cell for each column; digits that stand together under several names are taken apart. */
function cellsOfRow(line: Line, columns: readonly Column[], problems: Problems): Cell[] | undefined {
  const groups = new Set(columns.map((column) => column.group)).size;
  const words = allWords(line);
  if (words.length === columns.length) return words;
  const apart = line.groups.length === groups ? line.groups.flatMap((group, at) => takeApart(group, columns.filter((column) => column.group === at)) ?? []) : takeApart({ words }, columns);
  if (apart?.length === columns.length) return apart;
  const surplus = words[columns.length];
  const last = words.at(-1);
  const cell = surplus ?? (last === undefined ? { span: { start: line.start, end: line.start + line.text.length } } : last);
  problems.add(cell, 'cell-count', `This row has ${words.length} ${words.length === 1 ? 'cell' : 'cells'} where ${columns.length} are needed, one for each column.`);
  return undefined;
}

function takeApart({ words }: Pick<Group, 'words'>, columns: readonly Column[]): Cell[] | undefined {
  if (words.length === columns.length) return [...words];
  const letters = words.flatMap((word) => Array.from(word.text).map((text, at): Cell => ({ text, span: { start: word.span.start + at, end: word.span.start + at + 1 } })));
  if (letters.length !== columns.reduce((sum, column) => sum + column.bits.length, 0)) return undefined;
  let at = 0;
  return columns.map((column) => {
    const own = letters.slice(at, at + column.bits.length);
    at += column.bits.length;
    return { text: own.map(({ text }) => text).join(''), span: { start: own[0]?.span.start ?? 0, end: own.at(-1)?.span.end ?? 0 } };
  });
}

function bitsOfCell(cell: Cell | undefined, column: Column, problems: Problems): string | undefined {
  if (cell === undefined) return undefined;
  const bits = bitsOfValue(cell.text);
  const width = column.bits.length;
  if (bits === undefined) {
    problems.add(cell, 'unknown-symbol', `'${cell.text}' is no value; write 0, 1 or, where it does not matter, x, d, - or *.`);
    return undefined;
  }
  if (bits.length === width) return bits;
  if (bits === '-') return '-'.repeat(width);
  problems.add(cell, 'cell-width', `'${cell.text}' has ${bits.length} ${bits.length === 1 ? 'digit' : 'digits'}, but ${column.cell.text} has ${width} ${width === 1 ? 'bit' : 'bits'}.`);
  return undefined;
}
