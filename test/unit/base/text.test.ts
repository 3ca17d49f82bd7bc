import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginningOf, grouped, LineIndex, withLineFeeds } from '../../../server/src/base/text.ts';

test('a carriage return that stands alone ends a line, and no place moves', () => {
  for (const text of ['a\rb', 'a\r\nb', 'a\n\rb', '\r', '\r\r\n\r', 'plain\n', '']) {
    const read = withLineFeeds(text);
    assert.equal(read.length, text.length);
    assert.doesNotMatch(read, /\r(?!\n)/);
    const [before, after] = [new LineIndex(text), new LineIndex(read)];
    for (let offset = 0; offset <= text.length; offset++) assert.deepEqual(after.position(offset), before.position(offset), JSON.stringify(text));
  }
});

test('the beginning of a text ends between characters', () => {
  assert.equal(beginningOf('ab😀c', 3), 'ab');
  assert.equal(beginningOf('ab😀c', 4), 'ab😀');
  assert.equal(beginningOf('abc', 2), 'ab');
  assert.equal(beginningOf('ab', 5), 'ab');
  assert.equal(beginningOf('a\ud83d', 2), 'a\ud83d');
});

test('digits stand in threes', () => {
  const cases: readonly (readonly [number, string])[] = [[0, '0'], [7, '7'], [999, '999'], [1000, '1,000'], [12_345, '12,345'], [123_456, '123,456'], [1_234_567, '1,234,567'], [1_000_000_000, '1,000,000,000']];
  for (const [value, text] of cases) assert.equal(grouped(value), text);
});
