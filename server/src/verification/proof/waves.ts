/**
 * The graph of a side that makes clocks or asynchronous resets itself, event by event (IEEE 1800, 4.4 and 4.5). In a moment in which inputs
 * change, logic settles and clocks that are logic move with it: what they clock takes old values of registers. The registers then change
 * together and may move other clocks: that is the next wave, in which what these clock takes the new values. So it goes on until no clock
 * moves. What changes while a clock that it goes to moves is taken for unknown, except for a variable that a block reads itself
 * in a later wave. A gate may show a value in between that it has neither before nor behind (Eichelberger, 1965, for such hazards).
 */
import { FALSE, not, TRUE, type Aig, type Literal } from './aig.ts';
import type { ClockTree } from './clock-tree.ts';
import { Edges, type Edge, type Reset } from './edges.ts';
import type { Environment } from './follow.ts';
import { dataOf, Moments, type Cause, type Change, type Moment } from './moments.ts';
import { isFlipFlop, type Bit, type Cell, type Netlist } from './netlist.ts';
import { doubted, isEqual, isKnown, type Ternary } from './reading.ts';
import { numberParameter } from './words.ts';

export interface Wavy<V> {
  /** A bit once the inputs of a step have settled. */
  readonly value: (bit: Bit) => V;
  /** Where this is 1 the order of events decides, so that of a golden nothing may be said. With `lenient`, inputs that change at once may race with each other. */
  readonly disordered: (lenient: boolean) => Literal;
  /** Where this is 1 the graph is not what a simulator does. */
  readonly lost: Literal;
}

/** Undefined when the netlist holds a cell that is not followed, or is too large. */
export function followWaves<V>(netlist: Netlist, tree: ClockTree, environment: Environment<V>): Wavy<V> | undefined {
  const side = new Side(netlist, tree, environment);
  return side.run() ? side.result() : undefined;
}

class Side<V> {
  readonly #moments: Moments<V>;
  readonly #edges: Edges<V>;
  readonly #tree: ClockTree;
  readonly #environment: Environment<V>;
  readonly #flipFlops: readonly Cell[];
  /** What the order of events decides, by what changes first. */
  readonly #races: Record<Cause, Literal> = { data: FALSE, clocks: FALSE, registers: FALSE };
  /** The waves have not ended. */
  #endless: Literal = FALSE;
  #settled: Moment<V> | undefined;

  constructor(netlist: Netlist, tree: ClockTree, environment: Environment<V>) {
    this.#tree = tree;
    this.#environment = environment;
    this.#moments = new Moments(netlist, environment);
    this.#edges = new Edges(this.#moments, tree);
    this.#flipFlops = netlist.cells.filter(isFlipFlop);
  }

  run(): boolean {
    const { inputs, onTarget } = this.#environment;
    onTarget?.('waves');
    const registers = new Map<Bit, V>(this.#flipFlops.flatMap(({ connections }) => (connections['Q'] ?? []).map((q): [Bit, V] => [q, this.#moments.heldAt(q)])));
    const level = (name: string): Literal | undefined => inputs.clocks.get(name)?.level;
    const start = this.#moments.moment((name) => level(name) ?? inputs.before(name), registers, { latch: (q) => this.#moments.heldAt(q) });
    const settled = this.#phase(start, (name) => level(name) ?? inputs.values.get(name) ?? FALSE, registers, 'data');
    const moved = (name: string): Literal | undefined => {
      const line = inputs.clocks.get(name);
      return line && this.#aig.or(this.#aig.and(line.level, not(line.falls)), line.rises);
    };
    const end = this.#phase(settled.moment, (name) => moved(name) ?? inputs.values.get(name) ?? FALSE, settled.registers, 'clocks');
    this.#settled = settled.moment;
    for (const [name, { direction, bits }] of Object.entries(this.#moments.netlist.ports)) {
      if (direction !== 'output') continue;
      onTarget?.(name);
      for (const bit of bits) this.#moments.value(settled.moment.logic, bit);
    }
    for (const [q, state] of this.#moments.states) state.setNext(end.registers.get(q) ?? this.#moments.value(end.moment.logic, q));
    return !this.#moments.failed;
  }

  result(): Wavy<V> {
    const { inputs } = this.#environment;
    const logic = this.#settled?.logic;
    const of = (cause: Cause): Literal => this.#aig.or(this.#races[cause], this.#moments.races[cause]);
    return {
      value: (bit) => (logic === undefined ? this.#moments.reading.free() : this.#moments.value(logic, bit)),
      disordered: (lenient) => {
        const [several, move] = lenient ? [inputs.severalChanged(), inputs.severalMove()] : [FALSE, FALSE];
        return this.#aig.or(of('registers'), this.#aig.or(this.#aig.and(of('data'), not(several)), this.#aig.and(of('clocks'), not(move))));
      },
      lost: this.#aig.or(this.#endless, this.#edges.late),
    };
  }

  get #aig(): Aig {
    return this.#moments.aig;
  }

  /** All the waves that a change of inputs makes. */
  #phase(start: Moment<V>, input: (name: string) => Literal, registers: ReadonlyMap<Bit, V>, kind: 'data' | 'clocks'): { readonly moment: Moment<V>; readonly registers: ReadonlyMap<Bit, V> } {
    let before = start;
    let now = registers;
    const isFirst = kind === 'data' ? not(this.#environment.inputs.started()) : FALSE;
    for (let wave = 0; ; wave++) {
      const cause = wave === 0 ? kind : 'registers';
      const change = this.#moments.change(before, (held) => this.#moments.moment(input, now, { held, unsure: isFirst }), { cause, isFirst });
      // In the last wave no clock moves any more.
      const isLast = wave > this.#tree.waves;
      if (isLast && !this.#tree.cyclic) return { moment: change.after, registers: now };
      const next = this.#next(change, now);
      if (isLast) {
        for (const [q, value] of next) {
          const [is, was] = [value, now.get(q) ?? value].map((held) => this.#moments.reading.ternary(held)) as [Ternary, Ternary];
          this.#endless = this.#aig.or(this.#endless, this.#aig.or(this.#aig.xor(is.one, was.one), this.#aig.xor(is.zero, was.zero)));
        }
        return { moment: change.after, registers: now };
      }
      before = change.after;
      now = next;
    }
  }

  /** What the flip-flops hold after a wave. */
  #next(change: Change<V>, now: ReadonlyMap<Bit, V>): Map<Bit, V> {
    const next = new Map<Bit, V>();
    const edges = new Map<string, Edge>();
    for (const cell of this.#flipFlops) {
      const clock = cell.connections['CLK']?.[0] ?? '0';
      const key = `${String(clock)} ${String(numberParameter(cell, 'CLK_POLARITY'))}`;
      const edge = edges.get(key) ?? this.#edges.edge(clock, numberParameter(cell, 'CLK_POLARITY') === 1, change);
      edges.set(key, edge);
      const reset = cell.type === '$adff' ? this.#edges.reset(cell, change) : undefined;
      for (const q of cell.connections['Q'] ?? []) {
        const held = now.get(q) ?? this.#moments.reading.free();
        next.set(q, this.#flipFlopNext({ cell, q, held, edge, reset, change }));
      }
    }
    return next;
  }

  #flipFlopNext({ cell, q, held, edge, reset, change }: { cell: Cell; q: Bit; held: V; edge: Edge; reset: Reset | undefined; change: Change<V> }): V {
    const [aig, { mux, known, ternary, constant }] = [this.#aig, this.#moments.reading];
    const happens = aig.or(edge.certain, edge.possible);
    const isStill = happens === FALSE;
    let next = held;
    const race = (when: Literal): void => {
      // Nothing runs against another at the very first, where all that may move is unknown.
      this.#races[change.cause] = aig.or(this.#races[change.cause], change.cause === 'data' ? aig.and(when, this.#environment.inputs.started()) : when);
    };
    const resetValue = cell.type === '$adff' ? constant(resetBit(cell, q)) : held;
    if (!isStill) {
      const bit = dataOf(cell, q);
      const isDirect = change.cause === 'registers' && this.#tree.direct.has(cell);
      const [data, between] = [this.#moments.value(change.after.logic, bit), this.#moments.value(change.between, bit)];
      const open = isDirect ? FALSE : not(isKnown(this.#aig, between));
      const wasKnown = isDirect ? FALSE : aig.or(isKnown(this.#aig, ternary(data)), isKnown(this.#aig, ternary(this.#moments.value(change.before.logic, bit))));
      let sampled = doubted(this.#moments.reading, data, open);
      let raced = aig.and(open, wasKnown);
      if (reset !== undefined) {
        const equal = isEqual(this.#aig, ternary(sampled), ternary(resetValue));
        const releases = aig.and(reset.moving, not(equal));
        sampled = doubted(this.#moments.reading, mux(known(reset.sampled), sampled, resetValue), releases);
        raced = aig.or(aig.and(raced, not(reset.surely)), aig.and(releases, reset.isClear));
      }
      // At the very first, data come from unknown as well.
      const same = aig.and(isEqual(this.#aig, ternary(sampled), ternary(held)), change.cause === 'data' ? this.#environment.inputs.started() : TRUE);
      const perhaps = aig.and(edge.possible, not(same));
      race(aig.and(aig.and(happens, edge.isClear), raced));
      race(aig.and(aig.and(perhaps, edge.isClear), isKnown(this.#aig, ternary(held))));
      next = doubted(this.#moments.reading, mux(known(edge.certain), held, sampled), perhaps);
    }
    if (reset === undefined) return next;
    const perhaps = aig.and(reset.pulse, not(isEqual(this.#aig, ternary(next), ternary(resetValue))));
    race(aig.and(perhaps, aig.and(reset.isClear, isKnown(this.#aig, ternary(held)))));
    return mux(known(reset.active), doubted(this.#moments.reading, next, perhaps), resetValue);
  }
}

function resetBit(cell: Cell, q: Bit): string {
  const text = String(cell.parameters?.['ARST_VALUE'] ?? '');
  const index = (cell.connections['Q'] ?? []).indexOf(q);
  return text[text.length - 1 - index] ?? '0';
}
