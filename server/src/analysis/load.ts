import { basename, dirname, join } from 'node:path';
import { isBinary } from '../base/text.ts';
import { analyzeClocking } from './clocking.ts';
import { makeOverride, settableParameters } from './declare.ts';
import type { Override } from './declare.ts';
import { Dependencies } from './dependencies.ts';
import type { DesignInput, DesignSource, LoadResult, SourceProblem } from './design.ts';
import { Elaborator } from './elaborate.ts';
import type { Elaboration } from './elaborate.ts';
import { parseExpression } from './expression.ts';
import type { ModuleSummary } from './items.ts';
import { instantiatedNames, Library } from './library.ts';
import { mineConstants } from './mine.ts';
import type { ElaboratedModule } from './module.ts';
import { SourceFiles } from './source-files.ts';
import type { LoadedFile, LoadEnvironment } from './source-files.ts';

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

function rejected(reason: string, problems: readonly SourceProblem[] = []): LoadResult {
  return { kind: 'rejected', reason, problems };
}

class Loader {
  readonly #input: DesignInput;
  readonly #files: SourceFiles;
  readonly #dependencies: Dependencies;

  constructor(input: DesignInput, env: LoadEnvironment) {
    this.#input = input;
    this.#files = new SourceFiles(input, env);
    this.#dependencies = new Dependencies(input, this.#files);
  }

  async load(): Promise<LoadResult> {
    const { file } = this.#input;
    const text = await this.#files.textOf(file);
    if (text === undefined) {
      const isFolder = (await this.#files.list(file)).length > 0;
      return rejected(isFolder ? `${file} is a folder; name a file in it.` : `File ${file} does not exist or cannot be read; check the path.`);
    }
    if (isBinary(text)) return rejected(`File ${file} is no UTF-8 text; save it as UTF-8, or name a file of Verilog source.`);
    if (text.trim() === '') return rejected(`File ${file} is empty; name a file that defines a module.`);
    const root = await this.#files.load(file);
    if (this.#files.refusals.length > 0) return this.#refused();
    if (!root) return rejected(`File ${file} takes too long to parse; check that it is Verilog source.`);
    const top = this.#chooseModule(root);
    if (!('module' in top)) return top;
    await this.#dependencies.find(root, top.module);
    if (this.#files.refusals.length > 0) return this.#refused();
    return this.#elaborate(root, top.module, await this.#sources(root));
  }

  #refused(): LoadResult {
    return rejected(this.#files.refusals[0]?.message ?? '', this.#files.refusals);
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

  /** What a tool compiles, in its order. */
  async #sources(root: LoadedFile): Promise<DesignSource[]> {
    const place = ({ file }: LoadedFile): number => this.#files.unitOf(file)?.positionOf(file) ?? -1;
    const files = [root, ...this.#dependencies.files.filter((file) => file !== root)];
    const inUnits = files.every(({ file }) => this.#files.unitOf(file) !== undefined);
    const sources: DesignSource[] = [];
    for (const { file, text } of orderSources(inUnits ? files.sort((a, b) => place(a) - place(b)) : [...files.filter(hasPackage), ...files])) {
      const directives = await this.#files.unitOf(file)?.directivesBefore(file);
      if (directives) sources.push({ file: join(dirname(file), `.macros-before-${basename(file)}`), text: directives });
      sources.push({ file, text });
    }
    return sources;
  }

  #elaborate(root: LoadedFile, top: ModuleSummary, sources: readonly DesignSource[]): LoadResult {
    const { files } = this.#dependencies;
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
        includes: this.#files.includes,
        outside: files.flatMap((file) => file.outside),
        doubts,
      },
    };
  }
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
