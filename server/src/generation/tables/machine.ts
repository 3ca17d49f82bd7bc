import { count } from '../../verification/value-text.ts';
import type { Hints } from '../prose.ts';
import { resolveColumn, type Names } from './names.ts';
import { bitsOf, bitText, intersect, MOST_INPUT_BITS, sameBit, type BitRef, type State, type StateTable, type TableResult, type Transition } from './table.ts';
import type { Problems} from './text.ts';
import { bitsOfValue, type Cell } from './text.ts';

/** One value of a named signal, as in `x=0`. */
export interface Term {
  readonly name: Cell;
  readonly value: Cell;
}

/** Values as they are written: by name, or by position in the list of signals. */
export type Values = { readonly kind: 'named'; readonly terms: readonly Term[] } | { readonly kind: 'positional'; readonly digits: readonly Cell[] };

export interface RawTransition {
  readonly from: Cell;
  readonly when: Values | 'else';
  /** A state's name, or a don't-care. */
  readonly to: Cell;
  readonly outputs: Values | undefined;
}

/** A state as a line of the text mentions it; a state may be mentioned often. */
export interface RawState {
  readonly name: Cell;
  readonly outputs: Values | undefined;
  readonly reset: boolean;
}

/** A state machine as it is written, before names and values are understood. */
export interface RawMachine {
  readonly form: StateTable['form'];
  readonly states: readonly RawState[];
  readonly transitions: readonly RawTransition[];
  /** A reset arrow without a state before it: where it leads. */
  readonly resetTo: Cell | undefined;
}

interface Signals {
  readonly bits: readonly BitRef[];
  read(values: Values): { readonly letters: string; readonly cells: readonly Cell[] } | undefined;
}

/** Understands a machine: signals, states, conditions; and checks that it is whole and does not contradict itself. */
export function buildMachine(raw: RawMachine, names: Names, hints: Hints, problems: Problems): TableResult {
  const notes: string[] = [];
  const conditions = raw.transitions.flatMap(({ when }) => (when === 'else' ? [] : [when]));
  const stateOutputs = raw.states.flatMap(({ outputs }) => outputs ?? []);
  const moves = raw.transitions.flatMap(({ outputs }) => outputs ?? []);
  const inputs = signalsOf('input', conditions, names, problems);
  const outputs = signalsOf('output', [...stateOutputs, ...moves], names, problems);
  const states = statesOf(raw, hints, problems);
  const [first] = raw.states;
  if (first === undefined) return { kind: 'none' };
  if (outputs.bits.length === 0) problems.add(first.name, 'no-output', 'The table gives no output; write it behind the state, as in A (out=0), or in a column of its own.');
  if (inputs.bits.length > MOST_INPUT_BITS) problems.add(first.name, 'too-wide', `The table has ${inputs.bits.length} input bits; at most ${MOST_INPUT_BITS} can be handled.`);
  const idle = outputsOfStates(raw, states, outputs, problems, { named: stateOutputs.some(({ kind }) => kind === 'named'), notes });
  const transitions = transitionsOf(raw, { states, inputs, outputs, idle, problems });
  const resetState = resetStateOf(raw, states, hints, problems);
  if (problems.list.length === 0) reportConflicts(transitions, states, inputs.bits, problems);
  if (problems.list.length > 0) return { kind: 'ill-formed', problems: problems.list };
  notes.push(...gaps(transitions, states, inputs.bits), ...unreachable(transitions, states, resetState));
  const style = moves.length > 0 ? 'Mealy' : 'Moore';
  const table: StateTable = { kind: 'fsm', form: raw.form, style, states, inputs: inputs.bits, outputs: outputs.bits, transitions: transitions.map(({ from, inputs: cube, to, outputs: letters, span }) => ({ from, inputs: cube, to, outputs: letters, span })), idle, resetState };
  return { kind: 'table', table, notes };
}

/** The bits of one side, in the order of the interface, else of their first mention. */
function signalsOf(direction: 'input' | 'output', all: readonly Values[], names: Names, problems: Problems): Signals {
  const own = names.ports.filter((port) => port.direction === direction).flatMap(bitsOf);
  const positional = all.find((values) => values.kind === 'positional');
  const bits: BitRef[] = [];
  const add = (found: readonly BitRef[]): void => {
    for (const bit of found) if (!bits.some((other) => sameBit(other, bit))) bits.push(bit);
  };
  if (own.length > 0) add(own);
  else if (positional?.kind === 'positional') {
    const width = positional.digits.reduce((sum, { text }) => sum + (bitsOfValue(text)?.length ?? 1), 0);
    const name = direction === 'input' ? 'in' : 'out';
    add(bitsOf({ name, range: width === 1 ? undefined : { left: width - 1, right: 0 } }));
  }
  const resolved = new Map<string, readonly BitRef[]>();
  for (const values of all) {
    if (values.kind === 'positional') continue;
    for (const { name, value } of values.terms) {
      if (resolved.has(name.text)) continue;
      const found = resolveColumn(name, bitsOfValue(value.text)?.length, names, problems) ?? [];
      resolved.set(name.text, found);
      add(found);
    }
  }
  const read = (values: Values): ReturnType<Signals['read']> => (values.kind === 'named' ? readNamed(values.terms, bits, resolved, problems) : readPositional(values.digits, bits, direction, problems));
  return { bits, read };
}

function readNamed(terms: readonly Term[], bits: readonly BitRef[], resolved: ReadonlyMap<string, readonly BitRef[]>, problems: Problems): ReturnType<Signals['read']> {
  const letters = bits.map(() => '-');
  const cells = bits.map((): Cell | undefined => undefined);
  for (const { name, value } of terms) {
    const own = resolved.get(name.text) ?? [];
    const written = bitsOfValue(value.text);
    if (written === undefined) {
      problems.add(value, 'unknown-symbol', `'${value.text}' is no value; write 0, 1 or, where it does not matter, x, d, - or *.`);
      return undefined;
    }
    const full = written === '-' ? '-'.repeat(own.length) : written;
    if (own.length > 0 && full.length !== own.length) problems.add(value, 'cell-width', `'${value.text}' has ${count(full.length, 'digit')}, but ${name.text} has ${count(own.length, 'bit')}.`);
    for (const [at, bit] of own.entries()) {
      const index = bits.findIndex((other) => sameBit(other, bit));
      letters[index] = full[at] ?? '-';
      cells[index] = value;
    }
  }
  const [anywhere] = terms;
  return { letters: letters.join(''), cells: cells.map((cell) => cell ?? anywhere?.value ?? { text: '', span: { start: 0, end: 0 } }) };
}

function readPositional(digits: readonly Cell[], bits: readonly BitRef[], direction: 'input' | 'output', problems: Problems): ReturnType<Signals['read']> {
  const cells = digits.flatMap((cell) => Array.from(bitsOfValue(cell.text) ?? '?').map(() => cell));
  const wrong = digits.find(({ text }) => bitsOfValue(text) === undefined);
  if (wrong !== undefined) {
    problems.add(wrong, 'unknown-symbol', `'${wrong.text}' is no value; write 0, 1 or, where it does not matter, x, d, - or *.`);
    return undefined;
  }
  const letters = digits.map(({ text }) => bitsOfValue(text) ?? '').join('');
  const [first] = digits;
  if (letters === '-' && bits.length > 0) return { letters: '-'.repeat(bits.length), cells: bits.map(() => first ?? { text: '', span: { start: 0, end: 0 } }) };
  if (letters.length !== bits.length && first !== undefined) {
    problems.add(first, 'cell-width', `This gives ${count(letters.length, `${direction} value`)}, but there ${bits.length === 1 ? 'is' : 'are'} ${count(bits.length, `${direction} bit`)}${bits.length === 0 ? '' : ` (${bits.map(bitText).join(', ')})`}.`);
    return undefined;
  }
  return { letters, cells };
}

function statesOf(raw: RawMachine, hints: Hints, problems: Problems): State[] {
  const states: State[] = [];
  const cells = [...new Map(raw.states.map(({ name }) => [name.text, name])).keys()];
  const codesFit = cells.every((name) => /^[01]{2,}$/.test(name) && name.length === cells[0]?.length);
  const stated = cells.every((name) => hints.codes.has(name)) && new Set(cells.map((name) => hints.codes.get(name))).size === cells.length && new Set(cells.map((name) => hints.codes.get(name)?.length)).size === 1;
  for (const { name } of raw.states) {
    if (states.some((state) => state.name === name.text)) continue;
    states.push({ name: name.text, span: name.span, code: codesFit ? name.text : stated ? hints.codes.get(name.text) : undefined });
  }
  for (const { to } of raw.transitions) {
    if (!isDontCare(to.text, states) && !states.some((state) => state.name === to.text)) problems.add(to, 'undefined-state', `The state ${to.text} is never defined; give it a line of its own, or correct its name.`);
  }
  return states;
}

function isDontCare(text: string, states: readonly State[]): boolean {
  return /^[xX\-*?]+$/.test(text) && !states.some((state) => state.name === text);
}

/** Outputs of each state. In a table that names its outputs behind the state, one that is not named there is 0. */
function outputsOfStates(raw: RawMachine, states: readonly State[], outputs: Signals, problems: Problems, { named, notes }: { readonly named: boolean; readonly notes: string[] }): string[] {
  const filled: string[] = [];
  const all = states.map((state) => {
    let letters = '-'.repeat(outputs.bits.length);
    for (const mention of raw.states.filter(({ name }) => name.text === state.name)) {
      const read = mention.outputs === undefined ? undefined : outputs.read(mention.outputs);
      if (read === undefined) continue;
      const clash = Array.from(read.letters).findIndex((letter, at) => letter !== '-' && letters[at] !== '-' && letters[at] !== letter);
      const cell = read.cells[clash];
      if (cell !== undefined) problems.add(cell, 'contradiction', `'${bitText(outputs.bits[clash] ?? { port: 'output', index: undefined })}' is ${read.letters[clash] ?? ''} here, but ${letters[clash] ?? ''} at the first mention of state ${state.name}; keep one of them.`);
      letters = Array.from(letters).map((letter, at) => (letter === '-' ? (read.letters[at] ?? '-') : letter)).join('');
    }
    const said = new Set(raw.states.filter(({ name }) => name.text === state.name).flatMap(({ outputs: values }) => (values?.kind === 'named' ? values.terms.map(({ name }) => name.text) : [])));
    if (!named || !letters.includes('-')) return letters;
    return Array.from(letters).map((letter, at) => {
      const bit = outputs.bits[at];
      if (letter !== '-' || bit === undefined || said.has(bit.port) || said.has(bitText(bit))) return letter;
      filled.push(state.name);
      return '0';
    }).join('');
  });
  if (filled.length > 0) notes.push('An output that is not named behind a state is 0 there.');
  return all;
}

interface Understanding {
  readonly states: readonly State[];
  readonly inputs: Signals;
  readonly outputs: Signals;
  readonly idle: readonly string[];
  readonly problems: Problems;
}

interface ReadTransition extends Transition {
  readonly isElse: boolean;
  readonly cell: Cell;
}

/** Transitions in the order of the states; within a state the one for everything else comes last. */
function transitionsOf(raw: RawMachine, { states, inputs, outputs, idle, problems }: Understanding): ReadTransition[] {
  const all = raw.transitions.flatMap((transition): ReadTransition[] => {
    const from = states.findIndex((state) => state.name === transition.from.text);
    const to = states.findIndex((state) => state.name === transition.to.text);
    const cube = transition.when === 'else' ? '-'.repeat(inputs.bits.length) : inputs.read(transition.when)?.letters;
    const written = transition.outputs === undefined ? undefined : outputs.read(transition.outputs)?.letters;
    if (from < 0 || cube === undefined) return [];
    const state = idle[from] ?? '';
    const letters = Array.from(state).map((letter, at) => (written === undefined || written[at] === '-' ? letter : (written[at] ?? letter))).join('');
    return [{ from, inputs: cube, to: to < 0 ? undefined : to, outputs: letters, span: transition.to.span, isElse: transition.when === 'else', cell: transition.to }];
  });
  return states.flatMap((_, index) => {
    const own = all.filter(({ from }) => from === index);
    const last = own.filter(({ isElse }) => isElse);
    if (last[1] !== undefined) problems.add(last[1].cell, 'double-else', `The state ${states[index]?.name ?? ''} has two transitions for everything else; keep one of them.`);
    return [...own.filter(({ isElse }) => !isElse), ...last];
  });
}

/** The state that a mark, an arrow from nowhere or the text names. */
function resetStateOf(raw: RawMachine, states: readonly State[], hints: Hints, problems: Problems): number {
  const marked = raw.states.filter(({ reset }) => reset).map(({ name }) => name);
  const first = raw.states[0]?.name ?? { text: '', span: { start: 0, end: 0 } };
  const other = marked.find((cell) => cell.text !== marked[0]?.text);
  if (other !== undefined) problems.add(other, 'double-reset', `The states ${marked[0]?.text ?? ''} and ${other.text} are both marked as the reset state; keep one mark.`);
  const name = marked[0] ?? raw.resetTo;
  if (name !== undefined) {
    const index = states.findIndex((state) => state.name === name.text);
    if (index < 0) problems.add(name, 'undefined-state', `The reset state ${name.text} is never defined; give it a line of its own, or correct its name.`);
    return Math.max(index, 0);
  }
  const wanted = hints.resetState;
  if (wanted === undefined) {
    problems.add(first, 'no-reset-state', `No reset state is named; write "reset state: ${first.text}" in the comment or put a * before the state.`);
    return 0;
  }
  const exact = states.findIndex((state) => state.name === wanted);
  const index = exact >= 0 ? exact : states.findIndex((state) => state.name.toLowerCase() === wanted.toLowerCase());
  if (index < 0) problems.add(first, 'undefined-state', `The text names ${wanted} as the reset state, but the states are ${states.map((state) => state.name).join(', ')}.`);
  return Math.max(index, 0);
}

function reportConflicts(transitions: readonly ReadTransition[], states: readonly State[], inputs: readonly BitRef[], problems: Problems): void {
  for (const [at, transition] of transitions.entries()) {
    const earlier = transitions.slice(0, at).find((other) => other.from === transition.from && !other.isElse && !transition.isElse && intersect(other.inputs, transition.inputs) && differ(other, transition));
    if (earlier === undefined) continue;
    const where = inputs.length === 0 ? '' : ` for ${condition(transition.inputs, inputs)}`;
    const target = (index: number | undefined): string => (index === undefined ? 'any state' : (states[index]?.name ?? ''));
    const what = earlier.to === transition.to ? 'has other outputs here than in an earlier transition' : `goes to ${target(transition.to)} here, but to ${target(earlier.to)} in an earlier transition`;
    problems.add(transition.cell, 'contradiction', `The state ${states[transition.from]?.name ?? ''} ${what}${where}; keep one of them.`);
  }
}

function differ(a: Transition, b: Transition): boolean {
  if (a.to !== undefined && b.to !== undefined && a.to !== b.to) return true;
  return Array.from(a.outputs).some((letter, at) => letter !== '-' && b.outputs[at] !== '-' && b.outputs[at] !== letter);
}

/** `x=0, y=1`; `any input` for a cube without a fixed bit. */
function condition(cube: string, inputs: readonly BitRef[]): string {
  const parts = inputs.flatMap((bit, at) => (cube[at] === '-' ? [] : [`${bitText(bit)}=${cube[at] ?? ''}`]));
  return parts.length === 0 ? 'any input' : parts.join(', ');
}

/** A cube that none of the cubes covers, by splitting on one bit after the other; undefined when they cover everything. */
export function uncovered(cubes: readonly string[], width: number): string | undefined {
  if (cubes.some((cube) => !/[01]/.test(cube))) return undefined;
  if (cubes.length === 0) return '-'.repeat(width);
  const at = [...Array(width).keys()].find((index) => cubes.some((cube) => cube[index] !== '-')) ?? 0;
  for (const value of ['0', '1']) {
    const within = cubes.filter((cube) => cube[at] === value || cube[at] === '-').map((cube) => `${cube.slice(0, at)}-${cube.slice(at + 1)}`);
    const gap = uncovered(within, width);
    if (gap !== undefined) return `${gap.slice(0, at)}${value}${gap.slice(at + 1)}`;
  }
  return undefined;
}

function gaps(transitions: readonly Transition[], states: readonly State[], inputs: readonly BitRef[]): string[] {
  const missing = states.flatMap((state, index) => {
    const gap = uncovered(transitions.filter(({ from }) => from === index).map((transition) => transition.inputs), inputs.length);
    return gap === undefined ? [] : [`${state.name} (${condition(gap, inputs)})`];
  });
  return missing.length === 0 ? [] : [`The table says nothing of some inputs, where the machine stays in its state: ${missing.join(', ')}.`];
}

function unreachable(transitions: readonly Transition[], states: readonly State[], resetState: number): string[] {
  const reached = new Set([resetState]);
  for (const state of reached) for (const { from, to } of transitions) if (from === state && to !== undefined) reached.add(to);
  const lost = states.filter((_, index) => !reached.has(index)).map(({ name }) => name);
  return lost.length === 0 ? [] : [`No input leads from reset to ${lost.join(', ')}.`];
}
