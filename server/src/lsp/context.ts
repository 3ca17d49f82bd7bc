import { resolve } from 'node:path';
import type { ClientCapabilities, Connection, Diagnostic } from 'vscode-languageserver';
import type { Logger } from '../base/logger.ts';
import type { Settings } from '../config.ts';
import type { Core, SourceContext } from '../core.ts';
import { Analyses } from './analysis.ts';
import { toDiagnostic } from './convert.ts';
import { DiagnosticsStore } from './diagnostics-store.ts';
import { Folders } from './folders.ts';
import { References } from './references.ts';
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
}

/** What all parts of the server share. It holds state and answers questions about it; what happens is decided elsewhere. */
export class ServerContext {
  readonly connection: Connection;
  readonly core: Core;
  readonly logger: Logger;
  readonly sources: Sources;
  readonly capabilities: ClientCapabilities;
  readonly trusted: boolean;
  readonly index = new WorkspaceIndex();
  readonly folders = new Folders();
  readonly verdicts = new Verdicts();
  readonly analyses: Analyses;
  readonly references: References;
  readonly settings: SettingsStore;
  readonly diagnostics: DiagnosticsStore;
  readonly #contexts = new Map<string | undefined, { readonly settings: Settings; readonly context: SourceContext }>();

  constructor({ connection, core, logger, sources, capabilities, trusted }: ServerContextOptions) {
    this.connection = connection;
    this.core = core;
    this.logger = logger;
    this.sources = sources;
    this.capabilities = capabilities;
    this.trusted = trusted;
    this.analyses = new Analyses(core);
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

  /** The same object as long as the settings are the same. */
  sourceContext(file: string): SourceContext {
    const root = this.folders.rootOf(file);
    const settings = this.settings.of(root);
    const known = this.#contexts.get(root);
    if (known?.settings === settings) return known.context;
    const includeDirs = settings.includeDirs.map((directory) => (root === undefined ? resolve(directory) : resolve(root, directory)));
    const context = { includeDirs, defines: settings.defines };
    this.#contexts.set(root, { settings, context });
    return context;
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
