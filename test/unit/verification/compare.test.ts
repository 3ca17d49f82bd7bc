import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Criterion, compareTraces, differencesAt, observedBitCount, criterionOf } from '../../../server/src/verification/compare.ts';
import { layOut } from '../../../server/src/verification/stimulus/layout.ts';
import { portText, traceBit, wordsPerSample, type Trace } from '../../../server/src/verification/trace.ts';
import type { Unknowns } from '../../../server/src/verification/verdict.ts';
import { sizedPorts } from './designs.ts';

/** A trace from binary texts of 0, 1, x and z, one a sample, most significant bit first. */
function trace(...samples: string[]): Trace {
  const width = samples[0]?.length ?? 0;
  const perSample = wordsPerSample(width);
  const words = new Uint32Array(samples.length * perSample);
  samples.forEach((text, sample) => {
    Array.from(text).reverse().forEach((value, bit) => {
      const at = sample * perSample + 2 * (bit >> 5);
      if (value === '1' || value === 'x') words[at] = (words[at] ?? 0) | (1 << (bit & 31));
      if (value === 'x' || value === 'z') words[at + 1] = (words[at + 1] ?? 0) | (1 << (bit & 31));
    });
  });
  return { words, wordsPerSample: perSample, samples: samples.length };
}

function check(golden: string[], dut: string[], expected: { sample: number; bits: number[] } | 'equal', { direction = 'output', unknowns = 'ignore' }: { direction?: 'output' | 'inout'; unknowns?: Unknowns } = {}): void {
  const layout = layOut(sizedPorts(`${direction} [${String((golden[0]?.length ?? 1) - 1)}:0] y`), { clocks: [] });
  const [goldenTrace, dutTrace] = [trace(...golden), trace(...dut)];
  const criterion = criterionOf(goldenTrace, layout, unknowns);
  const { difference } = compareTraces(goldenTrace, dutTrace, criterion, 0);
  if (expected === 'equal') {
    assert.equal(difference, undefined);
    return;
  }
  assert.equal(difference?.sample, expected.sample);
  assert.deepEqual(differencesAt(goldenTrace, dutTrace, expected.sample, criterion), expected.bits);
  assert.equal(difference.bit, expected.bits[0]);
}

test('known bits must match', () => {
  check(['0101', '0011'], ['0101', '0011'], 'equal');
  check(['0101', '0011'], ['0101', '1010'], { sample: 1, bits: [0, 3] });
});

test('an unknown golden bit says nothing, an unknown DUT bit where the golden is known is a difference', () => {
  check(['x1'], ['01'], 'equal');
  check(['x1'], ['z1'], 'equal');
  check(['01'], ['x1'], { sample: 0, bits: [1] });
  check(['01'], ['0z'], { sample: 0, bits: [0] });
});

test('strictly, unknown and undriven bits must be so on both sides', () => {
  const strict = { unknowns: 'strict' } as const;
  check(['x1z'], ['x1z'], 'equal', strict);
  check(['x1'], ['01'], { sample: 0, bits: [1] }, strict);
  check(['x'], ['z'], { sample: 0, bits: [0] }, strict);
  check(['z'], ['1'], { sample: 0, bits: [0] }, strict);
  check(['10'], ['1x'], { sample: 0, bits: [0] }, strict);
});

test('z is a value where the golden drives it at times, and on inouts', () => {
  check(['z', '1'], ['z', '1'], 'equal');
  check(['z', '1'], ['0', '1'], { sample: 0, bits: [0] });
  check(['z', 'z'], ['0', '1'], 'equal');
  check(['z', 'z'], ['z', '1'], { sample: 1, bits: [0] }, { direction: 'inout' });
});

test('bits beyond 32 are compared', () => {
  const wide = '1'.repeat(70);
  check([wide], [`0${wide.slice(1)}`], { sample: 0, bits: [69] });
  check([wide], [`${wide.slice(0, 37)}0${wide.slice(38)}`], { sample: 0, bits: [32] });
});

test('comparison starts where it is told and stops at the shorter trace', () => {
  const criterion: Criterion = { unknowns: 'ignore', threeState: new Uint32Array(1) };
  assert.deepEqual(compareTraces(trace('0', '1', '1'), trace('1', '1', '1'), criterion, 1), { difference: undefined, compared: 2 });
  assert.deepEqual(compareTraces(trace('0', '1', '1'), trace('0'), criterion, 0), { difference: undefined, compared: 1 });
});

test('output bits that were ever known are counted', () => {
  assert.equal(observedBitCount(trace('x0z', 'xx1'), 3, 0), 2);
  assert.equal(observedBitCount(trace('1111', 'xxxx'), 4, 1), 0);
});

test('a trace reads back as it was written', () => {
  const text = 'z'.repeat(3) + 'x01'.repeat(15);
  const made = trace(text);
  assert.equal(portText(made, 0, { port: 'y', width: text.length, offset: 0, inout: false }), text);
  assert.equal(traceBit(made, 0, text.length - 1), 'z');
});
