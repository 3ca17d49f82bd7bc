import { compareTraces, differencesAt, type Difference } from '../compare.ts';
import type { Field } from '../stimulus/layout.ts';
import { firstRows, joinRows, selectRows, withoutRows, type Rows } from '../stimulus/rows.ts';
import { samplesOf, traceBit, type Trace } from '../trace.ts';
import { shrinkInCommonRuns } from './common-run.ts';
import { withZeros } from './edits.ts';
import type { Answer, Shrunk, ShrinkTask } from './task.ts';

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
  /** The DUT's own value is a known one where it differs, and what is shrunk keeps to that: what an unknown one comes from is another matter. */
  readonly #definite: boolean;
  #left: number;

  constructor(task: ShrinkTask) {
    this.#task = task;
    this.#left = task.replays;
    const difference = this.#differenceIn(task.answer);
    this.#definite = difference !== undefined && this.#isDefinite(task.answer, difference.sample);
  }

  #differenceIn({ golden, dut }: Answer): Difference | undefined {
    const { layout, prefix, criterion } = this.#task;
    return compareTraces(golden, dut, criterion, prefix * layout.samplesPerRow).difference;
  }

  #isDefinite({ golden, dut }: Answer, sample: number): boolean {
    return differencesAt(golden, dut, sample, this.#task.criterion).some((bit) => /[01]/.test(traceBit(dut, sample, bit)));
  }

  async run(): Promise<Shrunk> {
    const { history } = this.#task;
    const inCommon = history === 'since-reset' || this.#task.together !== undefined;
    const quick = history === 'none' ? await this.#singleRow() : inCommon ? await this.#inCommonRuns() : undefined;
    return quick ?? this.#oneByOne();
  }

  /** Undefined where it does not fail from power-on. */
  async #inCommonRuns(): Promise<Shrunk | undefined> {
    const task = { ...this.#task, together: (parts: readonly Rows[]) => this.#together(parts) };
    const whole = this.#upToFailure();
    // The last replay is to confirm what was found.
    const found = await shrinkInCommonRuns(whole.rows, this.#tails(), task, () => this.#left <= 1 || task.deadline());
    if (found !== whole.rows || this.#task.together === undefined) return this.#attempt(found);
    // Where what is known to fail does so in such a run too, nothing plainer would.
    const [control] = (await this.#together([whole.rows])) ?? [];
    return control !== undefined && this.#differenceIn(control) !== undefined ? whole : undefined;
  }

  async #together(parts: readonly Rows[]): Promise<readonly Answer[] | undefined> {
    const { together, layout } = this.#task;
    if (together !== undefined) {
      this.#left--;
      return together(parts);
    }
    const answer = await this.#replay(joinRows(parts));
    let from = 0;
    return answer && parts.map(({ count }) => {
      const part = (trace: Trace): Trace => samplesOf(trace, from * layout.samplesPerRow, count * layout.samplesPerRow);
      const own = { golden: part(answer.golden), dut: part(answer.dut) };
      from += count;
      return own;
    });
  }

  async #oneByOne(): Promise<Shrunk> {
    let best: Shrunk | undefined;
    for (const tail of this.#tails()) best ??= await this.#attempt(tail);
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
    const { criterion } = this.#task;
    const answer = await this.#replay(joinRows(candidates));
    if (answer === undefined) return [];
    return candidates.map((rows, sample) => {
      const fails = this.#task.allows?.(rows) !== false && differencesAt(answer.golden, answer.dut, sample, criterion).length > 0;
      return fails ? { rows, answer: { golden: samplesOf(answer.golden, sample, 1), dut: samplesOf(answer.dut, sample, 1) }, sample: 0 } : undefined;
    });
  }

  /** The reset followed by the last rows up to the failing one, by a few first. */
  #tails(): Rows[] {
    const { rows, prefix, failingRow } = this.#task;
    const whole = firstRows(rows, failingRow + 1);
    const tails: Rows[] = [];
    for (let kept = 4; prefix + kept < whole.count; kept *= 8) tails.push(withoutRows(whole, prefix, whole.count - kept - prefix));
    return tails;
  }

  #replay(rows: Rows): Promise<Answer | undefined> {
    this.#left--;
    return this.#task.replay(rows);
  }

  #isOver(): boolean {
    return this.#left <= 0 || this.#task.deadline();
  }

  async #attempt(rows: Rows): Promise<Shrunk | undefined> {
    if (this.#isOver()) return undefined;
    if (this.#task.allows?.(rows) === false) return undefined;
    const answer = await this.#replay(rows);
    if (answer === undefined) return undefined;
    const { layout } = this.#task;
    const difference = this.#differenceIn(answer);
    if (difference === undefined || (this.#definite && !this.#isDefinite(answer, difference.sample))) return undefined;
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
