import { OPAQUE_PIECE } from '../syntax/pieces.ts';

const PIECE = new RegExp(OPAQUE_PIECE, 'g');

/** Blanks comments and the inside of string literals with spaces; length and line ends stay, so that offsets stay exact. */
export function codeOnly(text: string): string {
  return text.replace(PIECE, (found) => {
    if (found.startsWith('\\')) return found;
    const blank = found.replace(/[^\n\r]/g, ' ');
    if (!found.startsWith('"')) return blank;
    return found.length > 1 && found.endsWith('"') ? `"${blank.slice(1, -1)}"` : `"${blank.slice(1)}`;
  });
}

const UNITS = ['s', 'ms', 'us', 'ns', 'ps', 'fs'] as const;

export interface Timescale {
  /** Powers of ten of a second: -9 is 1 ns. */
  readonly unit: number;
  readonly precision: number;
}

/**
 * A time scale that suits all sources: the coarsest unit with the finest precision that any of them states; undefined when none
 * states one, because adding a time scale to a design without one would change its delays.
 */
export function commonTimescale(sources: readonly string[]): Timescale | undefined {
  let common: Timescale | undefined;
  for (const source of sources) {
    for (const match of codeOnly(source).matchAll(/`timescale\s+(10{0,2})\s*(s|[munpf]s)\s*\/\s*(10{0,2})\s*(s|[munpf]s)/g)) {
      const [unit, precision] = [exponentOf(match[1], match[2]), exponentOf(match[3], match[4])];
      common = { unit: Math.max(unit, common?.unit ?? unit), precision: Math.min(precision, common?.precision ?? precision) };
    }
  }
  return common;
}

function exponentOf(amount = '1', unit = 's'): number {
  return -3 * UNITS.findIndex((name) => name === unit) + amount.length - 1;
}

/** The directive for a time scale, with its line end. */
export function timescaleDirective({ unit, precision }: Timescale): string {
  const time = (exponent: number): string => {
    const index = Math.ceil(-exponent / 3);
    return `${'1'.padEnd(exponent + 3 * index + 1, '0')}${UNITS[index] ?? 'fs'}`;
  };
  return `\`timescale ${time(unit)}/${time(precision)}\n`;
}
