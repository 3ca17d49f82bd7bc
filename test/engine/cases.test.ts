import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { loadDesign } from '../../server/src/analysis/load.ts';
import { diskFiles } from '../../server/src/base/files.ts';
import { Parser } from '../../server/src/syntax/parser.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import type { VerifyResult } from '../../server/src/verification/verdict.ts';
import { verify } from '../../server/src/verification/verify.ts';

const parser = await Parser.create();
const toolbox = createToolbox({ iverilog: '', yosys: '' });
const directory = mkdtempSync(path.join(tmpdir(), 'cases-test-'));
after(() => {
  rmSync(directory, { recursive: true, force: true });
});

const golden = 'module m(input clk, input rst, input [15:0] d, output reg [3:0] q);\nalways @(posedge clk) if (rst) q <= 4\'d3; else if (d == 16\'hbeef) q <= q + 4\'d1;\nendmodule\n';

function run(dut: string, saveCase: boolean): Promise<VerifyResult> {
  writeFileSync(path.join(directory, 'golden.v'), golden);
  writeFileSync(path.join(directory, 'dut.v'), dut);
  const options = { clocks: [], resets: [], cycles: 500, seed: 1, timeoutMs: 30_000, engine: 'auto' as const, prove: false, saveCase };
  const side = (file: string) => ({ file: path.join(directory, file), module: 'm' });
  return verify({ golden: side('golden.v'), dut: side('dut.v'), options }, { load: (input) => loadDesign(input, { parser, files: diskFiles }), toolbox }, {});
}

test('a counterexample that was saved is tried first from then on', async () => {
  const faulty = golden.replace('q + 4\'d1', 'q + 4\'d2');
  const none = await run(golden, true);
  assert.equal(none.artefacts.caseFile, undefined);
  assert.match(none.notes.join(' '), /No case was saved/);
  const first = await run(faulty, true);
  assert.equal(first.verdict, 'different');
  assert.equal(first.artefacts.caseFile, path.join(directory, 'golden.cases.json'));
  const again = await run(faulty, false);
  assert.equal(again.verdict, 'different');
  assert.match(again.notes.join(' '), /A saved case shows it: q was/);
  assert.deepEqual(again.mismatch, first.mismatch);
  assert.ok((again.evidence?.steps ?? 1000) < 100, 'nothing but the case was run');
  const repaired = await run(golden, false);
  assert.equal(repaired.verdict, 'no-difference');
  assert.match(repaired.notes.join(' '), /No difference in 1 saved case/);
  assert.deepEqual(readdirSync(directory).sort(), ['dut.v', 'golden.cases.json', 'golden.v']);
  writeFileSync(path.join(directory, 'golden.cases.json'), '{');
  assert.equal((await run(golden, false)).verdict, 'bad-input');
});
