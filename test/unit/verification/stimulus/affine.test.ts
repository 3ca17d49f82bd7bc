import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancelling, withFlips } from '../../../../server/src/verification/stimulus/affine.ts';

test('the changes are found that cancel a difference together', () => {
  assert.deepEqual(cancelling(0b101n, [0b110n, 0b011n, 0b100n]), [0, 1]);
  assert.deepEqual(cancelling(0n, [0b1n]), []);
  assert.equal(cancelling(0b100n, [0b011n, 0b001n]), undefined);
  assert.deepEqual(cancelling(1n << 63n, [1n, (1n << 63n) | 1n]), [0, 1]);
});

test('a change that comes first is preferred to one with the same effect', () => {
  assert.deepEqual(cancelling(0b1n, [0b1n, 0b1n]), [0]);
});

test('single bits of single rows are changed', () => {
  const rows = new Uint8Array([0, 0, 0, 0]);
  assert.deepEqual([...withFlips(rows, 2, [{ row: 0, bit: 9 }, { row: 1, bit: 0 }])], [2, 0, 0, 1]);
  assert.deepEqual([...rows], [0, 0, 0, 0]);
});
