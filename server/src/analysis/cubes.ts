/** A set of values: those that agree with `bits` wherever `any` has no one. */
export interface Cube {
  readonly bits: bigint;
  readonly any: bigint;
}

/** Splits before the question is given up. */
const MAX_SPLITS = 5000;

/** Whether some cube holds each value of `width` bits, by splitting at one bit after the other (Shannon expansion); undefined when that takes too long. */
export function coversEveryValue(cubes: readonly Cube[], width: number): boolean | undefined {
  let splits = 0;
  const covers = (left: readonly Cube[], bit: number): boolean | undefined => {
    const below = (1n << BigInt(bit)) - 1n;
    if (left.some(({ any }) => (any & below) === below)) return true;
    if (left.length === 0 || bit === 0) return false;
    // The others cannot make up for what lacks: each holds at most half of the values.
    if (left.length === 1) return false;
    if (++splits > MAX_SPLITS) return undefined;
    const mask = 1n << BigInt(bit - 1);
    for (const side of [0n, mask]) {
      const half = covers(left.filter(({ bits, any }) => (any & mask) !== 0n || (bits & mask) === side), bit - 1);
      if (half !== true) return half;
    }
    return true;
  };
  return covers(cubes.filter(({ bits }) => bits >> BigInt(width) === 0n), width);
}
