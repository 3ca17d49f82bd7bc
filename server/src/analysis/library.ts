import { dirname, relative } from 'node:path';
import type { FileSummary, Item, ModuleSummary, PackageSummary } from './items.ts';

/** A module with the file that declares it. */
export interface ModuleEntry {
  readonly module: ModuleSummary;
  readonly file: FileSummary;
}

/** The modules and packages of a set of files. Among equal names the one nearest to the asking file wins. */
export class Library {
  readonly files: readonly FileSummary[];
  readonly #modules = new Map<string, ModuleEntry[]>();
  readonly #packages = new Map<string, { readonly package: PackageSummary; readonly file: FileSummary }>();

  constructor(files: readonly FileSummary[]) {
    this.files = files;
    for (const file of files) {
      for (const module of file.modules) {
        const entries = this.#modules.get(module.name);
        if (entries) entries.push({ module, file });
        else this.#modules.set(module.name, [{ module, file }]);
      }
      for (const entry of file.packages) {
        if (!this.#packages.has(entry.name)) this.#packages.set(entry.name, { package: entry, file });
      }
    }
  }

  /** The same file first, then the one fewest directories away, then the one given earlier. */
  module(name: string, from?: string): ModuleEntry | undefined {
    const entries = this.#modules.get(name);
    if (!entries || from === undefined) return entries?.[0];
    let best: ModuleEntry | undefined;
    let bestDistance = Number.POSITIVE_INFINITY;
    for (const entry of entries) {
      const distance = distanceBetween(from, entry.file.file);
      if (distance < bestDistance) {
        best = entry;
        bestDistance = distance;
      }
    }
    return best;
  }

  hasPrimitive(name: string): boolean {
    return this.files.some((file) => file.primitives.includes(name));
  }

  package(name: string): { readonly package: PackageSummary; readonly file: FileSummary } | undefined {
    return this.#packages.get(name);
  }
}

/** Folders between two files, up and down; -1 for the same file. */
export function distanceBetween(from: string, to: string): number {
  if (from === to) return -1;
  const path = relative(dirname(from), dirname(to));
  return path === '' ? 0 : path.split(/[\\/]/).length;
}

/** Calls back for each item at every depth: generate branches, and blocks and their statements' declarations are entered. */
export function forEachItem(items: readonly Item[], visit: (item: Item) => void): void {
  for (const item of items) {
    visit(item);
    if (item.kind === 'generate-block' || item.kind === 'generate-for') forEachItem(item.items, visit);
    else if (item.kind === 'generate-if') {
      forEachItem(item.whenTrue, visit);
      forEachItem(item.whenFalse, visit);
    } else if (item.kind === 'generate-case') {
      for (const branch of item.branches) forEachItem(branch.items, visit);
    }
  }
}

/** Names of all modules that a module instantiates in some generate branch, in order and each once. */
export function instantiatedNames(module: ModuleSummary): string[] {
  const names = new Set<string>();
  forEachItem(module.items, (item) => {
    if (item.kind === 'instance') names.add(item.module);
  });
  return [...names];
}
