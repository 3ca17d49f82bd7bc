import { grouped } from '../base/text.ts';

/** Digits beyond which the middle of a value is left out. */
const longestDigits = 16;

/** A four-state value (binary text, most significant bit first) as a short Verilog literal: `1`, `4'b01x0`, `8'h3f`. */
export function literal(bits: string): string {
  if (bits.length <= 1) return bits;
  const hex = bits.length > 4 ? hexDigits(bits) : undefined;
  return hex === undefined ? `${bits.length}'b${shorten(bits)}` : `${bits.length}'h${shorten(hex)}`;
}

/** Undefined when a digit would mix known and unknown bits. */
function hexDigits(bits: string): string | undefined {
  const padded = bits.padStart(Math.ceil(bits.length / 4) * 4, /^[xz]/.exec(bits)?.[0] ?? '0');
  let digits = '';
  for (let at = 0; at < padded.length; at += 4) {
    const four = padded.slice(at, at + 4);
    if (/^[01]+$/.test(four)) digits += Number.parseInt(four, 2).toString(16);
    else if (/^(?:x+|z+)$/.test(four)) digits += four.charAt(0);
    else return undefined;
  }
  return digits;
}

function shorten(digits: string): string {
  return digits.length <= longestDigits ? digits : `${digits.slice(0, 7)}…${digits.slice(-7)}`;
}

/** A count with its noun: `1 comparison`, `12,000 comparisons`. */
export function count(value: number, noun: string): string {
  return `${grouped(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** The first names of a list and how many more there are: `a, b and 3 more`. */
export function someOf(items: readonly string[], most: number): string {
  if (items.length <= most) return items.join(', ');
  return `${items.slice(0, most).join(', ')} and ${grouped(items.length - most)} more`;
}
