import type { ClientCapabilities, Connection, Diagnostic } from 'vscode-languageserver';
import type { Logger } from '../base/logger.ts';
import type { Settings } from '../config.ts';
import type { Core, SourceContext } from '../core.ts';
import { Analyses } from './analysis.ts';
import { toDiagnostic } from './convert.ts';
import { DiagnosticsStore } from './diagnostics-store.ts';
import { Folders } from './folders.ts';
import { InheritedMacros } from './inherited-macros.ts';
import { Preprocessings } from './preprocessings.ts';
import { readProject } from './projects.ts';
import type { Project } from './projects.ts';
import { References } from './references.ts';
import type { SourceProblem } from '../analysis/design.ts';
import { SettingsStore } from './settings-store.ts';
import type { Sources } from './sources.ts';
import { Verdicts } from './verdicts.ts';
import { WorkspaceIndex } from './workspace-index.ts';
import type { Finding } from '../features/finding.ts';

export interface ServerContextOptions {
  readonly connection: Connection;
  readonly core: Core;
  readonly logger: Logger;
  readonly sources: Sources;
  readonly capabilities: ClientCapabilities;
  readonly trusted: boolean;
  /** Absolute folder for what is kept between sessions; undefined: nothing is kept. */
  readonly storage: string | undefined;
}

/** Before the settings have come. */
const noProject: Project = { context: { includeDirs: [], defines: {} }, lists: [], units: [], files: [], origins: new Map() };

function listFinding({ file, line, character, message }: SourceProblem): Finding {
  return { file, place: { kind: 'position', position: { line: line ?? 0, character: character ?? 0 } }, severity: 'error', code: 'filelist', message, related: [] };
}

/** What all parts of the server share. It holds state and answers questions about it; what happens is decided elsewhere. */
export class ServerContext {
  readonly connection: Connection;
  readonly core: Core;
  readonly logger: Logger;
  readonly sources: Sources;
  readonly capabilities: ClientCapabilities;
  readonly trusted: boolean;
  readonly storage: string | undefined;
  readonly version = process.env['RTL_COPILOT_VERSION'] ?? 'development';
  readonly index = new WorkspaceIndex();
  readonly folders = new Folders();
  readonly verdicts = new Verdicts();
  readonly preprocessings: Preprocessings;
  readonly analyses: Analyses;
  readonly references: References;
  readonly settings: SettingsStore;
  readonly diagnostics: DiagnosticsStore;
  readonly #projects = new Map<string | undefined, Project>();
  readonly #inherited: InheritedMacros;

  constructor({ connection, core, logger, sources, capabilities, trusted, storage }: ServerContextOptions) {
    this.connection = connection;
    this.core = core;
    this.logger = logger;
    this.sources = sources;
    this.capabilities = capabilities;
    this.trusted = trusted;
    this.storage = storage;
    this.preprocessings = new Preprocessings(sources);
    this.analyses = new Analyses(core, this.preprocessings);
    this.#inherited = new InheritedMacros((file) => sources.find(file));
    this.references = new References(logger);
    this.settings = new SettingsStore(connection, logger, capabilities.workspace?.configuration === true);
    this.diagnostics = new DiagnosticsStore((file, diagnostics) => {
      const version = sources.document(file)?.version;
      void connection.sendDiagnostics({ uri: sources.uriOf(file), diagnostics: [...diagnostics], ...(version === undefined ? {} : { version }) });
    });
  }

  settingsFor(file: string): Settings {
    return this.settings.of(this.folders.rootOf(file));
  }

  /** With the macros of the files before it in its file list. The same object until settings, file lists or those macros change. */
  sourceContext(file: string): SourceContext {
    return this.#inherited.contextOf(file, this.projectOf(file), this.sources.stamp());
  }

  /** What a tool has to read before a file, for the macros of the files before it in its file list; empty for none. */
  directivesBefore(file: string): string {
    return this.#inherited.directivesBefore(this.sourceContext(file));
  }

  projectOf(file: string): Project {
    return this.#projects.get(this.folders.rootOf(file)) ?? noProject;
  }

  /** Another text for whatever makes the search find other files, or read them in another way. */
  searchStamp(): string {
    const { 'index.exclude': exclude, 'index.maxFiles': most } = this.settings.of(undefined);
    return JSON.stringify([exclude, most, [...this.#projects].map(([root, { context, units, files }]) => [root ?? '', context, units, files])]);
  }

  /** Reads settings and file lists of all folders anew, and shows what is wrong with the lists. */
  async loadProjects(): Promise<void> {
    const roots = [undefined, ...this.folders.all.map(({ root }) => root)];
    for (const root of roots) {
      const project = await readProject(root, this.settings.of(root), this.sources.files);
      const before = this.#projects.get(root);
      const same = before !== undefined && JSON.stringify(before.context) === JSON.stringify(project.context);
      const sameUnits = JSON.stringify(before?.units) === JSON.stringify(project.units);
      this.#projects.set(root, { ...project, context: same ? before.context : project.context, units: (sameUnits && before?.units) || project.units });
      this.publish(`filelists:${root ?? ''}`, project.lists.flatMap(({ problem }) => (problem ? [listFinding(problem)] : [])));
    }
    for (const root of this.#projects.keys()) {
      if (roots.includes(root)) continue;
      this.#projects.delete(root);
      this.publish(`filelists:${root ?? ''}`, []);
    }
  }

  /** Replaces what an owner has found. */
  publish(owner: string, findings: readonly Finding[]): void {
    const byFile = new Map<string, Diagnostic[]>();
    for (const finding of findings) {
      const list = byFile.get(finding.file) ?? [];
      list.push(toDiagnostic(finding, this.sources));
      byFile.set(finding.file, list);
    }
    this.diagnostics.replace(owner, byFile);
  }

  /** Asks the editor to fetch the lenses again. */
  refreshLenses(): void {
    if (this.capabilities.workspace?.codeLens?.refreshSupport !== true) return;
    this.connection.sendRequest('workspace/codeLens/refresh').catch((error: unknown) => {
      this.logger.log('debug', 'lens', String(error));
    });
  }
}
