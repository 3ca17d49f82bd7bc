/** How time passes in a graph: what makes the clocks of both sides move from one step to the next. */
import type { Edge } from '../../analysis/module.ts';
import { FALSE, not, TRUE, type Aig, type Literal } from './aig.ts';
import type { Netlist } from './netlist.ts';
import { startOf } from './states.ts';

/** A clock input of both sides. */
export interface ClockLine {
  /** Its level while the outputs of a step are compared. */
  readonly level: Literal;
  /** The edge that ends the step. */
  readonly rises: Literal;
  readonly falls: Literal;
}

/** An input bit of both sides, in the order of their making. */
export interface InputBit {
  readonly port: string;
  readonly index: number;
  /** What says its value in a step: of a clock with one active edge whether that edge ends the step, else the level. */
  readonly value: Literal;
  /** The input of the graph; that of a clock says that it changes at the end of the step. */
  readonly moves: Literal;
  /** Of a clock with levels: the input of the graph that says its level in the first step. */
  readonly first?: Literal;
}

export interface Inputs {
  readonly bits: readonly InputBit[];
  /** By `port[bit]`. */
  readonly values: ReadonlyMap<string, Literal>;
  readonly clocks: ReadonlyMap<string, ClockLine>;
  /** Outputs count: the reset at the beginning is over, where there is to be one. */
  readonly begun: Literal;
  /** 0 in the first step. */
  readonly started: () => Literal;
  /** What a data input was in the step before, by `port[bit]`; without a meaning in the first step. */
  readonly before: (name: string) => Literal;
  /** Of the inputs whose value before was asked for, more than one have changed with this step. */
  readonly severalChanged: () => Literal;
  /** More than one clock moves at the end of this step. */
  readonly severalMove: () => Literal;
}

/** How every sequence begins: the resets are held until each of the clocks has made its edge. Inputs are named `port[bit]`. */
export interface Beginning {
  readonly clocks: ReadonlyMap<string, Edge>;
  /** The level at which each reset is active. */
  readonly resets: ReadonlyMap<string, 0 | 1>;
}

/**
 * The inputs of a graph on which both sides hang. A step begins with the data inputs as they are then; asynchronous resets act, latches
 * follow, outputs are compared, and at its end any of the clocks may move, for which the flip-flops take what they see by then.
 * A clock in `ticks` has no edge but the active one, and no level that matters. With a `beginning` every sequence begins so.
 */
export function makeInputs(aig: Aig, netlists: readonly Netlist[], clocks: ReadonlySet<string>, ticks: ReadonlyMap<string, Edge> | undefined, beginning?: Beginning): Inputs {
  const bits: InputBit[] = [];
  const values = new Map<string, Literal>();
  const lines = new Map<string, ClockLine>();
  const started = startOf(aig);
  const seen = [...(beginning?.clocks ?? [])].map(([name, edge]) => ({ name, edge, ...aig.latch() }));
  const begun = seen.reduce((all, { value }) => aig.and(all, value), TRUE);
  for (const netlist of netlists) {
    for (const [port, { direction, bits: own }] of Object.entries(netlist.ports)) {
      if (direction !== 'input') continue;
      own.forEach((_, index) => {
        const key = `${port}[${String(index)}]`;
        if (values.has(key)) return;
        const moves = aig.input();
        const tick = ticks?.get(key);
        if (tick !== undefined) {
          const level = tick === 'posedge' ? FALSE : TRUE;
          values.set(key, level);
          lines.set(key, { level, rises: tick === 'posedge' ? moves : FALSE, falls: tick === 'negedge' ? moves : FALSE });
          bits.push({ port, index, value: moves, moves });
        } else if (clocks.has(key)) {
          const held = aig.latch();
          const first = aig.input();
          const level = aig.mux(started(), first, held.value);
          held.setNext(aig.xor(level, moves));
          values.set(key, level);
          lines.set(key, { level, rises: aig.and(moves, not(level)), falls: aig.and(moves, level) });
          bits.push({ port, index, value: level, moves, first });
        } else {
          const active = beginning?.resets.get(key);
          const value = active === undefined ? moves : aig.mux(begun, active === 1 ? TRUE : FALSE, moves);
          values.set(key, value);
          bits.push({ port, index, value, moves });
        }
      });
    }
  }
  for (const { name, edge, value, setNext } of seen) {
    const line = lines.get(name);
    // What is no clock to either side need not move.
    setNext(line === undefined ? TRUE : aig.or(value, edge === 'posedge' ? line.rises : line.falls));
  }
  const earlier = new Map<string, Literal>();
  const before = (name: string): Literal => {
    const known = earlier.get(name);
    if (known !== undefined) return known;
    const held = aig.latch();
    held.setNext(values.get(name) ?? FALSE);
    earlier.set(name, held.value);
    return held.value;
  };
  const severalChanged = (): Literal => several(aig, [...earlier].map(([name, value]) => aig.xor(value, values.get(name) ?? FALSE)));
  const severalMove = (): Literal => several(aig, [...lines.values()].map(({ rises, falls }) => aig.or(rises, falls)));
  return { bits, values, clocks: lines, begun, started, before, severalChanged, severalMove };
}

/** At least two of the literals are 1. */
function several(aig: Aig, literals: readonly Literal[]): Literal {
  let [one, two]: [Literal, Literal] = [FALSE, FALSE];
  for (const literal of literals) [one, two] = [aig.or(one, literal), aig.or(two, aig.and(one, literal))];
  return two;
}
