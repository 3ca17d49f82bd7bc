import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parameterSets, verifySets } from '../../../server/src/verification/sweep.ts';
import type { VerdictKind, VerifyRequest } from '../../../server/src/verification/verdict.ts';
import { result } from '../cli/result.ts';

const request: VerifyRequest = {
  dut: { file: '/d.v', parameters: { A: '1' } },
  golden: { file: '/g.v' },
  options: { clocks: [], resets: [], cycles: undefined, seed: 1, timeoutMs: 1000, engine: 'auto', prove: true },
};

test('every combination of the values is a set', () => {
  assert.deepEqual(parameterSets([{ parameter: 'W', values: ['1', '8'] }, { parameter: 'D', values: ['2', '4'] }]), [
    { W: '1', D: '2' }, { W: '1', D: '4' }, { W: '8', D: '2' }, { W: '8', D: '4' },
  ]);
});

/** Verdicts in the order of the sets, and what comes of them. */
async function sweep(verdicts: readonly VerdictKind[]): Promise<{ verdict: VerdictKind; reason: string; notes: readonly string[]; tried: string[] }> {
  const tried: string[] = [];
  const sets = verdicts.map((_, index) => ({ W: String(index) }));
  const made = await verifySets(request, sets, ({ dut, golden }) => {
    const number = Number(golden.parameters?.['W']);
    tried.push(JSON.stringify([dut.parameters, golden.parameters]));
    return Promise.resolve(result({ verdict: verdicts[number] ?? 'tool-error', reason: `Set ${String(number)}.`, notes: [] }));
  });
  return { ...made, tried };
}

test('the worst verdict counts, and each set is told', async () => {
  const { verdict, reason, notes, tried } = await sweep(['equivalent', 'no-difference', 'timeout', 'equivalent']);
  assert.deepEqual([verdict, reason], ['timeout', 'With W=2: Set 2.']);
  assert.deepEqual(notes, ['With W=0: equivalent.', 'With W=1: no-difference.', 'With W=3: equivalent.']);
  assert.equal(tried[1], '[{"A":"1","W":"1"},{"W":"1"}]');
  assert.equal((await sweep(['equivalent', 'equivalent'])).verdict, 'equivalent');
});

test('a difference ends the sweep', async () => {
  const { verdict, notes, tried } = await sweep(['tool-error', 'different', 'equivalent']);
  assert.equal(verdict, 'different');
  assert.equal(tried.length, 2);
  assert.deepEqual(notes, ['With W=0: tool-error: Set 0.', '1 of 3 parameter sets were not verified after that.']);
});
