import type { LoadedDesign } from '../analysis/design.ts';
import type { Clocking } from '../analysis/module.ts';
import type { Assumption } from './assumption.ts';
import { compareTraces, criterionOf, hasUnknown, observedBitCount, type Comparison, type Criterion } from './compare.ts';
import type { WatchedSide } from './coverage/watched.ts';
import { DrawnSides, type Runs, type Simulations } from './drawn-sides.ts';
import type { SideRun, Simulated } from './engine.ts';
import { patternOf, suspectsEvent } from './explain/explain.ts';
import { localise } from './explain/localise.ts';
import { viewOf } from './explain/view.ts';
import { differentReason, type Finding, type PortLocator } from './report.ts';
import { RunCost } from './run-cost.ts';
import { shrinkWitness } from './shrink/shrink.ts';
import type { ShrinkTask } from './shrink/task.ts';
import { clockLines } from './stimulus/clock-schedule.ts';
import { inTurn, isInTurn } from './stimulus/in-turn.ts';
import type { Layout } from './stimulus/layout.ts';
import type { Rows } from './stimulus/rows.ts';
import type { Stimulus } from './stimulus/stimulus.ts';
import type { TimeBudget } from './time-budget.ts';
import type { Trace } from './trace.ts';
import { count } from './value-text.ts';
import type { Evidence, Mismatch, Unknowns, WitnessStep } from './verdict.ts';
import { cyclesAfterRows, describeMismatch, witnessSteps, type Exchange } from './witness.ts';

/** Replays that shrinking a witness may spend; a count and no time, so that the same seed gives the same witness on a busy machine. */
const SHRINK_REPLAYS = 14;
/** Replays where each takes several runs, from drawn power-on states. */
const DRAWN_SHRINK_REPLAYS = 8;
/** Replays for a failure that lies deeper than this many rows, where each replay is long and little can be left out. */
const DEEP_SHRINK_REPLAYS = 5;
const DEEP_FAILURE = 4000;

export interface SimulationOptions {
  readonly golden: LoadedDesign;
  readonly dut: LoadedDesign;
  readonly layout: Layout;
  readonly clocking: Clocking;
  readonly seed: number;
  readonly cycles: number | undefined;
  readonly unknowns: Unknowns;
  /** What the inputs always keep to. */
  readonly assumption?: Assumption | undefined;
  readonly locate: PortLocator;
  readonly time: TimeBudget;
  /** See `VerifyOptions`. */
  readonly brief?: boolean;
  /** A copy of the DUT that marks what it runs, to find causes with; undefined where there is none. */
  readonly watchedDut?: (() => Promise<WatchedSide | undefined>) | undefined;
}

export type StageOutcome =
  | { readonly kind: 'different'; readonly finding: Finding; readonly exchange: Exchange }
  | { readonly kind: 'clean'; readonly evidence: Evidence; readonly exchange: Exchange; readonly notes: readonly string[] }
  | { readonly kind: 'stopped'; readonly finding: Finding };

/**
 * Runs both sides on the same stimulus and compares what they leave.
 *
 * A difference that rests on unknown values may come from the simulator's treatment of x and not from the design: `if` takes x for
 * false, an exclusive-or of x stays x for ever. So when unknown state may be behind a difference, it has to show again with drawn
 * power-on states: in a bit on which all runs of the golden agree, for some state of the DUT.
 */
export class SideBySide {
  readonly #options: SimulationOptions;
  readonly #plain: Simulations;
  /** Set once power-on states are drawn; every later run draws them too. */
  #drawn: DrawnSides | undefined;
  readonly #cost = new RunCost();
  #evidence: Evidence;

  constructor(options: SimulationOptions, golden: Simulated, dut: Simulated) {
    this.#options = options;
    this.#plain = { golden, dut };
    this.#evidence = { comparisons: 0, steps: 0, cycles: 0, exhaustive: false, observedOutputBits: 0, seed: options.seed, unknowns: options.unknowns };
  }

  /** Rows that a share of the time is enough for, from what was run so far. */
  affordable(share: number): number {
    return this.#cost.rowsIn(share * this.#options.time.ms);
  }

  /** What the golden does by itself. */
  goldenAlone(rows: Rows, share: number): Promise<SideRun> {
    return this.#plain.golden.run(rows, this.#options.time.part(share));
  }

  async #runs(rows: Rows, compareFrom: number, share: number): Promise<Runs> {
    const budget = this.#options.time.part(share);
    const [golden, dut] = await Promise.all([this.#plain.golden.run(rows, budget), this.#drawn === undefined ? this.#plain.dut.run(rows, budget) : undefined]);
    if (dut !== undefined) return { golden, dut };
    return golden.kind !== 'finished' || this.#drawn === undefined ? { golden, dut: golden } : this.#drawn.runs(golden, rows, compareFrom, budget);
  }

  #compare(golden: Trace, dut: Trace, compareFrom: number): { comparison: Comparison; criterion: Criterion } {
    const criterion = criterionOf(golden, this.#options.layout, this.#options.unknowns);
    return { comparison: compareTraces(golden, dut, criterion, compareFrom * this.#options.layout.samplesPerRow), criterion };
  }

  /** `share`: of the time, for one run of one side. */
  run(stimulus: Pick<Stimulus, 'rows' | 'compareFrom' | 'exhaustive'>, share: number): Promise<StageOutcome> {
    const { layout, assumption } = this.#options;
    if (!this.#inputsRace) return this.#run(stimulus, share);
    const calm = inTurn(stimulus, layout);
    return this.#run(assumption?.holdsAll(calm.rows) === false ? stimulus : calm, share);
  }

  /** Whether what inputs do that change in the same moment may depend on which comes first. */
  get #inputsRace(): boolean {
    const { latches, gated } = this.#options.clocking;
    return latches || gated;
  }

  async #run(stimulus: Pick<Stimulus, 'rows' | 'compareFrom' | 'exhaustive'>, share: number): Promise<StageOutcome> {
    const { layout, clocking } = this.#options;
    const { rows, compareFrom } = stimulus;
    const { golden, dut, powerOn } = await this.#runs(rows, compareFrom, share);
    this.#cost.add(rows.count, golden.kind === 'finished' && dut.kind === 'finished' ? Math.max(golden.workMs, dut.workMs) : undefined);
    if (golden.kind === 'cancelled' || dut.kind === 'cancelled') return stopped({ verdict: 'cancelled', reason: 'The verification was cancelled.' });
    for (const [side, run] of [['reference', golden], ['DUT', dut]] as const) {
      if (run.kind === 'failed') return stopped({ verdict: 'tool-error', reason: `The simulation of the ${side} failed: ${run.message}`, isBroken: run.isBroken === true });
    }
    if (!('trace' in golden) || !('trace' in dut)) throw new Error('A run without a trace must have been reported.');
    const { comparison, criterion } = this.#compare(golden.trace, dut.trace, compareFrom);
    if (comparison.difference !== undefined && (await this.#drawsState(golden.trace, dut.trace, compareFrom, comparison.difference.sample))) {
      return this.#run(stimulus, share);
    }
    const exchange: Exchange = { layout, clocks: clocking.clocks, resets: clocking.resets, rows, compareFrom, golden: golden.trace, dut: dut.trace, criterion, powerOn };
    const fromSample = compareFrom * layout.samplesPerRow;
    this.#addEvidence(exchange, comparison.compared, fromSample, stimulus.exhaustive);
    if (comparison.difference !== undefined) return this.#different(exchange, comparison.difference.sample);
    const unfinished = unfinishedFinding(golden, dut, rows.count * layout.samplesPerRow, this.#evidence);
    if (unfinished !== undefined) return stopped(unfinished);
    const notes = golden.kind === 'timed-out' || dut.kind === 'timed-out' ? [`The time budget ended after ${count(comparison.compared, 'comparison')} of the long run.`] : [];
    if (this.#drawn !== undefined) notes.push('Registers without a reset started from random values, because unknown ones do not settle in simulation.');
    return { kind: 'clean', evidence: this.#evidence, exchange, notes };
  }

  /** Starts to draw power-on states when unknown state may be behind a difference; true when that changed how sides are run. */
  async #drawsState(golden: Trace, dut: Trace, compareFrom: number, sample: number): Promise<boolean> {
    if (this.#drawn !== undefined || this.#options.unknowns === 'strict') return false;
    const { clocking, layout, seed, time } = this.#options;
    const unset = clocking.resets.length === 0 && (clocking.sequential || layout.clockBits > 0);
    const from = compareFrom * layout.samplesPerRow;
    if (!unset && !hasUnknown(golden, from, sample + 1) && !hasUnknown(dut, from, sample + 1)) return false;
    const budget = time.part(0.5);
    const [drawnGolden, drawnDut] = await Promise.all([this.#plain.golden.withDrawnState(budget), this.#plain.dut.withDrawnState(budget)]);
    if (drawnGolden === undefined || drawnDut === undefined) return false;
    this.#drawn = new DrawnSides({ golden: drawnGolden, dut: drawnDut }, { layout, seed, time, compare: (...traces) => this.#compare(...traces) });
    return true;
  }

  #addEvidence(exchange: Exchange, compared: number, fromSample: number, exhaustive: boolean): void {
    const { layout, clocks, rows } = exchange;
    const appliedRows = Math.min(rows.count, Math.ceil((fromSample + compared) / layout.samplesPerRow));
    const cycles = clockLines(layout, clocks).length === 0 ? 0 : (cyclesAfterRows(rows, layout, clocks)[appliedRows - 1] ?? 0);
    this.#evidence = {
      comparisons: this.#evidence.comparisons + compared,
      steps: this.#evidence.steps + appliedRows,
      cycles: this.#evidence.cycles + cycles,
      exhaustive: exhaustive && appliedRows === rows.count,
      observedOutputBits:
        layout.observedBits === 0 ? 0 : Math.max(this.#evidence.observedOutputBits, observedBitCount(exchange.golden, layout.observedBits, fromSample) / layout.observedBits),
      seed: this.#evidence.seed,
      unknowns: this.#options.unknowns,
    };
  }

  #historyFrom(compareFrom: number): ShrinkTask['history'] {
    const { layout, clocking } = this.#options;
    if (layout.clockBits === 0 && !clocking.sequential && compareFrom === 0) return 'none';
    return compareFrom > 0 && this.#drawn === undefined ? 'since-reset' : 'since-power-on';
  }

  async #different(found: Exchange, sample: number): Promise<StageOutcome> {
    const { layout, locate, time, brief } = this.#options;
    const { compareFrom } = found;
    if (brief === true) return this.#told(found, { ...describeMismatch(found, sample, locate), suspects: [] }, []);
    const isDeep = sample > DEEP_FAILURE * layout.samplesPerRow;
    const drawn = isDeep ? undefined : this.#drawn;
    const shrunk = await shrinkWitness({
      layout,
      rows: found.rows,
      answer: { golden: found.golden, dut: found.dut },
      prefix: compareFrom,
      failingRow: Math.floor(sample / layout.samplesPerRow),
      criterion: found.criterion,
      history: this.#historyFrom(compareFrom),
      replays: isDeep ? DEEP_SHRINK_REPLAYS : this.#drawn === undefined ? SHRINK_REPLAYS : DRAWN_SHRINK_REPLAYS,
      deadline: () => time.isOver(),
      allows: (rows) => (!this.#inputsRace || isInTurn(rows, layout)) && (this.#options.assumption?.holdsAll(rows) ?? true),
      replay: async (rows) => {
        const { golden, dut } = await this.#runs(rows, compareFrom, 0.5);
        return golden.kind === 'finished' && 'trace' in dut ? { golden: golden.trace, dut: dut.trace } : undefined;
      },
      together: drawn && ((parts) => drawn.together(parts, compareFrom)),
    });
    const exchange = { ...found, rows: shrunk.rows, ...shrunk.answer };
    const at = shrunk.sample;
    const described = describeMismatch(exchange, at, locate);
    const output = layout.observed.find((port) => port.port === described.output);
    const view = output === undefined ? undefined : viewOf(found, output, compareFrom * layout.samplesPerRow);
    const pattern = view === undefined ? undefined : patternOf(view);
    const side = await this.#options.watchedDut?.();
    const budget = time.part(0.5, 5000);
    const suspects = side === undefined ? [] : await localise({ side, exchange: found, sample, budget, isEvent: view !== undefined && suspectsEvent(view, pattern) });
    return this.#told(exchange, { ...described, pattern, suspects }, witnessSteps(exchange, 0, at));
  }

  #told(exchange: Exchange, mismatch: Mismatch, witness: readonly WitnessStep[]): StageOutcome {
    const isClocked = clockLines(exchange.layout, exchange.clocks).length > 0;
    return { kind: 'different', exchange, finding: { verdict: 'different', reason: differentReason(mismatch, isClocked), evidence: this.#evidence, mismatch, witness } };
  }
}

export function stopped(finding: Finding): StageOutcome {
  return { kind: 'stopped', finding };
}

/** A side that ran out of its time after fewer comparisons says nothing: it may well hang. After as many as the second, however long the run was to be, it does. */
const LEAST_COMPARISONS = 100;
const MOST_COMPARISONS = 1000;

/** What to say when a side did not answer every row and no difference showed until then. */
function unfinishedFinding(golden: SideRun, dut: SideRun, wanted: number, evidence: Evidence): Finding | undefined {
  const sampled = (run: SideRun): number => ('trace' in run ? run.trace.samples : 0);
  const reached = `no difference showed in the ${count(evidence.comparisons, 'comparison')} before that`;
  if (golden.kind === 'finished' && dut.kind === 'finished') return undefined;
  const advances = (run: SideRun): boolean => run.kind === 'finished' || run.kind === 'timed-out';
  if (advances(golden) && advances(dut) && evidence.comparisons > Math.min(Math.max(LEAST_COMPARISONS, wanted / 20), MOST_COMPARISONS)) return undefined;
  const isDut = golden.kind === 'finished' || (advances(golden) && !advances(dut));
  const [side, run] = isDut ? (['DUT', dut] as const) : (['reference', golden] as const);
  const place = `after ${count(sampled(run), 'sample')} of ${count(wanted, 'sample')}`;
  switch (run.kind) {
    case 'timed-out':
      return { verdict: 'timeout', reason: `The ${side} did not finish in time: it was ended ${place}; ${reached}. Allow it more time.`, evidence };
    case 'stalled':
      return {
        verdict: 'timeout',
        reason: `The ${side} did not finish: it stopped advancing ${place}, which an endless loop without delay would explain; ${reached}.`,
        evidence,
      };
    case 'flooded':
      return { verdict: 'inconclusive', reason: `The ${side} printed text without end and was stopped ${place}; ${reached}. Remove its $display calls.`, evidence };
    case 'ended-early':
      return { verdict: 'inconclusive', reason: `The ${side} ended the simulation itself ($finish, $stop or $fatal) ${place}; ${reached}.`, evidence };
    default:
      return undefined;
  }
}

