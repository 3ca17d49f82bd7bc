import { includeGuardOf } from '../syntax/include-guard.ts';
import { directivesFor } from '../syntax/compilation-unit.ts';
import type { Macros } from '../syntax/compilation-unit.ts';
import type { CompilationUnit } from './design.ts';

/** The macros behind a file, from those before it; undefined for none but those that are given from outside. */
type ReadMacros = (file: string, before: Macros | undefined) => Promise<Macros | undefined>;

/** What the files of a compilation unit find defined by those before them. Reads no further than is asked for. */
export class UnitMacros {
  readonly #sources: readonly string[];
  readonly #libraries: ReadonlySet<string>;
  readonly #read: ReadMacros;
  readonly #text: (file: string) => string | undefined;
  /** The macros before the file of each position, as far as it was asked for. */
  readonly #before: (Macros | undefined)[] = [undefined];
  readonly #guards = new Map<string, string | undefined>();

  /** `text` is that of a file that was read. */
  constructor({ sources, libraries }: CompilationUnit, read: ReadMacros, text: (file: string) => string | undefined) {
    this.#sources = sources;
    this.#libraries = new Set(libraries);
    this.#read = read;
    this.#text = text;
  }

  has(file: string): boolean {
    return this.#libraries.has(file) || this.#sources.includes(file);
  }

  /** Where a file stands among the sources; behind all of them for a library. */
  positionOf(file: string): number {
    const position = this.#sources.indexOf(file);
    return position < 0 ? this.#sources.length : position;
  }

  /** Earlier sources, nearest last. */
  earlier(file: string): readonly string[] {
    return this.#sources.slice(0, this.positionOf(file));
  }

  async before(file: string): Promise<Macros | undefined> {
    const position = this.positionOf(file);
    for (let at = this.#before.length; at <= position; at++) this.#before.push(await this.#read(this.#sources[at - 1] ?? '', this.#before[at - 1]));
    return this.#before[position];
  }

  /**
   * Directives that make the macros for a tool what they are before a file, whichever files it has read until then; empty when no
   * earlier file defines one. Include guards stay as they are: what they guard was read or not.
   */
  async directivesBefore(file: string): Promise<string> {
    const wanted = (await this.before(file)) ?? new Map();
    const known = this.#before.flatMap((macros) => [...(macros?.values() ?? [])]).filter((macro) => macro.location !== undefined && !this.#isGuard(macro));
    if (known.length === 0) return '';
    return directivesFor(wanted, known.map(({ name }) => name), (macro) => macro.location === undefined || this.#isGuard(macro));
  }

  #isGuard({ name, location }: NonNullable<ReturnType<Macros['get']>>): boolean {
    if (location === undefined) return false;
    if (!this.#guards.has(location.file)) this.#guards.set(location.file, includeGuardOf(this.#text(location.file) ?? ''));
    return this.#guards.get(location.file) === name;
  }
}
