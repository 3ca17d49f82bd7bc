/** Exhaustive exploration of a graph: every state that it can reach, under every assignment of its inputs. */
import { setImmediate } from 'node:timers/promises';
import type { Aig, AigSimulator, Literal } from './aig.ts';

export type Exploration =
  /** No reachable state and no input makes the output 1. */
  | { readonly kind: 'never' }
  /** Values of the inputs in each frame, from the first state on; the output is 1 in the last one. There is no shorter sequence. */
  | { readonly kind: 'reached'; readonly frames: readonly (readonly boolean[])[] };

/** Words of 32 values that may be computed or looked at; above that a search that does not list every state is mostly quicker. */
const MOST_WORK = 2_000_000;
/** The same where that search has failed, and what is done of it at a time: half a second or so, and a few hundredths. */
const MOST_WORK_FAR = 150_000_000;
const WORK_AT_ONCE = 10_000_000;
/** Memory that all states may take, in words of 16 bits. */
const MOST_MEMORY = 4_000_000;
/** States for which there must be room at least. */
const LEAST_STATES = 16;
const MOST_INPUTS = 16;

/** Values of the first five inputs in the 32 assignments of a word. */
const PATTERNS = [0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000] as const;

/** Searches breadth first; undefined when the graph is too large for it. */
export function explore(aig: Aig, output: Literal): Exploration | undefined {
  return Explorer.of(aig, output, MOST_WORK)?.advance(MOST_WORK);
}

/** Searches much farther, and lets others run in between; undefined also when it is cancelled. */
export async function exploreFar(aig: Aig, output: Literal, signal: AbortSignal | undefined): Promise<Exploration | undefined> {
  const explorer = Explorer.of(aig, output, MOST_WORK_FAR);
  for (let work = WORK_AT_ONCE; explorer !== undefined && work <= MOST_WORK_FAR; work += WORK_AT_ONCE) {
    if (signal?.aborted === true) return undefined;
    const found = explorer.advance(work);
    if (found !== undefined || explorer.isFull) return found;
    await setImmediate();
  }
  return undefined;
}

class Explorer {
  readonly #aig: Aig;
  readonly #output: Literal;
  readonly #inputs: number;
  /** Words that hold all assignments for a state, and states that stand in one word side by side where they have few. */
  readonly #words: number;
  readonly #together: number;
  readonly #simulator: AigSimulator;
  /** Each packed, latch `i` in bit `i % 16` of character `i / 16`. */
  readonly #states: string[];
  readonly #seen: Set<string>;
  /** The state that led to each, and under which assignment. */
  readonly #from: number[] = [-1];
  readonly #assignments: number[] = [0];
  #at = 0;
  #work = 0;

  private constructor(aig: Aig, output: Literal) {
    this.#aig = aig;
    this.#output = output;
    this.#inputs = aig.inputNodes.length;
    this.#words = Math.max(1, 2 ** (this.#inputs - 5));
    this.#together = Math.max(1, 2 ** (5 - this.#inputs));
    this.#simulator = aig.simulator();
    const first = '\0'.repeat(Math.ceil(aig.latchNodes.length / 16));
    this.#states = [first];
    this.#seen = new Set([first]);
  }

  /** Undefined when so much work is nothing near enough. */
  static of(aig: Aig, output: Literal, work: number): Explorer | undefined {
    const [inputs, latches] = [aig.inputNodes.length, aig.latchNodes.length];
    const least = Math.max(1, 2 ** (inputs - 5)) * (aig.size + 32 * latches) * (latches === 0 ? 1 : LEAST_STATES);
    return inputs > MOST_INPUTS || least > work ? undefined : new Explorer(aig, output);
  }

  get isFull(): boolean {
    return this.#states.length * (4 + (this.#states[0]?.length ?? 0)) > MOST_MEMORY;
  }

  /** Goes on until so much work is done in all; undefined when that does not decide. */
  advance(most: number): Exploration | undefined {
    const latches = this.#aig.latchNodes;
    while (this.#at < this.#states.length) {
      const count = Math.min(this.#together, this.#states.length - this.#at);
      this.#work += this.#words * (this.#aig.size + this.#lanes(count) * latches.length);
      if (this.#work > most || this.isFull) return undefined;
      this.#load(count);
      for (let word = 0; word < this.#words; word++) {
        this.#assign(word);
        this.#simulator.settle();
        const bad = this.#firstBad(count, word);
        if (bad !== undefined) return bad;
        this.#collect(count, word);
      }
      if (latches.length === 0) break;
      this.#at += count;
    }
    return { kind: 'never' };
  }

  /** Puts states into the latches. */
  #load(count: number): void {
    const lanes = 32 / this.#together;
    const mask = lanes === 32 ? -1 : (1 << lanes) - 1;
    this.#aig.latchNodes.forEach(({ node }, latch) => {
      let word = 0;
      for (let index = 0; index < count; index++) if (this.#holds(this.#at + index, latch)) word |= mask << (index * lanes);
      this.#simulator.set(node << 1, word);
    });
  }

  /** Puts the assignments of a word into the inputs. */
  #assign(word: number): void {
    this.#aig.inputNodes.forEach((node, input) => {
      this.#simulator.set(node << 1, PATTERNS[input] ?? -((word >> (input - PATTERNS.length)) & 1));
    });
  }

  #holds(state: number, latch: number): boolean {
    return (((this.#states[state] ?? '').charCodeAt(latch >> 4) >> (latch & 15)) & 1) === 1;
  }

  /** Lanes that stand for a state, of which there are so many. */
  #lanes(count: number): number {
    return Math.min(32, count * 2 ** this.#inputs);
  }

  #firstBad(count: number, word: number): Exploration | undefined {
    const bad = this.#simulator.read(this.#output);
    for (let lane = 0; bad !== 0 && lane < this.#lanes(count); lane++) if (((bad >>> lane) & 1) === 1) return { kind: 'reached', frames: this.#framesTo(word, lane) };
    return undefined;
  }

  /** Takes in the states that follow. */
  #collect(count: number, word: number): void {
    const next = this.#aig.latchNodes.map((latch) => this.#simulator.read(latch.next));
    for (let lane = 0; lane < this.#lanes(count); lane++) {
      const state = packed(next, lane);
      if (this.#seen.has(state)) continue;
      this.#seen.add(state);
      this.#states.push(state);
      this.#from.push(this.#stateIn(lane));
      this.#assignments.push(this.#assignmentIn(word, lane));
    }
  }

  #stateIn(lane: number): number {
    return this.#at + Math.floor((lane * this.#together) / 32);
  }

  #assignmentIn(word: number, lane: number): number {
    return word * 32 + (lane % (32 / this.#together));
  }

  #framesTo(word: number, lane: number): boolean[][] {
    const frame = (bits: number): boolean[] => Array.from({ length: this.#inputs }, (_, input) => ((bits >> input) & 1) === 1);
    const frames = [frame(this.#assignmentIn(word, lane))];
    for (let state = this.#stateIn(lane); state > 0; state = this.#from[state] ?? 0) frames.push(frame(this.#assignments[state] ?? 0));
    return frames.reverse();
  }
}

/** The state in one lane of the latches' words: latch `i` in bit `i % 16` of character `i / 16`. */
function packed(latches: readonly number[], lane: number): string {
  let state = '';
  for (let first = 0; first < latches.length; first += 16) {
    let character = 0;
    for (let latch = Math.min(first + 16, latches.length) - 1; latch >= first; latch--) character = (character << 1) | (((latches[latch] ?? 0) >>> lane) & 1);
    state += String.fromCharCode(character);
  }
  return state;
}
