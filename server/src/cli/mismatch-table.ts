import { literal } from '../verification/value-text.ts';
import type { Mismatch, VerifyResult, WitnessStep } from '../verification/verdict.ts';
import { table, tableColumns, type TableRow } from './layout.ts';
import { withoutIdleSamples } from './witness-view.ts';

/** Samples before the mismatch that stand in the table. */
const rowsBefore = 5;

/** The parts of a result that the table shows. */
export type Counterexample = Pick<VerifyResult, 'witness' | 'clocks'> & { readonly mismatch: Mismatch };

export interface MismatchTable {
  readonly lines: readonly string[];
  /** Inputs that have no column, with their value at the mismatch: they do not change here or there was no room. */
  readonly otherInputs: readonly string[];
  /** Differing outputs that have no column. */
  readonly otherOutputs: readonly string[];
  /** Samples of the witness before the first one in the table. */
  readonly earlier: number;
}

/** The last samples of the witness at which something other than a sole clock changed, with inputs, expected and actual outputs, not wider than `columns` where that is possible. */
export function mismatchTable(example: Counterexample, columns: number): MismatchTable {
  const { witness, clocks, mismatch } = example;
  const soleClock = clocks.length === 1 ? clocks[0]?.port : undefined;
  const steps = withoutIdleSamples(witness, new Set(soleClock === undefined ? [] : [soleClock])).slice(-(rowsBefore + 1));
  const names = Object.keys(steps[0]?.inputs ?? {});
  const changing = names.filter((name) => new Set(steps.map((step) => step.inputs[name])).size > 1);
  let inputs = (changing.length === 0 ? names : changing).filter((name) => name !== soleClock);
  let outputs = mismatch.differing.slice(0, 2);
  const build = (): [string[], TableRow[]] => [headerOf(inputs, outputs, clocks.length > 0), steps.map((step, at) => rowOf(step, at === steps.length - 1, { inputs, outputs, clocked: clocks.length > 0 }))];
  while (tableColumns(...build()) > columns) {
    if (outputs.length > 1) outputs = outputs.slice(0, 1);
    else if (inputs.length > 0) inputs = inputs.slice(0, -1);
    else break;
  }
  const last = steps.at(-1);
  const omitted = names.filter((name) => !inputs.includes(name) && name !== soleClock);
  return {
    lines: table(...build(), new Set([0])),
    otherInputs: omitted.map((name) => `${name}=${literal(last?.inputs[name] ?? '')}`),
    earlier: steps[0] === undefined ? 0 : witness.indexOf(steps[0]),
    otherOutputs: mismatch.differing.filter((name) => !outputs.includes(name)),
  };
}

function headerOf(inputs: readonly string[], outputs: readonly string[], clocked: boolean): string[] {
  return [...(clocked ? ['cycle', 'phase'] : ['vector']), ...inputs, ...outputs.flatMap((name) => [`expected ${name}`, 'got'])];
}

interface Columns {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly clocked: boolean;
}

function rowOf(step: WitnessStep, marked: boolean, { inputs, outputs, clocked }: Columns): TableRow {
  const cells = [
    ...(clocked ? [String(step.cycle), step.phase === 'clocked' ? 'after edge' : 'before edge'] : [String(step.step)]),
    ...inputs.map((name) => literal(step.inputs[name] ?? '')),
    ...outputs.flatMap((name) => [literal(step.expected[name] ?? ''), literal(step.actual[name] ?? '')]),
  ];
  return { cells, marked };
}
