import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ScriptedServer, reply } from '../model/harness.ts';
import { inTurn, said } from '../model/module-run.ts';
import { Bench, ended, noPrograms, until } from './program.ts';

let scripted: ScriptedServer;
before(async () => {
  scripted = await ScriptedServer.start();
});
after(() => scripted[Symbol.asyncDispose]());

const documented = new Set([...readFileSync(path.join(import.meta.dirname, '../../docs/json.md'), 'utf8').matchAll(/`([A-Za-z-]+)`/g)].map((match) => match[1]));
const header = 'module both(input a, input b, output y);';
const right = `${header}\n  assign y = a & b;\nendmodule`;
const files = {
  'all.f': '+incdir+inc\nlib/parts.v\n',
  'lib/parts.v': '`include "and.vh"\nmodule leaf(input a, b, output y); assign y = `AND(a, b); endmodule\n',
  'inc/and.vh': '`define AND(p, q) (p & q)\n',
  'm.v': `// y is one when a and b are, as a leaf does it.\n${header}\nendmodule\n`,
  'golden.v': 'module golden(input a, b, output y); assign y = a & b; endmodule\n',
  'tb.v': 'module tb; reg a = 1, b = 0; wire y; both dut(a, b, y); initial #1 if (y === 0) $display("PASS"); else $display("FAIL"); endmodule\n',
};
const questions = ['GET /v1/models', 'GET /props', 'GET /api/ps', 'GET /api/v0/models'].map((request) => ({
  request,
  steps: request === 'GET /v1/models' ? reply(200, { data: [{ id: 'CodeV-R1-7B' }] }) : reply(404, { error: 'no such path' }),
}));

/** Generates from the comment of `m.v`; the model says these modules one after the other. */
async function generate(codes: readonly string[], ...args: readonly string[]): Promise<{ code: number | null; out: string; err: string; bodies: string[] }> {
  await scripted.script(...questions, ...inTurn(...codes.map((code) => said(code, 'First I think.\nThen I write.'))));
  using bench = new Bench(files);
  const outcome = await bench.run(['generate', '--from', 'm.v:1', '--endpoint', scripted.endpoint.root, ...args]);
  const { requests } = await scripted.settled();
  return { ...outcome, bodies: requests.filter(({ request }) => request.startsWith('POST')).map(({ body }) => body) };
}

describe('rtl-copilot generate with a model', () => {
  test('verified against a golden: code 0, the code on standard output, reasoning and outcome on standard error', async () => {
    const { code, out, err, bodies } = await generate([right], '--golden', 'golden.v');
    assert.deepEqual([code, out], [0, `${right}\n`], err);
    assert.match(err, /^Model CodeV-R1-7B at http[^]*Sample 1 of 4\nFirst I think\.\nThen I write\.\n[^]*✓ The module both: proved equivalent\.\n$/);
    assert.match(JSON.stringify(JSON.parse(bodies[0] ?? '')), /y is one when a and b are[^]*module both\(input a, input b, output y\);/);
  });

  test('checked by a testbench: code 0', async () => {
    const { code, err } = await generate([right.replace('a & b', 'a | b'), right], '--testbench', 'tb.v', '--quiet');
    assert.deepEqual([code, err], [0, '✓ The module both: compiles, interface matches, the testbench passed.\n']);
  });

  test('only compiled: code 2, with the vote', async () => {
    const { code, out, err } = await generate([right, right.replace('a & b', 'a ^ b'), right.replace('a & b', 'b & a')], '-n', '3');
    assert.deepEqual([code, out], [2, `${right}\n`]);
    assert.match(err, /\? The module both: compiles, interface matches, 2 of 3 agree\.\n$/);
  });

  test('the modules of a file list are told to the model and compiled with its code', async () => {
    const code = `${header}\n  leaf u(.a(a), .b(b), .y(y));\nendmodule`;
    const { code: exit, out, err, bodies } = await generate([code], '--golden', 'golden.v', '-f', 'all.f');
    assert.deepEqual([exit, out], [0, `${code}\n`], err);
    assert.match(bodies[0] ?? '', /module leaf/);
    const missing = await generate([code], '--golden', 'golden.v', '-f', 'none.f');
    assert.deepEqual([missing.code, missing.out], [3, '']);
    assert.match(missing.err, /none\.f/);
  });

  test('nothing comes of it: code 3 and the reason', async () => {
    const { code, out, err } = await generate([right.replace('a & b', 'c')], '-n', '1', '--repairs', '0');
    assert.deepEqual([code, out], [3, '']);
    assert.match(err, /✗ The sample came to nothing\. The last one ended here: The code does not\s+compile: /);
  });

  test('--json: every field is documented', async () => {
    const { code, out } = await generate([right.replace('a & b', 'a | b'), right], '--golden', 'golden.v', '--json');
    const result = JSON.parse(out) as { candidates: object[]; rejected: object[] };
    assert.equal(code, 0);
    assert.deepEqual(Object.keys(result), ['schema', 'origin', 'outcome', 'reason', 'module', 'code', 'confidence', 'candidates', 'rejected', 'failure', 'model', 'elapsedMs', 'checkMs']);
    for (const key of [result, ...result.candidates, ...result.rejected].flatMap((item) => Object.keys(item))) assert.ok(documented.has(key), key);
  });

  test('no server: the command that starts one', async () => {
    using bench = new Bench(files);
    const { code, out, err } = await bench.run(['generate', '--from', 'm.v:1', '--endpoint', 'http://127.0.0.1:1']);
    assert.deepEqual([code, out], [3, '']);
    assert.match(err.replace(/\s+/g, ' '), /a model has to write the module\. No model server runs at http:\/\/127\.0\.0\.1:1; start one with `llama-server -m MODEL\.gguf --jinja --port 1`\./);
  });

  test('another machine is refused unless it is named', async () => {
    using bench = new Bench(files);
    const { code, err } = await bench.run(['generate', '--from', 'm.v:1', '--endpoint', 'https://models.example.com/v1']);
    assert.equal(code, 3);
    assert.match(err.replace(/\s+/g, ' '), /models\.example\.com/);
  });

  test('without any simulator the embedded engine compiles and proves', async () => {
    await scripted.script(...questions, ...inTurn(said(right.replace('a & b', 'a & & b')), said(right)));
    using bench = new Bench(files);
    const { code, err } = await bench.run(['generate', '--from', 'm.v:1', '--endpoint', scripted.endpoint.root, '--golden', 'golden.v', '-q'], noPrograms);
    assert.deepEqual([code, err.replace(/^Note: [^✓]*/, '')], [0, '✓ The module both: proved equivalent.\n']);
  });

  test('an interrupt leaves no request on the server', { skip: process.platform === 'win32' }, async () => {
    await scripted.script(...questions, { request: 'POST /v1/chat/completions', steps: [{ do: 'head', status: 200, headers: { 'content-type': 'text/event-stream' } }, { do: 'hang' }] });
    using bench = new Bench(files);
    const child = bench.start(['generate', '--from', 'm.v:1', '--endpoint', scripted.endpoint.root]);
    const end = ended(child);
    while (!(await scripted.report()).requests.some(({ request }) => request.startsWith('POST'))) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill('SIGINT');
    assert.equal((await end).code, 130);
    await scripted.settled();
    bench.assertClean();
  });

  test('an interrupt while a module is tried leaves nothing behind', { skip: process.platform === 'win32' }, async () => {
    const endless = `${header}\n  reg r = 0;\n  always @(a or b) while (a) r = ~r;\n  assign y = r;\nendmodule`;
    await scripted.script(...questions, ...inTurn(said(endless)));
    using bench = new Bench(files);
    const child = bench.start(['generate', '--from', 'm.v:1', '--endpoint', scripted.endpoint.root, '--golden', 'golden.v', '-n', '1']);
    const end = ended(child);
    await until(() => bench.processes().some((text) => /\bvvp\b/.test(text)));
    child.kill('SIGINT');
    assert.equal((await end).code, 130);
    await until(() => bench.processes().length === 0);
    bench.assertClean();
  });
});
