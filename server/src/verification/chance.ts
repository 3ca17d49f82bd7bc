import { agreement, compareTraces, differencesAt, type Criterion, type Difference } from './compare.ts';
import { samplesOf, type Trace } from './trace.ts';

/** In one of so many power-on states a difference has to show, to be the design's and not that of one state. */
const RARE = 8;

/** What further power-on states say of a difference that was found in one. */
export interface FurtherStates {
  /** Leading samples of both sides; the DUT's first state is the one in which the difference was found. */
  readonly goldens: readonly Trace[];
  readonly duts: readonly Trace[];
}

/**
 * The golden with those bits unknown that further states leave open: on which they do not agree, or from which the DUT differs in few
 * of its states only, so that it is likely that some state of the golden would do the same. Undefined where the further runs
 * do not show the difference again, and therefore say nothing about it.
 */
export function withoutChance(golden: Trace, found: { readonly dut: Trace; readonly difference: Difference }, { goldens, duts }: FurtherStates, criterion: Criterion): Trace | undefined {
  const [again, ...others] = duts;
  const [first] = goldens;
  const { dut, difference } = found;
  if (again === undefined || first === undefined || !differencesAt(golden, again, difference.sample, criterion).includes(difference.bit)) return undefined;
  const agreed = agreement([samplesOf(golden, 0, first.samples), first, ...goldens.slice(1)]);
  const words = golden.words.slice();
  words.set(agreed.words);
  const doubted = { ...golden, words };
  const end = agreed.samples;
  for (let sample = difference.sample; sample < end; ) {
    for (const bit of differencesAt(doubted, dut, sample, criterion)) {
      const showing = others.filter((other) => differencesAt(doubted, other, sample, criterion).includes(bit)).length + 1;
      if (showing * RARE < duts.length) makeUnknown(doubted, sample, bit);
    }
    sample = compareTraces(doubted, dut, criterion, sample + 1).difference?.sample ?? end;
  }
  return doubted;
}

function makeUnknown({ words, wordsPerSample }: Trace, sample: number, bit: number): void {
  const word = sample * wordsPerSample + 2 * (bit >> 5);
  const mask = 1 << (bit & 31);
  words[word] = (words[word] ?? 0) | mask;
  words[word + 1] = (words[word + 1] ?? 0) | mask;
}
