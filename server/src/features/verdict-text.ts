import { grouped } from '../base/text.ts';
import { twoStateSimulator, type Fix, type FixSearch, type Suspect, type VerifyResult } from '../verification/verdict.ts';
import { count } from '../verification/value-text.ts';

/** The parts of a result that its one-line text depends on. */
export type VerdictFacts = Pick<VerifyResult, 'verdict' | 'evidence' | 'mismatch' | 'interfaceIssues' | 'clocks' | 'engines'>;

/** A verdict in a few words. Only a proof is called equivalent, and a run without a verdict is never a tick. */
export function verdictLabel(facts: VerdictFacts): string {
  switch (facts.verdict) {
    case 'equivalent':
      return '✓ Equivalent (proved)';
    case 'no-difference':
      return `✓ No difference ${reach(facts)}${simulator(facts)}`;
    case 'different':
      return `${differentLabel(facts)}${simulator(facts)}`;
    case 'inconclusive':
      return 'Inconclusive';
    case 'interface-mismatch':
      return facts.interfaceIssues.length === 0 ? 'Interface mismatch' : `Interface mismatch: ${count(facts.interfaceIssues.length, 'port problem')}`;
    case 'timeout':
      return facts.evidence ? `Timeout: no difference in ${count(facts.evidence.comparisons, 'comparison')} so far` : 'Timeout: nothing compared yet';
    case 'tool-error':
      return 'No verdict: the tools could not run it';
    case 'bad-input':
      return 'No verdict: problem in the sources';
    case 'cancelled':
      return 'Cancelled: no verdict';
  }
}

function reach({ evidence }: VerdictFacts): string {
  if (!evidence) return 'found';
  return evidence.exhaustive ? 'for any input combination' : `in ${count(evidence.comparisons, 'comparison')}`;
}

/** A simulator that does not know every value is named. */
function simulator({ engines }: VerdictFacts): string {
  const name = twoStateSimulator(engines);
  return name === undefined ? '' : ` (${name}, 0 and 1 only)`;
}

/** Cycles are named only where a clock makes them. */
function differentLabel({ mismatch, clocks }: VerdictFacts): string {
  if (!mismatch) return '✗ Different';
  return clocks.length === 0 ? `✗ Different: ${mismatch.output}` : `✗ Different: ${mismatch.output} at cycle ${grouped(mismatch.cycle)}`;
}

/** The text of a verdict whose sources were edited after the run. */
export function staleLabel(label: string): string {
  return `Stale: edited since (was ${label})`;
}

/** A possible cause: its code, and what was seen of it. */
export function suspectText({ text, note }: Pick<Suspect, 'text' | 'note'>): string {
  return note === undefined ? text : `${text} – ${note}`;
}

/** What a small change of the DUT is, and what is known of it. */
export function fixText(fix: Fix): string {
  return `${fix.before}  →  ${fix.after}  (${fixVerdict(fix)})`;
}

/** What is known of the DUT with a change. */
export function fixVerdict({ verdict }: Pick<Fix, 'verdict'>): string {
  return verdict === 'equivalent' ? 'then proved equivalent' : 'then no difference is found';
}

/** Why there is no small change to tell; `whose`: of what they would have been. */
export function noFixText({ tried, total }: FixSearch, whose: string): string {
  if (total === 0) return `No small change of ${whose} could be tried.`;
  if (tried === total) return `None of the ${count(total, 'small change')} of ${whose} makes it right.`;
  return `None of the likeliest ${count(tried, 'small change')} of ${whose} makes it right; of the other ${grouped(total - tried)} nothing is known.`;
}
