import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceContext } from '../core.ts';
import type { Macros } from '../syntax/compilation-unit.ts';
import type { FileOutline } from '../features/outline.ts';

/** To be raised whenever what is kept of a file, or how it is found, changes. */
const formatVersion = 4;
const largestBytes = 200_000_000;
/** Caches of this many workspaces are kept; the least recently written ones go. */
const keptWorkspaces = 20;

interface Entry {
  /** Of the file's text. */
  readonly hash: string;
  /** Of what it was read with. */
  readonly context: string;
  /** Files that were looked for to include them, with the hashes of their texts; null for one that was not there. */
  readonly includes: readonly (readonly [file: string, hash: string | null])[];
  readonly outline: FileOutline;
}

/** What was found out about a file. */
export interface FoundFile {
  readonly hash: string;
  readonly context: SourceContext;
  /** Absolute paths of the files that it includes, and of those that were looked for in vain. */
  readonly looked: readonly string[];
  readonly outline: FileOutline;
}

/** The hash of the text of a file; undefined for a file that is not there. */
export type HashOf = (file: string) => string | undefined;

export function hashText(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}

/**
 * What files declare, kept on the disk between sessions and found again by their contents: a file whose text, included
 * files or settings are others is read anew. A cache that is damaged or of another version is as good as none.
 */
export class IndexCache {
  readonly #folder: string;
  readonly #file: string;
  readonly #version: string;
  #entries = new Map<string, Entry>();
  readonly #used = new Map<string, Entry>();
  #changed = false;

  /** `folder` holds the caches of all workspaces; `workspace` tells one from the others. */
  constructor(folder: string, workspace: string, productVersion: string) {
    this.#folder = folder;
    this.#file = join(folder, `index-${createHash('sha1').update(workspace).digest('hex').slice(0, 16)}.json`);
    this.#version = `${formatVersion} ${productVersion}`;
  }

  async load(): Promise<void> {
    try {
      const text = await readFile(this.#file, 'utf8');
      const at = text.indexOf('\n');
      const body = text.slice(at + 1);
      if (text.slice(0, at) !== this.#seal(body)) return;
      // The seal says that this very version has written it.
      this.#entries = new Map(JSON.parse(body) as [string, Entry][]);
    } catch {
      this.#entries = new Map();
    }
  }

  find(file: string, hash: string, context: SourceContext, hashOf: HashOf): FileOutline | undefined {
    const entry = this.#used.get(file) ?? this.#entries.get(file);
    if (entry?.hash !== hash || entry.context !== contextKey(context) || !entry.includes.every(([path, was]) => (hashOf(path) ?? null) === was)) return undefined;
    this.#used.set(file, entry);
    return entry.outline;
  }

  keep(file: string, { hash, context, looked, outline }: FoundFile, hashOf: HashOf): void {
    const includes = looked.map((path) => [path, hashOf(path) ?? null] as const);
    this.#used.set(file, { hash, context: contextKey(context), includes, outline });
    this.#changed = true;
  }

  /** Writes what was found or kept since the beginning; files that were not met are forgotten. */
  async save(): Promise<void> {
    if (!this.#changed && this.#used.size === this.#entries.size) return;
    const body = JSON.stringify([...this.#used]);
    if (body.length > largestBytes) return;
    await mkdir(this.#folder, { recursive: true });
    const temporary = `${this.#file}.${process.pid}.tmp`;
    try {
      await writeFile(temporary, `${this.#seal(body)}\n${body}`);
      // A reader sees the old cache or the new one, and nothing between.
      await rename(temporary, this.#file);
    } finally {
      await rm(temporary, { force: true });
    }
    this.#changed = false;
    this.#entries = new Map(this.#used);
    await this.#removeOld();
  }

  #seal(body: string): string {
    return `${this.#version} ${hashText(body)}`;
  }

  async #removeOld(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => /^index-\w+\.json$/.test(name));
    const aged = await Promise.all(names.map(async (name) => ({ file: join(this.#folder, name), written: (await stat(join(this.#folder, name))).mtimeMs })));
    const old = aged.sort((a, b) => b.written - a.written).slice(keptWorkspaces);
    await Promise.all(old.map(({ file }) => rm(file, { force: true })));
  }
}

function contextKey({ includeDirs, defines, macros }: SourceContext): string {
  return hashText(JSON.stringify([includeDirs, Object.entries(defines).sort(), macros && keyOf(macros)]));
}

/** Many files share the same macros. */
const macroKeys = new WeakMap<Macros, string>();

function keyOf(macros: Macros): string {
  const key = macroKeys.get(macros) ?? hashText(JSON.stringify([...macros.values()].map(({ name, parameters, body }) => [name, parameters, body])));
  macroKeys.set(macros, key);
  return key;
}
