import type { SimulationCheck, StageOutcome } from './by-simulation.ts';
import type { CoverageMeter } from './coverage.ts';
import type { Budget } from './simulate.ts';

export interface LengthOptions {
  readonly check: SimulationCheck;
  /** Undefined where no coverage can be measured. */
  readonly meter: CoverageMeter | undefined;
  readonly budget: (share: number) => Budget;
  readonly stage: (name: string, share: number) => void;
}

type Clean = StageOutcome & { readonly kind: 'clean' };

/**
 * The long part of a simulation, where no proof ended. How long it gets depends on what was reached in the golden: once every
 * branch was taken and every bit has toggled, inputs are not held for slow counters any more. The coverage goes into the evidence.
 */
export async function simulateAtLength(short: Clean, { check, meter, budget, stage }: LengthOptions): Promise<StageOutcome> {
  const measure = (outcome: Clean): Promise<void> | undefined => meter?.add(outcome.exchange.rows, budget(0.3));
  const covered = (outcome: Clean): Clean => ({ ...outcome, evidence: { ...outcome.evidence, coverage: meter?.coverage() } });
  stage('Measuring what the stimulus reaches', 0.6);
  await measure(short);
  stage('Simulating at length', 0.65);
  const long = await check.long();
  if (long.kind !== 'clean') return long;
  await measure(long);
  if (meter?.isFull() === true) return covered(long);
  stage('Holding the inputs for slow counters', 0.8);
  const deep = await check.deep();
  if (deep === undefined) return covered(long);
  if (deep.kind !== 'clean') return deep;
  await measure(deep);
  return covered(deep);
}
