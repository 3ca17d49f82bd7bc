import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { readAhead } from '../../../server/src/base/ahead.ts';

async function* upTo(end: number): AsyncGenerator<number> {
  for (let item = 0; item < end; item++) {
    await setImmediate();
    yield item;
  }
}

test('what is read ahead comes in its order, and no more at once than that', async () => {
  let [reading, most] = [0, 0];
  const read = async (item: number): Promise<string> => {
    most = Math.max(most, ++reading);
    for (let count = 0; count < 5 - (item % 5); count++) await setImmediate();
    reading--;
    return `read ${item}`;
  };
  const given: (readonly [number, string])[] = [];
  for await (const each of readAhead(upTo(20), 4, read)) given.push(each);
  assert.deepEqual(given, Array.from({ length: 20 }, (_, item) => [item, `read ${item}`]));
  assert.equal(most, 4);
});

test('a search that is left reads no further', async () => {
  const read: number[] = [];
  for await (const [item] of readAhead(upTo(20), 4, (each) => Promise.resolve(read.push(each)))) if (item === 2) break;
  assert.deepEqual(read, [0, 1, 2, 3, 4, 5]);
});
