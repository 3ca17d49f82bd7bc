/** Tests of whether something is unknown, such as `a === 1'bx`. */
import { FALSE, not, TRUE, type Aig, type Literal } from './aig.ts';
import type { Cell, Netlist } from './netlist.ts';
import type { Ternary } from './reading.ts';

/** The port of what a cell tests; undefined where it is no such test. */
export function testedPort({ type, connections }: Cell): 'A' | 'B' | undefined {
  const { A = [], B = [] } = connections;
  if ((type !== '$eqx' && type !== '$nex') || A.length !== B.length) return undefined;
  const isUnknown = (bits: typeof A): boolean => bits.every((bit) => bit === 'x');
  return isUnknown(B) ? 'A' : isUnknown(A) ? 'B' : undefined;
}

export function hasUnknownTests({ cells }: Netlist): boolean {
  return cells.some((cell) => testedPort(cell) !== undefined);
}

/** 1 where no bit is known; elsewhere such a test finds nothing. */
export function allUnknown(aig: Aig, bits: readonly Ternary[]): Literal {
  return bits.reduce((all, { one, zero }) => aig.and(all, aig.and(not(one), not(zero))), TRUE);
}

/** The output of a test, by what it finds. */
export function testResult<V>({ type, connections }: Cell, found: V, { no, invert }: { readonly no: V; readonly invert: (value: V) => V }): V[] {
  return (connections['Y'] ?? []).map((_, index) => (index > 0 ? no : type === '$eqx' ? found : invert(found)));
}

/** What a test finds in a side of which what is unknown may be known to a simulator, as far as that is clear. */
export function clearTest(aig: Aig, bits: readonly Ternary[]): Ternary {
  return { one: FALSE, zero: not(allUnknown(aig, bits)) };
}
