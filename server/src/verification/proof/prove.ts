import type { SourceProblem } from '../../analysis/design.ts';
import type { Edge, Port } from '../../analysis/module.ts';
import { diskFiles, type FileReader } from '../../base/files.ts';
import type { RunFailure } from '../../base/process.ts';
import { parseYosysProblems, type Yosys } from '../../tools/yosys.ts';
import { TimeBudget } from '../time-budget.ts';
import { askAll, cleanNetlists, definiteSteps, memoryBytes, neverKnown, type Trial } from './ask.ts';
import { clockBesideEdges } from './clock-data.ts';
import { elaborate, sideWord } from './elaborate.ts';
import { floatingBits, floatingDoubt } from './floating.ts';
import type { ModelStep, ProofLog } from './log.ts';
import { clocksOf, type PairOfNetlists } from './graph.ts';
import { Model, type Recorded } from './model.ts';
import { clockInputs, commonTicks, dividesByVariable, hasAsynchronousLoad, hasState, netlistDoubt, undrivenOutputs, type Netlist } from './netlist.ts';
import { firstDoubt, lateReason, ownPair, RACING_INPUTS, unprovedReason, type Doubt } from './own-clocks.ts';
import { collectSide, type SideFiles, type SideName, type SideSources, type TimeModel } from './script.ts';
import { signaturesOnDemand } from './signatures.ts';
import { REACH_SHARE, search, searchBehindReset, type SearchResult, type SearchTask } from './search.ts';
import { racingVariable } from './race.ts';
import { clockedAssignments, findDoubt, hasDelays } from './source.ts';
import type { Beginning } from './time.ts';

export type Sides<T> = Readonly<Record<SideName, T>>;

export interface ProofSide extends SideSources {
  /** Overridden header parameters: name to a Verilog constant. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface ProofRequest {
  readonly dut: ProofSide;
  readonly golden: ProofSide;
  /** Ports that both sides have with the same name, direction and width. */
  readonly ports: readonly (Pick<Port, 'name' | 'direction'> & Partial<Pick<Port, 'unpacked'>>)[];
  /** Most steps to unroll; a step is one change of any inputs, so a clock cycle takes two. */
  readonly maxSteps?: number | undefined;
  /** CPU time of the whole, about; see `TimeBudget`. */
  readonly timeoutMs: number;
  /** Limit by the wall clock; `TimeBudget` has one unless given. */
  readonly wallMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly yosys: Yosys;
  /** Look only for a near difference, with an effort that does not depend on the machine; it is to be replayed. */
  readonly near?: boolean | undefined;
  /** What a simulator did with both sides, with which a proof must agree; undefined where there is none. */
  readonly recorded?: Sides<Recorded> | undefined;
  /** Where included files come from; the disk unless given. */
  readonly files?: FileReader;
  /** Inputs, as `port[bit]`, that move apart from all others; those from which clocks come unless given. */
  readonly clocks?: ReadonlySet<string>;
  /** How sequences begin that begin with a reset; undefined where the modules have none. */
  readonly beginning?: Beginning | undefined;
  /** Only sequences that begin so are asked about. */
  readonly behindReset?: boolean;
  /** Whether a simulator shows a difference, which ends the search; undefined where no simulator runs. */
  readonly shows?: ((found: Counterexample) => Promise<boolean>) | undefined;
  /** Told what both sides may be, where it can follow them so; a difference that comes of it is to be replayed. */
  readonly followed?: ((pair: PairOfNetlists) => void) | undefined;
}

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
  const budget = new TimeBudget(request.timeoutMs, request.signal, request.wallMs);
  const parameters = { golden: request.golden.parameters, dut: request.dut.parameters };
  const elaborated = await elaborate({ yosys: request.yosys, sides, parameters, budget });
  if (elaborated.kind === 'stopped') return stopped(elaborated.failure);
  if (elaborated.kind === 'unreadable') return unsupported(elaborated.side, elaborated.reason, elaborated.problems);
  const { netlists } = elaborated;
  const doubt = firstDoubt((side) => sourceReason(side, sides[side], netlists[side])) ?? elaborated.doubt;
  return proveNetlists({ request, sides, netlists, files: elaborated.files, budget, soft: doubt });
}

function stopped(result: RunFailure): ProofResult {
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

interface Question {
  readonly request: ProofRequest;
  readonly sides: Sides<SideFiles>;
  readonly netlists: Sides<Netlist>;
  /** What Yosys wrote, by file name. */
  readonly files: Readonly<Record<string, string>>;
  readonly budget: TimeBudget;
  /** Why a proof about the netlists would say nothing about the sources. */
  readonly soft: Doubt | undefined;
}

async function proveNetlists({ request, sides, netlists, files, budget, soft: source }: Question): Promise<ProofResult> {
  const clean = cleanNetlists(files);
  const pair = ownPair({ golden: clean.golden ?? netlists.golden, dut: clean.dut ?? netlists.dut }, sides, request.clocks);
  const own = pair?.own;
  const soft = source ?? (pair === undefined ? firstDoubt((side) => lateReason(side, netlists[side], sides[side])) : undefined);
  const hard = firstDoubt((side) => netlistReason(side, netlists, own !== undefined)) ?? (own === undefined ? pair?.doubt : undefined);
  const ticks = hard === undefined && own === undefined ? commonTicks(netlists.golden, netlists.dut) : undefined;
  // Without a state, what is unknown is so by the golden's own word.
  const mustBecomeKnown = hasState(netlists.golden) ? outputsOf(request) : [];
  const { yosys, ports, maxSteps } = request;
  const strict = hard === undefined && clean.golden && clean.dut ? { golden: clean.golden, dut: clean.dut, ticks, own } : undefined;
  const trial: Trial = { yosys, ports, golden: netlists.golden, files, time: ticks === undefined ? 'edges' : 'ticks', mustBecomeKnown, maxSteps, budget, share: 1 };
  const { beginning, shows } = request;
  const searched = strict ?? unclear(clean, netlists);
  if (searched !== undefined) request.followed?.({ ...searched, beginning });
  const found = (steps: readonly ModelStep[]): Counterexample => counterexample(steps, ticks, undefined);
  const taskOf = (graph: PairOfNetlists): SearchTask => ({ ...graph, signatures: signaturesOnDemand(graph, beginning), near: request.near, beginning, yosys, budget, memoryBytes, signal: request.signal, confirm: shows && ((reached: { readonly steps: readonly ModelStep[] }) => shows(found(reached.steps))) });
  const ask = (graph: PairOfNetlists | undefined): Promise<SearchResult> | undefined => graph && (onlyBehindReset ? beginning && searchBehindReset(taskOf(graph), beginning) : search(taskOf(graph)));
  const onlyBehindReset = request.behindReset === true;
  const onlyNear = request.near === true;
  const first = await ask(strict);
  // What inputs do that race with each other may be left open, where nothing else may.
  const isLenient = own !== undefined && first?.kind === 'counterexample' && first.disordered && first.confirmed !== true;
  const graph = strict && isLenient ? { ...strict, own: { ...own, lenient: true } } : strict;
  const reached = isLenient ? await ask(graph) : first;
  const believed = (method: Method, known: readonly string[]): Promise<ProofResult> => believe({ request, sides, trial, graph, method, known });
  if (reached?.kind === 'cancelled') return { kind: 'cancelled' };
  if (reached?.kind === 'counterexample' && ((onlyBehindReset && !reached.disordered) || (onlyNear && !reached.disordered) || reached.confirmed === true)) return found(reached.steps);
  if (reached?.kind === 'proved') {
    const proof = soft === undefined ? await believed('reachability', []) : ({ kind: 'undecided', reason: soft.reason } as const);
    return reached.behindReset === true && proof.kind === 'proved' ? { kind: 'undecided', reason: 'What the registers do before a reset was not proved.', behindReset: true } : proof;
  }
  if (onlyBehindReset || onlyNear) return { kind: 'undecided', reason: `No difference was found ${onlyNear ? 'nearby' : 'behind a reset'}.` };
  const share = reached?.kind === 'undecided' && reached.cut ? 1 - REACH_SHARE : 1;
  const answer = await askAll({ ...trial, share }, reached?.kind === 'counterexample' && own === undefined ? reached.steps : []);
  const { result, log } = answer;
  if (result.kind === 'cancelled' || result.kind === 'not-found') return stopped(result);
  // What is known of a source tells more than what it left of a netlist.
  const doubt = soft ?? hard ?? pair?.doubt ?? solverDoubt(netlists);
  if (log.steps.length > 0) {
    const definite = isUnknownOnly(log.steps) ? await definiteSteps({ ...trial, share }, log.steps.length) : [];
    return counterexample(definite.length > 0 ? definite : log.steps, ticks, doubt?.reason);
  }
  if (hard !== undefined) return unsupported((soft ?? hard).side, (soft ?? hard).reason);
  if (own !== undefined) return { kind: 'undecided', reason: soft?.reason ?? unprovedReason(reached) };
  if (log.proved) return doubt === undefined ? believed('induction', mustBecomeKnown.filter((_, i) => log.known[i] === true)) : { kind: 'undecided', reason: doubt.reason };
  if (answer.unconfirmed.length > 0) return counterexample(answer.unconfirmed, ticks, 'There the prover lets what the DUT leaves unknown be any value.');
  const reason = result.kind === 'exited' ? endReason(result.log, log) : stoppedReason(stopped(result));
  if (log.bound > 0 && doubt === undefined) return { kind: 'bounded', depth: log.bound, time: trial.time, reason };
  return { kind: 'undecided', reason };
}

/** What the sides may be of which a proof would say nothing, such as those with a loop variable that several blocks share. */
function unclear(clean: ReturnType<typeof cleanNetlists>, netlists: Sides<Netlist>): PairOfNetlists | undefined {
  const { golden, dut } = clean;
  if (golden === undefined || dut === undefined || netlistDoubt(golden) !== undefined || netlistDoubt(dut) !== undefined) return undefined;
  return { golden, dut, ticks: commonTicks(netlists.golden, netlists.dut) };
}

function outputsOf(request: ProofRequest): string[] {
  return request.ports.filter((port) => port.direction === 'output').map((port) => port.name);
}

function stoppedReason(result: ProofResult): string {
  return 'reason' in result ? result.reason : '';
}

function endReason(text: string, log: ProofLog): string {
  const problem = parseYosysProblems(text)[0]?.message;
  if (problem === undefined) return 'The proof did not close within its depth.';
  const what = log.asked ? 'The prover stopped' : 'The prover cannot compare the two modules';
  return `${what}: ${problem.replace(/\.$/, '')}.`;
}

function counterexample(model: readonly ModelStep[], ticks: ReadonlyMap<string, Edge> | undefined, doubt: string | undefined): Counterexample {
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

interface Belief {
  readonly request: ProofRequest;
  readonly sides: Sides<SideFiles>;
  readonly trial: Trial;
  readonly graph: PairOfNetlists | undefined;
  readonly method: Method;
  /** Outputs of which it is clear already that the golden makes them known. */
  readonly known: readonly string[];
}

/**
 * A proof counts where the prover understands both sides as the simulator did, and says something only where the golden can become
 * known: elsewhere, every DUT passes.
 */
async function believe({ request, sides, trial, graph, method, known }: Belief): Promise<ProofResult> {
  const { recorded } = request;
  const become = new Set(known);
  for (const side of ['golden', 'dut'] as const) {
    const model = graph && Model.of(graph[side], clocksOf(graph), graph.ticks, graph.own?.[side]);
    if (graph?.own !== undefined && model === undefined) return { kind: 'undecided', reason: `The prover cannot follow the ${sideWord[side]}.` };
    const wrong = recorded && model?.disagreement(recorded[side]);
    if (wrong !== undefined) {
      return { kind: 'undecided', reason: `The prover understands the ${sideWord[side]} otherwise than the simulator does, at the output '${wrong.output}', so that a proof would say nothing.` };
    }
    if (side === 'golden' && trial.mustBecomeKnown.some((port) => !become.has(port))) for (const port of model?.knownOutputs(recorded?.golden) ?? []) become.add(port);
  }
  const never = trial.mustBecomeKnown.find((port) => !become.has(port));
  // Of a clock that is made inside, the model alone knows the order of events.
  const answer = graph?.own === undefined ? await neverKnown(trial, become) : ({ kind: 'answer', output: never } as const);
  if (answer.kind !== 'answer') return stopped(answer);
  if (answer.output !== undefined) {
    return { kind: 'undecided', reason: `To the prover, the golden's output '${answer.output}' never becomes known as a whole, so that a proof would say nothing.` };
  }
  const delays = hasDelays(sides.golden.expanded) || hasDelays(sides.dut.expanded);
  const notes = [...(delays ? ['The proof takes every delay in the sources as zero.'] : []), ...(graph?.own?.lenient === true ? [RACING_INPUTS] : [])];
  return { kind: 'proved', method, notes };
}

function netlistReason(side: SideName, netlists: Sides<Netlist>, hasOwnClock: boolean): string | undefined {
  const doubt = netlistDoubt(netlists[side]) ?? floatingDoubt(netlists[side]) ?? undrivenDoubt(side, netlists);
  if (doubt !== undefined) return `The ${sideWord[side]} has ${doubt}, which the prover cannot follow.`;
  const clocks = new Set([...clockInputs(netlists.golden), ...clockInputs(netlists.dut)]);
  const clock = hasOwnClock ? undefined : clockBesideEdges(netlists[side], clocks);
  if (clock !== undefined) return `The ${sideWord[side]} uses the clock '${clock.replace('[0]', '')}' for more than its edges, which the prover cannot follow.`;
  if (side === 'dut' && dividesByVariable(netlists.dut) && !dividesByVariable(netlists.golden)) {
    return 'The DUT divides by a variable and the golden module does not, which the prover cannot follow for a divisor of zero.';
  }
  return undefined;
}

/** Where nothing drives the golden it says nothing, and there the DUT need not be driven; but somewhere it must say something. */
function undrivenDoubt(side: SideName, { golden, dut }: Sides<Netlist>): string | undefined {
  const free = new Set(undrivenOutputs(golden));
  const nameOf = (bit: string | undefined): string => bit?.replace(/\[\d+\]$/, '') ?? '';
  if (side === 'dut') {
    const output = undrivenOutputs(dut).find((bit) => !free.has(bit));
    return output && `the output '${nameOf(output)}', of which a part is not driven`;
  }
  const bits = Object.values(golden.ports).reduce((sum, port) => sum + (port.direction === 'output' ? port.bits.length : 0), 0);
  return free.size < bits ? undefined : `the output '${nameOf([...free][0])}', of which no part is driven`;
}

/** Why what the SAT solver says is not to be believed. */
function solverDoubt(netlists: Sides<Netlist>): Doubt | undefined {
  return firstDoubt((side) => {
    const what = hasAsynchronousLoad(netlists[side]) ? 'an asynchronous load' : floatingBits(netlists[side]).size > 0 ? 'a high-impedance value' : undefined;
    return what && `The ${sideWord[side]} has ${what}, which the SAT solver cannot follow.`;
  });
}

function sourceReason(side: SideName, { expanded }: SideFiles, netlist: Netlist): string | undefined {
  const doubt = findDoubt(expanded);
  if (doubt !== undefined) return `In the ${sideWord[side]}: ${doubt.reason}`;
  const racing = racingVariable(netlist, clockedAssignments(expanded));
  if (racing === undefined) return undefined;
  return `In the ${sideWord[side]}: '${racing}' is assigned with '=' at a clock edge and read elsewhere at the same edge, so the order of the blocks matters, which a proof cannot follow.`;
}

function isUnknownOnly(steps: readonly ModelStep[]): boolean {
  const last = steps.at(-1);
  if (last === undefined) return false;
  return Object.entries(last.expected).every(([port, expected]) => {
    const actual = last.actual[port] ?? '';
    return expected.split('').every((bit, i) => bit === 'x' || actual[i] === bit || actual[i] === 'x');
  });
}

function unsupported(side: SideName | undefined, reason: string, problems: readonly SourceProblem[] = []): ProofResult {
  return { kind: 'unsupported', side, reason, problems };
}

const plainName = /^[A-Za-z_][\w$]*$/;

function unsupportedInterface(request: ProofRequest): string | undefined {
  const inout = request.ports.find((port) => port.direction === 'inout');
  if (inout !== undefined) return `The port '${inout.name}' is bidirectional, which the prover cannot follow.`;
  const array = request.ports.find((port) => (port.unpacked ?? []).length > 0);
  if (array !== undefined) return `The port '${array.name}' is an unpacked array, which the prover cannot read.`;
  if (!request.ports.some((port) => port.direction === 'output')) return 'There is no output to compare.';
  const names = [request.golden.top, request.dut.top, ...request.ports.map((port) => port.name)];
  const parameters = [...Object.entries(request.golden.parameters), ...Object.entries(request.dut.parameters)];
  const odd = [...names, ...parameters.map(([name]) => name)].find((name) => !plainName.test(name));
  if (odd !== undefined) return `The name '${odd}' is not a plain identifier, which the prover does not take.`;
  const value = parameters.find(([, text]) => !/^(?:-?\d+|\d*'s?[bodh][0-9a-f_]+)$/i.test(text));
  if (value !== undefined) return `The value of the parameter '${value[0]}' is not a plain constant, which the prover does not take.`;
  return undefined;
}
