import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurn, isInTurn } from '../../../../server/src/verification/stimulus/in-turn.ts';
import { layOut } from '../../../../server/src/verification/stimulus/layout.ts';
import { fieldText, RowBuilder, type Rows } from '../../../../server/src/verification/stimulus/rows.ts';
import { sizedPorts } from '../designs.ts';

const layout = layOut(sizedPorts('input clk, input a, input [1:0] b, output y'), { clocks: [{ port: 'clk', bit: undefined, edges: ['posedge'] }] });

/** Rows as `a b clk`, b in binary. */
function rowsOf(texts: readonly string[]): Rows {
  const builder = new RowBuilder(layout);
  for (const text of texts) {
    text.split(' ').forEach((value, index) => {
      const field = layout.fields.find(({ port }) => port === ['a', 'b', 'clk'][index]);
      if (field !== undefined) builder.setBig(field, BigInt(`0b${value}`));
    });
    builder.push();
  }
  return builder.finish();
}

const textsOf = (rows: Rows): string[] =>
  Array.from({ length: rows.count }, (_, row) => ['a', 'b', 'clk'].map((name) => layout.fields.flatMap((field) => (field.port === name ? [fieldText(rows, row, field)] : [])).join('')).join(' '));

test('inputs change one after the other, and the clock with the last of them', () => {
  const given = ['0 00 0', '1 11 1', '1 11 0', '0 00 1', '0 01 0'];
  const { rows, compareFrom, exhaustive } = inTurn({ rows: rowsOf(given), compareFrom: 3, exhaustive: false }, layout);
  // Which input comes first alternates with the row.
  assert.deepEqual(textsOf(rows), ['0 00 0', '0 11 0', '1 11 1', '1 11 0', '1 00 0', '0 00 1', '0 01 0']);
  assert.deepEqual([compareFrom, exhaustive], [4, false]);
  assert.deepEqual([isInTurn(rowsOf(given), layout), isInTurn(rows, layout)], [false, true]);
});
