import { bitText, intersect, sameBit, type BitRef, type LogicRow } from './table.ts';
import type { Cell, Problems } from './text.ts';

/** A row while it is read: its value cells stay at hand for diagnostics. */
export interface ReadRow extends LogicRow {
  /** The cell that holds each output bit. */
  readonly outputCells: readonly Cell[];
  /** Words for the row in a message: `line 4` or `cell 01/11`. */
  readonly label: string;
}

/** Reports rows that ask for different outputs at the same inputs; the later one is marked at its output cell. */
export function reportContradictions(rows: readonly ReadRow[], outputs: readonly BitRef[], problems: Problems): void {
  for (const [at, row] of rows.entries()) {
    for (const earlier of rows.slice(0, at)) {
      if (!intersect(earlier.inputs, row.inputs)) continue;
      const bit = Array.from(row.outputs).findIndex((value, index) => value !== '-' && earlier.outputs[index] !== '-' && earlier.outputs[index] !== value);
      const output = outputs[bit];
      if (output === undefined) continue;
      const cell = row.outputCells[bit] ?? row;
      const where = earlier.inputs === row.inputs ? 'the same inputs' : `inputs that both cover (${common(earlier.inputs, row.inputs)})`;
      problems.add(cell, 'contradiction', `'${bitText(output)}' is ${row.outputs[bit] ?? ''} here, but ${earlier.label} says ${earlier.outputs[bit] ?? ''} for ${where}; keep one of them.`);
      break;
    }
  }
}

function common(a: string, b: string): string {
  return Array.from(a).map((letter, at) => (letter === '-' ? (b[at] ?? '-') : letter)).join('');
}

/** Reports a bit that two columns name. */
export function reportDoubles(columns: readonly { readonly cell: Cell; readonly bits: readonly BitRef[] }[], problems: Problems): void {
  const seen: BitRef[] = [];
  for (const { cell, bits } of columns) {
    const double = bits.find((bit) => seen.some((other) => sameBit(bit, other)));
    if (double !== undefined) problems.add(cell, 'double-name', `'${bitText(double)}' is named twice; every column needs a name of its own.`);
    seen.push(...bits);
  }
}
