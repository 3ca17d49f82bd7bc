import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BRACKETS, BracketTable, CLOSING } from '../../../server/src/syntax/brackets.ts';
import { randomFrom } from './mistakes.ts';

/** The definition: from a word on, the first bracket that closes more than was opened since, and the first `;` outside of what opens since. */
function readOn(words: readonly string[], from: number): { readonly closer: number | undefined; readonly semicolon: number } {
  let depth = 0;
  let semicolon = Infinity;
  for (let index = from; index < words.length; index++) {
    const word = words[index] ?? '';
    if (BRACKETS.has(word)) depth++;
    else if (CLOSING.has(word) && depth-- === 0) return { closer: index, semicolon };
    else if (word === ';' && depth === 0) semicolon = Math.min(semicolon, index);
  }
  return { closer: undefined, semicolon };
}

test('the table of brackets says what reading on from each word would find', () => {
  const random = randomFrom(5);
  const alphabet = ['(', ')', '[', ']', '{', '}', "'{", ';', 'a', ',', 'always'];
  for (let round = 0; round < 300; round++) {
    const words = Array.from({ length: 1 + Math.floor(random() * 30) }, () => alphabet[Math.floor(random() * alphabet.length)] ?? 'a');
    const table = new BracketTable(words.map((text) => ({ text })));
    for (const [index, word] of words.entries()) {
      const { closer } = readOn(words, index);
      assert.equal(table.around(index), closer, `around ${index} of ${words.join(' ')}`);
      const stops = words.findIndex((other, at) => at >= index && (other === ';' || other === 'always'));
      assert.equal(table.stop(index), stops < 0 ? words.length : stops);
      if (!BRACKETS.has(word)) continue;
      const inside = readOn(words, index + 1);
      const isWhole = inside.closer !== undefined && inside.semicolon > inside.closer;
      assert.equal(table.closing(index), isWhole ? inside.closer : undefined, `closing ${index} of ${words.join(' ')}`);
    }
  }
});
