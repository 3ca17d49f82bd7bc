import type { Edge } from '../../analysis/module.ts';
import { parseYosysProblems } from '../../tools/yosys.ts';
import type { TimeBudget } from '../time-budget.ts';
import { askAll, cleanNetlists, definiteSteps, memoryBytes, type Trial } from './ask.ts';
import { believe, netlistReason, solverDoubt } from './belief.ts';
import { Correspondence } from './correspondence.ts';
import type { PairOfNetlists } from './graph.ts';
import type { ProofLog } from './log.ts';
import { commonTicks, hasState, netlistDoubt, type Netlist } from './netlist.ts';
import { firstDoubt, lateReason, ownPair, unprovedReason, type Doubt, type OwnPair } from './own-clocks.ts';
import type { ProofRequest, Sides } from './request.ts';
import { counterexample, isUnknownOnly, stopped, unsupported, type Method, type ProofResult } from './result.ts';
import type { SideFiles } from './script.ts';
import { REACH_SHARE, search, searchBehindReset, type SearchResult, type SearchTask } from './search.ts';
import { registerSignatures } from './signatures.ts';
import { withTwoStates, type TwoStateSide } from './two-state.ts';

export interface Question {
  readonly request: ProofRequest;
  readonly sides: Sides<SideFiles>;
  readonly netlists: Sides<Netlist>;
  /** What Yosys wrote, by file name. */
  readonly files: Readonly<Record<string, string>>;
  readonly budget: TimeBudget;
  /** Why a proof about the netlists would say nothing about the sources. */
  readonly soft: Doubt | undefined;
}

/** What both netlists are to the questions about them. */
interface View {
  readonly soft: Doubt | undefined;
  /** Why the netlists are beyond the prover. */
  readonly hard: Doubt | undefined;
  /** Why the SAT solver, which sees what Yosys wrote, is not believed. */
  readonly solver: Doubt | undefined;
  readonly ownPair: OwnPair | undefined;
  readonly ticks: ReadonlyMap<string, Edge> | undefined;
  /** Undefined where the pair is not followed. */
  readonly strict: PairOfNetlists | undefined;
  /** What may be searched for differences, also where a proof would say nothing. */
  readonly searched: PairOfNetlists | undefined;
}

export async function proveNetlists(question: Question): Promise<ProofResult> {
  const { request, netlists, files, budget } = question;
  const view = viewOf(question);
  const { soft, hard, ticks, searched } = view;
  const own = view.ownPair?.own;
  if (searched !== undefined) request.followed?.({ ...searched, beginning: request.beginning });
  // Without a state, what is unknown is so by the golden's own word.
  const mustBecomeKnown = hasState(netlists.golden) ? request.ports.filter(({ direction }) => direction === 'output').map(({ name }) => name) : [];
  const trial: Trial = { yosys: request.yosys, ports: request.ports, golden: netlists.golden, files, time: ticks === undefined ? 'edges' : 'ticks', mustBecomeKnown, maxSteps: request.maxSteps, budget, share: 1 };
  const { graph, reached } = await searchPair(question, view);
  const believed = (method: Method, known: readonly string[]): Promise<ProofResult> => believe({ request, sides: question.sides, trial, graph, method, known });
  if (reached?.kind === 'cancelled') return { kind: 'cancelled' };
  if (reached?.kind === 'elsewhere') return { kind: 'undecided', reason: 'A difference was found in another way.' };
  const isPartial = request.behindReset === true || request.near === true;
  if (reached?.kind === 'counterexample' && ((isPartial && !reached.disordered) || reached.confirmed === true)) return counterexample(reached.steps, ticks, undefined);
  if (reached?.kind === 'proved') {
    const proof = soft === undefined ? await believed('reachability', []) : ({ kind: 'undecided', reason: soft.reason } as const);
    return reached.behindReset === true && proof.kind === 'proved' ? { kind: 'undecided', reason: 'What the registers do before a reset was not proved.', behindReset: true } : proof;
  }
  if (isPartial) return { kind: 'undecided', reason: `No difference was found ${request.near === true ? 'nearby' : 'behind a reset'}.` };
  const asked = { ...trial, share: reached?.kind === 'undecided' && reached.cut ? 1 - REACH_SHARE : 1 };
  const answer = await askAll(asked, reached?.kind === 'counterexample' && own === undefined ? reached.steps : []);
  const { result, log } = answer;
  if (result.kind === 'cancelled' || result.kind === 'not-found') return stopped(result);
  // What is known of a source tells more than what it left of a netlist.
  const doubt = soft ?? hard ?? view.solver ?? view.ownPair?.doubt ?? solverDoubt(netlists);
  if (log.steps.length > 0) {
    const definite = isUnknownOnly(log.steps) ? await definiteSteps(asked, log.steps.length) : [];
    return counterexample(definite.length > 0 ? definite : log.steps, ticks, doubt?.reason);
  }
  if (hard !== undefined) return unsupported((soft ?? hard).side, (soft ?? hard).reason);
  if (own !== undefined) return { kind: 'undecided', reason: (soft ?? view.solver)?.reason ?? unprovedReason(reached) };
  if (log.proved) return doubt === undefined ? believed('induction', mustBecomeKnown.filter((_, i) => log.known[i] === true)) : { kind: 'undecided', reason: doubt.reason };
  if (answer.unconfirmed.length > 0) return counterexample(answer.unconfirmed, ticks, 'There the prover lets what the DUT leaves unknown be any value.');
  const reason = result.kind === 'exited' ? endReason(result.log, log) : stoppedReason(stopped(result));
  if (log.bound > 0 && doubt === undefined) return { kind: 'bounded', depth: log.bound, time: trial.time, reason };
  return { kind: 'undecided', reason };
}

function viewOf({ request, sides, netlists, files, soft: source }: Question): View {
  const clean = cleanNetlists(files);
  const twoStates = { golden: clean.golden && withTwoStates(sides.golden.expanded, clean.golden), dut: clean.dut && withTwoStates(sides.dut.expanded, clean.dut) };
  const [golden, dut] = [twoStates.golden?.netlist, twoStates.dut?.netlist];
  const solver = twoStates.golden && twoStateDoubt(twoStates.golden);
  const pair = ownPair({ golden: golden ?? netlists.golden, dut: dut ?? netlists.dut }, sides, request.clocks);
  const own = pair?.own;
  const soft = source ?? (twoStates.golden?.known === undefined ? solver : undefined) ?? (pair === undefined ? firstDoubt((side) => lateReason(side, netlists[side], sides[side])) : undefined);
  const hard = firstDoubt((side) => netlistReason(side, netlists, own !== undefined)) ?? (own === undefined ? pair?.doubt : undefined);
  const ticks = hard === undefined && own === undefined ? commonTicks(netlists.golden, netlists.dut) : undefined;
  if (golden === undefined || dut === undefined) return { soft, hard, solver, ownPair: pair, ticks, strict: undefined, searched: undefined };
  // Of some sides a proof would say nothing, such as of those with a loop variable that several blocks share.
  const isClear = hard === undefined;
  const isFollowed = isClear || (netlistDoubt(golden) === undefined && netlistDoubt(dut) === undefined);
  const followed: PairOfNetlists = { golden, dut, ...(isClear ? { ticks, own } : { ticks: commonTicks(netlists.golden, netlists.dut) }) };
  const searched = isFollowed ? { ...followed, registers: new Correspondence(golden, dut, () => registerSignatures(followed, request.beginning)) } : undefined;
  const isPartial = request.behindReset === true || request.near === true;
  return { soft, hard, solver, ownPair: pair, ticks, strict: isClear && searched !== undefined ? { ...searched, known: isPartial ? [] : twoStates.golden?.known } : undefined, searched };
}

function twoStateDoubt({ name }: TwoStateSide): Doubt | undefined {
  return name === undefined ? undefined : { side: 'golden', reason: `In the golden module: '${name}' has a type without x, so that it begins with 0 and takes what is unknown for 0, which the prover loses.` };
}

/** What a search in the graph of the pair has found, and of which graph. */
async function searchPair({ request, budget }: Question, { strict, ticks }: View): Promise<{ readonly graph: PairOfNetlists | undefined; readonly reached: SearchResult | undefined }> {
  if (strict === undefined) return { graph: undefined, reached: undefined };
  const { beginning, shows, elsewhere, near, yosys, searcher = yosys, signal } = request;
  const ask = async (graph: PairOfNetlists): Promise<SearchResult | undefined> => {
    const task: SearchTask = { ...graph, near, beginning, yosys: searcher, budget, memoryBytes, signal, elsewhere, confirm: shows && (({ steps }) => shows(counterexample(steps, ticks, undefined))) };
    return request.behindReset === true ? beginning && searchBehindReset(task, beginning) : search(task);
  };
  const reached = await ask(strict);
  const { own } = strict;
  // What inputs do that race with each other may be left open, where nothing else may.
  if (own === undefined || reached?.kind !== 'counterexample' || !reached.disordered || reached.confirmed === true) return { graph: strict, reached };
  const graph = { ...strict, own: { ...own, lenient: true } };
  return { graph, reached: await ask(graph) };
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
