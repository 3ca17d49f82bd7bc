/** A graph compiled to run 128 times at once: one run in each lane of a vector. */
import type { Aig, Literal } from '../proof/aig.ts';
import { Code, loadProgram, VECTOR_BYTES, type Loaded } from './wasm.ts';

export const LANES = 128;
/** Words of 32 lanes in a vector. */
export const WORDS = 4;
/** Steps of which the states are kept. */
export const KEPT_STEPS = 16;

const DEEPEST_EXPRESSION = 24;
/** Instructions of one function, about: compilers take more than their length for long ones. */
const PART_BYTES = 12_000;

/** What is said to a step: `bad` was 1 in some lane, something watched was. */
export const BAD = 1;
export const SEEN = 2;

export interface MachineTask {
  readonly aig: Aig;
  readonly bad: Literal;
  /** Literals that are to be watched where they depend on nothing that `bad` does not depend on. */
  readonly marks: readonly Literal[];
  /** Nodes that are to have a place of their own, which most do not need; all unless given. */
  readonly placed?: ReadonlySet<number>;
}

/** Where the vectors stand: the inputs and latches side by side, which are the state, in that order. */
interface Places {
  readonly slots: ReadonlyMap<number, number>;
  readonly inputs: number;
  readonly latches: readonly { readonly node: number; readonly next: Literal }[];
  readonly kept: number;
  /** Whether the step was bad. */
  readonly bad: number;
  readonly end: number;
  readonly table: number;
}

/** The zero vector stands first. */
const STATE_SLOT = 1;

/** Inputs and latches of the graph that `bad` does not depend on have no place here. */
export class Machine {
  /** Vectors as four words each. */
  readonly memory: Int32Array;
  /** Nodes computed in a step. */
  readonly size: number;
  readonly latches: number;
  /** Literals that can be watched: the marks that are kept, and nodes with a place of their own. */
  readonly marks: readonly Literal[];
  readonly nodes: readonly number[];
  readonly #main: Loaded['main'];
  readonly #places: Places;
  #step = 0;

  private constructor({ memory, main }: Loaded, places: Places, own: Pick<Machine, 'size' | 'marks' | 'nodes'>) {
    this.memory = memory;
    this.#main = main;
    this.#places = places;
    this.size = own.size;
    this.latches = places.latches.length;
    this.marks = own.marks;
    this.nodes = own.nodes;
    this.watch([]);
  }

  /** Undefined where the host cannot run it. */
  static async of({ aig, bad, marks, placed }: MachineTask): Promise<Machine | undefined> {
    const cone = new Cone(aig);
    cone.add(bad);
    const kept = marks.filter((mark) => cone.covers(mark));
    for (const mark of kept) cone.add(mark);
    const nodes = cone.ands();
    const stored = new Set([bad, ...kept].map((literal) => literal >> 1).filter((node) => aig.operandsOf(node) !== undefined));
    const [uses, depth] = [new Map<number, number>(), new Map<number, number>()];
    const use = (literal: Literal): void => void uses.set(literal >> 1, (uses.get(literal >> 1) ?? 0) + 1);
    for (const node of nodes) aig.operandsOf(node)?.forEach(use);
    cone.latches.forEach(({ next }) => use(next));
    for (const node of nodes) {
      const below = Math.max(...(aig.operandsOf(node) ?? []).map((literal) => (stored.has(literal >> 1) ? 0 : (depth.get(literal >> 1) ?? 0))));
      depth.set(node, below + 1);
      if (placed?.has(node) !== false || (uses.get(node) ?? 0) > 1 || below > DEEPEST_EXPRESSION) stored.add(node);
    }
    const own = nodes.filter((node) => stored.has(node));
    const slots = new Map<number, number>();
    for (const node of [...cone.inputs, ...cone.latches.map((latch) => latch.node)]) slots.set(node, STATE_SLOT + slots.size);
    const state = slots.size;
    own.forEach((node, index) => slots.set(node, STATE_SLOT + state + cone.latches.length + KEPT_STEPS * state + index));
    slots.set(0, 0);
    const behind = STATE_SLOT + state + cone.latches.length + KEPT_STEPS * state + own.length;
    const places: Places = { slots, inputs: cone.inputs.length, latches: cone.latches, kept: STATE_SLOT + state + cone.latches.length, bad: behind, end: behind + 1, table: behind + 2 };
    const loaded = await loadProgram(programOf(aig, bad, own, places));
    return loaded && new Machine(loaded, places, { size: nodes.length, marks: kept, nodes: [...cone.latches.map(({ node }) => node), ...own] });
  }

  /** The first of the four words of a node; undefined where it has no place. */
  wordOf(node: number): number | undefined {
    const slot = this.#places.slots.get(node);
    return slot === undefined ? undefined : slot * WORDS;
  }

  read(literal: Literal, word: number): number {
    return (this.memory[(this.wordOf(literal >> 1) ?? 0) + word] ?? 0) ^ -(literal & 1);
  }

  /** Lanes in which the last step was bad. */
  bad(word: number): number {
    return this.memory[this.#places.bad * WORDS + word] ?? 0;
  }

  /** Goes one step with the inputs as they are. */
  step(): number {
    return this.#main(this.#keptSlot(this.#step++) * VECTOR_BYTES);
  }

  /** A step answers `SEEN` where one of these is 1 in some lane; each has a place of its own. */
  watch(literals: readonly Literal[]): void {
    const { table, end } = this.#places;
    literals.forEach((literal, index) => {
      const at = (table + 2 * index) * WORDS;
      this.memory[at] = (this.wordOf(literal >> 1) ?? 0) * 4;
      this.memory.fill(-(literal & 1), at + WORDS, at + 2 * WORDS);
    });
    this.memory[end * WORDS] = (table + 2 * literals.length) * VECTOR_BYTES;
  }

  /** All lanes: inputs and latches. */
  save(): Int32Array {
    return this.memory.slice(STATE_SLOT * WORDS, (STATE_SLOT + this.#state) * WORDS);
  }

  restore(state: Int32Array): void {
    this.memory.set(state, STATE_SLOT * WORDS);
  }

  /** What the latches of a lane held before the step that lies so many steps back, fewer than `KEPT_STEPS`: 1 is the last one, and 0 tells what they hold now. */
  latchesOf(lane: number, back: number): Uint8Array {
    const from = (back === 0 ? STATE_SLOT : this.#keptSlot(this.#step - back)) + this.#places.inputs;
    return Uint8Array.from({ length: this.latches }, (_, latch) => this.#bit(lane, (from + latch) * WORDS));
  }

  /** What stood in an input, by its word, in the step that lies so many steps back: 1 is the last one. */
  inputOf(lane: number, back: number, word: number): number {
    return this.#bit(lane, word + (this.#keptSlot(this.#step - back) - STATE_SLOT) * WORDS);
  }

  #bit(lane: number, at: number): number {
    return ((this.memory[at + (lane >> 5)] ?? 0) >>> (lane & 31)) & 1;
  }

  /** Undefined: as at power-on. */
  setLatches(lane: number, latches: Uint8Array | undefined): void {
    const from = STATE_SLOT + this.#places.inputs;
    const bit = 1 << (lane & 31);
    for (let latch = 0; latch < this.latches; latch++) {
      const at = (from + latch) * WORDS + (lane >> 5);
      this.memory[at] = latches?.[latch] === 1 ? (this.memory[at] ?? 0) | bit : (this.memory[at] ?? 0) & ~bit;
    }
  }

  get #state(): number {
    return this.#places.inputs + this.latches;
  }

  #keptSlot(step: number): number {
    return this.#places.kept + (step % KEPT_STEPS) * this.#state;
  }
}

/** What some signals depend on, through latches too. */
class Cone {
  readonly #aig: Aig;
  readonly #nodes = new Set<number>();
  readonly #latches: ReadonlyMap<number, Literal>;
  readonly #inputs: ReadonlySet<number>;

  constructor(aig: Aig) {
    this.#aig = aig;
    this.#latches = new Map(aig.latchNodes.map(({ node, next }) => [node, next]));
    this.#inputs = new Set(aig.inputNodes);
  }

  add(literal: Literal): void {
    const pending = [literal >> 1];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (this.#nodes.has(node)) continue;
      this.#nodes.add(node);
      const next = this.#latches.get(node);
      pending.push(...(next === undefined ? (this.#aig.operandsOf(node) ?? []) : [next]).map((operand) => operand >> 1));
    }
  }

  /** Whether a signal depends on no other inputs and latches. */
  covers(literal: Literal): boolean {
    const pending = [literal >> 1];
    const seen = new Set<number>();
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (this.#nodes.has(node) || seen.has(node)) continue;
      const operands = this.#aig.operandsOf(node);
      if (operands === undefined) return node === 0;
      seen.add(node);
      pending.push(...operands.map((operand) => operand >> 1));
    }
    return true;
  }

  get inputs(): readonly number[] {
    return [...this.#inputs].filter((node) => this.#nodes.has(node));
  }

  get latches(): readonly { readonly node: number; readonly next: Literal }[] {
    return [...this.#latches].flatMap(([node, next]) => (this.#nodes.has(node) ? [{ node, next }] : []));
  }

  /** Operands first. */
  ands(): readonly number[] {
    return [...this.#nodes].filter((node) => this.#aig.operandsOf(node) !== undefined).sort((a, b) => a - b);
  }
}

function programOf(aig: Aig, bad: Literal, stored: readonly number[], { slots, inputs, latches, bad: shown, end, table }: Places): { parts: Code[]; main: Code; memoryBytes: number } {
  const parts: Code[] = [];
  const part = (): Code => {
    const last = parts.at(-1);
    if (last !== undefined && last.bytes.length < PART_BYTES) return last;
    const next = new Code();
    parts.push(next);
    return next;
  };
  const address = (slot: number): number => slot * VECTOR_BYTES;
  /** Leaves the value of a node, or its inverse. */
  const put = (code: Code, node: number, inverted: boolean): void => {
    const slot = slots.get(node);
    if (slot === undefined) and(code, node, inverted);
    else code.load(address(slot));
    if (slot !== undefined && inverted) code.not();
  };
  const and = (code: Code, node: number, inverted: boolean): void => {
    const [a = 0, b = 0] = aig.operandsOf(node) ?? [];
    const [first, second] = (a & 1) === 1 ? [b, a] : [a, b];
    put(code, first >> 1, false);
    put(code, second >> 1, false);
    const both = (first & 1) === 1;
    if (both) code.or();
    else if ((second & 1) === 1) code.andNot();
    else code.and();
    if (both !== inverted) code.not();
  };
  for (const node of stored) {
    const code = part();
    code.store(address(slots.get(node) ?? 0), () => and(code, node, false));
  }
  const [first, shadow] = [STATE_SLOT + inputs, STATE_SLOT + inputs + latches.length];
  latches.forEach(({ next }, index) => {
    const code = part();
    code.store(address(shadow + index), () => put(code, next >> 1, (next & 1) === 1));
  });
  part().store(address(shown), () => put(part(), bad >> 1, (bad & 1) === 1));
  const main = new Code();
  parts.forEach((_, index) => main.call(index));
  main.anyOf(address(shown), address(table), address(end));
  main.copyToParameter(address(STATE_SLOT), (inputs + latches.length) * VECTOR_BYTES);
  main.copy(address(first), address(shadow), latches.length * VECTOR_BYTES);
  return { parts, main, memoryBytes: address(table + 2 * (stored.length + latches.length + 1) * 2) };
}
