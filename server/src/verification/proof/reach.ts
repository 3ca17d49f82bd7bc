/** Reachability: whether any state that a pair can reach shows a difference. Small pairs are explored here, others are for the ABC that Yosys carries. */
import type { Yosys } from '../../tools/yosys.ts';
import type { TimeBudget } from '../time-budget.ts';
import { FALSE, not, type Literal } from './aig.ts';
import { explore, exploreFar, type Exploration } from './explore.ts';
import { makeMiter, type Miter, type PairOfNetlists } from './graph.ts';
import type { ModelStep } from './log.ts';
import { knownBit, type Ternary } from './reading.ts';

export interface ReachTask extends PairOfNetlists {
  readonly yosys: Yosys;
  /** Look only for a difference that is not far away, with an effort that does not depend on the machine. */
  readonly near?: boolean | undefined;
  readonly budget: TimeBudget;
  /** Part of it for the search. */
  readonly share: number;
  readonly memoryBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Nothing but the completed graph is looked at. */
  readonly brief?: boolean;
  /** The states of the completed graph are too many to be listed, as was tried before. */
  readonly isLarge?: boolean;
}

export type ReachResult =
  | { readonly kind: 'proved' }
  | { readonly kind: 'cancelled' }
  /** From the initial state; the last step shows the difference, or, where it is `disordered`, that the order of events decides there. */
  | { readonly kind: 'counterexample'; readonly steps: readonly ModelStep[]; readonly disordered: boolean }
  /** `cut`: it did not end by itself. */
  | { readonly kind: 'undecided'; readonly cut: boolean };

const modelFile = 'model.aig';
const answerFile = 'answer.cex';
const UNDECIDED = { kind: 'undecided', cut: false } as const;
const CUT = { kind: 'undecided', cut: true } as const;
const PROVED = { kind: 'proved' } as const;

/** Part of the time for the completed graph, which behind a reset mostly decides; the other gets the rest, or all of it where the first search ended by itself. */
const COMPLETED_SHARE = { any: 0.6, behindReset: 0.8 } as const;

/**
 * Signal correspondence (van Eijk, 2000) merges what is equal in both sides, and property directed reachability (Een, Mishchenko
 * and Brayton, 2011) decides what is left: first of the graph in which the golden is completed with the DUT's unknown values, where
 * only a proof counts; then with the golden in three values. A pair of few inputs and states needs neither: all of them are looked at.
 */
export async function reach(task: ReachTask): Promise<ReachResult> {
  const near = task.near === true ? makeMiter(task, false) : undefined;
  if (near !== undefined) return search(near, task, 1);
  const completed = makeMiter(task, true);
  if (completed === undefined) return UNDECIDED;
  const share = !completed.completed || task.brief === true ? 1 : task.beginning === undefined ? COMPLETED_SHARE.any : COMPLETED_SHARE.behindReset;
  const first = await (completed.isExact ? searchExact(completed, task, share, task.isLarge) : search(completed, task, share, task.isLarge));
  if (!completed.completed || first.kind === 'proved' || first.kind === 'cancelled') return first;
  const exact = makeMiter(task, false);
  if (exact === undefined) return UNDECIDED;
  // Both graphs begin with the same inputs; what the DUT leaves unknown is 0 here.
  const ports = exact.inputs.reduce((sum, { first: level }) => sum + (level === undefined ? 1 : 2), 0);
  const found = first.kind === 'counterexample' ? stepsOf(first.frames.map((frame) => frame.slice(0, ports)), exact) : undefined;
  if (found !== undefined) return { kind: 'counterexample', ...found };
  if (task.brief === true) return first.kind === 'undecided' ? first : UNDECIDED;
  return search(exact, task, first.kind === 'undecided' && first.cut ? 1 - share : 1);
}

/** Part of the time for a stronger claim. */
const STRONGER_SHARE = 0.2;

/**
 * Where a golden cannot be completed no register is one with another. That what it knows of a register is what the DUT holds there is most often inductive by itself,
 * though; so this is claimed first, and only a proof counts.
 */
async function searchExact(miter: Miter, task: ReachTask, part: number, isLarge = false): Promise<SearchResult> {
  const { aig, registers, bad } = miter;
  const missing = ({ one, zero }: Ternary, other: Ternary): Literal => aig.or(aig.and(one, not(other.one)), aig.and(zero, not(other.zero)));
  const stronger = registers().reduce((any, { golden, dut, known }) => aig.or(any, aig.or(missing(golden, knownBit(dut)), known === undefined ? FALSE : missing(golden, known))), bad);
  const claimed = stronger === bad || bad === FALSE ? undefined : await search({ ...miter, bad: stronger }, task, part * STRONGER_SHARE, true);
  return claimed?.kind === 'proved' || claimed?.kind === 'cancelled' ? claimed : search(miter, task, part * (claimed === undefined ? 1 : 1 - STRONGER_SHARE), isLarge);
}

interface Found {
  readonly steps: readonly ModelStep[];
  readonly disordered: boolean;
}

type Frames = readonly (readonly boolean[])[];
type SearchResult = Exclude<ReachResult, { kind: 'counterexample' }> | (Found & { readonly kind: 'counterexample'; readonly frames: Frames });

async function search(miter: Miter, task: ReachTask, part: number, isLarge = false): Promise<SearchResult> {
  if (miter.bad === FALSE) return PROVED;
  const explored = explore(miter.aig, miter.bad);
  if (explored !== undefined) return fromExploration(explored, miter);
  const inputs = { 'dummy.v': dummy, [modelFile]: miter.aig.toAiger(miter.bad) };
  const result = await task.yosys.run(searchScript(miter, task.near === true), inputs, { outputs: [answerFile], ...task.budget.part(task.share * part), memoryBytes: task.memoryBytes });
  if (result.kind === 'cancelled') return result;
  if (result.kind === 'exited' && /^ABC: (?:Property proved\.|UNSATISFIABLE)/m.test(result.log)) return PROVED;
  // An ABC that is ended takes the script with it.
  if (result.kind === 'exited' && result.ok) return differenceIn(readFrames(result.outputs[answerFile] ?? ''), miter);
  // What counts, as a clock does, may have few states that lie deep, one behind the other.
  const far = isLarge || task.near === true || miter.aig.latches === 0 ? undefined : await exploreFar(miter.aig, miter.bad, task.signal);
  return far === undefined ? CUT : fromExploration(far, miter);
}

function fromExploration(explored: Exploration, miter: Miter): SearchResult {
  return explored.kind === 'never' ? PROVED : differenceIn(explored.frames, miter);
}

function differenceIn(frames: Frames, miter: Miter): SearchResult {
  const found = stepsOf(frames, miter);
  return found === undefined ? UNDECIDED : { kind: 'counterexample', ...found, frames };
}

/** A module for which Yosys starts ABC at all. */
const dummy = 'module dummy(input a, b, output y); assign y = a & b; endmodule\n';

/** Steps within which a near difference is looked for, and conflicts of the SAT solver in one of them. */
const NEAR_STEPS = 32;
const MOST_CONFLICTS = 1000;

function searchScript({ aig }: Miter, near: boolean): string {
  const search = aig.latches === 0 ? ['iprove'] : near ? ['scleanup', 'scorr', `bmc3,-F,${NEAR_STEPS},-C,${MOST_CONFLICTS}`] : ['scleanup', 'scorr', 'dc2', 'scorr', 'pdr'];
  const commands = ['backup', `read_aiger,${modelFile}`, ...search, `write_cex,-a,${answerFile}`, 'restore'];
  return ['read_verilog dummy.v', 'simplemap', `abc -script +${commands.join(';')} dummy`, ''].join('\n');
}

/** ABC writes the first state, then the inputs of one frame a line. */
function readFrames(text: string): Frames {
  const lines = text.replace(/#.*/g, '').split('\n').slice(1).filter((line) => /^[01x]+$/.test(line.trim()));
  return lines.map((line) => Array.from(line.trim(), (bit) => bit === '1'));
}

/** What both sides do under the inputs of the graph, up to the first difference; undefined when there is none. */
function stepsOf(frames: Frames, { aig, bad, disordered, inputs, outputs }: Miter): Found | undefined {
  const wanted = [bad, disordered, ...inputs.map(({ value }) => value), ...outputs.flatMap(({ golden, dut, floating }) => [...golden.flatMap(({ one, zero }) => [one, zero]), ...dut, ...(floating?.golden ?? []), ...(floating?.dut ?? [])])];
  const values = frames.length === 0 ? undefined : aig.simulate(frames, wanted);
  const end = values?.findIndex((frame) => frame[0] === true) ?? -1;
  if (values === undefined || end < 0) return undefined;
  const steps = values.slice(0, end + 1).map((frame): ModelStep => {
    let next = 2 + inputs.length;
    const take = (): boolean => frame[next++] === true;
    const expected: Record<string, string> = {};
    const actual: Record<string, string> = {};
    for (const { port, golden, dut, floating } of outputs) {
      const known = Array.from(golden, () => (take() ? (take(), '1') : take() ? '0' : 'x'));
      const answer = Array.from(dut, () => (take() ? '1' : '0'));
      const driven = (bits: readonly string[], floats: readonly Literal[] = []): string => bits.map((bit, index) => (index < floats.length && take() ? 'z' : bit)).reverse().join('');
      expected[port] = driven(known, floating?.golden);
      actual[port] = driven(answer, floating?.dut);
    }
    return { inputs: inputValues(inputs, frame.slice(2)), expected, actual };
  });
  return { steps, disordered: values[end]?.[1] === true };
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
