import { basename, dirname } from 'node:path';
import { FileChangeType } from 'vscode-languageserver';
import type { FileEvent } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { LatestWins } from '../base/latest.ts';
import { inSlices } from '../base/steps.ts';
import { typingBetween, withoutUnfinished, withoutUnfinishedInSteps } from '../features/unfinished.ts';
import type { Finding } from '../features/finding.ts';
import type { Typing } from '../features/unfinished.ts';
import { verdictLabel } from '../features/verdict-text.ts';
import { notifications } from '../protocol.ts';
import type { MissingSimulatorParams, StatusParams } from '../protocol.ts';
import { referenceFileName } from '../verification/reference.ts';
import type { ModuleName } from '../verification/reference.ts';
import type { VerdictKind } from '../verification/verdict.ts';
import type { SourceContext } from '../core.ts';
import { longText } from './analysis.ts';
import type { Analysis } from './analysis.ts';
import type { ServerContext } from './context.ts';
import { pathOf } from './convert.ts';
import type { PlacedText } from './convert.ts';
import type { Span } from '../base/text.ts';
import { Generator } from './generator.ts';
import { Indexer } from './indexer.ts';
import { Names } from './names.ts';
import { RuleRunner } from './rule-runner.ts';
import { InlineCompletions } from './inline-completion.ts';
import { Models } from './models.ts';
import { Linter } from './linter.ts';
import { Verifier } from './verifier.ts';
import { isFileList, isSourceFile } from './workspace-index.ts';

/** How many quiet times after a key press it takes until what looks unfinished is taken for a mistake. */
const unfinishedDelays = 10;
/** How long a look at the text without the line of the cursor may take, in milliseconds. */
const blankedDeadlineMs = 200;

/** What happens when documents, files, folders and settings change. */
export class Session {
  readonly context: ServerContext;
  readonly indexer: Indexer;
  readonly verifier: Verifier;
  readonly linter: Linter;
  readonly names: Names;
  readonly rules: RuleRunner;
  readonly models: Models;
  readonly completions: InlineCompletions;
  readonly generator: Generator;
  readonly #typing = new LatestWins<string>();
  /** Looks at documents that take too long to be looked at at once. */
  readonly #behind = new LatestWins<string>();
  #lastTurn = Promise.resolve();
  #status = '';
  #started = false;
  #stopped = false;
  /** What the user sees of a document, which others may have had looked at anew meanwhile. */
  readonly #shown = new Map<string, { readonly text: string; readonly analysis: Analysis }>();
  readonly #inactive = new Map<string, string>();
  #simulatorReported = false;

  constructor(context: ServerContext) {
    this.context = context;
    this.indexer = new Indexer(context, () => this.#indexChanged());
    this.names = new Names(context, () => this.indexer.complete);
    this.rules = new RuleRunner(context, this.names, () => this.indexer.complete);
    this.linter = new Linter(context, () => this.#announce());
    this.verifier = new Verifier(context, this.indexer, () => this.#announce());
    this.models = new Models(context, { replaced: () => this.completions.reset(), found: () => context.refreshLenses() });
    this.completions = new InlineCompletions(context, this.models);
    this.generator = new Generator(this);
  }

  /** Fetches settings and references and looks for modules. */
  async start(): Promise<void> {
    // The search that follows is the only one that the settings of these folders ask for.
    this.#started = false;
    await this.settingsChanged();
    this.#started = true;
    this.indexer.start();
  }

  stop(): void {
    this.#stopped = true;
    this.indexer.stop();
    this.verifier.stop();
    this.linter.stop();
    this.completions.reset();
    this.#typing.cancelAll();
    this.#behind.cancelAll();
    this.rules.stop();
    this.context.analyses.dropAll();
  }

  async settingsChanged(pushed?: unknown): Promise<void> {
    const { settings, folders, references, core, sources } = this.context;
    const before = this.context.searchStamp();
    await settings.refresh(folders.all, pushed);
    await this.context.loadProjects();
    if (this.#started && this.context.searchStamp() !== before) this.indexer.start();
    const { 'iverilog.path': iverilog, 'yosys.path': yosys, 'verilator.path': verilator } = settings.of(folders.all[0]?.root);
    core.setToolPaths({ iverilog, yosys, verilator });
    this.models.settingsChanged();
    for (const { root } of folders.all) {
      await references.load(root);
      this.#showReferences(root);
    }
    for (const document of sources.documents) this.#begin(pathOf(document.uri));
    this.#announce();
  }

  async foldersChanged(added: readonly string[], removed: readonly string[]): Promise<void> {
    const { folders, index } = this.context;
    folders.change(added, removed);
    for (const file of index.files) if (folders.rootOf(file) === undefined) await this.indexer.update(file);
    await this.start();
  }

  opened(document: TextDocument): void {
    this.context.sources.open(document);
    this.#begin(pathOf(document.uri));
  }

  /** A pause in typing brings the diagnostics up to date; a newer key press starts the pause again. */
  changed(document: TextDocument): void {
    const file = pathOf(document.uri);
    if (this.context.sources.document(file) !== document) this.context.sources.open(document);
    this.generator.changed(file);
    const delay = this.context.settingsFor(file)['diagnostics.delay'];
    const typed = this.#typing.run(
      file,
      async (signal) => {
        const before = this.#shown.get(file);
        const typing = before && typingBetween(before.text, this.context.sources.textOf(file).text);
        if (await this.#update(file, typing)) return;
        // What is unfinished now is shown when it is left so.
        await wait(delay * unfinishedDelays, undefined, { signal }).catch(() => undefined);
        if (!signal.aborted) await this.#update(file);
      },
      delay,
    );
    typed.catch((error: unknown) => this.#failed(error));
  }

  /** What is saved is meant as it is. */
  saved(document: TextDocument): void {
    const file = pathOf(document.uri);
    this.#typing.cancel(file);
    this.#begin(file);
  }

  async closed(document: TextDocument): Promise<void> {
    const file = pathOf(document.uri);
    const { sources, analyses, diagnostics, preprocessings } = this.context;
    this.#typing.cancel(file);
    this.#behind.cancel(file);
    sources.close(file);
    analyses.drop(file);
    this.#shown.delete(file);
    preprocessings.drop(file);
    diagnostics.clear(syntaxOwner(file));
    this.rules.forget(file);
    this.linter.close(file);
    this.#inactive.delete(document.uri);
    this.generator.changed(file);
    await this.indexer.update(file);
    this.verifier.refresh();
  }

  async filesChanged(events: readonly FileEvent[]): Promise<void> {
    const { sources, analyses, references } = this.context;
    for (const { uri, type } of events) {
      const file = pathOf(uri);
      sources.forget(file);
      if (isFileList(file)) {
        await this.#listsChanged();
        continue;
      }
      if (basename(file) === referenceFileName) {
        await references.reload(dirname(file));
        this.#showReferences(dirname(file));
        continue;
      }
      if (type !== FileChangeType.Changed) analyses.outdateAll();
      else analyses.outdate(file, (each) => this.context.sourceContext(each));
      if (isSourceFile(file)) await this.indexer.update(file);
    }
    for (const document of sources.documents) this.#begin(pathOf(document.uri));
    this.verifier.refresh();
    this.#announce();
  }

  /** Other files may belong to the project now, and be read in another way. */
  async #listsChanged(): Promise<void> {
    await this.context.loadProjects();
    this.indexer.start();
  }

  /** The reference of a module was chosen or cleared. */
  referenceChanged(dut: ModuleName): void {
    this.verifier.forget(dut);
    this.#showReferences(this.context.folders.referenceRoot(dut.file));
    this.#announce();
  }

  /** What other files declare bears on the findings of the open ones. */
  #indexChanged(): void {
    this.#announce();
    if (!this.indexer.running) this.rules.scheduleAll();
  }

  /** Tells the user once that no simulator is there, after a run that wanted one. */
  async tellMissingSimulator(dut: ModuleName, verdict: VerdictKind): Promise<void> {
    const engine = this.context.settingsFor(dut.file)['verify.engine'];
    if (this.#simulatorReported || (engine !== 'auto' && engine !== 'iverilog') || verdict === 'bad-input') return;
    const missing = await this.context.core.missingSimulator();
    // Another run may have told it meanwhile.
    if (!missing || this.#wasSimulatorReported()) return;
    this.#simulatorReported = true;
    const until = engine === 'auto' && verdict !== 'tool-error' ? ' Until then another engine decides, by proof or counterexample.' : '';
    const params: MissingSimulatorParams = { message: `${missing.reason}${until}`, installCommand: missing.install };
    await this.context.connection.sendNotification(notifications.missingSimulator, params);
  }

  #wasSimulatorReported(): boolean {
    return this.#simulatorReported;
  }

  /** As `#update`, without waiting for it. */
  #begin(file: string): void {
    this.#unwaited(this.#update(file));
  }

  #unwaited(work: boolean | Promise<boolean>): void {
    Promise.resolve(work).catch((error: unknown) => this.#failed(error));
  }

  #failed(error: unknown): void {
    this.context.logger.log('error', 'session', error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  /**
   * Brings everything about a document up to date, its errors first. With `typing`, errors of what is just being typed are
   * left out; false when there are such. At once, unless that would take too long.
   */
  #update(file: string, typing?: Typing): boolean | Promise<boolean> {
    const { analyses } = this.context;
    const isComplete = this.#analyse(file, typing);
    const outdated = new Set(analyses.outdate(file, (each) => this.context.sourceContext(each)));
    for (const [user, { analysis }] of this.#shown) if (user !== file && (outdated.has(user) || !analyses.isNewest(user, analysis))) this.#unwaited(this.#analyse(user));
    return isComplete;
  }

  #analyse(file: string, typing?: Typing): boolean | Promise<boolean> {
    const { sources, analyses } = this.context;
    const document = sources.document(file);
    if (!document) return true;
    const text = sources.textOf(file);
    const context = this.context.sourceContext(file);
    const analysis = analyses.ofOpen(file, text, context);
    if (text.text.length > longText || !analyses.isCurrent(file, text, context)) return this.#analyseBehind(file, document, typing);
    this.#behind.cancel(file);
    const findings = this.#findingsOf(file, analysis);
    const shown = typing ? this.#finished(file, text.text, findings, typing) : findings;
    this.#show(file, document, text, analysis, shown);
    setImmediate(() => {
      try {
        this.#indexOpen(file);
      } catch (error) {
        // Nobody else would catch it, and it would end the server.
        this.#failed(error);
      }
    });
    return shown.length === findings.length;
  }

  /** As `#analyse`, in slices; the newest look at a file wins. */
  async #analyseBehind(file: string, document: TextDocument, typing: Typing | undefined): Promise<boolean> {
    const { sources, analyses } = this.context;
    const text = sources.textOf(file);
    const look = await this.#behind.run(file, async (signal) => {
      const pause = (): Promise<void> => turn(undefined, { signal });
      let context: SourceContext;
      let isRead: boolean;
      do {
        context = this.context.sourceContext(file);
        isRead = await analyses.read(file, text, context, pause);
        // What was typed meanwhile is looked at soon.
        if (sources.find(file) !== text) return true;
        // What other files say may have changed meanwhile, too.
      } while (isRead && !analyses.isCurrent(file, text, this.context.sourceContext(file)));
      const analysis = analyses.ofOpen(file, text, context);
      const findings = this.#findingsOf(file, analysis);
      const shown = typing
        ? await inSlices(withoutUnfinishedInSteps(ownOf(file, findings), text.text, typing, (other) => analyses.findingsInSteps(file, other, context)), pause)
        : ownOf(file, findings);
      const all = [...shown, ...findings.filter((finding) => finding.file !== file)];
      if (sources.find(file) !== text) return true;
      this.#show(file, document, text, analysis, all);
      await analyses.readOutline(file, pause);
      this.#indexOpen(file);
      return all.length === findings.length;
    });
    return look.kind !== 'done' || look.value;
  }

  /** Each of many requests that wait for the same gets a turn of its own, so that other messages are let in between them. */
  async turn(): Promise<void> {
    const mine = this.#lastTurn;
    this.#lastTurn = mine.then(() => turn());
    await mine;
  }

  /** Reads a long document as it is now, so that its outline is at hand. */
  async looked(file: string): Promise<void> {
    const { sources, analyses } = this.context;
    const text = sources.document(file) && sources.find(file);
    if (!text) return;
    const context = this.context.sourceContext(file);
    analyses.ofOpen(file, text, context);
    if (!analyses.isCurrent(file, text, context)) await analyses.read(file, text, context, turn);
    if (text.text.length > longText) await analyses.readOutline(file, turn);
  }

  #findingsOf(file: string, { findings }: Analysis): readonly Finding[] {
    const { settings, folders } = this.context;
    return settings.of(folders.rootOf(file))['diagnostics.enable'] ? findings : [];
  }

  /** Tells what was found; a tool looks over the text later. */
  #show(file: string, document: TextDocument, text: PlacedText, analysis: Analysis, shown: readonly Finding[]): void {
    this.#shown.set(file, { text: text.text, analysis });
    this.context.publish(syntaxOwner(file), shown);
    this.#showInactive(document, text, analysis.inactive);
    this.linter.schedule(file);
  }

  #finished(file: string, text: string, findings: readonly Finding[], typing: Typing): Finding[] {
    const { analyses } = this.context;
    const others = findings.filter((finding) => finding.file !== file);
    return [...withoutUnfinished(ownOf(file, findings), text, typing, (other) => analyses.findingsIn(file, other, this.context.sourceContext(file), blankedDeadlineMs)), ...others];
  }

  /** What the document declares, after its errors are on their way. */
  #indexOpen(file: string): void {
    const { sources, analyses, index } = this.context;
    const document = sources.document(file);
    if (!document || this.#stopped) return;
    const { outline } = analyses.ofOpen(file, sources.textOf(file), this.context.sourceContext(file));
    const modules = index.moduleCount;
    if (document.uri.startsWith('file:')) index.set(file, outline);
    this.verifier.refresh();
    if (index.moduleCount !== modules) this.#announce();
    this.rules.schedule(file);
  }

  /** What conditionals leave out, for the editor to dim; told when it is another than before. */
  #showInactive(document: TextDocument, text: PlacedText, spans: readonly Span[]): void {
    const ranges = spans.map((span) => text.range(span));
    const key = JSON.stringify(ranges);
    if ((this.#inactive.get(document.uri) ?? '[]') === key) return;
    this.#inactive.set(document.uri, key);
    this.context.connection.sendNotification(notifications.inactive, { uri: document.uri, ranges }).catch((error: unknown) => {
      this.context.logger.log('debug', 'inactive', String(error));
    });
  }

  #showReferences(root: string): void {
    this.context.publish(`reference:${root}`, this.context.references.findings(root));
  }

  /** Sends the status when it differs from what was sent last, and has the lenses fetched again. */
  #announce(): void {
    const status = this.#currentStatus();
    const text = JSON.stringify(status);
    this.context.refreshLenses();
    if (text === this.#status) return;
    this.#status = text;
    this.context.connection.sendNotification(notifications.status, status).catch((error: unknown) => {
      this.context.logger.log('debug', 'status', String(error));
    });
  }

  #currentStatus(): StatusParams {
    const { verdicts, sources, index } = this.context;
    const { newest } = verdicts;
    return {
      state: this.verifier.active ? 'verifying' : this.indexer.running ? 'indexing' : 'ready',
      modules: index.moduleCount,
      lint: this.linter.newest?.text,
      last: newest && {
        target: { uri: sources.uriOf(newest.dut.file), module: newest.dut.module },
        verdict: newest.result.verdict,
        label: verdictLabel(newest.result),
        stale: this.verifier.isStale(newest),
      },
    };
  }
}

function ownOf(file: string, findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => finding.file === file);
}

function syntaxOwner(file: string): string {
  return `syntax:${file}`;
}
