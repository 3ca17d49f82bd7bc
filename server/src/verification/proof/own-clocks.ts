/** Pairs of which a side makes clocks or asynchronous resets itself: what is needed to follow them, and why they may not be. */
import { clockSources, clockTree, lateClock, type ClockTree } from './clock-tree.ts';
import { sideWord } from './elaborate.ts';
import type { OwnClocks } from './graph.ts';
import { ownClock, type Netlist } from './netlist.ts';
import type { SideFiles, SideName } from './script.ts';
import type { SearchResult } from './search.ts';
import { hasDelays, orderedAssignments } from './source.ts';

type Sides<T> = Readonly<Record<SideName, T>>;

export interface Doubt {
  readonly side: SideName;
  readonly reason: string;
}

export function firstDoubt(look: (side: SideName) => string | undefined): Doubt | undefined {
  for (const side of ['golden', 'dut'] as const) {
    const reason = look(side);
    if (reason !== undefined) return { side, reason };
  }
  return undefined;
}

/** Of a proof about such a pair: what it needs, and why a SAT solver that knows nothing of it is not believed. */
export interface OwnPair {
  readonly own: OwnClocks | undefined;
  /** Why the pair is not followed, where `own` is undefined; else why others do not follow it. */
  readonly doubt: Doubt;
}

/** Undefined where inputs clock and reset everything. `clocks` are inputs, as `port[bit]`, that move apart from others, where that is known. */
export function ownPair(netlists: Sides<Netlist>, sides: Sides<SideFiles>, clocks: ReadonlySet<string> | undefined): OwnPair | undefined {
  const doubt = firstDoubt((side) => beyond(side, ownClock(netlists[side])));
  if (doubt === undefined) return undefined;
  const treeOf = (side: SideName): ClockTree | string => {
    const { expanded } = sides[side];
    return hasDelays(expanded) ? 'delays beside a clock or reset that is made inside' : clockTree(netlists[side], orderedAssignments(expanded));
  };
  const [golden, dut] = [treeOf('golden'), treeOf('dut')];
  if (typeof golden === 'string' || typeof dut === 'string') {
    return { own: undefined, doubt: firstDoubt((side) => beyond(side, side === 'golden' ? wordOf(golden) : wordOf(dut))) ?? doubt };
  }
  return { own: { golden, dut, lenient: false, clocks: clocks ?? new Set([...clockSources(netlists.golden), ...clockSources(netlists.dut)]) }, doubt };
}

function wordOf(tree: ClockTree | string): string | undefined {
  return typeof tree === 'string' ? tree : undefined;
}

function beyond(side: SideName, what: string | undefined): string | undefined {
  return what && `The ${sideWord[side]} has ${what}, which the prover cannot follow.`;
}

/** Of a side that only inputs clock: a variable on the way that comes late. */
export function lateReason(side: SideName, netlist: Netlist, { expanded }: SideFiles): string | undefined {
  const late = lateClock(netlist, orderedAssignments(expanded));
  return late && `In the ${sideWord[side]}: '${late}' is assigned with '<=' without waiting for an edge, so that what it clocks or resets comes late, which a proof cannot follow.`;
}

/** Said of a proof that leaves open what inputs do that change together with a gate. */
export const RACING_INPUTS = 'Where several inputs change at the same moment and a clock or reset that one of them moves meets what another changes, the proof takes what the reference does for unknown.';

/** Why there is no proof, by what the search for one has found. */
export function unprovedReason(reached: SearchResult | undefined): string {
  if (reached?.kind !== 'counterexample') return 'The proof did not end in its time.';
  if (reached.disordered) return 'A register may take a value that changes in the same moment as its clock or reset, so that the order of events decides, which a proof cannot follow.';
  return 'The prover finds a difference that no simulation shows.';
}
