import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { withTempDir } from '../../server/src/base/tempdir.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import type { VerifyOptions, VerifyResult } from '../../server/src/verification/verdict.ts';
import { verify } from '../../server/src/verification/verify.ts';
import { design, loader } from '../unit/verification/designs.ts';

const toolbox = createToolbox({ iverilog: '', yosys: '' });

function run(golden: string, dut: string, options: Partial<VerifyOptions>): Promise<VerifyResult> {
  const load = loader({ '/golden.v': design(golden, { file: '/golden.v' }), '/dut.v': design(dut, { file: '/dut.v' }) });
  const all: VerifyOptions = { clocks: [], resets: [], cycles: 500, seed: 1, timeoutMs: 30_000, engine: 'auto', prove: true, ...options };
  return verify({ golden: { file: '/golden.v' }, dut: { file: '/dut.v' }, options: all }, { load, toolbox }, {});
}

const select = (rest: string): string => `module m(input [1:0] s, input [3:0] a, output [3:0] y);\nassign y = s == 0 ? a : s == 1 ? ~a : ${rest};\nendmodule\n`;
const golden = select("4'bxx00");

test('an unknown golden says nothing, unless strictly compared', async () => {
  assert.equal((await run(golden, select('0'), {})).verdict, 'equivalent');
  const strict = await run(golden, select('0'), { unknowns: 'strict' });
  assert.equal(strict.verdict, 'different', strict.reason);
  assert.deepEqual([strict.mismatch?.expected, strict.mismatch?.actual], ['xx00', '0000']);
  assert.match(strict.notes.join(' '), /had to be unknown \(x\) or undriven \(z\) exactly where those of the reference are/);
});

test('strictly, the same unknown values are no difference, and nothing is said to be proved', async () => {
  const same = await run(golden, select("a[0] ? 4'bxx00 : {2'bx, 2'b0}"), { unknowns: 'strict' });
  assert.equal(same.verdict, 'no-difference', same.reason);
  assert.match(same.reason, /No difference for any input combination, unknown values included/);
  assert.match(same.notes.join(' '), /No proof was tried\. Unknown values can only be compared strictly by simulation\./);
  assert.equal((await run(golden, golden, { unknowns: 'strict', engine: 'yosys' })).verdict, 'tool-error');
});

test('a condition on a bit that is not there is false in simulation, and why that is not proved is said', async () => {
  const count = (bits: number): string => `module m(input [2:0] a, output reg [2:0] n);\ninteger i;\nalways @* begin n = 0; for (i = 0; i < ${String(bits)}; i = i + 1) if (a[i] == 1) n = n + 1; end\nendmodule\n`;
  const result = await run(count(3), count(4), {});
  assert.equal(result.verdict, 'no-difference', result.reason);
  assert.match(result.reason, /any input combination/);
  assert.match(result.notes.join(' '), /Not proved: The prover differs from the simulator about what an unknown value does/);
});

test('strictly, a register that only one side initialises is a difference, and the testbench repeats it', () =>
  withTempDir(async (dir) => {
    const counter = (initial: string): string => `module m(input clk, input load, input [3:0] d, output reg [3:0] q);\n${initial}\nalways @(posedge clk) if (load) q <= d; else q <= q + 1;\nendmodule\n`;
    const [plain, initialised] = [counter(''), counter('initial q = 0;')];
    assert.equal((await run(plain, plain, { unknowns: 'strict' })).verdict, 'no-difference');
    assert.equal((await run(plain, initialised, { prove: false })).verdict, 'no-difference');
    const testbenchFile = path.join(dir, 'tb.v');
    const result = await run(plain, initialised, { unknowns: 'strict', testbenchFile });
    assert.equal(result.verdict, 'different', result.reason);
    const said = (source: string): string => {
      writeFileSync(path.join(dir, 'm.v'), source);
      execFileSync('iverilog', ['-o', 'tb.vvp', 'tb.v', 'm.v'], { cwd: dir });
      return execFileSync('vvp', ['-n', 'tb.vvp'], { cwd: dir, encoding: 'utf8' });
    };
    assert.match(said(initialised), /^FAIL/m);
    assert.match(said(plain), /^PASS/m);
  }));
