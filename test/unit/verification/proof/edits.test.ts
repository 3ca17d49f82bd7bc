import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withEdits } from '../../../../server/src/verification/proof/edits.ts';

test('pieces of a text are replaced in the order of their places', () => {
  const edits = [{ start: 5, end: 6, replacement: 'F' }, { start: 1, end: 3, replacement: '' }, { start: 4, end: 4, replacement: '1' }, { start: 4, end: 4, replacement: '2' }];
  assert.equal(withEdits('abcdefg', edits), 'ad12eFg');
  assert.equal(withEdits('abcdefg', edits.slice(0, 1), 4, 6), 'eF');
  assert.equal(withEdits('abc', []), 'abc');
});
