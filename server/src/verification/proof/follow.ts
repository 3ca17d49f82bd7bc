/** From the netlist of one side to the graph of all its bits. */
import { LATCH, rootOf, type Bit, type Cell, type Netlist } from './netlist.ts';
import { Logic, type LogicOptions } from './logic.ts';
import type { Reading } from './reading.ts';
import type { State } from './states.ts';
import type { Inputs } from './time.ts';
import { numberParameter } from './words.ts';

export interface Environment<V> {
  readonly reading: Reading<V>;
  readonly inputs: Inputs;
  /** The state behind an output bit of a flip-flop or latch, with its initial bit. */
  readonly state: (q: Bit, init: string) => State<V>;
  /** Where the graph of a register, by its first bit, stands in the order of their making; none unless given. */
  readonly rank?: (q: Bit) => number;
  /** See `LogicOptions`; not asked where a side is followed in waves. */
  readonly override?: LogicOptions<V>['override'];
  /** Told before the graph of an output port, or of what the register of a rank takes next, is made. */
  readonly onTarget?: (target: string | number) => void;
}

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
  readonly #logic: Logic<V>;
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
    const known = new Map<Bit, V>();
    this.#logic = new Logic(netlist, reading, { source: (bit) => known.get(bit), register: (cell, q) => this.#output(cell, q), override: environment.override });
    for (const [port, { direction, bits }] of Object.entries(netlist.ports)) {
      if (direction !== 'input') continue;
      bits.forEach((bit, index) => {
        const name = `${port}[${String(index)}]`;
        const value = inputs.values.get(name);
        this.#inputNames.set(bit, name);
        if (value !== undefined) known.set(bit, reading.known(value));
      });
    }
    this.#registers = netlist.cells.filter(isRegister);
    const inits = initialBits(netlist);
    for (const { type, connections } of this.#registers) {
      for (const q of connections['Q'] ?? []) {
        const state = environment.state(q, inits.get(q) ?? 'x');
        this.#states.set(q, state);
        // Elsewhere the output is more than the state.
        if (type === '$dff') known.set(q, state.value);
      }
    }
  }

  /** False when some bit cannot be followed. */
  run(): boolean {
    for (const [name, { direction, bits }] of Object.entries(this.#netlist.ports)) {
      if (direction !== 'output') continue;
      this.#environment.onTarget?.(name);
      if (!bits.every((bit) => this.#logic.settle(bit))) return false;
    }
    const { rank = (): number => 0 } = this.#environment;
    const ranked = this.#registers.map(({ connections }) => ({ connections, rank: rank(connections['Q']?.[0] ?? '') })).sort((a, b) => a.rank - b.rank);
    for (const { connections, rank: target } of ranked) {
      this.#environment.onTarget?.(target);
      const wanted = ['D', 'CLK', 'EN', 'ARST', 'ALOAD', 'AD', 'Q'].flatMap((port) => connections[port] ?? []);
      if (!wanted.every((bit) => this.#logic.settle(bit))) return false;
    }
    return this.#registers.every((cell) => this.#close(cell));
  }

  value(bit: Bit): V {
    return this.#logic.value(bit);
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

export function initialBits(netlist: Netlist): Map<Bit, string> {
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
