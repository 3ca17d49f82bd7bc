import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, divide, lessThan, multiply, subtract, type Word } from '../../../../server/src/verification/proof/arithmetic.ts';
import { Aig, FALSE, not, TRUE, type Literal } from '../../../../server/src/verification/proof/aig.ts';

test('what needs no node gets none, and equal ands are one node', () => {
  const aig = new Aig();
  const [a, b] = [aig.input(), aig.input()];
  const before = aig.size;
  assert.deepEqual([aig.and(a, FALSE), aig.and(TRUE, a), aig.and(a, a), aig.and(a, not(a)), aig.or(b, TRUE), aig.mux(TRUE, a, b)], [FALSE, a, a, FALSE, TRUE, b]);
  assert.equal(aig.size, before);
  assert.equal(aig.and(a, not(b)), aig.and(not(b), a));
  assert.equal(aig.size, before + 1);
});

test('a graph in the binary AIGER format', () => {
  const aig = new Aig();
  // The latch is made before the input, which the format has the other way round.
  const toggle = aig.latch();
  const enable = aig.input();
  toggle.setNext(aig.xor(toggle.value, enable));
  const text = Buffer.from(aig.toAiger(not(toggle.value))).toString('latin1');
  assert.equal(text, 'aig 5 1 1 1 3\n11\n5\n\u0002\u0001\u0003\u0003\u0001\u0002');
});

test('a counter counts when it is simulated', () => {
  const aig = new Aig();
  const bits = [aig.latch(), aig.latch(), aig.latch()];
  const count = bits.map(({ value }) => value);
  const next = add(aig, count, [aig.input(), FALSE, FALSE]);
  bits.forEach(({ setNext }, index) => setNext(next[index] ?? FALSE));
  const frames = [1, 1, 0, 1, 1, 1, 1, 1, 1].map((enable) => [enable === 1]);
  const values = aig.simulate(frames, count)?.map((frame) => frame.reduce((sum, bit, index) => sum + (bit ? 2 ** index : 0), 0));
  assert.deepEqual(values, [0, 1, 2, 2, 3, 4, 5, 6, 7]);
});

/** All results of an operation on two words of `width` bits, by simulation. */
function check(width: number, compute: (aig: Aig, a: Word, b: Word) => readonly Literal[], expected: (a: number, b: number) => number): void {
  const aig = new Aig();
  const word = (): Literal[] => Array.from({ length: width }, () => aig.input());
  const result = compute(aig, word(), word());
  const all = Array.from({ length: 4 ** width }, (_, index) => index);
  const frames = all.map((index) => Array.from({ length: 2 * width }, (_, bit) => ((index >> bit) & 1) === 1));
  aig.simulate(frames, result)?.forEach((bits, index) => {
    const [a, b] = [index % 2 ** width, Math.floor(index / 2 ** width)];
    const mask = 2 ** result.length - 1;
    assert.equal(bits.reduce((sum, bit, at) => sum + (bit ? 2 ** at : 0), 0), expected(a, b) & mask, `${a}, ${b}`);
  });
}

test('arithmetic on all words of four bits', () => {
  const signed = (value: number): number => (value >= 8 ? value - 16 : value);
  check(4, add, (a, b) => a + b);
  check(4, subtract, (a, b) => a - b);
  check(4, multiply, (a, b) => a * b);
  check(4, (aig, a, b) => [lessThan(aig, a, b, false)], (a, b) => Number(a < b));
  check(4, (aig, a, b) => [lessThan(aig, a, b, true)], (a, b) => Number(signed(a) < signed(b)));
  check(4, (aig, a, b) => divide(aig, a, b, false).quotient, (a, b) => (b === 0 ? 15 : Math.floor(a / b)));
  check(4, (aig, a, b) => divide(aig, a, b, true).remainder, (a, b) => (b === 0 ? a : signed(a) % signed(b)));
});
