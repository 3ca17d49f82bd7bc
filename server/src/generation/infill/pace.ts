/** The shortest and the longest pause after a key press before a model is asked, in milliseconds. */
export const pauseLimits = { shortest: 100, longest: 1000 } as const;

/** Longer pauses are no typing. */
const PAUSE_MS = 3_000;
/** Weight of the newest interval in the average. */
const NEWEST = 0.3;
/** The pause that ends typing is this much longer than the one between two keys. */
const FACTOR = 1.6;

/** Learns how fast a person types, so that the model is asked when they pause and not between two keys. */
export class TypingPace {
  #last: number | undefined;
  #intervalMs = 160;

  /** Notes a key press at a time in milliseconds. */
  press(at: number): void {
    const interval = this.#last === undefined ? Infinity : at - this.#last;
    this.#last = at;
    if (interval < PAUSE_MS) this.#intervalMs += NEWEST * (interval - this.#intervalMs);
  }

  /** How long to wait after the last key press, in milliseconds. */
  get pauseMs(): number {
    return Math.round(Math.min(Math.max(this.#intervalMs * FACTOR, pauseLimits.shortest), pauseLimits.longest));
  }
}
