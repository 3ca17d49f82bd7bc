import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Budget, SideRun, Simulated } from '../../../server/src/verification/engine.ts';
import { RememberedSide } from '../../../server/src/verification/remembered-side.ts';
import type { Rows } from '../../../server/src/verification/stimulus/rows.ts';

const budget: Budget = { timeoutMs: 1000, signal: undefined };

function counting(kind: 'finished' | 'timed-out'): { readonly side: Simulated; readonly runs: () => number } {
  let runs = 0;
  const run = (): Promise<SideRun> => {
    runs++;
    return Promise.resolve({ kind, trace: undefined, workMs: 1 } as unknown as SideRun);
  };
  return { side: { run, withDrawnState: () => Promise.resolve(undefined) }, runs: () => runs };
}

test('a side is run once on the same rows, but for drawn power-on states and what did not finish', async () => {
  const [first, second] = [{ count: 1 } as Rows, { count: 1 } as Rows];
  const finishing = counting('finished');
  const side = new RememberedSide(finishing.side);
  for (const rows of [first, first, second, first]) await side.run(rows, budget);
  assert.equal(finishing.runs(), 2);
  for (let time = 0; time < 2; time++) await side.run(first, budget, { seed: 1 });
  assert.equal(finishing.runs(), 4);
  const failing = counting('timed-out');
  const other = new RememberedSide(failing.side);
  for (let time = 0; time < 2; time++) await other.run(first, budget);
  assert.equal(failing.runs(), 2);
});
