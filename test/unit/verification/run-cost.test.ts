import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunCost } from '../../../server/src/verification/run-cost.ts';

test('a short run, which is mostly the start of a simulator, does not make a long one look dear', () => {
  const cost = new RunCost();
  assert.equal(cost.rowsIn(1000), 0, 'nothing is known yet');
  cost.add(1000, 2000);
  assert.equal(cost.rowsIn(12_000), 5000);
  cost.add(20, 1804);
  assert.equal(cost.rowsIn(11_804), 50_000, '1000 rows in 200 ms, once the simulator runs');
  cost.add(30_020, 1834);
  assert.equal(cost.rowsIn(1814), 10_000, 'none is thought to be done in less than a microsecond');
  assert.equal(cost.rowsIn(100), 0, 'there is no time to start one');
});
