import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginningOf, LineIndex, withLineFeeds } from '../../../server/src/base/text.ts';

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
