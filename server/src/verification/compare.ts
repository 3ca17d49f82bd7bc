import type { Layout } from './stimulus/layout.ts';
import type { Trace } from './trace.ts';
import type { Unknowns } from './verdict.ts';

export interface Difference {
  /** Index into both traces. */
  readonly sample: number;
  /** Lowest differing bit within the sample. */
  readonly bit: number;
}

export interface Comparison {
  readonly difference: Difference | undefined;
  /** Samples compared, the differing one included. */
  readonly compared: number;
}

/** What counts as a difference. */
export interface Criterion {
  readonly unknowns: Unknowns;
  /** Bits whose z is a value, see `threeStateMask`. */
  readonly threeState: Uint32Array;
}

export function criterionOf(golden: Trace, layout: Pick<Layout, 'observed' | 'observedBits'>, unknowns: Unknowns): Criterion {
  return { unknowns, threeState: threeStateMask(golden, layout) };
}

/**
 * Bits of the golden that take both z and a known value somewhere: real three-state outputs. On these, and on inouts, z is a
 * value; elsewhere a z of the golden is an undriven net and says nothing.
 */
function threeStateMask(golden: Trace, layout: Pick<Layout, 'observed' | 'observedBits'>): Uint32Array {
  const groups = golden.wordsPerSample / 2;
  const sawZ = new Uint32Array(groups);
  const sawKnown = new Uint32Array(groups);
  for (let sample = 0; sample < golden.samples; sample++) {
    for (let group = 0; group < groups; group++) {
      const word = sample * golden.wordsPerSample + 2 * group;
      const aval = golden.words[word] ?? 0;
      const bval = golden.words[word + 1] ?? 0;
      sawZ[group] = (sawZ[group] ?? 0) | (~aval & bval);
      sawKnown[group] = (sawKnown[group] ?? 0) | ~bval;
    }
  }
  const mask = sawZ.map((word, group) => word & (sawKnown[group] ?? 0));
  for (const port of layout.observed) {
    if (!port.inout) continue;
    for (let bit = port.offset; bit < port.offset + port.width; bit++) mask[bit >> 5] = (mask[bit >> 5] ?? 0) | (1 << (bit & 31));
  }
  return mask;
}

/** Bits of one 32-bit group in which the DUT contradicts the golden: golden x says nothing, everything else must match. */
function differingBits(goldenA: number, goldenB: number, dutA: number, dutB: number, threeState: number): number {
  const known = ~goldenB;
  const driveZ = ~goldenA & goldenB & threeState;
  return (known & ((goldenA ^ dutA) | dutB)) | (driveZ & ~(~dutA & dutB));
}

/** Bits that differ at a sample, lowest first. */
export function differencesAt(golden: Trace, dut: Trace, sample: number, criterion: Criterion): number[] {
  const bits: number[] = [];
  for (let group = 0; group < golden.wordsPerSample / 2; group++) {
    const differing = groupDifference(golden, dut, sample, group, criterion);
    for (let bit = 0; bit < 32; bit++) if (((differing >>> bit) & 1) === 1) bits.push(group * 32 + bit);
  }
  return bits;
}

function groupDifference(golden: Trace, dut: Trace, sample: number, group: number, { unknowns, threeState }: Criterion): number {
  const word = sample * golden.wordsPerSample + 2 * group;
  const goldenA = golden.words[word] ?? 0;
  const goldenB = golden.words[word + 1] ?? 0;
  const dutA = dut.words[word] ?? 0;
  const dutB = dut.words[word + 1] ?? 0;
  if (unknowns === 'strict') return (goldenA ^ dutA) | (goldenB ^ dutB);
  return differingBits(goldenA, goldenB, dutA, dutB, threeState[group] ?? 0);
}

/** First sample, from `fromSample` on, at which the traces differ; stops at the shorter trace. */
export function compareTraces(golden: Trace, dut: Trace, criterion: Criterion, fromSample: number): Comparison {
  const samples = Math.min(golden.samples, dut.samples);
  const groups = golden.wordsPerSample / 2;
  for (let sample = fromSample; sample < samples; sample++) {
    for (let group = 0; group < groups; group++) {
      const differing = groupDifference(golden, dut, sample, group, criterion);
      if (differing !== 0) {
        return { difference: { sample, bit: group * 32 + (31 - Math.clz32(differing & -differing)) }, compared: sample - fromSample + 1 };
      }
    }
  }
  return { difference: undefined, compared: Math.max(0, samples - fromSample) };
}

/** Output bits of the golden that were known in some compared sample. */
export function observedBitCount(golden: Trace, observedBits: number, fromSample: number): number {
  const seen = new Uint32Array(golden.wordsPerSample / 2);
  for (let sample = fromSample; sample < golden.samples; sample++) {
    for (let group = 0; group < seen.length; group++) {
      seen[group] = (seen[group] ?? 0) | ~(golden.words[sample * golden.wordsPerSample + 2 * group + 1] ?? 0);
    }
  }
  let count = 0;
  for (let bit = 0; bit < observedBits; bit++) count += ((seen[bit >> 5] ?? 0) >>> (bit & 31)) & 1;
  return count;
}

/** What several runs of one side agree on: a bit that is not the same known value, or z, in all of them becomes x. */
export function agreement(traces: readonly [Trace, ...Trace[]]): Trace {
  const [first, ...others] = traces;
  const samples = Math.min(...traces.map((trace) => trace.samples));
  const words = first.words.slice(0, samples * first.wordsPerSample);
  for (const other of others) {
    for (let word = 0; word < words.length; word += 2) {
      const aval = words[word] ?? 0;
      const bval = words[word + 1] ?? 0;
      const disagree = (aval ^ (other.words[word] ?? 0)) | (bval ^ (other.words[word + 1] ?? 0));
      words[word] = aval | disagree;
      words[word + 1] = bval | disagree;
    }
  }
  return { words, wordsPerSample: first.wordsPerSample, samples };
}

/** Whether any observed bit is x in some sample of the range. */
export function hasUnknown(trace: Trace, fromSample: number, toSample: number): boolean {
  for (let word = fromSample * trace.wordsPerSample; word < Math.min(trace.samples, toSample) * trace.wordsPerSample; word += 2) {
    if (((trace.words[word] ?? 0) & (trace.words[word + 1] ?? 0)) !== 0) return true;
  }
  return false;
}

/** How often a sample differs from the one before it in a range of a trace. */
export function sampleChanges(trace: Trace, fromSample: number, samples: number): number {
  let changes = 0;
  for (let sample = fromSample + 1; sample < fromSample + samples; sample++) {
    const start = sample * trace.wordsPerSample;
    for (let word = start; word < start + trace.wordsPerSample; word++) {
      if (trace.words[word] === trace.words[word - trace.wordsPerSample]) continue;
      changes++;
      break;
    }
  }
  return changes;
}
