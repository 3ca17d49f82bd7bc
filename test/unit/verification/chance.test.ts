import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutChance } from '../../../server/src/verification/chance.ts';
import { compareTraces } from '../../../server/src/verification/compare.ts';
import type { Trace } from '../../../server/src/verification/trace.ts';

const criterion = { unknowns: 'ignore' as const, threeState: new Uint32Array(1) };

/** A trace of one bit. */
function bits(text: string): Trace {
  const words = Uint32Array.from(Array.from(text).flatMap((bit) => [bit === '1' || bit === 'x' ? 1 : 0, bit === 'x' || bit === 'z' ? 1 : 0]));
  return { words, wordsPerSample: 2, samples: text.length };
}

/** The samples at which the two differ for certain; undefined where further states say nothing. */
function certain(golden: string, dut: string, goldens: readonly string[], duts: readonly string[]): number[] | undefined {
  const { difference } = compareTraces(bits(golden), bits(dut), criterion, 0);
  assert.ok(difference !== undefined);
  const doubted = withoutChance(bits(golden), { dut: bits(dut), difference }, { goldens: goldens.map(bits), duts: duts.map(bits) }, criterion);
  if (doubted === undefined) return undefined;
  const found: number[] = [];
  for (let from = 0; from < golden.length; ) {
    const next = compareTraces(doubted, bits(dut), criterion, from).difference;
    if (next === undefined) break;
    found.push(next.sample);
    from = next.sample + 1;
  }
  return found;
}

const times = (count: number, text: string): string[] => Array.from({ length: count }, () => text);

test('what one power-on state of many shows is chance; what most of them show is the design’s', () => {
  assert.deepEqual(certain('00000', '01010', times(16, '000'), ['010', ...times(15, '000')]), [3]);
  assert.deepEqual(certain('00000', '01010', times(16, '00000'), ['01010', ...times(15, '00010')]), [3]);
  assert.deepEqual(certain('00000', '01010', times(16, '00000'), times(16, '01010')), [1, 3]);
});

test('what the golden does in some state as well is no difference', () => {
  assert.deepEqual(certain('00000', '01010', ['01000', ...times(15, '00000')], times(16, '01010')), [3]);
});

test('further states that do not show the difference again say nothing of it', () => {
  assert.equal(certain('00000', '01010', times(16, '00000'), times(16, '00000')), undefined);
});
