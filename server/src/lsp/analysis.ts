import { dirname, join } from 'node:path';
import type { Core, ParsedSource, SourceContext } from '../core.ts';
import type { Span } from '../base/text.ts';
import type { Finding } from '../features/finding.ts';
import { outlineOf } from '../features/module-info.ts';
import { outlineSymbols } from '../features/outline.ts';
import type { FileOutline } from '../features/outline.ts';
import type { FileSummary } from '../analysis/items.ts';
import type { PlacedText } from './convert.ts';

/** An open document that parses slower than this keeps its last analysis, so that typing never waits longer. */
const typingDeadlineMs = 2000;

/** A document that took longer rests for this many times as long before it is tried again, whatever is typed or asked meanwhile. */
const rest = 30;

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
}

/** Parses texts; the trees of open documents are kept for the next parse, and freed when they close. */
export class Analyses {
  readonly #core: Pick<Core, 'parse'>;
  readonly #kept = new Map<string, Entry>();
  /** Open files that took too long, and when they are tried again. */
  readonly #resting = new Map<string, number>();
  readonly #now: () => number;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(core: Pick<Core, 'parse'>, now: () => number = () => performance.now()) {
    this.#core = core;
    this.#now = now;
  }

  /** Of a text whose file is open; reuses what did not change. A text that takes too long to parse keeps its last analysis. */
  ofOpen(file: string, text: PlacedText, context: SourceContext): Analysis {
    const before = this.#kept.get(file);
    if (before?.text === text && before.context === context && !before.outdated) return before.analysis;
    const known = before?.analysis ?? { outline: { modules: [], packages: [], others: [], symbols: [], includes: [] }, findings: [], includes: [], inactive: [] };
    const started = this.#now();
    if (started < (this.#resting.get(file) ?? 0)) return known;
    const parsed = this.#core.parse({ file, text: text.text, context, previous: before?.parsed, deadlineMs: typingDeadlineMs });
    if (!parsed) {
      this.#resting.set(file, this.#now() + rest * (this.#now() - started));
      return known;
    }
    this.#resting.delete(file);
    before?.parsed.delete();
    const analysis = analyze(parsed);
    this.#kept.set(file, { text, outdated: false, context, parsed, analysis });
    return analysis;
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

  /** What would be found in an open file with another text; undefined when that takes too long to find out. */
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

  /** The text that was analysed last, of an open file. */
  textOf(file: string): string | undefined {
    return this.#kept.get(file)?.text.text;
  }

  /** Frees the tree of a file. */
  drop(file: string): void {
    this.#kept.get(file)?.parsed.delete();
    this.#kept.delete(file);
    this.#resting.delete(file);
  }

  dropAll(): void {
    for (const file of [...this.#kept.keys()]) this.drop(file);
  }

  /** Files whose trees are alive. */
  get kept(): readonly string[] {
    return [...this.#kept.keys()];
  }
}

function analyze(parsed: ParsedSource): Analysis {
  let outline: FileOutline | undefined;
  return {
    get outline() {
      outline ??= {
        ...outlineOf(parsed.summary),
        includes: parsed.includes,
        // Reading all names is not for each key press; it waits until somebody asks.
        get symbols() {
          return outlineSymbols(parsed);
        },
      };
      return outline;
    },
    includes: parsed.includes,
    inactive: parsed.preprocessed.inactive,
    get findings() {
      return findingsOf(parsed);
    },
  };
}

function findingsOf(parsed: ParsedSource): Finding[] {
  return parsed.problems.map(({ file, span, code, message, severity }) => ({ file, place: { kind: 'span', span }, severity, code, message, related: [] }));
}
