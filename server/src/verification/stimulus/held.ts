import type { Compared, Noted } from '../coverage/watched.ts';
import { COMPARED_BITS, markWords } from '../harness/watch.ts';
import type { DirectedOptions } from './directed.ts';
import type { Field } from './layout.ts';
import { Random } from './random.ts';
import { firstRows, joinRows, RowBuilder, rowBit, type Rows } from './rows.ts';

/** Comparisons that are watched at a time. */
const MOST_COMPARED = 24;
/** Bytes that the values of the watched comparisons may take in one run: each has 40 in a sample. */
const MOST_WATCHED_BYTES = 64 * 2 ** 20;
const COMPARED_BYTES = COMPARED_BITS / 4;
/**
 * Input assignments that are tried, and rows of each: enough for a counter to show where it goes. What inputs are compared with is only seen where it is compared, so
 * short trials are made twice; a counter that another one drives moves in long ones.
 */
const TRIALS = [
  { count: 40, rows: 32 },
  { count: 40, rows: 32 },
  { count: 5, rows: 4000 },
] as const;
/** Rows at the start of a trial in which the new inputs still make their way. */
const SETTLING_ROWS = 8;
/** Rows that inputs are held for beyond what is expected. */
const ROWS_BEYOND = 32;
/** How often one goes on from what being held has reached, and what is tried each time at most. */
const ROUNDS = 4;
const ATTEMPTS = 3;
/** How often as many rows are held again with other inputs, behind what reached something new. */
const REPEATS = 4;
/** Rows with other inputs behind what was held: what comes then is to be seen. */
const ROWS_BEHIND = 400;
/** Rows of these that keep one way of changing. */
const ROWS_PER_PACE = 50;
/** Share of the time for one run. */
const WATCH_SHARE = 0.2;

/** Inputs that bring a comparison nearer while they are held, and the rows that it is expected to take. */
interface Approach {
  readonly assignment: Rows;
  readonly rows: number;
}

/**
 * Looks for stimulus into branches that lie behind a slow counter, a timer or a sum with a bound: of some input assignments, each held for a while behind the reset,
 * those that bring the two sides of a comparison nearer are held for as long as they need at that pace. Where a branch was reached in this way, the search goes
 * on from there. No rows when nothing new was reached.
 */
export async function heldRows(options: DirectedOptions): Promise<Rows> {
  return new Holder(options).run();
}

class Holder {
  readonly #options: DirectedOptions;
  readonly #random: Random;
  readonly #inputs: readonly Field[];
  readonly #clocks: readonly number[];
  readonly #taken: Set<number>;
  readonly #kept: Rows[] = [];
  readonly #tried = new Set<number>();
  /** What inputs and states are compared with. */
  readonly #values = new Set<bigint>();
  #left: number;

  constructor(options: DirectedOptions) {
    const { layout, kept } = options;
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#inputs = layout.fields.filter(({ role, width, offset }) => role === 'data' && !(width === 1 && kept.has(offset)));
    this.#clocks = layout.fields.filter(({ role }) => role === 'clock').flatMap(({ width, offset }) => Array.from({ length: width }, (_, bit) => offset + bit));
    this.#taken = new Set(options.taken);
    this.#left = options.mostRows;
  }

  async run(): Promise<Rows> {
    const { rows, head, time } = this.#options;
    const nothing = firstRows(rows, 0);
    if (this.#clocks.length === 0) return nothing;
    let path: Rows | undefined = firstRows(rows, head);
    for (let round = 0; round < ROUNDS && path !== undefined && !time.isOver(); round++) path = await this.#farther(path);
    return this.#kept.length === 0 ? nothing : joinRows(this.#kept);
  }

  /** The path with what had to be held behind it for a new branch; undefined where nothing new was reached. */
  async #farther(path: Rows): Promise<Rows | undefined> {
    let approaches: readonly (Approach & { readonly comparison: number })[] = [];
    for (const trials of TRIALS) {
      approaches = await this.#approaches(path, trials);
      if (approaches.length > 0) break;
    }
    for (const { comparison, assignment, rows } of [...approaches].sort((a, b) => a.rows - b.rows).slice(0, ATTEMPTS)) {
      // How far it is was seen from behind the trials; the pace may also be a little less than it seemed.
      const wanted = Math.ceil(rows * 1.1) + ROWS_BEYOND;
      const held = joinRows([path, this.#hold(assignment, wanted, 0)]);
      const attempt = this.#continued(held);
      if (!this.#affords(attempt.count)) continue;
      this.#tried.add(comparison);
      const reached = this.#newBranches(await this.#watch(attempt, [], false));
      if (reached.length === 0) continue;
      for (const branch of reached) this.#taken.add(branch);
      this.#kept.push(this.#repeated(attempt, wanted));
      return held;
    }
    return undefined;
  }

  /** What a slow event leaves behind may show only when the next one comes. */
  #repeated(attempt: Rows, rows: number): Rows {
    let all = attempt;
    for (let again = 0; again < REPEATS && this.#affords(rows + ROWS_BEHIND); again++) all = this.#continued(joinRows([all, this.#hold(this.#assignment(all, 1), rows, 0)]));
    return all;
  }

  /** Of each comparison for branches that were not taken the soonest approach. */
  async #approaches(path: Rows, { count, rows }: (typeof TRIALS)[number]): Promise<(Approach & { readonly comparison: number })[]> {
    const { comparisons } = this.#options.side.code;
    const isWanted = (comparison: number): boolean => !this.#tried.has(comparison) && comparisons[comparison]?.branches.some((branch) => !this.#taken.has(branch)) === true;
    const wanted = [...comparisons.keys()].filter(isWanted);
    const assignments = Array.from({ length: count }, () => this.#assignment(path));
    const trials = joinRows([path, ...assignments.map((assignment, trial) => this.#hold(assignment, rows, trial * rows))]);
    const most = Math.min(MOST_COMPARED, Math.floor(MOST_WATCHED_BYTES / (trials.count * this.#options.layout.samplesPerRow * COMPARED_BYTES)));
    const watched = [...wanted, ...[...comparisons.keys()].filter((comparison) => !isWanted(comparison))].slice(0, most);
    if (wanted.length === 0 || watched.length === 0 || !this.#affords(trials.count)) return [];
    const noted = await this.#watch(trials, watched, true);
    if (noted === undefined) return [];
    this.#learnValues(noted, watched, trials.count);
    return watched.flatMap((comparison, index) => {
      const approach = isWanted(comparison) ? this.#approach(noted, path.count, index, assignments, rows) : undefined;
      return approach === undefined ? [] : [{ ...approach, comparison }];
    });
  }

  /** Notes the values that stay the same on one side of a comparison. */
  #learnValues(noted: Noted, watched: readonly number[], rows: number): void {
    for (const index of watched.keys()) {
      const pairs = Array.from({ length: rows }, (_, row) => this.#pair(noted, row, index) ?? []).flat();
      for (const end of ['left', 'right'] as const) {
        const [value, ...others] = new Set(pairs.map((pair) => pair[end]));
        if (value !== undefined && others.length === 0) this.#values.add(value);
      }
    }
  }

  #affords(rows: number): boolean {
    if (rows > this.#left || this.#options.time.isOver()) return false;
    this.#left -= rows;
    return true;
  }

  #watch(rows: Rows, compared: readonly number[], eachSample: boolean): Promise<Noted | undefined> {
    return this.#options.side.run(rows, { eachSample, changes: [], compared }, this.#options.time.part(WATCH_SHARE));
  }

  /** Of the assignments the one that brings a comparison to equality soonest. */
  #approach(noted: Noted, from: number, index: number, assignments: readonly Rows[], perTrial: number): Approach | undefined {
    let best: Approach | undefined;
    for (const [trial, assignment] of assignments.entries()) {
      const start = from + trial * perTrial;
      const seen = Array.from({ length: perTrial - SETTLING_ROWS }, (_, row) => start + SETTLING_ROWS + row).flatMap((row) => {
        const pair = this.#pair(noted, row, index);
        return pair === undefined ? [] : [{ row, distance: distanceOf(pair) }];
      });
      const [first, last] = [seen[0], seen.at(-1)];
      if (first === undefined || last === undefined || last.distance >= first.distance) continue;
      const rows = Math.ceil((Number(last.distance) / Number(first.distance - last.distance)) * (last.row - first.row)) + (start - from);
      if (rows <= this.#left && rows < (best?.rows ?? Infinity)) best = { assignment, rows };
    }
    return best;
  }

  #pair(noted: Noted, row: number, index: number): Compared | undefined {
    const { samplesPerRow } = this.#options.layout;
    return noted.compared((row + 1) * samplesPerRow - 1, index) ?? noted.compared(row * samplesPerRow, index);
  }

  /** One row with inputs drawn anew, and the resets released. `plain`: the share of inputs that are simply random; others are extreme, or what something is compared with. */
  #assignment(path: Rows, plain = 1 / 3): Rows {
    const builder = this.#after(path);
    for (const field of this.#inputs) {
      const [first, ...others] = [...this.#values].filter((value) => BigInt.asUintN(field.width, value) === value);
      if (this.#random.chance(plain)) builder.randomize(field, this.#random);
      else if (first !== undefined && field.width > 1 && this.#random.chance(0.5)) builder.setBig(field, this.#random.pick([first, ...others]));
      else {
        const ones = this.#random.chance(0.5);
        builder.fill(field, ones ? 1 : 0);
        // The least and the greatest number, where it is signed.
        if (this.#random.chance(0.5)) builder.setBit(field.offset + field.width - 1, !ones);
      }
    }
    builder.push();
    return builder.finish();
  }

  /** A builder that stands on the last row of a path, resets released. The rows at the start of the stimulus assert them all. */
  #after(path: Rows): RowBuilder {
    const { layout, kept, rows, head } = this.#options;
    const builder = new RowBuilder(layout);
    if (path.count > 0) builder.current.set(path.bytes.subarray((path.count - 1) * path.rowBytes, path.count * path.rowBytes));
    for (const bit of kept) builder.setBit(bit, head > 0 && rowBit(rows, head - 1, bit) === 0);
    return builder;
  }

  /** An assignment held while the clocks move in turn; `phase`: rows that came between the path and this. */
  #hold(assignment: Rows, rows: number, phase: number): Rows {
    const builder = new RowBuilder(this.#options.layout, rows);
    builder.current.set(assignment.bytes);
    for (let row = 0; row < phase % (2 * this.#clocks.length); row++) this.#tick(builder, row);
    for (let row = 0; row < rows; row++) {
      this.#tick(builder, phase + row);
      builder.push();
    }
    return builder.finish();
  }

  #tick(builder: RowBuilder, row: number): void {
    const bit = this.#clocks[row % this.#clocks.length] ?? 0;
    builder.setBit(bit, builder.bit(bit) === 0);
  }

  /** A path with other inputs behind it. */
  #continued(path: Rows): Rows {
    const builder = this.#after(path);
    let change = 1;
    for (let row = 0; row < ROWS_BEHIND; row++) {
      if (row % ROWS_PER_PACE === 0) change = this.#random.pick([0.02, 0.2, 0.7]);
      if (row % 2 === 0) {
        for (const field of this.#inputs) {
          if (!this.#random.chance(change)) continue;
          if (this.#random.chance(0.3)) builder.setNumber(field, this.#random.below(2));
          else builder.randomize(field, this.#random);
        }
      }
      this.#tick(builder, row);
      builder.push();
    }
    return joinRows([path, builder.finish()]);
  }

  #newBranches(noted: Noted | undefined): number[] {
    const words = markWords(this.#options.side.code.branches.length);
    return this.#options.side.code.branches.flatMap((_, branch) => {
      const isMarked = (((noted?.marks[noted.marks.length - words + (branch >> 5)] ?? 0) >>> (branch & 31)) & 1) === 1;
      return isMarked && !this.#taken.has(branch) ? [branch] : [];
    });
  }
}

/** How far apart two values are that were widened to 64 bits by their signs. */
function distanceOf({ left, right }: Compared): bigint {
  const difference = BigInt.asIntN(64, left - right);
  return difference < 0n ? -difference : difference;
}
