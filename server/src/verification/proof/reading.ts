import type { Aig } from './aig.ts';
import { FALSE, not, TRUE, type Literal } from './aig.ts';

/** How the bits of one side stand in the graph. */
export interface Reading<V> {
  readonly aig: Aig;
  /** `0`, `1`, or anything else for unknown; `z` is so in every expression. */
  readonly constant: (bit: string) => V;
  /** A bit of the graph, which is always known. */
  readonly known: (bit: Literal) => V;
  readonly not: (a: V) => V;
  readonly and: (a: V, b: V) => V;
  readonly xor: (a: V, b: V) => V;
  /** `b` where `select` is 1. */
  readonly mux: (select: V, a: V, b: V) => V;
  /** 1 where both are the same, unknown included. */
  readonly same: (a: V, b: V) => V;
  /** In three values. */
  readonly ternary: (a: V) => Ternary;
  /** A bit of which nothing may be said. */
  readonly free: () => V;
  /** An operator of which each result bit is unknown when any operand bit is. */
  readonly strict: (operands: readonly V[], compute: (bits: readonly Literal[]) => readonly Literal[]) => readonly V[];
}

/** A bit that may be unknown: then both literals are 0. */
export interface Ternary {
  readonly one: Literal;
  readonly zero: Literal;
}

export const UNKNOWN: Ternary = { one: FALSE, zero: FALSE };

export function knownBit(bit: Literal): Ternary {
  return { one: bit, zero: not(bit) };
}

/** The bit is known whatever the inputs and the state are; the graph of such a bit is that of two values. */
export function isDefinite({ one, zero }: Ternary): boolean {
  return zero === not(one);
}

/** Kleene's three values, in which the golden is followed: what it leaves unknown is not compared. `unknown` makes an unknown bit of the source. */
export function ternaryReading(aig: Aig, unknown: () => Ternary = () => UNKNOWN): Reading<Ternary> {
  const both = (a: Ternary, b: Ternary): Ternary => ({ one: aig.and(a.one, b.one), zero: aig.or(a.zero, b.zero) });
  const negated = (a: Ternary): Ternary => ({ one: a.zero, zero: a.one });
  const either = (a: Ternary, b: Ternary): Ternary => negated(both(negated(a), negated(b)));
  return {
    aig,
    constant: (bit) => (bit === '1' ? knownBit(TRUE) : bit === '0' ? knownBit(FALSE) : bit === 'z' ? UNKNOWN : unknown()),
    known: knownBit,
    not: negated,
    and: both,
    xor: (a, b) => {
      if (isDefinite(a) && isDefinite(b)) return knownBit(aig.xor(a.one, b.one));
      return { one: aig.or(aig.and(a.one, b.zero), aig.and(a.zero, b.one)), zero: aig.or(aig.and(a.one, b.one), aig.and(a.zero, b.zero)) };
    },
    mux: (select, a, b) => {
      if (isDefinite(select)) {
        if (isDefinite(a) && isDefinite(b)) return knownBit(aig.mux(select.one, a.one, b.one));
        return { one: aig.mux(select.one, a.one, b.one), zero: aig.mux(select.one, a.zero, b.zero) };
      }
      // The last term: whatever the select is, equal operands are the result.
      return either(either(both(negated(select), a), both(select, b)), both(a, b));
    },
    same: (a, b) => knownBit(aig.and(not(aig.xor(a.one, b.one)), not(aig.xor(a.zero, b.zero)))),
    ternary: (a) => a,
    free: () => UNKNOWN,
    strict: (operands, compute) => {
      const allKnown = operands.reduce((all, { one, zero }) => aig.and(all, aig.or(one, zero)), TRUE);
      return compute(operands.map(({ one }) => one)).map((bit) => ({ one: aig.and(allKnown, bit), zero: aig.and(allKnown, not(bit)) }));
    },
  };
}

/** Three values of which the third says that a bit is on its way, so that even an exact comparison with it may have any result. */
export function movingReading(aig: Aig): Reading<Ternary> {
  const reading = ternaryReading(aig);
  return { ...reading, same: (a, b) => reading.not(reading.xor(a, b)) };
}

/** Two values, in which the DUT is followed: what it leaves unknown may be either, at every step and place anew. */
export function binaryReading(aig: Aig, unknown: () => Literal = () => aig.input()): Reading<Literal> {
  return {
    aig,
    constant: (bit) => (bit === '1' ? TRUE : bit === '0' ? FALSE : bit === 'z' ? aig.input() : unknown()),
    known: (bit) => bit,
    not,
    and: (a, b) => aig.and(a, b),
    xor: (a, b) => aig.xor(a, b),
    mux: (select, a, b) => aig.mux(select, a, b),
    same: (a, b) => not(aig.xor(a, b)),
    ternary: knownBit,
    free: () => aig.input(),
    strict: (operands, compute) => compute(operands),
  };
}

/** 1 where a bit is known. */
export function isKnown(aig: Aig, { one, zero }: Ternary): Literal {
  return zero === not(one) ? TRUE : aig.or(one, zero);
}

/** 1 where both are known and the same. */
export function isEqual(aig: Aig, a: Ternary, b: Ternary): Literal {
  return aig.or(aig.and(a.one, b.one), aig.and(a.zero, b.zero));
}

/** Known where both are and agree. */
export function either(aig: Aig, a: Ternary, b: Ternary): Ternary {
  return { one: aig.and(a.one, b.one), zero: aig.and(a.zero, b.zero) };
}

/** The value, and where `when` is 1 one of which nothing may be said. */
export function doubted<V>(reading: Reading<V>, value: V, when: Literal): V {
  return when === FALSE ? value : reading.mux(reading.known(when), value, reading.free());
}
