import type { RangeMode } from './ast.ts';
import type { Range } from './module.ts';
import { maskOf } from './operators.ts';
import { sizeOfRange } from './resolve-type.ts';
import type { Value } from './scope.ts';

/** The outermost packed dimension of a constant, as it is declared. */
function outermost({ packed, width }: Value): { readonly range: Range; readonly inner: readonly Range[] } {
  const [range = { left: width - 1, right: 0 }, ...inner] = packed ?? [];
  return { range, inner };
}

/** Where an index stands in a range, counted from the right. */
function placeIn(range: Range, index: number): number {
  return range.left >= range.right ? index - range.right : range.right - index;
}

/** The element of a constant at an index of its outermost dimension, IEEE 1800-2017, 11.5.1; undefined outside of it. */
export function elementOf(base: Value, index: number): Value | undefined {
  const { range, inner } = outermost(base);
  const place = placeIn(range, index);
  if (place < 0 || place >= sizeOfRange(range)) return undefined;
  const width = base.width / sizeOfRange(range);
  return { bits: (base.bits >> BigInt(place * width)) & maskOf(width), width, signed: false, ...(inner.length > 0 ? { packed: inner } : {}) };
}

/** The elements from one index to another, or as many as `right` says from `left` on; undefined below the range, zero above it. */
export function partOf(base: Value, mode: RangeMode, left: number, right: number): Value | undefined {
  const { range } = outermost(base);
  const last = mode === ':' ? right : mode === '+:' ? left + right - 1 : left - right + 1;
  const [first, second] = [placeIn(range, left), placeIn(range, last)];
  const low = Math.min(first, second);
  if (low < 0) return undefined;
  const element = base.width / sizeOfRange(range);
  const width = (Math.abs(first - second) + 1) * element;
  return { bits: (base.bits >> BigInt(low * element)) & maskOf(width), width, signed: false };
}
