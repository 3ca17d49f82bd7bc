/** From the netlist of one side to the graph of all its bits. */
import { bitwiseCells, dependencies, LATCH, rootOf, type Bit, type Cell, type Netlist } from './netlist.ts';
import type { Reading } from './reading.ts';
import type { State } from './states.ts';
import type { Inputs } from './time.ts';
import { bitwise, evaluateWord, numberParameter } from './words.ts';

export interface Environment<V> {
  readonly reading: Reading<V>;
  readonly inputs: Inputs;
  /** The state behind an output bit of a flip-flop or latch, with its initial bit. */
  readonly state: (q: Bit, init: string) => State<V>;
  /** Where the graph of a register, by its first bit, stands in the order of their making; none unless given. */
  readonly rank?: (q: Bit) => number;
  /** Told before the graph of an output port, or of what the register of a rank takes next, is made. */
  readonly onTarget?: (target: string | number) => void;
}

/** Most nodes of a graph that are worth a try. */
const MOST_NODES = 2_000_000;

const registerTypes: ReadonlySet<string> = new Set(['$dff', '$adff', '$aldff', LATCH]);

export function isRegister({ type }: Cell): boolean {
  return registerTypes.has(type);
}

/** The graph of a netlist: the answer gives the value of any of its bits; undefined when it holds a cell that is not followed, or is too large. */
export function follow<V>(netlist: Netlist, environment: Environment<V>): ((bit: Bit) => V) | undefined {
  const follower = new Follower(netlist, environment);
  return follower.run() ? (bit) => follower.value(bit) : undefined;
}

class Follower<V> {
  readonly #netlist: Netlist;
  readonly #environment: Environment<V>;
  readonly #reading: Reading<V>;
  readonly #values = new Map<Bit, V>();
  /** Of flip-flops and latches, by their output bits. */
  readonly #states = new Map<Bit, State<V>>();
  /** Whether an asynchronous load was on in the step before, by the bit that asks for it. */
  readonly #loads = new Map<Bit, State<V>>();
  readonly #registers: readonly Cell[];
  readonly #inputNames = new Map<Bit, string>();

  constructor(netlist: Netlist, environment: Environment<V>) {
    this.#netlist = netlist;
    this.#environment = environment;
    this.#reading = environment.reading;
    const { inputs, reading } = environment;
    for (const [port, { direction, bits }] of Object.entries(netlist.ports)) {
      if (direction !== 'input') continue;
      bits.forEach((bit, index) => {
        const name = `${port}[${String(index)}]`;
        const value = inputs.values.get(name);
        this.#inputNames.set(bit, name);
        if (value !== undefined) this.#values.set(bit, reading.known(value));
      });
    }
    this.#registers = netlist.cells.filter(isRegister);
    const inits = initialBits(netlist);
    for (const { type, connections } of this.#registers) {
      for (const q of connections['Q'] ?? []) {
        const state = environment.state(q, inits.get(q) ?? 'x');
        this.#states.set(q, state);
        // Elsewhere the output is more than the state.
        if (type === '$dff') this.#values.set(q, state.value);
      }
    }
  }

  /** False when some bit cannot be followed. */
  run(): boolean {
    for (const [name, { direction, bits }] of Object.entries(this.#netlist.ports)) {
      if (direction !== 'output') continue;
      this.#environment.onTarget?.(name);
      if (!bits.every((bit) => this.#settle(bit))) return false;
    }
    const { rank = (): number => 0 } = this.#environment;
    const ranked = this.#registers.map(({ connections }) => ({ connections, rank: rank(connections['Q']?.[0] ?? '') })).sort((a, b) => a.rank - b.rank);
    for (const { connections, rank: target } of ranked) {
      this.#environment.onTarget?.(target);
      const wanted = ['D', 'CLK', 'EN', 'ARST', 'ALOAD', 'AD', 'Q'].flatMap((port) => connections[port] ?? []);
      if (!wanted.every((bit) => this.#settle(bit))) return false;
    }
    return this.#registers.every((cell) => this.#close(cell));
  }

  /** An unknown bit of the source text is one at each place where it stands. */
  value(bit: Bit): V {
    return this.#values.get(bit) ?? this.#reading.constant(typeof bit === 'string' ? bit : 'x');
  }

  /** Computes a bit and all that it needs, without recursion, since nets can be deep. */
  #settle(target: Bit): boolean {
    const stack = [target];
    for (let bit = stack.at(-1); bit !== undefined; bit = stack.at(-1)) {
      const driver = this.#netlist.drivers.get(bit);
      if (this.#values.has(bit) || driver === undefined || driver === 'input') {
        stack.pop();
        continue;
      }
      const missing = dependencies(driver, bit).filter((other) => typeof other === 'number' && !this.#values.has(other) && this.#netlist.drivers.has(other));
      // A loop has no value, and a graph that has become too large is given up here.
      if (stack.length > 4 * this.#netlist.drivers.size || this.#reading.aig.size > MOST_NODES) return false;
      if (missing.length > 0) stack.push(...missing);
      else if (!this.#compute(driver, bit)) return false;
    }
    return true;
  }

  #compute(cell: Cell, bit: Bit): boolean {
    const { type, connections } = cell;
    if (isRegister(cell)) {
      const value = this.#output(cell, bit);
      if (value !== undefined) this.#values.set(bit, value);
      return value !== undefined;
    }
    const read = (port: string): readonly V[] => (connections[port] ?? []).map((other) => this.value(other));
    const outputs = connections['Y'] ?? [];
    if (bitwiseCells.has(type)) {
      const index = outputs.indexOf(bit);
      const operand = (port: 'A' | 'B'): V => {
        const bits = connections[port] ?? [];
        const top = numberParameter(cell, `${port}_SIGNED`) === 1 ? bits.at(-1) : '0';
        return this.value(bits[index] ?? top ?? '0');
      };
      this.#values.set(bit, bitwise(type, this.#reading, operand('A'), operand('B'), this.value(connections['S']?.[0] ?? '0')));
      return true;
    }
    const values = evaluateWord(cell, this.#reading, { A: read('A'), B: read('B'), S: read('S') });
    if (values === undefined) return false;
    outputs.forEach((output, index) => {
      const value = values[index];
      if (value !== undefined) this.#values.set(output, value);
    });
    return this.#values.has(bit);
  }

  /** A control input as if it were active at 1. */
  #control(cell: Cell, port: 'ARST' | 'ALOAD' | 'EN'): V {
    const value = this.value(cell.connections[port]?.[0] ?? '0');
    return numberParameter(cell, `${port}_POLARITY`) === 1 ? value : this.#reading.not(value);
  }

  /** What a flip-flop or latch shows while a step lasts. */
  #output(cell: Cell, q: Bit): V | undefined {
    const state = this.#states.get(q);
    if (state === undefined) return undefined;
    const { mux } = this.#reading;
    switch (cell.type) {
      case '$adff':
        return mux(this.#control(cell, 'ARST'), state.value, this.#resetBit(cell, q));
      case '$aldff':
        return mux(this.#loadBegins(cell), state.value, this.#bitOf(cell, 'AD', q));
      case LATCH:
        return mux(this.#control(cell, 'EN'), state.value, this.#bitOf(cell, 'D', q));
      default:
        return state.value;
    }
  }

  /** A simulator loads when the load begins and at the edges of the clock, and does not follow the data in between. */
  #loadBegins(cell: Cell): V {
    const [bit = '0'] = cell.connections['ALOAD'] ?? [];
    const load = this.#control(cell, 'ALOAD');
    const key = `${String(bit)} ${String(numberParameter(cell, 'ALOAD_POLARITY'))}`;
    let before = this.#loads.get(key);
    if (before === undefined) {
      before = this.#environment.state(key, '0');
      before.setNext(load);
      this.#loads.set(key, before);
    }
    return this.#reading.and(load, this.#reading.not(before.value));
  }

  /** The bit of a data input that belongs to an output bit. */
  #bitOf({ connections }: Cell, port: 'D' | 'AD', q: Bit): V {
    return this.value(connections[port]?.[(connections['Q'] ?? []).indexOf(q)] ?? 'x');
  }

  #resetBit(cell: Cell, q: Bit): V {
    const text = String(cell.parameters?.['ARST_VALUE'] ?? '');
    const index = (cell.connections['Q'] ?? []).indexOf(q);
    return this.#reading.constant(text[text.length - 1 - index] ?? '0');
  }

  /** Says what the bits of a flip-flop or latch hold in the next step; false when its clock is none of the inputs. */
  #close(cell: Cell): boolean {
    const { mux } = this.#reading;
    const edge = cell.type === LATCH ? undefined : this.#edge(cell);
    if (cell.type !== LATCH && edge === undefined) return false;
    for (const q of cell.connections['Q'] ?? []) {
      const shown = this.value(q);
      this.#states.get(q)?.setNext(edge === undefined ? shown : mux(edge, shown, this.#sampled(cell, q)));
    }
    return true;
  }

  /** What a flip-flop takes at its edge. */
  #sampled(cell: Cell, q: Bit): V {
    const { mux } = this.#reading;
    const data = this.#bitOf(cell, 'D', q);
    if (cell.type === '$adff') return mux(this.#control(cell, 'ARST'), data, this.#resetBit(cell, q));
    return cell.type === '$aldff' ? mux(this.#control(cell, 'ALOAD'), data, this.#bitOf(cell, 'AD', q)) : data;
  }

  #edge(cell: Cell): V | undefined {
    const { root, inverted } = rootOf(cell.connections['CLK']?.[0], this.#netlist.drivers);
    const line = this.#environment.inputs.clocks.get(this.#inputNames.get(root ?? '') ?? '');
    if (line === undefined) return undefined;
    const rising = (numberParameter(cell, 'CLK_POLARITY') === 1) !== inverted;
    return this.#reading.known(rising ? line.rises : line.falls);
  }
}

function initialBits(netlist: Netlist): Map<Bit, string> {
  const inits = new Map<Bit, string>();
  for (const { bits, attributes } of Object.values(netlist.netnames)) {
    const init = attributes?.['init'];
    if (init === undefined) continue;
    const text = typeof init === 'number' ? init.toString(2) : init;
    bits.forEach((bit, index) => {
      const value = text[text.length - 1 - index];
      if (value === '0' || value === '1') inits.set(bit, value);
    });
  }
  return inits;
}
