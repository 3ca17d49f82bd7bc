import { dirname, join } from 'node:path';
import type { CancellationToken, CodeLens } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Span } from '../base/text.ts';
import { libraryFiles } from '../features/closure.ts';
import { plainMarkdown } from '../features/plain-markdown.ts';
import { headersOf } from '../generation/comment.ts';
import type { ExplainResult, KnownModule, ModelChoice, ModuleRequest, ModuleResult, Run, Target, Task } from '../generation/contract.ts';
import { holdsTable, isSpecification, siteAt, sites, type CommentSite } from '../generation/site.ts';
import { codeFor } from '../generation/place.ts';
import { commands, notifications } from '../protocol.ts';
import type { CommentTarget, ExplainAnswer, ExplainParams, GenerateAnswer, GenerateParams, GenerationEvent, Proposal } from '../protocol.ts';
import type { ModuleInfo } from '../features/module-info.ts';
import type { ModuleName } from '../verification/reference.ts';
import { abortOf } from './cancel.ts';
import type { ServerContext } from './context.ts';
import { pathOf } from './convert.ts';
import { designOf, verifyOptionsFor } from './designs.ts';
import { newsOf, tableProposal } from './generation-news.ts';
import type { Indexer } from './indexer.ts';
import type { Models } from './models.ts';
import { withProgress } from './progress.ts';
import type { Verifier } from './verifier.ts';

const REPAIRS = 3;

/** Larger files are not searched for comments that ask for a module. */
const LARGEST_FILE_WITH_LENSES = 300_000;

type Refusal = Extract<GenerateAnswer, { kind: 'failed' }>;

function refuse(reason: string, startCommand?: string): Refusal {
  return { kind: 'failed', reason, startCommand, tableProblems: false };
}

/** The document of a request as it was when the request came. */
interface Subject {
  readonly document: TextDocument;
  /** As the server names it. */
  readonly file: string;
  readonly text: string;
  readonly version: number;
  readonly modules: readonly ModuleInfo[];
}

export interface GeneratorParts {
  readonly context: ServerContext;
  readonly indexer: Indexer;
  readonly models: Models;
  readonly verifier: Verifier;
}

/** Writes, fixes, repairs and explains modules for the editor. No document is ever changed here: the answers are proposals. */
export class Generator {
  readonly #context: ServerContext;
  readonly #indexer: Indexer;
  readonly #models: Models;
  readonly #verifier: Verifier;
  readonly #runs = new Map<number, Run<unknown>>();

  constructor({ context, indexer, models, verifier }: GeneratorParts) {
    this.#context = context;
    this.#indexer = indexer;
    this.#models = models;
    this.#verifier = verifier;
  }

  /** Lenses above the comments that a module can be written from. Prose is offered only where a model is known. */
  lenses(uri: string): CodeLens[] {
    const subject = this.#subject(uri);
    if (subject === undefined || !this.#context.trusted || subject.text.length > LARGEST_FILE_WITH_LENSES) return [];
    const hasModel = ['found', 'loading'].includes(this.#models.status().writer.kind);
    return sites(subject.text).flatMap((site) => {
      if (moduleWith(subject, site) !== undefined || !isSpecification(site, subject.text)) return [];
      const table = holdsTable(site.text);
      if (!table && !hasModel) return [];
      const start = subject.document.positionAt(site.start);
      const target: CommentTarget = { uri, line: start.line };
      return [{ range: { start, end: start }, command: { title: table ? 'Generate module from table' : 'Generate module', command: commands.generate, arguments: [target] } }];
    });
  }

  /** The marks in a table are about the text as it was. */
  changed(file: string): void {
    this.#context.diagnostics.clear(ownerOf(file));
  }

  answerNow(run: number): void {
    this.#runs.get(run)?.answerNow();
  }

  async generate(params: GenerateParams, token: CancellationToken): Promise<GenerateAnswer> {
    const subject = this.#subject(params.uri);
    if (!this.#context.trusted) return refuse('Trust this workspace to generate: a model is asked, and programs check what it writes.');
    if (subject === undefined) return refuse('Open the file in an editor first.');
    const signal = abortOf(token);
    switch (params.task.kind) {
      case 'comment':
        return this.#fromComment(params.run, subject, params.task, signal);
      case 'fix':
        return this.#fix(params.run, subject, params.task, signal);
      case 'repair':
        return this.#repair(params.run, subject, params.task.module, signal);
    }
  }

  async explain({ run, uri, module }: ExplainParams, token: CancellationToken): Promise<ExplainAnswer> {
    const subject = this.#subject(uri);
    if (!this.#context.trusted) return refuse('Trust this workspace to explain: a model is asked.');
    const found = subject?.modules.find(({ name }) => name === module);
    if (subject === undefined || found === undefined) return refuse(`The module ${module} is not in the file any more.`);
    const signal = abortOf(token);
    const model = await this.#connect(run, signal);
    if ('kind' in model) return model;
    const request = { code: subject.text.slice(found.span.start, found.span.end), lookup: this.#lookup(subject.file), model };
    const result: ExplainResult = await this.#track(run, this.#context.core.explainModule(request, { signal, onEvent: (event) => this.#tell(run, newsOf(event)) }));
    if (signal.aborted) return { kind: 'cancelled' };
    if (result.kind === 'explained') return { kind: 'explained', title: `Explanation of ${module}`, text: plainMarkdown(`# ${module}\n\n${result.text}\n`) };
    this.#models.failed('write', result.failure);
    return refuse(result.failure.message);
  }

  async #fromComment(run: number, subject: Subject, { line, model }: Extract<GenerateParams['task'], { kind: 'comment' }>, signal: AbortSignal): Promise<GenerateAnswer> {
    this.changed(subject.file);
    const site = siteAt(subject.text, line);
    if (site === undefined || site.text.trim() === '') return refuse('There is no comment at this line or right above it; say in a comment what the module should do.');
    const inside = moduleWith(subject, site);
    if (inside !== undefined) return refuse(`The comment stands inside of the module ${inside.name}; write it above the module, or alone.`);
    if (!model && holdsTable(site.text)) return this.#fromTable(subject, site, signal);
    return this.#write(run, subject, { kind: 'write', description: dedent(site.text), header: site.header }, site.span, signal);
  }

  async #fromTable(subject: Subject, site: CommentSite, signal: AbortSignal): Promise<GenerateAnswer> {
    const { core, capabilities, connection } = this.#context;
    const path = this.#pathFor(subject);
    const { engine, seed, timeoutMs } = verifyOptionsFor(this.#context, subject.file);
    const encoding = this.#context.settingsFor(subject.file)['generate.encoding'];
    const request = {
      text: site.text, start: site.start, header: site.header, directory: dirname(path), engine, seed, timeoutMs,
      encoding: encoding === 'auto' ? undefined : encoding,
    };
    const result = await withProgress(connection, capabilities.window?.workDoneProgress === true, 'Building the module from its table', (progress) =>
      core.generate(request, { signal: AbortSignal.any([signal, progress.cancelled]), progress: ({ stage, share }) => progress.report(stage, share) }),
    );
    if (signal.aborted || result.verification?.verdict === 'cancelled') return { kind: 'cancelled' };
    if (result.problems.length > 0) {
      this.#context.publish(
        ownerOf(subject.file),
        result.problems.map(({ span, code, message }) => ({ file: subject.file, place: { kind: 'span', span }, severity: 'error', code, message, related: [] })),
      );
      return { ...refuse(result.reason), tableProblems: true };
    }
    const proposal = tableProposal(result);
    if (proposal === undefined) return refuse(result.reason);
    return proposals(subject, site.span, [{ ...proposal, code: codeFor(this.#target(subject, site.span), proposal.code) }]);
  }

  async #fix(run: number, subject: Subject, { position, message }: Extract<GenerateParams['task'], { kind: 'fix' }>, signal: AbortSignal): Promise<GenerateAnswer> {
    const offset = subject.document.offsetAt(position);
    const module = subject.modules.find(({ span }) => span.start <= offset && offset <= span.end);
    if (module === undefined) return refuse('The finding does not stand in a module that can be read; only modules are rewritten.');
    const line = position.line - subject.document.positionAt(module.span.start).line;
    return this.#write(run, subject, { kind: 'fix', code: codeOf(subject, module.span), findings: [{ message, line }] }, module.span, signal);
  }

  async #repair(run: number, subject: Subject, name: string, signal: AbortSignal): Promise<GenerateAnswer> {
    const { folders, references, verdicts } = this.#context;
    const dut = { file: subject.file, module: name };
    const module = subject.modules.find((candidate) => candidate.name === name);
    const root = folders.referenceRoot(subject.file);
    await references.load(root);
    const verdict = verdicts.of(dut, references.golden(root, dut));
    if (module === undefined || verdict === undefined) return refuse(`${name} was not verified yet; use the command "RTL Copilot: Verify Against Reference" first.`);
    if (verdict.result.verdict !== 'different') return refuse(`The last verdict of ${name} shows no difference that could be repaired.`);
    if (this.#verifier.isStale(verdict)) return refuse(`The sources of ${name} were edited since it was verified; verify it again first.`);
    return this.#write(run, subject, { kind: 'repair', code: codeOf(subject, module.span), verdict: verdict.result }, module.span, signal);
  }

  async #write(run: number, subject: Subject, task: Task, span: Span, signal: AbortSignal): Promise<GenerateAnswer> {
    const model = await this.#connect(run, signal);
    if ('kind' in model) return model;
    const request = await this.#moduleRequest(subject, task, span, model, signal);
    const result = await this.#track(run, this.#context.core.generateModule(request, { signal, onEvent: (event) => this.#tell(run, newsOf(event)) }));
    this.#context.logger.log('info', 'generate', `${result.outcome}: ${result.reason} ${Math.round(result.elapsedMs)} ms`);
    return this.#answer(subject, span, result, signal);
  }

  #answer(subject: Subject, span: Span, result: ModuleResult, signal: AbortSignal): GenerateAnswer {
    if (result.failure !== undefined) this.#models.failed('write', result.failure);
    // What came through before the user stopped the run is still worth a look.
    if (result.candidates.length === 0) return signal.aborted ? { kind: 'cancelled' } : refuse(result.reason);
    const distinct = new Map(result.candidates.toReversed().map((candidate) => [candidate.code.replace(/\s+/g, ' '), candidate]));
    const candidates = result.candidates.filter((candidate) => [...distinct.values()].includes(candidate));
    return proposals(subject, span, candidates.map(({ module, code, confidence, notes }) => ({ module, code, confidence, notes })));
  }

  async #moduleRequest(subject: Subject, task: Task, span: Span, model: ModelChoice, signal: AbortSignal): Promise<ModuleRequest> {
    const { index } = this.#context;
    const project = this.#context.projectOf(subject.file);
    await Promise.race([this.#indexer.settled(), new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))]);
    const words = new Set((task.kind === 'write' ? `${task.description} ${task.header ?? ''}` : task.code).match(/[A-Za-z_]\w*/g) ?? []);
    const name = task.kind === 'write' ? headersOf(task.header ?? '')[0]?.name : headersOf(task.code)[0]?.name;
    const uses = [...words].filter((word) => word !== name && index.definitions(word).length > 0);
    return {
      task,
      target: this.#target(subject, span),
      context: { ...project.context, units: project.units, libraryFiles: libraryFiles({ file: subject.file, uses }, (used) => index.definitions(used)) },
      lookup: this.#lookup(subject.file),
      golden: await this.#goldenOf(subject.file, name),
      testbench: this.#testbenchOf(subject.file, name),
      model,
      samples: this.#context.settingsFor(subject.file)['generate.samples'],
      repairs: REPAIRS,
      verify: verifyOptionsFor(this.#context, subject.file),
    };
  }

  async #goldenOf(file: string, module: string | undefined): Promise<ModuleRequest['golden']> {
    if (module === undefined) return undefined;
    const { folders, references } = this.#context;
    const root = folders.referenceRoot(file);
    await references.load(root);
    const golden = references.golden(root, { file, module });
    return golden && designOf(this.#context, golden);
  }

  /** The only module of the workspace without ports that instantiates the module. */
  #testbenchOf(file: string, module: string | undefined): ModuleRequest['testbench'] {
    if (module === undefined) return undefined;
    const [found, another] = this.#context.index.modules().filter(({ ports, uses }) => ports.length === 0 && uses.includes(module));
    const name: ModuleName | undefined = found && another === undefined ? { file: found.file, module: found.name } : undefined;
    return name === undefined || name.file === file ? undefined : designOf(this.#context, name);
  }

  #lookup(file: string): (name: string) => Promise<KnownModule | undefined> {
    return (name) => {
      const definitions = this.#context.index.definitions(name);
      const definition = definitions.find((candidate) => candidate.file === file) ?? definitions[0];
      const header = definition && headersOf(this.#context.sources.textOf(definition.file).text).find((candidate) => candidate.name === name)?.text;
      return Promise.resolve(definition && header !== undefined ? { name, header, file: definition.file } : undefined);
    };
  }

  async #connect(run: number, signal: AbortSignal): Promise<ModelChoice | Refusal> {
    const { core, settings } = this.#context;
    const connection = await core.connectModel(settings.of(undefined), { apiKey: this.#models.apiKey, signal });
    if (connection.kind === 'none') return refuse(connection.message, connection.startCommand);
    const { name, server } = connection.model;
    this.#tell(run, { kind: 'model', name, server: server.endpoint.root });
    return connection.model;
  }

  async #track<Result>(run: number, started: Run<Result>): Promise<Result> {
    this.#runs.set(run, started);
    try {
      return await this.#models.during(started.result);
    } finally {
      this.#runs.delete(run);
    }
  }

  #tell(run: number, event: GenerationEvent | undefined): void {
    if (event === undefined) return;
    this.#context.connection.sendNotification(notifications.generation, { run, event }).catch((error: unknown) => {
      this.#context.logger.log('debug', 'generate', String(error));
    });
  }

  #subject(uri: string): Subject | undefined {
    const file = pathOf(uri);
    const { analyses, sources } = this.#context;
    const document = sources.document(file);
    if (document === undefined) return undefined;
    const text = sources.textOf(file);
    const { modules } = analyses.ofOpen(file, text, this.#context.sourceContext(file)).outline;
    return { document, file, text: text.text, version: document.version, modules };
  }

  #target(subject: Subject, span: Span): Target {
    return { file: this.#pathFor(subject), text: subject.text, span };
  }

  /** A document that was never saved is treated as a file of the first folder. */
  #pathFor({ document, file }: Subject): string {
    if (document.uri.startsWith('file:')) return file;
    return join(this.#context.folders.all[0]?.root ?? process.cwd(), document.languageId === 'verilog' ? 'untitled.v' : 'untitled.sv');
  }
}

function ownerOf(file: string): string {
  return `table:${file}`;
}

function proposals({ version }: Subject, span: Span, list: readonly Proposal[]): GenerateAnswer {
  return { kind: 'proposals', version, span, proposals: list };
}

function codeOf({ text }: Subject, span: Span): string {
  return text.slice(span.start, span.end);
}

function moduleWith({ modules }: Subject, site: CommentSite): ModuleInfo | undefined {
  return modules.find(({ span }) => span.start < site.start && site.start < span.end);
}

/** The marks of a comment are blanks; they are no part of what it says. */
function dedent(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const indents = lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length);
  return lines.map((line) => line.slice(Math.min(...indents))).join('\n').trim();
}
