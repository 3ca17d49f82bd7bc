import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Plan } from '../../../../server/src/verification/batch/plan.ts';

/** `turns`: which of the workers asks next, by number; what each is given. */
function check(goldens: string, turns: string, expected: string): void {
  const plan = new Plan(Array.from(goldens));
  const workers = new Map<string, object>();
  const given = Array.from(turns).map((name) => {
    const worker = workers.get(name) ?? {};
    workers.set(name, worker);
    return plan.next(worker);
  });
  assert.equal(given.map((pair) => (pair === undefined ? '.' : String(pair))).join(''), expected);
}

describe('the plan of a batch', () => {
  test('one worker takes the pairs golden by golden', () => check('abaab', '1111111', '02314..'.slice(0, 7)));
  test('each worker begins a golden of its own, and stays with it', () => check('aaabbb', '12121212', '031425..'));
  test('who has nothing of its own left helps where most is left', () => check('aaaabbbbbb', '12222222112', '0456789123.'));
  test('with one golden all work on it', () => check('aaaa', '12312', '0123.'));

  test('who lost what it had learnt begins anew', () => {
    const plan = new Plan(['a', 'a', 'b']);
    const [one, two] = [{}, {}];
    assert.equal(plan.next(one), 0);
    plan.forget(one);
    assert.equal(plan.next(two), 1);
    assert.equal(plan.next(one), 2);
  });

  test('law: each pair is given once, whoever asks when', () => {
    const goldens = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 20 });
    fc.assert(
      fc.property(goldens, fc.array(fc.nat(3), { minLength: 40, maxLength: 40 }), (names, turns) => {
        const plan = new Plan(names);
        const workers = [{}, {}, {}, {}];
        const given = turns.flatMap((turn) => plan.next(workers[turn] ?? {}) ?? []);
        assert.deepEqual(given.toSorted((a, b) => a - b), [...names.keys()]);
      }),
    );
  });
});
