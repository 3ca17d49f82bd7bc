import type { LoadedDesign } from '../../analysis/design.ts';
import type { Prover, ProofTask } from './by-proof.ts';
import type { GoldenCache } from '../golden-cache.ts';
import type { Rows } from '../stimulus/rows.ts';
import type { TimeBudget } from '../time-budget.ts';

/** Share of the time for one question, and its upper bound in milliseconds. */
const SHARE = 0.2;
const MOST_MS = 6000;

export interface SolverOptions {
  readonly prover: Prover;
  /** The golden and how it is driven; the DUT is left out. */
  readonly task: Omit<ProofTask, 'dut' | 'timeoutMs' | 'wallMs'>;
  readonly cache: GoldenCache;
  /** Of the whole verification. */
  readonly time: TimeBudget;
}

/**
 * Finds stimulus with a prover: asked for what tells a faulty copy of the golden from the golden, it answers with rows that run
 * through the fault and show it at an output. Undefined when there are none, or none were found in time.
 */
export function makeSolver({ prover, task, cache, time }: SolverOptions): (key: string, faulty: LoadedDesign) => Promise<Rows | undefined> {
  return async (key, faulty) => {
    const known = cache.findDirected(key);
    if (known !== undefined) return known.count === 0 ? undefined : known;
    if (time.isOver()) return undefined;
    const { clocks, resets } = task.clocking;
    const attempt = await prover.prove({ ...task, dut: faulty, near: true, behindReset: clocks.length > 0 && resets.length > 0, timeoutMs: Math.min(MOST_MS, time.ms * SHARE), wallMs: time.remainingMs() });
    const rows = attempt.kind === 'counterexample' ? attempt.rows : undefined;
    if (!time.isOver()) cache.storeDirected(key, rows ?? { bytes: new Uint8Array(), rowBytes: task.layout.rowBytes, count: 0 });
    return rows;
  };
}
