import type { CancellationToken, CodeLens } from 'vscode-languageserver';
import { referenceCandidates } from '../features/candidates.ts';
import { moduleLenses } from '../features/lens.ts';
import { moduleAt } from '../features/module-info.ts';
import type { ModuleInfo } from '../features/module-info.ts';
import { doctorText, verdictReport } from '../features/report.ts';
import type { DoctorFile } from '../features/report.ts';
import { count } from '../verification/value-text.ts';
import { fixText, noFixText, verdictLabel } from '../features/verdict-text.ts';
import { commands } from '../protocol.ts';
import type {
  DoctorParams,
  ExplainAnswer,
  ExplainParams,
  FindFixAnswer,
  GenerateAnswer,
  GenerateParams,
  ModuleAtAnswer,
  ModuleAtParams,
  ModuleTarget,
  ReferenceAnswer,
  ReferenceCandidate,
  ReportAnswer,
  SelectReferenceParams,
  VerifyAnswer,
} from '../protocol.ts';
import { referenceFileName } from '../verification/reference.ts';
import type { ModuleName } from '../verification/reference.ts';
import { pathOf } from './convert.ts';
import { fileLines } from './file-doctor.ts';
import type { Session } from './session.ts';

/** Answers to the requests of the client, one method each. */
export class RequestHandlers {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  async codeLenses(uri: string): Promise<CodeLens[]> {
    const { folders, index, references, settings, sources, verdicts } = this.#session.context;
    const file = pathOf(uri);
    const enabled = settings.of(folders.rootOf(file))['codeLens.enable'];
    if (!enabled || !sources.document(file)) return [];
    await this.#session.looked(file);
    await this.#session.turn();
    const offers = this.#session.generator.lenses(uri);
    if (!uri.startsWith('file:')) return offers;
    const root = folders.referenceRoot(file);
    await references.load(root);
    const modules = this.#modulesOf(file);
    const known = new Map<string, boolean>();
    for (const { name } of modules) {
      const golden = references.golden(root, { file, module: name });
      if (golden) known.set(name, await this.#isKnown(golden));
    }
    const lenses = moduleLenses(modules, ({ name }) => {
      const dut = { file, module: name };
      const golden = references.golden(root, dut);
      const verdict = verdicts.of(dut, golden);
      return {
        golden: golden && { ...golden, known: known.get(name) ?? true },
        users: index.usersOf(name),
        running: this.#session.verifier.isRunning(dut),
        last: verdict && { label: verdictLabel(verdict.result), stale: this.#session.verifier.isStale(verdict) },
      };
    });
    const text = sources.textOf(file);
    const ofModules = lenses.map(({ offset, module, title, action }): CodeLens => {
      const at = text.position(offset);
      const target: ModuleTarget = { uri, module };
      return { range: { start: at, end: at }, command: { title, command: commands[action], arguments: [target] } };
    });
    return [...ofModules, ...offers];
  }

  generate(params: GenerateParams, token: CancellationToken): Promise<GenerateAnswer> {
    return this.#session.generator.generate(params, token);
  }

  explain(params: ExplainParams, token: CancellationToken): Promise<ExplainAnswer> {
    return this.#session.generator.explain(params, token);
  }

  async moduleAt({ uri, position }: ModuleAtParams): Promise<ModuleAtAnswer> {
    const file = pathOf(uri);
    await this.#session.looked(file);
    const modules = this.#modulesOf(file);
    const offset = this.#session.context.sources.textOf(file).offset(position);
    return { module: moduleAt(modules, offset)?.name, modules: modules.map(({ name }) => name) };
  }

  async referenceCandidates({ uri, module }: ModuleTarget): Promise<readonly ReferenceCandidate[]> {
    const { index, folders, references, sources } = this.#session.context;
    const file = pathOf(uri);
    await this.#session.looked(file);
    const dut = this.#modulesOf(file).find(({ name }) => name === module);
    if (!dut) return [];
    await this.#session.indexer.settled();
    const root = folders.referenceRoot(file);
    await references.load(root);
    const current = references.golden(root, { file, module });
    return referenceCandidates(dut, index.modules()).map(({ module: candidate, match }) => ({
      target: { uri: sources.uriOf(candidate.file), module: candidate.name },
      path: folders.display(candidate.file),
      match,
      current: current?.file === candidate.file && current.module === candidate.name,
    }));
  }

  async selectReference({ dut, golden }: SelectReferenceParams): Promise<ReferenceAnswer> {
    return this.#setReference(nameOf(dut), nameOf(golden));
  }

  async clearReference(dut: ModuleTarget): Promise<ReferenceAnswer> {
    return this.#setReference(nameOf(dut), undefined);
  }

  async verify(target: ModuleTarget): Promise<VerifyAnswer> {
    const dut = nameOf(target);
    const answer = await this.#session.verifier.verify(dut);
    if (answer.kind === 'verdict') await this.#session.tellMissingSimulator(dut, answer.verdict);
    return answer;
  }

  /** Verifies a module anew and looks for a small change that makes it right. */
  async findFix(target: ModuleTarget): Promise<FindFixAnswer> {
    const dut = nameOf(target);
    const answer = await this.#session.verifier.verify(dut, { fix: true });
    if (answer.kind !== 'verdict') return answer;
    const { folders, references, sources, verdicts } = this.#session.context;
    const verdict = verdicts.of(dut, references.golden(folders.referenceRoot(dut.file), dut));
    if (verdict?.result.verdict !== 'different') return { kind: 'none', message: verdict === undefined ? answer.reason : `There is nothing to change: ${answer.reason}` };
    const { fix } = verdict.result;
    const [best] = fix?.fixes ?? [];
    if (best === undefined || this.#session.verifier.isStale(verdict)) return { kind: 'none', message: best === undefined && fix !== undefined ? noFixText(fix, target.module) : `${target.module} was edited meanwhile; look again.` };
    const place = `${folders.display(best.file)}:${String(best.line + 1)}`;
    return {
      kind: 'found',
      fix: {
        message: `${target.module} is right with one change in ${place}: ${fixText(best)}.`,
        uri: sources.uriOf(best.file),
        version: sources.document(best.file)?.version,
        range: sources.textOf(best.file).range(best.span),
        newText: best.text,
      },
    };
  }

  verdictReport(target: ModuleTarget): ReportAnswer {
    const { folders, references, verdicts } = this.#session.context;
    const dut = nameOf(target);
    const verdict = verdicts.of(dut, references.golden(folders.referenceRoot(dut.file), dut));
    const text = verdict && verdictReport(verdict.result, this.#session.verifier.isStale(verdict), (file) => folders.display(file));
    return { title: `Verdict of ${target.module}`, text };
  }

  async doctor({ uri }: DoctorParams): Promise<ReportAnswer> {
    const { core, trusted } = this.#session.context;
    const report = await core.doctor({ tools: trusted });
    return { title: 'RTL Copilot Doctor', text: doctorText(report, { file: uri === undefined ? undefined : this.#fileSection(pathOf(uri)), workspace: this.#workspaceLines(), models: this.#session.models.lines() }) };
  }

  #fileSection(file: string): DoctorFile {
    return { name: this.#session.context.folders.display(file), lines: fileLines(this.#session, file) };
  }

  #workspaceLines(): string[] {
    const { folders, index, references, settings, trusted } = this.#session.context;
    const lines = [
      trusted ? 'The workspace is trusted.' : 'The workspace is not trusted: files are only parsed, and no program is run.',
      `${count(index.moduleCount, 'module')} in ${count(index.files.length, 'file')}${this.#session.indexer.running ? ' so far' : ''}.`,
    ];
    for (const { root } of folders.all) {
      const file = references.known(root);
      const { includeDirs, defines, 'verify.engine': engine } = settings.of(root);
      lines.push(
        `Folder ${root}: ${file.kind === 'valid' ? `${count(file.bindings.length, 'reference')} in ${referenceFileName}` : file.problem.message}`,
        `Folder ${root}: engine ${engine}; include folders: ${includeDirs.join(', ') || 'none'}; defines: ${Object.keys(defines).join(', ') || 'none'}`,
      );
    }
    return lines;
  }

  async #setReference(dut: ModuleName, golden: ModuleName | undefined): Promise<ReferenceAnswer> {
    const { folders, references } = this.#session.context;
    const root = folders.referenceRoot(dut.file);
    const problem = await references.update(root, dut, golden);
    if (problem !== undefined) return { kind: 'refused', message: problem };
    this.#session.referenceChanged(dut);
    return { kind: 'written', path: `${root}/${referenceFileName}` };
  }

  /** A golden outside of the workspace folders is read when it is asked for. */
  async #isKnown(golden: ModuleName): Promise<boolean> {
    const { context, indexer } = this.#session;
    if (!context.index.has(golden.file)) await indexer.ask(golden.file);
    return context.index.module(golden.file, golden.module) !== undefined;
  }

  /** The modules of a document as it is at this moment. */
  #modulesOf(file: string): readonly ModuleInfo[] {
    const { analyses, sources, index } = this.#session.context;
    if (!sources.document(file)) return index.modules().filter((module) => module.file === file);
    return analyses.ofOpen(file, sources.textOf(file), this.#session.context.sourceContext(file)).outline.modules;
  }
}

function nameOf({ uri, module }: ModuleTarget): ModuleName {
  return { file: pathOf(uri), module };
}
