import { withinStack, withinStackInSteps } from '../base/nesting.ts';
import { finish } from '../base/steps.ts';
import type { Steps } from '../base/steps.ts';
import type { Span } from '../base/text.ts';
import { checkInSteps } from '../syntax/checker.ts';
import type { CheckedText } from '../syntax/checker.ts';
import type { Parser, SyntaxTree } from '../syntax/parser.ts';
import type { Preprocessed } from '../syntax/preprocessed.ts';
import { readUnits } from '../syntax/units.ts';
import type { FileSummary } from './items.ts';
import type { FileNames } from './names/model.ts';
import { readNames } from './names/read.ts';
import { summarizePieces } from './piecewise-summary.ts';
import { summarizeWhatFits } from './summary.ts';

/** A syntax problem in offsets of the file that it stands in. */
export interface SyntaxProblem {
  /** Absolute path. */
  readonly file: string;
  readonly span: Span;
  readonly code: string;
  readonly message: string;
  /** A warning is about something that may be right elsewhere, such as a header that is not found. */
  readonly severity: 'error' | 'warning';
}

/** A parsed text. It may hold a syntax tree, which must be freed by `delete`. */
export interface ParsedSource {
  readonly file: string;
  readonly text: string;
  /** Worked out when it is first asked for. */
  readonly summary: FileSummary;
  /** Works out the summary, step by step. */
  summaryInSteps(): Steps<FileSummary>;
  /** In the order of the text. */
  readonly problems: readonly SyntaxProblem[];
  /** Absolute paths of the files that it includes, directly or through others. */
  readonly includes: readonly string[];
  /** Every scope, declaration and use; made when it is first asked for, and valid after `delete`. */
  readonly names: FileNames;
  readonly preprocessed: Preprocessed;
  delete(): void;
}

export interface ParsedTextParts {
  readonly file: string;
  readonly text: string;
  readonly source: Preprocessed;
  /** An earlier version of the same text. */
  readonly previous: ParsedText | undefined;
  /** Milliseconds for each of checking and parsing. */
  readonly deadlineMs: number | undefined;
}

const DEFAULT_DEADLINE_MS = 10_000;

/** Checks, parses and reads names when it is asked to, with what an earlier version of the text has left. */
export class ParsedText implements ParsedSource {
  readonly file: string;
  readonly text: string;
  readonly includes: readonly string[];
  readonly preprocessed: Preprocessed;
  readonly #parser: Parser;
  readonly #deadlineMs: number;
  readonly #checkedBefore: CheckedText | undefined;
  /** The tree of the whole text, until its summary is read. */
  #tree: SyntaxTree | undefined;
  #checked: CheckedText | undefined;
  #problems: readonly SyntaxProblem[] | undefined;
  #summary: FileSummary | undefined;
  #names: FileNames | undefined;

  constructor(parser: Parser, { file, text, source, previous, deadlineMs }: ParsedTextParts) {
    this.#parser = parser;
    this.preprocessed = source;
    this.#deadlineMs = deadlineMs ?? DEFAULT_DEADLINE_MS;
    this.#checkedBefore = previous && (previous.#checked ?? previous.#checkedBefore);
    this.file = file;
    this.text = text;
    this.includes = [...new Set(source.includes.flatMap(({ resolved }) => resolved ?? []))];
  }

  /** Looks for syntax errors; false when the deadline passed, or the text is nested too deeply. */
  check(): boolean {
    return finish(this.checkInSteps());
  }

  /** As `check`, step by step. With `unitDeadlineMs`, only what takes longer than that by itself is left out. */
  *checkInSteps(unitDeadlineMs?: number): Steps<boolean> {
    if (this.#checked) return true;
    const deadlineMs = unitDeadlineMs === undefined ? this.#deadlineMs : Infinity;
    const steps = checkInSteps(this.#parser, this.preprocessed.text, { previous: this.#checkedBefore, deadlineMs, unitDeadlineMs });
    this.#checked = yield* withinStackInSteps(steps, () => undefined);
    return this.#checked !== undefined;
  }

  /** Makes the tree of the whole text; false when the deadline passed. */
  parse(): boolean {
    this.#tree ??= this.#parser.parseWhole(this.preprocessed.text, { deadlineMs: this.#deadlineMs });
    return this.#tree !== undefined;
  }

  get problems(): readonly SyntaxProblem[] {
    this.#problems ??= this.check() ? this.#placedProblems() : [];
    return this.#problems;
  }

  /** A text that takes too long to parse declares nothing. */
  get summary(): FileSummary {
    return (this.#summary ??= finish(this.summaryInSteps()));
  }

  /** As `summary`, step by step. */
  *summaryInSteps(): Steps<FileSummary> {
    return (this.#summary ??= yield* this.#summarize());
  }

  get names(): FileNames {
    return (this.#names ??= readNames(this.file, this.preprocessed.text, this.preprocessed.map));
  }

  /** Frees the tree; what was not worked out yet still can be. */
  delete(): void {
    this.#freeTree();
  }

  #freeTree(): void {
    this.#tree?.delete();
    this.#tree = undefined;
  }

  /** What was checked is read piece by piece. A text without errors is parsed as a whole where that is all that is wanted of it, and says the same. */
  *#summarize(): Steps<FileSummary> {
    const { file, preprocessed } = this;
    const { text, map } = preprocessed;
    const nothing = { file, modules: [], packages: [], primitives: [], items: [] };
    if (!this.#checked) {
      const tree = this.parse() ? this.#tree : undefined;
      if (!tree) return nothing;
      const whole = tree.hasError ? undefined : withinStack(() => summarizeWhatFits(file, text, tree, map), () => nothing);
      this.#freeTree();
      if (whole) return whole;
    }
    const pieces = this.#checked?.units ?? readUnits(text).units.map((unit) => ({ ...unit, identity: unit }));
    return yield* summarizePieces(file, preprocessed, pieces, this.#parser, this.#deadlineMs);
  }

  #placedProblems(): SyntaxProblem[] {
    const { map, problems } = this.preprocessed;
    // What a conditional without an end leaves out may be what closes the blocks before it.
    const isOpen = problems.some(({ code }) => code === 'unbalanced-conditional');
    const told = (this.#checked?.diagnostics ?? []).filter(({ code }) => !isOpen || code !== 'unclosed');
    const syntax = told.map(({ span, code, message }): SyntaxProblem => {
      const place = map.locateSpan(span);
      return { file: place.file, span: place.span, code, message, severity: 'error' };
    });
    const directives = problems.map(
      ({ file, span, code, message }): SyntaxProblem => ({ file, span, code, message, severity: code === 'missing-include' ? 'warning' : 'error' }),
    );
    // A macro that is used wrongly leaves a hole in its line.
    const holes = directives.filter(({ code }) => code === 'bad-macro-usage' || code === 'recursive-macro');
    const isEcho = (problem: SyntaxProblem): boolean => problem.file === this.file && holes.some((hole) => hole.file === this.file && sharesLine(this.text, hole.span, problem.span));
    return [...syntax.filter((problem) => !isEcho(problem)), ...directives].sort((a, b) => a.span.start - b.span.start);
  }
}

function sharesLine(text: string, a: Span, b: Span): boolean {
  return !text.slice(Math.min(a.end, b.end), Math.max(a.start, b.start)).includes('\n');
}
