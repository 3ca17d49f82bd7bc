import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsToVcd } from '../../../server/src/verification/vcd.ts';
import type { WitnessStep } from '../../../server/src/verification/verdict.ts';

const step = (index: number, inputs: Record<string, string>, expected: string, actual: string): WitnessStep => ({
  step: index,
  cycle: index,
  phase: 'settled',
  inputs,
  expected: { q: expected },
  actual: { q: actual },
});

test('a waveform declares the three scopes and dumps changes only, clocks first', () => {
  const text = stepsToVcd([step(0, { d: '01', clk: '0' }, '0', 'x'), step(1, { d: '01', clk: '1' }, '1', 'x'), step(2, { d: '1z', clk: '1' }, '1', '1')], new Set(['clk']));
  assert.equal(
    text,
    `$version RTL Copilot $end
$timescale 1ns $end
$scope module inputs $end
$var wire 1 ! clk $end
$var wire 2 " d [1:0] $end
$upscope $end
$scope module golden $end
$var wire 1 # q $end
$upscope $end
$scope module dut $end
$var wire 1 $ q $end
$upscope $end
$enddefinitions $end
#0
b01 "
0!
0#
x$
#100
1!
1#
#200
b1z "
1$
#300
`,
  );
});

test('more signals than one character can name keep distinct names', () => {
  const outputs = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`s${String(index)}`, '0']));
  const text = stepsToVcd([{ step: 0, cycle: 0, phase: 'settled', inputs: {}, expected: outputs, actual: outputs }], new Set());
  const ids = [...text.matchAll(/\$var wire 1 (\S+) /g)].map((match) => match[1]);
  assert.equal(ids.length, 600);
  assert.equal(new Set(ids).size, 600);
});
