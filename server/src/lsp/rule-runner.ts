import { setImmediate as turn } from 'node:timers/promises';
import { LatestWins } from '../base/latest.ts';
import { inSlices } from '../base/steps.ts';
import { fileView, interfaceOnly } from '../analysis/rules/file-view.ts';
import { RuleMemory } from '../analysis/rules/memory.ts';
import { runRules } from '../analysis/rules/engine.ts';
import { namesInSteps } from '../analysis/rules/usage.ts';
import type { RuleFinding } from '../analysis/rules/engine.ts';
import type { FileSummary } from '../analysis/items.ts';
import type { FileNames } from '../analysis/names/model.ts';
import type { SourceContext } from '../core.ts';
import { rulePage, levelsFrom } from '../features/rule-findings.ts';
import type { Finding } from '../features/finding.ts';
import type { ServerContext } from './context.ts';
import { pathOf } from './convert.ts';
import type { PlacedText } from './convert.ts';
import type { Names } from './names.ts';

/** What other files declare is kept for this many of them. */
const keptSummaries = 500;

/** Milliseconds after the syntax is up to date until the rules run: they are for a pause, not for each key press. */
const idleMs = 200;

interface Known {
  readonly text: PlacedText;
  readonly context: SourceContext;
  readonly summary: FileSummary;
}

/** What the rules told of a file, as long as nothing but its own text changes. */
interface Remembered {
  readonly stamp: string;
  readonly context: SourceContext;
  readonly memory: RuleMemory;
}

/** What the rules said of a text. */
export interface RuleResult {
  readonly text: PlacedText;
  readonly findings: readonly RuleFinding[];
}

/** Runs the rules behind the typing; the newest run of a file wins. */
export class RuleRunner {
  readonly #context: ServerContext;
  readonly #names: Names;
  /** Whether the workspace is known as a whole, so that what is not found is not there. */
  readonly #complete: () => boolean;
  #stopped = false;
  readonly #runs = new LatestWins<string>();
  readonly #results = new Map<string, RuleResult>();
  readonly #memories = new Map<string, Remembered>();
  /** In the order of their last use. */
  readonly #summaries = new Map<string, Known>();

  constructor(context: ServerContext, names: Names, complete: () => boolean) {
    this.#context = context;
    this.#names = names;
    this.#complete = complete;
  }

  /** Runs the rules over an open document in a while. */
  schedule(file: string): void {
    if (this.#stopped) return;
    this.#runs.run(file, (signal) => this.#run(file, signal), idleMs).then(
      (result) => {
        if (result.kind !== 'done' || !result.value) return;
        this.#show(file, result.value);
        this.#learn(file, this.#memories.get(file)?.memory);
      },
      (error: unknown) => this.#context.logger.log('error', 'rules', error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
  }

  scheduleAll(): void {
    for (const { uri } of this.#context.sources.documents) this.schedule(pathOf(uri));
  }

  /** The findings of a document as it is now; undefined while they are being worked out. */
  of(file: string): RuleResult | undefined {
    const result = this.#results.get(file);
    return result && this.#context.sources.find(file) === result.text ? result : undefined;
  }

  forget(file: string): void {
    this.#runs.cancel(file);
    this.#results.delete(file);
    this.#memories.delete(file);
    this.#context.diagnostics.clear(owner(file));
  }

  stop(): void {
    this.#stopped = true;
    this.#runs.cancelAll();
  }

  #show(file: string, result: RuleResult): void {
    // Another key press brings another run.
    if (!this.#context.sources.document(file) || this.#context.sources.find(file) !== result.text) return;
    this.#results.set(file, result);
    this.#context.publish(
      owner(file),
      result.findings.map(
        ({ rule, level, span, message, related, unnecessary }): Finding => ({
          file,
          place: { kind: 'span', span },
          severity: level,
          code: rule,
          message,
          related: related.map((other) => ({ ...other, file })),
          page: rulePage(rule),
          unnecessary,
        }),
      ),
    );
  }

  async #run(file: string, signal: AbortSignal): Promise<RuleResult | undefined> {
    const { analyses, sources } = this.#context;
    const settings = this.#context.settingsFor(file);
    const text = sources.find(file);
    if (!sources.document(file) || !text) return undefined;
    if (!settings['diagnostics.enable']) return { text, findings: [] };
    const parsed = analyses.parsedOf(file, text, this.#context.sourceContext(file));
    if (!parsed) return undefined;
    const { levels, unknown } = levelsFrom(settings.rules);
    for (const name of unknown) this.#context.logger.log('warn', 'rules', `The setting rtlCopilot.rules names ${name}, which is no rule; see docs/rules.md.`);
    const { index } = this.#context;
    const pause = (): Promise<void> => turn(undefined, { signal });
    await this.#names.ready(file, pause);
    // Another key press brings another run.
    if (sources.find(file) !== text) return undefined;
    const snapshot = this.#names.snapshot();
    const known = snapshot.source(file);
    // Requests ask for the same names, so that they are read once where both see the same text.
    const names = known?.text === text.text && known.preprocessed.text === parsed.preprocessed.text ? known.names : parsed.names;
    const view = fileView({
      file,
      text: text.text,
      source: parsed.preprocessed,
      summary: parsed.summary,
      names,
      errors: parsed.problems.filter((problem) => problem.file === file && problem.severity === 'error').map(({ span }) => span),
      others: this.#neighbours(file, names),
      units: this.#complete() && index.files.length > 1 ? index.unitNames() : undefined,
      resolver: snapshot.resolver,
    });
    await inSlices(namesInSteps(view), pause);
    const findings = await runRules(view, { levels, signal, memory: this.#memoryOf(file) });
    return findings && { text, findings };
  }

  #memoryOf(file: string): RuleMemory {
    const { index, settings, sources } = this.#context;
    const stamp = [index.revisionWithout(file), settings.revision, this.#complete(), sources.stampWithout(file)].join('\n');
    const context = this.#context.sourceContext(file);
    const before = this.#memories.get(file);
    if (before?.stamp === stamp && before.context === context) return before.memory;
    const memory = new RuleMemory();
    this.#memories.set(file, { stamp, context, memory });
    return memory;
  }

  /** In small parts, after the findings are on their way. */
  #learn(file: string, memory: RuleMemory | undefined): void {
    if (this.#stopped || !memory || this.#memories.get(file)?.memory !== memory || !memory.learn()) return;
    setImmediate(() => {
      this.#learn(file, memory);
    });
  }

  /** What the modules and packages declare that a file names; of packages also those that they use. */
  #neighbours(file: string, names: FileNames): FileSummary[] {
    const { index } = this.#context;
    const found = new Map<string, FileSummary>();
    const seen = new Set<string>();
    const queue = names.uses.flatMap(({ base, name }) => (base.kind === 'unit' ? [{ name, isFirst: true }] : []));
    for (let next = queue.shift(); next; next = queue.shift()) {
      if (seen.has(next.name)) continue;
      seen.add(next.name);
      for (const definition of index.definitions(next.name)) {
        const isPackage = index.hasPackage(definition.file, next.name);
        if (definition.file === file || (!next.isFirst && !isPackage)) continue;
        const summary = this.#summaryOf(definition.file);
        if (summary) found.set(definition.file, summary);
        queue.push(...definition.uses.map((name) => ({ name, isFirst: false })));
      }
    }
    return [...found.values()];
  }

  #summaryOf(file: string): FileSummary | undefined {
    const text = this.#context.sources.find(file);
    const context = this.#context.sourceContext(file);
    const known = this.#summaries.get(file);
    this.#summaries.delete(file);
    if (!text) return undefined;
    const fresh = known?.text === text && known.context === context ? known : this.#read(file, text, context);
    if (!fresh) return undefined;
    this.#summaries.set(file, fresh);
    const [oldest] = this.#summaries.keys();
    if (this.#summaries.size > keptSummaries && oldest !== undefined) this.#summaries.delete(oldest);
    return fresh.summary;
  }

  #read(file: string, text: PlacedText, context: SourceContext): Known | undefined {
    const summary = this.#context.analyses.summaryOnce(file, text, context);
    return summary && { text, context, summary: interfaceOnly(summary) };
  }
}

function owner(file: string): string {
  return `rules:${file}`;
}
