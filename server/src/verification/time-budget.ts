import type { Budget } from './engine.ts';

/** How many times as long as on an idle machine things may take on a busy one. */
export const PATIENCE = 3;
const LEAST_MS = 200;

/**
 * The time of one verification. What is done in it is chosen by how much work it is and limited in CPU time, so that it is the same however busy the
 * machine is; the wall clock only ends what hangs, or a machine that is far too busy.
 */
export class TimeBudget {
  /** What the verification takes at most on an idle machine, about. */
  readonly ms: number;
  readonly signal: AbortSignal | undefined;
  readonly #started = performance.now();
  #spentMs = 0;

  readonly #wallMs: number;

  /** `wallMs`: what the wall clock allows, where that is less. */
  constructor(ms: number, signal: AbortSignal | undefined, wallMs = Infinity) {
    this.ms = ms;
    this.signal = signal;
    this.#wallMs = Math.min(wallMs, PATIENCE * ms);
  }

  elapsedMs(): number {
    return performance.now() - this.#started;
  }

  /** Until everything is ended by the wall clock. */
  remainingMs(): number {
    return Math.max(LEAST_MS, this.#wallMs - this.elapsedMs());
  }

  isOver(): boolean {
    return this.signal?.aborted === true || this.elapsedMs() > this.#wallMs;
  }

  /** Takes off what a program took that did not end. */
  spend(share: number): void {
    this.#spentMs += this.part(share).cpuMs;
  }

  /** Limits of one program that may take a share of what programs that did not end have left. */
  part(share: number, most = Infinity): Budget & { readonly cpuMs: number } {
    const cpuMs = Math.max(LEAST_MS, Math.min(most, share * (this.ms - this.#spentMs)));
    return { cpuMs, timeoutMs: Math.min(this.remainingMs(), PATIENCE * cpuMs), signal: this.signal };
  }
}
