/** The questions that the SAT solver of Yosys is asked about a pair; it follows unknown values on both sides. */
import { randomUUID } from 'node:crypto';
import type { RunFailure } from '../../base/process.ts';
import type { Yosys, YosysResult } from '../../tools/yosys.ts';
import type { TimeBudget } from '../time-budget.ts';
import { readProofLog, type ModelStep, type ProofLog } from './log.ts';
import { commonRegisters, readNetlist, type Netlist } from './netlist.ts';
import { cleanNetlistFile, definiteSearch, knownScript, netlistModule, proofInputs, proofScript, rtlilFile, sideInputs, type ProofOptions, type SideName, type TimeModel } from './script.ts';

/** Most memory of a prover. */
export const memoryBytes = 3 * 2 ** 30;
const defaultMaxSteps = 200;

/** One pair on its way to an answer. */
export interface Trial {
  readonly yosys: Yosys;
  readonly ports: readonly { readonly name: string; readonly direction: 'input' | 'output' | 'inout' }[];
  readonly golden: Netlist;
  /** Both sides as Yosys wrote them, by file name. */
  readonly files: Readonly<Record<string, string>>;
  readonly time: TimeModel;
  /** Outputs of the golden without whose values a proof would say nothing. */
  readonly mustBecomeKnown: readonly string[];
  readonly maxSteps: number | undefined;
  readonly budget: TimeBudget;
  /** Part of it for one question. */
  readonly share: number;
}

export interface Answer {
  readonly result: YosysResult;
  readonly log: ProofLog;
}

/**
 * Induction, and a search for a counterexample. A difference that was reached without unknown values is looked for within its own
 * length first; where it is not there, it was none.
 */
export async function askAll(trial: Trial, reached: readonly ModelStep[]): Promise<Answer & { readonly unconfirmed: readonly ModelStep[] }> {
  if (reached.length > 0) {
    const search = await ask(trial, { induction: false, registers: [], maxSteps: reached.length });
    const ended = search.result.kind === 'exited' && search.result.ok;
    if (search.log.steps.length > 0 || search.result.kind === 'cancelled' || !ended) return { ...search, unconfirmed: search.log.steps.length > 0 ? [] : reached };
  }
  const registers = registersOf(trial.files);
  const maxSteps = trial.maxSteps ?? defaultMaxSteps;
  const first = await ask(trial, { induction: true, registers, maxSteps });
  // A register that cannot be shown as an output costs the help of the registers, not the answer.
  const answer = registers.length > 0 && !first.log.asked ? await ask(trial, { induction: true, registers: [], maxSteps }) : first;
  return { ...answer, unconfirmed: [] };
}

/** How much deeper than a difference in unknown values a difference in known ones is looked for, in steps. */
const definiteMargin = 12;

/** Prefers a difference in which both sides are known: it says more, and a simulator, which starts in its own way, shows it too. */
export async function definiteSteps({ yosys, ports: named, golden, time, files, budget, share }: Trial, length: number): Promise<readonly ModelStep[]> {
  const ports = named.map((port) => ({ ...port, width: golden.ports[port.name]?.bits.length ?? 1 }));
  const nonce = randomUUID();
  const search = definiteSearch({ time, maxSteps: length + definiteMargin, nonce }, ports);
  const inputs = { ...search.inputs, ...sideInputs(files) };
  const result = await yosys.run(search.script, inputs, { outputs: [], ...budget.part(share / 2), memoryBytes });
  const text = result.kind === 'exited' ? result.log : 'stdout' in result ? result.stdout : '';
  return readProofLog(text, nonce, 0).steps;
}

/** What each side holds once what nothing uses is taken away. */
export function cleanNetlists(files: Readonly<Record<string, string>>): { readonly golden: Netlist | undefined; readonly dut: Netlist | undefined } {
  const read = (side: SideName): Netlist | undefined => readNetlist(files[cleanNetlistFile[side]] ?? '{"modules":{}}', netlistModule[side]);
  return { golden: read('golden'), dut: read('dut') };
}

const maxRegisters = 300;

function registersOf(files: Readonly<Record<string, string>>): string[] {
  const { golden, dut } = cleanNetlists(files);
  const names = golden === undefined || dut === undefined ? [] : commonRegisters(golden, dut);
  return names.length <= maxRegisters ? names : [];
}

async function ask({ yosys, time, mustBecomeKnown, files, budget, share }: Trial, question: Pick<ProofOptions, 'induction' | 'registers' | 'maxSteps'>): Promise<Answer> {
  const nonce = randomUUID();
  const result = await yosys.run(
    proofScript({ ...question, time, mustBecomeKnown: question.induction ? mustBecomeKnown : [], nonce }),
    { ...proofInputs, ...sideInputs(files) },
    { outputs: [], ...budget.part(share), memoryBytes },
  );
  const text = result.kind === 'exited' ? result.log : 'stdout' in result ? result.stdout : '';
  return { result, log: readProofLog(text, nonce, mustBecomeKnown.length) };
}

/** The first output that must become known and cannot, as far as is clear; `known`: outputs of which it is clear already that they can. */
export async function neverKnown({ yosys, time, mustBecomeKnown, files, budget, share }: Trial, known: ReadonlySet<string>): Promise<{ readonly kind: 'answer'; readonly output: string | undefined } | RunFailure> {
  const unknown = mustBecomeKnown.filter((port) => !known.has(port));
  if (unknown.length === 0) return { kind: 'answer', output: undefined };
  const nonce = randomUUID();
  const script = knownScript({ time, mustBecomeKnown: unknown, nonce });
  const inputs = { ...proofInputs, [rtlilFile.golden]: files[rtlilFile.golden] ?? '' };
  const result = await yosys.run(script, inputs, { outputs: [], ...budget.part(share), memoryBytes });
  if (result.kind !== 'exited') return result;
  const late = readProofLog(result.log, nonce, unknown.length).known;
  return { kind: 'answer', output: unknown.find((_, i) => late[i] !== true) };
}
