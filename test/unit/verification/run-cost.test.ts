import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunCost, workOf } from '../../../server/src/verification/run-cost.ts';

test('the work of a run is told by what was simulated, in proportion', () => {
  const layout = { rowBytes: 1, observedBits: 12, samplesPerRow: 2 } as const;
  assert.equal(workOf(1000, layout, 10_000), 6);
  assert.equal(workOf(2000, layout, 20_000), 12);
  assert.equal(workOf(1000, layout), 9, 'a simulator that counts no events');
});

test('a run is chosen as long as the time is enough for by the longest before it', () => {
  const cost = new RunCost();
  assert.equal(cost.rowsIn(1000), 0, 'nothing is known yet');
  cost.add(10, 1);
  assert.equal(cost.rowsIn(1000), 10_000);
  cost.add(1000, 5);
  cost.add(1000, 4);
  cost.add(20, 4);
  assert.equal(cost.rowsIn(1000), 200_000, 'short runs are mostly their starts');
  cost.add(30_000, undefined);
  assert.equal(cost.rowsIn(1000), 0, 'what was cut off would be again');
});
