/** Whether a proof about netlists says something about the sources. */
import { neverKnown, type Trial } from './ask.ts';
import { clockBesideEdges } from './clock-data.ts';
import { sideWord } from './elaborate.ts';
import { floatingBits, floatingDoubt } from './floating.ts';
import { clocksOf, type PairOfNetlists } from './graph.ts';
import { Model } from './model.ts';
import { clockInputs, dividesByVariable, hasAsynchronousLoad, LATCH, netlistDoubt, undrivenOutputs, type Netlist } from './netlist.ts';
import { firstDoubt, RACING_INPUTS, type Doubt } from './own-clocks.ts';
import { racingVariable } from './race.ts';
import type { ProofRequest, Sides } from './request.ts';
import { stopped, type Method, type ProofResult } from './result.ts';
import type { SideFiles, SideName } from './script.ts';
import { clockedAssignments, findDoubt, hasDelays, hasUnknownNumber, withoutPragmas } from './source.ts';
import { keptVariable } from './subroutines.ts';
import { tokenize } from './tokens.ts';
import { hasUnknownConstant } from './two-state.ts';

export interface Belief {
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
export async function believe({ request, sides, trial, graph, method, known }: Belief): Promise<ProofResult> {
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

/** Why a side is beyond the prover by its netlist. */
export function netlistReason(side: SideName, netlists: Sides<Netlist>, hasOwnClock: boolean): string | undefined {
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
export function solverDoubt(netlists: Sides<Netlist>): Doubt | undefined {
  return firstDoubt((side) => {
    const what = hasAsynchronousLoad(netlists[side]) ? 'an asynchronous load' : floatingBits(netlists[side]).size > 0 ? 'a high-impedance value' : undefined;
    return what && `The ${sideWord[side]} has ${what}, which the SAT solver cannot follow.`;
  });
}

/** Why a proof about the netlist of a side would say nothing about its source. */
export function sourceReason(side: SideName, { expanded }: SideFiles, netlist: Netlist): string | undefined {
  const doubt = findDoubt(expanded);
  if (doubt !== undefined) return `In the ${sideWord[side]}: ${doubt.reason}`;
  if (netlist.cells.some(({ type }) => type === LATCH) && hasUnknownNumber(expanded)) return `In the ${sideWord[side]}: a latch may take a value that is written with x or z, which the prover loses.`;
  // What the DUT leaves unknown may be any value to the prover, a known one among them.
  if (side === 'golden') {
    const kept = hasUnknownConstant(netlist) ? keptVariable(tokenize(withoutPragmas(expanded))) : undefined;
    if (kept !== undefined) return `In the golden module: '${kept}' of a task or function may hold what an earlier call has left, which a proof cannot follow.`;
  }
  const racing = racingVariable(netlist, clockedAssignments(expanded));
  if (racing === undefined) return undefined;
  return `In the ${sideWord[side]}: '${racing}' is assigned with '=' at a clock edge and read elsewhere at the same edge, so the order of the blocks matters, which a proof cannot follow.`;
}
