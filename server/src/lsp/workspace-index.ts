import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { unitsOf } from '../features/module-info.ts';
import type { ModuleInfo } from '../features/module-info.ts';
import type { FileOutline } from '../features/outline.ts';

export const sourceExtensions = ['.v', '.vh', '.sv', '.svh'] as const;

export function isSourceFile(path: string): boolean {
  return sourceExtensions.some((extension) => path.endsWith(extension));
}

export function isFileList(path: string): boolean {
  return path.endsWith('.f');
}

interface Definition {
  readonly file: string;
  readonly uses: readonly string[];
}

/** What every known file defines. */
export class WorkspaceIndex {
  readonly #outlines = new Map<string, FileOutline>();
  readonly #definitions = new Map<string, Map<string, Definition>>();
  readonly #users = new Map<string, number>();
  /** How often what a file declares has changed. */
  readonly #changes = new Map<string, number>();

  /** Grows with each change. */
  revision = 0;

  /** Grows with each change of what other files declare. */
  revisionWithout(file: string): number {
    return this.revision - (this.#changes.get(file) ?? 0);
  }

  set(file: string, outline: FileOutline): void {
    this.remove(file);
    this.#outlines.set(file, outline);
    this.#count(outline, 1);
    for (const { name, uses } of unitsOf(outline)) {
      const known = this.#definitions.get(name) ?? new Map<string, Definition>();
      known.set(file, { file, uses });
      this.#definitions.set(name, known);
    }
  }

  remove(file: string): void {
    this.revision++;
    this.#changes.set(file, (this.#changes.get(file) ?? 0) + 1);
    const outline = this.#outlines.get(file);
    this.#outlines.delete(file);
    if (outline) this.#count(outline, -1);
    for (const { name } of outline ? unitsOf(outline) : []) {
      const known = this.#definitions.get(name);
      known?.delete(file);
      if (known?.size === 0) this.#definitions.delete(name);
    }
  }

  #count({ modules }: FileOutline, by: number): void {
    for (const name of modules.flatMap(({ uses }) => uses)) this.#users.set(name, (this.#users.get(name) ?? 0) + by);
  }

  has(file: string): boolean {
    return this.#outlines.has(file);
  }

  get files(): readonly string[] {
    return [...this.#outlines.keys()];
  }

  outline(file: string): FileOutline | undefined {
    return this.#outlines.get(file);
  }

  get moduleCount(): number {
    let total = 0;
    for (const { modules } of this.#outlines.values()) total += modules.length;
    return total;
  }

  /** Names of all design units. */
  unitNames(): ReadonlySet<string> {
    return new Set(this.#definitions.keys());
  }

  hasPackage(file: string, name: string): boolean {
    return this.#outlines.get(file)?.packages.some((unit) => unit.name === name) === true;
  }

  modules(): ModuleInfo[] {
    return [...this.#outlines.values()].flatMap(({ modules }) => modules);
  }

  module(file: string, name: string): ModuleInfo | undefined {
    return this.#outlines.get(file)?.modules.find((module) => module.name === name);
  }

  /** How many modules instantiate those of a name. */
  usersOf(name: string): number {
    return this.#users.get(name) ?? 0;
  }

  /** Every file that defines a design unit of that name. */
  definitions(name: string): Definition[] {
    return [...(this.#definitions.get(name)?.values() ?? [])];
  }
}

export interface ScanOptions {
  /** Names of folders that are not entered; those that begin with a dot never are. */
  readonly exclude: readonly string[];
  readonly signal: AbortSignal;
}

/** Absolute paths of the source files below a folder, breadth first, so that a limit keeps the nearest. Links to folders are not followed. */
export async function* findSources(root: string, { exclude, signal }: ScanOptions): AsyncGenerator<string> {
  const excluded = new Set(exclude);
  const queue = [root];
  for (let folder = queue.shift(); folder !== undefined && !signal.aborted; folder = queue.shift()) {
    for (const entry of await entriesOf(folder)) {
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && !excluded.has(entry.name)) queue.push(join(folder, entry.name));
      } else if (isSourceFile(entry.name) && (entry.isFile() || entry.isSymbolicLink())) {
        yield join(folder, entry.name);
      }
    }
  }
}

/** Whether the search of a folder comes to a file below it. */
export function isSearched(root: string, file: string, exclude: readonly string[]): boolean {
  const folders = dirname(relative(root, file)).split(sep);
  return isSourceFile(file) && folders.every((name) => name === '.' || (!name.startsWith('.') && !exclude.includes(name)));
}

/** A folder that can't be read has nothing to offer. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
