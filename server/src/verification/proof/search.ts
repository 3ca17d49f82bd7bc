/** What is asked about reachability, in the order in which answers are likely. */
import { reach, type ReachResult, type ReachTask } from './reach.ts';
import type { Beginning } from './time.ts';

/** Part of the time that reachability may take before the SAT solver is asked; the solver gets the rest, or all of it where reachability ended by itself. */
export const REACH_SHARE = 0.6;
/** What happens behind a reset is a question of its own, which most often tells two modules apart; before it there is a quick look at any sequences. */
const QUICK_SHARE = 0.15;

export interface SearchTask extends Omit<ReachTask, 'share' | 'brief' | 'isLarge' | 'beginning'> {
  /** How sequences begin that begin with a reset. */
  readonly beginning: Beginning | undefined;
  /** Says whether a counterexample is a difference; undefined where nothing can tell. */
  readonly confirm: ((found: ReachResult & { readonly kind: 'counterexample' }) => Promise<boolean>) | undefined;
  /** See `ProofRequest`. */
  readonly elsewhere?: (() => Promise<boolean>) | undefined;
}

/** `confirmed`: of a counterexample. `behindReset`: the answer is about sequences that begin with a reset only. */
type Asked = ReachResult & { readonly confirmed?: boolean; readonly behindReset?: boolean };
/** `elsewhere`: a difference was found in another way. */
export type SearchResult = Asked | { readonly kind: 'elsewhere' };

/** Asks about all sequences and, where something can confirm what is found, about those behind a reset. */
export async function search(task: SearchTask): Promise<SearchResult> {
  const { beginning, confirm } = task;
  if (beginning === undefined || confirm === undefined) return ask(task, REACH_SHARE);
  const quick = await ask(task, QUICK_SHARE, { brief: true });
  // What races only with inputs that change at once is asked about otherwise.
  if (isSettled(quick) || (quick.kind === 'counterexample' && quick.disordered && task.own?.lenient === false)) return quick;
  if (quick.kind === 'undecided' && (await task.elsewhere?.()) === true) return { kind: 'elsewhere' };
  const behind = await searchBehindReset(task, beginning, REACH_SHARE);
  if (behind.kind !== 'proved' && isSettled(behind)) return behind;
  const any = quick.kind === 'undecided' ? await ask(task, REACH_SHARE, { isLarge: true }) : quick;
  return isSettled(any) || behind.kind !== 'proved' ? any : behind;
}

/** Asks about sequences that begin with a reset. */
export async function searchBehindReset(task: SearchTask, beginning: Beginning, share = 1): Promise<Asked> {
  return { ...(await ask(task, share, { beginning })), behindReset: true };
}

async function ask(task: SearchTask, share: number, how: Pick<ReachTask, 'beginning' | 'brief' | 'isLarge'> = {}): Promise<Asked> {
  const result = await reach({ ...task, beginning: undefined, ...how, share });
  return result.kind === 'counterexample' && task.confirm !== undefined ? { ...result, confirmed: await task.confirm(result) } : result;
}

function isSettled({ kind, confirmed }: Asked): boolean {
  return kind === 'proved' || kind === 'cancelled' || confirmed === true;
}
