import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readAhead } from '../base/ahead.ts';
import { readTextUpTo } from '../base/files.ts';
import type { FileOutline } from '../features/outline.ts';
import { count } from '../verification/value-text.ts';
import { PlacedText } from './convert.ts';
import type { ServerContext } from './context.ts';
import { hashText, IndexCache } from './index-cache.ts';
import { withProgress } from './progress.ts';
import type { TaskProgress } from './progress.ts';
import { findSources, isSearched } from './workspace-index.ts';

/** Larger files are netlists or memories as a rule; they are searched only when they are opened. */
const largestBytes = 4_000_000;

/** Files that are read at once, before they are looked at. */
const AHEAD = 16;

/** Milliseconds between two notices of the progress. */
const noticeMs = 500;

/** Milliseconds that the search may take before it is worth a progress that can be cancelled. */
const quietMs = 1000;

/** Fills the index in the background, so that requests are answered meanwhile. */
export class Indexer {
  readonly #context: ServerContext;
  readonly #changed: () => void;
  #cache: IndexCache | undefined;
  #scan: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  /** Until the first search has ended, nothing can be said about what the workspace lacks. */
  #settledOnce: (() => void) | undefined;
  readonly #firstScan: Promise<void>;
  #cutOff = false;
  /** Files that were read by themselves since the current search began. */
  readonly #updated = new Set<string>();
  /** Files that belong to nothing that is searched, but were asked for. */
  readonly #asked = new Set<string>();

  /** `changed` is called when the index, or whether it is being filled, has changed. */
  constructor(context: ServerContext, changed: () => void) {
    this.#context = context;
    this.#changed = changed;
    this.#firstScan = new Promise((resolve) => {
      this.#settledOnce = resolve;
    });
  }

  get running(): boolean {
    return this.#settledOnce !== undefined || this.#scan !== undefined;
  }

  /** All files have been seen: the search has ended and no limit cut it off. */
  get complete(): boolean {
    return !this.running && !this.#cutOff;
  }

  /** Resolves when the current search has ended, or the first one if none was begun. */
  async settled(): Promise<void> {
    await this.#firstScan;
    while (this.#scan) await this.#scan.done;
  }

  /** Searches all folders anew; files that vanished meanwhile leave the index. */
  start(): void {
    this.#scan?.controller.abort();
    const controller = new AbortController();
    const scan = { controller, done: Promise.resolve() };
    const { connection, capabilities } = this.#context;
    scan.done = withProgress(connection, capabilities.window?.workDoneProgress === true, 'Looking for modules', (progress) => this.#run(controller.signal, progress), quietMs)
      .catch((error: unknown) => this.#context.logger.log('error', 'index', String(error)))
      .finally(() => {
        if (this.#scan !== scan) return;
        this.#scan = undefined;
        this.#endFirst();
        this.#changed();
      });
    this.#scan = scan;
    this.#changed();
  }

  stop(): void {
    this.#scan?.controller.abort();
    this.#scan = undefined;
    this.#endFirst();
  }

  #endFirst(): void {
    this.#settledOnce?.();
    this.#settledOnce = undefined;
  }

  /** Reads a file into the index, wherever it is. */
  async ask(file: string): Promise<void> {
    this.#asked.add(file);
    await this.#read(file);
  }

  /** Brings the index up to date about a file: one that can't be read, or that the search would not come to, leaves it. */
  async update(file: string): Promise<void> {
    if (this.#belongs(file)) await this.#read(file);
    else if (!this.#context.sources.document(file)) this.#context.index.remove(file);
  }

  /** Without a folder, what was opened once is all that is known. */
  #belongs(file: string): boolean {
    const { folders, settings } = this.#context;
    const root = folders.rootOf(file);
    if (folders.all.length === 0 || this.#asked.has(file)) return true;
    return (root !== undefined && isSearched(root, file, settings.of(undefined)['index.exclude'])) || this.#listed().includes(file);
  }

  /** What a file list names counts wherever it is. */
  #listed(): readonly string[] {
    return this.#context.folders.all.flatMap(({ root }) => this.#context.projectOf(join(root, 'x')).files);
  }

  async #read(file: string): Promise<void> {
    this.#updated.add(file);
    if (!this.#context.sources.document(file)) this.#enter(file, await readTextUpTo(file, largestBytes));
  }

  /** Puts what a text declares into the index, or takes out a file without one. An open document is indexed as it is edited. */
  #enter(file: string, text: string | undefined): void {
    const { index, sources } = this.#context;
    // It may have been opened while it was read.
    if (sources.document(file)) return;
    const outline = text === undefined ? undefined : this.#outline(file, text);
    if (outline) index.set(file, outline);
    else index.remove(file);
  }

  /** From the cache where the text, what it includes and the settings are as they were. */
  #outline(file: string, text: string): FileOutline | undefined {
    const { analyses, sources } = this.#context;
    const context = this.#context.sourceContext(file);
    const hash = hashText(text);
    const hashOf = (path: string): string | undefined => sources.hash(path);
    const known = this.#cache?.find(file, hash, context, hashOf);
    if (known) return known;
    const read = analyses.once(file, new PlacedText(text), context);
    if (read) this.#cache?.keep(file, { hash, context, ...read }, hashOf);
    return read?.outline;
  }

  /** One cache for the folders as they are now. */
  async #openCache(): Promise<void> {
    const { storage, folders, version } = this.#context;
    const workspace = folders.all.map(({ root }) => root).sort().join('\n');
    if (storage === undefined || workspace === '') return;
    this.#cache = new IndexCache(storage, workspace, version);
    await this.#cache.load();
  }

  async #run(superseded: AbortSignal, progress: TaskProgress): Promise<void> {
    const { cancelled } = progress;
    const signal = AbortSignal.any([superseded, cancelled]);
    // What the user ends is not the whole workspace, until the next search.
    cancelled.addEventListener('abort', () => {
      this.#cutOff ||= !superseded.aborted;
    });
    const { folders, index, logger, settings } = this.#context;
    await this.#openCache();
    const found = new Set<string>();
    this.#updated.clear();
    this.#cutOff = false;
    const started = performance.now();
    let nextNotice = started + noticeMs;
    const { 'index.exclude': exclude, 'index.maxFiles': most } = settings.of(undefined);
    for (const { root } of folders.all) {
      const files = readAhead(findSources(root, { exclude, signal }), AHEAD, (file) => readTextUpTo(file, largestBytes));
      for await (const [file, text] of files) {
        if (found.size >= most) {
          this.#cutOff = true;
          break;
        }
        found.add(file);
        // What was read ahead may be older than what somebody asked for meanwhile.
        if (!this.#updated.has(file)) this.#enter(file, text);
        await setImmediate();
        if (signal.aborted) return;
        if (performance.now() < nextNotice) continue;
        nextNotice = performance.now() + noticeMs;
        progress.report(count(found.size, 'file'), undefined);
        this.#changed();
      }
    }
    for (const file of this.#listed()) {
      if (found.has(file)) continue;
      found.add(file);
      await this.#read(file);
      await setImmediate();
      if (signal.aborted) return;
    }
    for (const file of index.files) {
      if (!found.has(file) && (found.size < most || !this.#belongs(file))) await this.update(file);
    }
    await this.#cache?.save().catch((error: unknown) => logger.log('warn', 'index', `The cache was not written: ${String(error)}`));
    logger.log('info', 'index', `${index.moduleCount} modules in ${found.size} files, ${Math.round(performance.now() - started)} ms`);
  }
}
