/** From two netlists to one graph whose output says that the DUT differs where the golden is known. */
import { Aig, FALSE, not, type Literal } from './aig.ts';
import { bitwiseCells, dependencies, type Bit, type Cell, type Netlist } from './netlist.ts';
import { binaryReading, ternaryReading, type Reading, type State, type Ternary } from './reading.ts';
import { bitwise, evaluateWord, numberParameter } from './words.ts';

/** An input bit of both sides, in the order of the graph's inputs. */
export interface InputBit {
  readonly port: string;
  readonly index: number;
}

export interface Miter {
  readonly aig: Aig;
  /** 1 where an output bit of the golden is known and the DUT's is another. */
  readonly bad: Literal;
  /** The first inputs of the graph; those behind them stand for what the DUT leaves unknown. */
  readonly inputs: readonly InputBit[];
  readonly outputs: readonly { readonly port: string; readonly golden: readonly Ternary[]; readonly dut: readonly Literal[] }[];
}

/** Most nodes of a graph that are worth a try. */
const MOST_NODES = 2_000_000;

/**
 * Both netlists, whose flip-flops are `$ff`, or `$dff` and `$adff` with a clock that says whether its edge follows. Undefined when
 * a side holds a cell that is not followed, or is too large.
 */
export function makeMiter(golden: Netlist, dut: Netlist): Miter | undefined {
  const aig = new Aig();
  const inputs: InputBit[] = [];
  const literals = new Map<string, Literal>();
  for (const netlist of [golden, dut]) {
    for (const [port, { direction, bits }] of Object.entries(netlist.ports)) {
      if (direction !== 'input') continue;
      bits.forEach((_, index) => {
        const key = `${port}[${index}]`;
        if (literals.has(key)) return;
        literals.set(key, aig.input());
        inputs.push({ port, index });
      });
    }
  }
  const input = (name: string, index: number): Literal => literals.get(`${name}[${index}]`) ?? FALSE;
  const expected = follow(golden, ternaryReading(aig), (name, index) => ({ one: input(name, index), zero: not(input(name, index)) }));
  const actual = expected && follow(dut, binaryReading(aig), input);
  if (expected === undefined || actual === undefined) return undefined;
  let bad = FALSE;
  const outputs = Object.entries(golden.ports).flatMap(([port, { direction, bits }]) => {
    if (direction !== 'output') return [];
    const known = bits.map(expected);
    const answer = bits.map((_, index) => actual(dut.ports[port]?.bits[index] ?? 'x'));
    known.forEach(({ one, zero }, index) => {
      const literal = answer[index] ?? FALSE;
      bad = aig.or(bad, aig.or(aig.and(one, not(literal)), aig.and(zero, literal)));
    });
    return [{ port, golden: known, dut: answer }];
  });
  return { aig, bad, inputs, outputs };
}

/** Reads a netlist; the answer gives the value of any of its bits. */
function follow<V>(netlist: Netlist, reading: Reading<V>, input: (port: string, index: number) => V): ((bit: Bit) => V) | undefined {
  const follower = new Follower(netlist, reading, input);
  return follower.run() ? (bit) => follower.value(bit) : undefined;
}

class Follower<V> {
  readonly #netlist: Netlist;
  readonly #reading: Reading<V>;
  readonly #values = new Map<Bit, V>();
  /** Flip-flops by their output bits. */
  readonly #states = new Map<Bit, State<V>>();
  readonly #registers: readonly Cell[];

  constructor(netlist: Netlist, reading: Reading<V>, input: (port: string, index: number) => V) {
    this.#netlist = netlist;
    this.#reading = reading;
    for (const [name, { direction, bits }] of Object.entries(netlist.ports)) {
      if (direction === 'input') bits.forEach((bit, index) => this.#values.set(bit, input(name, index)));
    }
    this.#registers = netlist.cells.filter(({ type }) => type === '$ff' || type === '$dff' || type === '$adff');
    const inits = initialBits(netlist);
    for (const { type, connections } of this.#registers) {
      for (const q of connections['Q'] ?? []) {
        const state = reading.state(inits.get(q) ?? 'x');
        this.#states.set(q, state);
        // With an asynchronous reset the output is more than the state.
        if (type !== '$adff') this.#values.set(q, state.value);
      }
    }
  }

  /** False when some bit cannot be followed. */
  run(): boolean {
    const outputs = Object.values(this.#netlist.ports).flatMap(({ direction, bits }) => (direction === 'output' ? bits : []));
    const wanted = [...outputs, ...this.#registers.flatMap(({ connections }) => ['D', 'CLK', 'ARST', 'Q'].flatMap((port) => connections[port] ?? []))];
    if (!wanted.every((bit) => this.#settle(bit))) return false;
    for (const cell of this.#registers) this.#close(cell);
    return true;
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
    const read = (port: string): readonly V[] => (connections[port] ?? []).map((other) => this.value(other));
    if (type === '$adff') {
      const state = this.#states.get(bit);
      if (state === undefined) return false;
      this.#values.set(bit, this.#reading.mux(this.#reset(cell), state.value, this.#resetBit(cell, bit)));
      return true;
    }
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

  #reset(cell: Cell): V {
    const reset = this.value(cell.connections['ARST']?.[0] ?? '0');
    return numberParameter(cell, 'ARST_POLARITY') === 1 ? reset : this.#reading.not(reset);
  }

  #resetBit(cell: Cell, q: Bit): V {
    const text = String(cell.parameters?.['ARST_VALUE'] ?? '');
    const index = (cell.connections['Q'] ?? []).indexOf(q);
    return this.#reading.constant(text[text.length - 1 - index] ?? '0');
  }

  /** What the bits of a flip-flop hold in the next step. */
  #close(cell: Cell): void {
    const { type, connections } = cell;
    const { mux } = this.#reading;
    (connections['Q'] ?? []).forEach((q, index) => {
      const data = this.value(connections['D']?.[index] ?? 'x');
      const sampled = type === '$adff' ? mux(this.#reset(cell), data, this.#resetBit(cell, q)) : data;
      const next = type === '$ff' ? data : mux(this.value(connections['CLK']?.[0] ?? '0'), this.value(q), sampled);
      this.#states.get(q)?.setNext(next);
    });
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
