import type { ModuleInterface, ModulePort } from '../interface.ts';
import { bitText, type BitRef } from '../tables/table.ts';
import type { Cube } from '../minimize.ts';

export function rangeText({ range }: Pick<ModulePort, 'range'>): string {
  return range === undefined ? '' : `[${range.left}:${range.right}]`;
}

export function widthOf({ range }: Pick<ModulePort, 'range'>): number {
  return range === undefined ? 1 : Math.abs(range.left - range.right) + 1;
}

/** A whole module: its header, its items and its end. */
export function moduleText(header: string, items: readonly string[]): string {
  return [header, '', ...items, '', 'endmodule', ''].join('\n');
}

/** The module header: the user's own, or one with a port a line; outputs in `variables` are declared `reg`. */
export function headerText({ name, ports, header }: ModuleInterface, variables: ReadonlySet<string>): string {
  if (header !== undefined) return header;
  const words = ports.map((port) => [port.direction === 'input' ? 'input' : 'output', variables.has(port.name) ? 'reg' : 'wire', rangeText(port), port.name] as const);
  const widest = Math.max(...words.map(([, , range]) => range.length));
  const lines = words.map(([direction, kind, range, port]) => `    ${direction.padEnd(6)} ${kind.padEnd(4)} ${widest === 0 ? '' : `${range.padEnd(widest)} `}${port}`);
  return `module ${name} (\n${lines.join(',\n')}\n);`;
}

/** A product term: `a & ~b`; `1'b1` for the one that is always true. */
export function productText(cube: Cube, inputs: readonly BitRef[]): string {
  const factors = inputs.flatMap((bit, at) => (cube[at] === '-' ? [] : [`${cube[at] === '0' ? '~' : ''}${bitText(bit)}`]));
  return factors.length === 0 ? "1'b1" : factors.join(' & ');
}

/** A sum of products; parentheses around products of more than one factor. */
export function sumText(cubes: readonly Cube[], inputs: readonly BitRef[], indent: string): string {
  if (cubes.length === 0) return "1'b0";
  const products = cubes.map((cube) => productText(cube, inputs));
  if (products.length === 1) return products[0] ?? '';
  const terms = products.map((product) => (product.includes('&') ? `(${product})` : product));
  const oneLine = terms.join(' | ');
  return oneLine.length <= 80 ? oneLine : terms.join(`\n${indent}| `);
}

export function literalCount(cubes: readonly Cube[]): number {
  return cubes.reduce((sum, cube) => sum + cube.replaceAll('-', '').length, 0);
}

/** Bits as a sized literal: binary up to eight bits, hexadecimal above; `-` becomes 0. */
export function constantText(letters: string): string {
  const bits = letters.replaceAll('-', '0');
  if (bits.length <= 8) return `${bits.length}'b${bits}`;
  return `${bits.length}'h${BigInt(`0b${bits}`).toString(16).padStart(Math.ceil(bits.length / 4), '0')}`;
}

/** Bits as one expression: whole ports by name, else a concatenation. `widths` gives the bits of each port. */
export function bundleText(bits: readonly BitRef[], ports: readonly ModulePort[]): string {
  const parts: string[] = [];
  for (let at = 0; at < bits.length; ) {
    const port = ports.find(({ name }) => name === bits[at]?.port);
    const width = port === undefined ? 1 : widthOf(port);
    const whole = port?.range !== undefined && bits.slice(at, at + width).every((bit, offset) => bit.port === port.name && bit.index === (port.range?.left ?? 0) + offset * ((port.range?.left ?? 0) >= (port.range?.right ?? 0) ? -1 : 1));
    const bit = bits[at];
    if (bit !== undefined) parts.push(whole && bits.length - at >= width ? bit.port : bitText(bit));
    at += whole && bits.length - at >= width ? width : 1;
  }
  return parts.length === 1 ? (parts[0] ?? '') : `{${parts.join(', ')}}`;
}
