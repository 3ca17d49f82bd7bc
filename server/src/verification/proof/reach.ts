/** Reachability: whether any state that a pair can reach shows a difference. Small pairs are explored here, others are for the ABC that Yosys carries. */
import type { Yosys } from '../../tools/yosys.ts';
import { FALSE } from './aig.ts';
import { explore } from './explore.ts';
import { makeMiter, type Miter, type PairOfNetlists } from './graph.ts';
import type { ModelStep } from './log.ts';

export interface ReachTask extends PairOfNetlists {
  readonly yosys: Yosys;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly signal: AbortSignal | undefined;
}

export type ReachResult =
  | { readonly kind: 'proved' }
  | { readonly kind: 'cancelled' }
  /** From the initial state; the last step shows the difference. */
  | { readonly kind: 'counterexample'; readonly steps: readonly ModelStep[] }
  | { readonly kind: 'undecided' };

const modelFile = 'model.aig';
const answerFile = 'answer.cex';
const UNDECIDED = { kind: 'undecided' } as const;
const PROVED = { kind: 'proved' } as const;
/** What starting the engine and reading the model may take besides the search. */
const MARGIN_MS = 300;

/** Part of the time for the completed graph, where that does not decide. */
const COMPLETED_SHARE = 0.6;

/**
 * Signal correspondence (van Eijk, 2000) merges what is equal in both sides, and property directed reachability (Een, Mishchenko
 * and Brayton, 2011) decides what is left: first of the graph in which the golden is completed with the DUT's unknown values, where
 * only a proof counts; then with the golden in three values. A pair of few inputs and states needs neither: all of them are looked at.
 */
export async function reach(task: ReachTask): Promise<ReachResult> {
  const deadline = performance.now() + task.timeoutMs;
  const completed = makeMiter(task, true);
  if (completed === undefined) return UNDECIDED;
  const share = completed.completed ? COMPLETED_SHARE : 1;
  const first = await search(completed, task, (deadline - performance.now()) * share);
  if (!completed.completed || first.kind === 'proved' || first.kind === 'cancelled') return first;
  const exact = makeMiter(task, false);
  if (exact === undefined) return UNDECIDED;
  // Both graphs begin with the same inputs; what the DUT leaves unknown is 0 here.
  const ports = exact.inputs.reduce((sum, { first: level }) => sum + (level === undefined ? 1 : 2), 0);
  const steps = first.kind === 'counterexample' ? stepsOf(first.frames.map((frame) => frame.slice(0, ports)), exact) : undefined;
  return steps === undefined ? search(exact, task, deadline - performance.now()) : { kind: 'counterexample', steps };
}

type Frames = readonly (readonly boolean[])[];
type SearchResult = Exclude<ReachResult, { kind: 'counterexample' }> | { readonly kind: 'counterexample'; readonly steps: readonly ModelStep[]; readonly frames: Frames };

async function search(miter: Miter, task: ReachTask, timeMs: number): Promise<SearchResult> {
  if (miter.bad === FALSE) return PROVED;
  const explored = explore(miter.aig, miter.bad);
  if (explored !== undefined) return explored.kind === 'never' ? PROVED : differenceIn(explored.frames, miter);
  const left = timeMs - MARGIN_MS;
  if (left <= 0) return UNDECIDED;
  const inputs = { 'dummy.v': dummy, [modelFile]: miter.aig.toAiger(miter.bad) };
  const limits = { timeoutMs: left + MARGIN_MS, memoryBytes: task.memoryBytes, signal: task.signal };
  const result = await task.yosys.run(searchScript(miter, Math.max(1, Math.floor(left / 1000))), inputs, { outputs: [answerFile], ...limits });
  if (result.kind === 'cancelled') return result;
  if (result.kind !== 'exited') return UNDECIDED;
  if (/^ABC: (?:Property proved\.|UNSATISFIABLE)/m.test(result.log)) return PROVED;
  return differenceIn(readFrames(result.outputs[answerFile] ?? ''), miter);
}

function differenceIn(frames: Frames, miter: Miter): SearchResult {
  const steps = stepsOf(frames, miter);
  return steps === undefined ? UNDECIDED : { kind: 'counterexample', steps, frames };
}

/** A module for which Yosys starts ABC at all. */
const dummy = 'module dummy(input a, b, output y); assign y = a & b; endmodule\n';

function searchScript({ aig }: Miter, seconds: number): string {
  const search = aig.latches === 0 ? ['iprove'] : ['scleanup', 'scorr', 'dc2', 'scorr', `pdr,-T,${seconds}`];
  const commands = ['backup', `read_aiger,${modelFile}`, ...search, `write_cex,-a,${answerFile}`, 'restore'];
  return ['read_verilog dummy.v', 'simplemap', `abc -script +${commands.join(';')} dummy`, ''].join('\n');
}

/** ABC writes the first state, then the inputs of one frame a line. */
function readFrames(text: string): Frames {
  const lines = text.replace(/#.*/g, '').split('\n').slice(1).filter((line) => /^[01x]+$/.test(line.trim()));
  return lines.map((line) => Array.from(line.trim(), (bit) => bit === '1'));
}

/** What both sides do under the inputs of the graph, up to the first difference; undefined when there is none. */
function stepsOf(frames: Frames, { aig, bad, inputs, outputs }: Miter): readonly ModelStep[] | undefined {
  const wanted = [bad, ...inputs.map(({ value }) => value), ...outputs.flatMap(({ golden, dut }) => [...golden.flatMap(({ one, zero }) => [one, zero]), ...dut])];
  const values = frames.length === 0 ? undefined : aig.simulate(frames, wanted);
  const end = values?.findIndex((frame) => frame[0] === true) ?? -1;
  if (values === undefined || end < 0) return undefined;
  return values.slice(0, end + 1).map((frame): ModelStep => {
    let next = 1 + inputs.length;
    const take = (): boolean => frame[next++] === true;
    const expected: Record<string, string> = {};
    const actual: Record<string, string> = {};
    for (const { port, golden, dut } of outputs) {
      const known = Array.from(golden, () => (take() ? (take(), '1') : take() ? '0' : 'x'));
      const answer = Array.from(dut, () => (take() ? '1' : '0'));
      expected[port] = known.reverse().join('');
      actual[port] = answer.reverse().join('');
    }
    return { inputs: inputValues(inputs, frame.slice(1)), expected, actual };
  });
}

function inputValues(inputs: Miter['inputs'], values: readonly boolean[]): Record<string, string> {
  const bits = new Map<string, string[]>();
  inputs.forEach(({ port, index }, at) => {
    const list = bits.get(port) ?? [];
    list[index] = values[at] === true ? '1' : '0';
    bits.set(port, list);
  });
  return Object.fromEntries([...bits].map(([port, list]) => [port, list.reverse().join('')]));
}
