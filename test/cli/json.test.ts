import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Bench, sides } from './program.ts';

const documented = new Set([...readFileSync(path.join(import.meta.dirname, '../../docs/json.md'), 'utf8').matchAll(/`([A-Za-z-]+)`/g)].map((match) => match[1]));
/** Objects whose keys are names of the design. */
const byPort = new Set(['inputs', 'expected', 'actual']);

function keysOf(value: unknown, inside = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => keysOf(item, inside));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) => [...(byPort.has(inside) ? [] : [key]), ...keysOf(field, key)]);
}

function checkDocumented(text: string): Set<string> {
  const keys = new Set(keysOf(JSON.parse(text)));
  assert.deepEqual([...keys].filter((key) => !documented.has(key)), []);
  return keys;
}

const adder = 'module adder(input [3:0] a, b, output [4:0] y, output zero); assign y = a + b; assign zero = y == 0; endmodule\n';
const flop = 'module flop(input clk, rst, d, output reg q); always @(posedge clk) if (rst) q <= 0; else q <= d; endmodule\n';

describe('every field of the JSON output is documented', () => {
  test('verify: different, with clock and reset', async () => {
    using bench = new Bench({ 'dut.v': flop.replace('q <= d', 'q <= ~d'), 'golden.v': flop });
    const { out, result } = await bench.verify(sides);
    const keys = checkDocumented(out);
    for (const key of ['mismatch', 'pattern', 'span', 'phase', 'observedOutputBits', 'edges', 'kind', 'elapsedMs']) assert.ok(keys.has(key), key);
    assert.deepEqual(Object.keys(result), ['schema', 'verdict', 'reason', 'dut', 'golden', 'engines', 'clocks', 'resets', 'evidence', 'mismatch', 'witness', 'interfaceIssues', 'problems', 'notes', 'elapsedMs', 'artefacts']);
  });

  test('verify: the last sample of the witness is the mismatch', async () => {
    using bench = new Bench({ 'dut.v': adder.replace('a + b', 'a + b + (a == 9)'), 'golden.v': adder });
    const { result } = await bench.verify(sides);
    const last = result.witness.at(-1);
    assert.equal(result.verdict, 'different');
    assert.ok(last !== undefined && result.mismatch !== null);
    assert.equal(last.expected['y'], result.mismatch.expected);
    assert.equal(last.actual['y'], result.mismatch.actual);
    assert.deepEqual(last.inputs, result.mismatch.inputs);
    // The witness is checked against the design itself, not against the program's own opinion.
    const [a, b] = [Number.parseInt(last.inputs['a'] ?? '', 2), Number.parseInt(last.inputs['b'] ?? '', 2)];
    assert.equal(a, 9);
    assert.equal(Number.parseInt(result.mismatch.expected, 2), a + b);
    assert.equal(Number.parseInt(result.mismatch.actual, 2), (a + b + 1) % 32);
  });

  test('verify: interface mismatch and problems', async () => {
    using bench = new Bench({ 'dut.v': adder.replace('[4:0] y', '[3:0] y'), 'golden.v': adder, 'wrong.v': 'module m(;\n' });
    const mismatch = await bench.run(['verify', ...sides, '--json']);
    assert.ok(checkDocumented(mismatch.out).has('port'));
    const problem = await bench.run(['verify', '--dut', 'wrong.v', '--golden', 'golden.v', '--json']);
    assert.ok(checkDocumented(problem.out).has('side'));
  });

  test('check and doctor', async () => {
    using bench = new Bench({ 'wrong.v': 'module m(;\n' });
    assert.ok(checkDocumented((await bench.run(['check', 'wrong.v', '--json'])).out).has('severity'));
    assert.ok(checkDocumented((await bench.run(['doctor', '--json'])).out).has('install'));
  });
});
