import type { LoadedDesign } from '../analysis/design.ts';
import { sampleChanges } from './compare.ts';
import type { Simulated } from './engine.ts';
import { SideBySide, stopped, type SimulationOptions, type StageOutcome } from './side-by-side.ts';
import { timescaleOf } from './simulate.ts';
import type { Timescale } from './source-scan.ts';
import type { Layout } from './stimulus/layout.ts';
import type { Rows } from './stimulus/rows.ts';
import { deepStimulus, EXHAUSTIVE_BITS, exhaustiveStimulus, randomStimulus, repeatingStimulus, serialStimulus, settingsStimulus, trialStimulus, type Stimulus, type StimulusOptions, type Trials } from './stimulus/stimulus.ts';

/** Rows of the first run: most faults show within a few hundred. */
const SHORT_ROWS = 1000;
const SHORT_EPISODE = 64;
/** Rows of the long run when the caller asks for no number of cycles. */
const LONG_ROWS = 30_000;
const LONG_EPISODE = 6000;
/** Rows of the longest episode in which inputs take few values: many others are to have their turn. */
const REPEATING_EPISODE = 2000;
/** Rows of the run through the settings of single inputs, at most. */
const SETTINGS_ROWS = 60_000;
/** Rows of the deep run, in which one input assignment is held: 100,000 cycles of one clock, more than a day of seconds. */
const DEEP_ROWS = 200_000;
/** Rows of the deepest run, and bytes that its trace may take: a frame of a picture has 420,000 cycles. */
const DEEPEST_ROWS = 1_800_000;
const DEEPEST_BYTES = 1 << 27;
/** Shares of the time that runs are chosen to take. */
const LONG_SHARE = 0.2;
const DEEP_SHARE = 0.1;
const SERIAL_SHARE = 0.1;
const DEEPEST_SHARE = 0.15;
const KNOWN_SHARE = 0.4;
/** Time scales of the two harnesses: a pair that runs by its own delays is watched at the golden's pace, where both sides state one. */
export function harnessScales(golden: LoadedDesign, dut: LoadedDesign, layout: Layout | undefined): Record<'golden' | 'dut', Timescale | undefined> {
  const goldenScale = timescaleOf(golden);
  const dutScale = timescaleOf(dut);
  const shared = goldenScale !== undefined && dutScale !== undefined && layout?.fields.length === 0;
  return { golden: goldenScale, dut: shared ? { ...dutScale, unit: goldenScale.unit } : dutScale };
}

/** The stages of a simulation: which stimulus both sides are run on, and how much of it the time allows. */
export class SimulationCheck {
  readonly #options: SimulationOptions;
  readonly #sides: SideBySide;
  /** The input assignment of the deep run. */
  #held: { readonly trials: Trials; readonly trial: number } | undefined;

  constructor(options: SimulationOptions, golden: Simulated, dut: Simulated) {
    this.#options = options;
    this.#sides = new SideBySide(options, golden, dut);
  }

  get seed(): number {
    return this.#options.seed;
  }

  /** Every input combination where that is a matter of few rows, else a short run of every kind of episode. */
  short(): Promise<StageOutcome> {
    const { layout, seed } = this.#options;
    if (this.#canBeExhausted() && 2 ** layout.dataBits <= SHORT_ROWS) return this.#generated(exhaustiveStimulus(layout, seed), 0.5);
    return this.#generated(this.#random(SHORT_ROWS, SHORT_EPISODE, seed), 0.5);
  }

  /** Every input combination; undefined where that is not feasible. */
  everyInput(): Promise<StageOutcome> | undefined {
    return this.#canBeExhausted() ? this.#generated(exhaustiveStimulus(this.#options.layout, this.#options.seed), 0.5) : undefined;
  }

  #canBeExhausted(): boolean {
    const { layout, clocking } = this.#options;
    return layout.clockBits === 0 && layout.dataBits > 0 && layout.dataBits <= EXHAUSTIVE_BITS && !clocking.sequential;
  }

  /** Rows that a share of the time is enough for. */
  affordable(share: number): number {
    return this.#sides.affordable(share);
  }

  /** A long run with deep episodes, as long as asked for or as the time budget allows. */
  long(): Promise<StageOutcome> {
    const { cycles, layout, clocking, seed } = this.#options;
    const perCycle = layout.clockBits === 0 ? 1 : 2 * Math.max(1, clocking.clocks.length);
    const wanted = cycles === undefined ? LONG_ROWS : cycles * perCycle;
    const affordable = cycles === undefined ? this.affordable(LONG_SHARE) : wanted;
    const rows = Math.max(1, Math.min(wanted, affordable));
    return this.#generated(this.#random(rows, Math.min(LONG_EPISODE, rows), seed + 1), 0.8);
  }

  /**
   * Holds the input assignment under which the golden moves most for as long as the budget allows, so that slow counters wrap;
   * undefined for designs without a clock and where no assignment keeps the golden moving. `activity` tells how much it moves
   * inside, by row; without it only its outputs are seen. `brief`: for no longer than the long run.
   */
  async deep(activity: (rows: Rows) => Promise<readonly number[] | undefined>, brief: boolean): Promise<StageOutcome | undefined> {
    const { layout, seed, cycles } = this.#options;
    const rows = Math.min(brief ? LONG_ROWS : DEEP_ROWS, this.affordable(DEEP_SHARE));
    if (layout.clockBits === 0 || cycles !== undefined || rows < LONG_ROWS) return undefined;
    const drawn = trialStimulus(this.#stimulusOptions(rows, SHORT_EPISODE, seed + 3));
    const trials = { ...drawn, rows: this.#options.assumption?.repair(drawn.rows, layout, seed) ?? drawn.rows };
    const changes = movesInside(trials, await activity(trials.rows)) ?? (await this.#movesOutside(trials));
    const most = Math.max(...changes);
    if (most < 2) return undefined;
    this.#held = { trials, trial: changes.indexOf(most) };
    return this.#deepRun(rows);
  }

  /** The deep run once more, as much deeper as the budget allows; undefined when there was none, or when it would not be much deeper. */
  async deeper(): Promise<StageOutcome | undefined> {
    const rows = this.#deepest(DEEPEST_SHARE);
    return rows < 2 * DEEP_ROWS ? undefined : this.#deepRun(rows);
  }

  /** Rows of a witness that is known beforehand to be one, at most. */
  get mostRows(): number {
    return this.#deepest(KNOWN_SHARE);
  }

  #deepest(share: number): number {
    const { observedBits, samplesPerRow } = this.#options.layout;
    const fitting = Math.floor(DEEPEST_BYTES / (samplesPerRow * 8 * Math.ceil(observedBits / 32)));
    return Math.min(DEEPEST_ROWS, fitting, this.affordable(share));
  }

  #deepRun(rows: number): Promise<StageOutcome> | undefined {
    const held = this.#held;
    return held && this.#generated(deepStimulus(this.#stimulusOptions(rows, SHORT_EPISODE, this.#options.seed + 3), held.trials, held.trial), 0.8);
  }

  /** A run as long as the long one, in which wide inputs take few values at a time; undefined where there are none, or where the caller asks for a number of cycles. */
  async repeating(): Promise<StageOutcome | undefined> {
    const { seed, cycles } = this.#options;
    const rows = Math.min(LONG_ROWS, this.affordable(LONG_SHARE));
    if (cycles !== undefined || rows < SHORT_ROWS) return undefined;
    const stimulus = repeatingStimulus(this.#stimulusOptions(rows, REPEATING_EPISODE, seed + 6));
    return stimulus === undefined ? undefined : this.#generated(stimulus, 0.8);
  }

  /** The inputs of one bit in each setting for long; undefined where there are none, without a clock, and where the caller asks for a number of cycles. */
  async settings(): Promise<StageOutcome | undefined> {
    const { layout, seed, cycles } = this.#options;
    const rows = Math.min(SETTINGS_ROWS, this.affordable(LONG_SHARE));
    if (layout.clockBits === 0 || cycles !== undefined || rows < SHORT_ROWS) return undefined;
    const stimulus = settingsStimulus(this.#stimulusOptions(rows, SHORT_EPISODE, seed + 7));
    return stimulus === undefined ? undefined : this.#generated(stimulus, 0.8);
  }

  /** Serial transfers, as slow as the constants of the golden have it; undefined where its inputs do not look so, and without a clock. */
  async serial(brief: boolean): Promise<StageOutcome | undefined> {
    const { layout, seed, cycles } = this.#options;
    const rows = Math.min(brief ? LONG_ROWS : DEEP_ROWS, this.affordable(SERIAL_SHARE));
    if (layout.clockBits === 0 || cycles !== undefined || rows < SHORT_ROWS) return undefined;
    const stimulus = serialStimulus(this.#stimulusOptions(rows, SHORT_EPISODE, seed + 5));
    return stimulus === undefined ? undefined : this.#generated(stimulus, 0.8);
  }

  /** How often the golden's outputs change in each trial. */
  async #movesOutside(trials: Trials): Promise<number[]> {
    const { samplesPerRow } = this.#options.layout;
    const answer = await this.#sides.goldenAlone(trials.rows, 0.3);
    if (answer.kind !== 'finished') return [];
    const perTrial = trials.rowsPerTrial * samplesPerRow;
    const first = trials.from * samplesPerRow;
    const count = Math.floor((answer.trace.samples - first) / perTrial);
    return Array.from({ length: count }, (_, trial) => sampleChanges(answer.trace, first + trial * perTrial, perTrial));
  }

  /** Runs a given stimulus, such as a prover's counterexample, and says whether the sides differ on it. */
  replay(rows: Rows, compareFrom = 0): Promise<StageOutcome> {
    return this.#sides.run({ rows, compareFrom, exhaustive: false }, 0.5);
  }

  /** A short run with the constants that only the DUT compares with; undefined when there are none. */
  async ownConstants(): Promise<StageOutcome | undefined> {
    const { golden, dut, seed } = this.#options;
    const known = new Set(golden.module.constants.map(({ value }) => value));
    const own = dut.module.constants.filter(({ value }) => !known.has(value));
    return own.length === 0 ? undefined : this.#generated(this.#random(SHORT_ROWS / 2, SHORT_EPISODE, seed + 2, own), 0.5);
  }

  /** A stage on a stimulus that is made to keep to the assumption. */
  #generated(stimulus: Stimulus, share: number): Promise<StageOutcome> {
    const { assumption, layout, seed } = this.#options;
    const kept = assumption === undefined ? stimulus : assumption.constrain(stimulus, layout, seed);
    if (kept !== undefined) return this.#sides.run(kept, share);
    return Promise.resolve(stopped({ verdict: 'bad-input', reason: `No input values were found that keep to the assumption ${assumption?.text ?? ''}; write a weaker one.` }));
  }

  /** The stimulus does not depend on the DUT unless asked for, so that the golden's answers can be kept while the DUT is edited. */
  #random(rows: number, longestEpisode: number, seed: number, constants = this.#options.golden.module.constants): Stimulus {
    return randomStimulus({ ...this.#stimulusOptions(rows, longestEpisode, seed), constants });
  }

  #stimulusOptions(rows: number, longestEpisode: number, seed: number): StimulusOptions {
    const { layout, clocking, golden } = this.#options;
    return { layout, clocks: clocking.clocks, resets: clocking.resets, constants: golden.module.constants, seed, rows, longestEpisode };
  }
}

/** Changes inside the golden in each trial, the first cycles left out: the new inputs make some themselves. */
function movesInside({ rows, from, rowsPerTrial }: Trials, activity: readonly number[] | undefined): number[] | undefined {
  if (activity === undefined) return undefined;
  const count = Math.floor((rows.count - from) / rowsPerTrial);
  const settled = Math.floor(rowsPerTrial / 4);
  return Array.from({ length: count }, (_, trial) => {
    const start = from + trial * rowsPerTrial;
    return activity.slice(start + settled, start + rowsPerTrial).reduce((sum, changes) => sum + changes, 0);
  });
}
