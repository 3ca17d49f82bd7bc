import type { Hints } from '../prose.ts';
import { readArrows } from './arrows.ts';
import { parseKarnaughMap } from './karnaugh.ts';
import { buildMachine, type RawMachine } from './machine.ts';
import type { Names } from './names.ts';
import { readStateTable } from './state-table.ts';
import type { TableResult } from './table.ts';
import { linesOf, Problems } from './text.ts';
import { parseTruthTable } from './truth-table.ts';
import { parseWaveform } from './waveform.ts';

/** What is known before a table is read. */
export interface TableContext {
  readonly names: Names;
  /** The same without clock and reset, which are no columns of a state table. */
  readonly machineNames: Names;
  readonly hints: Hints;
  /** Why no state machine can be built with this interface; undefined when one can. */
  readonly noMachine: string | undefined;
}

/**
 * Finds the table in a text and reads it: a state table, a Karnaugh map, a waveform, a truth table or a state diagram in arrows, the first of these that the
 * text holds. `start` is the offset of the text in its source; all places are offsets of the source.
 */
export function parseTable(text: string, start: number, { names, machineNames, hints, noMachine }: TableContext): TableResult {
  const lines = linesOf(text, start);
  const problems = new Problems();
  const machine = (raw: RawMachine | undefined): TableResult => {
    if (raw === undefined) return { kind: 'none' };
    return noMachine === undefined ? buildMachine(raw, machineNames, hints, problems) : { kind: 'refused', reason: noMachine };
  };
  const readers = [
    () => machine(readStateTable(lines, machineNames, problems)),
    () => parseKarnaughMap(lines, names),
    () => parseWaveform(lines, names),
    () => parseTruthTable(lines, names),
    () => machine(readArrows(lines, machineNames, problems)),
  ];
  for (const read of readers) {
    const result = read();
    if (result.kind !== 'none') return result;
    if (problems.list.length > 0) return { kind: 'ill-formed', problems: problems.list };
  }
  return { kind: 'none' };
}
