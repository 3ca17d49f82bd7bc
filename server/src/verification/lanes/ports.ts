/** From the ports of a layout to the inputs of a graph, and back to rows. */
import type { Reset } from '../../analysis/module.ts';
import type { InputBit } from '../proof/time.ts';
import { idleBit, type Layout } from '../stimulus/layout.ts';
import { RowBuilder, type Rows } from '../stimulus/rows.ts';
import type { Line } from './drive.ts';

/** The inputs of the graph by their ports, each clock and reset by itself. */
export function linesOf(inputs: readonly InputBit[], layout: Layout, resets: readonly Reset[]): Line[] {
  const clocks = new Set(layout.fields.filter(({ role }) => role === 'clock').map(({ port }) => port));
  const lines = new Map<string, Line & { readonly bits: number[] }>();
  inputs.forEach(({ port, index }, input) => {
    const reset = resets.find((candidate) => candidate.port === port && (candidate.bit ?? 0) === index);
    const role = clocks.has(port) ? 'clock' : reset === undefined ? 'data' : 'reset';
    const key = role === 'data' ? port : `${port}[${String(index)}]`;
    const line = lines.get(key) ?? { role, bits: [], active: reset?.active === 'low' ? 0 : 1 };
    line.bits.push(input);
    lines.set(key, line);
  });
  return [...lines.values()];
}

/** Rows for the inputs of the graph in each step, one byte each; data are set before the clocks move. `ticks`: a clock has one active edge, behind which it comes back. */
export function rowsOf(frames: Uint8Array, inputs: readonly InputBit[], layout: Layout, ticks: boolean): Rows {
  const places = inputs.flatMap(({ port, index }, input) => {
    const field = layout.fields.find((candidate) => candidate.port === port);
    return field === undefined ? [] : [{ input, bit: field.offset + index, isClock: field.role === 'clock' }];
  });
  const steps = frames.length / inputs.length;
  const builder = new RowBuilder(layout, ticks ? 2 * steps : steps);
  for (const { role, width, offset } of layout.fields) for (let bit = 0; role === 'clock' && bit < width; bit++) builder.setBit(offset + bit, idleBit(layout, offset + bit));
  const move = (step: number): void => {
    for (const { input, bit, isClock } of places) if (isClock && frames[step * inputs.length + input] === 1) builder.setBit(bit, builder.bit(bit) === 0);
  };
  for (let step = 0; step < steps; step++) {
    for (const { input, bit, isClock } of places) if (!isClock) builder.setBit(bit, frames[step * inputs.length + input] === 1);
    move(step);
    builder.push();
    if (!ticks) continue;
    move(step);
    builder.push();
  }
  return builder.finish();
}
