/** Both sides from drawn power-on states: what is the design's, and what one state of it does by chance. */
import { withoutChance } from './chance.ts';
import { agreement, type Comparison, type Criterion } from './compare.ts';
import type { Budget, PowerOn, SideRun, Simulated } from './engine.ts';
import type { Answer } from './shrink/task.ts';
import type { Layout } from './stimulus/layout.ts';
import { firstRows, joinRows, paddedRows, type Rows } from './stimulus/rows.ts';
import type { TimeBudget } from './time-budget.ts';
import { samplesOf, type Trace } from './trace.ts';

/** Power-on states drawn for the golden, beside the unknown one, and for the DUT. */
const GOLDEN_STATES = 3;
const DUT_STATES = 2;

/** What a difference is looked at again in: power-on states, rows that all of them take together, and rows behind it that are looked at as well. */
const FURTHER_STATES = 64;
const LEAST_FURTHER_STATES = 8;
const FURTHER_ROWS = 16_000;
const ROWS_AT_ONCE = 500;
/** How often one run is looked at again, for another difference. */
const MOST_LOOKS = 4;
/** Part of the time for runs of several states at once. */
const TOGETHER_SHARE = 0.5;

export interface Simulations {
  readonly golden: Simulated;
  readonly dut: Simulated;
}

/** What both sides did with some rows. */
export interface Runs {
  readonly golden: SideRun;
  readonly dut: SideRun;
  /** Of the DUT, where its state was drawn. */
  readonly powerOn?: PowerOn | undefined;
}

export interface DrawnOptions {
  readonly layout: Layout;
  readonly seed: number;
  readonly time: TimeBudget;
  /** From a row on. */
  readonly compare: (golden: Trace, dut: Trace, compareFrom: number) => { readonly comparison: Comparison; readonly criterion: Criterion };
}

/** States of one side: the first of them in the order of all that a seed gives, how many, and whether the unknown one comes before them. */
interface States {
  readonly first: number;
  readonly count: number;
  readonly unknownFirst: boolean;
}

/** A difference counts in a bit on which all runs of the golden agree, for some state of the DUT. */
export class DrawnSides {
  readonly #sides: Simulations;
  readonly #options: DrawnOptions;

  /** The sides are compiled with their state. */
  constructor(sides: Simulations, options: DrawnOptions) {
    this.#sides = sides;
    this.#options = options;
  }

  /** `golden`: what it did from the unknown state. Its trace becomes what it does from every state. */
  async runs(golden: SideRun & { readonly kind: 'finished' }, rows: Rows, compareFrom: number, budget: Budget): Promise<Runs> {
    const draw = (side: Simulated, count: number, first: number): Promise<SideRun[]> =>
      Promise.all(Array.from({ length: count }, (_, index) => side.run(rows, budget, this.#powerOn(first + index))));
    const [goldenRuns, firstRuns] = await Promise.all([draw(this.#sides.golden, GOLDEN_STATES, 0), draw(this.#sides.dut, 1, GOLDEN_STATES)]);
    const agreed = agreement([golden.trace, ...goldenRuns.flatMap((run) => ('trace' in run ? [run.trace] : []))]);
    const differs = (run: SideRun): boolean => 'trace' in run && this.#differs(agreed, run.trace, compareFrom);
    // One difference is enough.
    const dutRuns = firstRuns.some(differs) ? firstRuns : [...firstRuns, ...(await draw(this.#sides.dut, DUT_STATES - 1, GOLDEN_STATES + 1))];
    const unfinished = [...goldenRuns, ...dutRuns].find((run) => run.kind !== 'finished');
    const workMs = [golden, ...goldenRuns, ...dutRuns].reduce((sum, run) => sum + (run.kind === 'finished' ? run.workMs : 0), 0) / 2;
    const [firstDut] = dutRuns;
    if (unfinished !== undefined || firstDut === undefined) return { golden: { kind: 'finished', trace: agreed, workMs }, dut: unfinished ?? golden };
    const differing = dutRuns.findIndex(differs);
    const found = dutRuns[differing];
    if (found === undefined || !('trace' in found)) return { golden: { kind: 'finished', trace: agreed, workMs }, dut: firstDut };
    const state = GOLDEN_STATES + differing;
    const trace = await this.#withoutChance(agreed, { dut: found.trace, state }, rows, compareFrom);
    return { golden: { kind: 'finished', trace, workMs }, dut: found, powerOn: this.#powerOn(state) };
  }

  /** Several stimuli, each from the first states: what comes out is only likely to be what the stimulus does by itself. */
  async together(parts: readonly Rows[], compareFrom: number): Promise<Answer[] | undefined> {
    const budget = this.#options.time.part(TOGETHER_SHARE);
    const [goldens, duts] = await Promise.all([
      this.#again(this.#sides.golden, parts, { first: 0, count: 1 + GOLDEN_STATES, unknownFirst: true }, budget),
      this.#again(this.#sides.dut, parts, { first: GOLDEN_STATES, count: DUT_STATES, unknownFirst: false }, budget),
    ]);
    return goldens?.flatMap(([first, ...others], part) => {
      const [dut, ...more] = duts?.[part] ?? [];
      if (first === undefined || dut === undefined) return [];
      const golden = agreement([first, ...others]);
      return [{ golden, dut: [dut, ...more].find((trace) => this.#differs(golden, trace, compareFrom)) ?? dut }];
    });
  }

  /**
   * The golden without what a difference from it owes to the power-on state of the DUT by chance: the rows up to there are run from many states of both sides,
   * of which the golden has those of the DUT too, so that what the two have in common does the same in both.
   */
  async #withoutChance(golden: Trace, { dut, state }: { readonly dut: Trace; readonly state: number }, rows: Rows, compareFrom: number): Promise<Trace> {
    const { layout, time, compare } = this.#options;
    let agreed = golden;
    for (let look = 0; look < MOST_LOOKS; look++) {
      const { comparison: { difference }, criterion } = compare(agreed, dut, compareFrom);
      if (difference === undefined) break;
      const looked = firstRows(rows, Math.min(rows.count, Math.max(Math.floor(difference.sample / layout.samplesPerRow) + 1, ROWS_AT_ONCE)));
      const states = { first: state, count: Math.min(FURTHER_STATES, Math.floor(FURTHER_ROWS / looked.count)), unknownFirst: false };
      if (states.count < LEAST_FURTHER_STATES) break;
      const budget = time.part(TOGETHER_SHARE);
      const [goldens, duts] = await Promise.all([this.#again(this.#sides.golden, [looked], states, budget), this.#again(this.#sides.dut, [looked], states, budget)]);
      const certain = withoutChance(agreed, { dut, difference }, { goldens: goldens?.[0] ?? [], duts: duts?.[0] ?? [] }, criterion);
      if (certain === undefined) break;
      agreed = certain;
      if (compare(agreed, dut, compareFrom).comparison.difference?.sample === difference.sample) break;
    }
    return agreed;
  }

  /** One run of a side, which powers itself on again for each part and each of its states; traces by part and state, undefined where it does not finish. */
  async #again(side: Simulated, parts: readonly Rows[], { first, count, unknownFirst }: States, budget: Budget): Promise<readonly Trace[][] | undefined> {
    const { samplesPerRow } = this.#options.layout;
    const rows = Math.max(...parts.map((part) => part.count));
    const padded = parts.flatMap((part) => Array.from({ length: count }, () => paddedRows(part, rows)));
    const ran = await side.run(joinRows(padded), budget, { ...this.#powerOn(first), again: { rows, states: count, unknownFirst } });
    if (ran.kind !== 'finished') return undefined;
    return parts.map((part, at) => Array.from({ length: count }, (_, state) => samplesOf(ran.trace, (at * count + state) * rows * samplesPerRow, part.count * samplesPerRow)));
  }

  #powerOn(state: number): PowerOn {
    return { seed: this.#options.seed * 16 + state };
  }

  #differs(golden: Trace, dut: Trace, compareFrom: number): boolean {
    return this.#options.compare(golden, dut, compareFrom).comparison.difference !== undefined;
  }
}
