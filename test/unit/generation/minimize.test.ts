import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { minimize, type Care, type Cube } from '../../../server/src/generation/minimize.ts';
import { intersect, minterm } from '../../../server/src/generation/tables/table.ts';

function functions(inputs: number): fc.Arbitrary<Care[]> {
  return fc.array(fc.constantFrom<Care>(0, 1, 2), { minLength: 2 ** inputs, maxLength: 2 ** inputs });
}

function covers(cubes: readonly Cube[], value: number, inputs: number): boolean {
  return cubes.some((cube) => intersect(cube, minterm(value, inputs)));
}

function cost(cubes: readonly Cube[]): number {
  return cubes.reduce((sum, cube) => sum + 1000 + cube.replaceAll('-', '').length, 0);
}

function allCubes(inputs: number): Cube[] {
  return inputs === 0 ? [''] : allCubes(inputs - 1).flatMap((cube) => [`${cube}0`, `${cube}1`, `${cube}-`]);
}

/** The cheapest cover by trying sets of cubes in the order of their size. */
function cheapest(values: readonly Care[], inputs: number): number {
  const ones = values.flatMap((value, at) => (value === 1 ? [at] : []));
  const implicants = allCubes(inputs).filter((cube) => values.every((value, at) => value !== 0 || !covers([cube], at, inputs)));
  let best = Infinity;
  const search = (left: readonly number[], sum: number): void => {
    const [first] = left;
    if (first === undefined) best = Math.min(best, sum);
    else if (sum + 1000 < best) for (const cube of implicants) if (covers([cube], first, inputs)) search(left.filter((one) => !covers([cube], one, inputs)), sum + cost([cube]));
  };
  search(ones, 0);
  return best;
}

describe('two-level minimisation', () => {
  test('the cover equals the function wherever the function has a value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }).chain((inputs) => functions(inputs).map((values) => ({ inputs, values }))), ({ inputs, values }) => {
        const { cubes } = minimize(values, inputs);
        for (const [at, value] of values.entries()) if (value !== 2) assert.equal(covers(cubes, at, inputs), value === 1, `combination ${at}`);
      }),
      { numRuns: 150 },
    );
  });

  test('no cover of up to three inputs is cheaper', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }).chain((inputs) => functions(inputs).map((values) => ({ inputs, values }))), ({ inputs, values }) => {
        const { cubes, exact } = minimize(values, inputs);
        assert.ok(exact);
        assert.equal(cost(cubes), cheapest(values, inputs));
      }),
      { numRuns: 150 },
    );
  });

  test('every term of a wide function is a prime implicant that is needed', () => {
    fc.assert(
      fc.property(functions(7), (values) => {
        const { cubes } = minimize(values, 7);
        for (const cube of cubes) {
          const others = cubes.filter((other) => other !== cube);
          assert.ok(values.some((value, at) => value === 1 && !covers(others, at, 7)), `${cube} is superfluous`);
          for (const at of cube.split('').keys()) {
            if (cube[at] === '-') continue;
            const wider = `${cube.slice(0, at)}-${cube.slice(at + 1)}`;
            assert.ok(values.some((value, index) => value === 0 && covers([wider], index, 7)), `${cube} can be widened to ${wider}`);
          }
        }
      }),
      { numRuns: 6 },
    );
  });

  test('functions with more inputs than primes are listed for', () => {
    const inputs = 11;
    const values = Array.from({ length: 2 ** inputs }, (_, at): Care => (at % 7 === 3 ? 2 : (at & 5) === 5 || at > 2000 ? 1 : 0));
    const { cubes } = minimize(values, inputs);
    for (const [at, value] of values.entries()) if (value !== 2) assert.equal(covers(cubes, at, inputs), value === 1);
    assert.ok(cubes.includes('--------1-1'));
  });

  for (const [values, inputs, expected] of [
    [[0, 0], 1, []],
    [[1, 2], 1, ['-']],
    [[0, 1, 1, 0], 2, ['10', '01']],
    [[0, 0, 1, 1, 0, 1, 0, 1], 3, ['1-1', '01-']],
    // The cyclic core of six minterms needs three of its six primes.
    [[1, 1, 1, 0, 0, 1, 1, 1], 3, undefined],
  ] as const) {
    test(`values ${values.join('')}`, () => {
      const { cubes } = minimize(values, inputs);
      if (expected === undefined) assert.equal(cubes.length, 3);
      else assert.deepEqual(cubes, expected);
    });
  }
});
