import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import type { EngineChoice, VerifyOptions, VerifyResult } from '../../server/src/verification/verdict.ts';
import { verify } from '../../server/src/verification/verify.ts';
import { design, loader } from '../unit/verification/designs.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'provers-test-'));
after(() => {
  rmSync(folder, { recursive: true, force: true });
});
const posix = process.platform === 'win32' ? { skip: 'the stand-in is a shell script' } : {};

/** A Yosys of a release that cannot read any source. */
function oldYosys(): string {
  const file = path.join(folder, 'yosys');
  writeFileSync(file, '#!/bin/sh\ncase "$1" in -V) echo "Yosys 0.9 (git sha1 1979e0b)"; exit 0;; esac\necho "golden.v:1: ERROR: syntax error, unexpected TOK_ID"\nexit 1\n', { mode: 0o755 });
  return file;
}

function run(golden: string, dut: string, engine: EngineChoice): Promise<VerifyResult> {
  const load = loader({ '/golden.v': design(golden, { file: '/golden.v' }), '/dut.v': design(dut, { file: '/dut.v' }) });
  const options: VerifyOptions = { clocks: [], resets: [], cycles: undefined, seed: 1, timeoutMs: 60_000, engine, prove: true };
  return verify({ golden: { file: '/golden.v' }, dut: { file: '/dut.v' }, options }, { load, toolbox: createToolbox({ iverilog: '', yosys: oldYosys() }) }, {});
}

const counter = (step: string): string => `module m(input clk, rst, output reg [3:0] n);\nalways @(posedge clk) if (rst) n <= 0; else n <= ${step};\nendmodule\n`;

test('what the installed prover cannot read, the embedded one proves, and the verdict names it', posix, async () => {
  const result = await run(counter('n + 1'), counter("n - 4'hf"), 'auto');
  assert.equal(result.verdict, 'equivalent', `${result.reason} ${result.notes.join(' ')}`);
  assert.deepEqual(result.engines.flatMap(({ name, role }) => (role === 'proof' ? [name] : [])), ['yosys-wasm']);
});

test('named alone, the installed prover is not stood in for', posix, async () => {
  const result = await run(counter('n + 1'), counter("n - 4'hf"), 'yosys');
  assert.equal(result.verdict, 'tool-error', result.reason);
  assert.match(result.problems.map(({ message }) => message).join(), /syntax error/);
});
