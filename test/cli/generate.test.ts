import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { PlacedResult } from '../../server/src/cli/generate.ts';
import { Bench, type Json } from './program.ts';

const documented = new Set([...readFileSync(path.join(import.meta.dirname, '../../docs/json.md'), 'utf8').matchAll(/`([A-Za-z-]+)`/g)].map((match) => match[1]));
const and = '// a b || y\n// 0 - || 0\n// 1 0 || 0\n// 1 1 || 1\n';
const toggle = 'A (out=0) --in=0--> A\nA (out=0) --in=1--> B\nB (out=1) --in=0--> B\nB (out=1) --in=1--> A\nreset state: A\n';

describe('rtl-copilot generate', () => {
  test('from a comment above a header: the code on standard output, the rest on standard error', async () => {
    using bench = new Bench({ 'm.v': `${and}module both(input a, input b, output y);\nendmodule\n` });
    const { code, out, err } = await bench.run(['generate', '--from', 'm.v:2']);
    assert.equal(out, 'module both(input a, input b, output y);\n\n    assign y = a & b;\n\nendmodule\n');
    assert.match(err, /^✓ (?:Proved equal to its truth table for every input|No difference from its truth table for any input)/);
    assert.equal(code, 0);
  });

  test('what is printed is what a simulator and a prover find to follow the table', async () => {
    using bench = new Bench({ 'm.v': `/* ${toggle}The reset is synchronous, active high. */\n` });
    const { code, out } = await bench.run(['generate', '--from', 'm.v:1', '--module', 'toggle', '--encoding', 'one-hot']);
    assert.equal(code, 0);
    using pair = new Bench({ 'dut.v': out, 'golden.v': 'module toggle(input clk, reset, in, output reg out);\n  always @(posedge clk) out <= reset ? 0 : out ^ in;\nendmodule\n' });
    const same = await pair.run(['verify', '--dut', 'dut.v', '--golden', 'golden.v']);
    assert.equal(same.code, 0, same.out);
    using flipped = new Bench({ 'dut.v': out, 'golden.v': 'module toggle(input clk, reset, in, output reg out);\n  always @(posedge clk) out <= reset ? 0 : out ^ ~in;\nendmodule\n' });
    assert.equal((await flipped.run(['verify', '--dut', 'dut.v', '--golden', 'golden.v'])).code, 1);
  });

  test('the embedded engine alone is enough', async () => {
    using bench = new Bench({});
    const { code, out, err } = await bench.run(['generate', '--spec', 'ab\\c | 0 1\n00 | 0 0\n01 | 0 1\n11 | 1 1\n10 | 0 1', '--engine', 'yosys-wasm']);
    assert.match(out, /assign f = \(a & b\) \| \(a & c\) \| \(b & c\);/);
    assert.match(err, /✓ Proved equal to its Karnaugh map for every input/);
    assert.equal(code, 0);
  });

  test('a header of a file with several modules, chosen by name', async () => {
    using bench = new Bench({ 'm.v': and, 'headers.v': 'module one(input x);\nendmodule\nmodule two(output reg y, input b, a);\nendmodule\n' });
    const { out } = await bench.run(['generate', '--from', 'm.v:1', '--header', 'headers.v', '--module', 'two']);
    assert.match(out, /^module two\(output reg y, input b, a\);\n[^]*y = b & a;/);
    assert.match((await bench.run(['generate', '--from', 'm.v:1', '--header', 'headers.v'])).err, /2 modules \(one, two\); choose one with --module/);
  });

  test('mistakes at their cells, and no code', async () => {
    using bench = new Bench({ 'm.v': '// The lamp.\n//   a b || y\n//   0 0 || 0\n//   0 2 || 0\n//   0 0 || 1\n' });
    const { code, out, err } = await bench.run(['generate', '--from', 'm.v:1']);
    assert.equal(out, '');
    assert.match(err, /^m\.v:4:8: error: '2' is no value/);
    assert.match(err, /✗ No module is offered/);
    assert.equal(code, 3);
    const spec = await bench.run(['generate', '--spec', 'a b || y\n0 0 || 0\n0 0 || 1']);
    assert.match(spec.err, /^spec:3:8: error: 'y' is 1 here, but row 1 says 0/);
  });

  test('a comment without a table', async () => {
    using bench = new Bench({ 'm.v': '// An adder of two numbers.\n' });
    const { code, out, err } = await bench.run(['generate', '--from', 'm.v:1', '--endpoint', 'http://127.0.0.1:1']);
    assert.deepEqual([code, out], [3, '']);
    assert.match(err, /holds no table, so a model has to write the module/);
  });

  test('--json: every field is documented; a mistake has its place', async () => {
    using bench = new Bench({ 'm.v': and, 'wrong.v': '// a b || y\n// 0 0 || 0\n// 0 0 || 1\n' });
    const { code, out, err } = await bench.run(['generate', '--from', 'm.v:1', '--json']);
    assert.deepEqual([code, err], [0, '']);
    const result = JSON.parse(out) as Json<PlacedResult>;
    assert.deepEqual(Object.keys(result), ['schema', 'origin', 'outcome', 'reason', 'module', 'code', 'table', 'problems', 'notes', 'verification']);
    assert.deepEqual([result.outcome, result.table?.form, result.table?.inputs, result.problems], ['verified', 'truth table', ['a', 'b'], []]);
    for (const key of [...Object.keys(result), ...Object.keys(result.table ?? {})]) assert.ok(documented.has(key), key);
    const wrong = JSON.parse((await bench.run(['generate', '--from', 'wrong.v:1', '--json'])).out) as Json<PlacedResult>;
    assert.deepEqual(wrong.problems.map(({ file, line, character, code: kind }) => ({ file: path.basename(file ?? ''), line, character, kind })), [{ file: 'wrong.v', line: 2, character: 10, kind: 'contradiction' }]);
    for (const key of Object.keys(wrong.problems[0] ?? {})) assert.ok(documented.has(key), key);
  });

  for (const [args, message] of [
    [[], /Name one text/],
    [['--from', 'm.v'], /write FILE:LINE/],
    [['--from', 'm.v:99'], /has only/],
    [['--from', 'gone.v:1'], /cannot be read/],
    [['--from', 'plain.v:1'], /no comment/],
    [['--from', 'm.v:1', '--encoding', 'octal'], /the encodings are binary, one-hot, gray/],
    [['--from', 'm.v:1', '--reset', 'r:up'], /write NAME, then :high or :low/],
    [['--spec', 'a', '-'], /Name one text/],
    [['--from', 'm.v:1', '--header', 'plain.v', '--module', 'n'], /no header of the module n/],
  ] as const) {
    test(`usage: generate ${args.join(' ')}`, async () => {
      using bench = new Bench({ 'm.v': and, 'plain.v': 'module m(input a);\nendmodule\n' });
      const { code, out, err } = await bench.run(['generate', ...args]);
      assert.deepEqual([code, out], [3, '']);
      assert.match(err, message);
    });
  }
});
