/** What a prover answers. */
import type { SourceProblem } from '../../analysis/design.ts';
import type { Edge } from '../../analysis/module.ts';
import type { RunFailure } from '../../base/process.ts';
import type { ModelStep } from './log.ts';
import type { SideName, TimeModel } from './script.ts';

/** One step of a counterexample. Values are binary text, most significant bit first. */
export interface ProofStep {
  /** Clocks included: where `time` is `ticks`, a clock stands at its inactive level. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The golden's outputs once the inputs of this step have settled. */
  readonly expected: Readonly<Record<string, string>>;
  readonly actual: Readonly<Record<string, string>>;
  /** Where `time` is `ticks`: the clocks, as `port[bit]`, that make their active edge after the outputs were compared. */
  readonly ticks: readonly string[];
}

export interface Counterexample {
  readonly kind: 'counterexample';
  readonly method: 'bounded-model-check';
  /** From the initial state; the last step shows the difference. There is no shorter one of its kind. */
  readonly steps: readonly ProofStep[];
  readonly time: TimeModel;
  /** The DUT is unknown in every bit that differs, and nothing better was found nearby; the prover takes unknown values more strictly than a simulator does. */
  readonly unknownOnly: boolean;
  /** Why the prover's model of a side may not be what a simulator does: such a counterexample counts only once it was replayed. */
  readonly doubt: string | undefined;
}

/** How a proof was found: equal from any state on, or no state that can be reached shows a difference. */
export type Method = 'induction' | 'reachability';

export type ProofResult =
  /** No input sequence from any initial state shows a difference where the golden is known. Each note qualifies that in one sentence. */
  | { readonly kind: 'proved'; readonly method: Method; readonly notes: readonly string[] }
  | Counterexample
  /** No difference within `depth` steps from the initial state, and that is proved. */
  | { readonly kind: 'bounded'; readonly depth: number; readonly time: TimeModel; readonly reason: string }
  /** `behindReset`: it is proved of all sequences that begin with a reset. */
  | { readonly kind: 'undecided'; readonly reason: string; readonly behindReset?: boolean }
  /** A side is beyond what the prover can follow, or beyond what it can read. */
  | { readonly kind: 'unsupported'; readonly side: SideName | undefined; readonly reason: string; readonly problems: readonly SourceProblem[] }
  | { readonly kind: 'cancelled' };

export function unsupported(side: SideName | undefined, reason: string, problems: readonly SourceProblem[] = []): ProofResult {
  return { kind: 'unsupported', side, reason, problems };
}

/** What is said where a program did not end by itself. */
export function stopped(result: RunFailure): ProofResult {
  switch (result.kind) {
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'not-found':
      return unsupported(undefined, `The prover ${result.command} is not there any more; run the doctor command.`);
    case 'timed-out':
      return { kind: 'undecided', reason: `The time budget of the proof ran out.` };
    case 'output-limit':
      return { kind: 'undecided', reason: `The prover printed more than it may.` };
    case 'crashed':
      return { kind: 'undecided', reason: `The prover was ended by ${result.signal}.` };
  }
}

/** A counterexample, of a model in which the clock inputs hold the ticks where there are any. */
export function counterexample(model: readonly ModelStep[], ticks: ReadonlyMap<string, Edge> | undefined, doubt: string | undefined): Counterexample {
  const steps = model.map((step, i) => (ticks === undefined ? { ...step, ticks: [] } : withTicks(step, ticks, i === model.length - 1)));
  const time = ticks === undefined ? 'edges' : 'ticks';
  return { kind: 'counterexample', method: 'bounded-model-check', steps, time, unknownOnly: isUnknownOnly(model), doubt };
}

/** Turns the ticks of a model, which it holds in the clock inputs, into clock levels and edges. */
function withTicks(step: ModelStep, ticks: ReadonlyMap<string, Edge>, last: boolean): ProofStep {
  const inputs: Record<string, string> = { ...step.inputs };
  const made: string[] = [];
  for (const [name, edge] of ticks) {
    const { port, bit } = splitBit(name);
    const value = inputs[port];
    if (value === undefined) continue;
    const at = value.length - 1 - bit;
    if (value[at] === '1' && !last) made.push(name);
    inputs[port] = value.slice(0, at) + (edge === 'posedge' ? '0' : '1') + value.slice(at + 1);
  }
  return { ...step, inputs, ticks: made };
}

function splitBit(name: string): { port: string; bit: number } {
  const open = name.lastIndexOf('[');
  return { port: name.slice(0, open), bit: Number(name.slice(open + 1, -1)) };
}

/** The DUT is unknown in every bit that differs. */
export function isUnknownOnly(steps: readonly ModelStep[]): boolean {
  const last = steps.at(-1);
  if (last === undefined) return false;
  return Object.entries(last.expected).every(([port, expected]) => {
    const actual = last.actual[port] ?? '';
    return expected.split('').every((bit, i) => bit === 'x' || actual[i] === bit || actual[i] === 'x');
  });
}
