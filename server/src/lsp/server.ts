import { DidChangeConfigurationNotification, DidChangeWatchedFilesNotification, ErrorCodes, ResponseError, TextDocumentSyncKind, TextDocuments } from 'vscode-languageserver';
import type { CancellationToken, Connection, InitializeParams, InitializeResult } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Logger } from '../base/logger.ts';
import { settingsSection } from '../config.ts';
import type { Core, CoreDeps } from '../core.ts';
import { clientNotifications, methods } from '../protocol.ts';
import type { ApiKeyParams, Requests, RunParams } from '../protocol.ts';
import { referenceFileName } from '../verification/reference.ts';
import { ServerContext } from './context.ts';
import { bindNavigation, navigationCapabilities } from './navigation.ts';
import { bindOutlook, outlookCapabilities } from './outlook.ts';
import { bindQuickFixes, quickFixCapabilities } from './quick-fixes.ts';
import { RequestHandlers } from './requests.ts';
import { Session } from './session.ts';
import { Sources } from './sources.ts';
import { sourceExtensions } from './workspace-index.ts';
import { bindWriting, writingCapabilities } from './writing.ts';

export interface ServerEnv {
  readonly createCore: (deps: CoreDeps) => Promise<Core>;
  readonly logger: Logger;
}

/** Binds the handlers of a connection; the caller makes it listen. */
export function bindServer(connection: Connection, env: ServerEnv): void {
  let session: Session | undefined;
  let handlers: RequestHandlers | undefined;
  const ready = (): RequestHandlers => {
    if (!handlers) throw new ResponseError(ErrorCodes.ServerNotInitialized, 'The server is not initialized yet.');
    return handlers;
  };
  const documents = new TextDocuments(TextDocument);

  /** Nobody waits for a notification's work, so a failure has to end up in the log. */
  const settle = (work: Promise<void> | undefined): void => {
    work?.catch((error: unknown) => env.logger.log('error', 'server', error instanceof Error ? (error.stack ?? error.message) : String(error)));
  };

  connection.onInitialize(async (params) => {
    session = await createSession(connection, env, params);
    handlers = new RequestHandlers(session);
    return initializeResult();
  });
  connection.onInitialized(() => settle(session && begin(connection, session, settle)));
  connection.onShutdown(() => session?.stop());

  documents.onDidOpen(({ document }) => session?.opened(document));
  documents.onDidChangeContent(({ document }) => session?.changed(document));
  documents.onDidSave(({ document }) => session?.saved(document));
  documents.onDidClose(({ document }) => settle(session?.closed(document)));
  connection.onDidChangeConfiguration(({ settings }) => settle(session?.settingsChanged(settings)));
  connection.onDidChangeWatchedFiles(({ changes }) => settle(session?.filesChanged(changes)));
  connection.languages.inlineCompletion.on((params, token) => session?.completions.complete(params, token) ?? []);
  connection.onNotification(clientNotifications.apiKey, ({ key }: ApiKeyParams) => session?.models.setApiKey(key));
  connection.onNotification(clientNotifications.answerNow, ({ run }: RunParams) => session?.generator.answerNow(run));
  connection.onNotification(clientNotifications.findModels, () => session?.models.refresh());
  bindNavigation(connection, () => session);
  bindOutlook(connection, () => session);
  bindWriting(connection, () => session);
  bindQuickFixes(connection, () => session);
  connection.onCodeLens(({ textDocument }) => ready().codeLenses(textDocument.uri));

  const answer = <M extends keyof Requests>(
    method: M,
    handle: (server: RequestHandlers, params: Requests[M]['params'], token: CancellationToken) => Requests[M]['answer'] | Promise<Requests[M]['answer']>,
  ): void => {
    connection.onRequest(method, async (params: Requests[M]['params'], token: CancellationToken): Promise<unknown> => handle(ready(), params, token));
  };
  answer(methods.moduleAt, (server, params) => server.moduleAt(params));
  answer(methods.referenceCandidates, (server, params) => server.referenceCandidates(params));
  answer(methods.selectReference, (server, params) => server.selectReference(params));
  answer(methods.clearReference, (server, params) => server.clearReference(params));
  answer(methods.verify, (server, params) => server.verify(params));
  answer(methods.findFix, (server, params) => server.findFix(params));
  answer(methods.verdictReport, (server, params) => server.verdictReport(params));
  answer(methods.doctor, (server, params) => server.doctor(params));
  answer(methods.generate, (server, params, token) => server.generate(params, token));
  answer(methods.explain, (server, params, token) => server.explain(params, token));

  documents.listen(connection);
}

async function createSession(connection: Connection, env: ServerEnv, params: InitializeParams): Promise<Session> {
  const sources = new Sources();
  const core = await env.createCore({
    logger: env.logger,
    toolPaths: { iverilog: '', yosys: '', verilator: '' },
    files: sources.files,
    readInclude: (path) => sources.find(path)?.text,
  });
  const context = new ServerContext({
    connection,
    core,
    logger: env.logger,
    sources,
    capabilities: params.capabilities,
    trusted: isTrusted(params.initializationOptions),
    storage: storageOf(params.initializationOptions),
  });
  context.folders.set(params.workspaceFolders?.map(({ uri }) => uri) ?? []);
  return new Session(context);
}

/** An editor that says nothing about trust has no such notion. */
function isTrusted(options: unknown): boolean {
  return !(typeof options === 'object' && options !== null && 'trusted' in options && options.trusted === false);
}

function storageOf(options: unknown): string | undefined {
  return typeof options === 'object' && options !== null && 'storage' in options && typeof options.storage === 'string' ? options.storage : undefined;
}

function initializeResult(): InitializeResult {
  return {
    capabilities: {
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: { includeText: false } },
      codeLensProvider: { resolveProvider: false },
      ...navigationCapabilities,
      ...outlookCapabilities,
      ...writingCapabilities,
      ...quickFixCapabilities,
      inlineCompletionProvider: true,
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    },
    serverInfo: { name: 'rtl-copilot' },
  };
}

/** Asks the client to tell about settings, files and folders, as far as it can, and starts to work. */
async function begin(connection: Connection, session: Session, settle: (work: Promise<void>) => void): Promise<void> {
  const { workspace } = session.context.capabilities;
  if (workspace?.didChangeConfiguration?.dynamicRegistration === true) {
    await connection.client.register(DidChangeConfigurationNotification.type, { section: settingsSection });
  }
  if (workspace?.didChangeWatchedFiles?.dynamicRegistration === true) {
    const extensions = sourceExtensions.map((extension) => extension.slice(1)).join(',');
    const watchers = [{ globPattern: `**/*.{${extensions}}` }, { globPattern: '**/*.f' }, { globPattern: `**/${referenceFileName}` }];
    await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  }
  if (workspace?.workspaceFolders === true) {
    connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) =>
      settle(
        session.foldersChanged(
          added.map(({ uri }) => uri),
          removed.map(({ uri }) => uri),
        ),
      ),
    );
  }
  await session.start();
}
