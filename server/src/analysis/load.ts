import { basename, dirname, extname, join } from 'node:path';
import type { FileReader } from '../base/files.ts';
import { isBinary, LineIndex } from '../base/text.ts';
import { syntaxDiagnostics } from '../syntax/diagnostics.ts';
import type { Parser } from '../syntax/parser.ts';
import type { Preprocessed } from '../syntax/preprocessed.ts';
import { changesMacros } from '../syntax/compilation-unit.ts';
import type { Macros } from '../syntax/compilation-unit.ts';
import { preprocessFile } from '../syntax/source.ts';
import type { TextCache } from '../syntax/source.ts';
import type { SourceMap } from '../syntax/source-map.ts';
import { analyzeClocking } from './clocking.ts';
import { mineConstants } from './mine.ts';
import type { DesignInput, DesignSource, LoadResult, OutsideUse, SourceProblem } from './design.ts';
import { makeOverride, settableParameters } from './declare.ts';
import type { Override } from './declare.ts';
import { Elaborator } from './elaborate.ts';
import type { Elaboration } from './elaborate.ts';
import { parseExpression } from './expression.ts';
import type { FileSummary, ModuleSummary } from './items.ts';
import { instantiatedNames, Library } from './library.ts';
import type { ElaboratedModule } from './module.ts';
import { mayDeclareOuter, outerNames } from './outer-names.ts';
import { IncludeFence, outsideMatches } from './outside.ts';
import { summarize } from './summary.ts';
import { UnitMacros } from './unit-macros.ts';

export interface LoadEnvironment {
  readonly parser: Parser;
  readonly files: FileReader;
}

const MAX_SEARCHED_FILES = 2000;
const MAX_SEARCHED_LENGTH = 4_000_000;

/** Finds and elaborates the module that an input names, with everything below it. Never throws for bad sources. */
export async function loadDesign(input: DesignInput, env: LoadEnvironment): Promise<LoadResult> {
  try {
    return await new Loader(input, env).load();
  } catch (error) {
    // The readers follow the nesting of the text with calls of their own.
    if (!(error instanceof RangeError)) throw error;
    return rejected(`The source of ${input.module ?? input.file} is nested too deeply to be read; write its longest expression or statement in several parts.`);
  }
}

/** A file that was read and summarized. */
interface LoadedFile {
  readonly file: string;
  readonly text: string;
  /** After preprocessing, where packages and modules are looked for by name. */
  readonly expanded: string;
  readonly summary: FileSummary;
  readonly problems: SourceProblem[];
  readonly outside: readonly OutsideUse[];
  readonly map: SourceMap;
}

function rejected(reason: string, problems: readonly SourceProblem[] = []): LoadResult {
  return { kind: 'rejected', reason, problems };
}

class Loader {
  readonly #input: DesignInput;
  readonly #env: LoadEnvironment;
  readonly #cache: TextCache = new Map();
  readonly #loaded = new Map<string, LoadedFile | undefined>();
  /** Files that are part of the design; others were only looked into. */
  readonly #chosen = new Set<string>();
  readonly #included = new Map<string, string>();
  /** Includes that reach beyond the project, and texts that have no end. */
  readonly #refusals: SourceProblem[] = [];
  #candidates: string[] | undefined;
  #fence: IncludeFence | undefined;
  readonly #units: readonly UnitMacros[];

  constructor(input: DesignInput, env: LoadEnvironment) {
    this.#input = input;
    this.#env = env;
    if (input.text !== undefined) this.#cache.set(input.file, input.text);
    this.#units = (input.units ?? []).map((unit) => new UnitMacros(unit, (file, before) => this.#macrosBehind(file, before), (file) => this.#cache.get(file)));
  }

  async load(): Promise<LoadResult> {
    const { file } = this.#input;
    const text = await this.#read(file);
    if (text === undefined) {
      const isFolder = (await this.#env.files.list(file)).length > 0;
      return rejected(isFolder ? `${file} is a folder; name a file in it.` : `File ${file} does not exist or cannot be read; check the path.`);
    }
    if (isBinary(text)) return rejected(`File ${file} is no UTF-8 text; save it as UTF-8, or name a file of Verilog source.`);
    if (text.trim() === '') return rejected(`File ${file} is empty; name a file that defines a module.`);
    const root = await this.#loadFile(file);
    if (this.#refusals.length > 0) return this.#refused();
    if (!root) return rejected(`File ${file} takes too long to parse; check that it is Verilog source.`);
    this.#chosen.add(file);
    const top = this.#chooseModule(root);
    if (!('module' in top)) return top;
    await this.#findDependencies(root, top.module);
    await this.#findOuter();
    if (this.#refusals.length > 0) return this.#refused();
    return this.#elaborate(root, top.module, await this.#sources(root));
  }

  #refused(): LoadResult {
    return rejected(this.#refusals[0]?.message ?? '', this.#refusals);
  }

  async #read(file: string): Promise<string | undefined> {
    if (!this.#cache.has(file)) this.#cache.set(file, await this.#env.files.read(file));
    return this.#cache.get(file);
  }

  async #loadFile(file: string): Promise<LoadedFile | undefined> {
    if (this.#loaded.has(file)) return this.#loaded.get(file);
    const loaded = await this.#parseFile(file);
    this.#loaded.set(file, loaded);
    return loaded;
  }

  async #parseFile(file: string): Promise<LoadedFile | undefined> {
    const text = await this.#read(file);
    if (text === undefined) return undefined;
    const { result, fence } = await this.#preprocess(file, text, await this.#unitOf(file)?.before(file));
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

  #unitOf(file: string): UnitMacros | undefined {
    return this.#units.find((unit) => unit.has(file));
  }

  async #macrosBehind(file: string, before: Macros | undefined): Promise<Macros | undefined> {
    const text = await this.#read(file);
    return text !== undefined && changesMacros(text) ? (await this.#preprocess(file, text, before)).result.macros : before;
  }

  /** Notes what keeps a file from being read any further; says whether there is such a thing. */
  #refuse(result: Preprocessed, fence: IncludeFence, places: Places): boolean {
    const before = this.#refusals.length;
    for (const include of result.includes) {
      if (include.resolved !== undefined || !fence.refuses(include)) continue;
      const message = `The file "${include.name}" lies outside the project, so it is not included; give its folder as an include folder and name it relative to that.`;
      this.#refusals.push(places.problem(include.file, include.span.start, message));
    }
    for (const { code, file, span, message } of result.problems) {
      if (code === 'too-large' || code === 'recursive-macro' || code === 'include-cycle') this.#refusals.push(places.problem(file, span.start, message));
    }
    return this.#refusals.length > before;
  }

  #chooseModule(root: LoadedFile): { module: ModuleSummary } | LoadResult {
    const modules = root.summary.modules.filter((module) => module.kind === 'module');
    const { file, module: wanted } = this.#input;
    const names = [...new Set(modules.map((module) => module.name))];
    if (names.length === 0) {
      const reason = root.problems.length > 0 ? `No module can be read in ${file}; correct the first syntax error.` : `File ${file} defines no module; name a file that does.`;
      return rejected(reason, root.problems);
    }
    if (wanted !== undefined) {
      const module = modules.find((candidate) => candidate.name === wanted);
      return module ? { module } : rejected(`Module ${wanted} is not defined in ${file}; it defines ${listOf(names)}.`, root.problems);
    }
    const used = new Set(modules.flatMap((module) => instantiatedNames(module).filter((name) => name !== module.name)));
    const [first, ...others] = names.filter((name) => !used.has(name));
    const module = modules.find((candidate) => candidate.name === first);
    if (module && others.length === 0) return { module };
    return rejected(`File ${file} defines several modules (${names.join(', ')}); name the one to compare, as in ${basename(file)}:${names[0] ?? ''}.`);
  }

  /** Loads the files of all modules and packages that the module needs, directly or not. */
  async #findDependencies(root: LoadedFile, top: ModuleSummary): Promise<void> {
    const seen = new Set<string>();
    const queue: { module: ModuleSummary; file: LoadedFile }[] = [{ module: top, file: root }];
    for (let next = queue.shift(); next; next = queue.shift()) {
      await this.#findPackages(next.file, seen);
      for (const name of instantiatedNames(next.module)) {
        if (seen.has(`module ${name}`)) continue;
        seen.add(`module ${name}`);
        const found = this.#definitionOf(name) ?? (await this.#search('module|macromodule|interface|program|primitive', name));
        const module = found?.summary.modules.find((candidate) => candidate.name === name);
        if (found && module) queue.push({ module, file: found });
      }
    }
  }

  async #findPackages(user: LoadedFile, seen: Set<string>): Promise<void> {
    for (const [, name = ''] of user.expanded.matchAll(/\b([A-Za-z_][\w$]*)\s*::/g)) {
      if (seen.has(`package ${name}`)) continue;
      seen.add(`package ${name}`);
      const known = this.#files().some((file) => file.summary.packages.some((entry) => entry.name === name));
      const found = known ? undefined : await this.#search('package', name);
      if (found) await this.#findPackages(found, seen);
      else if (!known) this.#missPackage(user, name);
    }
  }

  /** Earlier files of the unit that declare a name of the design outside of all modules and packages. */
  async #findOuter(): Promise<void> {
    const queue = this.#files();
    for (let user = queue.shift(); user; user = queue.shift()) {
      const { file, expanded } = user;
      const words = new Set(expanded.match(/[A-Za-z_][\w$]*/g));
      for (const earlier of this.#unitOf(file)?.earlier(file) ?? []) {
        if (this.#chosen.has(earlier) || !mayDeclareOuter((await this.#read(earlier)) ?? '')) continue;
        const loaded = await this.#loadFile(earlier);
        if (!loaded || this.#clashes(loaded) || !outerNames(loaded).some((name) => words.has(name))) continue;
        this.#chosen.add(earlier);
        queue.push(loaded);
      }
    }
  }

  /** An import of a package that is nowhere: what a compiler says of it is often no more than "syntax error". */
  #missPackage(user: LoadedFile, name: string): void {
    const place = new RegExp(String.raw`\bimport\s+${name.replace(/\$/g, '\\$')}\s*::`).exec(user.text);
    if (place === null) return;
    const places = new Places((path) => this.#cache.get(path));
    user.problems.push(places.problem(user.file, place.index, `Package ${name} was not found beside this file or in the include folders; add the file that defines it.`));
  }

  #files(): LoadedFile[] {
    return [...this.#loaded.values()].filter((file) => file !== undefined && this.#chosen.has(file.file)) as LoadedFile[];
  }

  #definitionOf(name: string): LoadedFile | undefined {
    return this.#files().find((file) => file.summary.modules.some((module) => module.name === name) || file.summary.primitives.includes(name));
  }

  /** Looks for a definition in the library files, then beside the named file and in the include directories. */
  async #search(keywords: string, name: string): Promise<LoadedFile | undefined> {
    const escaped = name.replace(/\$/g, '\\$');
    const pattern = new RegExp(String.raw`\b(?:${keywords})\s+(?:automatic\s+|static\s+)?${escaped}\b`);
    const libraryFiles = this.#input.libraryFiles ?? [];
    const siblings = await this.#siblings();
    const likely = siblings.filter((file) => basename(file, extname(file)) === name);
    for (const file of new Set([...libraryFiles, ...likely, ...siblings])) {
      if (this.#chosen.has(file)) continue;
      const text = await this.#read(file);
      if (text === undefined || text.length > MAX_SEARCHED_LENGTH || !pattern.test(text)) continue;
      const loaded = await this.#loadFile(file);
      if (loaded && definedNames(loaded.summary).includes(name) && !this.#clashes(loaded)) {
        this.#chosen.add(file);
        return loaded;
      }
    }
    return undefined;
  }

  /** A file that defines again what the design already has is another version of it, not a part. */
  #clashes(candidate: LoadedFile): boolean {
    const present = new Set(this.#files().flatMap((file) => definedNames(file.summary)));
    return definedNames(candidate.summary).some((name) => present.has(name));
  }

  async #siblings(): Promise<string[]> {
    if (this.#candidates) return this.#candidates;
    const directories = new Set([dirname(this.#input.file), ...(this.#input.includeDirs ?? [])]);
    const found: string[] = [];
    for (const directory of directories) {
      const names = await this.#env.files.list(directory);
      found.push(...names.filter((name) => /\.(?:v|sv)$/i.test(name)).map((name) => join(directory, name)));
    }
    this.#candidates = found.filter((file) => file !== this.#input.file).slice(0, MAX_SEARCHED_FILES);
    return this.#candidates;
  }

  /** What a tool compiles, in its order. */
  async #sources(root: LoadedFile): Promise<DesignSource[]> {
    const place = ({ file }: LoadedFile): number => this.#unitOf(file)?.positionOf(file) ?? -1;
    const files = [root, ...this.#files().filter((file) => file !== root)];
    const inUnits = files.every(({ file }) => this.#unitOf(file) !== undefined);
    const sources: DesignSource[] = [];
    for (const { file, text } of orderSources(inUnits ? files.sort((a, b) => place(a) - place(b)) : [...files.filter(hasPackage), ...files])) {
      const directives = await this.#unitOf(file)?.directivesBefore(file);
      if (directives) sources.push({ file: join(dirname(file), `.macros-before-${basename(file)}`), text: directives });
      sources.push({ file, text });
    }
    return sources;
  }

  #elaborate(root: LoadedFile, top: ModuleSummary, sources: readonly DesignSource[]): LoadResult {
    const files = this.#files();
    const elaborator = new Elaborator(new Library([root, ...files.filter((file) => file !== root)].map((file) => file.summary)));
    const overrides = new Map<string, Override>();
    const settable = settableParameters(top);
    for (const [name, text] of Object.entries(this.#input.parameters ?? {})) {
      const parameter = settable.find((candidate) => candidate.name === name);
      if (!parameter) {
        const known = settable.length > 0 ? `it has ${listOf(settable.map((candidate) => candidate.name))}` : 'it has none that can be set';
        return rejected(`Module ${top.name} has no parameter ${name}; ${known}.`);
      }
      const override = makeOverride(parameter, parseExpression(text), elaborator.unitScope(root.summary));
      if (!override.value && !override.type) return rejected(`The value "${text}" for parameter ${name} cannot be evaluated; give a constant.`);
      overrides.set(name, override);
    }
    const elaboration = elaborator.elaborate(top.name, overrides, root.file);
    if (!elaboration) return rejected(`Module ${top.name} cannot be elaborated; check its hierarchy for a module that contains itself.`, root.problems);
    const [other] = elaboration.otherPorts;
    if (other !== undefined) return rejected(`Port ${other} of module ${top.name} is no plain input, output or inout; compare a module whose ports all are.`);
    const doubts = files.flatMap((file) => file.problems);
    if (elaboration.ports.length === 0 && doubts.length > 0) return rejected(`The ports of module ${top.name} cannot be read; correct the first syntax error.`, doubts);
    return {
      kind: 'loaded',
      design: {
        input: this.#input,
        module: describe(elaboration),
        sources,
        includes: [...this.#included].map(([file, text]): DesignSource => ({ file, text })),
        outside: files.flatMap((file) => file.outside),
        doubts,
      },
    };
  }
}

function definedNames(summary: FileSummary): string[] {
  return [...summary.modules.map((module) => module.name), ...summary.packages.map((entry) => entry.name), ...summary.primitives];
}

function listOf(names: readonly string[]): string {
  return names.length === 1 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

function hasPackage({ summary }: LoadedFile): boolean {
  return summary.packages.length > 0;
}

/** Files in their order, but each behind the packages that it uses. */
function orderSources(files: readonly LoadedFile[]): LoadedFile[] {
  const packageFiles = files.filter(hasPackage);
  const ordered: LoadedFile[] = [];
  const place = (file: LoadedFile, path: readonly LoadedFile[]): void => {
    if (ordered.includes(file) || path.includes(file)) return;
    const used = new Set([...file.expanded.matchAll(/\b([A-Za-z_][\w$]*)\s*::/g)].map(([, name]) => name));
    for (const other of packageFiles) {
      if (other !== file && other.summary.packages.some((entry) => used.has(entry.name))) place(other, [...path, file]);
    }
    ordered.push(file);
  };
  for (const file of files) place(file, []);
  return ordered;
}

function describe(elaboration: Elaboration): ElaboratedModule {
  const files = new Set<string>();
  const visited = new Set<Elaboration>();
  const visit = (node: Elaboration): void => {
    if (visited.has(node)) return;
    visited.add(node);
    files.add(node.file.file);
    for (const child of node.children) if (child.module) visit(child.module);
  };
  visit(elaboration);
  return {
    name: elaboration.summary.name,
    location: elaboration.summary.nameLocation,
    parameters: elaboration.parameters,
    ports: elaboration.ports,
    clocking: analyzeClocking(elaboration),
    constants: mineConstants(elaboration),
    files: [...files],
    unresolved: elaboration.unresolved,
  };
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
