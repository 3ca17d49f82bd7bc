import type { Clock, Reset } from '../analysis/module.ts';
import { clockLines, levelBefore } from './stimulus/clock-schedule.ts';
import { differencesAt, type Criterion } from './compare.ts';
import type { Layout, ObservedPort } from './stimulus/layout.ts';
import type { PortLocator } from './report.ts';
import { fieldText, rowBit, type Rows } from './stimulus/rows.ts';
import { portText, type Trace } from './trace.ts';
import type { PowerOn } from './engine.ts';
import type { Mismatch, Unknowns, WitnessStep } from './verdict.ts';

/** A stimulus with what both sides answered to it. */
export interface Exchange {
  readonly layout: Layout;
  readonly clocks: readonly Clock[];
  /** None unless given. */
  readonly resets?: readonly Reset[];
  readonly rows: Rows;
  /** First row whose samples are compared. */
  readonly compareFrom: number;
  readonly golden: Trace;
  readonly dut: Trace;
  readonly criterion: Criterion;
  /** How the DUT began, where its state was drawn. */
  readonly powerOn?: PowerOn | undefined;
}

/** What artefacts are made of: the moments of an exchange, whichever engine it came from. */
export interface Recording {
  readonly layout: Layout;
  readonly clocks: readonly Clock[];
  /** First `WitnessStep.step` that is compared. */
  readonly compareFrom: number;
  readonly unknowns: Unknowns;
  readonly steps: readonly WitnessStep[];
}

/** The first samples of an exchange, as many as asked for. */
export function recordingOf(exchange: Exchange, mostSamples: number): Recording {
  const { layout, clocks, compareFrom, criterion } = exchange;
  const samples = Math.min(exchange.golden.samples, exchange.dut.samples, mostSamples);
  return { layout, clocks, compareFrom, unknowns: criterion.unknowns, steps: samples === 0 ? [] : witnessSteps(exchange, 0, samples - 1) };
}

/** Active clock edges completed before and in each row; without clocks every row counts as one cycle. */
export function cyclesAfterRows(rows: Rows, layout: Layout, clocks: readonly Clock[]): number[] {
  const lines = clockLines(layout, clocks);
  if (lines.length === 0) return Array.from({ length: rows.count }, (_, row) => row + 1);
  const cycles: number[] = [];
  let total = 0;
  for (let row = 0; row < rows.count; row++) {
    const moved = lines.some((line) => {
      const now = rowBit(rows, row, line.position);
      const before = levelBefore(rows, layout, row, line.position);
      return (line.rising && before === 0 && now === 1) || (line.falling && before === 1 && now === 0);
    });
    if (moved) total++;
    cycles.push(total);
  }
  return cycles;
}

/** The samples from `firstRow` on up to and including `lastSample`, as the user reads them. */
export function witnessSteps(exchange: Exchange, firstRow: number, lastSample: number): WitnessStep[] {
  const { layout, rows } = exchange;
  const cycles = cyclesAfterRows(rows, layout, exchange.clocks);
  const steps: WitnessStep[] = [];
  for (let sample = firstRow * layout.samplesPerRow; sample <= lastSample; sample++) {
    const row = Math.floor(sample / layout.samplesPerRow);
    const clocked = layout.samplesPerRow === 2 && sample % 2 === 1;
    steps.push({
      step: row - firstRow,
      cycle: clocked ? (cycles[row] ?? 0) : (cycles[row - 1] ?? 0),
      phase: clocked ? 'clocked' : 'settled',
      inputs: inputsAt(exchange, row, clocked),
      expected: outputsAt(layout.observed, exchange.golden, sample),
      actual: outputsAt(layout.observed, exchange.dut, sample),
    });
  }
  return steps;
}

function inputsAt({ layout, rows }: Exchange, row: number, clocked: boolean): Record<string, string> {
  const inputs: Record<string, string> = {};
  for (const field of layout.fields) {
    if (field.role === 'inout-enable') {
      if (rowBit(rows, row, field.offset) === 0) inputs[field.port] = 'z'.repeat(inputs[field.port]?.length ?? 1);
    } else if (field.role === 'clock' && !clocked) {
      inputs[field.port] = row === 0 ? (field.idle ?? '0'.repeat(field.width)) : fieldText(rows, row - 1, field);
    } else {
      inputs[field.port] = fieldText(rows, row, field);
    }
  }
  return inputs;
}

function outputsAt(observed: readonly ObservedPort[], trace: Trace, sample: number): Record<string, string> {
  return Object.fromEntries(observed.map((port) => [port.port, portText(trace, sample, port)]));
}

/** The mismatch at a sample in words and values; `locate` finds the declaration of a port on either side. */
export function describeMismatch(exchange: Exchange, sample: number, locate: PortLocator): Mismatch {
  const { layout } = exchange;
  const bits = differencesAt(exchange.golden, exchange.dut, sample, exchange.criterion);
  const differing = layout.observed.filter((port) => bits.some((bit) => bit >= port.offset && bit < port.offset + port.width));
  const [output] = differing;
  if (output === undefined) throw new Error('There is no difference at the given sample.');
  const row = Math.floor(sample / layout.samplesPerRow);
  const [step] = witnessSteps(exchange, row, sample).slice(-1);
  return {
    output: output.port,
    cycle: step?.cycle ?? 0,
    phase: step?.phase ?? 'settled',
    expected: portText(exchange.golden, sample, output),
    actual: portText(exchange.dut, sample, output),
    inputs: step?.inputs ?? {},
    differing: differing.map((port) => port.port),
    pattern: undefined,
    ...locate(output.port),
  };
}
