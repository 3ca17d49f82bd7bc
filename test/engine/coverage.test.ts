import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Parser } from '../../server/src/syntax/parser.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import { GoldenCache } from '../../server/src/verification/golden-cache.ts';
import type { Evidence } from '../../server/src/verification/verdict.ts';
import { verify } from '../../server/src/verification/verify.ts';
import { design, loader } from '../unit/verification/designs.ts';

const toolbox = createToolbox({ iverilog: '', yosys: '' });
const parser = await Parser.create();

/** A golden against itself, without a proof. */
async function evidenceOf(text: string, cycles?: number, cache = new GoldenCache()): Promise<Evidence> {
  const options = { clocks: [], resets: [], cycles, seed: 1, timeoutMs: 30_000, engine: 'auto', prove: false } as const;
  const load = loader({ '/golden.v': design(text, { file: '/golden.v' }), '/dut.v': design(text, { file: '/dut.v' }) });
  const result = await verify({ golden: { file: '/golden.v' }, dut: { file: '/dut.v' }, options }, { load, toolbox, parser, cache }, {});
  assert.equal(result.verdict, 'no-difference', result.reason);
  assert.ok(result.evidence);
  return result.evidence;
}

const counter = `module m(input clk, input [7:0] a, output reg [1:0] y);
  wire [1:0] next;
  sub u(.a(y), .b(next));
  always @(posedge clk)
    if (a[0] && !a[0]) y <= 0;
    else case (a[1:0])
      0: y <= next;
      1: y <= a[7] ? 1 : 2;
      default: y <= a[3:2];
    endcase
  initial y = 0;
endmodule
module sub(input [1:0] a, output [1:0] b);
  assign b = a + 1;
endmodule`;

test('branches and toggles of the golden are counted through its instances, and what was not reached is named', async () => {
  const cache = new GoldenCache();
  const { coverage } = await evidenceOf(counter, 2000, cache);
  assert.deepEqual(coverage?.branches, { reached: 6, total: 7 });
  assert.deepEqual(coverage.unreached, [{ what: 'if (a[0] && !a[0])', file: '/golden.v', line: 4, character: 8 }]);
  // clk, a, y, next, u.a and u.b.
  assert.deepEqual(coverage.toggles, { reached: 34, total: 34 });
  assert.deepEqual((await evidenceOf(counter, 2000, cache)).coverage, coverage, 'the figures come from the cache the second time');
});

test('what only a constant drives does not count', async () => {
  const { coverage } = await evidenceOf("module m(input clk, input d, output reg q, output [7:0] id);\nwire [7:0] code = 8'h5a;\nassign id = code;\nalways @(posedge clk) q <= d;\nendmodule", 2000);
  assert.deepEqual(coverage?.toggles, { reached: 6, total: 6 });
});

test('with everything reached the stimulus ends early, else inputs are held for slow counters', async () => {
  const full = await evidenceOf('module m(input clk, input d, output reg q);\nalways @(posedge clk) if (d) q <= ~q; else q <= 0;\nendmodule');
  assert.deepEqual(full.coverage?.untoggled, []);
  assert.ok(full.steps < 100_000, `${String(full.steps)} rows`);
  const slow = await evidenceOf('module m(input clk, input en, output q);\nreg [15:0] n = 0;\nalways @(posedge clk) if (en) n <= n + 1;\nassign q = n[2];\nendmodule');
  assert.ok(slow.steps > 200_000);
  assert.deepEqual(slow.coverage?.untoggled, []);
});

test('a golden that cannot be marked gives no figure and the same verdict', async () => {
  const inMacro = '`define SET if (d) q <= 1\nmodule m(input clk, input d, output reg q);\nalways @(posedge clk) begin q <= 0; `SET; end\nendmodule';
  assert.equal((await evidenceOf(inMacro, 2000)).coverage, undefined);
});

test('a source without a space to spare is measured like any other', async () => {
  const { coverage } = await evidenceOf('module m(input clk,rst,output reg o);reg [3:0]c;always@(posedge clk)if(rst)begin c<=0;o<=0;end else begin c<=c+1;if(c==9)o<=1;end endmodule');
  assert.deepEqual(coverage?.branches, { reached: 4, total: 4 });
});
