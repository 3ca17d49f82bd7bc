import type { Value } from './scope.ts';

/** Width and signedness of an expression by itself, IEEE 1800-2017, 11.6 and 11.8. */
export interface Size {
  readonly width: number;
  readonly signed: boolean;
}

export const INTEGER: Size = { width: 32, signed: true };
export const BIT: Size = { width: 1, signed: false };

export const BIT_RESULT = new Set(['==', '!=', '===', '!==', '==?', '!=?', '<', '<=', '>', '>=', '&&', '||', '&&&', '->', '<->']);
export const LOGICAL = new Set(['&&', '||', '&&&', '->', '<->']);
export const SHIFTS = new Set(['<<', '>>', '<<<', '>>>']);
export const REDUCTIONS = new Set(['!', '&', '~&', '|', '~|', '^', '~^', '^~']);

export function maskOf(width: number): bigint {
  return (1n << BigInt(width)) - 1n;
}

/** The number that a value stands for. */
export function toNumber(value: Value): bigint {
  const negative = value.signed && value.width > 0 && value.bits >> BigInt(value.width - 1) === 1n;
  return negative ? value.bits - (1n << BigInt(value.width)) : value.bits;
}

export function fromNumber(number: bigint, size: Size = INTEGER): Value {
  return { bits: number & maskOf(size.width), width: size.width, signed: size.signed };
}

/** The value as an assignment to a variable of that size leaves it. */
export function convert(value: Value, size: Size): Value {
  return { bits: toNumber(value) & maskOf(size.width), width: size.width, signed: size.signed };
}

/** Fits a value into its context: sign extension when the whole expression is signed. */
export function extend(bits: bigint, from: number, size: Size): bigint {
  return toNumber({ bits, width: from, signed: size.signed }) & maskOf(size.width);
}

/** A string literal is a vector of its characters' codes, eight bits each. */
export function stringBits(text: string): bigint {
  let bits = 0n;
  for (let index = 0; index < text.length; index++) bits = (bits << 8n) | BigInt(text.charCodeAt(index) & 255);
  return bits;
}

export function reduce(operator: string, value: Value): boolean {
  const any = value.bits !== 0n;
  const all = value.bits === maskOf(value.width);
  const odd = value.bits.toString(2).replaceAll('0', '').length % 2 === 1;
  switch (operator) {
    case '&':
      return all;
    case '~&':
      return !all;
    case '|':
      return any;
    case '^':
      return odd;
    case '~^':
    case '^~':
      return !odd;
    default:
      return !any;
  }
}

export function logical(operator: string, a: boolean | undefined, b: boolean | undefined): bigint | undefined {
  if (operator === '||' && (a === true || b === true)) return 1n;
  if (operator.startsWith('&&') && (a === false || b === false)) return 0n;
  if (a === undefined || b === undefined) return undefined;
  if (operator === '||') return 0n;
  if (operator === '->') return BigInt(!a || b);
  if (operator === '<->') return BigInt(a === b);
  return 1n;
}

export function compare(operator: string, a: bigint, b: bigint): boolean {
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    default:
      return operator.startsWith('=') ? a === b : a !== b;
  }
}

export function arithmetic(operator: string, a: bigint, b: bigint): bigint | undefined {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b === 0n ? undefined : a / b;
    case '%':
      return b === 0n ? undefined : a % b;
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '~^':
    case '^~':
      return ~(a ^ b);
    default:
      return undefined;
  }
}

export function shift(operator: string, bits: bigint, amount: bigint, size: Size): bigint {
  const bounded = amount > BigInt(size.width) ? BigInt(size.width) : amount;
  if (operator.startsWith('<')) return (bits << bounded) & maskOf(size.width);
  if (operator === '>>' || !size.signed) return bits >> bounded;
  return (toNumber({ bits, ...size }) >> bounded) & maskOf(size.width);
}

export function power(bits: bigint, exponent: Value, size: Size): bigint | undefined {
  const base = toNumber({ bits, ...size });
  const times = toNumber(exponent);
  if (times < 0n) return base === 1n ? 1n : base === -1n ? (times % 2n === 0n ? 1n : maskOf(size.width)) : base === 0n ? undefined : 0n;
  if (times > 100_000n) return undefined;
  let result = 1n;
  let factor = base & maskOf(size.width);
  for (let rest = times; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) & maskOf(size.width);
    factor = (factor * factor) & maskOf(size.width);
  }
  return result & maskOf(size.width);
}
