import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from '../../../server/src/base/similar.ts';

test('a name was meant to be one that is few edits away', () => {
  assert.equal(nearest('clkk', ['rst', 'clk']), 'clk');
  assert.equal(nearest('COUNT', ['cnt', 'count']), 'count');
  assert.equal(nearest('data', ['addr', 'write_enable']), undefined);
});

test('one letter was not meant to be another one', () => {
  assert.equal(nearest('x', ['y', 'ab']), undefined);
  assert.equal(nearest('x', ['y', 'X']), 'X');
});
