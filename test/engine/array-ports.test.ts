import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { loadDesign } from '../../server/src/analysis/load.ts';
import { memoryFiles } from '../../server/src/base/files.ts';
import { withTempDir } from '../../server/src/base/tempdir.ts';
import { Parser } from '../../server/src/syntax/parser.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import type { VerifyOptions, VerifyResult } from '../../server/src/verification/verdict.ts';
import { verify } from '../../server/src/verification/verify.ts';

const parser = await Parser.create();
const toolbox = createToolbox({ iverilog: '', yosys: '' });

function run(golden: string, dut: string, options: Partial<VerifyOptions> = {}): Promise<VerifyResult> {
  const files = memoryFiles(new Map([['/golden/m.sv', golden], ['/dut/m.sv', dut]]));
  const all: VerifyOptions = { clocks: [], resets: [], cycles: 500, seed: 1, timeoutMs: 30_000, engine: 'auto', prove: true, ...options };
  return verify({ golden: { file: '/golden/m.sv', module: 'm' }, dut: { file: '/dut/m.sv', module: 'm' }, options: all }, { load: (input) => loadDesign(input, { parser, files }), toolbox, parser }, {});
}

const pair = (range: string, [first, second]: readonly [number, number], last: string): string =>
  `module m(input logic [3:0] a ${range}, output logic [3:0] y ${range});\nassign y[${first}] = a[${first}] + 4'd1;\nassign y[${second}] = ${last};\nendmodule\n`;
const golden = pair('[0:1]', [0, 1], 'a[1] ^ a[0]');

test('array ports are matched element by element, whatever the declared bounds, and a proof agrees', async () => {
  for (const dut of [golden, pair('[2]', [0, 1], 'a[0] ^ a[1]'), pair('[4:5]', [4, 5], 'a[4] ^ a[5]')]) {
    const same = await run(golden, dut);
    assert.equal(same.verdict, 'equivalent', [same.reason, ...same.notes].join(' '));
    assert.equal(same.evidence?.exhaustive, true);
  }
});

test('where a port is connected in a way that the prover does not read, it says so', async () => {
  const parts = `module inc(input [3:0] a [0:1], output [3:0] b [0:1]);\nassign b[0] = a[0] + 1; assign b[1] = a[1] ^ a[0];\nendmodule
module m(input logic [3:0] a [0:1], output logic [3:0] y [0:1]);\nlogic [3:0] b [0:1][0:1];\ninc i(a, b[0]); assign y[0] = b[0][0]; assign y[1] = b[0][1];\nendmodule\n`;
  const result = await run(golden, parts);
  assert.equal(result.verdict, 'no-difference', result.reason);
  assert.match(result.notes.join(' '), /Not proved: The DUT declares or connects a port that is an unpacked array in a way that the prover cannot read\./);
});

test('a faulty element is found, its value shown in the order that is stated, and the testbench repeats it', () =>
  withTempDir(async (dir) => {
    const testbenchFile = path.join(dir, 'tb.v');
    const dut = pair('[0:1]', [0, 1], 'a[1] ^ (a[0] & 4\'he)');
    const result = await run(golden, dut, { testbenchFile });
    assert.equal(result.verdict, 'different', result.reason);
    const { expected = '', actual = '', inputs } = result.mismatch ?? {};
    assert.equal(expected.slice(0, 4), actual.slice(0, 4));
    const [first, second] = [inputs?.['a']?.slice(0, 4) ?? '', inputs?.['a']?.slice(4) ?? ''].map((bits) => parseInt(bits, 2));
    assert.equal(parseInt(expected.slice(0, 4), 2), ((first ?? 0) + 1) % 16);
    assert.equal(parseInt(expected.slice(4), 2), (first ?? 0) ^ (second ?? 0));
    assert.match(result.notes.join(' '), /A value of a, y holds all elements of the array, the one at the left of its declared range in the high bits/);
    const said = (source: string): string => {
      writeFileSync(path.join(dir, 'm.sv'), source);
      execFileSync('iverilog', ['-g2012', '-o', 'tb.vvp', 'tb.v', 'm.sv'], { cwd: dir });
      return execFileSync('vvp', ['-n', 'tb.vvp'], { cwd: dir, encoding: 'utf8' });
    };
    assert.match(said(dut), /^FAIL/m);
    assert.match(said(golden), /^PASS/m);
  }));

test('arrays of several dimensions, of structures and of registers without a reset run as well', async () => {
  const queue = (next: string): string => `package p; typedef struct packed { logic [2:0] v; logic ok; } t; endpackage
module m import p::*; (input logic clk, input t d [1:0][3], output t q [1:0][3]);
always_ff @(posedge clk) begin q[1] <= d[1]; for (int i = 0; i < 3; i++) q[0][i] <= ${next}; end
endmodule\n`;
  const spread = queue('q[1][2 - i] ^ d[0][i]').replace('q[1] <= d[1];', 'for (int i = 0; i < 3; i++) q[1][i] <= d[1][i];');
  assert.equal((await run(spread, spread, { prove: false })).verdict, 'no-difference');
  const other = await run(spread, spread.replace('2 - i', 'i'), { prove: false });
  assert.equal(other.verdict, 'different', other.reason);
});

test('arrays of another shape, or that count the other way, do not correspond', async () => {
  const reason = async (dut: string): Promise<string> => {
    const result = await run(golden, dut);
    assert.equal(result.verdict, 'interface-mismatch', result.reason);
    return result.interfaceIssues[0]?.message ?? '';
  };
  assert.match(await reason('module m(input [7:0] a, output [7:0] y);\nassign y = a;\nendmodule\n'), /'a' is one vector of 8 bits in the DUT and an array of 2 elements of 4 bits in the reference\./);
  assert.match(await reason('module m(input [1:0] a [4], output [1:0] y [4]);\nendmodule\n'), /'a' is an array of 4 elements of 2 bits/);
  assert.match(await reason(pair('[1:0]', [0, 1], 'a[1] ^ a[0]')), /'a' counts its elements the other way in the DUT than in the reference, and tools differ in which of them meet/);
});

test('an assumption over an array is refused', async () => {
  const result = await run(golden, golden, { assume: ['a[0] != 0'] });
  assert.equal(result.verdict, 'bad-input');
  assert.match(result.reason, /names 'a', which is an array/);
});

test('an array of one element that a release of Icarus Verilog cannot be given is no fault of the design', async () => {
  const single = 'module m(input logic [7:0] a [1], output logic [7:0] y);\nassign y = a[0];\nendmodule\n';
  const { verdict, reason } = await run(single, single, { engine: 'iverilog', prove: false });
  if (verdict === 'tool-error') assert.match(reason, /Icarus Verilog does not support a construct of the DUT: The ports cannot be connected\. Array a needs an array index here\./);
  else assert.equal(verdict, 'no-difference', reason);
});
