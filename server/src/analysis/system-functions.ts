import type { Range } from './module.ts';
import { BIT, fromNumber } from './operators.ts';
import type { Value } from './scope.ts';

function onesIn(bits: bigint): number {
  return bits.toString(2).replaceAll('0', '').length;
}

/** What system functions give of a constant, IEEE 1800-2017, 20.5, 20.8 and 20.9. */
export const VALUE_FUNCTIONS: ReadonlyMap<string, (value: Value) => Value> = new Map<string, (value: Value) => Value>([
  ['$clog2', ({ bits }) => fromNumber(bits <= 1n ? 0n : BigInt((bits - 1n).toString(2).length))],
  ['$signed', (value) => ({ ...value, signed: true })],
  ['$unsigned', (value) => ({ ...value, signed: false })],
  ['$countones', ({ bits }) => fromNumber(BigInt(onesIn(bits)))],
  ['$onehot', ({ bits }) => fromNumber(BigInt(onesIn(bits) === 1), BIT)],
  ['$onehot0', ({ bits }) => fromNumber(BigInt(onesIn(bits) <= 1), BIT)],
  ['$isunknown', () => fromNumber(0n, BIT)],
]);

/** What system functions give of the outermost dimension of a variable or type, IEEE 1800-2017, 20.7. */
export const DIMENSION_QUERIES: ReadonlyMap<string, (range: Range) => number> = new Map<string, (range: Range) => number>([
  ['$size', ({ left, right }) => Math.abs(left - right) + 1],
  ['$left', ({ left }) => left],
  ['$right', ({ right }) => right],
  ['$high', ({ left, right }) => Math.max(left, right)],
  ['$low', ({ left, right }) => Math.min(left, right)],
]);
