import { basename, dirname, extname, join } from 'node:path';
import type { DesignInput } from './design.ts';
import type { FileSummary, ModuleSummary } from './items.ts';
import { instantiatedNames } from './library.ts';
import { mayDeclareOuter, outerNames } from './outer-names.ts';
import type { LoadedFile, SourceFiles } from './source-files.ts';

const MAX_SEARCHED_FILES = 2000;
const MAX_SEARCHED_LENGTH = 4_000_000;

/** Finds the files that a module needs, beside it, in the include folders and among the library files. */
export class Dependencies {
  readonly #input: DesignInput;
  readonly #sources: SourceFiles;
  /** Files that are part of the design; others were only looked into. */
  readonly #chosen = new Set<string>();
  #candidates: string[] | undefined;

  constructor(input: DesignInput, sources: SourceFiles) {
    this.#input = input;
    this.#sources = sources;
  }

  /** The files of the design that were found so far, in the order in which they were read. */
  get files(): LoadedFile[] {
    return this.#sources.all.filter(({ file }) => this.#chosen.has(file));
  }

  /** Finds what the module needs, directly or not. */
  async find(root: LoadedFile, top: ModuleSummary): Promise<void> {
    this.#chosen.add(root.file);
    await this.#findDependencies(root, top);
    await this.#findOuter();
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
      const known = this.files.some((file) => file.summary.packages.some((entry) => entry.name === name));
      const found = known ? undefined : await this.#search('package', name);
      if (found) await this.#findPackages(found, seen);
      else if (!known) this.#missPackage(user, name);
    }
  }

  /** Earlier files of the unit that declare a name of the design outside of all modules and packages. */
  async #findOuter(): Promise<void> {
    const queue = this.files;
    for (let user = queue.shift(); user; user = queue.shift()) {
      const { file, expanded } = user;
      const words = new Set(expanded.match(/[A-Za-z_][\w$]*/g));
      for (const earlier of this.#sources.unitOf(file)?.earlier(file) ?? []) {
        if (this.#chosen.has(earlier) || !mayDeclareOuter((await this.#sources.textOf(earlier)) ?? '')) continue;
        const loaded = await this.#sources.load(earlier);
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
    user.problems.push(this.#sources.problem(user.file, place.index, `Package ${name} was not found beside this file or in the include folders; add the file that defines it.`));
  }

  #definitionOf(name: string): LoadedFile | undefined {
    return this.files.find((file) => file.summary.modules.some((module) => module.name === name) || file.summary.primitives.includes(name));
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
      const text = await this.#sources.textOf(file);
      if (text === undefined || text.length > MAX_SEARCHED_LENGTH || !pattern.test(text)) continue;
      const loaded = await this.#sources.load(file);
      if (loaded && definedNames(loaded.summary).includes(name) && !this.#clashes(loaded)) {
        this.#chosen.add(file);
        return loaded;
      }
    }
    return undefined;
  }

  /** A file that defines again what the design already has is another version of it, not a part. */
  #clashes(candidate: LoadedFile): boolean {
    const present = new Set(this.files.flatMap((file) => definedNames(file.summary)));
    return definedNames(candidate.summary).some((name) => present.has(name));
  }

  async #siblings(): Promise<string[]> {
    if (this.#candidates) return this.#candidates;
    const directories = new Set([dirname(this.#input.file), ...(this.#input.includeDirs ?? [])]);
    const found: string[] = [];
    for (const directory of directories) {
      const names = await this.#sources.list(directory);
      found.push(...names.filter((name) => /\.(?:v|sv)$/i.test(name)).map((name) => join(directory, name)));
    }
    this.#candidates = found.filter((file) => file !== this.#input.file).slice(0, MAX_SEARCHED_FILES);
    return this.#candidates;
  }
}

function definedNames(summary: FileSummary): string[] {
  return [...summary.modules.map((module) => module.name), ...summary.packages.map((entry) => entry.name), ...summary.primitives];
}
