import { timescaleDirective, type Timescale } from '../source-scan.ts';
import type { Layout } from '../stimulus/layout.ts';

/** Delay, in time units, from an input change to the sample that sees its effect; longer than delays in design code usually are. */
export const SETTLE = 100;

/** How a text around the design keeps time. */
export interface Pace {
  /** Directive line, or nothing. */
  readonly timescale: string;
  /** Delay before the first step, as a statement, or nothing. */
  readonly start: string;
  /** Delay of a step, in time units. */
  readonly settle: number;
  /** The time unit as a power of ten of a second; undefined where no time scale is stated. */
  readonly unit: number | undefined;
}

/** A design without inputs can only change by its own delays, so it is sampled in the middle of each of its time units. */
export function paceOf(layout: Layout, timescale: Timescale | undefined): Pace {
  if (layout.fields.length > 0) return { timescale: timescaleLine(timescale), start: '', settle: SETTLE, unit: timescale?.unit };
  const { unit, precision } = timescale ?? { unit: 0, precision: 0 };
  return { timescale: timescaleDirective({ unit, precision: Math.min(precision, unit - 1) }), start: '    #0.5;\n', settle: 1, unit };
}

/** The directive line of a time scale, or nothing. */
export function timescaleLine(timescale: Timescale | undefined): string {
  return timescale === undefined ? '' : timescaleDirective(timescale);
}
