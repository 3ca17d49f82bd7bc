import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainWords } from '../../../server/src/verification/compiler-words.ts';

test('common messages of the compiler become words that say what to do', () => {
  assert.equal(plainWords('q is not a valid l-value in counter.'), "'q' is no variable, and only variables can be assigned in a procedural block; declare it as reg or logic.");
  assert.equal(plainWords("Unable to bind wire/reg/memory `step' in `counter'"), "'step' is not declared in 'counter'; declare it, or correct the name.");
  assert.equal(plainWords('Unknown module type: leaf'), 'Module leaf is not defined in these files, beside them or in the include folders; add the file that defines it.');
  assert.equal(plainWords('syntax error'), 'syntax error');
});
