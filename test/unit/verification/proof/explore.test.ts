import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Aig, FALSE, not, type Literal } from '../../../../server/src/verification/proof/aig.ts';
import { add } from '../../../../server/src/verification/proof/arithmetic.ts';
import { explore, exploreFar } from '../../../../server/src/verification/proof/explore.ts';

/** A counter of three bits that counts where its input is 1 and starts over at `last`. */
function counter(last: number): { aig: Aig; is: (value: number) => Literal } {
  const aig = new Aig();
  const bits = [aig.latch(), aig.latch(), aig.latch()];
  const enable = aig.input();
  const count = bits.map(({ value }) => value);
  const is = (value: number): Literal => count.reduce((all, bit, at) => aig.and(all, ((value >> at) & 1) === 1 ? bit : not(bit)), not(FALSE));
  const next = add(aig, count, [enable, FALSE, FALSE]);
  const wraps = aig.and(enable, is(last));
  bits.forEach(({ setNext }, at) => setNext(aig.and(not(wraps), next[at] ?? FALSE)));
  return { aig, is };
}

test('a state that is not reached never shows, one that is comes with the shortest way', () => {
  const { aig, is } = counter(4);
  assert.deepEqual(explore(aig, is(5)), { kind: 'never' });
  const reached = explore(aig, is(3));
  assert.ok(reached?.kind === 'reached');
  assert.equal(reached.frames.length, 4);
  assert.deepEqual(reached.frames.slice(0, 3), [[true], [true], [true]]);
});

test('a graph without latches is looked at for every assignment, in and beyond the first word', () => {
  for (const width of [1, 3, 5, 7, 12]) {
    const aig = new Aig();
    const word = Array.from({ length: width }, () => aig.input());
    const all = word.reduce((product, bit) => aig.and(product, bit), not(FALSE));
    assert.deepEqual(explore(aig, all), { kind: 'reached', frames: [word.map(() => true)] });
    // Twice a word is even.
    assert.deepEqual(explore(aig, add(aig, word, word)[0] ?? FALSE), { kind: 'never' });
    const none = word.reduce((product, bit) => aig.and(product, not(bit)), not(FALSE));
    assert.deepEqual(explore(aig, none), { kind: 'reached', frames: [word.map(() => false)] });
  }
});

test('what a frame of its own decides is not found in the frames before', () => {
  const aig = new Aig();
  const seen = aig.latch();
  const input = aig.input();
  seen.setNext(aig.or(seen.value, input));
  assert.deepEqual(explore(aig, aig.and(seen.value, not(input))), { kind: 'reached', frames: [[true], [false]] });
});

test('states that lie deep are all listed when there is time for it, and the way to the last one is the shortest', async () => {
  const aig = new Aig();
  const register = Array.from({ length: 15 }, () => aig.latch());
  const [enable, twice] = [aig.input(), aig.input()];
  const next = add(aig, register.map(({ value }) => value), [aig.and(enable, not(twice)), aig.and(enable, twice), ...Array.from({ length: 13 }, () => FALSE)]);
  register.forEach(({ setNext }, at) => setNext(next[at] ?? FALSE));
  const full = register.reduce((all, { value }) => aig.and(all, value), not(FALSE));
  assert.ok(explore(aig, full) === undefined);
  const reached = await exploreFar(aig, full, undefined);
  assert.ok(reached?.kind === 'reached');
  assert.equal(reached.frames.length, 2 ** 14 + 1);
  const last = aig.simulate(reached.frames, [full])?.map(([value]) => value);
  assert.equal(last?.indexOf(true), reached.frames.length - 1);
  assert.deepEqual(await exploreFar(aig, aig.and(full, aig.and(enable, aig.and(twice, not(enable)))), undefined), { kind: 'never' });
  assert.ok((await exploreFar(aig, full, AbortSignal.abort())) === undefined);
});

test('a graph of many inputs or states is left to others', () => {
  const wide = new Aig();
  const bits = Array.from({ length: 20 }, () => wide.input());
  assert.equal(explore(wide, bits.reduce((all, bit) => wide.and(all, bit))), undefined);
  const deep = new Aig();
  const register = Array.from({ length: 24 }, () => deep.latch());
  const next = add(deep, register.map(({ value }) => value), [deep.input(), ...Array.from({ length: 23 }, () => FALSE)]);
  register.forEach(({ setNext }, at) => setNext(next[at] ?? FALSE));
  assert.equal(explore(deep, register.reduce((all, { value }) => deep.and(all, value), not(FALSE))), undefined);
});
