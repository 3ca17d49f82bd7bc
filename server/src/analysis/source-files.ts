import type { FileReader } from '../base/files.ts';
import { LineIndex } from '../base/text.ts';
import { changesMacros } from '../syntax/compilation-unit.ts';
import type { Macros } from '../syntax/compilation-unit.ts';
import { syntaxDiagnostics } from '../syntax/diagnostics.ts';
import type { Parser } from '../syntax/parser.ts';
import type { Preprocessed } from '../syntax/preprocessed.ts';
import { preprocessFile } from '../syntax/source.ts';
import type { TextCache } from '../syntax/source.ts';
import type { SourceMap } from '../syntax/source-map.ts';
import type { DesignInput, DesignSource, OutsideUse, SourceProblem } from './design.ts';
import type { FileSummary } from './items.ts';
import { IncludeFence, outsideMatches } from './outside.ts';
import { summarize } from './summary.ts';
import { UnitMacros } from './unit-macros.ts';

export interface LoadEnvironment {
  readonly parser: Parser;
  readonly files: FileReader;
}

/** A file that was read and summarized. */
export interface LoadedFile {
  readonly file: string;
  readonly text: string;
  /** After preprocessing, where packages and modules are looked for by name. */
  readonly expanded: string;
  readonly summary: FileSummary;
  readonly problems: SourceProblem[];
  readonly outside: readonly OutsideUse[];
  readonly map: SourceMap;
}

/** Reads, preprocesses and summarizes the files of a design, each once. */
export class SourceFiles {
  readonly #input: DesignInput;
  readonly #env: LoadEnvironment;
  readonly #cache: TextCache = new Map();
  readonly #loaded = new Map<string, LoadedFile | undefined>();
  readonly #included = new Map<string, string>();
  readonly #units: readonly UnitMacros[];
  #fence: IncludeFence | undefined;
  /** Includes that reach beyond the project, and texts that have no end. */
  readonly refusals: SourceProblem[] = [];

  constructor(input: DesignInput, env: LoadEnvironment) {
    this.#input = input;
    this.#env = env;
    for (const [path, text] of Object.entries(input.texts ?? {})) this.#cache.set(path, text);
    if (input.text !== undefined) this.#cache.set(input.file, input.text);
    this.#units = (input.units ?? []).map((unit) => new UnitMacros(unit, (file, before) => this.#macrosBehind(file, before), (file) => this.#cache.get(file)));
  }

  /** Files that were read so far, in that order. */
  get all(): readonly LoadedFile[] {
    return [...this.#loaded.values()].filter((file) => file !== undefined);
  }

  /** Files that those which were read include, as far as they were found. */
  get includes(): readonly DesignSource[] {
    return [...this.#included].map(([file, text]) => ({ file, text }));
  }

  /** Undefined for a file that cannot be read. */
  async textOf(file: string): Promise<string | undefined> {
    if (!this.#cache.has(file)) this.#cache.set(file, await this.#env.files.read(file));
    return this.#cache.get(file);
  }

  /** Paths of what a folder holds; none for what is no folder. */
  list(folder: string): Promise<readonly string[]> {
    return this.#env.files.list(folder);
  }

  /** Undefined where a file cannot be read, is refused or takes too long to parse. */
  async load(file: string): Promise<LoadedFile | undefined> {
    if (this.#loaded.has(file)) return this.#loaded.get(file);
    const loaded = await this.#parseFile(file);
    this.#loaded.set(file, loaded);
    return loaded;
  }

  /** The compilation unit of a file, where a file list makes one. */
  unitOf(file: string): UnitMacros | undefined {
    return this.#units.find((unit) => unit.has(file));
  }

  /** A problem at an offset of a file that was read. */
  problem(file: string, offset: number, message: string): SourceProblem {
    return new Places((path) => this.#cache.get(path)).problem(file, offset, message);
  }

  async #parseFile(file: string): Promise<LoadedFile | undefined> {
    const text = await this.textOf(file);
    if (text === undefined) return undefined;
    const { result, fence } = await this.#preprocess(file, text, await this.unitOf(file)?.before(file));
    const places = new Places((path) => this.#cache.get(path));
    if (this.#refuse(result, fence, places)) return undefined;
    for (const include of result.includes) {
      const found = include.resolved === undefined ? undefined : this.#cache.get(include.resolved);
      if (include.resolved !== undefined && found !== undefined) this.#included.set(include.resolved, found);
    }
    using tree = this.#env.parser.parseWhole(result.text);
    if (!tree) return undefined;
    const summary = summarize(file, result.text, tree, result.map);
    const syntax = syntaxDiagnostics(tree, result.text).map((diagnostic) => {
      const place = result.map.locateSpan(diagnostic.span);
      return places.problem(place.file, place.span.start, diagnostic.message);
    });
    const preprocessing = result.problems.map((problem) => places.problem(problem.file, problem.span.start, problem.message));
    const outside = outsideMatches(result.text).map(({ offset, ...use }): OutsideUse => {
      const place = result.map.locate(offset);
      return { ...use, file: place.file, ...places.position(place.file, place.span.start) };
    });
    return { file, text, expanded: result.text, summary, problems: [...syntax, ...preprocessing], outside, map: result.map };
  }

  async #preprocess(file: string, text: string, macros: Macros | undefined): Promise<{ readonly result: Preprocessed; readonly fence: IncludeFence }> {
    const { defines, includeDirs } = this.#input;
    this.#fence ??= await IncludeFence.around(this.#input, this.#env.files);
    const fence = this.#fence;
    const inside = { read: (path: string) => (fence.allows(path) ? this.#env.files.read(path) : Promise.resolve(undefined)) };
    return { result: await preprocessFile(file, text, { defines, includeDirs, macros }, inside, this.#cache), fence };
  }

  async #macrosBehind(file: string, before: Macros | undefined): Promise<Macros | undefined> {
    const text = await this.textOf(file);
    return text !== undefined && changesMacros(text) ? (await this.#preprocess(file, text, before)).result.macros : before;
  }

  /** Notes what keeps a file from being read any further; says whether there is such a thing. */
  #refuse(result: Preprocessed, fence: IncludeFence, places: Places): boolean {
    const before = this.refusals.length;
    for (const include of result.includes) {
      if (include.resolved !== undefined || !fence.refuses(include)) continue;
      const message = `The file "${include.name}" lies outside the project, so it is not included; give its folder as an include folder and name it relative to that.`;
      this.refusals.push(places.problem(include.file, include.span.start, message));
    }
    for (const { code, file, span, message } of result.problems) {
      if (code === 'too-large' || code === 'recursive-macro' || code === 'include-cycle') this.refusals.push(places.problem(file, span.start, message));
    }
    return this.refusals.length > before;
  }
}

/** Turns offsets of several files into lines and columns. */
class Places {
  readonly #read: (file: string) => string | undefined;
  readonly #indexes = new Map<string, LineIndex>();

  constructor(read: (file: string) => string | undefined) {
    this.#read = read;
  }

  problem(file: string, offset: number, message: string): SourceProblem {
    return { file, ...this.position(file, offset), message };
  }

  position(file: string, offset: number): { line: number; character: number } {
    let index = this.#indexes.get(file);
    if (!index) {
      index = new LineIndex(this.#read(file) ?? '');
      this.#indexes.set(file, index);
    }
    return index.position(offset);
  }
}
