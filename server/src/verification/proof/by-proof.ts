import type { LoadedDesign } from '../../analysis/design.ts';
import type { Clocking } from '../../analysis/module.ts';
import { diskFiles, memoryFiles } from '../../base/files.ts';
import type { Lookup, Toolbox } from '../../tools/toolbox.ts';
import type { Yosys } from '../../tools/yosys.ts';
import type { PairOfNetlists } from './graph.ts';
import type { Recorded } from './model.ts';
import { prove } from './prove.ts';
import type { ProofSide, Sides } from './request.ts';
import type { Counterexample, ProofResult } from './result.ts';
import type { Beginning } from './time.ts';
import type { Layout } from '../stimulus/layout.ts';
import { differentReason, type Finding, type PortLocator } from '../report.ts';
import { RowBuilder, type Rows } from '../stimulus/rows.ts';
import { count } from '../value-text.ts';
import type { EngineChoice, Mismatch, WitnessStep } from '../verdict.ts';
import type { Exchange, Recording } from '../witness.ts';

export interface ProofTask {
  readonly golden: LoadedDesign;
  readonly dut: LoadedDesign;
  readonly layout: Layout;
  readonly clocking: Clocking;
  /** What a simulator did with both sides, with which a proof must agree. */
  readonly recorded?: Exchange;
  /** Only sequences that begin with a reset are asked about. */
  readonly behindReset?: boolean;
  /** Whether a simulator shows a difference on some rows, which ends the search; undefined where no simulator runs. */
  readonly shows?: (rows: Rows) => Promise<boolean>;
  /** These two: see `ProofRequest`. */
  readonly elsewhere?: (() => Promise<boolean>) | undefined;
  readonly followed?: ((pair: PairOfNetlists) => void) | undefined;
  /** CPU time, about; see `TimeBudget`. */
  readonly timeoutMs: number;
  readonly wallMs: number;
  /** Only a near difference is wanted, to be replayed. */
  readonly near?: boolean;
  readonly signal: AbortSignal | undefined;
}

/** The engine that answered. */
export type ProofEngine = Pick<Yosys, 'name' | 'version'>;

export type ProofAttempt =
  | { readonly kind: 'proved'; readonly reason: string; readonly notes: readonly string[]; readonly by: ProofEngine }
  /** To be replayed in the simulator before it counts. */
  | { readonly kind: 'counterexample'; readonly rows: Rows }
  /** `behindReset`: it is proved of all sequences that begin with a reset. */
  | { readonly kind: 'undecided'; readonly reason: string; readonly behindReset?: boolean };

export interface DecisionTask extends ProofTask {
  readonly locate: PortLocator;
}

export interface Decision {
  readonly finding: Finding;
  readonly recording: Recording | undefined;
  readonly by: ProofEngine;
}

/** A formal engine as the verification uses it. */
export interface Prover {
  /** Beside a simulator: looks for a proof, or for a counterexample to replay. */
  prove(task: ProofTask): Promise<ProofAttempt>;
  /** Without a simulator: reaches a verdict alone. */
  decide(task: DecisionTask): Promise<Decision>;
}

/** The prover that suits the choice: the installed Yosys when there is one and none is named, with the embedded one for what that cannot read; else the embedded one. */
export async function findProver(choice: EngineChoice, toolbox: Pick<Toolbox, 'yosys' | 'embeddedYosys'>): Promise<Lookup<Prover>> {
  const wrap = (lookup: Lookup<Yosys>, other?: () => Promise<Lookup<Yosys>>): Lookup<Prover> => (lookup.kind === 'found' ? { ...lookup, tool: makeProver(lookup.tool, other) } : lookup);
  if (choice === 'yosys-wasm') return wrap(await toolbox.embeddedYosys());
  const native = await toolbox.yosys();
  if (choice === 'yosys') return wrap(native);
  return native.kind === 'missing' ? wrap(await toolbox.embeddedYosys()) : wrap(native, () => toolbox.embeddedYosys());
}

/** `other` is asked about sources that the first engine cannot read: releases differ in what they read. */
export function makeProver(yosys: Yosys, other?: () => Promise<Lookup<Yosys>>): Prover {
  const ask = (engine: Yosys, task: ProofTask): Promise<ProofResult> =>
    prove({
      golden: sideOf(task.golden),
      dut: sideOf(task.dut),
      ports: task.golden.module.ports,
      recorded: task.recorded && recordedSides(task.recorded),
      clocks: new Set(task.layout.fields.flatMap(({ role, port, width }) => (role === 'clock' ? Array.from({ length: width }, (_, bit) => `${port}[${String(bit)}]`) : []))),
      beginning: beginningOf(task.clocking),
      behindReset: task.behindReset === true,
      shows: task.shows && ((found) => task.shows?.(rowsOf(momentsOf(found, task.layout), task.layout)) ?? Promise.resolve(false)),
      elsewhere: task.elsewhere,
      followed: task.followed,
      timeoutMs: task.timeoutMs,
      wallMs: task.wallMs,
      near: task.near,
      signal: task.signal,
      yosys: engine,
      searcher: yosys,
      files: memoryFiles(new Map([...task.golden.includes, ...task.dut.includes].map(({ file, text }) => [file, text])), diskFiles),
    });
  const attempt = async (task: ProofTask): Promise<{ readonly result: ProofResult; readonly by: ProofEngine }> => {
    const first = { result: await ask(yosys, task), by: yosys };
    const isUnread = first.result.kind === 'unsupported' && first.result.problems.length > 0;
    const second = isUnread ? await other?.() : undefined;
    if (second?.kind !== 'found') return first;
    const result = await ask(second.tool, task);
    return result.kind === 'unsupported' ? first : { result, by: second.tool };
  };
  return {
    async prove(task) {
      const { shows } = task;
      const shown: Rows[] = [];
      const watched = async (rows: Rows): Promise<boolean> => {
        const isShown = (await shows?.(rows)) === true;
        if (isShown) shown.push(rows);
        return isShown;
      };
      const { result, by } = await attempt(shows === undefined ? task : { ...task, shows: watched });
      if (result.kind === 'proved') return { kind: 'proved', reason: provedReason(task), notes: result.notes, by };
      if (result.kind === 'counterexample') {
        const rows = rowsOf(momentsOf(result, task.layout), task.layout);
        if (shown.length === 0) await shows?.(rows);
        return { kind: 'counterexample', rows };
      }
      return { kind: 'undecided', reason: 'reason' in result ? result.reason : 'The proof was cancelled.', behindReset: result.kind === 'undecided' && result.behindReset === true };
    },
    async decide(task) {
      const { result, by } = await attempt(task);
      return { ...decide(result, task), by };
    },
  };
}

function sideOf({ module, sources, input }: LoadedDesign): ProofSide {
  const value = (name: string, text: string): string => module.parameters.find((parameter) => parameter.name === name)?.value ?? text;
  return {
    top: module.name,
    sources,
    includeDirs: input.includeDirs ?? [],
    defines: input.defines ?? {},
    parameters: Object.fromEntries(Object.entries(input.parameters ?? {}).map(([name, text]) => [name, value(name, text)])),
  };
}

/** The resets held until every clock has made an active edge; undefined without the one or the other. */
function beginningOf({ clocks, resets }: Clocking): Beginning | undefined {
  if (clocks.length === 0 || resets.length === 0) return undefined;
  const name = ({ port, bit = 0 }: { readonly port: string; readonly bit: number | undefined }): string => `${port}[${String(bit)}]`;
  return { clocks: new Map(clocks.map((clock) => [name(clock), clock.edges[0] ?? 'posedge'])), resets: new Map(resets.map((reset) => [name(reset), reset.active === 'high' ? 1 : 0])) };
}

function recordedSides({ layout, rows, golden, dut }: Exchange): Sides<Recorded> {
  return { golden: { layout, rows, trace: golden }, dut: { layout, rows, trace: dut } };
}

function provedReason({ clocking }: ProofTask): string {
  return `Proved equivalent for every ${clocking.sequential ? 'input sequence' : 'input'}, wherever the reference has a known value.`;
}

type Answer = Omit<Decision, 'by'>;

function decide(result: ProofResult, task: DecisionTask): Answer {
  switch (result.kind) {
    case 'proved':
      return withoutRecording({ verdict: 'equivalent', reason: provedReason(task), notes: result.notes });
    case 'counterexample':
      return decideCounterexample(result, task);
    case 'bounded': {
      const steps = count(result.depth, result.time === 'ticks' ? 'clock cycle' : 'step');
      const reason = `No difference within the first ${steps} from power-on, for any inputs; this is a bounded check, not a proof.`;
      return withoutRecording({ verdict: 'no-difference', reason, notes: [result.reason] });
    }
    case 'undecided':
      return withoutRecording({ verdict: 'inconclusive', reason: result.reason });
    case 'unsupported': {
      const side = result.side ?? 'dut';
      return withoutRecording({ verdict: 'tool-error', reason: result.reason, problems: result.problems.map((problem) => ({ ...problem, side })) });
    }
    case 'cancelled':
      return withoutRecording({ verdict: 'cancelled', reason: 'The verification was cancelled.' });
  }
}

function withoutRecording(finding: Finding): Answer {
  return { finding, recording: undefined };
}

/** A counterexample counts without a replay only where the prover's model is the simulator's: no doubt, and known values that differ. */
function decideCounterexample(result: Counterexample, task: DecisionTask): Answer {
  const { layout, clocking } = task;
  const moments = momentsOf(result, layout);
  const recording: Recording = { layout, clocks: clocking.clocks, compareFrom: 0, unknowns: 'ignore', steps: moments.map((moment, index) => stepOf(moment, index, layout)) };
  const reserve = result.doubt ?? (result.unknownOnly ? 'The DUT is unknown there, which a simulator may see otherwise.' : undefined);
  const witness = recording.steps.filter((_, index) => moments[index]?.outputs !== undefined);
  const last = witness.at(-1);
  const differing = last === undefined ? [] : layout.observed.filter(({ port }) => differs(last.expected[port] ?? '', last.actual[port] ?? '')).map(({ port }) => port);
  const [output] = differing;
  if (reserve !== undefined || last === undefined || output === undefined) {
    const reason = `The prover found a possible difference that only a simulator can confirm. ${reserve ?? 'Its values do not show the difference.'}`;
    return { finding: { verdict: 'inconclusive', reason, witness }, recording };
  }
  const mismatch: Mismatch = {
    output,
    cycle: last.cycle,
    phase: last.phase,
    expected: last.expected[output] ?? '',
    actual: last.actual[output] ?? '',
    inputs: last.inputs,
    differing,
    pattern: undefined,
    suspects: [],
    ...task.locate(output),
  };
  return { finding: { verdict: 'different', reason: differentReason(mismatch, clocking.clocks.length > 0), mismatch, witness }, recording };
}

function differs(expected: string, actual: string): boolean {
  return Array.from(expected).some((bit, index) => bit !== 'x' && bit !== actual[index]);
}

/** One moment of a counterexample: input values, and the outputs where the prover reports them. */
export interface Moment {
  readonly inputs: Readonly<Record<string, string>>;
  readonly cycle: number;
  readonly phase: WitnessStep['phase'];
  readonly outputs: { readonly expected: Readonly<Record<string, string>>; readonly actual: Readonly<Record<string, string>> } | undefined;
}

/**
 * The moments of a counterexample, in an order that a simulator can follow. A step of the prover may move clocks and data at once;
 * its registers see the data of the step before, so the clocks move first.
 */
export function momentsOf({ steps, time }: Pick<Counterexample, 'steps' | 'time'>, layout: Layout): Moment[] {
  return steps.flatMap((step, index): Moment[] => {
    const settled: Moment = { inputs: step.inputs, cycle: index, phase: 'settled', outputs: { expected: step.expected, actual: step.actual } };
    if (time === 'ticks') {
      if (step.ticks.length === 0) return [settled];
      return [settled, { inputs: toggled(step.inputs, step.ticks), cycle: index + 1, phase: 'clocked', outputs: undefined }];
    }
    const before = steps[index - 1];
    const clocks = layout.fields.filter((field) => field.role === 'clock').map((field) => field.port);
    if (before === undefined || clocks.every((port) => before.inputs[port] === step.inputs[port])) return [settled];
    const moved = Object.fromEntries(clocks.map((port) => [port, step.inputs[port] ?? '']));
    return [{ inputs: { ...before.inputs, ...moved }, cycle: index, phase: 'clocked', outputs: undefined }, settled];
  });
}

/** The inputs with the named clock bits, as `port[bit]`, inverted. */
function toggled(inputs: Readonly<Record<string, string>>, ticks: readonly string[]): Record<string, string> {
  const result = { ...inputs };
  for (const tick of ticks) {
    const [, port = '', bit = '0'] = /^(.*)\[(\d+)\]$/.exec(tick) ?? [];
    const text = result[port];
    if (text === undefined) continue;
    const at = text.length - 1 - Number(bit);
    result[port] = `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`;
  }
  return result;
}

function rowsOf(moments: readonly Moment[], layout: Layout): Rows {
  const builder = new RowBuilder(layout, moments.length);
  for (const { inputs } of moments) {
    for (const field of layout.fields) {
      // An input that does not matter to the counterexample has no value; zero is as good as any.
      const text = (inputs[field.port] ?? '').replace(/[^01]/g, '0');
      builder.setBig(field, text === '' ? 0n : BigInt(`0b${text}`));
    }
    builder.push();
  }
  return builder.finish();
}

function stepOf({ inputs, cycle, phase, outputs }: Moment, index: number, layout: Layout): WitnessStep {
  const unknown = (): Record<string, string> => Object.fromEntries(layout.observed.map(({ port, width }) => [port, 'x'.repeat(width)]));
  return { step: index, cycle, phase, inputs, expected: outputs?.expected ?? unknown(), actual: outputs?.actual ?? unknown() };
}
