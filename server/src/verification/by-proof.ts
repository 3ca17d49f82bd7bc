import type { LoadedDesign } from '../analysis/design.ts';
import type { Clocking } from '../analysis/module.ts';
import type { Layout } from './layout.ts';
import type { Finding, PortLocator } from './report.ts';
import type { Rows } from './rows.ts';
import type { EngineReport } from './verdict.ts';
import type { Exchange } from './witness.ts';

export interface ProofTask {
  readonly golden: LoadedDesign;
  readonly dut: LoadedDesign;
  readonly layout: Layout;
  readonly clocking: Clocking;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export type ProofAttempt =
  | { readonly kind: 'proved'; readonly reason: string }
  /** To be replayed in the simulator before it counts. */
  | { readonly kind: 'counterexample'; readonly rows: Rows }
  | { readonly kind: 'undecided'; readonly reason: string };

export interface DecisionTask extends ProofTask {
  readonly locate: PortLocator;
  readonly seed: number;
}

export interface Decision {
  readonly finding: Finding;
  readonly exchange: Exchange | undefined;
}

/** A formal engine as the verification uses it. */
export interface Prover {
  readonly name: Exclude<EngineReport['name'], 'iverilog'>;
  readonly version: string;
  /** Beside a simulator: looks for a proof, or for a counterexample to replay. */
  prove(task: ProofTask): Promise<ProofAttempt>;
  /** Without a simulator: reaches a verdict alone. */
  decide(task: DecisionTask): Promise<Decision>;
}
