import type { Layout } from './layout.ts';
import { rowBit, RowBuilder, type Rows } from './rows.ts';
import type { Stimulus } from './stimulus.ts';

/**
 * The stimulus with inputs that change one after the other, each in a row of its own, and the clocks in the last of them. Where inputs open latches or gate clocks, two
 * that change in the same moment race with each other: which comes first inside the design is a matter of the simulator.
 */
export function inTurn(stimulus: Pick<Stimulus, 'rows' | 'compareFrom' | 'exhaustive'>, layout: Layout): typeof stimulus {
  const { rows } = stimulus;
  const data = layout.fields.filter(({ role }) => role !== 'clock');
  const clocks = layout.fields.filter(({ role }) => role === 'clock');
  const builder = new RowBuilder(layout, 2 * rows.count);
  const copy = (row: number, { offset, width }: (typeof data)[number]): void => {
    for (let bit = offset; bit < offset + width; bit++) builder.setBit(bit, rowBit(rows, row, bit) === 1);
  };
  let compareFrom = 0;
  for (let row = 0; row < rows.count; row++) {
    const changing = row === 0 ? [] : data.filter((field) => differ(rows, row, field));
    if (row === 0) data.forEach((field) => copy(row, field));
    // Each of them comes first in some row and last in another.
    const first = row % Math.max(1, changing.length);
    if (row === stimulus.compareFrom) compareFrom = builder.count;
    [...changing.slice(first), ...changing.slice(0, first)].forEach((field, index) => {
      copy(row, field);
      if (index < changing.length - 1) builder.push();
    });
    clocks.forEach((field) => copy(row, field));
    builder.push();
  }
  return { ...stimulus, rows: builder.finish(), compareFrom };
}

/** Whether no two inputs change in the same row; clocks move after the others and do not count. */
export function isInTurn(rows: Rows, layout: Layout): boolean {
  const data = layout.fields.filter(({ role }) => role !== 'clock');
  for (let row = 1; row < rows.count; row++) if (data.filter((field) => differ(rows, row, field)).length > 1) return false;
  return true;
}

function differ(rows: Rows, row: number, { offset, width }: Layout['fields'][number]): boolean {
  for (let bit = offset; bit < offset + width; bit++) if (rowBit(rows, row, bit) !== rowBit(rows, row - 1, bit)) return true;
  return false;
}
