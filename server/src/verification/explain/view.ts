import { differencesAt } from '../compare.ts';
import { clockLines, levelBefore } from '../stimulus/clock-schedule.ts';
import type { Field, ObservedPort } from '../stimulus/layout.ts';
import { fieldText, rowBit } from '../stimulus/rows.ts';
import { portText } from '../trace.ts';
import type { Mismatch } from '../verdict.ts';
import type { Exchange } from '../witness.ts';

export type Pattern = NonNullable<Mismatch['pattern']>;

/** Samples that are looked at before the first difference and behind it. */
const BEFORE = 16_000;
const BEHIND = 4_000;

/** One sample of an output. */
export interface Moment {
  readonly sample: number;
  /** Binary text, most significant bit first. */
  readonly expected: string;
  readonly actual: string;
  /** Both sides have no unknown bit. */
  readonly known: boolean;
  /** They differ in a bit that is compared. */
  readonly differs: boolean;
  /** The clock moved just before this sample: an edge at which the golden works, or the other one. Of several clocks, any. */
  readonly edge: 'active' | 'inactive' | 'none';
  /** A reset is asserted. */
  readonly inReset: boolean;
  /** A reset is asserted and an active edge came since; false without a reset. */
  readonly resetClocked: boolean;
}

/** What was recorded of one output. */
export interface View {
  readonly exchange: Exchange;
  readonly output: ObservedPort;
  /** In order, without gaps. */
  readonly moments: readonly Moment[];
  /** Moments at which a difference begins: the one before was known and equal. */
  readonly starts: readonly number[];
}

export function viewOf(exchange: Exchange, output: ObservedPort, fromSample: number): View {
  const { golden, dut, layout, rows, clocks, criterion } = exchange;
  const differs = (sample: number): boolean =>
    differencesAt(golden, dut, sample, criterion).some((bit) => bit >= output.offset && bit < output.offset + output.width);
  const lines = clockLines(layout, clocks);
  const resets = (exchange.resets ?? []).flatMap(({ port, bit, active }) => {
    const field = layout.fields.find((candidate) => candidate.port === port && candidate.role === 'data');
    return field === undefined ? [] : [{ position: field.offset + (bit ?? 0), level: active === 'high' ? 1 : 0 }];
  });
  const samples = Math.min(golden.samples, dut.samples);
  let first = fromSample;
  while (first < samples && !differs(first)) first++;
  const moments: Moment[] = [];
  let resetClocked = false;
  for (let sample = Math.max(fromSample, first - BEFORE); sample < Math.min(samples, first + BEHIND); sample++) {
    const row = Math.floor(sample / layout.samplesPerRow);
    const clocked = layout.samplesPerRow === 2 && sample % 2 === 1;
    const moves = !clocked ? [] : lines.flatMap((line) => {
      const [before, now] = [levelBefore(rows, layout, row, line.position), rowBit(rows, row, line.position)];
      if (before === now) return [];
      return [now === 1 ? line.rising : line.falling];
    });
    const edge = moves.includes(true) ? 'active' : moves.length > 0 ? 'inactive' : 'none';
    const inReset = resets.some(({ position, level }) => rowBit(rows, row, position) === level);
    resetClocked = inReset && (resetClocked || edge === 'active');
    const [expected, actual] = [portText(golden, sample, output), portText(dut, sample, output)];
    moments.push({ sample, expected, actual, known: !/[xz]/.test(expected + actual), differs: differs(sample), edge, inReset, resetClocked });
  }
  const starts = moments.flatMap((moment, index) => (moment.differs && moments[index - 1]?.differs !== true ? [index] : []));
  return { exchange, output, moments, starts };
}

export function known(view: View): Moment[] {
  return view.moments.filter((moment) => moment.known);
}

/** Input fields that are neither clock nor reset nor part of an inout. */
export function plainInputs({ exchange }: View): Field[] {
  const resets = new Set((exchange.resets ?? []).map(({ port }) => port));
  return exchange.layout.fields.filter(({ role, port }) => role === 'data' && !resets.has(port));
}

export function inputAt({ exchange }: View, field: Field, { sample }: Moment): string {
  return fieldText(exchange.rows, Math.floor(sample / exchange.layout.samplesPerRow), field);
}

export function numberOf(bits: string): bigint {
  return BigInt(`0b${bits}`);
}
