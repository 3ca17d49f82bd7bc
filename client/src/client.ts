import * as vscode from 'vscode';
import { LanguageClient, State, TransportKind } from 'vscode-languageclient/node';
import type { LanguageClientOptions, ServerOptions } from 'vscode-languageclient/node';
import { notifications } from '../../server/src/protocol.ts';
import type { GenerationNews, InactiveParams, InitializationOptions, MissingSimulatorParams, ModelStatus, Requests, StatusParams } from '../../server/src/protocol.ts';

export type ServerState = 'starting' | 'running' | 'stopped';

/** Starts, restarts and stops the language server, and asks it. */
export class ServerClient implements vscode.Disposable {
  readonly log: vscode.LogOutputChannel;
  readonly #serverModule: string;
  readonly #storage: string;
  readonly #stateChanged = new vscode.EventEmitter<ServerState>();
  readonly #statusChanged = new vscode.EventEmitter<StatusParams>();
  readonly #inactiveChanged = new vscode.EventEmitter<InactiveParams>();
  readonly #simulatorMissing = new vscode.EventEmitter<MissingSimulatorParams>();
  readonly #modelsChanged = new vscode.EventEmitter<ModelStatus>();
  readonly #generation = new vscode.EventEmitter<GenerationNews>();
  readonly #subscriptions: vscode.Disposable;
  #client: LanguageClient | undefined;

  readonly onState = this.#stateChanged.event;
  readonly onStatus = this.#statusChanged.event;
  readonly onInactive = this.#inactiveChanged.event;
  readonly onMissingSimulator = this.#simulatorMissing.event;
  readonly onModels = this.#modelsChanged.event;
  readonly onGeneration = this.#generation.event;

  constructor(context: vscode.ExtensionContext) {
    this.#storage = context.globalStorageUri.fsPath;
    this.#serverModule = context.asAbsolutePath('dist/server.mjs');
    this.log = vscode.window.createOutputChannel('RTL Copilot', { log: true });
    this.#subscriptions = vscode.Disposable.from(
      this.log,
      this.#stateChanged,
      this.#statusChanged,
      this.#inactiveChanged,
      this.#simulatorMissing,
      this.#modelsChanged,
      this.#generation,
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.restart()),
    );
  }

  /** Resolves when the server answers; a failure is shown to the user and logged, not thrown. */
  async start(): Promise<void> {
    if (this.#client) return;
    const client = new LanguageClient('rtlCopilot', 'RTL Copilot', this.#serverOptions(), this.#clientOptions());
    this.#client = client;
    client.onDidChangeState(({ newState }) => this.#stateChanged.fire(stateOf(newState)));
    client.onNotification(notifications.status, (params: StatusParams) => this.#statusChanged.fire(params));
    client.onNotification(notifications.inactive, (params: InactiveParams) => this.#inactiveChanged.fire(params));
    client.onNotification(notifications.missingSimulator, (params: MissingSimulatorParams) => this.#simulatorMissing.fire(params));
    client.onNotification(notifications.modelStatus, (status: ModelStatus) => this.#modelsChanged.fire(status));
    client.onNotification(notifications.generation, (news: GenerationNews) => this.#generation.fire(news));
    try {
      await client.start();
    } catch (error) {
      this.log.error(`The language server did not start: ${String(error)}`);
      this.#stateChanged.fire('stopped');
    }
  }

  async stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      // A server that already died can't be stopped; that is no reason to fail a restart.
      this.log.debug(`The language server did not stop in order: ${String(error)}`);
    }
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async request<M extends keyof Requests>(method: M, params: Requests[M]['params'], token?: vscode.CancellationToken): Promise<Requests[M]['answer']> {
    if (!this.#client) throw new Error('The language server is not running; use the command "RTL Copilot: Restart Server".');
    return this.#client.sendRequest<Requests[M]['answer']>(method, params, token);
  }

  /** Nothing happens while the server does not run. */
  async notify(method: string, params: object): Promise<void> {
    if (this.#client?.state === State.Running) await this.#client.sendNotification(method, params);
  }

  /** The document's address as the server knows it. */
  uriOf(uri: vscode.Uri): string {
    return this.#client?.code2ProtocolConverter.asUri(uri) ?? uri.toString();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #serverOptions(): ServerOptions {
    const run = { module: this.#serverModule, transport: TransportKind.ipc };
    return { run, debug: { ...run, options: { execArgv: ['--nolazy', '--inspect=6009'] } } };
  }

  #clientOptions(): LanguageClientOptions {
    const initializationOptions: InitializationOptions = { trusted: vscode.workspace.isTrusted, storage: this.#storage };
    const languages = ['verilog', 'systemverilog'];
    return {
      documentSelector: ['file', 'untitled'].flatMap((scheme) => languages.map((language) => ({ scheme, language }))),
      initializationOptions,
      outputChannel: this.log,
      diagnosticCollectionName: 'RTL Copilot',
    };
  }
}

function stateOf(state: State): ServerState {
  if (state === State.Running) return 'running';
  return state === State.Starting ? 'starting' : 'stopped';
}
