import { count } from '../verification/value-text.ts';
import type { VerifyResult } from '../verification/verdict.ts';
import type { Candidate, Level, Votes } from './contract.ts';

const ORDER: readonly Level[] = ['proved', 'no-difference', 'testbench', 'compiled'];

/** Best first: what is known about a candidate, then its votes, then how much was compared, then the plainer way to it. */
export function rank(candidates: readonly Candidate[]): Candidate[] {
  const place = ({ level }: Candidate): number => ORDER.indexOf(level);
  const compared = ({ verification }: Candidate): number => verification?.evidence?.comparisons ?? 0;
  return candidates.toSorted(
    (a, b) =>
      place(a) - place(b) ||
      (b.votes?.agree ?? 0) - (a.votes?.agree ?? 0) ||
      compared(b) - compared(a) ||
      a.turn.round - b.turn.round ||
      a.code.length - b.code.length ||
      a.turn.sample - b.turn.sample,
  );
}

/** What is known, in the exact words that people read; nothing is ever called correct. */
export function confidenceOf({ level, verification, votes }: Pick<Candidate, 'level' | 'verification' | 'votes'>, boundInterface: boolean): string {
  const base = boundInterface ? 'compiles, interface matches' : 'compiles';
  switch (level) {
    case 'proved':
      return verification?.verdict === 'equivalent' ? 'proved equivalent' : 'no difference for any input combination';
    case 'no-difference':
      return boundedWords(verification);
    case 'testbench':
      return `${base}, the testbench passed`;
    case 'compiled':
      return `${base}, ${votes === undefined ? 'behaviour not checked' : voteWords(votes)}`;
  }
}

function boundedWords(verification: VerifyResult | undefined): string {
  const evidence = verification?.evidence;
  return evidence === undefined ? 'no difference within a bounded proof' : `no difference in ${count(evidence.comparisons, 'vector')}`;
}

function voteWords({ agree, of, groups }: Votes): string {
  if (of === 1 || agree > 1) return `${agree} of ${of} agree`;
  return groups[0] === 1 ? `no two of ${of} agree` : `none of the ${of - 1} others ${of === 2 ? 'agrees' : 'agree'}`;
}

/** How a comparison with the golden places a code; undefined where it speaks against it. */
export function levelOf({ verdict, evidence, reason }: VerifyResult): Level | undefined {
  switch (verdict) {
    case 'equivalent':
      return 'proved';
    case 'no-difference':
      return evidence?.exhaustive === true ? 'proved' : 'no-difference';
    case 'different':
    case 'interface-mismatch':
      return undefined;
    case 'timeout':
      // The golden ended under the same stimulus: the module hangs.
      return reason.startsWith('The DUT did not finish') ? undefined : 'compiled';
    case 'inconclusive':
    case 'tool-error':
    case 'bad-input':
    case 'cancelled':
      return 'compiled';
  }
}
