import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainDifference } from '../../../../server/src/verification/explain/explain.ts';
import { layOut } from '../../../../server/src/verification/stimulus/layout.ts';
import { RowBuilder } from '../../../../server/src/verification/stimulus/rows.ts';
import type { Trace } from '../../../../server/src/verification/trace.ts';
import { sizedPorts } from '../designs.ts';

/** A clocked pair with an 8-bit output; values are given for each half cycle, undefined is x. */
function check(golden: (half: number) => number, dut: (half: number, expected: (half: number) => number) => number | undefined, expected: string | undefined): void {
  const clocks = [{ port: 'clk', bit: undefined, edges: ['posedge' as const] }];
  const layout = layOut(sizedPorts('input clk, output [7:0] y'), { clocks });
  const builder = new RowBuilder(layout);
  const rowCount = 100;
  for (let row = 0; row < rowCount; row++) {
    builder.setBit(0, row % 2 === 0);
    builder.push();
  }
  const trace = (value: (half: number) => number | undefined): Trace => {
    const words = new Uint32Array(rowCount * 4);
    for (let sample = 0; sample < rowCount * 2; sample++) {
      // A row samples before and after its edge: the value of the previous half cycle, then its own.
      const made = value(Math.floor((sample + 1) / 2));
      words[sample * 2] = made === undefined ? 0xff : made & 0xff;
      words[sample * 2 + 1] = made === undefined ? 0xff : 0;
    }
    return { words, wordsPerSample: 2, samples: rowCount * 2 };
  };
  const exchange = {
    layout,
    clocks,
    rows: builder.finish(),
    compareFrom: 0,
    golden: trace(golden),
    dut: trace((half) => dut(half, golden)),
    criterion: { unknowns: 'ignore' as const, threeState: new Uint32Array(1) },
  };
  const [output] = layout.observed;
  assert.ok(output);
  assert.equal(explainDifference(exchange, output, 0)?.id, expected);
}

/** A value that changes after every rising edge in no simple pattern. */
const wild = (half: number): number => (Math.imul(Math.floor(half / 2) + 1, 0x9e3779b1) >>> 13) & 0xff;

test('patterns are named when they fit every sample', () => {
  check(wild, (half, expected) => ~expected(half), 'inverted');
  check(wild, () => 3, 'stuck');
  check(wild, (half, expected) => expected(Math.max(0, half - 2)), 'latency');
  check(wild, (half, expected) => expected(half + 4), 'latency');
  check(wild, (half, expected) => expected(half) + 3, 'offset');
  check(wild, () => undefined, 'unknown');
  check(
    wild,
    (half, expected) => {
      let reversed = 0;
      for (let bit = 0; bit < 8; bit++) reversed |= ((expected(half) >> bit) & 1) << (7 - bit);
      return reversed;
    },
    'bit-order',
  );
});

test('no pattern is named when none fits', () => {
  check(wild, (half, expected) => (half % 14 === 9 ? expected(half) ^ (half & 0xff) : expected(half)), undefined);
});
