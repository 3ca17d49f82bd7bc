import type { Span } from '../../base/text.ts';

/** One bit of a port. */
export interface BitRef {
  readonly port: string;
  /** Undefined for a scalar port. */
  readonly index: number | undefined;
}

/**
 * One row of a logic table: a letter of `0`, `1` or `-` for each bit, in the order of the table's columns. A `-` in the inputs stands for both
 * values, a `-` in the outputs for a value that does not matter.
 */
export interface LogicRow {
  readonly inputs: string;
  readonly outputs: string;
  readonly span: Span;
}

export type LogicForm = 'truth table' | 'Karnaugh map' | 'waveform';

/** A combinational function. An input combination that no row covers does not matter. */
export interface LogicTable {
  readonly kind: 'logic';
  readonly form: LogicForm;
  readonly inputs: readonly BitRef[];
  readonly outputs: readonly BitRef[];
  readonly rows: readonly LogicRow[];
}

export interface State {
  readonly name: string;
  /** Where the state is first defined. */
  readonly span: Span;
  /** The code that the table or the text states, most significant bit first. */
  readonly code: string | undefined;
}

export interface Transition {
  readonly from: number;
  /** A letter of `0`, `1` or `-` for each input bit. */
  readonly inputs: string;
  /** Index of the next state; undefined where it does not matter. */
  readonly to: number | undefined;
  /** Outputs during this transition (Mealy) or in the state it leaves (Moore): a letter of `0`, `1` or `-` for each output bit. */
  readonly outputs: string;
  readonly span: Span;
}

/** A state machine. The first transition that matches counts; where none matches, the machine stays and its outputs are those of `idle`. */
export interface StateTable {
  readonly kind: 'fsm';
  readonly form: 'state table' | 'state diagram';
  readonly style: 'Moore' | 'Mealy';
  readonly states: readonly State[];
  readonly inputs: readonly BitRef[];
  readonly outputs: readonly BitRef[];
  readonly transitions: readonly Transition[];
  /** Outputs of each state where no transition matches. */
  readonly idle: readonly string[];
  /** Index of the reset state. */
  readonly resetState: number;
}

export type Table = LogicTable | StateTable;

/** What is wrong with a table, at the cell. Offsets are those of the text around the comment. */
export interface TableProblem {
  readonly span: Span;
  readonly code: string;
  /** One full sentence. */
  readonly message: string;
}

export type TableResult =
  | { readonly kind: 'table'; readonly table: Table; readonly notes: readonly string[] }
  | { readonly kind: 'ill-formed'; readonly problems: readonly TableProblem[] }
  /** The text holds a table that cannot be built here, for a reason that is no cell's fault: one full sentence. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'none' };

/** A port as far as a table needs to know it. */
export interface KnownPort {
  readonly name: string;
  readonly direction: 'input' | 'output';
  /** Undefined for a scalar. */
  readonly range: { readonly left: number; readonly right: number } | undefined;
}

/** Most bits that a table may have on its input side, so that every combination can be looked at. */
export const MOST_INPUT_BITS = 16;

export function bitText({ port, index }: BitRef): string {
  return index === undefined ? port : `${port}[${index}]`;
}

export function sameBit(a: BitRef, b: BitRef): boolean {
  return a.port === b.port && a.index === b.index;
}

/** The bits of a port, leftmost first. */
export function bitsOf({ name, range }: Pick<KnownPort, 'name' | 'range'>): BitRef[] {
  if (range === undefined) return [{ port: name, index: undefined }];
  const step = range.left >= range.right ? -1 : 1;
  return Array.from({ length: Math.abs(range.left - range.right) + 1 }, (_, at) => ({ port: name, index: range.left + step * at }));
}

/** Whether two cubes have a common input combination. */
export function intersect(a: string, b: string): boolean {
  for (let at = 0; at < a.length; at++) {
    if (a[at] !== b[at] && a[at] !== '-' && b[at] !== '-') return false;
  }
  return true;
}

/** The cube that names one input combination, most significant bit first. */
export function minterm(value: number, width: number): string {
  return width === 0 ? '' : value.toString(2).padStart(width, '0');
}
