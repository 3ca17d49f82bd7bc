import type { Field } from './layout.ts';

/** Input bits that are changed one at a time at most. */
const MOST_FLIPS = 96;

/** A place in the rows that lead to a decision: one bit of one row. */
export interface Flip {
  readonly row: number;
  readonly bit: number;
}

/**
 * Which changes to make together so that a difference vanishes, where each change acts on it by an exclusive-or with its own effect: Gaussian elimination over GF(2).
 * Changes that come first are preferred. Undefined where no choice of them does it.
 */
export function cancelling(difference: bigint, effects: readonly bigint[]): number[] | undefined {
  const basis = new Map<bigint, { readonly value: bigint; readonly members: bigint }>();
  const reduce = (start: bigint, own: bigint): { readonly value: bigint; readonly members: bigint } => {
    let [value, members] = [start, own];
    for (let known = basis.get(value & -value); value !== 0n && known !== undefined; known = basis.get(value & -value)) {
      value ^= known.value;
      members ^= known.members;
    }
    return { value, members };
  };
  for (const [index, effect] of effects.entries()) {
    const rest = reduce(effect, 1n << BigInt(index));
    if (rest.value !== 0n) basis.set(rest.value & -rest.value, rest);
  }
  const { value, members } = reduce(difference, 0n);
  return value === 0n ? [...effects.keys()].filter((index) => ((members >> BigInt(index)) & 1n) === 1n) : undefined;
}

/** The changes to make together for two values to meet, from what each does to their difference; those that do least come first. */
export function meeting(difference: bigint, changes: readonly { readonly flip: Flip; readonly effect: bigint }[]): Flip[] | undefined {
  const ones = ({ effect }: { readonly effect: bigint }): number => effect.toString(2).replaceAll('0', '').length;
  const ordered = [...changes].sort((a, b) => ones(a) - ones(b));
  return cancelling(difference, ordered.map(({ effect }) => effect))?.flatMap((index) => ordered[index]?.flip ?? []);
}

/** The bits of inputs in a row and in those at a distance before it, not before `first`; the wide inputs first. */
export function flipsBefore(inputs: readonly Field[], at: number, first: number, distance: number): Flip[] {
  const fields = [...inputs].sort((a, b) => b.width - a.width);
  const flips: Flip[] = [];
  for (let row = at; row >= first && flips.length < MOST_FLIPS; row -= distance) {
    for (const { offset, width } of fields) for (let bit = 0; bit < width; bit++) flips.push({ row, bit: offset + bit });
  }
  return flips.slice(0, MOST_FLIPS);
}

/** A copy of some rows with single bits of it changed. */
export function withFlips(rows: Uint8Array, rowBytes: number, flips: readonly Flip[]): Uint8Array {
  const result = rows.slice();
  for (const { row, bit } of flips) {
    const at = (row + 1) * rowBytes - 1 - (bit >> 3);
    result[at] = (result[at] ?? 0) ^ (1 << (bit & 7));
  }
  return result;
}
