import type { Span } from '../base/text.ts';
import { isActive } from './conditionals.ts';
import type { Branch } from './conditionals.ts';
import type { Preprocessed, PreprocessProblem, PreprocessProblemCode } from './preprocessed.ts';
import { SourceMapBuilder } from './source-map.ts';

const MAX_LENGTH = 50_000_000;

/** A text being read: the root file, an included file, or the expansion of a macro. */
export interface Frame {
  readonly file: string;
  readonly text: string;
  /** Set in an expansion: the usage in `file` that everything in it stands for. */
  readonly usage: Span | undefined;
  /** Where the root file caused this frame; undefined for the root file. */
  readonly root: Span | undefined;
  readonly depth: number;
  readonly macroNames: readonly string[];
  readonly branches: Branch[];
}

/** What the preprocessor has written so far, and what was wrong. */
export class PreprocessOutput {
  readonly #map: SourceMapBuilder;
  readonly #blanked: string[] = [];
  readonly #inactive: Span[] = [];
  readonly #problems: PreprocessProblem[] = [];
  /** One macro may be wrong several times in one usage. */
  readonly #told = new Set<string>();
  #full = false;

  constructor(rootFile: string) {
    this.#map = new SourceMapBuilder(rootFile);
  }

  /** A limit was passed: nothing further is to be read. */
  get full(): boolean {
    return this.#full;
  }

  build(): Pick<Preprocessed, 'text' | 'map' | 'blanked' | 'inactive' | 'problems'> {
    return { ...this.#map.build(), blanked: this.#blanked.join(''), inactive: this.#inactive, problems: this.#problems };
  }

  /** Copies a piece of a frame, or blanks it in an inactive branch. */
  copy(frame: Frame, start: number, end: number): void {
    if (end <= start) return;
    if (isActive(frame.branches)) {
      const text = frame.text.slice(start, end);
      this.#emit(frame, text, { start, end });
      this.addToBlanked(frame, text);
      return;
    }
    if (frame.root === undefined) {
      const last = this.#inactive.at(-1);
      if (last?.end === start) this.#inactive[this.#inactive.length - 1] = { start: last.start, end };
      else this.#inactive.push({ start, end });
    }
    this.blank(frame, start, end);
  }

  /** Writes blanks in place of a directive, which is not part of an inactive branch. */
  blank(frame: Frame, start: number, end: number): void {
    const blanks = frame.text.slice(start, end).replace(/[^\r\n]/g, ' ');
    this.#emit(frame, blanks, { start, end });
    this.addToBlanked(frame, blanks);
  }

  /** Adds to the root file's own text what the preprocessed text has something else for. */
  addToBlanked(frame: Frame, text: string): void {
    if (frame.root === undefined) this.#blanked.push(text);
  }

  #emit(frame: Frame, text: string, source: Span): void {
    if (this.#map.length + text.length > MAX_LENGTH) {
      this.tooLarge(frame, source, 'beyond 50 million characters');
      return;
    }
    if (frame.usage) this.#map.add(text, 'expansion', frame.file, frame.usage, frame.root ?? frame.usage);
    else this.#map.add(text, 'verbatim', frame.file, source, frame.root ?? source);
  }

  /** Ends the reading; told once. */
  tooLarge(frame: Frame, span: Span, limit: string): void {
    if (!this.#full) this.problem(frame, 'too-large', span, `The text grows ${limit} here; check for macros that multiply.`);
    this.#full = true;
  }

  problem(frame: Frame, code: PreprocessProblemCode, span: Span, message: string): void {
    const place = frame.usage ?? span;
    const key = `${place.start} ${message} ${frame.file}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#problems.push({ code, file: frame.file, span: place, message });
  }
}
