import { isClockName } from '../prose.ts';
import { isColumnName, portNamed, resolveColumn, type Names } from './names.ts';
import { reportContradictions, reportDoubles, type ReadRow } from './rows.ts';
import { MOST_INPUT_BITS, type BitRef, type TableResult } from './table.ts';
import { allWords, Problems, trimmed, type Cell, type Line } from './text.ts';

/** One signal of a waveform with its value at each sample. */
interface Trace {
  readonly name: Cell;
  readonly samples: readonly Cell[];
}

const TIME = /^(?:time|t)(?:\s*[([]?(?:[munpf]?s)[)\]]?)?$/i;
const STAMP = /^\d+(?:\.\d+)?(?:[munpf]?s)?:?$/i;

/**
 * Reads a waveform of a combinational circuit: a time table (`time a b q` over one row a sample; vectors in hexadecimal) or a line of levels for each signal
 * (`a: __--__--`). A sample whose inputs are not all known says nothing.
 */
export function parseWaveform(lines: readonly Line[], names: Names): TableResult {
  const problems = new Problems();
  const traces = timeTable(lines, problems) ?? levels(lines, problems);
  if (traces === undefined) return { kind: 'none' };
  if (problems.list.length > 0) return { kind: 'ill-formed', problems: problems.list };
  const notes: string[] = [];
  const clock = traces.find(({ name }) => isClockName.test(name.text));
  if (clock !== undefined) {
    problems.add(clock.name, 'sequential', `'${clock.name.text}' looks like a clock; only a waveform of combinational logic says all there is to know, so describe this circuit by a state table.`);
    return { kind: 'ill-formed', problems: problems.list };
  }
  const columns = traces.map((trace) => ({ ...trace, bits: resolveColumn(trace.name, widthOf(trace, problems, names), names, problems) ?? [] }));
  reportDoubles(columns.map(({ name, bits }) => ({ cell: name, bits })), problems);
  const isOutput = outputNames(traces, names, notes);
  const inputs = columns.filter(({ name }) => !isOutput.has(name.text));
  const outputs = columns.filter(({ name }) => isOutput.has(name.text));
  const inputBits = inputs.flatMap(({ bits }) => bits);
  if (inputBits.length > MOST_INPUT_BITS && inputs[0] !== undefined) problems.add(inputs[0].name, 'too-wide', `The waveform has ${inputBits.length} input bits; at most ${MOST_INPUT_BITS} can be handled.`);
  if (problems.list.length > 0) return { kind: 'ill-formed', problems: problems.list };
  const rows = readSamples(inputs, outputs, problems);
  const outputBits = outputs.flatMap(({ bits }) => bits);
  if (problems.list.length === 0) reportContradictions(rows, outputBits, problems);
  if (problems.list.length > 0) return { kind: 'ill-formed', problems: problems.list };
  const unique = rows.filter((row, at) => rows.findIndex((other) => other.inputs === row.inputs && other.outputs === row.outputs) === at);
  return {
    kind: 'table',
    table: { kind: 'logic', form: 'waveform', inputs: inputBits, outputs: outputBits, rows: unique.map(({ inputs: from, outputs: to, span }) => ({ inputs: from, outputs: to, span })) },
    notes,
  };
}

function timeTable(lines: readonly Line[], problems: Problems): Trace[] | undefined {
  const at = lines.findIndex((line) => {
    const [first, ...rest] = allWords(line);
    return first !== undefined && TIME.test(first.text) && rest.length >= 2 && rest.every(({ text }) => isColumnName(text));
  });
  const heading = lines[at];
  if (heading === undefined) return undefined;
  const [, ...cells] = allWords(heading);
  const rows: Cell[][] = [];
  for (const line of lines.slice(at + 1)) {
    const [stamp, ...values] = allWords(line);
    if (line.kind === 'rule' || (line.kind === 'blank' && rows.length === 0)) continue;
    if (stamp === undefined) break;
    if (!STAMP.test(stamp.text)) {
      if (values.length === cells.length && values.every(({ text }) => /^(?:[0-9a-fA-F]+|[xXzZ?-])$/.test(text))) problems.add(stamp, 'time', `'${stamp.text}' is no time; every sample begins with one, such as 5ns.`);
      break;
    }
    if (values.length !== cells.length) {
      problems.add(values[cells.length] ?? values.at(-1) ?? stamp, 'cell-count', `This sample has ${values.length} ${values.length === 1 ? 'value' : 'values'} where ${cells.length} are needed, one for each signal.`);
    }
    rows.push(values);
  }
  if (rows.length === 0) return undefined;
  return cells.map((name, column) => ({ name, samples: rows.map((row) => row[column] ?? name) }));
}

const LOW = '_▁0L';
const HIGH = '-‾¯▔1H';
const EDGE = '/\\╱╲|';
const LEVELS = new RegExp(`^[${LOW}\\-‾¯▔1H/\\\\╱╲|xX?]{3,}$`);

/** Lines of levels, one a signal; a column with an edge in any line is no sample. */
function levels(lines: readonly Line[], problems: Problems): Trace[] | undefined {
  const drawn = lines.flatMap((line) => {
    const match = /^\s*([A-Za-z_]\w*(?:\[\d+\])?)\s*(?:[:=]\s*|\s)(\S.*?)\s*$/.exec(line.text);
    const drawing = match?.[2] ?? '';
    if (match === null || !LEVELS.test(drawing) || !/[_▁‾¯▔]|--|[01]{3}/.test(drawing)) return [];
    const at = line.text.lastIndexOf(drawing);
    const name = match[1] ?? '';
    const from = line.text.indexOf(name);
    return [{ name: trimmed(line.text, from, from + name.length, line.start), drawing, start: line.start + at }];
  });
  const [first] = drawn;
  if (first === undefined || drawn.length < 2) return undefined;
  for (const { name, drawing } of drawn) {
    if (drawing.length !== first.drawing.length) {
      problems.add(name, 'length', `The levels of '${name.text}' have ${drawing.length} columns and those of '${first.name.text}' ${first.drawing.length}; draw them equally long.`);
    }
  }
  const samples = Array.from(first.drawing).flatMap((_, column) => (drawn.some(({ drawing }) => EDGE.includes(drawing[column] ?? '|')) ? [] : [column]));
  return drawn.map(({ name, drawing, start }) => ({
    name,
    samples: samples.map((column) => ({ text: levelValue(drawing[column] ?? 'x'), span: { start: start + column, end: start + column + 1 } })),
  }));
}

function levelValue(letter: string): string {
  if (LOW.includes(letter)) return '0';
  return HIGH.includes(letter) ? '1' : 'x';
}

/** One bit when every value is; else the width has to be known from the interface. */
function widthOf({ name, samples }: Trace, problems: Problems, names: Names): number | undefined {
  if (samples.every(({ text }) => /^[01xXzZ\-?]$/.test(text))) return 1;
  const plainName = name.text.replace(/\[.*$/, '');
  if (portNamed(plainName, names.ports) === undefined && !name.text.includes('[') && !names.closed) {
    problems.add(name, 'unknown-width', `'${name.text}' has values of more than one bit; write its range, as in ${name.text}[3:0].`);
  }
  return undefined;
}

function outputNames(traces: readonly Trace[], names: Names, notes: string[]): Set<string> {
  const stated = traces.filter(({ name }) => portNamed(name.text.replace(/\[.*$/, ''), names.ports)?.direction === 'output');
  if (stated.length > 0) return new Set(stated.map(({ name }) => name.text));
  const last = traces.at(-1)?.name.text ?? '';
  if (traces.length > 2) notes.push(`${last} is taken as output; a line such as "output ${last}" in the comment says it clearly.`);
  return new Set([last]);
}

interface Column extends Trace {
  readonly bits: readonly BitRef[];
}

function readSamples(inputs: readonly Column[], outputs: readonly Column[], problems: Problems): ReadRow[] {
  const rows: ReadRow[] = [];
  for (let sample = 0; sample < (inputs[0]?.samples.length ?? 0); sample++) {
    const side = (columns: readonly Column[]): string => columns.map((column) => valueBits(column.samples[sample], column, problems)).join('');
    const [from, to] = [side(inputs), side(outputs)];
    const cell = inputs[0]?.samples[sample];
    if (from.includes('-') || cell === undefined) continue;
    const outputCells = outputs.flatMap((column) => column.bits.map(() => column.samples[sample] ?? column.name));
    rows.push({ inputs: from, outputs: to, outputCells, label: `sample ${sample + 1}`, span: { start: cell.span.start, end: outputCells.at(-1)?.span.end ?? cell.span.end } });
  }
  return rows;
}

/** The bits of a value: binary for one bit, hexadecimal for more. */
function valueBits(cell: Cell | undefined, { bits, name }: Column, problems: Problems): string {
  const text = cell?.text ?? '';
  if (/^[xXzZ?-]+$/.test(text)) return '-'.repeat(bits.length);
  const value = /^[0-9a-fA-F]+$/.test(text) ? BigInt(`0x${text}`).toString(2) : undefined;
  if (value === undefined) {
    if (cell !== undefined) problems.add(cell, 'unknown-symbol', `'${text}' is no value; write ${bits.length === 1 ? '0, 1 or x' : 'hexadecimal digits or x'}.`);
    return '-'.repeat(bits.length);
  }
  if (value.length > bits.length && cell !== undefined) problems.add(cell, 'cell-width', `'${text}' does not fit into the ${bits.length} ${bits.length === 1 ? 'bit' : 'bits'} of ${name.text}.`);
  return value.padStart(bits.length, '0');
}
