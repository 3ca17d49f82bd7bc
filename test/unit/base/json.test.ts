import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonStrings } from '../../../server/src/base/json.ts';

test('strings of a JSON text are found with their places and the way to them', () => {
  const text = '{ "a": ["x", 1, { "b{": "y\\"," }], "c": { "d": null, "e": "z" } }';
  const found = jsonStrings(text).map(({ value, path, isKey }) => `${path.join('/')}${isKey ? ' key' : ''} ${value}`);
  assert.deepEqual(found, [' key a', 'a/0 x', 'a/2 key b{', 'a/2/b{ y",', ' key c', 'c key d', 'c key e', 'c/e z']);
  assert.deepEqual(jsonStrings('{ "a": "b" '), []);
});

test('each string stands where it is said to stand, and the way leads to it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text);
      for (const { value: string, span, path, isKey } of jsonStrings(text)) {
        assert.equal(JSON.parse(`"${text.slice(span.start, span.end)}"`), string);
        const there = path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value);
        assert.ok(isKey ? Object.keys(there as object).includes(string) : typeof there === 'string');
      }
    }),
  );
});
