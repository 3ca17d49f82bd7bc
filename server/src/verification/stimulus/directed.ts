import { flipsBefore, meeting, withFlips, type Flip } from './affine.ts';
import type { Comparison } from '../coverage/code-map.ts';
import { markWords } from '../harness/watch.ts';
import type { Field, Layout } from './layout.ts';
import { Random } from './random.ts';
import { RowBuilder, fieldText, type Rows } from './rows.ts';
import type { TimeBudget } from '../time-budget.ts';
import type { Compared, Noted, WatchedSide } from '../coverage/watched.ts';

/** Comparisons that are watched at a time. */
const MOST_COMPARED = 24;
/** Rows before a decision that a trial repeats behind the reset: a short approach and a long one. */
const APPROACHES = [8, 48];
const SEEDS_PER_COMPARISON = 4;
/** Rows behind the changed one: the next decisions are met there. */
const ROWS_BEHIND = 8;
const ROUNDS = 48;
/** Share of the time for one run. */
const WATCH_SHARE = 0.2;
const PATIENCE = 3;
const ROWS_PER_ROUND = 4000;
/** How often a trial that reached something new is repeated in the stimulus, each time with other inputs behind it. */
const REPEATS = 3;
const LONGER_BEHIND = 24;
/** Rows in a round for seeing what single input bits do to a comparison, and seeds of one comparison for which this is done. */
const FLIPPED_ROWS = 6000;
const FLIPPED_SEEDS = 3;

export interface DirectedOptions {
  readonly side: WatchedSide;
  readonly layout: Layout;
  /** Input bits that are not to be changed: the resets. */
  readonly kept: ReadonlySet<number>;
  /** A stimulus that meets many decisions, and the rows at its start that hold the reset. */
  readonly rows: Rows;
  readonly head: number;
  /** Branches that were reached already. */
  readonly taken: ReadonlySet<number>;
  readonly seed: number;
  /** Rows that may be simulated. */
  readonly mostRows: number;
  readonly time: TimeBudget;
}

/** Rows that lead from power-on to a decision, and what was compared there. */
interface Seed {
  readonly rows: Uint8Array;
  /** Index of the row in which the decision was made. */
  readonly at: number;
  readonly pair: Compared;
  readonly score: number;
}

/** A changed seed: the comparison that it is for, and its place in the run. */
interface Trial {
  readonly comparison: number;
  readonly rows: Uint8Array;
  readonly at: number;
}

/**
 * Looks for stimulus into branches that random values do not reach. A watched copy of a side tells the values that it compares; inputs are
 * changed by the difference of the two until the comparison goes the other way (input-to-state correspondence, Aschermann et al.
 * 2019). Since the low bits of a sum, a product or an exclusive-or depend on low bits only, correcting the difference again and
 * again gets through arithmetic, lowest bit first. Each trial starts from the reset and repeats the rows that led to the decision, so
 * states that a protocol reaches step by step are kept and the next step is looked for behind them. No rows when nothing new was
 * reached.
 */
export async function directedRows(options: DirectedOptions): Promise<Rows> {
  return new Director(options).run();
}

class Director {
  readonly #options: DirectedOptions;
  readonly #random: Random;
  readonly #rowBytes: number;
  readonly #inputs: readonly Field[];
  readonly #taken: Set<number>;
  readonly #watched: readonly number[];
  readonly #seeds = new Map<number, Seed[]>();
  readonly #tired = new Map<number, number>();
  readonly #kept: Trial[] = [];
  readonly #flipped = new Set<Seed>();

  constructor(options: DirectedOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#rowBytes = options.layout.rowBytes;
    this.#inputs = options.layout.fields.filter(({ role, width, offset }) => role === 'data' && !(width === 1 && options.kept.has(offset)));
    this.#taken = new Set(options.taken);
    const { branches, comparisons } = options.side.code;
    const wanted = [...comparisons.entries()].filter(([, comparison]) => this.#isWanted(comparison));
    const leads = ({ branches: ids }: Comparison): boolean => ids.some((id) => ['arm', 'default'].includes(branches[id]?.kind ?? '') && !this.#taken.has(id));
    this.#watched = [...wanted.filter(([, one]) => leads(one)), ...wanted.filter(([, one]) => !leads(one))].map(([index]) => index).slice(0, MOST_COMPARED);
  }

  async run(): Promise<Rows> {
    const first = this.#watched.length === 0 || this.#inputs.length === 0 ? undefined : await this.#watch(this.#options.rows);
    if (first !== undefined) this.#collectSeeds(first);
    let left = this.#options.mostRows;
    for (let round = 0; round < ROUNDS && left > 0 && !this.#options.time.isOver(); round++) {
      const solved = round === 0 ? { trials: [], rows: 0 } : await this.#solved(left);
      const trials = [...solved.trials, ...this.#trials()];
      if (trials.length === 0) break;
      left -= solved.rows;
      const joined = this.#joined(trials.map(({ rows }) => rows));
      left -= joined.count;
      const noted = await this.#watch(joined);
      if (noted === undefined) break;
      this.#learn(trials, noted);
    }
    return this.#joined(this.#kept.flatMap((trial) => Array.from({ length: REPEATS }, () => this.#continued(trial))));
  }

  #isWanted({ branches }: Comparison): boolean {
    return branches.some((branch) => !this.#taken.has(branch));
  }

  #watch(rows: Rows): Promise<Noted | undefined> {
    return this.#options.side.run(rows, { eachSample: true, changes: [], compared: this.#watched }, this.#options.time.part(WATCH_SHARE));
  }

  #comparison(index: number): Comparison | undefined {
    return this.#options.side.code.comparisons[this.#watched[index] ?? -1];
  }

  #closeness(index: number, pair: Compared): number {
    return closeness(pair, this.#comparison(index)?.ordered === true);
  }

  /** What was compared in a row, whichever of its samples it was in. */
  #pair(noted: Noted, row: number, index: number): Compared | undefined {
    const { samplesPerRow } = this.#options.layout;
    for (let sample = (row + 1) * samplesPerRow - 1; sample >= row * samplesPerRow; sample--) {
      const pair = noted.compared(sample, index);
      if (pair !== undefined) return pair;
    }
    return undefined;
  }

  /** For each comparison some rows of the first run that made it, each behind the reset and a part of what led there. */
  #collectSeeds(noted: Noted): void {
    const { rows, head } = this.#options;
    for (const index of this.#watched.keys()) {
      const made = Array.from({ length: rows.count - head }, (_, row) => head + row).filter((row) => this.#pair(noted, row, index) !== undefined);
      const chosen = [made[0], ...Array.from({ length: SEEDS_PER_COMPARISON - 1 }, () => made[this.#random.below(made.length)])];
      for (const row of new Set(chosen)) {
        const pair = row === undefined ? undefined : this.#pair(noted, row, index);
        if (row === undefined || pair === undefined) continue;
        for (const approach of APPROACHES) {
          const from = Math.max(head, row + 1 - approach);
          const bytes = concatenated([this.#slice(rows.bytes, 0, head), this.#slice(rows.bytes, from, row + 1)]);
          this.#addSeed(index, { rows: bytes, at: bytes.length / this.#rowBytes - 1, pair, score: this.#closeness(index, pair) });
        }
      }
    }
  }

  #addSeed(index: number, seed: Seed): void {
    const seeds = [...(this.#seeds.get(index) ?? []), seed].sort((a, b) => b.score - a.score || a.rows.length - b.rows.length);
    this.#seeds.set(index, seeds.slice(0, SEEDS_PER_COMPARISON * APPROACHES.length));
  }

  /** The comparisons that are still worth a trial. */
  #open(): number[] {
    return [...this.#watched.keys()].filter((index) => {
      const comparison = this.#comparison(index);
      return comparison !== undefined && this.#isWanted(comparison) && (this.#tired.get(index) ?? 0) < PATIENCE;
    });
  }

  /**
   * Seeds with several input bits changed so that the two sides should meet: what each bit does to them is seen first. This gets through what mixes bits by exclusive-ors,
   * such as a checksum, and through values that come in parts.
   */
  async #solved(mostRows: number): Promise<{ readonly trials: readonly Trial[]; readonly rows: number }> {
    const tests = this.#flipTests(Math.min(FLIPPED_ROWS, mostRows));
    const joined = this.#joined(tests.flatMap(({ seed, flips }) => flips.map((flip) => withFlips(seed.rows, this.#rowBytes, [flip]))));
    const noted = joined.count === 0 ? undefined : await this.#watch(joined);
    const trials: Trial[] = [];
    let row = -1;
    for (const { comparison, seed, flips } of tests) {
      const difference = seed.pair.left ^ seed.pair.right;
      const changes = flips.flatMap((flip) => {
        row += seed.at + 1;
        const pair = noted && this.#pair(noted, row, comparison);
        return pair === undefined ? [] : [{ flip, effect: pair.left ^ pair.right ^ difference }];
      });
      const solution = meeting(difference, changes);
      if (solution !== undefined) trials.push(this.#behind({ comparison, rows: withFlips(seed.rows, this.#rowBytes, solution), at: seed.at }, ROWS_BEHIND));
    }
    return { trials, rows: joined.count };
  }

  /** Seeds for which this was not done yet, with the bits to change. */
  #flipTests(mostRows: number): { readonly comparison: number; readonly seed: Seed; readonly flips: readonly Flip[] }[] {
    let left = mostRows;
    return this.#open().flatMap((comparison) => {
      const seeds = this.#comparison(comparison)?.ordered === true ? [] : (this.#seeds.get(comparison) ?? []);
      const fresh = seeds.filter((seed) => !this.#flipped.has(seed) && seed.pair.left !== seed.pair.right).sort((a, b) => a.at - b.at);
      return fresh.slice(0, FLIPPED_SEEDS).flatMap((seed) => {
        const flips = flipsBefore(this.#inputs, seed.at, this.#options.head, this.#rowsPerCycle());
        const rows = flips.length * (seed.at + 1);
        if (rows > left) return [];
        left -= rows;
        this.#flipped.add(seed);
        return [{ comparison, seed, flips }];
      });
    });
  }

  #trials(): Trial[] {
    const trials: Trial[] = [];
    let rows = 0;
    for (const index of this.#open()) {
      for (const seed of this.#seeds.get(index) ?? []) {
        for (const changed of this.#changed(seed)) {
          const trial = this.#behind({ comparison: index, rows: changed, at: seed.at }, ROWS_BEHIND);
          rows += trial.rows.length / this.#rowBytes;
          if (rows > ROWS_PER_ROUND) return trials;
          trials.push(trial);
        }
      }
    }
    return trials;
  }

  /** The rows of a seed with one input changed in the row of the decision, or a cycle or two earlier, and some with other inputs changed as well. */
  #changed({ rows, at, pair }: Seed): Uint8Array[] {
    const { left, right } = pair;
    const result: Uint8Array[] = [];
    const lags = [0, 0, 2, 4].filter((lag, place) => place !== 1 && at - lag >= this.#options.head);
    for (const field of this.#inputs) {
      for (const lag of field.width === 1 ? [0] : lags) {
        const now = BigInt(`0b${fieldText({ bytes: rows, rowBytes: this.#rowBytes, count: at + 1 }, at - lag, field)}`);
        const values = field.width === 1 ? [now ^ 1n] : [now ^ left ^ right, now + right - left, now + left - right, right, left, right + 1n, right - 1n];
        for (const value of new Set(values.map((wanted) => BigInt.asUintN(field.width, wanted)))) {
          if (value !== now) result.push(this.#with(rows, at - lag, field, value));
        }
      }
    }
    // Where the comparison is as wanted already, other inputs decide.
    for (let more = 0; more < 4; more++) {
      const base = result[this.#random.below(result.length)];
      const field = this.#inputs[this.#random.below(this.#inputs.length)];
      if (base !== undefined && field !== undefined) result.push(this.#with(base, at, field, this.#anyValue(field)));
    }
    return result;
  }

  #anyValue(field: Field): bigint {
    const words = Array.from({ length: Math.ceil(field.width / 32) }, () => BigInt(this.#random.uint32()));
    return BigInt.asUintN(field.width, words.reduce((value, word) => (value << 32n) | word, 0n));
  }

  #with(rows: Uint8Array, row: number, field: Field, value: bigint): Uint8Array {
    const builder = new RowBuilder(this.#options.layout, 1);
    builder.current.set(this.#slice(rows, row, row + 1));
    builder.setBig(field, value);
    const result = rows.slice();
    result.set(builder.current, row * this.#rowBytes);
    return result;
  }

  /** A trial with more rows behind it: the clocks of the rows before once more, some inputs drawn anew. */
  #behind(trial: Trial, count: number): Trial {
    const { layout } = this.#options;
    const builder = new RowBuilder(layout, count);
    const clockFields = layout.fields.filter(({ role }) => role === 'clock');
    const pace = this.#rowsPerCycle();
    const base = trial.rows.slice(0, (trial.at + 1) * this.#rowBytes);
    builder.current.set(this.#slice(base, trial.at, trial.at + 1));
    const change = this.#random.pick([0.1, 0.5, 1]);
    for (let row = 1; row <= count; row++) {
      const like = trial.at + row - pace * Math.ceil(row / pace);
      for (const field of clockFields) builder.setBig(field, BigInt(`0b${fieldText({ bytes: base, rowBytes: this.#rowBytes, count: trial.at + 1 }, Math.max(0, like), field)}`));
      if (row % 2 === 0 || clockFields.length === 0) for (const field of this.#inputs) if (this.#random.chance(change)) builder.setBig(field, this.#random.chance(0.5) ? this.#anyValue(field) : BigInt(this.#random.below(2)));
      builder.push();
    }
    return { ...trial, rows: concatenated([base, builder.finish().bytes]) };
  }

  /** Rows until every clock has moved up and down. */
  #rowsPerCycle(): number {
    return 2 * Math.max(1, this.#options.layout.clockBits);
  }

  #continued(trial: Trial): Uint8Array {
    return this.#behind({ ...trial, at: trial.rows.length / this.#rowBytes - 1 }, LONGER_BEHIND).rows;
  }

  #learn(trials: readonly Trial[], noted: Noted): void {
    const before = new Map([...this.#seeds].map(([index, seeds]) => [index, seeds[0]?.score ?? -1]));
    let from = 0;
    for (const trial of trials) {
      const count = trial.rows.length / this.#rowBytes;
      const reached = this.#newBranches(noted, from, count);
      if (reached !== undefined) {
        // What comes behind the row that reached it stays as it was: the next decisions were met there.
        this.#kept.push({ ...trial, rows: this.#slice(trial.rows, 0, Math.min(count, reached + 1)) });
      }
      for (const index of this.#watched.keys()) this.#learnFrom(trial, noted, from, index);
      from += count;
    }
    for (const [index, seeds] of this.#seeds) {
      const better = (seeds[0]?.score ?? -1) > (before.get(index) ?? -1);
      this.#tired.set(index, better ? 0 : (this.#tired.get(index) ?? 0) + 1);
    }
  }

  /** The rows of a trial up to one that made a comparison are a seed for it, if they come closer than what is known. */
  #learnFrom({ rows }: Trial, noted: Noted, from: number, index: number): void {
    const seeds = this.#seeds.get(index) ?? [];
    const worst = seeds.length < SEEDS_PER_COMPARISON ? -1 : (seeds.at(-1)?.score ?? -1);
    for (let row = this.#options.head; row < rows.length / this.#rowBytes; row++) {
      const pair = this.#pair(noted, from + row, index);
      const score = pair === undefined ? -1 : this.#closeness(index, pair);
      if (pair !== undefined && score > worst) this.#addSeed(index, { rows: this.#slice(rows, 0, row + 1), at: row, pair, score });
    }
  }

  /** The row of a trial that took a branch for the first time. */
  #newBranches(noted: Noted, from: number, count: number): number | undefined {
    const words = markWords(this.#options.side.code.branches.length);
    const { samplesPerRow } = this.#options.layout;
    let found: number | undefined;
    for (let sample = from * samplesPerRow; sample < (from + count) * samplesPerRow; sample++) {
      for (let word = 0; word < words; word++) {
        const marks = noted.marks[sample * words + word] ?? 0;
        for (let bit = 0; marks >>> bit !== 0 && bit < 32; bit++) {
          if (((marks >>> bit) & 1) === 0 || this.#taken.has(word * 32 + bit)) continue;
          this.#taken.add(word * 32 + bit);
          found = Math.floor(sample / samplesPerRow) - from;
        }
      }
    }
    return found;
  }

  #slice(rows: Uint8Array, from: number, to: number): Uint8Array {
    return rows.subarray(from * this.#rowBytes, to * this.#rowBytes);
  }

  #joined(parts: readonly Uint8Array[]): Rows {
    const bytes = concatenated(parts);
    return { bytes, rowBytes: this.#rowBytes, count: bytes.length / this.#rowBytes };
  }
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

/** How near two values are: equal low bits, or, where their order matters, high bits that their difference leaves. 64 when they are equal. */
export function closeness({ left, right }: Compared, ordered: boolean): number {
  if (left === right) return 64;
  const different = left ^ right;
  const distance = left > right ? left - right : right - left;
  return ordered ? 64 - distance.toString(2).length : (different & -different).toString(2).length - 1;
}
