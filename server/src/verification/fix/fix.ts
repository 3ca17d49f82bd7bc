/** A small change of the DUT that makes it right: each that there is near the likely causes is tried. */
import type { DesignSource, LoadedDesign } from '../../analysis/design.ts';
import { onOneLine, type Span } from '../../base/text.ts';
import type { Parser } from '../../syntax/parser.ts';
import { placesIn, preprocessedSource } from '../coverage/watched.ts';
import type { TimeBudget } from '../time-budget.ts';
import type { Fix, FixSearch, Suspect, VerdictKind, VerifyResult } from '../verdict.ts';
import { changesOf } from './changes.ts';

/** Fixes that are told. */
const MOST_FIXES = 3;
/** Changes that passed the short look and are verified as a whole. */
const MOST_VERIFIED = 12;
/** Changes that are tried, the likeliest ones. */
const MOST_TRIED = 3000;
/** Changes that are tried side by side; a number that does not depend on the machine, so that the answer does not either. */
const AT_ONCE = 8;
const LONGEST_TEXT = 60;
/** Verdicts that say nothing of a change: a change may make the DUT hang, and a search may be stopped. */
const UNDECIDED: ReadonlySet<VerdictKind> = new Set<VerdictKind>(['timeout', 'inconclusive', 'cancelled']);
/** Sources above this length are not read. */
const MOST_TEXT = 500_000;

/** How much is done for a verdict: a look that tells most wrong changes, that and a proof, or all there is. */
export type Look = 'shortly' | 'by proof' | 'whole';

export interface FixOptions {
  readonly dut: LoadedDesign;
  /** What these files hold is given, but for the DUT itself: they belong to the golden, too. */
  readonly shared: ReadonlySet<string>;
  readonly suspects: readonly Suspect[];
  readonly parser: Parser;
  /** Of the search. */
  readonly time: TimeBudget;
  /** Compares the DUT with another text of one of its files. */
  readonly verify: (file: string, text: string, how: Look) => Promise<VerifyResult>;
  readonly progress: (share: number) => void;
}

/** A change in a source of the DUT. */
interface Candidate {
  readonly source: DesignSource;
  readonly span: Span;
  readonly text: string;
  readonly around: Span;
  /** How suspicious the place is and how plain the change, 0 the most. */
  readonly rank: readonly [number, number];
}

/**
 * Tries the small changes of the DUT, those in the suspects first, until one is proved right; what passes a short look is verified as a whole. A fix is a hint: it makes
 * the DUT do what the golden does, and need not be what its author meant.
 */
export async function findFixes(options: FixOptions): Promise<FixSearch> {
  const { dut, time, progress } = options;
  const verify = (candidate: Candidate, how: Look): Promise<VerifyResult> => options.verify(candidate.source.file, changed(candidate), how);
  const candidates = await candidatesOf(options);
  const fixes: Fix[] = [];
  const isProved = (): boolean => fixes.some(({ verdict }) => verdict === 'equivalent');
  let [next, undecided] = [0, 0];
  let verified = 0;
  while (next < candidates.length && fixes.length < MOST_FIXES && verified < MOST_VERIFIED && !isProved() && !time.isOver() && time.elapsedMs() < time.ms) {
    progress(next / candidates.length);
    const together = candidates.slice(next, next + AT_ONCE);
    const results = await Promise.all(together.map((candidate) => verify(candidate, 'shortly')));
    next += together.length;
    undecided += results.filter(({ verdict }) => UNDECIDED.has(verdict)).length;
    for (const candidate of together.filter((_, index) => isRight(results[index]?.verdict)).slice(0, MOST_FIXES - fixes.length)) {
      verified++;
      const { verdict, reason } = await verify(candidate, isProved() ? 'by proof' : 'whole');
      if (verdict === 'equivalent' || (verdict === 'no-difference' && !isProved())) fixes.push({ ...fixAt(dut, candidate), verdict, reason });
    }
  }
  const rank = ({ verdict }: Fix): number => (verdict === 'equivalent' ? 0 : 1);
  return { tried: next - undecided, total: candidates.length, fixes: fixes.sort((a, b) => rank(a) - rank(b)) };
}

function isRight(verdict: VerdictKind | undefined): verdict is Fix['verdict'] {
  return verdict === 'no-difference' || verdict === 'equivalent';
}

async function candidatesOf({ dut, shared, suspects, parser }: FixOptions): Promise<Candidate[]> {
  const { input, sources } = dut;
  const at = placesIn(dut);
  /** The place of the suspect that it is in, else of one on its line: the one that is told of a line need not be the only one. */
  const suspicion = (file: string, span: Span): number => {
    const within = suspects.findIndex((suspect) => suspect.file === file && span.start >= suspect.span.start && span.end <= suspect.span.end);
    const line = within >= 0 ? undefined : at({ file, span }).line;
    const beside = suspects.findIndex((suspect) => suspect.file === file && suspect.line === line);
    return within >= 0 ? 2 * within : beside >= 0 ? 2 * beside + 1 : 2 * suspects.length;
  };
  const found: Candidate[] = [];
  const seen = new Set<string>();
  for (const source of sources.filter(({ file, text }) => (!shared.has(file) || file === input.file) && text.length <= MOST_TEXT)) {
    const { file } = source;
    const { text, map } = await preprocessedSource(dut, source);
    using tree = parser.parse(text);
    if (tree === undefined) continue;
    const own = (span: Span): Span | undefined => {
      const place = map.locateSpan(span);
      return place.exact && place.file === file && source.text.slice(place.span.start, place.span.end) === text.slice(span.start, span.end) ? place.span : undefined;
    };
    for (const change of changesOf(tree.rootNode, text, shared.has(file) ? dut.module.name : undefined)) {
      const span = own(change.span);
      const key = span && JSON.stringify([file, span, change.text]);
      if (span === undefined || key === undefined || seen.has(key)) continue;
      seen.add(key);
      found.push({ source, span, text: change.text, around: own(change.around) ?? span, rank: [suspicion(file, span), change.effort] });
    }
  }
  return found.sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1]).slice(0, MOST_TRIED);
}

function changed({ source, span, text }: Pick<Candidate, 'source' | 'span' | 'text'>): string {
  return source.text.slice(0, span.start) + text + source.text.slice(span.end);
}

function fixAt(dut: LoadedDesign, { source: { file, text: source }, span, text, around }: Candidate): Omit<Fix, 'verdict' | 'reason'> {
  const short = (code: string): string => onOneLine(code, LONGEST_TEXT);
  const before = source.slice(around.start, around.end);
  const after = source.slice(around.start, span.start) + text + source.slice(span.end, around.end);
  // Of long code only what changes is shown.
  const isShort = before.length <= LONGEST_TEXT && after.length <= LONGEST_TEXT;
  return { ...placesIn(dut)({ file, span }), file, span, text, before: isShort ? short(before) : short(source.slice(span.start, span.end)), after: isShort ? short(after) : short(text) };
}
