import type { Clock, MinedConstant, Reset } from '../../analysis/module.ts';
import { ClockSchedule } from './clock-schedule.ts';
import type { Field, Layout } from './layout.ts';
import { Random } from './random.ts';
import { RowBuilder, rowBit, type Rows } from './rows.ts';
import { ValueSource } from '../values.ts';

export interface StimulusOptions {
  readonly layout: Layout;
  readonly clocks: readonly Clock[];
  readonly resets: readonly Reset[];
  readonly constants: readonly MinedConstant[];
  readonly seed: number;
  /** Rows to make, at least; the last episode is finished. */
  readonly rows: number;
  /** Upper bound of an episode's length in rows: short runs see many kinds of episodes, long runs get deep. */
  readonly longestEpisode: number;
}

export interface Stimulus {
  readonly rows: Rows;
  /** First row whose samples are compared: with resets, the end of the first reset. */
  readonly compareFrom: number;
  readonly exhaustive: boolean;
}

/** Input bits up to which a clockless design gets every combination. */
export const EXHAUSTIVE_BITS = 16;

/** Every input combination twice: in counting order and in a shuffled one, so that hidden state shows. */
export function exhaustiveStimulus(layout: Layout, seed: number): Stimulus {
  const random = new Random(seed);
  const combinations = 2 ** layout.dataBits;
  const builder = new RowBuilder(layout, 2 * combinations);
  const order = Array.from({ length: combinations }, (_, value) => value);
  const apply = (value: number): void => {
    for (let bit = 0; bit < layout.dataBits; bit++) builder.setBit(bit, ((value >>> bit) & 1) === 1);
    builder.push();
  };
  order.forEach(apply);
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
  order.forEach(apply);
  return { rows: builder.finish(), compareFrom: 0, exhaustive: true };
}

/** Reset, then episodes of different character until the wanted number of rows is there. */
export function randomStimulus(options: StimulusOptions): Stimulus {
  return new Generator(options).run();
}

/** As `randomStimulus`, with wide inputs that keep to a few values each in an episode; undefined where there are none. */
export function repeatingStimulus(options: StimulusOptions): Stimulus | undefined {
  return options.layout.fields.some(({ role, width }) => role !== 'clock' && width > 1) ? new Generator(options).run(true) : undefined;
}

/** Settings of the inputs of one bit, at most, that are held one after the other, and how often wide inputs change meanwhile. */
const MOST_SETTINGS = 16;
const ROWS_PER_SETTING = 4000;
const CHANGE_IN_SETTING = 0.002;

/** After a reset, the inputs of one bit in each setting, or in some, each held for some thousand rows while wide inputs change now and then; undefined where there are none. */
export function settingsStimulus(options: StimulusOptions): Stimulus | undefined {
  return new Generator(options).settings();
}

/** Held input assignments that are tried before a deep run, and the clock cycles for which each is held. */
const TRIED_ASSIGNMENTS = 24;
const TRIAL_CYCLES = 24;
/** Cycles behind the reset at the end of a deep run. */
const LATE_CYCLES = 4;

export interface Trials {
  readonly rows: Rows;
  /** First row behind the reset, and rows of one trial. */
  readonly from: number;
  readonly rowsPerTrial: number;
}

/** After a reset, one input assignment after the other, each held for some cycles: shows which of them keeps the golden moving. */
export function trialStimulus(options: StimulusOptions): Trials {
  return new Generator(options).trials();
}

/** The reset rows of a trial stimulus, then the inputs of one of its trials held for the given number of rows while the clocks run. */
export function deepStimulus(options: StimulusOptions, trials: Trials, trial: number): Stimulus {
  return new Generator(options).deep(trials, trial);
}

/** After a reset, serial inputs: at the pace that large constants of the source name, and behind a strobe among them; undefined where there are neither. */
export function serialStimulus(options: StimulusOptions): Stimulus | undefined {
  return new Generator(options).serial();
}

type Mood = 'uniform' | 'values' | 'held' | 'frozen' | 'single' | 'serial' | 'strobed' | 'storm';

/** Relative frequency of each kind of episode, and the share of the longest length that it may take. */
const MOODS: readonly { readonly mood: Mood; readonly weight: number; readonly reach: number }[] = [
  { mood: 'uniform', weight: 3, reach: 0.25 },
  { mood: 'values', weight: 4, reach: 0.25 },
  { mood: 'held', weight: 5, reach: 0.5 },
  { mood: 'frozen', weight: 3, reach: 1 },
  { mood: 'single', weight: 2, reach: 0.25 },
  { mood: 'serial', weight: 3, reach: 0.5 },
  { mood: 'strobed', weight: 2, reach: 0.5 },
  { mood: 'storm', weight: 1, reach: 0.1 },
];

/** Rows of an episode for each cycle that a serial bit is kept: a frame of bits has to fit. */
const ROWS_AT_A_PACE = 32;
/** Cycles a bit that need a run of their own, and how many bits an episode of that has. */
const SLOW_PACE = 20;
const FEWEST_BITS = 4;
const MOST_BITS = 32;
/** Cycles of an episode with a strobe among the inputs. */
const SHORTEST_TRANSFER = 100;
const LONGEST_TRANSFER = 1500;

interface ResetLine {
  readonly position: number;
  readonly active: 0 | 1;
}

class Generator {
  readonly #options: StimulusOptions;
  readonly #random: Random;
  readonly #builder: RowBuilder;
  readonly #clocks: ClockSchedule;
  readonly #resets: readonly ResetLine[];
  readonly #inputs: readonly Field[];
  readonly #values: ValueSource;

  constructor(options: StimulusOptions) {
    const { layout } = options;
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#builder = new RowBuilder(layout, options.rows + options.longestEpisode);
    this.#clocks = new ClockSchedule(layout, options.clocks, this.#builder, this.#random);
    this.#resets = options.resets.flatMap((reset): ResetLine[] => {
      const field = layout.fields.find((candidate) => candidate.port === reset.port && candidate.role === 'data');
      return field === undefined ? [] : [{ position: field.offset + (reset.bit ?? 0), active: reset.active === 'high' ? 1 : 0 }];
    });
    const resetPositions = new Set(this.#resets.map((line) => line.position));
    this.#inputs = layout.fields.filter(
      (field) => field.role !== 'clock' && !(field.width === 1 && resetPositions.has(field.offset)),
    );
    this.#values = new ValueSource(this.#inputs, options.constants, this.#builder, this.#random);
  }

  /** `repeating`: in the episodes wide inputs take few values. */
  run(repeating = false): Stimulus {
    const compareFrom = this.#firstReset();
    while (this.#builder.count < this.#options.rows) {
      this.#clocks.newRatios();
      if (repeating) this.#values.keepToFew();
      if (this.#resets.length > 0 && this.#random.chance(0.3)) this.#resetPulse();
      this.#episode();
    }
    return { rows: this.#builder.finish(), compareFrom, exhaustive: false };
  }

  settings(): Stimulus | undefined {
    const random = this.#random;
    const switches = this.#inputs.filter(({ width, role }) => width === 1 && role === 'data');
    const wide = this.#inputs.filter(({ width }) => width > 1);
    if (switches.length === 0) return undefined;
    const compareFrom = this.#firstReset();
    const count = Math.min(2 ** switches.length, MOST_SETTINGS);
    // All of them in some order where there are few, else some of them.
    const turn = random.below(count);
    const perSetting = Math.min(ROWS_PER_SETTING, Math.ceil(this.#options.rows / count));
    for (let setting = 0; setting < count; setting++) {
      if (this.#resets.length > 0 && random.chance(0.5)) this.#resetPulse();
      for (const [index, { offset }] of switches.entries()) {
        this.#builder.setBit(offset, count < MOST_SETTINGS || switches.length === 4 ? (((setting ^ turn) >> index) & 1) === 1 : random.chance(0.5));
      }
      wide.forEach((field) => this.#values.draw(field));
      for (let row = 0; row < perSetting; row++) {
        this.#row(() => {
          if (random.chance(CHANGE_IN_SETTING)) wide.forEach((field) => this.#values.draw(field));
        });
      }
    }
    return { rows: this.#builder.finish(), compareFrom, exhaustive: false };
  }

  trials(): Trials {
    this.#firstReset();
    const from = this.#builder.count;
    const rowsPerTrial = this.#clocks.rowsForCycles(TRIAL_CYCLES);
    for (let trial = 0; trial < TRIED_ASSIGNMENTS; trial++) {
      this.#values.newEpisode();
      this.#values.drawAll();
      for (let row = 0; row < rowsPerTrial; row++) this.#row(() => undefined);
    }
    return { rows: this.#builder.finish(), from, rowsPerTrial };
  }

  deep(trials: Trials, trial: number): Stimulus {
    const compareFrom = this.#firstReset();
    const held = trials.rows.bytes.subarray((trials.from + trial * trials.rowsPerTrial) * trials.rows.rowBytes);
    const clockBits = new Set(this.#options.layout.fields.filter(({ role }) => role === 'clock').flatMap(({ offset, width }) => Array.from({ length: width }, (_, bit) => offset + bit)));
    for (let bit = 0; bit < trials.rows.rowBytes * 8; bit++) {
      if (!clockBits.has(bit)) this.#builder.setBit(bit, rowBit({ bytes: held, rowBytes: trials.rows.rowBytes, count: 1 }, 0, bit));
    }
    while (this.#builder.count < this.#options.rows) this.#row(() => undefined);
    this.#lateReset();
    return { rows: this.#builder.finish(), compareFrom, exhaustive: false };
  }

  serial(): Stimulus | undefined {
    const { rows } = this.#options;
    const compareFrom = this.#firstReset();
    const slowRows = this.#values.hasBus ? Math.floor(rows / 2) : rows;
    while (this.#builder.count < slowRows) {
      const pace = this.#values.drawNamedPace(SLOW_PACE, Math.max(2 * SLOW_PACE, (slowRows - this.#builder.count) / this.#clocks.rowsForCycles(FEWEST_BITS)));
      if (pace === undefined) break;
      this.#serialEpisode('serial', pace, pace * this.#random.between(FEWEST_BITS, MOST_BITS));
    }
    while (this.#values.hasBus && this.#builder.count < rows) this.#serialEpisode('strobed', 1, this.#random.between(SHORTEST_TRANSFER, LONGEST_TRANSFER));
    return this.#builder.count < rows ? undefined : { rows: this.#builder.finish(), compareFrom, exhaustive: false };
  }

  #serialEpisode(mood: 'serial' | 'strobed', pace: number, cycles: number): void {
    this.#clocks.newRatios();
    if (this.#resets.length > 0 && this.#random.chance(0.2)) this.#resetPulse();
    this.#values.newEpisode(pace);
    this.#values.drawAll();
    const change = this.#changer(mood);
    for (let rows = this.#clocks.rowsForCycles(cycles); rows > 0 && this.#builder.count < this.#options.rows; rows--) this.#row(change);
  }

  /** A reset of what only a long run gets away from its reset value: for a moment between two clock edges. */
  #lateReset(): void {
    if (this.#resets.length === 0) return;
    this.#drive(this.#resets, true);
    this.#builder.push();
    this.#drive(this.#resets, false);
    this.#builder.push();
    for (let row = 0; row < this.#clocks.rowsForCycles(LATE_CYCLES); row++) this.#row(() => undefined);
  }

  /** Every reset asserted over two active edges of each clock, inputs moving; returns the row from which outputs count. */
  #firstReset(): number {
    if (this.#resets.length === 0) return 0;
    this.#drive(this.#resets, true);
    this.#values.drawAll();
    for (let row = 0; row < this.#clocks.rowsForCycles(2); row++) this.#row(() => this.#values.drawAll());
    const compareFrom = this.#builder.count;
    for (let row = 0; row < this.#clocks.rowsForCycles(1); row++) this.#row(() => this.#values.drawAll());
    this.#drive(this.#resets, false);
    return compareFrom;
  }

  /** A reset in mid-flight: some or all lines, over some rows, or a glitch between two clock edges. */
  #resetPulse(): void {
    const random = this.#random;
    const [first, ...others] = this.#resets;
    if (first === undefined) return;
    const lines = random.chance(0.5) ? this.#resets : [random.pick([first, ...others])];
    this.#drive(lines, true);
    if (random.chance(0.3)) {
      this.#builder.push();
    } else {
      const rows = random.between(1, this.#clocks.rowsForCycles(random.chance(0.5) ? 1 : 3));
      for (let row = 0; row < rows; row++) this.#row(() => this.#values.drawAll());
    }
    this.#drive(lines, false);
    if (random.chance(0.5)) this.#builder.push();
  }

  #drive(lines: readonly ResetLine[], asserted: boolean): void {
    for (const line of lines) this.#builder.setBit(line.position, (line.active === 1) === asserted);
  }

  #episode(): void {
    const { mood, reach } = this.#pickMood();
    const longest = Math.max(4, Math.floor(this.#options.longestEpisode * reach));
    const pace = mood === 'serial' ? this.#values.drawPace(longest / ROWS_AT_A_PACE) : 1;
    const length = Math.max(pace > 1 ? pace * ROWS_AT_A_PACE : 0, Math.floor(4 * (longest / 4) ** (this.#random.uint32() / 0x1_0000_0000)) + 1);
    const change = this.#changer(mood);
    const everyRow = this.#random.chance(0.3);
    const pausing = this.#random.chance(0.15);
    this.#values.newEpisode(pace);
    if (mood !== 'single') this.#values.drawAll();
    for (let row = 0; row < length; row++) {
      if (pausing && this.#random.chance(0.2)) {
        change();
        this.#builder.push();
      } else {
        this.#row(change, everyRow);
      }
    }
    if (mood === 'storm') this.#drive(this.#resets, false);
  }

  /** One row in which the next due clock moves; inputs change before active edges, or before every edge when asked for. */
  #row(change: () => void, everyRow = false): void {
    const active = this.#clocks.advance();
    if (active || everyRow) change();
    this.#builder.push();
  }

  #pickMood(): { readonly mood: Mood; readonly reach: number } {
    const candidates = MOODS.filter(({ mood }) => (mood === 'storm' ? this.#resets.length > 0 : mood !== 'strobed' || this.#values.hasBus));
    let ticket = this.#random.below(candidates.reduce((sum, { weight }) => sum + weight, 0));
    for (const candidate of candidates) {
      ticket -= candidate.weight;
      if (ticket < 0) return candidate;
    }
    return { mood: 'uniform', reach: 0.25 };
  }

  /** What happens to the inputs at each change of an episode. */
  #changer(mood: Mood): () => void {
    const random = this.#random;
    const values = this.#values;
    switch (mood) {
      case 'uniform':
        return () => values.randomizeAll();
      case 'values':
        return () => values.drawAll();
      case 'held': {
        const rate = random.pick([0.02, 0.1, 0.3]);
        const steady = new Set(this.#inputs.filter(() => random.chance(0.5)));
        return () => {
          for (const field of this.#inputs) {
            if (random.chance(steady.has(field) ? rate / 20 : rate) || (field.width > 1 && random.chance(0.3))) values.draw(field);
          }
        };
      }
      case 'frozen': {
        const moving = new Set(this.#inputs.filter((field) => field.width > 1 && random.chance(0.3)));
        return () => moving.forEach((field) => values.draw(field));
      }
      case 'single':
        return () => values.drawOne();
      case 'serial':
        return () => values.shiftAll();
      case 'strobed': {
        const bus = values.drawBus();
        const wide = this.#inputs.filter(({ width }) => width > 1);
        return () => {
          bus.change();
          if (random.chance(0.02)) wide.forEach((field) => values.draw(field));
        };
      }
      case 'storm':
        return () => {
          values.drawAll();
          for (const line of this.#resets) this.#drive([line], random.chance(0.2));
        };
    }
  }
}
