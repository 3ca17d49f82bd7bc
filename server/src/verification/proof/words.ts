/** Word-level cells of a Yosys netlist in terms of single bits; unknown values as in IEEE 1800, 11.4. Words begin with the least significant bit. */
import { add, divide, isZero, lessThan, multiply, negate, subtract, type Word } from './arithmetic.ts';
import { FALSE, not as inverse, type Literal } from './aig.ts';
import type { Cell } from './netlist.ts';
import type { Reading } from './reading.ts';

/** Divisions of wider words make graphs that no prover decides. */
const MOST_DIVISION_BITS = 32;

function or<V>({ and, not }: Reading<V>, a: V, b: V): V {
  return not(and(not(a), not(b)));
}

/** One bit of a bitwise cell. */
export function bitwise<V>(type: string, reading: Reading<V>, a: V, b: V, select: V): V {
  const { not, and, xor, mux } = reading;
  switch (type) {
    case '$and':
      return and(a, b);
    case '$or':
      return or(reading, a, b);
    case '$xor':
      return xor(a, b);
    case '$xnor':
      return not(xor(a, b));
    case '$not':
      return not(a);
    case '$mux':
      return mux(select, a, b);
    default:
      return a;
  }
}

export function numberParameter({ parameters }: Cell, name: string): number {
  const value = parameters?.[name];
  return typeof value === 'number' ? value : Number.parseInt(value ?? '0', 2);
}

type Operands<V> = Readonly<Record<'A' | 'B' | 'S', readonly V[]>>;

/** All output bits of a cell that is not bitwise; undefined for a cell that is not followed. */
export function evaluateWord<V>(cell: Cell, reading: Reading<V>, operands: Operands<V>): readonly V[] | undefined {
  const width = numberParameter(cell, 'Y_WIDTH') || (cell.connections['Y']?.length ?? 0);
  const { A, B, S } = operands;
  if (A.length === 0) return undefined;
  switch (cell.type) {
    case '$reduce_and':
      return padded(reading, [A.reduce(reading.and)], width);
    case '$reduce_or':
    case '$reduce_bool':
      return padded(reading, [any(reading, A)], width);
    case '$reduce_xor':
      return padded(reading, [A.reduce(reading.xor)], width);
    case '$reduce_xnor':
      return padded(reading, [reading.not(A.reduce(reading.xor))], width);
    case '$logic_not':
      return padded(reading, [reading.not(any(reading, A))], width);
    case '$logic_and':
      return padded(reading, [reading.and(any(reading, A), any(reading, B))], width);
    case '$logic_or':
      return padded(reading, [or(reading, any(reading, A), any(reading, B))], width);
    case '$eq':
    case '$ne':
    case '$eqx':
    case '$nex':
      return padded(reading, [equality(cell, reading, operands)], width);
    case '$pmux':
      return A.map((bit, index) => S.reduce((value, select, at) => reading.mux(select, value, B[at * A.length + index] ?? bit), bit));
    case '$shl':
    case '$sshl':
    case '$shr':
    case '$sshr':
    case '$shift':
    case '$shiftx':
      return shifted(cell, reading, operands, width);
    default:
      return arithmetic(cell, reading, operands, width);
  }
}

function any<V>(reading: Reading<V>, bits: readonly V[]): V {
  return bits.reduce((a, b) => or(reading, a, b));
}

function padded<V>({ constant }: Reading<V>, bits: readonly V[], width: number): readonly V[] {
  return Array.from({ length: width }, (_, index) => bits[index] ?? constant('0'));
}

function extended<V>({ constant }: Reading<V>, bits: readonly V[], width: number, signed: boolean): V[] {
  const fill = (signed ? bits.at(-1) : undefined) ?? constant('0');
  return Array.from({ length: width }, (_, index) => bits[index] ?? fill);
}

function isSigned(cell: Cell, port: 'A' | 'B'): boolean {
  return numberParameter(cell, `${port}_SIGNED`) === 1;
}

function equality<V>(cell: Cell, reading: Reading<V>, { A, B }: Operands<V>): V {
  const width = Math.max(A.length, B.length);
  const [a, b] = [extended(reading, A, width, isSigned(cell, 'A')), extended(reading, B, width, isSigned(cell, 'B'))];
  const exact = cell.type.endsWith('x');
  const bits = a.map((bit, index) => {
    const other = b[index] ?? bit;
    return exact ? reading.same(bit, other) : reading.not(reading.xor(bit, other));
  });
  const equal = bits.reduce(reading.and);
  return cell.type.startsWith('$n') ? reading.not(equal) : equal;
}

/** A barrel shifter to the right; a shift to the left is one to the right of the reversed word. */
function shifted<V>(cell: Cell, reading: Reading<V>, { A, B }: Operands<V>, width: number): readonly V[] | undefined {
  const length = Math.max(A.length, width);
  const indexed = cell.type === '$shift' || cell.type === '$shiftx';
  const beyond = reading.constant(cell.type === '$shiftx' ? 'x' : '0');
  const value = indexed ? Array.from({ length }, (_, index) => A[index] ?? beyond) : extended(reading, A, length, isSigned(cell, 'A'));
  if (cell.type === '$shl' || cell.type === '$sshl') return masked(reading, B, shiftRight(reading, [...value].reverse(), B, beyond).reverse().slice(0, width));
  const fill = cell.type === '$sshr' && isSigned(cell, 'A') ? (value.at(-1) ?? beyond) : beyond;
  if (!indexed || !isSigned(cell, 'B')) return masked(reading, B, shiftRight(reading, value, B, fill).slice(0, width));
  const sign = B.at(-1);
  if (sign === undefined) return undefined;
  const minus = reading.strict(B, (bits) => negate(reading.aig, bits));
  const right = shiftRight(reading, value, B, fill);
  const left = shiftRight(reading, [...value].reverse(), minus, fill).reverse();
  return masked(reading, B, right.map((bit, index) => reading.mux(sign, bit, left[index] ?? fill)).slice(0, width));
}

function shiftRight<V>({ mux }: Reading<V>, value: readonly V[], amount: readonly V[], fill: V): V[] {
  return amount.reduce<V[]>(
    (word, bit, stage) => {
      const distance = 2 ** stage;
      return word.map((own, index) => mux(bit, own, (distance < word.length ? word[index + distance] : undefined) ?? fill));
    },
    [...value],
  );
}

/** An unknown amount makes all bits of a shift unknown. */
function masked<V>(reading: Reading<V>, amount: readonly V[], result: readonly V[]): readonly V[] {
  const [all] = reading.strict(amount, () => [FALSE]);
  // Zero where the amount is known, which keeps a bit, and else unknown, which makes it so.
  const unknownOrZero = all ?? reading.constant('0');
  return result.map((bit) => reading.xor(bit, unknownOrZero));
}

function arithmetic<V>(cell: Cell, reading: Reading<V>, { A, B }: Operands<V>, width: number): readonly V[] | undefined {
  const { aig } = reading;
  const signed = isSigned(cell, 'A') && (isSigned(cell, 'B') || cell.type === '$neg');
  /** Computes on both operands, extended to `length` bits. */
  const binary = (length: number, compute: (a: Word, b: Word) => Word): readonly V[] =>
    reading.strict([...extended(reading, A, length, isSigned(cell, 'A')), ...extended(reading, B, length, isSigned(cell, 'B'))], (bits) =>
      compute(bits.slice(0, length), bits.slice(length)),
    );
  const compared = (compute: (a: Word, b: Word) => Literal): readonly V[] => padded(reading, binary(Math.max(A.length, B.length), (a, b) => [compute(a, b)]), width);
  switch (cell.type) {
    case '$add':
      return binary(width, (a, b) => add(aig, a, b));
    case '$sub':
      return binary(width, (a, b) => subtract(aig, a, b));
    case '$mul':
      return binary(width, (a, b) => multiply(aig, a, b));
    case '$neg':
      return reading.strict(extended(reading, A, width, isSigned(cell, 'A')), (bits) => negate(aig, bits));
    case '$lt':
      return compared((a, b) => lessThan(aig, a, b, signed));
    case '$le':
      return compared((a, b) => inverse(lessThan(aig, b, a, signed)));
    case '$gt':
      return compared((a, b) => lessThan(aig, b, a, signed));
    case '$ge':
      return compared((a, b) => inverse(lessThan(aig, a, b, signed)));
    case '$div':
    case '$mod':
      return division(cell.type, reading, binary, { A, B }, width, signed);
    default:
      return undefined;
  }
}

function division<V>(
  type: '$div' | '$mod',
  reading: Reading<V>,
  binary: (length: number, compute: (a: Word, b: Word) => Word) => readonly V[],
  { A, B }: Pick<Operands<V>, 'A' | 'B'>,
  width: number,
  signed: boolean,
): readonly V[] | undefined {
  const length = Math.max(A.length, B.length, width);
  if (length > MOST_DIVISION_BITS) return undefined;
  const { aig } = reading;
  const result = binary(length, (a, b) => {
    const { quotient, remainder } = divide(aig, a, b, signed);
    return [...(type === '$div' ? quotient : remainder), isZero(aig, b)];
  });
  const byZero = result.at(-1);
  return byZero === undefined ? undefined : result.slice(0, width).map((bit) => reading.mux(byZero, bit, reading.constant('x')));
}
