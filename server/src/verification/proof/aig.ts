/** A signal of an and-inverter graph: twice the number of its node, plus one where it is inverted. */
export type Literal = number;

export const FALSE: Literal = 0;
export const TRUE: Literal = 1;

export function not(literal: Literal): Literal {
  return literal ^ 1;
}

interface Latch {
  readonly node: number;
  next: Literal;
}

export interface AigSimulator {
  /** Of an input, or of a latch for this frame. */
  readonly set: (source: Literal, word: number) => void;
  /** Computes all nodes from the inputs and latches. */
  readonly settle: () => void;
  readonly read: (literal: Literal) => number;
  /** Goes to the next frame. */
  readonly advance: () => void;
}

/** What a node is, beside its operands: an and of two literals, or one of these. */
const INPUT = -1;
const LATCH = -2;

/** Most values of a counterexample that `simulate` follows, nodes times frames. */
const MOST_VALUES = 2e8;

/**
 * A sequential and-inverter graph that is built node by node; equal ands are one node. Every latch is 0 at first. It is written in
 * the binary AIGER format (Biere, "The AIGER And-Inverter Graph Format", 2007).
 */
export class Aig {
  readonly #left: number[] = [FALSE];
  readonly #right: number[] = [FALSE];
  readonly #inputs: number[] = [];
  readonly #latches: Latch[] = [];
  readonly #ands = new Map<number, Map<number, Literal>>();

  get size(): number {
    return this.#left.length;
  }

  get latches(): number {
    return this.#latches.length;
  }

  input(): Literal {
    this.#inputs.push(this.size);
    return this.#node(INPUT, INPUT);
  }

  /** A latch that holds 0 at first; `setNext` must be called once. */
  latch(): { readonly value: Literal; readonly setNext: (next: Literal) => void } {
    const latch: Latch = { node: this.size, next: FALSE };
    this.#latches.push(latch);
    return {
      value: this.#node(LATCH, LATCH),
      setNext: (next) => {
        latch.next = next;
      },
    };
  }

  and(a: Literal, b: Literal): Literal {
    const [low, high] = a < b ? [a, b] : [b, a];
    if (low === FALSE || low === not(high)) return FALSE;
    if (low === TRUE || low === high) return high;
    const row = this.#ands.get(low) ?? new Map<number, Literal>();
    this.#ands.set(low, row);
    const known = row.get(high);
    if (known !== undefined) return known;
    const made = this.#node(high, low);
    row.set(high, made);
    return made;
  }

  or(a: Literal, b: Literal): Literal {
    return not(this.and(not(a), not(b)));
  }

  xor(a: Literal, b: Literal): Literal {
    return this.or(this.and(a, not(b)), this.and(not(a), b));
  }

  /** `b` where `select` is 1, else `a`. */
  mux(select: Literal, a: Literal, b: Literal): Literal {
    return this.or(this.and(select, b), this.and(not(select), a));
  }

  /** The graph with one output, which a property says is never 1. */
  toAiger(output: Literal): Uint8Array {
    const ands = this.#andNodes();
    const order = [...this.#inputs, ...this.#latches.map(({ node }) => node), ...ands];
    const place = new Uint32Array(this.size);
    order.forEach((node, index) => {
      place[node] = index + 1;
    });
    const at = (literal: Literal): number => ((place[literal >> 1] ?? 0) << 1) | (literal & 1);
    const header = [`aig ${order.length} ${this.#inputs.length} ${this.#latches.length} 1 ${ands.length}`, ...this.#latches.map(({ next }) => at(next)), at(output), ''].join('\n');
    const bytes = [...new TextEncoder().encode(header)];
    for (const node of ands) {
      const [a, b] = [at(this.#left[node] ?? 0), at(this.#right[node] ?? 0)];
      const [high, low] = a > b ? [a, b] : [b, a];
      pushDelta(bytes, at(node << 1) - high);
      pushDelta(bytes, high - low);
    }
    return Uint8Array.from(bytes);
  }

  /** Values of `wanted` in each frame, under values of the inputs in the order of their making; undefined when there are too many to follow. */
  simulate(frames: readonly (readonly boolean[])[], wanted: readonly Literal[]): readonly (readonly boolean[])[] | undefined {
    if (frames.length * this.size > MOST_VALUES) return undefined;
    const simulator = this.simulator();
    return frames.map((frame) => {
      this.#inputs.forEach((node, index) => {
        simulator.set(node << 1, frame[index] === true ? 1 : 0);
      });
      simulator.settle();
      const answer = wanted.map((literal) => (simulator.read(literal) & 1) === 1);
      simulator.advance();
      return answer;
    });
  }

  /** Nodes of the inputs, in the order of their making. */
  get inputNodes(): readonly number[] {
    return this.#inputs;
  }

  /** Nodes of the latches, and what each holds next. */
  get latchNodes(): readonly Readonly<Latch>[] {
    return this.#latches;
  }

  /** Of an and; undefined for everything else. */
  operandsOf(node: number): readonly [Literal, Literal] | undefined {
    const left = this.#left[node] ?? INPUT;
    return left < 0 || node === 0 ? undefined : [left, this.#right[node] ?? FALSE];
  }

  /** Computes the graph as it is now, 32 independent runs at once: one in each bit of a word. */
  simulator(): AigSimulator {
    const ands = this.#andNodes();
    const [nodes, left, right] = [Int32Array.from(ands), Int32Array.from(ands, (node) => this.#left[node] ?? 0), Int32Array.from(ands, (node) => this.#right[node] ?? 0)];
    const latches = this.#latches.map(({ node, next }) => ({ node, next }));
    const values = new Int32Array(this.size);
    const read = (literal: Literal): number => (values[literal >> 1] ?? 0) ^ -(literal & 1);
    return {
      read,
      set: (source, word) => {
        values[source >> 1] = word;
      },
      settle: () => {
        for (let at = 0; at < nodes.length; at++) {
          const [a, b] = [left[at] ?? 0, right[at] ?? 0];
          values[nodes[at] ?? 0] = ((values[a >> 1] ?? 0) ^ -(a & 1)) & ((values[b >> 1] ?? 0) ^ -(b & 1));
        }
      },
      advance: () => {
        const next = latches.map((latch) => read(latch.next));
        latches.forEach(({ node }, index) => {
          values[node] = next[index] ?? 0;
        });
      },
    };
  }

  #andNodes(): number[] {
    const ands: number[] = [];
    for (let node = 1; node < this.size; node++) if ((this.#left[node] ?? INPUT) >= 0) ands.push(node);
    return ands;
  }

  #node(left: number, right: number): Literal {
    this.#left.push(left);
    this.#right.push(right);
    return (this.size - 1) << 1;
  }
}

/** Seven bits a byte, least significant first; the top bit says that more follow. */
function pushDelta(bytes: number[], delta: number): void {
  let rest = delta;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
}
