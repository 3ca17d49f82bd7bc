import { LatestWins } from '../base/latest.ts';
import type { ModuleInfo } from '../features/module-info.ts';
import { verdictFindings } from '../features/verdict-findings.ts';
import { verdictLabel } from '../features/verdict-text.ts';
import type { VerifyAnswer } from '../protocol.ts';
import type { ModuleName } from '../verification/reference.ts';
import type { VerifyRequest, VerifyResult } from '../verification/verdict.ts';
import type { ServerContext } from './context.ts';
import { designOf, libraryFilesOf, verifyOptionsFor } from './designs.ts';
import type { Indexer } from './indexer.ts';
import { withProgress } from './progress.ts';
import type { TaskProgress } from './progress.ts';
import { moduleKey } from './verdicts.ts';
import type { Basis, Verdict } from './verdicts.ts';

/** Runs verifications, the newest of each module, and keeps their verdicts true while the sources change. */
export class Verifier {
  readonly #context: ServerContext;
  readonly #indexer: Indexer;
  readonly #changed: () => void;
  readonly #runs = new LatestWins<string>();
  readonly #running = new Map<string, number>();
  readonly #stale = new Map<string, boolean>();

  /** `changed` is called when a run starts or ends, or a verdict becomes stale or fresh. */
  constructor(context: ServerContext, indexer: Indexer, changed: () => void) {
    this.#context = context;
    this.#indexer = indexer;
    this.#changed = changed;
  }

  get active(): boolean {
    return this.#running.size > 0;
  }

  isRunning(dut: ModuleName): boolean {
    return this.#running.has(moduleKey(dut));
  }

  stop(): void {
    this.#runs.cancelAll();
  }

  /** `fix`: where the module differs, also look for a small change that makes it right. */
  async verify(dut: ModuleName, { fix = false } = {}): Promise<VerifyAnswer> {
    const golden = await this.#goldenOf(dut);
    if ('kind' in golden) return golden;
    const key = moduleKey(dut);
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    this.#changed();
    try {
      const { capabilities, connection } = this.#context;
      const title = fix ? `Looking for a small change that makes ${dut.module} right` : `Verifying ${dut.module} against ${golden.module}`;
      const run = await this.#runs.run(key, (superseded) =>
        withProgress(connection, capabilities.window?.workDoneProgress === true, title, (progress) => this.#run(dut, golden, { fix, superseded, progress })),
      );
      return run.kind === 'done' ? run.value : { kind: 'superseded' };
    } finally {
      const others = (this.#running.get(key) ?? 1) - 1;
      if (others > 0) this.#running.set(key, others);
      else this.#running.delete(key);
      this.#changed();
    }
  }

  /** Decides anew which verdicts are stale, and brings their diagnostics up to date. */
  refresh(): void {
    let turned = false;
    for (const verdict of this.#context.verdicts.all) {
      const key = moduleKey(verdict.dut);
      const stale = this.isStale(verdict);
      turned ||= this.#stale.get(key) !== stale;
      this.#stale.set(key, stale);
      this.#publish(verdict, stale);
    }
    if (turned) this.#changed();
  }

  /** Some text or setting that the verdict depends on is not what was verified. Taking an edit back makes it fresh again. */
  isStale({ basis, dut }: Verdict): boolean {
    if (basis.context !== this.#settingsText(dut.file)) return true;
    return [...basis.hashes].some(([file, hash]) => this.#context.sources.hash(file) !== hash);
  }

  /** Drops the verdict of a module and what it shows. */
  forget(dut: ModuleName): void {
    this.#runs.cancel(moduleKey(dut));
    this.#context.verdicts.remove(dut);
    this.#stale.delete(moduleKey(dut));
    this.#context.diagnostics.clear(ownerOf(dut));
  }

  async #goldenOf(dut: ModuleName): Promise<ModuleName | Exclude<VerifyAnswer, { kind: 'verdict' }>> {
    const { trusted, folders, references, sources } = this.#context;
    if (!trusted) return { kind: 'refused', message: 'Trust this workspace to verify: a verification runs programs on its files.' };
    if (!sources.find(dut.file)) return { kind: 'refused', message: `Save the file of ${dut.module} first; a verification needs a place on the disk.` };
    const file = await references.load(folders.referenceRoot(dut.file));
    if (file.kind === 'broken') return { kind: 'refused', message: file.problem.message };
    return references.golden(folders.referenceRoot(dut.file), dut) ?? { kind: 'no-reference' };
  }

  async #run(dut: ModuleName, golden: ModuleName, { fix, superseded, progress }: { readonly fix: boolean; readonly superseded: AbortSignal; readonly progress: TaskProgress }): Promise<VerifyAnswer> {
    const { core, index, verdicts, logger } = this.#context;
    const signal = AbortSignal.any([superseded, progress.cancelled]);
    if (this.#indexer.running) {
      progress.report('Looking for modules', undefined);
      await Promise.race([this.#indexer.settled(), aborted(signal)]);
    }
    if (!index.has(golden.file)) await this.#indexer.ask(golden.file);
    const dutFiles = libraryFilesOf(this.#context, dut);
    const goldenFiles = libraryFilesOf(this.#context, golden);
    const basis = this.#basis(dut, [dut.file, ...dutFiles, golden.file, ...goldenFiles]);
    const request: VerifyRequest = {
      dut: designOf(this.#context, dut, dutFiles),
      golden: designOf(this.#context, golden, goldenFiles),
      options: { ...verifyOptionsFor(this.#context, dut.file), ...(fix ? { fix } : {}) },
    };
    const result = await core.verify(request, { signal, progress: ({ stage, share }) => progress.report(stage, share) });
    const label = verdictLabel(result);
    logger.log('info', 'verify', `${dut.module} against ${golden.module}: ${label}, ${Math.round(result.elapsedMs)} ms`);
    if (!superseded.aborted && result.verdict !== 'cancelled') {
      verdicts.set({ dut, golden, result, basis });
      this.refresh();
    }
    return { kind: 'verdict', verdict: result.verdict, label, reason: result.reason };
  }

  #module({ file, module }: ModuleName): ModuleInfo | undefined {
    return this.#context.index.module(file, module);
  }

  /** What is read now decides whether the verdict is fresh later, so the disk is looked at anew first. */
  #basis(dut: ModuleName, files: readonly string[]): Basis {
    const { sources, analyses } = this.#context;
    const hashes = new Map<string, string | undefined>();
    for (const file of files) {
      sources.forget(file);
      const text = sources.find(file);
      const includes = text ? (analyses.once(file, text, this.#context.sourceContext(file))?.outline.includes ?? []) : [];
      for (const included of includes) sources.forget(included);
      for (const each of [file, ...includes]) hashes.set(each, sources.hash(each));
    }
    return { hashes, context: this.#settingsText(dut.file) };
  }

  /** What settings and earlier files of a file list say about a file. */
  #settingsText(file: string): string {
    return JSON.stringify([this.#context.projectOf(file).context, this.#context.directivesBefore(file)]);
  }

  #publish(verdict: Verdict, stale: boolean): void {
    const { dut, golden, result } = verdict;
    const findings = verdictFindings({ result: result satisfies VerifyResult, stale, dut: this.#module(dut), golden: this.#module(golden) });
    this.#context.publish(ownerOf(dut), findings);
  }
}

function ownerOf(dut: ModuleName): string {
  return `verify:${moduleKey(dut)}`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
