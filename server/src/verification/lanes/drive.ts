/** Inputs of many runs at once that are made to lead far: held, in bursts, in patterns, at all paces. */
import { Random } from '../stimulus/random.ts';

/** An input port of the graph. Inputs are counted in the order of the graph's input bits. */
export interface Line {
  readonly role: 'data' | 'reset' | 'clock';
  /** The inputs of its bits, the least significant first. */
  readonly bits: readonly number[];
  /** Of a reset: its active level. */
  readonly active: 0 | 1;
}

/** How a stretch of steps is to be driven. */
export interface Plan {
  /** `near`: from a state that is worth a look round; `far`: for as long as there is. */
  readonly kind: 'near' | 'mixed' | 'far';
  readonly steps: number;
  readonly seed: number;
  /** Lanes of each word of which the inputs are drawn anew at first. */
  readonly fresh: number;
}

export interface DriveTask {
  readonly lines: readonly Line[];
  /** Values worth trying, and lengths of time. */
  readonly constants: readonly bigint[];
  readonly plan: Plan;
  /** Which of the four words of 32 lanes. */
  readonly word: number;
  /** Lanes of the word that begin at power-on, with a reset. */
  readonly starts: number;
  /** Where the words of inputs are, and the place of each input, or -1 where nobody asks for it. */
  readonly memory: Int32Array;
  readonly places: Int32Array;
}

/** Steps of the reset for each clock. */
const RESET_STEPS = 4;
const ALL = -1;
const LANES = 32;
const SHORTEST_BURST = 64;
const LONGEST_PERIOD = 16;
/** How often on a long way one starts anew with a stroke. */
const STROKES = 4;
/** Share of the wide lines that are held where others turn. */
const STILL = 0.8;

/** How one line moves. */
interface Motion {
  readonly line: Line;
  /** `rate`: a change has a chance of a half, that many times; `pattern`: the same steps again and again; `held`: none. */
  readonly kind: 'rate' | 'pattern' | 'held';
  readonly halvings: number;
  /** Of a pattern: steps that each value is kept, and words of each bit for each time. */
  readonly pace: number;
  readonly table: readonly Int32Array[];
  readonly draws: 'uniform' | 'few' | 'mostly-0' | 'mostly-1' | 'toggle';
  readonly few: readonly bigint[];
  /** Value between bursts; undefined: as it was. */
  readonly rest: 0 | 1 | undefined;
}

/** Steps at power-on in which the resets are held, where there are any. */
export function resetSteps(lines: readonly Line[]): number {
  const clocks = lines.filter(({ role }) => role === 'clock').length;
  return lines.some(({ role }) => role === 'reset') ? RESET_STEPS * Math.max(1, clocks) : 0;
}

/** Drives one word of lanes through one stretch. What a lane gets depends on the plan, on its place in the word and on what it had before, and on nothing that others do. */
export class Drive {
  readonly #task: DriveTask;
  readonly #random: Random;
  readonly #motions: readonly Motion[];
  readonly #resets: readonly Line[];
  readonly #clocks: readonly { readonly input: number; readonly period: number; due: number }[];
  readonly #resetSteps: number;
  readonly #bursts: boolean;
  readonly #longestGap: number;
  readonly #pulses: boolean;
  readonly #pauses: boolean;
  /** Single lines as they were before a stroke, by their inputs, and the step in which it ends. */
  #stroke: { readonly before: ReadonlyMap<number, number>; readonly end: number } | undefined;
  readonly #turns = new Int32Array(LANES);
  #nextTurn = 0;
  #idle = 0;

  constructor(task: DriveTask) {
    this.#task = task;
    const { lines, plan, word } = task;
    const random = new Random(plan.seed * 8 + word);
    this.#random = random;
    this.#resets = lines.filter(({ role }) => role === 'reset');
    this.#clocks = lines.filter(({ role }) => role === 'clock').flatMap(({ bits }) => bits.map((input, index) => ({ input, period: random.pick([1, 1, 1.3, 2, 3.1, 5, 8]), due: index / 8 })));
    this.#resetSteps = resetSteps(lines);
    this.#bursts = plan.kind === 'far' ? word === 3 : random.chance(0.3);
    this.#longestGap = Math.max(SHORTEST_BURST, plan.steps / (plan.kind === 'far' ? 8 : 3));
    this.#pulses = this.#resets.length > 0 && random.chance(plan.kind === 'far' ? 0.1 : 0.25);
    this.#pauses = random.chance(0.1);
    const patterned = plan.kind === 'far' ? word === 1 || word === 2 : random.chance(0.25);
    const held = plan.kind === 'far' ? (word === 0 ? 0.9 : 0.4) : random.pick([0, 0, 0.3, 0.7]);
    const slowest = plan.kind === 'near' ? 4 : plan.kind === 'mixed' ? 7 : 14;
    const pace = this.#pace();
    const data = lines.filter(({ role }) => role === 'data');
    const turning = patterned && random.chance(0.5) ? this.#turning(data.filter(({ bits }) => bits.length === 1)) : undefined;
    this.#motions = data.map((line) => {
      const motion = this.#motion(line, { patterned: patterned && turning === undefined, held: turning === undefined ? held : STILL, slowest, pace });
      const table = turning?.get(line);
      return table === undefined ? motion : { ...motion, kind: 'pattern', pace, table: [table] };
    });
  }

  /** Writes the inputs of a step, which are counted from 0 for each stretch. */
  step(step: number): void {
    const { memory, places, starts } = this.#task;
    if (step === 0) this.#begin();
    if (this.#bursts && step >= this.#nextTurn) this.#turn(step);
    if (this.#task.plan.kind === 'far' && this.#task.word === 0) this.#strike(step);
    for (const motion of this.#motions) {
      if (motion.kind === 'held') continue;
      if (motion.kind === 'pattern') {
        if (step % motion.pace === 0) this.#followPattern(motion, step / motion.pace);
        continue;
      }
      let changing = ~this.#idle;
      for (let half = 0; half < motion.halvings && changing !== 0; half++) changing &= this.#random.uint32();
      if (changing !== 0 && step > 0) this.#draw(motion, changing);
    }
    const isReset = starts !== 0 && step <= this.#resetSteps;
    if (isReset || this.#pulses) {
      for (const { bits, active } of this.#resets) {
        let asserted = step < this.#resetSteps ? starts : 0;
        if (this.#pulses && step > this.#resetSteps) {
          let pulsed = ALL;
          for (let half = 0; half < 8 && pulsed !== 0; half++) pulsed &= this.#random.uint32();
          asserted |= pulsed;
        }
        for (const bit of bits) if ((places[bit] ?? -1) >= 0) memory[(places[bit] ?? 0) + this.#task.word] = active === 1 ? asserted : ~asserted;
      }
    }
    this.#tick(step < this.#resetSteps);
  }

  #begin(): void {
    for (const { bits, active } of this.#resets) for (const bit of bits) this.#set(bit, ALL, active === 1 ? 0 : ALL);
    for (const motion of this.#motions) this.#draw(motion, this.#task.plan.fresh, true);
  }

  /** In each lane one single line is the other way round for a moment, as a load or a start is, and wide lines are at their least or greatest: behind that all is held again. */
  #strike(step: number): void {
    const moments = Math.max(1, this.#clocks.length - 1) * (this.#clocks.length > 1 ? RESET_STEPS : 1);
    const since = (step - this.#resetSteps - 1) % Math.ceil(this.#task.plan.steps / STROKES);
    if (this.#stroke !== undefined && step >= this.#stroke.end) {
      for (const [bit, value] of this.#stroke.before) this.#set(bit, ALL, value);
      this.#stroke = undefined;
    }
    if (since !== 0) return;
    const { memory, places, word } = this.#task;
    const random = this.#random;
    const single = this.#motions.flatMap(({ line }) => (line.bits.length === 1 ? line.bits : [])).filter((bit) => (places[bit] ?? -1) >= 0);
    const before = new Map(single.map((bit) => [bit, memory[(places[bit] ?? 0) + word] ?? 0]));
    const struck = Array.from({ length: LANES }, () => single[random.below(single.length)]);
    for (const bit of single) this.#set(bit, ALL, (before.get(bit) ?? 0) ^ struck.reduce<number>((lanes, one, lane) => (one === bit ? lanes | (1 << lane) : lanes), 0));
    for (const { line } of this.#motions) {
      const [changed, ones] = [random.uint32(), random.uint32()];
      if (line.bits.length > 1) for (const bit of line.bits) this.#set(bit, changed, ones);
    }
    this.#stroke = { before, end: step + moments };
  }

  #tick(all: boolean): void {
    const [only, ...others] = this.#clocks;
    if (only === undefined) return;
    if (others.length === 0) {
      this.#set(only.input, ALL, this.#pauses && !all ? this.#random.uint32() | this.#random.uint32() : ALL);
      return;
    }
    let next = only;
    for (const clock of others) if (clock.due < next.due) next = clock;
    next.due += all ? 1 : next.period;
    for (const { input } of this.#clocks) this.#set(input, ALL, input === next.input ? ALL : 0);
  }

  #set(bit: number, lanes: number, value: number): void {
    const place = this.#task.places[bit] ?? -1;
    if (place < 0) return;
    const at = place + this.#task.word;
    const { memory } = this.#task;
    memory[at] = ((memory[at] ?? 0) & ~lanes) | (value & lanes);
  }

  /** Lanes end a burst or a gap. */
  #turn(step: number): void {
    let [ended, next] = [0, Infinity];
    for (let lane = 0; lane < LANES; lane++) {
      if ((this.#turns[lane] ?? 0) <= step) {
        this.#idle ^= 1 << lane;
        ended |= 1 << lane;
        const isIdle = ((this.#idle >>> lane) & 1) === 1;
        this.#turns[lane] = step + 1 + (isIdle ? this.#gap() : this.#skewed(SHORTEST_BURST));
      }
      next = Math.min(next, this.#turns[lane] ?? 0);
    }
    this.#nextTurn = next;
    const resting = ended & this.#idle;
    for (const { line, rest } of this.#motions) if (rest !== undefined) for (const bit of line.bits) this.#set(bit, resting, rest === 1 ? ALL : 0);
  }

  #gap(): number {
    const named = this.#lengths;
    const [first, ...others] = named;
    if (first !== undefined && this.#random.chance(0.3)) return Math.max(0, this.#random.pick([first, ...others]) - 3 + this.#random.below(7));
    return this.#skewed(this.#longestGap);
  }

  get #lengths(): number[] {
    return this.#task.constants.filter((value) => value > 4n && value < BigInt(Math.floor(2 * this.#longestGap))).map(Number);
  }

  /** From 0, each order of magnitude as likely as any other. */
  #skewed(most: number): number {
    return Math.floor(most ** (this.#random.uint32() / 0x1_0000_0000)) - 1;
  }

  #pace(): number {
    const [first, ...others] = this.#lengths;
    if (first !== undefined && this.#random.chance(0.3)) return this.#random.pick([first, ...others]);
    return this.#random.pick([1, 1, 1, 2, 3, 4, 8]);
  }

  #motion(line: Line, { patterned, held, slowest, pace }: { readonly patterned: boolean; readonly held: number; readonly slowest: number; readonly pace: number }): Motion {
    const random = this.#random;
    const isSingle = line.bits.length === 1;
    const kind = patterned && (isSingle || random.chance(0.2)) ? 'pattern' : random.chance(held) ? 'held' : 'rate';
    const period = random.pick([2, 2, 3, 4, 4, 4, 6, 8, LONGEST_PERIOD]);
    const table = kind === 'pattern' ? line.bits.map(() => Int32Array.from({ length: period }, () => random.uint32() | 0)) : [];
    const draws = isSingle ? random.pick(['uniform', 'uniform', 'mostly-0', 'mostly-1', 'toggle'] as const) : random.pick(['uniform', 'few'] as const);
    const halvings = random.below(slowest + 1);
    return { line, kind, halvings, pace: isSingle ? pace : pace * period, table, draws, few: draws === 'few' ? Array.from({ length: 4 }, () => this.#value(line.bits.length)) : [], rest: random.pick([undefined, undefined, 0, 1]) };
  }

  /** In each lane two lines that change in turn, one or the other first, as an encoder's tracks do and requests with their answers, while the others stay. */
  #turning(lines: readonly Line[]): ReadonlyMap<Line, Int32Array> | undefined {
    if (lines.length < 2) return undefined;
    const random = this.#random;
    const tables = lines.map(() => new Int32Array(4).fill(random.uint32() | 0));
    for (let lane = 0; lane < LANES; lane++) {
      const first = random.below(lines.length);
      const second = (first + 1 + random.below(lines.length - 1)) % lines.length;
      for (const [line, levels] of [[first, 0b1100], [second, 0b0110]] as const) {
        tables[line]?.forEach((word, time, table) => {
          table[time] = ((levels >> time) & 1) === 1 ? word | (1 << lane) : word & ~(1 << lane);
        });
      }
    }
    return new Map(lines.map((line, index) => [line, tables[index] ?? new Int32Array(4)]));
  }

  #value(width: number): bigint {
    const random = this.#random;
    const fitting = this.#task.constants.filter((value) => BigInt.asUintN(width, value) === value);
    const [first, ...others] = fitting;
    if (first !== undefined && random.chance(0.4)) return random.pick([first, ...others]) + BigInt(random.pick([0, 0, 0, 1, -1]));
    if (random.chance(0.4)) return BigInt(random.below(16));
    if (random.chance(0.3)) return random.pick([0n, -1n, 1n << BigInt(width - 1)]);
    let value = 0n;
    for (let bit = 0; bit < width; bit += 32) value = (value << 32n) | BigInt(random.uint32());
    return value;
  }

  /** New values for some lanes. `anew`: never the inverse of what there was. */
  #draw({ line, draws, few }: Motion, lanes: number, anew = false): void {
    const random = this.#random;
    const { memory, places, word } = this.#task;
    if (few.length === 4) {
      const [a, b] = [random.uint32(), random.uint32()];
      const chosen = [~a & ~b, a & ~b, ~a & b, a & b];
      line.bits.forEach((bit, index) => {
        let value = 0;
        for (let which = 0; which < 4; which++) if (((few[which] ?? 0n) >> BigInt(index)) & 1n) value |= chosen[which] ?? 0;
        this.#set(bit, lanes, value);
      });
      return;
    }
    for (const bit of line.bits) {
      let value = random.uint32();
      if (draws === 'mostly-0') value &= random.uint32() & random.uint32();
      else if (draws === 'mostly-1') value |= random.uint32() | random.uint32();
      else if (draws === 'toggle' && !anew) value = ~(memory[(places[bit] ?? 0) + word] ?? 0);
      this.#set(bit, lanes, value);
    }
  }

  #followPattern({ line, table }: Motion, time: number): void {
    line.bits.forEach((bit, index) => {
      const words = table[index];
      if (words !== undefined) this.#set(bit, ~this.#idle, words[time % words.length] ?? 0);
    });
  }
}
