/** A small change of the DUT that makes it right: each that there is near the likely causes is tried. */
import type { LoadedDesign } from '../../analysis/design.ts';
import { diskFiles, memoryFiles } from '../../base/files.ts';
import type { Span } from '../../base/text.ts';
import type { Parser } from '../../syntax/parser.ts';
import { preprocessFile } from '../../syntax/source.ts';
import { placesIn } from '../coverage/watched.ts';
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
/** Sources above this length are not read. */
const MOST_TEXT = 500_000;

export interface FixOptions {
  readonly dut: LoadedDesign;
  readonly suspects: readonly Suspect[];
  readonly parser: Parser;
  /** Of the search. */
  readonly time: TimeBudget;
  /** Compares the DUT with another text of its file: with a look that tells most wrong ones, with that and a proof, or with all there is. */
  readonly verify: (text: string, how: 'shortly' | 'by proof' | 'whole') => Promise<VerifyResult>;
  readonly progress: (share: number) => void;
}

/** A change in the DUT's own file. */
interface Candidate {
  readonly span: Span;
  readonly text: string;
  readonly around: Span;
  readonly rank: number;
}

/**
 * Tries the small changes of the DUT's file, those in the suspects first, until one is proved right; what passes a short look is verified as a whole. A fix is a hint: it makes
 * the DUT do what the golden does, and need not be what its author meant.
 */
export async function findFixes(options: FixOptions): Promise<FixSearch> {
  const { dut, time, verify, progress } = options;
  const source = dut.sources.find(({ file }) => file === dut.input.file)?.text ?? '';
  const candidates = await candidatesIn(options, source);
  const fixes: Fix[] = [];
  const isProved = (): boolean => fixes.some(({ verdict }) => verdict === 'equivalent');
  let tried = 0;
  let verified = 0;
  while (tried < candidates.length && fixes.length < MOST_FIXES && verified < MOST_VERIFIED && !isProved() && !time.isOver() && time.elapsedMs() < time.ms) {
    progress(tried / candidates.length);
    const together = candidates.slice(tried, tried + AT_ONCE);
    const results = await Promise.all(together.map((candidate) => verify(changed(source, candidate), 'shortly')));
    tried += together.length;
    for (const candidate of together.filter((_, index) => isRight(results[index]?.verdict)).slice(0, MOST_FIXES - fixes.length)) {
      verified++;
      const { verdict, reason } = await verify(changed(source, candidate), isProved() ? 'by proof' : 'whole');
      if (verdict === 'equivalent' || (verdict === 'no-difference' && !isProved())) fixes.push({ ...fixAt(dut, source, candidate), verdict, reason });
    }
  }
  const rank = ({ verdict }: Fix): number => (verdict === 'equivalent' ? 0 : 1);
  return { tried, total: candidates.length, fixes: fixes.sort((a, b) => rank(a) - rank(b)) };
}

function isRight(verdict: VerdictKind | undefined): verdict is Fix['verdict'] {
  return verdict === 'no-difference' || verdict === 'equivalent';
}

async function candidatesIn({ dut, suspects, parser }: FixOptions, source: string): Promise<Candidate[]> {
  const { input, includes, sources } = dut;
  if (source === '' || source.length > MOST_TEXT) return [];
  const files = memoryFiles(new Map([...includes, ...sources].map(({ file, text }) => [file, text])), diskFiles);
  const { text, map } = await preprocessFile(input.file, source, { defines: input.defines, includeDirs: input.includeDirs }, files);
  const tree = parser.parse(text);
  if (tree === undefined) return [];
  try {
    const own = (span: Span): Span | undefined => {
      const place = map.locateSpan(span);
      return place.exact && place.file === input.file && source.slice(place.span.start, place.span.end) === text.slice(span.start, span.end) ? place.span : undefined;
    };
    const at = placesIn(dut);
    /** The place of the suspect that it is in, else of one on its line: the one that is told of a line need not be the only one. */
    const suspicion = (span: Span): number => {
      const within = suspects.findIndex((suspect) => suspect.file === input.file && span.start >= suspect.span.start && span.end <= suspect.span.end);
      const line = within >= 0 ? undefined : at({ file: input.file, span }).line;
      const beside = suspects.findIndex((suspect) => suspect.file === input.file && suspect.line === line);
      return within >= 0 ? 2 * within : beside >= 0 ? 2 * beside + 1 : 2 * suspects.length;
    };
    const seen = new Set<string>();
    const found = changesOf(tree.rootNode, text).flatMap((change, index): Candidate[] => {
      const span = own(change.span);
      if (span === undefined || seen.has(`${String(span.start)} ${String(span.end)} ${change.text}`)) return [];
      seen.add(`${String(span.start)} ${String(span.end)} ${change.text}`);
      return [{ span, text: change.text, around: own(change.around) ?? span, rank: suspicion(span) * 1e8 + change.effort * 1e7 + index }];
    });
    return found.sort((a, b) => a.rank - b.rank).slice(0, MOST_TRIED);
  } finally {
    tree.delete();
  }
}

function changed(source: string, { span, text }: Pick<Candidate, 'span' | 'text'>): string {
  return source.slice(0, span.start) + text + source.slice(span.end);
}

function fixAt(dut: LoadedDesign, source: string, { span, text, around }: Candidate): Omit<Fix, 'verdict' | 'reason'> {
  const file = dut.input.file;
  const short = (code: string): string => {
    const line = code.replace(/\s+/g, ' ').trim();
    return line.length <= LONGEST_TEXT ? line : `${line.slice(0, LONGEST_TEXT - 1)}…`;
  };
  const before = source.slice(around.start, around.end);
  const after = source.slice(around.start, span.start) + text + source.slice(span.end, around.end);
  // Of long code only what changes is shown.
  const isShort = before.length <= LONGEST_TEXT && after.length <= LONGEST_TEXT;
  return { ...placesIn(dut)({ file, span }), file, span, text, before: isShort ? short(before) : short(source.slice(span.start, span.end)), after: isShort ? short(after) : short(text) };
}
