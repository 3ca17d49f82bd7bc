import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentsOf } from '../../../../server/src/verification/proof/by-proof.ts';
import { layOut } from '../../../../server/src/verification/stimulus/layout.ts';
import { sizedPorts } from '../designs.ts';

const layout = layOut(sizedPorts('input clk, input d, output q'), { clocks: [{ port: 'clk', bit: undefined, edges: ['posedge'] }] });
const step = (clk: string, d: string, ticks: string[] = []) => ({ inputs: { clk, d }, expected: { q: d }, actual: { q: 'x' }, ticks });

test('a counterexample in ticks becomes clock pulses behind settled inputs', () => {
  const moments = momentsOf({ time: 'ticks', steps: [step('0', '1', ['clk[0]']), step('0', '0'), step('0', '1')] }, layout);
  assert.deepEqual(
    moments.map(({ inputs, phase, cycle }) => ({ ...inputs, phase, cycle })),
    [
      { clk: '0', d: '1', phase: 'settled', cycle: 0 },
      { clk: '1', d: '1', phase: 'clocked', cycle: 1 },
      { clk: '0', d: '0', phase: 'settled', cycle: 1 },
      { clk: '0', d: '1', phase: 'settled', cycle: 2 },
    ],
  );
  assert.equal(moments[1]?.outputs, undefined);
});

test('a counterexample in edges moves its clocks while the data still have their old values', () => {
  const moments = momentsOf({ time: 'edges', steps: [step('0', '0'), step('1', '1'), step('1', '0')] }, layout);
  assert.deepEqual(
    moments.map(({ inputs }) => inputs),
    [
      { clk: '0', d: '0' },
      { clk: '1', d: '0' },
      { clk: '1', d: '1' },
      { clk: '1', d: '0' },
    ],
  );
});
