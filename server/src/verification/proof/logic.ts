/** What logic makes of other bits of a netlist, bit by bit. */
import { bitwiseCells, dependencies, type Bit, type Cell, type Netlist } from './netlist.ts';
import type { Reading } from './reading.ts';
import { bitwise, evaluateWord, numberParameter } from './words.ts';

export interface LogicOptions<V> {
  /** The value of a bit that is no result of logic, where there is one before anything else is known. */
  readonly source: (bit: Bit) => V | undefined;
  /** What a register shows that is no source, once what it depends on is there. */
  readonly register: (cell: Cell, q: Bit) => V | undefined;
  /** What a cell shows, by the bits of its ports, where that is known otherwise than from its type. */
  readonly override?: ((cell: Cell, read: (port: string) => readonly V[]) => readonly V[] | undefined) | undefined;
  /** What is made of each result of logic; the result itself unless given. */
  readonly finish?: (bit: Bit, result: V) => V;
}

/** Most nodes of a graph that are worth a try. */
const MOST_NODES = 2_000_000;

export class Logic<V> {
  readonly #netlist: Netlist;
  readonly #reading: Reading<V>;
  readonly #options: LogicOptions<V>;
  readonly #values = new Map<Bit, V>();

  constructor(netlist: Netlist, reading: Reading<V>, options: LogicOptions<V>) {
    this.#netlist = netlist;
    this.#reading = reading;
    this.#options = options;
  }

  /** An unknown bit of the source text is one at each place where it stands. */
  value(bit: Bit): V {
    return this.#values.get(bit) ?? this.#reading.constant(typeof bit === 'string' ? bit : 'x');
  }

  /** Computes a bit and all that it needs, without recursion, since nets can be deep; false when it cannot be followed. */
  settle(target: Bit): boolean {
    const stack = [target];
    for (let bit = stack.at(-1); bit !== undefined; bit = stack.at(-1)) {
      const driver = this.#netlist.drivers.get(bit);
      if (driver === undefined || this.#isThere(bit) || driver === 'input') {
        stack.pop();
        continue;
      }
      const missing = dependencies(driver, bit).filter((other) => typeof other === 'number' && this.#netlist.drivers.has(other) && !this.#isThere(other));
      // A loop has no value, and a graph that has become too large is given up here.
      if (stack.length > 4 * this.#netlist.drivers.size || this.#reading.aig.size > MOST_NODES) return false;
      if (missing.length > 0) stack.push(...missing);
      else if (!this.#compute(driver, bit)) return false;
    }
    return true;
  }

  #isThere(bit: Bit): boolean {
    if (this.#values.has(bit)) return true;
    const value = this.#options.source(bit);
    if (value !== undefined) this.#values.set(bit, value);
    return value !== undefined;
  }

  #set(bit: Bit, result: V): void {
    this.#values.set(bit, this.#options.finish?.(bit, result) ?? result);
  }

  #compute(cell: Cell, bit: Bit): boolean {
    const { type, connections } = cell;
    const outputs = connections['Y'] ?? [];
    if (outputs.length === 0) {
      const value = this.#options.register(cell, bit);
      if (value !== undefined) this.#set(bit, value);
      return value !== undefined;
    }
    const read = (port: string): readonly V[] => (connections[port] ?? []).map((other) => this.value(other));
    if (bitwiseCells.has(type)) {
      const index = outputs.indexOf(bit);
      const operand = (port: 'A' | 'B'): V => {
        const bits = connections[port] ?? [];
        const top = numberParameter(cell, `${port}_SIGNED`) === 1 ? bits.at(-1) : '0';
        return this.value(bits[index] ?? top ?? '0');
      };
      this.#set(bit, bitwise(type, this.#reading, operand('A'), operand('B'), this.value(connections['S']?.[0] ?? '0')));
      return true;
    }
    const values = this.#options.override?.(cell, read) ?? evaluateWord(cell, this.#reading, { A: read('A'), B: read('B'), S: read('S') });
    if (values === undefined) return false;
    outputs.forEach((output, index) => {
      const value = values[index];
      if (value !== undefined && !this.#values.has(output)) this.#set(output, value);
    });
    return this.#values.has(bit);
  }
}
