import path from 'node:path';
import type { DesignInput, LoadResult } from '../analysis/design.ts';
import type { EngineChoice, VerifyRequest, VerifyResult } from '../verification/verdict.ts';
import { count } from '../verification/value-text.ts';
import type { VerifyHooks } from '../verification/session.ts';
import { emitLogic } from './emit/logic.ts';
import { emitMachine } from './emit/machine.ts';
import type { Encoding, MachineControl } from './emit/encoding.ts';
import { interfaceOfHeader, interfaceOfTable, inPortOrder, missingOutputs, type ModuleInterface } from './interface.ts';
import { isFreeName } from '../syntax/reserved-words.ts';
import { customOfReset, isClockName, isResetName, readHints, type Hints } from './prose.ts';
import { referenceOfLogic, referenceOfMachine } from './reference.ts';
import { parseTable } from './tables/parse.ts';
import { bitText, type KnownPort, type StateTable, type Table, type TableProblem } from './tables/table.ts';

export interface ResetChoice {
  readonly name: string;
  /** Undefined: what the comment or the name says, else high. */
  readonly active: 'high' | 'low' | undefined;
  /** Undefined: what the comment or the name says, else sync. */
  readonly kind: 'sync' | 'async' | undefined;
}

export interface GenerateRequest {
  /** The comment without its marks, or a text of the same kind. */
  readonly text: string;
  /** Offset of `text` in the source that problems point into. */
  readonly start: number;
  /** Module header from `module` to its semicolon: the interface is then binding. */
  readonly header?: string | undefined;
  /** Name of the module; undefined: the header's, else one that the comment names, else `generated`. */
  readonly module?: string | undefined;
  /** Undefined: the codes that the table states, else binary. */
  readonly encoding?: Encoding | undefined;
  readonly clock?: string | undefined;
  readonly reset?: ResetChoice | undefined;
  /** Absolute path of a folder; the header's include files are looked for there. */
  readonly directory: string;
  readonly engine: EngineChoice;
  readonly seed: number;
  /** Wall-clock budget of the verification in milliseconds. */
  readonly timeoutMs: number;
}

/** What a generation needs from the floors below. */
export interface GenerateEnv {
  readonly load: (input: DesignInput) => Promise<LoadResult>;
  readonly verify: (request: VerifyRequest, hooks: VerifyHooks) => Promise<VerifyResult>;
}

/** What was read from the comment, for people and tools. */
export interface TableSummary {
  readonly form: Table['form'];
  /** Of a state machine. */
  readonly style: StateTable['style'] | undefined;
  /** Bits, in the order of the table. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Rows of a logic table, transitions of a state machine. */
  readonly rows: number;
  readonly states: readonly string[];
}

export interface GenerateResult {
  readonly schema: 1;
  /**
   * `verified`: the module was compared with its table and agrees, to the extent that `verification` says. `unverified`: a module was built, but no engine could compare
   * it. `failed`: nothing is offered. `no-table`: the text holds no table; it needs a model.
   */
  readonly outcome: 'verified' | 'unverified' | 'failed' | 'no-table';
  /** One full sentence. */
  readonly reason: string;
  readonly module: string | undefined;
  readonly code: string | undefined;
  readonly table: TableSummary | undefined;
  /** What is wrong with the table, at its cells; offsets of the source. */
  readonly problems: readonly TableProblem[];
  /** Choices that were made where the comment leaves them open, each one sentence. */
  readonly notes: readonly string[];
  readonly verification: VerifyResult | undefined;
}

/** Builds the module that a table in a comment describes, and verifies it against the table. Never throws for anything that is wrong with the text. */
export async function generate(request: GenerateRequest, env: GenerateEnv, hooks: VerifyHooks): Promise<GenerateResult> {
  hooks.progress?.({ stage: 'Reading the table', share: 0 });
  const built = await build(request, env.load);
  if (built.kind !== 'built') return failed(built);
  const verification = await env.verify(verifyRequest(built, request), hooks);
  return judge(built, verification);
}

/** A module and the reference that its table makes. */
export interface Built {
  readonly kind: 'built';
  readonly name: string;
  readonly code: string;
  readonly reference: string;
  readonly table: Table;
  readonly control: MachineControl | undefined;
  readonly notes: readonly string[];
}

export interface NotBuilt {
  /** `no-table`: nothing in the text looks like one. */
  readonly kind: 'failed' | 'no-table';
  readonly reason: string;
  readonly problems?: readonly TableProblem[];
}

const NO_TABLE = 'The comment holds no table, so that a model has to write the module; "rtl-copilot generate --help" shows the tables that need none.';

/** Builds the module and its reference without verifying them. */
export async function build(request: GenerateRequest, load: GenerateEnv['load']): Promise<Built | NotBuilt> {
  const hints = readHints(request.text);
  const given = request.header === undefined ? undefined : interfaceOfHeader(request.header, await load(headerInput(request.header, request.directory)));
  if (given?.kind === 'refused') return holdsTable(request, hints) ? { kind: 'failed', reason: given.reason } : { kind: 'no-table', reason: NO_TABLE };
  const header = given?.value;
  if (header !== undefined && request.module !== undefined && header.name !== request.module) return { kind: 'failed', reason: `The header is of the module ${header.name}, but ${request.module} is asked for; give one of them.` };
  const ports = header?.ports ?? hints.ports;
  const closed = header !== undefined || (['input', 'output'] as const).every((direction) => ports.some((port) => port.direction === direction));
  const signals = controlNames(request, hints, ports);
  const names = { ports, closed };
  const machineNames = { ports: ports.filter(({ name }) => name !== signals.clock && name !== signals.reset), closed };
  const control = controlOf(request, hints, signals, closed ? ports : undefined);
  const parsed = parseTable(request.text, request.start, { names, machineNames, hints, noMachine: typeof control === 'string' ? control : undefined });
  if (parsed.kind === 'none') return { kind: 'no-table', reason: NO_TABLE };
  if (parsed.kind === 'refused') return { kind: 'failed', reason: parsed.reason };
  if (parsed.kind === 'ill-formed') return { kind: 'failed', reason: illFormed(parsed.problems), problems: parsed.problems };
  const name = header?.name ?? request.module ?? hints.module ?? 'generated';
  if (!isFreeName(name)) return { kind: 'failed', reason: `'${name}' cannot name a module; give another name with --module.` };
  const own = parsed.table.kind === 'fsm' && typeof control !== 'string' ? control : undefined;
  const module = header ?? interfaceOfTable(name, parsed.table, hints.ports, own === undefined ? [] : [own.clock, own.reset.name]);
  const table = inPortOrder(parsed.table, module);
  const mistake = interfaceMistake(module, table);
  if (mistake !== undefined) return { kind: 'failed', reason: mistake };
  const notes = [...parsed.notes, ...(own === undefined ? [] : controlNotes(request, hints, own))];
  return { kind: 'built', name, table, control: own, notes, ...emit(table, module, own, request.encoding) };
}

/** Whether something in the text looks like a table, whatever the ports are. */
function holdsTable({ text, start }: GenerateRequest, hints: Hints): boolean {
  const names = { ports: hints.ports, closed: false };
  return parseTable(text, start, { names, machineNames: names, hints, noMachine: undefined }).kind !== 'none';
}

function illFormed(problems: readonly TableProblem[]): string {
  const [first] = problems;
  return `The table has ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`}: ${first?.message ?? ''}`;
}

function headerInput(header: string, directory: string): DesignInput {
  return { file: path.join(directory, 'header.v'), text: `${header}\nendmodule\n` };
}

/** Clock and reset by option, by name in the interface, or by custom. */
function controlNames({ clock, reset }: GenerateRequest, hints: Hints, ports: readonly KnownPort[]): { readonly clock: string; readonly reset: string } {
  const input = (test: (name: string) => boolean): string | undefined => ports.find(({ direction, name }) => direction === 'input' && test(name))?.name;
  return {
    clock: clock ?? input((name) => isClockName.test(name)) ?? hints.clock ?? 'clk',
    reset: reset?.name ?? input((name) => isResetName.test(name)) ?? hints.reset ?? 'reset',
  };
}

function controlOf({ reset }: GenerateRequest, hints: Hints, signals: { readonly clock: string; readonly reset: string }, ports: readonly KnownPort[] | undefined): MachineControl | string {
  for (const kind of ['clock', 'reset'] as const) {
    const port = ports?.find(({ name }) => name === signals[kind]);
    if (ports !== undefined && port?.direction !== 'input') return `A state machine needs a ${kind}, but the module has no input '${signals[kind]}'; name its ${kind} with --${kind}.`;
    if (port?.range !== undefined) return `The ${kind} '${signals[kind]}' has more than one bit; name another one with --${kind}.`;
  }
  const custom = customOfReset(signals.reset);
  return {
    clock: signals.clock,
    reset: { name: signals.reset, active: reset?.active ?? hints.resetActive ?? custom.active ?? 'high', kind: reset?.kind ?? hints.resetKind ?? custom.kind ?? 'sync' },
  };
}

function controlNotes(request: GenerateRequest, hints: Hints, { reset }: MachineControl): string[] {
  const custom = customOfReset(reset.name);
  const open = [
    ...((request.reset?.kind ?? hints.resetKind ?? custom.kind) === undefined ? ['synchronous'] : []),
    ...((request.reset?.active ?? hints.resetActive ?? custom.active) === undefined ? ['active high'] : []),
  ];
  return open.length === 0 ? [] : [`The comment does not say it, so the reset '${reset.name}' is ${open.join(' and ')}; --reset ${reset.name}:low:async would change that.`];
}

/** A sentence when table and interface do not fit; undefined when they do. */
function interfaceMistake(module: ModuleInterface, table: Table): string | undefined {
  const inputs = new Set(table.inputs.map(bitText));
  const both = table.outputs.map(bitText).find((bit) => inputs.has(bit));
  if (both !== undefined) return `The table uses '${both}' as an input and as an output; rename one of them.`;
  for (const [bits, direction] of [[table.inputs, 'input'], [table.outputs, 'output']] as const) {
    const wrong = bits.find(({ port }) => module.ports.find(({ name }) => name === port)?.direction !== direction);
    if (wrong !== undefined) return `The table uses '${bitText(wrong)}' as an ${direction}, which the module does not have.`;
  }
  const missing = missingOutputs(module, table.outputs);
  return missing.length === 0 ? undefined : `The table does not say what the ${missing.length === 1 ? 'output' : 'outputs'} ${missing.join(', ')} of the module ${missing.length === 1 ? 'does' : 'do'}; add a column.`;
}

function emit(table: Table, module: ModuleInterface, control: MachineControl | undefined, encoding: Encoding | undefined): Pick<Built, 'code' | 'reference'> {
  const named = { ...module, name: `${module.name}_table` };
  if (table.kind === 'logic') return { code: emitLogic(table, module), reference: referenceOfLogic(table, named) };
  if (control === undefined) throw new Error('A state machine has a clock and a reset.');
  return { code: emitMachine(table, module, control, encoding), reference: referenceOfMachine(table, named, control, encoding) };
}

/** The verification of a module against its table's reference. */
export function verifyRequest({ name, code, reference, control }: Pick<Built, 'name' | 'code' | 'reference' | 'control'>, request: Pick<GenerateRequest, 'directory' | 'engine' | 'seed' | 'timeoutMs'>): VerifyRequest {
  return {
    dut: { file: path.join(request.directory, `${name}.v`), text: code, module: name },
    golden: { file: path.join(request.directory, `${name}_table.v`), text: reference, module: `${name}_table` },
    options: {
      clocks: control === undefined ? [] : [control.clock],
      resets: control === undefined ? [] : [{ port: control.reset.name, active: control.reset.active }],
      cycles: undefined,
      seed: request.seed,
      timeoutMs: request.timeoutMs,
      engine: request.engine,
      prove: true,
    },
  };
}

function judge(built: Built, verification: VerifyResult): GenerateResult {
  const { verdict, reason, engines } = verification;
  const result = (outcome: GenerateResult['outcome'], words: string): GenerateResult => ({
    schema: 1,
    outcome,
    reason: words,
    module: built.name,
    code: outcome === 'failed' ? undefined : built.code,
    table: summaryOf(built.table),
    problems: [],
    notes: built.notes,
    verification,
  });
  if (verdict === 'equivalent' || verdict === 'no-difference') return result('verified', verifiedReason(built.table, verification));
  if (verdict === 'inconclusive' || verdict === 'timeout' || (verdict === 'tool-error' && engines.length === 0)) {
    return result('unverified', `Built from the table, but not verified against it: ${reason}`);
  }
  if (verdict === 'cancelled') return result('failed', 'Stopped before the module was verified, so nothing is offered.');
  return result('failed', `The module did not agree with its table, so it is not offered; please report this table. ${reason}`);
}

/** What was checked, exactly. */
function verifiedReason({ kind, form }: Table, { verdict, evidence }: VerifyResult): string {
  if (verdict === 'equivalent') return `Proved equal to its ${form} for every input${kind === 'fsm' ? ' sequence' : ''}; a value that the ${form} leaves open was not compared.`;
  if (evidence === undefined) return `No difference from its ${form} was found; this is not a proof.`;
  if (evidence.exhaustive) return `No difference from its ${form} for any input combination; a value that the ${form} leaves open was not compared.`;
  const cycles = kind === 'fsm' ? ` over ${count(evidence.cycles, 'clock cycle')}` : '';
  return `No difference from its ${form} in ${count(evidence.comparisons, 'comparison')}${cycles}; this is a bounded check, not a proof.`;
}

function summaryOf(table: Table): TableSummary {
  return {
    form: table.form,
    style: table.kind === 'fsm' ? table.style : undefined,
    inputs: table.inputs.map(bitText),
    outputs: table.outputs.map(bitText),
    rows: table.kind === 'fsm' ? table.transitions.length : table.rows.length,
    states: table.kind === 'fsm' ? table.states.map(({ name }) => name) : [],
  };
}

function failed({ kind, reason, problems = [] }: NotBuilt): GenerateResult {
  return { schema: 1, outcome: kind, reason, module: undefined, code: undefined, table: undefined, problems, notes: [], verification: undefined };
}
