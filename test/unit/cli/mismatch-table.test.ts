import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { mismatchTable, type Counterexample } from '../../../server/src/cli/mismatch-table.ts';
import type { WitnessStep } from '../../../server/src/verification/verdict.ts';
import { counterMismatch, counterWitness } from './result.ts';

/** A combinational witness: one row a vector, every value given by name. */
function vectors(rows: readonly { readonly in: Record<string, string>; readonly exp: Record<string, string>; readonly got: Record<string, string> }[], differing: readonly string[]): Counterexample {
  const witness = rows.map((row, step): WitnessStep => ({ step, cycle: step, phase: 'settled', inputs: row.in, expected: row.exp, actual: row.got }));
  return { witness, clocks: [], mismatch: { ...counterMismatch(1), differing } };
}

describe('mismatch table', () => {
  test('without a clock the rows are vectors and a single row shows all its inputs', () => {
    const table = mismatchTable(vectors([{ in: { a: '00001111', b: '1' }, exp: { y: '1' }, got: { y: '0' } }], ['y']), 80);
    assert.deepEqual(table.lines, ['  vector  a      b  expected y  got', ">      0  8'h0f  1  1           0"]);
    assert.deepEqual(table.otherInputs, []);
  });

  test('two differing outputs have columns, more are named', () => {
    const values = { p: '0', q: '0', r: '0' };
    const table = mismatchTable(vectors([{ in: { a: '0' }, exp: values, got: { p: '1', q: '1', r: '1' } }], ['p', 'q', 'r']), 80);
    assert.match(table.lines[0] ?? '', /expected p {2}got {2}expected q {2}got$/);
    assert.deepEqual(table.otherOutputs, ['r']);
  });

  test('what does not fit moves out of the table with its value', () => {
    const inputs = (bit: string) => Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`input_${at}`, bit.repeat(32)]));
    const table = mismatchTable(vectors([{ in: inputs('0'), exp: { y: '0' }, got: { y: '0' } }, { in: inputs('1'), exp: { y: '0' }, got: { y: '1' } }], ['y']), 60);
    assert.ok(table.lines.every((line) => line.length <= 60), table.lines.join('\n'));
    assert.ok(table.otherInputs.includes("input_29=32'hffffffff"));
  });

  test('with several clocks each is shown, a single one is not', () => {
    const witness = counterWitness(2);
    const one = { port: 'clk', bit: undefined, edges: ['posedge'] } as const;
    const header = (clocks: Counterexample['clocks']) => mismatchTable({ witness, clocks, mismatch: counterMismatch(2) }, 80).lines[0] ?? '';
    assert.doesNotMatch(header([one]), /clk/);
    assert.match(header([one, { ...one, port: 'en' }]), /clk {2,}.*en/);
  });

  test('law: every input is in the table or beside it, and the table keeps to its width where it can', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/);
    const row = fc.uniqueArray(name, { maxLength: 12 }).chain((names) => fc.array(fc.tuple(...names.map(() => fc.stringMatching(/^[01xz]{1,40}$/))).map((values) => Object.fromEntries(names.map((key, at) => [key, values[at] ?? '']))), { minLength: 1, maxLength: 9 }));
    fc.assert(fc.property(row, fc.integer({ min: 60, max: 140 }), (rows, columns) => {
      const example = vectors(rows.map((values) => ({ in: values, exp: { out: '0' }, got: { out: '1' } })), ['out']);
      const table = mismatchTable(example, columns);
      const shown = new Set([...(table.lines[0] ?? '').split(/ {2,}/), ...table.otherInputs.map((text) => text.split('=')[0] ?? '')]);
      for (const key of Object.keys(rows[0] ?? {})) assert.ok(shown.has(key), key);
      assert.ok(table.lines.every((line) => line.length <= columns));
      assert.equal(table.lines.filter((line) => line.startsWith('>')).length, 1);
    }));
  });
});
