/** Numbers that are easily written for another. */
const RADIX: Readonly<Record<string, number>> = { b: 2, o: 8, d: 10, h: 16 };
/** Widths up to which each bit may be the wrong one. */
const MOST_BITS = 8;

/** The literals one above and one below, and those with one other bit where there are few, in the notation of the given one; none for one with unknown bits. */
export function numbersNear(literal: string): string[] {
  const plain = /^[\d_]+$/.test(literal) ? literal.replaceAll('_', '') : undefined;
  if (plain !== undefined) {
    const value = BigInt(plain);
    return [value - 1n, value + 1n].filter((near) => near >= 0n).map(String);
  }
  const based = /^(\d*)\s*'(s?)([bodh])\s*([\da-f_]+)$/i.exec(literal);
  if (based === null) return [];
  const [, size = '', sign = '', letter = '', digits = ''] = based;
  const radix = RADIX[letter.toLowerCase()];
  const text = digits.replaceAll('_', '').toLowerCase();
  if (radix === undefined || text.split('').some((digit) => !(parseInt(digit, 36) < radix))) return [];
  const value = text.split('').reduce((sum, digit) => sum * BigInt(radix) + BigInt(parseInt(digit, radix)), 0n);
  const width = size === '' ? 32 : Number(size);
  if (width < 1 || width > 4096) return [];
  const mask = (1n << BigInt(width)) - 1n;
  const flipped = width > MOST_BITS ? [] : Array.from({ length: width }, (_, bit) => value ^ (1n << BigInt(bit)));
  const near = new Set([value + 1n, value - 1n, ...flipped].map((number) => number & mask));
  near.delete(value);
  return [...near].map((number) => `${size}'${sign}${letter}${number.toString(radix).padStart(text.length, '0')}`);
}
