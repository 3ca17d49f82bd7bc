/** Arithmetic on words of an and-inverter graph, least significant bit first; the words of one call are equally long. */
import { FALSE, not, TRUE, type Aig, type Literal } from './aig.ts';

export type Word = readonly Literal[];

/** Sum of both and of the carry, cut to the operands' length; the carry out is the last bit. */
function addWithCarry(aig: Aig, a: Word, b: Word, carryIn: Literal): Literal[] {
  let carry = carryIn;
  const sum = a.map((bit, index) => {
    const other = b[index] ?? FALSE;
    const half = aig.xor(bit, other);
    const result = aig.xor(half, carry);
    carry = aig.or(aig.and(bit, other), aig.and(half, carry));
    return result;
  });
  return [...sum, carry];
}

export function add(aig: Aig, a: Word, b: Word): Word {
  return addWithCarry(aig, a, b, FALSE).slice(0, -1);
}

export function subtract(aig: Aig, a: Word, b: Word): Word {
  return addWithCarry(aig, a, b.map(not), TRUE).slice(0, -1);
}

export function negate(aig: Aig, a: Word): Word {
  return subtract(aig, a.map(() => FALSE), a);
}

export function multiply(aig: Aig, a: Word, b: Word): Word {
  let product: Word = a.map(() => FALSE);
  b.forEach((bit, shift) => {
    const partial = a.map((_, index) => (index < shift ? FALSE : aig.and(bit, a[index - shift] ?? FALSE)));
    product = bit === FALSE ? product : add(aig, product, partial);
  });
  return product;
}

/** Whether `a < b`, as numbers without sign or in two's complement. */
export function lessThan(aig: Aig, a: Word, b: Word, signed: boolean): Literal {
  // With the sign bits inverted, numbers with a sign are in the order of those without.
  const biased = (word: Word): Word => (signed ? word.map((bit, index) => (index === word.length - 1 ? not(bit) : bit)) : word);
  return not(addWithCarry(aig, biased(a), biased(b).map(not), TRUE).at(-1) ?? FALSE);
}

export function isZero(aig: Aig, a: Word): Literal {
  return not(a.reduce((any, bit) => aig.or(any, bit), FALSE));
}

function choose(aig: Aig, select: Literal, a: Word, b: Word): Word {
  return a.map((bit, index) => aig.mux(select, bit, b[index] ?? FALSE));
}

/** Restoring division without sign; the divisor is not zero. */
function divideUnsigned(aig: Aig, a: Word, b: Word): { readonly quotient: Word; readonly remainder: Word } {
  const divisor = [...b, FALSE];
  let rest: Word = divisor.map(() => FALSE);
  const quotient: Literal[] = a.map(() => FALSE);
  for (let index = a.length - 1; index >= 0; index--) {
    rest = [a[index] ?? FALSE, ...rest.slice(0, -1)];
    const fits = not(lessThan(aig, rest, divisor, false));
    rest = choose(aig, fits, rest, subtract(aig, rest, divisor));
    quotient[index] = fits;
  }
  return { quotient, remainder: rest.slice(0, -1) };
}

/** Quotient rounded towards zero, and the remainder with the sign of the dividend (IEEE 1800, 11.4.3); the divisor is not zero. */
export function divide(aig: Aig, a: Word, b: Word, signed: boolean): { readonly quotient: Word; readonly remainder: Word } {
  if (!signed) return divideUnsigned(aig, a, b);
  const [signA, signB] = [a.at(-1) ?? FALSE, b.at(-1) ?? FALSE];
  const magnitude = (word: Word, sign: Literal): Word => choose(aig, sign, word, negate(aig, word));
  const { quotient, remainder } = divideUnsigned(aig, magnitude(a, signA), magnitude(b, signB));
  return { quotient: magnitude(quotient, aig.xor(signA, signB)), remainder: magnitude(remainder, signA) };
}
