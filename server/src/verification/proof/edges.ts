/** Edges of clocks and levels of resets between two moments: what happens for certain, and what may. */
import { FALSE, not, TRUE, type Aig, type Literal } from './aig.ts';
import type { ClockNet, ClockTree } from './clock-tree.ts';
import { Logic } from './logic.ts';
import type { Change, Moments } from './moments.ts';
import type { Bit, Cell } from './netlist.ts';
import { either, isKnown, type Ternary } from './reading.ts';
import { numberParameter } from './words.ts';

export interface Edge {
  readonly certain: Literal;
  /** It may happen and may not. */
  readonly possible: Literal;
  /** Nothing that is unknown has part in it. */
  readonly isClear: Literal;
  /** Something that the clock comes from changes. */
  readonly any: Literal;
}

export interface Reset {
  readonly active: Literal;
  /** It may have been active for an instant, or its level is unknown. */
  readonly pulse: Literal;
  /** What a flip-flop sees at its clock, and whether that may be otherwise. */
  readonly sampled: Literal;
  readonly moving: Literal;
  /** Active all the time. */
  readonly surely: Literal;
  readonly isClear: Literal;
}

export class Edges<V> {
  readonly #moments: Moments<V>;
  readonly #tree: ClockTree;
  #late: Literal = FALSE;

  constructor(moments: Moments<V>, tree: ClockTree) {
    this.#moments = moments;
    this.#tree = tree;
  }

  /** Where this is 1 a clock has hung on a latch that changes one wave later than others. */
  get late(): Literal {
    return this.#late;
  }

  get #aig(): Aig {
    return this.#moments.aig;
  }

  /** An asynchronous reset is active by its level: what it resets stays so until it is over. */
  reset(cell: Cell, change: Change<V>): Reset {
    const bit = cell.connections['ARST']?.[0] ?? '0';
    const upwards = numberParameter(cell, 'ARST_POLARITY') === 1;
    const polar = (value: Ternary): Ternary => (upwards ? value : this.#moments.moving.not(value));
    const [was, is] = [change.before, change.after].map(({ logic }) => polar(this.#moments.reading.ternary(this.#moments.value(logic, bit)))) as [Ternary, Ternary];
    const moving = polar(this.#between(bit, change));
    const open = not(isKnown(this.#aig, moving));
    const isClear = this.#aig.and(isKnown(this.#aig, was), isKnown(this.#aig, is));
    const unknown = not(isKnown(this.#aig, is));
    // A level that is not known may reset or not, a pulse as well.
    const rises = this.#edgeOf(bit, upwards, change);
    const isStarted = change.cause === 'data' ? this.#moments.environment.inputs.started() : TRUE;
    const instant = this.#tree.nets.get(bit)?.plain === true ? this.#aig.and(isStarted, rises.possible) : this.#aig.or(not(isStarted), rises.possible);
    // A clock that is unknown resets nothing for certain.
    const unclocked = this.#hasClock(bit) ? change.isFirst : FALSE;
    const pulse = this.#aig.or(this.#aig.or(unknown, unclocked), this.#aig.and(instant, not(is.one)));
    return { active: this.#aig.and(is.one, not(unclocked)), pulse, sampled: is.one, moving: this.#aig.or(open, unknown), surely: moving.one, isClear };
  }

  edge(bit: Bit, upwards: boolean, change: Change<V>): Edge {
    const edge = this.#edgeOf(bit, upwards, change);
    if (change.cause === 'registers') return this.#hasClock(bit) ? doubtful(this.#aig, edge, this.#aig.and(change.isFirst, edge.any)) : edge;
    const isStarted = this.#moments.environment.inputs.started();
    // Clocks come from unknown to what they are, all at once, and what they open for that matter is not open before.
    if (change.cause === 'clocks') return this.#isChain(bit) ? edge : doubtful(this.#aig, edge, this.#aig.and(not(isStarted), edge.any));
    // At the very first, everything comes from unknown to what it is; clocks still are unknown then.
    const first = this.#moments.firstValue(bit);
    const target = upwards ? first.one : first.zero;
    const other = upwards ? first.zero : first.one;
    const possible = this.#tree.nets.get(bit)?.plain === true ? target : not(other);
    return {
      certain: this.#aig.and(isStarted, edge.certain),
      possible: this.#aig.mux(isStarted, possible, edge.possible),
      isClear: edge.isClear,
      any: edge.any,
    };
  }

  #edgeOf(bit: Bit, upwards: boolean, change: Change<V>): Edge {
    const aig = this.#aig;
    const polar = (value: Ternary): Ternary => (upwards ? value : this.#moments.moving.not(value));
    const [was, is] = [change.before, change.after].map(({ logic }) => polar(this.#moments.reading.ternary(this.#moments.value(logic, bit)))) as [Ternary, Ternary];
    const [rises, falls] = [aig.and(was.zero, is.one), aig.and(was.one, is.zero)];
    const between = polar(this.#between(bit, change));
    const { any, once } = this.#movement(bit, change);
    this.#lateness(bit, change);
    const open = aig.and(any, not(isKnown(this.#aig, between)));
    return { certain: rises, possible: aig.and(open, aig.and(not(rises), not(aig.and(once, falls)))), isClear: aig.and(isKnown(this.#aig, was), isKnown(this.#aig, is)), any };
  }

  /** What a clock may be on its way from one value to the next. */
  #between(bit: Bit, change: Change<V>): Ternary {
    const net = this.#tree.nets.get(bit);
    if (net === undefined || change.cause === 'data' || !this.#isAtOnce(net, change)) return this.#moments.value(change.between, bit);
    return either(this.#aig, this.#moments.reading.ternary(this.#moments.value(change.before.logic, bit)), this.#moments.value(change.atOnce, bit));
  }

  /** Everything that changes before this net is seen to change at once by all that lead to it. */
  #isAtOnce(net: ClockNet, change: Change<V>): boolean {
    return [...net.sources.keys()].every((source) => net.atOnce.has(source) || this.#moments.changed(source, change) === FALSE);
  }

  /** `any`: something that it comes from changes. `once`: it goes from its value to the next without a way back, since only one thing moves it, in one way. */
  #movement(bit: Bit, change: Change<V>): { readonly any: Literal; readonly once: Literal } {
    const aig = this.#aig;
    const net = this.#tree.nets.get(bit);
    let [any, several]: [Literal, Literal] = [FALSE, FALSE];
    for (const [source, ways] of net?.sources ?? []) {
      const changed = this.#moments.changed(source, change);
      several = aig.or(several, ways === 'often' ? changed : aig.and(any, changed));
      any = aig.or(any, changed);
    }
    const driver = this.#moments.netlist.drivers.get(bit);
    if (net === undefined || change.cause === 'data' || !this.#isAtOnce(net, change) || driver === undefined || driver === 'input') return { any, once: not(several) };
    // Where the last gate has but one result in any order, it moves once.
    this.#moments.value(change.atOnce, bit);
    const last = new Logic<Ternary>(this.#moments.netlist, this.#moments.moving, { source: (other) => (other === bit ? undefined : change.atOnce.value(other)), register: () => undefined });
    return { any, once: last.settle(bit) ? aig.or(not(several), isKnown(this.#aig, last.value(bit))) : not(several) };
  }

  /** A latch that is assigned with `<=` changes with the next wave; a clock must not hang on that. */
  #lateness(bit: Bit, change: Change<V>): void {
    const { late } = this.#tree;
    if (late.size === 0) return;
    const { ternary } = this.#moments.reading;
    const logic: Logic<Ternary> = new Logic<Ternary>(this.#moments.netlist, this.#moments.moving, {
      source: (other) => {
        if (late.has(other)) return either(this.#aig, ternary(this.#moments.value(change.before.logic, other)), ternary(this.#moments.value(change.after.logic, other)));
        return this.#moments.isSource(other) ? ternary(this.#moments.value(change.after.logic, other)) : undefined;
      },
      register: (_, q) => ternary(this.#moments.value(change.after.logic, q)),
    });
    const value = this.#moments.value(logic, bit);
    const [was, is] = [change.before, change.after].map((moment) => isKnown(this.#aig, ternary(this.#moments.value(moment.logic, bit)))) as [Literal, Literal];
    const hangs = this.#aig.and(not(isKnown(this.#aig, value)), this.#aig.and(was, is));
    // At the very first a latch is not known to be open, so that it seems to change where it closes.
    this.#late = this.#aig.or(this.#late, this.#aig.and(hangs, this.#moments.environment.inputs.started()));
  }

  #hasClock(bit: Bit): boolean {
    return [...(this.#tree.nets.get(bit)?.sources.keys() ?? [])].some((source) => this.#moments.isClock(source));
  }

  /** A clock that follows one input through plain gates, of which an edge from unknown is an edge from the other level. */
  #isChain(bit: Bit): boolean {
    const net = this.#tree.nets.get(bit);
    const clocks = [...(net?.sources ?? [])].filter(([source]) => this.#moments.isClock(source));
    return net?.plain === true && clocks.length < 2 && clocks.every(([, ways]) => ways === 'once');
  }
}

/** An edge that may happen and may not where `when` is 1. */
function doubtful(aig: Aig, edge: Edge, when: Literal): Edge {
  return { ...edge, certain: aig.and(edge.certain, not(when)), possible: aig.or(edge.possible, when), isClear: aig.and(edge.isClear, not(when)) };
}
