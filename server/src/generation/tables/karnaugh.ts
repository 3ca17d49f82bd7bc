import { isColumnName, resolveColumn, resolveLabel, type Names } from './names.ts';
import { reportContradictions, reportDoubles, type ReadRow } from './rows.ts';
import type { BitRef, LogicTable, TableResult } from './table.ts';
import { allWords, bitsOfValue, Problems, split, trimmed, wholeLine, type Cell, type Line } from './text.ts';

/** The frame of one map: which line holds the column codes, and where both labels stand. */
interface Frame {
  readonly columns: readonly Cell[];
  /** Index of the line with the column codes. */
  readonly at: number;
  readonly columnLabel: Cell;
  readonly rowLabel: Cell;
}

interface MapBlock extends Frame {
  readonly rows: readonly Line[];
  /** `e = 0` above a map: one more variable. */
  readonly layer: { readonly name: Cell; readonly value: string } | undefined;
  /** `f =` or a name above the map. */
  readonly output: Cell | undefined;
}

const CODE = /^[01]{1,4}$/;
const CORNER = /^(.+?)\s*[\\/]\s*(.+)$/;
const LAYER = /^(?:for\s+|when\s+)?([A-Za-z_]\w*(?:\[\d+\])?)\s*=\s*([01])\s*:?$/i;
const FUNCTION = /^([A-Za-z_]\w*)\s*(?:\([^)]*\))?\s*[=:]$/;
const MOST_VARIABLES = 8;

/**
 * Reads a Karnaugh map: codes across, codes down, and a value in each cell. Labels stand in the corner (`ab\cd`: rows before columns) or beside the codes, the
 * columns' label above them. Maps one below the other, each under `e = 0` or `e = 1`, make one map with one more variable.
 */
export function parseKarnaughMap(lines: readonly Line[], names: Names): TableResult {
  const blocks = findBlocks(lines);
  const [first] = blocks;
  if (first === undefined) return { kind: 'none' };
  const problems = new Problems();
  const notes: string[] = [];
  const maps = blocks.flatMap((block) => readMap(block, names, problems, notes) ?? []);
  const output = outputBit(first, names, problems, notes);
  const inputs = maps[0]?.inputs ?? [];
  for (const [at, map] of maps.entries()) {
    if (map.inputs.map((bit) => JSON.stringify(bit)).join() !== inputs.map((bit) => JSON.stringify(bit)).join()) {
      problems.add(blocks[at]?.rowLabel ?? first.rowLabel, 'labels', 'This map names other variables than the first one; use the same labels in the same places.');
    }
  }
  const rows = maps.flatMap((map) => map.rows);
  if (problems.list.length === 0 && output !== undefined) reportContradictions(rows, [output], problems);
  if (problems.list.length > 0 || output === undefined) return { kind: 'ill-formed', problems: problems.list };
  const table: LogicTable = { kind: 'logic', form: 'Karnaugh map', inputs, outputs: [output], rows: rows.map(({ inputs: from, outputs: to, span }) => ({ inputs: from, outputs: to, span })) };
  return { kind: 'table', table, notes };
}

function findBlocks(lines: readonly Line[]): MapBlock[] {
  const blocks: MapBlock[] = [];
  let next = 0;
  while (next < lines.length) {
    const frame = frameAt(lines, next);
    if (frame === undefined) {
      next++;
      continue;
    }
    const rows = rowsBelow(lines, frame.at + 1);
    if (rows.length > 0) blocks.push({ ...frame, rows, ...headingsAbove(lines, next) });
    next = frame.at + 1 + Math.max(1, rows.length);
  }
  return blocks;
}

/** Lines that begin with a code; other lines end the map. */
function rowsBelow(lines: readonly Line[], from: number): Line[] {
  const rows: Line[] = [];
  for (const line of lines.slice(from)) {
    if (line.kind === 'rule') continue;
    if (line.kind === 'blank') {
      if (rows.length > 0) break;
      continue;
    }
    const [code, ...cells] = allWords(line);
    if (code === undefined || !/^\d+$/.test(code.text) || cells.length === 0) break;
    rows.push(line);
  }
  return rows;
}

function frameAt(lines: readonly Line[], at: number): Frame | undefined {
  const line = lines[at];
  if (line?.kind !== 'text') return undefined;
  const words = allWords(line);
  const firstCode = words.findIndex(({ text }) => CODE.test(text));
  const codes = firstCode < 0 ? [] : words.slice(firstCode);
  const label = firstCode < 0 ? wholeWithoutBars(line) : spanOf(words.slice(0, firstCode), line);
  const corner = CORNER.exec(label.text);
  if (corner !== null && isLabel(corner[1] ?? '') && isLabel(corner[2] ?? '')) {
    const cut = label.text.search(/[\\/]/);
    const labels = { rowLabel: trimmed(label.text, 0, cut, label.span.start), columnLabel: trimmed(label.text, cut + 1, label.text.length, label.span.start) };
    if (areCodes(codes)) return { columns: codes, at, ...labels };
    const below = lines.findIndex((other, index) => index > at && other.kind === 'text');
    const codesBelow = below < 0 || codes.length > 0 ? [] : allWords(lines[below] ?? line);
    return areCodes(codesBelow) ? { columns: codesBelow, at: below, ...labels } : undefined;
  }
  if (!isLabel(label.text) || codes.length > 0) return undefined;
  // The columns' label stands alone on its line, above the codes.
  const below = lines.findIndex((other, index) => index > at && other.kind === 'text');
  const codeLine = lines[below];
  if (below < 0 || codeLine === undefined) return undefined;
  const belowWords = allWords(codeLine);
  const start = belowWords.findIndex(({ text }) => CODE.test(text));
  const columns = belowWords.slice(Math.max(start, 0));
  const rowLabel = spanOf(belowWords.slice(0, Math.max(start, 0)), codeLine);
  return start > 0 && areCodes(columns) && isLabel(rowLabel.text) ? { columns, at: below, columnLabel: label, rowLabel } : undefined;
}

function wholeWithoutBars(line: Line): Cell {
  return spanOf(allWords(line), line);
}

/** Successive words as one cell. */
function spanOf(words: readonly Cell[], line: Line): Cell {
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return { text: '', span: { start: line.start, end: line.start } };
  return { text: line.text.slice(first.span.start - line.start, last.span.end - line.start), span: { start: first.span.start, end: last.span.end } };
}

/** One or a few names, as in `ab`, `a b`, `x[0]x[1]` or `x1, x2`. */
function isLabel(text: string): boolean {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  return parts.length >= 1 && parts.length <= 4 && parts.every((part) => isColumnName(part) || /^(?:[A-Za-z_]\w*?(?:\[\d+\]|\d+))+$/.test(part));
}

function areCodes(cells: readonly Cell[]): boolean {
  return cells.length >= 2 && cells.every(({ text }) => CODE.test(text));
}

function headingsAbove(lines: readonly Line[], at: number): Pick<MapBlock, 'layer' | 'output'> {
  const above = lines.slice(0, at).findLast((line) => line.kind === 'text');
  const cell = above === undefined ? undefined : wholeLine(above);
  const layer = cell === undefined ? null : LAYER.exec(cell.text);
  const output = cell === undefined ? null : FUNCTION.exec(cell.text);
  const name = (text: string | undefined): Cell | undefined => (text === undefined || cell === undefined ? undefined : (split(cell, /[\s=:(]/g).find((part) => part.text === text) ?? { ...cell, text }));
  const layerName = name(layer?.[1]);
  return { layer: layerName === undefined ? undefined : { name: layerName, value: layer?.[2] ?? '0' }, output: name(output?.[1]) };
}

interface ReadMap {
  readonly inputs: readonly BitRef[];
  readonly rows: readonly ReadRow[];
}

function readMap(block: MapBlock, names: Names, problems: Problems, notes: string[]): ReadMap | undefined {
  const rowCodes = block.rows.map((row) => allWords(row)[0] ?? block.rowLabel);
  const columnBits = readAxis(block.columns, block.columnLabel, names, problems, notes);
  const rowBits = readAxis(rowCodes, block.rowLabel, names, problems, notes);
  const layerBits = block.layer === undefined ? [] : resolveColumn(block.layer.name, 1, names, problems);
  const rows = block.rows.flatMap((row, at) => readRow(row, block, `row ${rowCodes[at]?.text ?? ''}`, problems));
  if (columnBits === undefined || rowBits === undefined || layerBits === undefined) return undefined;
  const labelled = [
    { cell: block.layer?.name ?? block.rowLabel, bits: layerBits },
    { cell: block.rowLabel, bits: rowBits },
    { cell: block.columnLabel, bits: columnBits },
  ];
  reportDoubles(labelled, problems);
  const inputs = labelled.flatMap(({ bits }) => bits);
  if (inputs.length > MOST_VARIABLES) problems.add(block.rowLabel, 'too-wide', `The map has ${inputs.length} variables; at most ${MOST_VARIABLES} can be handled.`);
  return { inputs, rows };
}

/** The variables of one side; checks that the codes are all there, each once, and in an order in which neighbours differ in one digit. */
function readAxis(codes: readonly Cell[], label: Cell, names: Names, problems: Problems, notes: string[]): BitRef[] | undefined {
  const width = codes[0]?.text.length ?? 0;
  const before = problems.list.length;
  for (const [at, code] of codes.entries()) {
    if (!CODE.test(code.text) || code.text.length !== width) problems.add(code, 'code', `'${code.text}' is no code of ${width} ${width === 1 ? 'digit' : 'digits'} like the others.`);
    else if (codes.slice(0, at).some(({ text }) => text === code.text)) problems.add(code, 'double-code', `The code ${code.text} stands here twice; every code belongs in once.`);
  }
  const last = codes.at(-1);
  if (problems.list.length === before && codes.length !== 2 ** width && last !== undefined) {
    problems.add(last, 'missing-code', `There are ${codes.length} codes of ${width} ${width === 1 ? 'digit' : 'digits'}; a map needs all ${2 ** width}.`);
  }
  if (problems.list.length > before) return undefined;
  const order = codes.map(({ text }) => Number.parseInt(text, 2));
  const wrong = order.findIndex((code, at) => at > 0 && !isPowerOfTwo(code ^ (order[at - 1] ?? 0)));
  const wrongCode = codes[wrong];
  if (wrongCode !== undefined) {
    if (order.every((code, at) => code === at)) notes.push(`The codes of ${label.text} count up in binary and not in Gray order; each value is taken for the code beside it.`);
    else problems.add(wrongCode, 'gray-order', `The code ${wrongCode.text} differs from ${codes[wrong - 1]?.text ?? ''} before it in more than one digit; write the codes in Gray order (${gray(width)}).`);
  }
  return resolveLabel(label, width, names, problems);
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && (value & (value - 1)) === 0;
}

function gray(width: number): string {
  return Array.from({ length: 2 ** width }, (_, at) => (at ^ (at >> 1)).toString(2).padStart(width, '0')).join(' ');
}

function readRow(line: Line, block: MapBlock, label: string, problems: Problems): ReadRow[] {
  const [code, ...cells] = allWords(line);
  if (code === undefined) return [];
  if (cells.length !== block.columns.length) {
    const cell = cells[block.columns.length] ?? cells.at(-1) ?? code;
    problems.add(cell, 'cell-count', `This row has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} where ${block.columns.length} are needed, one for each code above.`);
    return [];
  }
  return cells.flatMap((cell, at): ReadRow[] => {
    const value = bitsOfValue(cell.text);
    if (value?.length !== 1) {
      problems.add(cell, 'unknown-symbol', `'${cell.text}' is no value; write 0, 1 or, where it does not matter, x, d, - or *.`);
      return [];
    }
    const inputs = `${block.layer?.value ?? ''}${code.text}${block.columns[at]?.text ?? ''}`;
    return [{ inputs, outputs: value, outputCells: [cell], label, span: cell.span }];
  });
}

/** The output is the name above the map, else the only output of the interface, else `f`. */
function outputBit(block: MapBlock, names: Names, problems: Problems, notes: string[]): BitRef | undefined {
  if (block.output !== undefined) {
    const bits = resolveColumn(block.output, 1, names, problems);
    if (bits !== undefined && bits.length !== 1) problems.add(block.output, 'output-width', `'${block.output.text}' has ${bits.length} bits; a map describes one.`);
    return bits?.[0];
  }
  const outputs = names.ports.filter((port) => port.direction === 'output');
  const [only] = outputs;
  if (only !== undefined && outputs.length === 1 && only.range === undefined) return { port: only.name, index: undefined };
  if (!names.closed) {
    notes.push('The output of the map has no name and is called f; write "f =" above the map to name it.');
    return { port: 'f', index: undefined };
  }
  problems.add(block.rowLabel, 'output-name', 'The map has no name, and the module has not just one output of one bit; write the output and "=" above the map.');
  return undefined;
}
