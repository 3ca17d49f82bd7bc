import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differentReason } from '../../../server/src/verification/report.ts';

function reason(expected: string, actual: string): string {
  const mismatch = { output: 'q', cycle: 3, phase: 'clocked', expected, actual, inputs: {}, differing: ['q'], pattern: undefined, dut: undefined, golden: undefined } as const;
  return differentReason(mismatch, true);
}

test('a short value is told as a whole', () => {
  assert.equal(reason('01x0', '0110'), "Output 'q' is 4'b0110 where 4'b01x0 is expected, right after the clock edge of cycle 3.");
});

test('of a value that is too long to be shown, the bits are told that differ', () => {
  const unknown = 'x'.repeat(12);
  assert.equal(reason(`${unknown}1${unknown}`, `${'0'.repeat(12)}0${'1'.repeat(12)}`), "Bit 12 of output 'q' is 0 where 1 is expected, right after the clock edge of cycle 3.");
  const zeros = '0'.repeat(40);
  assert.equal(reason(`${zeros}10x1${zeros}`, `${zeros}0001${zeros}`), "Bit 43 of output 'q' is 0 where 1 is expected, right after the clock edge of cycle 3.");
  assert.equal(reason(`${zeros}1001${zeros}`, `${zeros}0000${zeros}`), "Output 'q' is 4'b0000 in bits 43 to 40 where 4'b1001 is expected, right after the clock edge of cycle 3.");
});
