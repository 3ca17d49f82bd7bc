import type { LoadedDesign } from '../analysis/design.ts';
import type { SimulationCheck } from './by-simulation.ts';
import type { CoverageMeter } from './coverage/coverage.ts';
import type { StageOutcome } from './side-by-side.ts';
import type { Rows } from './stimulus/rows.ts';
import type { TimeBudget } from './time-budget.ts';

export interface LengthOptions {
  readonly check: SimulationCheck;
  /** Undefined where no coverage can be measured. */
  readonly golden: CoverageMeter | undefined;
  readonly dut: CoverageMeter | undefined;
  /** Asks a prover for rows that tell a faulty copy of the golden from it; undefined where no prover is to be asked. */
  readonly solve: ((key: string, faulty: LoadedDesign) => Promise<Rows | undefined>) | undefined;
  /** What is far from power-on was looked for in the graph of the pair, in more ways than a simulation can afford. */
  readonly isSearched: boolean;
  readonly time: TimeBudget;
  readonly stage: (name: string, share: number) => void;
}

/** Share of the time for watching one run. */
const MEASURE_SHARE = 0.5;
/** How stimulus into branches that were not reached is looked for, and the share of the time for what is run to find it. */
const SEARCHES = [
  { way: 'corrected', name: 'Simulating directed vectors', share: 0.02 },
  { way: 'held', name: 'Holding inputs for what counts', share: 0.1 },
] as const;

type Clean = StageOutcome & { readonly kind: 'clean' };

/**
 * The long part of a simulation, where no proof ended. What was reached steers it: branches of either side that were not get
 * directed vectors, those of the golden also such that a prover finds, and once the golden is saturated, inputs are not held for
 * slow counters as long. The coverage of the golden goes into the evidence.
 */
export async function simulateAtLength(short: Clean, { check, golden, dut, solve, isSearched, time, stage }: LengthOptions): Promise<StageOutcome> {
  const measure = (outcome: Clean): Promise<void> | undefined => golden?.add(outcome.exchange.rows, time.part(MEASURE_SHARE));
  const covered = (outcome: Clean): Clean => ({ ...outcome, evidence: { ...outcome.evidence, coverage: golden?.coverage() } });
  stage('Measuring what the stimulus reaches', 0.6);
  await Promise.all([measure(short), dut?.add(short.exchange.rows, time.part(MEASURE_SHARE))]);
  for (const { way, name, share } of SEARCHES) {
    for (const meter of [golden, dut]) {
      const directed = await meter?.direct(way, short.exchange, { seed: check.seed, time, mostRows: check.affordable(share) });
      if (directed === undefined) continue;
      stage(name, 0.62);
      const outcome = await check.replay(directed.rows, directed.compareFrom);
      if (outcome.kind !== 'clean') return outcome;
      await measure(outcome);
    }
  }
  for (const { key, design } of solve === undefined ? [] : ((await golden?.faults()) ?? [])) {
    stage('Solving for what was not reached', 0.64);
    const rows = await solve?.(key, design);
    if (rows === undefined) continue;
    const outcome = await check.replay(rows);
    if (outcome.kind !== 'clean') return outcome;
    await measure(outcome);
  }
  stage('Simulating at length', 0.65);
  const long = await check.long();
  if (long.kind !== 'clean') return long;
  await measure(long);
  let last = long;
  const before = golden?.reached();
  const isStill = (): boolean => before !== undefined && golden?.reached() === before;
  // Where everything was reached once, what needs an order of events may still be missing, so nothing is left out, only shortened.
  const isSaturated = (): boolean => golden?.isSaturated() === true;
  const later: readonly [string, () => Promise<StageOutcome | undefined>][] = [
    ['Repeating few values', () => check.repeating()],
    ['Holding one setting after the other', () => check.settings()],
    ['Holding the inputs for slow counters', () => check.deep((rows) => golden?.activity(rows, time.part(MEASURE_SHARE)) ?? Promise.resolve(undefined), isSaturated())],
    ['Trying serial transfers', () => check.serial(isSaturated())],
    // What came to something new by being held may come to more.
    ['Holding the inputs for the slowest counters', () => (!isSearched && !isSaturated() && !isStill() ? check.deeper() : Promise.resolve(undefined))],
  ];
  for (const [index, [name, run]] of later.entries()) {
    stage(name, 0.8 + index / 25);
    const outcome = await run();
    if (outcome === undefined) continue;
    if (outcome.kind !== 'clean') return outcome;
    last = outcome;
    await measure(outcome);
  }
  return covered(last);
}
