import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadDesign } from '../../server/src/analysis/load.ts';
import { memoryFiles } from '../../server/src/base/files.ts';
import { Parser } from '../../server/src/syntax/parser.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import type { VerifyOptions, VerifyResult } from '../../server/src/verification/verdict.ts';
import { verify } from '../../server/src/verification/verify.ts';

const parser = await Parser.create();
const toolbox = createToolbox({ iverilog: '', yosys: '' });

function run(golden: string, dut: string, assume: readonly string[], options: Partial<VerifyOptions> = {}): Promise<VerifyResult> {
  const files = memoryFiles(new Map([['/golden/m.v', golden], ['/dut/m.v', dut]]));
  const all: VerifyOptions = { clocks: [], resets: [], cycles: 2000, seed: 1, timeoutMs: 30_000, engine: 'auto', prove: true, assume, ...options };
  return verify({ golden: { file: '/golden/m.v', module: 'm' }, dut: { file: '/dut/m.v', module: 'm' }, options: all }, { load: (input) => loadDesign(input, { parser, files }), toolbox }, {});
}

const divider = (byZero: string): string => `module m #(parameter W = 4)(input [W-1:0] a, input [W-1:0] b, output [W-1:0] q);\nassign q = b == 0 ? ${byZero} : a / b;\nendmodule\n`;

test('inputs that break the assumption are neither tried nor asked of a proof', async () => {
  const [golden, dut] = [divider('0'), divider('a')];
  assert.equal((await run(golden, dut, [])).verdict, 'different');
  const proved = await run(golden, dut, ['b != 0']);
  assert.equal(proved.verdict, 'equivalent', `${proved.reason} ${proved.notes.join(' ')}`);
  assert.match(proved.notes.join(' '), /Only inputs that keep to b != 0 were considered/);
  assert.equal((await run(golden, dut, ['b != 0'], { prove: false })).verdict, 'no-difference');
  assert.equal((await run(golden, dut, ['b != 0'], { engine: 'yosys' })).verdict, 'equivalent');
  const other = await run(golden, dut.replace('a / b', 'a / b + (a == 4\'d9)'), ['b != 0', 'a[3] == 1']);
  assert.equal(other.verdict, 'different');
  assert.notEqual(parseInt(other.mismatch?.inputs['b'] ?? '0', 2), 0);
  const excluded = await run(golden, dut.replace('a / b', 'a / b + (a == 4\'d9)'), ['b > W - 4', 'a != 9']);
  assert.equal(excluded.verdict, 'equivalent', excluded.reason);
});

test('a design with state is simulated under the assumption and not proved; every row of a witness keeps to it', async () => {
  const golden = 'module m(input clk, input rst, input [7:0] a, input [7:0] b, output reg [7:0] q);\nalways @(posedge clk) if (rst) q <= 0; else if (a < b) q <= q + 1;\nendmodule\n';
  const same = await run(golden, golden.replace('a < b', 'a != b'), ['a <= b']);
  assert.equal(same.verdict, 'no-difference', same.reason);
  assert.match(same.notes.join(' '), /No proof was tried/);
  const broken = await run(golden, golden.replace('a < b', 'a < b && b != 8\'hff'), ['a <= b', 'b[7]']);
  assert.equal(broken.verdict, 'different');
  for (const { inputs } of broken.witness) {
    const [a, b] = [parseInt(inputs['a'] ?? '', 2), parseInt(inputs['b'] ?? '', 2)];
    assert.ok(a <= b && b >= 128, JSON.stringify(inputs));
  }
  assert.equal((await run(golden, golden.replace('a < b', 'a != b'), ['a <= b'], { engine: 'yosys' })).verdict, 'inconclusive');
});

test('what is no condition over the inputs is refused', async () => {
  const reason = async (...assume: string[]): Promise<string> => {
    const result = await run(divider('0'), divider('0'), assume, { prove: false });
    assert.equal(result.verdict, 'bad-input', result.reason);
    return result.reason;
  };
  assert.match(await reason('c != 0'), /names 'c', which is no data input of 'm'; its data inputs are a, b\./);
  assert.match(await reason('q == 0'), /names 'q'/);
  assert.match(await reason('1'), /is no condition over the inputs/);
  assert.match(await reason('b < 0'), /No input values were found that keep to/);
});
