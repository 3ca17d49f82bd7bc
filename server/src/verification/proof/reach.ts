/** Reachability: whether any state that a pair can reach shows a difference. Small pairs are explored here, others are for the ABC that Yosys carries. */
import type { Yosys } from '../../tools/yosys.ts';
import { FALSE } from './aig.ts';
import { cleanNetlists } from './ask.ts';
import { explore } from './explore.ts';
import { makeMiter, type Miter } from './graph.ts';
import type { ModelStep } from './log.ts';
import { Random } from '../stimulus/random.ts';
import { cleanNetlistFile, rtlilFile, sideInputs, type TimeModel } from './script.ts';

export interface ReachTask {
  readonly yosys: Yosys;
  readonly time: TimeModel;
  /** Both sides as Yosys wrote them, by file name. */
  readonly files: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly signal: AbortSignal | undefined;
}

export type ReachResult =
  /** `known`: outputs of the golden that some inputs make known as a whole; of the others that is not clear. */
  | { readonly kind: 'proved'; readonly known: ReadonlySet<string> }
  | { readonly kind: 'cancelled' }
  /** From the initial state; the last step shows the difference. */
  | { readonly kind: 'counterexample'; readonly steps: readonly ModelStep[] }
  | { readonly kind: 'undecided' };

const modelFile = 'model.aig';
const answerFile = 'answer.cex';
const UNDECIDED: ReachResult = { kind: 'undecided' };
/** What starting the engine and reading the model may take besides the search. */
const MARGIN_MS = 300;

/**
 * Signal correspondence (van Eijk, 2000) merges what is equal in both sides, and property directed reachability (Een, Mishchenko
 * and Brayton, 2011) decides what is left. The golden is followed in three values and the DUT in two, with everything that it
 * leaves unknown free, so that a proof holds for every state at power-on. A pair of few inputs and states needs neither: all of them are looked at.
 */
export async function reach(task: ReachTask): Promise<ReachResult> {
  const deadline = performance.now() + task.timeoutMs;
  const miter = await readMiter(task);
  const left = deadline - performance.now() - MARGIN_MS;
  if (miter === undefined || left <= 0) return UNDECIDED;
  if (miter.bad === FALSE) return { kind: 'proved', known: knownOutputs(miter) };
  const explored = explore(miter.aig, miter.bad);
  if (explored?.kind === 'never') return { kind: 'proved', known: knownOutputs(miter) };
  if (explored?.kind === 'reached') return counterexampleOf(explored.frames, miter) ?? UNDECIDED;
  const inputs = { 'dummy.v': dummy, [modelFile]: miter.aig.toAiger(miter.bad) };
  const limits = { timeoutMs: left + MARGIN_MS, memoryBytes: task.memoryBytes, signal: task.signal };
  const result = await task.yosys.run(searchScript(miter, Math.max(1, Math.floor(left / 1000))), inputs, { outputs: [answerFile], ...limits });
  if (result.kind === 'cancelled') return result;
  if (result.kind !== 'exited') return UNDECIDED;
  if (/^ABC: (?:Property proved\.|UNSATISFIABLE)/m.test(result.log)) return { kind: 'proved', known: knownOutputs(miter) };
  return readCounterexample(result.outputs[answerFile] ?? '', miter) ?? UNDECIDED;
}

/** With ticks the netlists are ready; otherwise Yosys puts the clocks among the data first. */
async function readMiter({ yosys, files, time, timeoutMs, memoryBytes, signal }: ReachTask): Promise<Miter | undefined> {
  let netlists = files;
  if (time === 'edges') {
    const script = (['golden', 'dut'] as const).flatMap((side) => ['design -reset', `read_rtlil ${rtlilFile[side]}`, 'clk2fflogic', 'opt_clean', `write_json ${cleanNetlistFile[side]}`]);
    const result = await yosys.run(`${script.join('\n')}\n`, sideInputs(files), { outputs: Object.values(cleanNetlistFile), timeoutMs, memoryBytes, signal });
    if (result.kind !== 'exited' || !result.ok) return undefined;
    netlists = result.outputs;
  }
  const { golden, dut } = cleanNetlists(netlists);
  return golden && dut && makeMiter(golden, dut);
}

/** A module for which Yosys starts ABC at all. */
const dummy = 'module dummy(input a, b, output y); assign y = a & b; endmodule\n';

function searchScript({ aig }: Miter, seconds: number): string {
  const search = aig.latches === 0 ? ['iprove'] : ['scleanup', 'scorr', 'dc2', 'scorr', `pdr,-T,${seconds}`];
  const commands = ['backup', `read_aiger,${modelFile}`, ...search, `write_cex,-a,${answerFile}`, 'restore'];
  return ['read_verilog dummy.v', 'simplemap', `abc -script +${commands.join(';')} dummy`, ''].join('\n');
}

/** Random input sequences that show of most outputs at once that they become known. */
const TRIES = 8;
const TRY_LENGTH = 64;

function knownOutputs({ aig, inputs, outputs }: Miter): Set<string> {
  const random = new Random(1);
  const wanted = outputs.flatMap(({ golden }) => golden.map(({ one, zero }) => aig.or(one, zero)));
  const known = new Set<string>();
  for (let attempt = 0; attempt < TRIES && known.size < outputs.length; attempt++) {
    const frames = Array.from({ length: TRY_LENGTH }, () => inputs.map(() => random.below(2) === 1));
    for (const frame of aig.simulate(frames, wanted) ?? []) {
      let at = 0;
      for (const { port, golden } of outputs) {
        if (frame.slice(at, at + golden.length).every(Boolean)) known.add(port);
        at += golden.length;
      }
    }
  }
  return known;
}

/** ABC writes the first state, then the inputs of one frame a line. */
function readCounterexample(text: string, miter: Miter): ReachResult | undefined {
  const lines = text.replace(/#.*/g, '').split('\n').slice(1).filter((line) => /^[01x]+$/.test(line.trim()));
  return counterexampleOf(lines.map((line) => Array.from(line.trim(), (bit) => bit === '1')), miter);
}

/** The counterexample that inputs make, frame by frame; undefined when they make none. */
function counterexampleOf(frames: readonly (readonly boolean[])[], miter: Miter): ReachResult | undefined {
  const { aig, bad, inputs, outputs } = miter;
  const wanted = [bad, ...outputs.flatMap(({ golden, dut }) => [...golden.flatMap(({ one, zero }) => [one, zero]), ...dut])];
  const values = frames.length === 0 ? undefined : aig.simulate(frames, wanted);
  const end = values?.findIndex((frame) => frame[0] === true) ?? -1;
  if (values === undefined || end < 0) return undefined;
  const steps = values.slice(0, end + 1).map((frame, at): ModelStep => {
    let next = 1;
    const take = (): boolean => frame[next++] === true;
    const expected: Record<string, string> = {};
    const actual: Record<string, string> = {};
    for (const { port, golden, dut } of outputs) {
      const known = Array.from(golden, () => (take() ? (take(), '1') : take() ? '0' : 'x'));
      const answer = Array.from(dut, () => (take() ? '1' : '0'));
      expected[port] = known.reverse().join('');
      actual[port] = answer.reverse().join('');
    }
    return { inputs: inputValues(inputs, frames[at] ?? []), expected, actual };
  });
  return { kind: 'counterexample', steps };
}

function inputValues(inputs: Miter['inputs'], frame: readonly boolean[]): Record<string, string> {
  const bits = new Map<string, string[]>();
  inputs.forEach(({ port, index }, at) => {
    const list = bits.get(port) ?? [];
    list[index] = frame[at] === true ? '1' : '0';
    bits.set(port, list);
  });
  return Object.fromEntries([...bits].map(([port, list]) => [port, list.reverse().join('')]));
}
