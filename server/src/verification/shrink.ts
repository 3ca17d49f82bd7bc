import { compareTraces, differencesAt, type Criterion } from './compare.ts';
import type { Field, Layout } from './stimulus/layout.ts';
import { firstRows, RowBuilder, selectRows, withoutRows, type Rows } from './stimulus/rows.ts';
import { samplesOf, type Trace } from './trace.ts';

export interface Answer {
  readonly golden: Trace;
  readonly dut: Trace;
}

export interface ShrinkTask {
  readonly layout: Layout;
  readonly rows: Rows;
  /** What both sides answered to the rows. */
  readonly answer: Answer;
  /** Leading rows that are always kept: the first reset. */
  readonly prefix: number;
  /** Row of the first difference. */
  readonly failingRow: number;
  readonly criterion: Criterion;
  /** Runs both sides from power-on; undefined when a run did not finish. */
  readonly replay: (rows: Rows) => Promise<Answer | undefined>;
  /** Whether rows may be tried; all may unless given. */
  readonly allows?: (rows: Rows) => boolean;
  /** Every row is answered on its own, whatever came before it. */
  readonly stateless: boolean;
  /** Replays that may be spent. */
  readonly replays: number;
  readonly deadline: () => boolean;
}

export interface Shrunk {
  readonly rows: Rows;
  readonly answer: Answer;
  /** Index of the differing sample within the shrunk rows. */
  readonly sample: number;
}

/**
 * Makes a failing stimulus short and plain: cuts it after the first difference, keeps only its last rows behind the reset, leaves
 * out clock cycles (delta debugging, Zeller and Hildebrandt 2002, with halves only), and sets inputs to zero that do not matter.
 * What comes out is always what both sides were seen to do: in the run that is known, or in a replay.
 */
export async function shrinkWitness(task: ShrinkTask): Promise<Shrunk> {
  return new Shrinker(task).run();
}

class Shrinker {
  readonly #task: ShrinkTask;
  #left: number;

  constructor(task: ShrinkTask) {
    this.#task = task;
    this.#left = task.replays;
  }

  async run(): Promise<Shrunk> {
    const { prefix, failingRow, stateless } = this.#task;
    const single = stateless ? await this.#singleRow() : undefined;
    if (single !== undefined) return single;
    let best: Shrunk | undefined;
    for (let kept = 4; best === undefined && prefix + kept < failingRow + 1; kept *= 8) best = await this.#attempt(this.#tail(kept));
    best ??= this.#upToFailure();
    best = await this.#dropCycles(best);
    return this.#quietInputs(best);
  }

  /** The known run, cut after its first difference. */
  #upToFailure(): Shrunk {
    const { rows, answer, criterion, prefix, failingRow, layout } = this.#task;
    const cut = firstRows(rows, failingRow + 1);
    const first = compareTraces(answer.golden, answer.dut, criterion, prefix * layout.samplesPerRow).difference;
    const samples = cut.count * layout.samplesPerRow;
    return { rows: cut, answer: { golden: samplesOf(answer.golden, 0, samples), dut: samplesOf(answer.dut, 0, samples) }, sample: first?.sample ?? samples - 1 };
  }

  /** One row, and of all its plainer versions, which one run tries together, the plainest that still fails. */
  async #singleRow(): Promise<Shrunk | undefined> {
    const { rows, layout } = this.#task;
    const original = selectRows(rows, [this.#plainestFailure()]);
    const fields = layout.fields.filter((field) => withZeros(original, [field], 0, layout) !== undefined);
    const zeroed = (count: number, from: readonly Field[]): Rows => withZeros(original, from.slice(0, count), 0, layout) ?? original;
    const alone = await this.#failing([original, ...fields.map((field) => zeroed(1, [field]))]);
    if (alone[0] === undefined) return undefined;
    const idle = fields.filter((_, index) => alone[index + 1] !== undefined);
    const one = idle[0] === undefined ? alone[0] : alone[fields.indexOf(idle[0]) + 1];
    if (idle.length < 2) return one;
    // Inputs that do not matter one by one may matter together: of those in order, as many as may be zero at once.
    return (await this.#failing(idle.map((_, index) => zeroed(index + 1, idle)))).findLast((failure) => failure !== undefined) ?? one;
  }

  /** Of the rows that fail, the first with the fewest ones. */
  #plainestFailure(): number {
    const { rows, answer, criterion, failingRow } = this.#task;
    let [best, fewest] = [failingRow, Infinity];
    for (let row = failingRow; row < Math.min(rows.count, answer.golden.samples, answer.dut.samples); row++) {
      if (differencesAt(answer.golden, answer.dut, row, criterion).length === 0) continue;
      const ones = rows.bytes.subarray(row * rows.rowBytes, (row + 1) * rows.rowBytes).reduce((sum, byte) => sum + onesOf(byte), 0);
      if (ones < fewest) [best, fewest] = [row, ones];
    }
    return best;
  }

  /** Of some single rows, run one after the other, those that fail. */
  async #failing(candidates: readonly Rows[]): Promise<(Shrunk | undefined)[]> {
    const { layout, criterion } = this.#task;
    this.#left--;
    const builder = new RowBuilder(layout, candidates.length);
    for (const { bytes } of candidates) {
      builder.current.set(bytes);
      builder.push();
    }
    const answer = await this.#task.replay(builder.finish());
    if (answer === undefined) return [];
    return candidates.map((rows, sample) => {
      const fails = this.#task.allows?.(rows) !== false && differencesAt(answer.golden, answer.dut, sample, criterion).length > 0;
      return fails ? { rows, answer: { golden: samplesOf(answer.golden, sample, 1), dut: samplesOf(answer.dut, sample, 1) }, sample: 0 } : undefined;
    });
  }

  /** The reset followed by the last rows up to the failing one. */
  #tail(kept: number): Rows {
    const { rows, prefix, failingRow } = this.#task;
    const head = Math.min(prefix, failingRow);
    return withoutRows(firstRows(rows, failingRow + 1), head, Math.max(prefix, failingRow + 1 - kept) - head);
  }

  #isOver(): boolean {
    return this.#left <= 0 || this.#task.deadline();
  }

  async #attempt(rows: Rows): Promise<Shrunk | undefined> {
    if (this.#isOver()) return undefined;
    if (this.#task.allows?.(rows) === false) return undefined;
    this.#left--;
    const answer = await this.#task.replay(rows);
    if (answer === undefined) return undefined;
    const { layout, prefix, criterion } = this.#task;
    const { difference } = compareTraces(answer.golden, answer.dut, criterion, prefix * layout.samplesPerRow);
    if (difference === undefined) return undefined;
    const needed = Math.floor(difference.sample / layout.samplesPerRow) + 1;
    const cut = needed === rows.count ? rows : firstRows(rows, needed);
    return { rows: cut, answer, sample: difference.sample };
  }

  /** Leaves out halves, quarters, … of the rows behind the reset, in whole clock cycles, as long as the rest still fails. */
  async #dropCycles(start: Shrunk): Promise<Shrunk> {
    let best = start;
    const unit = this.#task.layout.samplesPerRow;
    for (let chunk = Math.floor((best.rows.count - this.#task.prefix) / 2 / unit) * unit; chunk >= unit; chunk = Math.floor(chunk / 2 / unit) * unit) {
      for (let from = this.#task.prefix; from + chunk < best.rows.count; ) {
        if (this.#isOver()) return best;
        const shorter = await this.#attempt(withoutRows(best.rows, from, chunk));
        if (shorter === undefined) from += chunk;
        else best = shorter;
      }
    }
    return best;
  }

  /** Sets data inputs to zero throughout, first all at once and then one after the other, as long as the rest still fails. */
  async #quietInputs(start: Shrunk): Promise<Shrunk> {
    const fields = this.#task.layout.fields.filter((field) => field.role !== 'clock');
    let best = start;
    for (const group of fields.length > 1 ? [fields, ...fields.map((field) => [field])] : [fields]) {
      const plainer = withZeros(best.rows, group, this.#task.prefix, this.#task.layout);
      if (plainer === undefined) continue;
      const shrunk = await this.#attempt(plainer);
      if (shrunk === undefined) continue;
      best = shrunk;
      if (group.length > 1) break;
    }
    return best;
  }
}

function onesOf(byte: number): number {
  let ones = 0;
  for (let rest = byte; rest !== 0; rest &= rest - 1) ones++;
  return ones;
}

/** The rows with some fields held at zero behind the reset; undefined when they are there already. */
function withZeros(rows: Rows, fields: readonly Field[], prefix: number, layout: Layout): Rows | undefined {
  const builder = new RowBuilder(layout, rows.count);
  let changed = false;
  for (let row = 0; row < rows.count; row++) {
    builder.current.set(rows.bytes.subarray(row * rows.rowBytes, (row + 1) * rows.rowBytes));
    if (row >= prefix) {
      for (const field of fields) {
        for (let bit = field.offset; bit < field.offset + field.width; bit++) {
          changed ||= builder.bit(bit) === 1;
          builder.setBit(bit, 0);
        }
      }
    }
    builder.push();
  }
  return changed ? builder.finish() : undefined;
}
