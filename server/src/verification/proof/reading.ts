import type { Aig} from './aig.ts';
import { FALSE, not, TRUE, type Literal } from './aig.ts';

/** How the bits of one side stand in the graph. */
export interface Reading<V> {
  readonly aig: Aig;
  /** `0`, `1`, or anything else for unknown. */
  readonly constant: (bit: string) => V;
  readonly not: (a: V) => V;
  readonly and: (a: V, b: V) => V;
  readonly xor: (a: V, b: V) => V;
  /** `b` where `select` is 1. */
  readonly mux: (select: V, a: V, b: V) => V;
  /** 1 where both are the same, unknown included. */
  readonly same: (a: V, b: V) => V;
  /** An operator of which each result bit is unknown when any operand bit is. */
  readonly strict: (operands: readonly V[], compute: (bits: readonly Literal[]) => readonly Literal[]) => readonly V[];
  /** A flip-flop that follows its input from one step to the next, with its initial bit. */
  readonly state: (init: string) => State<V>;
}

export interface State<V> {
  readonly value: V;
  readonly setNext: (next: V) => void;
}

/** A bit that may be unknown: then both literals are 0. */
export interface Ternary {
  readonly one: Literal;
  readonly zero: Literal;
}

/** Kleene's three values, in which the golden is followed: what it leaves unknown is not compared. */
export function ternaryReading(aig: Aig): Reading<Ternary> {
  const both = (a: Ternary, b: Ternary): Ternary => ({ one: aig.and(a.one, b.one), zero: aig.or(a.zero, b.zero) });
  const negated = (a: Ternary): Ternary => ({ one: a.zero, zero: a.one });
  const either = (a: Ternary, b: Ternary): Ternary => negated(both(negated(a), negated(b)));
  const known = (bit: Literal): Ternary => ({ one: bit, zero: not(bit) });
  return {
    aig,
    constant: (bit) => ({ one: bit === '1' ? TRUE : FALSE, zero: bit === '0' ? TRUE : FALSE }),
    not: negated,
    and: both,
    xor: (a, b) => ({ one: aig.or(aig.and(a.one, b.zero), aig.and(a.zero, b.one)), zero: aig.or(aig.and(a.one, b.one), aig.and(a.zero, b.zero)) }),
    // The last term: whatever the select is, equal operands are the result.
    mux: (select, a, b) => either(either(both(negated(select), a), both(select, b)), both(a, b)),
    same: (a, b) => known(aig.and(not(aig.xor(a.one, b.one)), not(aig.xor(a.zero, b.zero)))),
    strict: (operands, compute) => {
      const allKnown = operands.reduce((all, { one, zero }) => aig.and(all, aig.or(one, zero)), TRUE);
      return compute(operands.map(({ one }) => one)).map((bit) => ({ one: aig.and(allKnown, bit), zero: aig.and(allKnown, not(bit)) }));
    },
    state: (init) => {
      const one = latch(aig, init === '1');
      const zero = latch(aig, init === '0');
      return {
        value: { one: one.value, zero: zero.value },
        setNext: (next) => {
          one.setNext(next.one);
          zero.setNext(next.zero);
        },
      };
    },
  };
}

/** Two values, in which the DUT is followed: what it leaves unknown may be either, at every step and place anew. */
export function binaryReading(aig: Aig): Reading<Literal> {
  let started: Literal | undefined;
  const sinceStart = (): Literal => {
    if (started !== undefined) return started;
    const { value, setNext } = aig.latch();
    setNext(TRUE);
    started = value;
    return value;
  };
  return {
    aig,
    constant: (bit) => (bit === '1' ? TRUE : bit === '0' ? FALSE : aig.input()),
    not,
    and: (a, b) => aig.and(a, b),
    xor: (a, b) => aig.xor(a, b),
    mux: (select, a, b) => aig.mux(select, a, b),
    same: (a, b) => not(aig.xor(a, b)),
    strict: (operands, compute) => compute(operands),
    state: (init) => {
      if (init === '0' || init === '1') return latch(aig, init === '1');
      const { value, setNext } = aig.latch();
      return { value: aig.mux(sinceStart(), aig.input(), value), setNext };
    },
  };
}

function latch(aig: Aig, init: boolean): State<Literal> {
  const made = aig.latch();
  return init ? { value: not(made.value), setNext: (next) => made.setNext(not(next)) } : made;
}
