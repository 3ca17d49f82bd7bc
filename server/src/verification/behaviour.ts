import type { LoadedDesign } from '../analysis/design.ts';
import type { Clocking } from '../analysis/module.ts';
import { withTempDir } from '../base/tempdir.ts';
import type { Iverilog } from '../tools/iverilog.ts';
import { mergeClocking } from './choose-clocking.ts';
import { agreement, compareTraces, criterionOf, hasUnknown, observedBitCount } from './compare.ts';
import { freshDir } from './elaborate-ports.ts';
import { matchInterfaces } from './interface.ts';
import { layOut, type Layout } from './stimulus/layout.ts';
import { RunCost } from './run-cost.ts';
import { compileDesign, harnessFor, Simulation, timescaleOf } from './simulate.ts';
import { EXHAUSTIVE_BITS, exhaustiveStimulus, randomStimulus, type Stimulus } from './stimulus/stimulus.ts';
import { TimeBudget } from './time-budget.ts';
import type { Trace } from './trace.ts';

export interface BehaviourTask {
  /** At least one; all with the ports of the first. */
  readonly designs: readonly LoadedDesign[];
  readonly iverilog: Iverilog;
  readonly seed: number;
  /** CPU time, about; see `TimeBudget`. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export type Behaviours =
  | {
      readonly kind: 'compared';
      /** For each design the indexes of those that behave alike, itself included; empty for one that did not run to its end. */
      readonly alike: readonly (readonly number[])[];
      /** Samples at which outputs were compared. */
      readonly vectors: number;
    }
  /** `reason` is one full sentence. */
  | { readonly kind: 'not-compared'; readonly reason: string }
  | { readonly kind: 'cancelled' };

/** Rows of the first run, and of the second one where the time allows it. */
const SHORT_ROWS = 500;
const ROWS = 5_500;
const LONGEST_EPISODE = 1_000;
/** Shares of the time for a program, and for the second run of all designs together. */
const RUN_SHARE = 0.5;
const LONG_SHARE = 0.5;
/** Power-on states that are drawn beside the unknown one where unknown values are seen. */
const STATES = 3;

/**
 * Runs several designs on the same stimulus and says which behave alike. As in a verification, each of a pair is the other's reference once: a value that one of
 * them leaves unknown says nothing, but a value that one knows must be known and equal in the other.
 */
export function compareBehaviours(task: BehaviourTask): Promise<Behaviours> {
  return withTempDir((dir) => new Comparison(task, dir).run());
}

interface Answers {
  /** What all runs of the design agree on. */
  readonly agreed: Trace;
  readonly runs: readonly Trace[];
}

class Comparison {
  readonly #task: BehaviourTask;
  readonly #dir: string;
  readonly #time: TimeBudget;
  readonly #cost = new RunCost();
  readonly #withState = new Map<Simulation, Promise<Simulation | undefined>>();

  constructor(task: BehaviourTask, dir: string) {
    this.#task = task;
    this.#dir = dir;
    this.#time = new TimeBudget(task.timeoutMs, task.signal);
  }

  async run(): Promise<Behaviours> {
    const { designs, signal } = this.#task;
    const [first, ...others] = designs;
    if (first === undefined) return { kind: 'not-compared', reason: 'There is nothing to compare.' };
    const match = matchInterfaces(first.module, first.module);
    if (match.kind === 'mismatch') return { kind: 'not-compared', reason: match.issues[0]?.message ?? 'The ports cannot be laid out.' };
    const inputs = new Set(match.ports.filter(({ direction }) => direction === 'input').map(({ name }) => name));
    const merged = others.reduce((sum, { module }) => mergeClocking(sum, module.clocking), first.module.clocking);
    const clocking: Clocking = { ...merged, clocks: merged.clocks.filter(({ port }) => inputs.has(port)), resets: merged.resets.filter(({ port }) => inputs.has(port)) };
    const layout = layOut(match.ports, clocking);
    if (layout.observedBits === 0) return { kind: 'not-compared', reason: `'${first.module.name}' has no outputs, so there is nothing to compare.` };
    const sides = await Promise.all(designs.map((design) => this.#compile(design, layout)));
    const result = await this.#stages(sides, layout, clocking);
    return signal?.aborted === true ? { kind: 'cancelled' } : result;
  }

  /** A short run first; it tells how long a run the time budget allows. */
  async #stages(sides: readonly (Simulation | undefined)[], layout: Layout, clocking: Clocking): Promise<Behaviours> {
    const all = this.#exhaustive(layout, clocking);
    const short = all !== undefined && all.rows.count <= SHORT_ROWS ? all : this.#random(layout, clocking, SHORT_ROWS, 0);
    const first = this.#judge(await this.#answers(sides, layout, clocking, short), layout, short);
    if (first.kind !== 'compared' || short === all) return first;
    // They share a machine.
    const affordable = this.#cost.rowsIn((LONG_SHARE * this.#time.ms) / sides.length);
    if (affordable < 2 * SHORT_ROWS) return first;
    const long = all !== undefined && all.rows.count <= affordable ? all : this.#random(layout, clocking, Math.min(ROWS, affordable), 1);
    const runnable = sides.map((side, at) => (first.alike[at]?.length === 0 ? undefined : side));
    const second = this.#judge(await this.#answers(runnable, layout, clocking, long), layout, long);
    if (second.kind !== 'compared') return first;
    const alike = second.alike.map((list, at) => list.filter((other) => first.alike[at]?.includes(other)));
    return { kind: 'compared', alike, vectors: first.vectors + second.vectors };
  }

  /** Every input combination, where that is feasible. */
  #exhaustive(layout: Layout, clocking: Clocking): Stimulus | undefined {
    const feasible = layout.clockBits === 0 && layout.dataBits > 0 && layout.dataBits <= EXHAUSTIVE_BITS && !clocking.sequential;
    return feasible ? exhaustiveStimulus(layout, this.#task.seed) : undefined;
  }

  #random(layout: Layout, { clocks, resets }: Clocking, rows: number, turn: number): Stimulus {
    const { designs, seed } = this.#task;
    const constants = designs.flatMap(({ module }) => module.constants).filter(({ value }, at, all) => all.findIndex((other) => other.value === value) === at);
    return randomStimulus({ layout, clocks, resets, constants, seed: seed + turn, rows, longestEpisode: Math.min(LONGEST_EPISODE, Math.ceil(rows / 6)) });
  }

  /** Undefined for a design that does not run to its end. */
  async #answers(sides: readonly (Simulation | undefined)[], layout: Layout, clocking: Clocking, stimulus: Stimulus): Promise<(Answers | undefined)[]> {
    const plain = await Promise.all(sides.map((side) => this.#trace(side, stimulus)));
    const from = stimulus.compareFrom * layout.samplesPerRow;
    const unset = clocking.resets.length === 0 && (clocking.sequential || layout.clockBits > 0);
    if (!unset && !plain.some((trace) => trace !== undefined && hasUnknown(trace, from, trace.samples))) {
      return plain.map((trace) => (trace === undefined ? undefined : { agreed: trace, runs: [trace] }));
    }
    return Promise.all(plain.map((trace, at) => this.#drawn(sides[at], trace, stimulus)));
  }

  async #compile(design: LoadedDesign, layout: Layout): Promise<Simulation | undefined> {
    const options = { design, timescale: timescaleOf(design), dir: freshDir(this.#dir, 'candidate'), iverilog: this.#task.iverilog };
    const compiled = await compileDesign(options, harnessFor(options, layout), this.#time.part(RUN_SHARE));
    return compiled.kind === 'compiled' ? new Simulation({ ...options, ...compiled, layout }) : undefined;
  }

  async #trace(side: Simulation | undefined, { rows }: Stimulus, seed?: number): Promise<Trace | undefined> {
    const run = await side?.run(rows, this.#time.part(RUN_SHARE), seed === undefined ? undefined : { seed });
    if (run?.kind === 'finished') this.#cost.add(rows.count, run.workMs);
    return run?.kind === 'finished' ? run.trace : undefined;
  }

  async #drawn(side: Simulation | undefined, plain: Trace | undefined, stimulus: Stimulus): Promise<Answers | undefined> {
    if (plain === undefined || side === undefined) return undefined;
    const known = this.#withState.get(side) ?? side.withDrawnState(this.#time.part(RUN_SHARE));
    this.#withState.set(side, known);
    const drawn = await known;
    if (drawn === undefined) return { agreed: plain, runs: [plain] };
    const seeds = Array.from({ length: STATES }, (_, at) => this.#task.seed * 16 + at);
    const traces = await Promise.all(seeds.map((seed) => this.#trace(drawn, stimulus, seed)));
    const runs = traces.flatMap((trace) => trace ?? []);
    return runs.length === STATES ? { agreed: agreement([plain, ...runs]), runs } : undefined;
  }

  #judge(answers: readonly (Answers | undefined)[], layout: Layout, { compareFrom, rows }: Stimulus): Behaviours {
    const from = compareFrom * layout.samplesPerRow;
    if (answers.every((answer) => answer === undefined)) return { kind: 'not-compared', reason: 'No module ran to the end of the stimulus.' };
    const known = answers.some((answer) => answer !== undefined && observedBitCount(answer.agreed, layout.observedBits, from) > 0);
    if (!known) return { kind: 'not-compared', reason: 'No output ever had a known value, so behaviour could not be compared.' };
    const follows = (reference: Answers, other: Answers): boolean => {
      const criterion = criterionOf(reference.agreed, layout, 'ignore');
      return other.runs.every((run) => compareTraces(reference.agreed, run, criterion, from).difference === undefined);
    };
    const alike = answers.map((own, at) =>
      own === undefined ? [] : answers.flatMap((other, index) => (other !== undefined && (index === at || (follows(own, other) && follows(other, own))) ? [index] : [])),
    );
    return { kind: 'compared', alike, vectors: rows.count * layout.samplesPerRow - from };
  }
}
