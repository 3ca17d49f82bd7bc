import type { LoadedDesign } from '../../analysis/design.ts';
import type { Prover, ProofTask } from './by-proof.ts';
import type { GoldenCache } from '../golden-cache.ts';
import type { Rows } from '../stimulus/rows.ts';
import type { TimeBudget } from '../time-budget.ts';

/** Share of the time for one question, and its upper bound in milliseconds. */
const SHARE = 0.05;
const MOST_MS = 1500;
/** Questions without an answer after which no more are asked. */
const MOST_IN_VAIN = 2;

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
  let inVain = 0;
  return async (key, faulty) => {
    const known = cache.findDirected(key);
    if (known !== undefined) return known.count === 0 ? undefined : known;
    if (inVain >= MOST_IN_VAIN || time.isOver()) return undefined;
    const { clocks, resets } = task.clocking;
    const attempt = await prover.prove({ ...task, dut: faulty, behindReset: clocks.length > 0 && resets.length > 0, timeoutMs: Math.min(MOST_MS, time.ms * SHARE), wallMs: time.remainingMs() });
    if (attempt.kind === 'undecided') inVain++;
    const rows = attempt.kind === 'counterexample' ? attempt.rows : undefined;
    if (!time.isOver()) cache.storeDirected(key, rows ?? { bytes: new Uint8Array(), rowBytes: task.layout.rowBytes, count: 0 });
    return rows;
  };
}
