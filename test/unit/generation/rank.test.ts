import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Candidate } from '../../../server/src/generation/contract.ts';
import { confidenceOf, levelOf, rank } from '../../../server/src/generation/rank.ts';
import type { VerdictKind } from '../../../server/src/verification/verdict.ts';
import { result } from '../cli/result.ts';

const evidence = { comparisons: 12_000, steps: 6000, cycles: 3000, exhaustive: false, observedOutputBits: 1, seed: 1 };

function candidate(parts: Partial<Candidate>): Candidate {
  return { turn: { sample: 0, round: 0 }, module: 'm', code: 'module m; endmodule', level: 'compiled', confidence: '', verification: undefined, testbench: undefined, votes: undefined, notes: [], ...parts };
}

describe('the words of confidence', () => {
  const says = (parts: Partial<Candidate>, bound = true): string => confidenceOf(candidate(parts), bound);
  const votes = (agree: number, of: number, ...groups: readonly number[]): Partial<Candidate> => ({ votes: { agree, of, groups, vectors: 100 } });

  test('are exact', () => {
    assert.equal(says({ level: 'proved', verification: result({ verdict: 'equivalent' }) }), 'proved equivalent');
    assert.equal(says({ level: 'proved', verification: result({ evidence: { ...evidence, exhaustive: true } }) }), 'no difference for any input combination');
    assert.equal(says({ level: 'no-difference', verification: result({ evidence }) }), 'no difference in 12,000 vectors');
    assert.equal(says({ level: 'no-difference', verification: result({ evidence: undefined }) }), 'no difference within a bounded proof');
    assert.equal(says({ level: 'testbench' }), 'compiles, interface matches, the testbench passed');
    assert.equal(says(votes(3, 4, 3, 1)), 'compiles, interface matches, 3 of 4 agree');
    assert.equal(says(votes(1, 4, 3, 1)), 'compiles, interface matches, none of the 3 others agree');
    assert.equal(says(votes(1, 4, 1, 1, 1, 1)), 'compiles, interface matches, no two of 4 agree');
    assert.equal(says(votes(2, 2, 2), false), 'compiles, 2 of 2 agree');
    assert.equal(says({}), 'compiles, interface matches, behaviour not checked');
  });

  test('rest on what a verification says, and no verdict against a module makes a candidate', () => {
    const level = (verdict: VerdictKind, reason = ''): string | undefined => levelOf(result({ verdict, reason }));
    assert.deepEqual((['equivalent', 'no-difference', 'different', 'interface-mismatch', 'inconclusive', 'tool-error', 'timeout'] as const).map((verdict) => level(verdict)), ['proved', 'no-difference', undefined, undefined, 'compiled', 'compiled', 'compiled']);
    assert.equal(level('timeout', 'The DUT did not finish: it stopped advancing.'), undefined);
    assert.equal(levelOf(result({ evidence: { ...evidence, exhaustive: true } })), 'proved');
  });
});

test('the best candidate comes first', () => {
  const bounded = (comparisons: number): Candidate => candidate({ level: 'no-difference', verification: result({ evidence: { ...evidence, comparisons } }) });
  const votes = (agree: number): Candidate => candidate({ votes: { agree, of: 4, groups: [3, 1], vectors: 1 } });
  const expected = [candidate({ level: 'proved' }), bounded(500), bounded(20), candidate({ level: 'testbench' }), votes(3), votes(1), candidate({}), candidate({ turn: { sample: 0, round: 2 } }), candidate({ turn: { sample: 1, round: 2 } })];
  assert.deepEqual(rank(expected.toReversed()), expected);
});
