import { stripVTControlCharacters, styleText } from 'node:util';

export type Paint = (style: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', text: string) => string;

export const plain: Paint = (_style, text) => text;
export const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false });

/** Columns that a text takes on a terminal, styles not counted. Assumes no wide characters. */
export function columnsOf(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}

export function padRight(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

/** Breaks text at spaces into lines of at most `columns`; a longer word gets a line of its own. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ').filter((part) => part !== '')) {
      if (line !== '' && columnsOf(line) + 1 + columnsOf(word) > columns) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}

/** Wrapped text behind a label: the label stands on the first line, the other lines are indented as far. */
export function labelled(label: string, text: string, labelColumns: number, columns: number): string[] {
  return wrap(text, Math.max(20, columns - labelColumns)).map((line, index) => padRight(index === 0 ? label : '', labelColumns) + line);
}

export interface TableRow {
  readonly cells: readonly string[];
  readonly marked?: boolean;
}

/** Columns that `table` takes with these cells. */
export function tableColumns(header: readonly string[], rows: readonly TableRow[]): number {
  const widths = tableWidths([header, ...rows.map((row) => row.cells)]);
  return 2 + widths.reduce((sum, width) => sum + width, 0) + 2 * Math.max(0, widths.length - 1);
}

/** Lines of a table whose columns are as wide as their widest cell, two spaces apart; marked rows start with `>`. */
export function table(header: readonly string[], rows: readonly TableRow[], rightAligned: ReadonlySet<number>): string[] {
  const widths = tableWidths([header, ...rows.map((row) => row.cells)]);
  const line = (cells: readonly string[], mark: string): string =>
    `${mark} ${cells.map((cell, at) => (rightAligned.has(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0))).join('  ')}`.trimEnd();
  return [line(header, ' '), ...rows.map((row) => line(row.cells, row.marked === true ? '>' : ' '))];
}

function tableWidths(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const cells of rows) cells.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)));
  return widths;
}
