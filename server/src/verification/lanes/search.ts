/** A search for a difference far from power-on, by running the graph of a pair in many lanes at once. */
import { setImmediate } from 'node:timers/promises';
import type { MinedConstant, Reset } from '../../analysis/module.ts';
import { FALSE, not, type Literal } from '../proof/aig.ts';
import { makeMiter, type Miter, type PairOfNetlists } from '../proof/graph.ts';
import { idleBit, type Layout } from '../stimulus/layout.ts';
import { Random } from '../stimulus/random.ts';
import type { Rows } from '../stimulus/rows.ts';
import type { Drive, Line, Plan } from './drive.ts';
import { linesOf, rowsOf } from './ports.ts';
import { BAD, LANES, Machine, SEEN, WORDS } from './machine.ts';
import { shortened } from './shorten.ts';
import { Paths, type Path, type Segment } from './paths.ts';
import { walkStates } from './walk.ts';

export interface LaneSearch {
  readonly pair: PairOfNetlists;
  readonly layout: Layout;
  readonly resets: readonly Reset[];
  readonly constants: readonly MinedConstant[];
  readonly seed: number;
  /** Rows of what is found, at most. */
  readonly mostRows: number;
  /** Nodes of the graph that may be computed, each in all lanes. */
  readonly mostWork: number;
  readonly signal: AbortSignal | undefined;
  /** Whether a simulator shows a difference on some rows. */
  readonly shows: (rows: Rows) => Promise<boolean>;
}

/** Larger graphs are not compiled. */
const MOST_NODES = 60_000;
/** Work of an input in a step, and of the step as such, in nodes. */
const INPUT_WORK = 25;
const STEP_WORK = 400;
const WORK_AT_ONCE = 3e7;
/** Steps from power-on after which what never was 0, or never 1, is worth looking at. */
const WARM_STEPS = 256;
const MOST_WATCHED = 4000;
/** How often it counts that two registers differ, and steps until it counts again. */
const MOST_DIFFERENCES = 12;
const STEPS_BETWEEN = 256;
/** Steps back from an event from which others go on too. */
const BACK = [0, 1, 2, 3, 4, 6, 9, 13];
const NEAR_STEPS = 128;
const MOST_EVENTS = 400;
/** Share of the work for looking round. */
const NEAR_SHARE = 0.4;
const FAR_SHARE = 0.35;
const STEPS_BEFORE_LOOK = 256;
/** Share of the work for going to every state, and steps of it at most: what is small enough for that has few. */
const WALK_SHARE = 0.2;
const MOST_WALK_STEPS = 2048;
/** Differences that no simulator shows, after which the graph is not believed any more. */
const MOST_UNSHOWN = 2;

/** A state of one lane that others may go on from. */
interface Place {
  readonly latches: Uint8Array;
  /** What the inputs were before, in the order of those of the graph. */
  readonly inputs: Uint8Array;
  readonly path: Path;
}

interface Event {
  readonly places: readonly Place[];
  /** Two registers differ that may stand for each other. */
  readonly isDifference: boolean;
}

/**
 * Looks for a difference that a simulator shows; where there is one, the last rows that were put to it show it. False where the pair cannot be searched in this way. What it does depends on its arguments alone.
 *
 * Runs go on from where something happens for the first time, as coverage-guided fuzzers do (Zalewski, American Fuzzy Lop, 2013): a bit of the graph becomes 1 that never was,
 * or a register of the DUT differs from that of the golden which it stands for. The golden is completed with the DUT's unknown values first, which makes the graph small; where
 * that shows what no simulator does, it is followed in three values.
 */
export async function searchInLanes(task: LaneSearch): Promise<boolean> {
  let left = task.mostWork;
  for (const complete of [true, false]) {
    const miter = makeMiter(task.pair, complete);
    // Where the order of events decides, a simulator decides.
    const bad = miter === undefined ? FALSE : miter.aig.and(miter.bad, not(miter.disordered));
    if (miter === undefined || bad === FALSE || miter.aig.size > MOST_NODES || miter.aig.latches === 0) return false;
    const graph = { aig: miter.aig, bad, marks: differencesOf(miter) };
    const first = await Machine.of(graph);
    if (first === undefined) return false;
    const stuck = new Searcher(task, miter, first).stuck();
    const machine = await Machine.of({ ...graph, placed: new Set(stuck.map((literal) => literal >> 1)) });
    const end = await (machine && new Searcher({ ...task, mostWork: left }, miter, machine).run(stuck));
    if (end === undefined) return false;
    if (!end.isUnshown) return true;
    if (!miter.completed) return false;
    left -= end.work;
  }
  return false;
}

/** Says of each register of both sides that what the golden knows of it is not what the DUT holds. */
function differencesOf({ aig, registers }: Miter): Literal[] {
  return registers().map(({ golden, dut }) => aig.or(aig.and(golden.one, not(dut)), aig.and(golden.zero, dut))).filter((literal) => literal > 1);
}

class Searcher {
  readonly #task: LaneSearch;
  readonly #miter: Miter;
  readonly #machine: Machine;
  readonly #lines: readonly Line[];
  readonly #paths: Paths;
  readonly #random: Random;
  readonly #inputs: Int32Array;
  readonly #mostSteps: number;
  readonly #differences: ReadonlySet<Literal>;
  readonly #counts = new Map<Literal, number>();
  readonly #watched: Literal[] = [];
  /** Differences that count again later, and when. */
  #sleeping: { readonly literal: Literal; readonly at: number }[] = [];
  readonly #events: Event[] = [];
  /** All that were looked at. */
  readonly #kept: Event[] = [];
  #seen = 0;
  #work = 0;
  #nearWork = 0;
  #steps = 0;
  #yielded = 0;
  #unshown = 0;
  #found = false;
  #segments = 0;

  constructor(task: LaneSearch, miter: Miter, machine: Machine) {
    this.#task = task;
    this.#miter = miter;
    this.#machine = machine;
    this.#random = new Random(task.seed);
    const { layout, resets, constants } = task;
    this.#inputs = Int32Array.from(miter.inputs, ({ moves }) => machine.wordOf(moves >> 1) ?? -1);
    this.#mostSteps = Math.floor(task.mostRows / (task.pair.ticks === undefined ? 1 : 2));
    this.#differences = new Set(machine.marks);
    this.#lines = linesOf(miter.inputs, layout, resets);
    this.#paths = new Paths({ lines: this.#lines, constants: constants.map(({ value }) => value), inputs: miter.inputs.length });
  }

  /** `isUnshown`: it has found only what no simulator shows. */
  async run(stuck: readonly Literal[]): Promise<{ readonly isUnshown: boolean; readonly work: number }> {
    this.#setFree();
    const differences = this.#machine.marks.filter((mark) => this.#machine.wordOf(mark >> 1) !== undefined);
    this.#watched.push(...differences, ...stuck.filter((literal) => !this.#differences.has(literal)).slice(0, MOST_WATCHED));
    this.#machine.watch(this.#watched);
    if (!(await this.#walk())) {
      this.#setFree();
      await this.#stretches();
    }
    return { isUnshown: !this.#found && this.#unshown > 0, work: this.#work };
  }

  /** Goes to every state where there are few; whether that was all there is to see. */
  async #walk(): Promise<boolean> {
    const mostSteps = Math.min(MOST_WALK_STEPS, Math.floor((this.#task.mostWork * WALK_SHARE) / this.#stepWork));
    const { kind, steps } = await walkStates({ machine: this.#machine, lines: this.#lines, places: this.#inputs, free: this.#free(), headSteps: this.#paths.headSteps, mostSteps, shows: (frames) => this.#put(frames) });
    this.#work += steps * this.#stepWork;
    return kind === 'complete' || this.#isOver;
  }

  async #stretches(): Promise<void> {
    const far = (): number => Math.min(this.#mostSteps, Math.floor((this.#task.mostWork * FAR_SHARE) / this.#stepWork));
    const short = (): number => Math.min(this.#mostSteps, 2 ** this.#random.between(8, 12));
    let lanes: readonly (Path | undefined)[] = new Array<undefined>(LANES).fill(undefined);
    let isFarDone = false;
    while (!this.#isOver) {
        const isFar = !isFarDone && this.#work > this.#task.mostWork * 0.3;
      const steps = isFar ? far() : short();
      if (isFar) isFarDone = true;
      const origins = lanes.map((path) => (isFar || (path?.total ?? 0) + steps > this.#mostSteps || this.#random.chance(0.1) ? undefined : path));
      const segment = this.#segment(isFar ? 'far' : 'mixed', steps, origins);
      const lost = origins.flatMap((path, lane) => (path === undefined ? [lane] : []));
      for (const lane of lost) this.#begin(segment, lane);
      lanes = await this.#follow(segment, true);
      await this.#lookAgain();
    }
  }

  /** Looks round once more where something was seen before, as long as that has its share. */
  async #lookAgain(): Promise<void> {
    while (!this.#isOver && this.#kept.length > 0 && this.#nearWork < NEAR_SHARE * this.#work) {
      const event = this.#kept[this.#random.below(this.#kept.length)];
      if (event !== undefined) this.#events.push(event);
      await this.#lookRound();
    }
  }

  /** A lane begins at power-on, or where something was seen. */
  #begin(segment: Segment, lane: number): void {
    const event = segment.plan.kind === 'mixed' && this.#random.chance(0.5) ? this.#kept[this.#random.below(this.#kept.length)] : undefined;
    const place = event?.places[0];
    const fits = place !== undefined && place.path.total + segment.plan.steps <= this.#mostSteps;
    segment.origins[lane] = fits ? place.path : undefined;
    this.#machine.setLatches(lane, fits ? place.latches : undefined);
    this.#setInputs(lane, fits ? place.inputs : undefined);
  }

  get #isOver(): boolean {
    return this.#found || this.#work >= this.#task.mostWork || this.#unshown >= MOST_UNSHOWN || this.#task.signal?.aborted === true;
  }

  get #stepWork(): number {
    return STEP_WORK + this.#machine.size + this.#machine.latches + INPUT_WORK * this.#inputs.length;
  }

  /** What the graph leaves open besides the inputs: any values, and clocks at their idle levels. */
  #setFree(): void {
    const { inputs } = this.#miter;
    const { memory } = this.#machine;
    for (const at of this.#free()) for (let word = 0; word < WORDS; word++) memory[at + word] = this.#random.uint32();
    for (const { port, index, first } of inputs) {
      const at = first === undefined ? undefined : this.#machine.wordOf(first >> 1);
      const field = this.#task.layout.fields.find((candidate) => candidate.port === port);
      if (at !== undefined && field !== undefined) memory.fill(-idleBit(this.#task.layout, field.offset + index), at, at + WORDS);
    }
  }

  /** Words of what is neither an input nor the level that one begins at. */
  #free(): number[] {
    const { aig, inputs } = this.#miter;
    const own = new Set(inputs.flatMap(({ moves, first }) => (first === undefined ? [moves >> 1] : [moves >> 1, first >> 1])));
    return aig.inputNodes.flatMap((node) => (own.has(node) ? [] : (this.#machine.wordOf(node) ?? [])));
  }

  #segment(kind: Plan['kind'], steps: number, origins: readonly (Path | undefined)[]): Segment {
    const fresh = kind === 'near' ? this.#random.uint32() : -1;
    return { plan: { kind, steps, seed: this.#task.seed * 65_536 + this.#segments++, fresh }, origins: [...origins] };
  }

  /** What is never 1 soon after power-on, of all that has a place. */
  stuck(): Literal[] {
    this.#setFree();
    const { nodes, memory } = this.#machine;
    const places = nodes.map((node) => this.#machine.wordOf(node) ?? 0);
    const [ones, zeros] = [new Int32Array(nodes.length), new Int32Array(nodes.length)];
    const segment = this.#segment('mixed', WARM_STEPS, new Array<undefined>(LANES).fill(undefined));
    const drives = this.#drives(segment);
    for (let step = 0; step < WARM_STEPS; step++) {
      for (const drive of drives) drive.step(step);
      this.#machine.step();
      // Behind the reset: before it registers hold anything.
      if (step > this.#paths.headSteps) places.forEach((at, index) => {
        for (let word = 0; word < WORDS; word++) {
          const value = memory[at + word] ?? 0;
          ones[index] = (ones[index] ?? 0) | value;
          zeros[index] = (zeros[index] ?? 0) | ~value;
        }
      });
    }
    return nodes.flatMap((node, index) => (ones[index] === 0 ? [node << 1] : zeros[index] === 0 ? [(node << 1) | 1] : []));
  }

  /** Runs all lanes through a stretch; the paths that they have gone. `looks`: what is seen on the way is looked at. */
  async #follow(segment: Segment, looks: boolean): Promise<(Path | undefined)[]> {
    const { plan, origins } = segment;
    const machine = this.#machine;
    const drives = this.#drives(segment);
    const ended = (steps: number): Path[] => origins.map((_, lane) => this.#paths.path(segment, lane, steps));
    for (let step = 0; step < plan.steps; step++) {
      for (const drive of drives) drive.step(step);
      const said = machine.step();
      this.#work += this.#stepWork;
      if (plan.kind === 'near') this.#nearWork += this.#stepWork;
      this.#steps++;
      if ((said & SEEN) !== 0) this.#note(segment, step);
      if ((said & BAD) !== 0) {
        await this.#show(segment, step);
        return new Array<undefined>(LANES).fill(undefined);
      }
      if (looks && step % STEPS_BEFORE_LOOK === STEPS_BEFORE_LOOK - 1) await this.#lookRound();
      if (this.#isOver) return ended(step + 1);
      if (this.#work - this.#yielded > WORK_AT_ONCE) {
        this.#yielded = this.#work;
        await setImmediate();
      }
    }
    if (looks) await this.#lookRound();
    return ended(plan.steps);
  }

  #drives(segment: Segment): Drive[] {
    return Array.from({ length: WORDS }, (_, word) => this.#paths.drive(segment, word, this.#machine.memory, this.#inputs));
  }

  /** From what was seen since, many ways are tried; the lanes then go on as if nothing had been. */
  async #lookRound(): Promise<void> {
    if (this.#events.length === 0) return;
    const state = this.#machine.save();
    while (!this.#isOver) {
      const index = Math.max(0, this.#events.findIndex(({ isDifference }) => isDifference));
      const [event] = this.#events.splice(index, 1);
      if (event === undefined || this.#nearWork > NEAR_SHARE * this.#task.mostWork) break;
      const segment = this.#segment('near', NEAR_STEPS, Array.from({ length: LANES }, (_, lane) => event.places[lane % event.places.length]?.path));
      for (let lane = 0; lane < LANES; lane++) {
        const place = event.places[lane % event.places.length];
        this.#machine.setLatches(lane, place?.latches);
        this.#setInputs(lane, place?.inputs);
      }
      await this.#follow(segment, false);
    }
    this.#machine.restore(state);
  }

  #setInputs(lane: number, values: Uint8Array | undefined): void {
    const bit = 1 << (lane & 31);
    const { memory } = this.#machine;
    this.#inputs.forEach((place, input) => {
      if (place < 0) return;
      const at = place + (lane >> 5);
      memory[at] = values?.[input] === 1 ? (memory[at] ?? 0) | bit : (memory[at] ?? 0) & ~bit;
    });
  }

  /** Takes up what a step has shown for the first time. */
  #note(segment: Segment, step: number): void {
    const machine = this.#machine;
    const lanes = new Map<number, boolean>();
    const counted = Int32Array.from({ length: WORDS }, (_, word) => (step > this.#paths.headSteps ? -1 : ~this.#paths.starts(segment, word)));
    const left: Literal[] = [];
    for (const literal of this.#watched) {
      let lane = -1;
      for (let word = 0; word < WORDS && lane < 0; word++) {
        const value = machine.read(literal, word) & (counted[word] ?? 0);
        if (value !== 0) lane = word * 32 + 31 - Math.clz32(value & -value);
      }
      if (lane < 0) {
        left.push(literal);
        continue;
      }
      const isDifference = this.#differences.has(literal);
      lanes.set(lane, (lanes.get(lane) ?? false) || isDifference);
      const count = (this.#counts.get(literal) ?? 0) + 1;
      this.#counts.set(literal, count);
      if (isDifference && count < MOST_DIFFERENCES) this.#sleeping.push({ literal, at: this.#steps + STEPS_BETWEEN * count });
    }
    const awake = this.#sleeping.filter(({ at }) => at <= this.#steps);
    if (awake.length > 0) this.#sleeping = this.#sleeping.filter(({ at }) => at > this.#steps);
    this.#watched.splice(0, this.#watched.length, ...left, ...awake.map(({ literal }) => literal));
    machine.watch(this.#watched);
    for (const [lane, isDifference] of lanes) {
      if (this.#seen >= MOST_EVENTS || this.#nearWork > NEAR_SHARE * this.#task.mostWork) return;
      this.#seen++;
      const places = BACK.filter((back) => back <= step).map((back): Place => ({
        latches: machine.latchesOf(lane, back),
        inputs: Uint8Array.from(this.#inputs, (at) => (at < 0 ? 0 : machine.inputOf(lane, back + 1, at))),
        path: this.#paths.path(segment, lane, step + 1 - back),
      }));
      this.#events.push({ places, isDifference });
      this.#kept.push({ places, isDifference });
    }
  }

  /** Puts the shortest of the ways that led to a difference to the simulator. */
  async #show(segment: Segment, step: number): Promise<void> {
    const lanes = Array.from({ length: LANES }, (_, lane) => lane).filter((lane) => ((this.#machine.bad(lane >> 5) >>> (lane & 31)) & 1) === 1);
    const [path] = lanes.map((lane) => this.#paths.path(segment, lane, step + 1)).sort((a, b) => a.total - b.total);
    if (path === undefined) return;
    const head = this.#paths.headSteps;
    await this.#put(shortened({ frames: this.#paths.frames(path), inputs: this.#inputs.length, head }, this.#machine, this.#inputs));
  }

  /** Puts a way to the simulator; whether the search is over then. */
  async #put(frames: Uint8Array): Promise<boolean> {
    if (await this.#task.shows(rowsOf(frames, this.#miter.inputs, this.#task.layout, this.#task.pair.ticks !== undefined))) this.#found = true;
    else this.#unshown++;
    return this.#isOver;
  }
}
