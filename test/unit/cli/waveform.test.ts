import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { columnsOf } from '../../../server/src/cli/layout.ts';
import { waveform, type WaveformSource } from '../../../server/src/cli/waveform.ts';
import type { WitnessStep } from '../../../server/src/verification/verdict.ts';
import { counterMismatch, counterWitness } from './result.ts';

const clk = { port: 'clk', bit: undefined, edges: ['posedge'] } as const;

/** Draws one signal `s` over the given values and returns its line without the label. */
function line(values: readonly string[]): string {
  const witness = values.map((bits, step): WitnessStep => ({ step, cycle: step, phase: 'settled', inputs: { s: bits }, expected: {}, actual: {} }));
  const lines = waveform({ witness, clocks: [], mismatch: undefined }, { columns: 80 });
  return (lines.find((text) => text.startsWith('s ')) ?? '').replace(/^\S+(?: \d+'\w)? +/, '');
}

describe('waveform', () => {
  test('a counter that goes wrong, in full', () => {
    assert.deepEqual(waveform({ witness: counterWitness(3), clocks: [clk], mismatch: counterMismatch(3) }, { columns: 60 }), [
      'cycle          0  1        2     3',
      'clk           ░░░▔▔▔╲▁▁▁▁▁╱▔▔╲▁▁╱▔▔',
      'rst_n         ▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔',
      'en            ▁▁▁▁▁▁▁▁▁╱▔▔▔▔▔▔▔▔▔▔▔',
      "mode 8'h      ═00══════════════════",
      "q golden 8'h  ═00╳01══════╳02═══╳03",
      "q DUT 8'h     ═00╳01══════╳02═══╳0X",
      'full          ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁',
      " expected 8'h03, got 8'b000000x1 ▲",
    ]);
  });

  test('scalars: levels, edges, unknown and high impedance', () => {
    assert.equal(line(['0', '1', '0', 'x', 'z', '1']), '▁▁▁╱▔▔╲▁▁░░░┄┄┄▔▔▔');
  });

  test('vectors: four bits in binary, more in hexadecimal, a digit that is unknown in part is X', () => {
    assert.equal(line(['0110', '01x0']), '═0110╳01x0');
    assert.equal(line(['11111', '10000']), '═1f╳10');
    assert.equal(line(['0000x000', 'xxxx1111', 'zzzz000z']), '═0X╳xf╳zZ');
  });

  test('a value without room is cut', () => {
    assert.equal(line(['0'.repeat(64), '1'.repeat(64)]), '═00000000…╳ffffffff…');
  });

  test('a clock that stands still while cycles pass is not drawn', () => {
    const witness = [0, 1].map((cycle): WitnessStep => ({ step: cycle, cycle, phase: 'settled', inputs: { clk: '0', d: '1' }, expected: {}, actual: {} }));
    const labels = waveform({ witness, clocks: [clk], mismatch: undefined }, { columns: 80 }).map((text) => text.split(' ')[0]);
    assert.deepEqual(labels, ['cycle', 'd']);
  });

  test('no witness, no drawing', () => {
    assert.deepEqual(waveform({ witness: [], clocks: [], mismatch: undefined }, { columns: 80 }), []);
  });

  test('the last samples win when there is no room', () => {
    const lines = waveform({ witness: counterWitness(40), clocks: [clk], mismatch: counterMismatch(40) }, { columns: 50 });
    assert.match(lines[0] ?? '', /… \d+ earlier samples left out/);
    assert.match(lines.find((text) => text.startsWith('cycle')) ?? '', / 40$/);
  });

  test('law: no line is wider than the terminal, and every signal is drawn to the same length', () => {
    const bits = fc.stringMatching(/^[01xz]{7}$/);
    const step = fc.record({ a: fc.constantFrom('0', '1', 'x', 'z'), b: bits, y: bits, z: bits });
    fc.assert(fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), fc.integer({ min: 60, max: 120 }), (steps, columns) => {
      const witness = steps.map(({ a, b, y, z }, at): WitnessStep => ({ step: at, cycle: at, phase: 'settled', inputs: { a, b }, expected: { y }, actual: { y: z } }));
      const source: WaveformSource = { witness, clocks: [], mismatch: { ...counterMismatch(1), differing: ['y'] } };
      const lines = waveform(source, { columns });
      assert.ok(lines.every((text) => columnsOf(text) <= columns), lines.join('\n'));
      const drawn = lines.filter((text) => /^[aby] /.test(text)).map(columnsOf);
      assert.equal(drawn.length, 4);
      assert.equal(new Set(drawn).size, 1);
    }));
  });
});
