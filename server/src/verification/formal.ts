import { randomUUID } from 'node:crypto';
import type { SourceProblem } from '../analysis/design.ts';
import { diskFiles, type FileReader } from '../base/files.ts';
import { parseYosysProblems, type Yosys, type YosysResult } from '../tools/yosys.ts';
import { readProofLog, type ProofLog, type ProofStep } from './formal-log.ts';
import { dividesByVariable, netlistDoubt } from './formal-netlist.ts';
import { collectSide, netlistFile, proofScript, type SideFiles, type SideName, type SideSources } from './formal-script.ts';
import { findDoubt, hasDelays } from './formal-source.ts';

export type { ProofStep } from './formal-log.ts';

export interface ProofSide extends SideSources {
  /** Overridden header parameters: name to a Verilog constant. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface ProofRequest {
  readonly dut: ProofSide;
  readonly golden: ProofSide;
  /** Ports that both sides have with the same name, direction and width. */
  readonly ports: readonly { readonly name: string; readonly direction: 'input' | 'output' | 'inout' }[];
  /** Most steps to unroll; a step is one change of any inputs, so a clock cycle takes two. */
  readonly maxSteps?: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly yosys: Yosys;
  /** Where included files come from; the disk unless given. */
  readonly files?: FileReader;
}

export type ProofResult =
  /** No input sequence from any initial state shows a difference where the golden is known. Each note qualifies that in one sentence. */
  | { readonly kind: 'proved'; readonly method: 'induction'; readonly notes: readonly string[] }
  | {
      readonly kind: 'counterexample';
      readonly method: 'bounded-model-check';
      /** From the initial state; the last step shows the difference. The shortest there is. */
      readonly steps: readonly ProofStep[];
      /** The last step differs only in bits that are unknown in the DUT, which the prover takes more strictly than a simulator does. */
      readonly unknownOnly: boolean;
      /** Why the prover's model of a side may not be what a simulator does; such a counterexample must be replayed. */
      readonly doubt: string | undefined;
    }
  /** No difference within `depth` steps from the initial state, and that is proved. */
  | { readonly kind: 'bounded'; readonly depth: number; readonly reason: string; readonly doubt: string | undefined }
  | { readonly kind: 'undecided'; readonly reason: string }
  /** A side is beyond what the prover can follow, or beyond what it can read. */
  | { readonly kind: 'unsupported'; readonly side: SideName | undefined; readonly reason: string; readonly problems: readonly SourceProblem[] }
  | { readonly kind: 'cancelled' };

const defaultMaxSteps = 200;
const memoryBytes = 3 * 2 ** 30;
const sideWord = { golden: 'golden module', dut: 'DUT' } as const;

type Sides<T> = Readonly<Record<SideName, T>>;

/**
 * Tries to prove that the DUT answers as the golden does, or to find a shortest input sequence that tells them apart. Where the
 * golden is unknown anything goes, bit by bit; an unknown DUT where the golden is known is a difference.
 */
export async function prove(request: ProofRequest): Promise<ProofResult> {
  const refusal = unsupportedInterface(request);
  if (refusal !== undefined) return unsupported(undefined, refusal);
  const files = request.files ?? diskFiles;
  const sides: Sides<SideFiles> = {
    golden: await collectSide('golden', request.golden, files),
    dut: await collectSide('dut', request.dut, files),
  };
  const started = performance.now();
  const systemVerilog = { golden: true, dut: true };
  const firstFailure: Partial<Record<SideName, ProofResult>> = {};
  for (;;) {
    const attempt = await runProof(request, sides, systemVerilog, Math.max(1, request.timeoutMs - (performance.now() - started)));
    const side = attempt.syntaxErrorSide;
    if (side === undefined) return attempt.result;
    // Older sources use words as names that SystemVerilog has taken since: such a side is read once more as Verilog-2005.
    if (!systemVerilog[side]) return firstFailure[side] ?? attempt.result;
    firstFailure[side] = attempt.result;
    systemVerilog[side] = false;
  }
}

interface Attempt {
  readonly result: ProofResult;
  /** The side that the prover could not parse. */
  readonly syntaxErrorSide?: SideName;
}

async function runProof(request: ProofRequest, sides: Sides<SideFiles>, systemVerilog: Sides<boolean>, timeoutMs: number): Promise<Attempt> {
  const outputs = request.ports.filter((port) => port.direction === 'output').map((port) => port.name);
  const nonce = randomUUID();
  const script = proofScript({
    systemVerilog,
    parameters: { golden: request.golden.parameters, dut: request.dut.parameters },
    tops: { golden: request.golden.top, dut: request.dut.top },
    maxSteps: request.maxSteps ?? defaultMaxSteps,
    outputs,
    nonce,
  });
  const result = await request.yosys.run(
    script,
    { ...sides.golden.inputs, ...sides.dut.inputs },
    { outputs: [netlistFile.golden, netlistFile.dut], timeoutMs, signal: request.signal, memoryBytes },
  );
  switch (result.kind) {
    case 'cancelled':
      return { result: { kind: 'cancelled' } };
    case 'not-found':
      return { result: unsupported(undefined, `The prover ${result.command} is not there any more; run the doctor command.`) };
    case 'timed-out':
      return { result: unfinished(readProofLog(result.stdout, nonce, outputs.length), 'The time budget of the proof ran out.') };
    case 'output-limit':
      return { result: unfinished(readProofLog(result.stdout, nonce, outputs.length), 'The prover printed more than it may.') };
    case 'crashed':
      return { result: unfinished(readProofLog(result.stdout, nonce, outputs.length), `The prover was ended by ${result.signal}.`) };
    case 'exited':
      return conclude(request, sides, result, readProofLog(result.log, nonce, outputs.length));
  }
}

/** Without the netlists, which come with a finished run only, nothing bounded can be trusted. */
function unfinished(log: ProofLog, reason: string): ProofResult {
  const reached = log.bound > 0 ? ` It had found no difference within ${log.bound} steps.` : '';
  return { kind: 'undecided', reason: `${reason}${reached}` };
}

function conclude(request: ProofRequest, sides: Sides<SideFiles>, result: Extract<YosysResult, { kind: 'exited' }>, log: ProofLog): Attempt {
  if (log.stage === 'golden' || log.stage === 'dut') return unreadable(log.stage, sides[log.stage], result.log);
  if (log.stage !== 'prove' && log.stage !== 'known') {
    const message = parseYosysProblems(result.log)[0]?.message ?? 'it stopped without a message';
    return { result: unsupported(undefined, `The prover cannot compare the two modules: ${message}.`) };
  }
  const netlists: Sides<string> = { golden: result.outputs[netlistFile.golden] ?? '', dut: result.outputs[netlistFile.dut] ?? '' };
  const hard = firstDoubt((side) => netlistReason(side, netlists));
  const soft = firstDoubt((side) => sourceReason(side, sides[side]));
  const doubt = hard?.reason ?? soft?.reason;
  if (log.steps.length > 0) {
    return { result: { kind: 'counterexample', method: 'bounded-model-check', steps: log.steps, unknownOnly: isUnknownOnly(log.steps), doubt } };
  }
  if (hard !== undefined) return { result: unsupported(hard.side, hard.reason) };
  if (!log.proved) {
    const problem = parseYosysProblems(result.log)[0]?.message ?? '';
    const reason = problem === '' || /proof did (?:fail|not)|timeout/i.test(problem) ? 'The proof did not close within its depth.' : `The prover stopped: ${problem}.`;
    return { result: log.bound > 0 ? { kind: 'bounded', depth: log.bound, reason, doubt } : { kind: 'undecided', reason } };
  }
  if (doubt !== undefined) return { result: { kind: 'undecided', reason: doubt } };
  return { result: proofWithin(request, sides, log) };
}

/** A proof where the golden can never be known says nothing: there, every DUT passes. */
function proofWithin(request: ProofRequest, sides: Sides<SideFiles>, log: ProofLog): ProofResult {
  const outputs = request.ports.filter((port) => port.direction === 'output');
  const unknown = outputs.find((_, i) => log.known[i] !== true);
  if (unknown !== undefined) {
    return { kind: 'undecided', reason: `To the prover, the golden's output '${unknown.name}' never becomes known as a whole, so that a proof would say nothing.` };
  }
  const delays = hasDelays([...sides.golden.texts, ...sides.dut.texts]);
  return { kind: 'proved', method: 'induction', notes: delays ? ['The proof takes every delay in the sources as zero.'] : [] };
}

interface Doubt {
  readonly side: SideName;
  readonly reason: string;
}

function firstDoubt(look: (side: SideName) => string | undefined): Doubt | undefined {
  for (const side of ['golden', 'dut'] as const) {
    const reason = look(side);
    if (reason !== undefined) return { side, reason };
  }
  return undefined;
}

function netlistReason(side: SideName, netlists: Sides<string>): string | undefined {
  const name = side === 'golden' ? 'gold' : 'gate';
  const doubt = netlistDoubt(netlists[side], name);
  if (doubt !== undefined) return `The ${sideWord[side]} has ${doubt}, which the prover cannot follow.`;
  if (side === 'dut' && dividesByVariable(netlists.dut, 'gate') && !dividesByVariable(netlists.golden, 'gold')) {
    return 'The DUT divides by a variable and the golden module does not, which the prover cannot follow for a divisor of zero.';
  }
  return undefined;
}

function sourceReason(side: SideName, files: SideFiles): string | undefined {
  const doubt = findDoubt(files.texts);
  return doubt === undefined ? undefined : `In the ${sideWord[side]}: ${doubt.reason}`;
}

function isUnknownOnly(steps: readonly ProofStep[]): boolean {
  const last = steps.at(-1);
  if (last === undefined) return false;
  return Object.entries(last.expected).every(([port, expected]) => {
    const actual = last.actual[port] ?? '';
    return expected.split('').every((bit, i) => bit === 'x' || actual[i] === bit || actual[i] === 'x');
  });
}

function unreadable(side: SideName, files: SideFiles, log: string): Attempt {
  const found = parseYosysProblems(log);
  const problems = found.map((problem): SourceProblem => {
    const file = problem.file === undefined ? undefined : files.origins.get(problem.file);
    const line = file === undefined || problem.line === undefined ? undefined : problem.line - 1;
    return { file: file ?? files.origins.values().next().value ?? '', line, character: undefined, message: problem.message };
  });
  const message = found[0]?.message ?? 'it stopped without a message';
  const result = unsupported(side, `The prover cannot read the ${sideWord[side]}: ${message.replace(/\.$/, '')}.`, problems);
  return /syntax error/i.test(message) ? { result, syntaxErrorSide: side } : { result };
}

function unsupported(side: SideName | undefined, reason: string, problems: readonly SourceProblem[] = []): ProofResult {
  return { kind: 'unsupported', side, reason, problems };
}

const plainName = /^[A-Za-z_][\w$]*$/;

function unsupportedInterface(request: ProofRequest): string | undefined {
  const inout = request.ports.find((port) => port.direction === 'inout');
  if (inout !== undefined) return `The port '${inout.name}' is bidirectional, which the prover cannot follow.`;
  if (!request.ports.some((port) => port.direction === 'output')) return 'There is no output to compare.';
  const names = [request.golden.top, request.dut.top, ...request.ports.map((port) => port.name)];
  const parameters = [...Object.entries(request.golden.parameters), ...Object.entries(request.dut.parameters)];
  const odd = [...names, ...parameters.map(([name]) => name)].find((name) => !plainName.test(name));
  if (odd !== undefined) return `The name '${odd}' is not a plain identifier, which the prover does not take.`;
  const value = parameters.find(([, text]) => !/^(?:-?\d+|\d*'s?[bodh][0-9a-f_]+)$/i.test(text));
  if (value !== undefined) return `The value of the parameter '${value[0]}' is not a plain constant, which the prover does not take.`;
  return undefined;
}

/**
 * Rows that make a simulator follow a counterexample. In one step of the prover the clocks move while the data inputs still have
 * their old values, and then the data inputs change; in a row, data inputs are set before the clocks move. So each row pairs the
 * data of the step before with the clocks of its own, and one row more sets the last data.
 */
export function replayRows(steps: readonly ProofStep[], clockPorts: ReadonlySet<string>): Readonly<Record<string, string>>[] {
  const pick = (step: ProofStep | undefined, clocks: boolean): [string, string][] =>
    Object.entries(step?.inputs ?? {}).filter(([port]) => clockPorts.has(port) === clocks);
  const row = (data: ProofStep | undefined, clocks: ProofStep | undefined): Readonly<Record<string, string>> =>
    Object.fromEntries([...pick(data, false), ...pick(clocks, true)]);
  if (steps.length === 0) return [];
  return [...steps.map((step, i) => row(steps[Math.max(0, i - 1)], step)), row(steps.at(-1), steps.at(-1))];
}
