/** A proof counts where the prover understands both sides as the simulator did. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut, type Layout } from '../../server/src/verification/stimulus/layout.ts';
import { RowBuilder, type Rows } from '../../server/src/verification/stimulus/rows.ts';
import type { Trace } from '../../server/src/verification/trace.ts';
import { sizedPorts } from '../unit/verification/designs.ts';
import { check } from './proving.ts';

const rowsOf = (layout: Layout, values: readonly (readonly number[])[]): Rows => {
  const builder = new RowBuilder(layout);
  for (const row of values) {
    layout.fields.forEach((field, index) => builder.setNumber(field, row[index] ?? 0));
    builder.push();
  }
  return builder.finish();
};

/** One output bit a sample: `0`, `1` or `x`. */
const traceOf = (text: string): Trace => ({ words: Uint32Array.from(Array.from(text).flatMap((bit) => [bit === '0' ? 0 : 1, bit === 'x' ? 1 : 0])), wordsPerSample: 2, samples: text.length });

test('combinational logic: one sample that is otherwise is enough, and unknown ones say nothing', async () => {
  const ports = 'input a b output y';
  const layout = layOut(sizedPorts('input a, input b, output y'), { clocks: [] });
  const rows = rowsOf(layout, [[0, 0], [0, 1], [1, 0], [1, 1]]);
  const side = (trace: string) => ({ layout, rows, trace: traceOf(trace) });
  const [golden, dut] = ['module m(input a, b, output y); assign y = a & b; endmodule', 'module m(input a, b, output y); assign y = ~(~a | ~b); endmodule'];
  await check(golden, dut, 'proved', { ports, request: { recorded: { golden: side('0001'), dut: side('0001') } } });
  await check(golden, dut, 'proved', { ports, request: { recorded: { golden: side('xx01'), dut: side('00x1') } } });
  const wrong = await check(golden, dut, 'undecided', { ports, request: { recorded: { golden: side('0001'), dut: side('0011') } } });
  assert.match(wrong.kind === 'undecided' ? wrong.reason : '', /^The prover understands the DUT otherwise than the simulator does, at the output 'y',/);
  await check(golden, dut, 'undecided', { ports, request: { recorded: { golden: side('1001'), dut: side('0001') } } });
});

/** Samples come in pairs: before the clock of a row moves, and after. */
const machines: Readonly<Record<string, readonly [text: string, trace: string, wrong: string]>> = {
  'ticks': ['always @(posedge clk) q <= d;', 'xx xx x1 11 11 11', 'xx xx x1 11 11 10'],
  'an asynchronous reset': ['always @(posedge clk or negedge d) if (!d) q <= 1; else q <= 0;', '11 xx xx 00 00 11', '11 xx xx 00 00 10'],
  'both edges': ['reg p, n; always @(posedge clk) p <= d; always @(negedge clk) n <= d; always @* q = p ^ n;', 'xx xx x1 1x 00 0x', 'xx xx xx xx 01 xx'],
};

for (const [name, [text, trace, wrong]] of Object.entries(machines)) {
  test(`what a clock does in a recording: ${name}`, async () => {
    const ports = 'input clk d output q';
    const layout = layOut(sizedPorts('input clk, input d, output q'), { clocks: [{ port: 'clk', bit: undefined, edges: ['posedge', 'negedge'] }] });
    // Data first, then the clock.
    const rows = rowsOf(layout, [[0, 0], [0, 0], [1, 1], [1, 0], [1, 1], [0, 1]]);
    const module = `module m(input clk, d, output reg q); ${text} endmodule`;
    const side = (samples: string) => ({ layout, rows, trace: traceOf(samples.replaceAll(' ', '')) });
    await check(module, module, 'proved', { ports, request: { recorded: { golden: side(trace), dut: side(trace) } } });
    await check(module, module, 'undecided', { ports, request: { recorded: { golden: side(trace), dut: side(wrong) } } });
  });
}
