import type { Layout } from './stimulus/layout.ts';

/** CPU microseconds of an ordinary machine: for a row as such, for what is read and written with it, and for an event of the simulator. */
const ROW_US = 2;
const BIT_US = 1 / 32;
const EVENT_US = 0.3;
/** Events of a row where the simulator does not count them. */
const USUAL_EVENTS = 20;

/** CPU milliseconds that a run takes an ordinary machine, from what had to be done and not from a clock, which tells what else the machine does. */
export function workOf(rows: number, layout: Pick<Layout, 'rowBytes' | 'observedBits' | 'samplesPerRow'>, events = USUAL_EVENTS * rows): number {
  const bits = 8 * layout.rowBytes + layout.samplesPerRow * layout.observedBits;
  return (rows * (ROW_US + BIT_US * bits) + EVENT_US * events) / 1000;
}

/** What a row of stimulus costs, learnt from the runs so far. */
export class RunCost {
  /** The longest run so far: the starts of shorter ones make a row look dear. */
  #longest: { readonly rows: number; readonly workMs: number } | undefined;
  #wasCut = false;

  /** `workMs`: see `workOf`; undefined for a run that was cut off, after which no other is affordable. */
  add(rows: number, workMs: number | undefined): void {
    if (workMs === undefined) this.#wasCut = true;
    else {
      const { rows: most, workMs: dearest } = this.#longest ?? { rows: 0, workMs: 0 };
      if (rows > most || (rows === most && workMs > dearest)) this.#longest = { rows, workMs };
    }
  }

  /** Rows that a time is enough for; none before the first run. */
  rowsIn(ms: number): number {
    return this.#longest === undefined || this.#wasCut ? 0 : Math.floor((ms * this.#longest.rows) / this.#longest.workMs);
  }
}
