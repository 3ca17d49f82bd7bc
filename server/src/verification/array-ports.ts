import type { Range } from '../analysis/module.ts';

/** A port as a text around the design connects it. */
export interface ConnectedPort {
  readonly isInput: boolean;
  /** Bits of all elements. */
  readonly width: number;
  /** Unpacked dimensions, outermost first; empty for a plain vector. */
  readonly unpacked: readonly Range[];
}

/** What a port is connected to, and the lines that this needs. */
export interface Connection {
  readonly declarations: readonly string[];
  readonly net: string;
}

/**
 * Connects a vector `net` to a port. Stimulus and traces hold a port as one vector; where it is an array, its element at the left of every declared range
 * holds the high bits (IEEE 1800 6.24.3 orders a bit stream so), and a net of the port's own shape lies between.
 */
export function connectPort(net: string, { isInput, width, unpacked }: ConnectedPort): Connection {
  if (unpacked.length === 0) return { declarations: [], net };
  const elements = elementsOf(unpacked);
  const array = `${net}_array`;
  const elementWidth = width / elements.length;
  const dimensions = unpacked.map(({ left, right }) => `[${String(left)}:${String(right)}]`).join('');
  const packed = elementWidth === 1 ? '' : `[${String(elementWidth - 1)}:0] `;
  const whole = `{${elements.map((element) => array + element).join(', ')}}`;
  const assignment = isInput ? `${whole} = ${net}` : `${net} = ${whole}`;
  return { declarations: [`  wire ${packed}${array} ${dimensions};`, `  assign ${assignment};`], net: array };
}

/** Indices of every element, the one at the left of every range first. */
function elementsOf([range, ...inner]: readonly Range[]): string[] {
  if (range === undefined) return [''];
  const rest = elementsOf(inner);
  const step = range.left <= range.right ? 1 : -1;
  return Array.from({ length: Math.abs(range.right - range.left) + 1 }, (_, at) => `[${String(range.left + step * at)}]`).flatMap((index) => rest.map((other) => index + other));
}

/** Why arrays of two declarations cannot be matched, as the end of `'port' ...`; undefined where each element has its counterpart. */
export function arrayMismatch(golden: Omit<ConnectedPort, 'isInput'>, dut: Omit<ConnectedPort, 'isInput'>, names: { readonly golden: string; readonly dut: string }): string | undefined {
  const same = golden.unpacked.length === dut.unpacked.length && golden.unpacked.every((range, at) => sizeOf(range) === sizeOf(dut.unpacked[at]));
  if (!same || golden.width !== dut.width) return `is ${shapeText(dut)} in ${names.dut} and ${shapeText(golden)} in ${names.golden}`;
  const opposed = golden.unpacked.some((range, at) => sizeOf(range) > 1 && isRising(range) !== isRising(dut.unpacked[at] ?? range));
  return opposed ? `counts its elements the other way in ${names.dut} than in ${names.golden}, and tools differ in which of them meet; declare both in the same direction` : undefined;
}

function sizeOf(range: Range | undefined): number {
  return range === undefined ? 0 : Math.abs(range.left - range.right) + 1;
}

function isRising({ left, right }: Range): boolean {
  return left < right;
}

function shapeText({ width, unpacked }: Omit<ConnectedPort, 'isInput'>): string {
  const bits = (count: number): string => (count === 1 ? '1 bit' : `${String(count)} bits`);
  if (unpacked.length === 0) return `one vector of ${bits(width)}`;
  const sizes = unpacked.map(sizeOf);
  return `an array of ${sizes.join(' by ')} elements of ${bits(width / sizes.reduce((product, size) => product * size, 1))}`;
}
