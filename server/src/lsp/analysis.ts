import { dirname, join } from 'node:path';
import type { Core, ParsedSource, SourceContext } from '../core.ts';
import type { Span } from '../base/text.ts';
import type { Finding } from '../features/finding.ts';
import { outlineOf, outlineOfInSteps } from '../features/module-info.ts';
import { outlineSymbols } from '../features/outline.ts';
import type { FileOutline } from '../features/outline.ts';
import type { FileSummary } from '../analysis/items.ts';
import { finish, inSlices } from '../base/steps.ts';
import type { Steps } from '../base/steps.ts';
import { preprocessedAgain } from '../syntax/preprocess-again.ts';
import type { PlacedText } from './convert.ts';
import type { Preprocessings } from './preprocessings.ts';
import { SharedSlices } from './shared-slices.ts';

/** An open document that takes longer to check at once is checked behind the typing. */
const typingDeadlineMs = 300;

/** Longer documents are read in slices from the beginning. */
export const longText = 150_000;

/** A file that parses slower than this is left out of the search for modules; nothing else is answered meanwhile. */
const searchDeadlineMs = 3000;

/** What the last parse of a text says, worked out when it is asked for. */
export interface Analysis {
  readonly outline: FileOutline;
  readonly findings: readonly Finding[];
  readonly includes: readonly string[];
  /** What conditionals leave out of the file. */
  readonly inactive: readonly Span[];
}

interface Entry {
  readonly text: PlacedText;
  /** The included files may have changed since. */
  outdated: boolean;
  readonly context: SourceContext;
  readonly parsed: ParsedSource;
  readonly analysis: Analysis;
  /** Works out the outline of the analysis. */
  outlineInSteps(): Steps<FileOutline>;
}

const NOTHING: Analysis = { outline: { modules: [], packages: [], others: [], symbols: [], includes: [] }, findings: [], includes: [], inactive: [] };

/** What is asked of the core. */
export type Parsing = Pick<Core, 'parse' | 'parseInSteps'>;

/** Parses texts; what was found out about open documents is kept for their next versions. */
export class Analyses {
  readonly #core: Parsing;
  readonly #preprocessings: Preprocessings;
  readonly #kept = new Map<string, Entry>();
  readonly #reading = new SharedSlices<string>();
  /** Files that are read in slices, unless they were closed. */
  readonly #wanted = new Set<string>();
  /** Open files that took too long to be read at once. */
  readonly #slow = new Set<string>();

  constructor(core: Parsing, preprocessings: Preprocessings) {
    this.#core = core;
    this.#preprocessings = preprocessings;
  }

  /**
   * Of a text whose file is open; reuses what did not change. A text that takes too long to be read at once keeps its last
   * analysis until it is read in steps.
   */
  ofOpen(file: string, text: PlacedText, context: SourceContext): Analysis {
    const before = this.#kept.get(file);
    if (before && this.isCurrent(file, text, context)) return before.analysis;
    const known = before?.analysis ?? NOTHING;
    if (text.text.length > longText || this.#slow.has(file)) return known;
    const { source } = this.#preprocessings.of(file, text, context);
    const parsed = this.#core.parse({ file, text: text.text, context, previous: before?.parsed, deadlineMs: typingDeadlineMs, source });
    if (parsed) return this.#keep(file, text, context, parsed);
    this.#slow.add(file);
    return known;
  }

  /** Whether the analysis of an open file is of this text. */
  isCurrent(file: string, text: PlacedText, context: SourceContext): boolean {
    const kept = this.#kept.get(file);
    return kept?.text === text && kept.context === context && !kept.outdated;
  }

  /**
   * Reads a text whose file is open in slices, however long that takes, so that `ofOpen` has it at hand, though what it includes
   * may have changed meanwhile. False when it could not be read. `pause` ends the wait by throwing.
   */
  async read(file: string, text: PlacedText, context: SourceContext, pause: () => Promise<unknown>): Promise<boolean> {
    // Another version may be under way.
    if (this.#reading.isRunning(file)) await this.#reading.wait(file, () => this.#inSteps(file, text, context), pause);
    if (!this.isCurrent(file, text, context)) await this.#reading.wait(file, () => this.#inSteps(file, text, context), pause);
    const kept = this.#kept.get(file);
    return kept?.text === text && kept.context === context;
  }

  *#inSteps(file: string, text: PlacedText, context: SourceContext): Steps<void> {
    this.#wanted.add(file);
    const preprocessing = yield* this.#preprocessings.inSteps(file, text, context);
    const { source } = preprocessing;
    const parsed = yield* this.#core.parseInSteps({ file, text: text.text, context, previous: this.#kept.get(file)?.parsed, source });
    if (parsed && this.#wanted.has(file)) this.#keep(file, text, context, parsed, !this.#preprocessings.isFresh(preprocessing, text, context));
    else parsed?.delete();
  }

  #keep(file: string, text: PlacedText, context: SourceContext, parsed: ParsedSource, outdated = false): Analysis {
    this.#kept.get(file)?.parsed.delete();
    const { analysis, outlineInSteps } = analyze(parsed);
    this.#kept.set(file, { text, outdated, context, parsed, analysis, outlineInSteps });
    return analysis;
  }

  /** Works out what an open file declares, in slices. */
  async readOutline(file: string, pause: () => Promise<unknown>): Promise<void> {
    const kept = this.#kept.get(file);
    if (kept) await inSlices(kept.outlineInSteps(), pause);
  }

  /** What a text declares that is looked at once; errors are not looked for. `looked`: absolute paths of what it includes, and where what was not found was looked for. */
  once(file: string, text: PlacedText, context: SourceContext): { readonly outline: FileOutline; readonly looked: readonly string[] } | undefined {
    const parsed = this.#core.parse({ file, text: text.text, context, deadlineMs: searchDeadlineMs, first: 'summary' });
    if (!parsed) return undefined;
    const outline = { ...outlineOf(parsed.summary), includes: parsed.includes, symbols: outlineSymbols(parsed) };
    const missing = parsed.preprocessed.includes.flatMap((include) => (include.resolved === undefined ? [dirname(include.file), ...context.includeDirs].map((folder) => join(folder, include.name)) : []));
    parsed.delete();
    return { outline, looked: [...new Set([...parsed.includes, ...missing])] };
  }

  /** The parse of an open file as it is. */
  parsedOf(file: string, text: PlacedText, context: SourceContext): ParsedSource | undefined {
    this.ofOpen(file, text, context);
    const entry = this.#kept.get(file);
    return entry?.text === text ? entry.parsed : undefined;
  }

  /** What a file declares in full, of a file that is looked at once. */
  summaryOnce(file: string, text: PlacedText, context: SourceContext): FileSummary | undefined {
    const parsed = this.#core.parse({ file, text: text.text, context, deadlineMs: searchDeadlineMs, first: 'summary' });
    if (!parsed) return undefined;
    const { summary } = parsed;
    parsed.delete();
    return summary;
  }

  /** What would be found in an open file with another text, step by step. */
  *findingsInSteps(file: string, text: string, context: SourceContext): Steps<readonly Finding[] | undefined> {
    const kept = this.#kept.get(file);
    const source = kept?.context === context && !kept.outdated ? preprocessedAgain(kept.parsed.preprocessed, file, kept.text.text, text) : undefined;
    const parsed = yield* this.#core.parseInSteps({ file, text, context, previous: kept?.parsed, source });
    const findings = parsed && findingsOf(parsed);
    parsed?.delete();
    return findings;
  }

  /** As `findingsInSteps`; undefined when that takes too long to find out. */
  findingsIn(file: string, text: string, context: SourceContext, deadlineMs: number): readonly Finding[] | undefined {
    const parsed = this.#core.parse({ file, text, context, previous: this.#kept.get(file)?.parsed, deadlineMs });
    if (!parsed) return undefined;
    const findings = findingsOf(parsed);
    parsed.delete();
    return findings;
  }

  /** Open files that include `file`, or are read in another context than before; their analyses are outdated from now on. */
  outdate(file: string, contextOf: (file: string) => SourceContext): string[] {
    const users = [...this.#kept].filter(([user, { analysis, context }]) => analysis.includes.includes(file) || contextOf(user) !== context);
    for (const [, entry] of users) entry.outdated = true;
    return users.map(([user]) => user);
  }

  /** A file appeared or vanished: any include may lead elsewhere now. */
  outdateAll(): void {
    for (const entry of this.#kept.values()) entry.outdated = true;
  }

  /** Whether there is no analysis of an open file that is newer than this one. */
  isNewest(file: string, analysis: Analysis): boolean {
    return this.#kept.get(file)?.analysis === analysis;
  }

  /** Frees the tree of a file. */
  drop(file: string): void {
    this.#kept.get(file)?.parsed.delete();
    this.#kept.delete(file);
    this.#wanted.delete(file);
    this.#slow.delete(file);
  }

  dropAll(): void {
    for (const file of [...this.#kept.keys()]) this.drop(file);
  }

  /** Files whose trees are alive. */
  get kept(): readonly string[] {
    return [...this.#kept.keys()];
  }
}

function analyze(parsed: ParsedSource): Pick<Entry, 'analysis' | 'outlineInSteps'> {
  let outline: FileOutline | undefined;
  const outlineInSteps = function* (): Steps<FileOutline> {
    return (outline ??= {
      ...(yield* outlineOfInSteps(yield* parsed.summaryInSteps())),
      includes: parsed.includes,
      // Reading all names is not for each key press; it waits until somebody asks.
      get symbols() {
        return outlineSymbols(parsed);
      },
    });
  };
  const analysis: Analysis = {
    get outline() {
      return finish(outlineInSteps());
    },
    includes: parsed.includes,
    inactive: parsed.preprocessed.inactive,
    get findings() {
      return findingsOf(parsed);
    },
  };
  return { analysis, outlineInSteps };
}

function findingsOf(parsed: ParsedSource): Finding[] {
  return parsed.problems.map(({ file, span, code, message, severity }) => ({ file, place: { kind: 'span', span }, severity, code, message, related: [] }));
}
