import type { LoadedDesign } from '../../analysis/design.ts';
import type { Prover, ProofTask } from './by-proof.ts';
import { proveFromReset } from '../from-reset.ts';
import type { GoldenCache } from '../golden-cache.ts';
import type { Rows } from '../stimulus/rows.ts';

/** Share of the time that is left for vectors of a prover, its upper bound and that of one question, in milliseconds. */
const SHARE = 0.2;
const MOST_MS = 6000;
const ONE_MS = 3000;
const LEAST_MS = 200;

export interface SolverOptions {
  readonly prover: Prover;
  /** The golden and how it is driven; the DUT is left out. */
  readonly task: Omit<ProofTask, 'dut' | 'timeoutMs'>;
  readonly cache: GoldenCache;
  readonly remainingMs: number;
}

/**
 * Finds stimulus with a prover: asked for what tells a faulty copy of the golden from the golden, it answers with rows that run
 * through the fault and show it at an output. Undefined when there are none, or none were found in time.
 */
export function makeSolver({ prover, task, cache, remainingMs }: SolverOptions): (key: string, faulty: LoadedDesign) => Promise<Rows | undefined> {
  let leftMs = Math.min(MOST_MS, remainingMs * SHARE);
  return async (key, faulty) => {
    const known = cache.findDirected(key);
    if (known !== undefined) return known.count === 0 ? undefined : known;
    if (leftMs < LEAST_MS) return undefined;
    const started = performance.now();
    const question = { ...task, dut: faulty, timeoutMs: Math.min(ONE_MS, leftMs) };
    const attempt = (await proveFromReset(prover, question)) ?? (await prover.prove(question));
    leftMs -= performance.now() - started;
    const rows = attempt.kind === 'counterexample' ? attempt.rows : undefined;
    if (task.signal?.aborted !== true) cache.storeDirected(key, rows ?? { bytes: new Uint8Array(), rowBytes: task.layout.rowBytes, count: 0 });
    return rows;
  };
}
