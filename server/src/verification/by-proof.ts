import type { LoadedDesign } from '../analysis/design.ts';
import type { Clocking } from '../analysis/module.ts';
import type { Lookup, Toolbox } from '../tools/toolbox.ts';
import type { Yosys } from '../tools/yosys.ts';
import type { Layout } from './layout.ts';
import type { Finding, PortLocator } from './report.ts';
import type { Rows } from './rows.ts';
import type { EngineChoice, EngineReport } from './verdict.ts';
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

/** The prover that suits the choice: the installed Yosys when there is one and none is named, else the embedded one. */
export async function findProver(choice: EngineChoice, toolbox: Pick<Toolbox, 'yosys' | 'embeddedYosys'>): Promise<Lookup<Prover>> {
  const wrap = (lookup: Lookup<Yosys>): Lookup<Prover> => (lookup.kind === 'found' ? { ...lookup, tool: makeProver(lookup.tool) } : lookup);
  if (choice === 'yosys-wasm') return wrap(await toolbox.embeddedYosys());
  const native = await toolbox.yosys();
  return wrap(native.kind !== 'missing' || choice === 'yosys' ? native : await toolbox.embeddedYosys());
}

export function makeProver(yosys: Yosys): Prover {
  return {
    name: yosys.name,
    version: yosys.version,
    prove: () => Promise.resolve({ kind: 'undecided', reason: 'No method was tried.' }),
    decide: () => Promise.resolve({ finding: { verdict: 'inconclusive', reason: 'No method was tried.' }, exchange: undefined }),
  };
}
