import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { CancellationTokenSource, InlineCompletionTriggerKind, ProposedFeatures, StreamMessageReader, StreamMessageWriter, createConnection, createProtocolConnection } from 'vscode-languageserver/node';
import type { CancellationToken, CodeLens, Diagnostic, FileChangeType, InitializeResult, InlineCompletionItem, ProtocolConnection, PublishDiagnosticsParams, Range } from 'vscode-languageserver/node';
import { LineIndex } from '../../server/src/base/text.ts';
import { createCore } from '../../server/src/core.ts';
import type { Core } from '../../server/src/core.ts';
import { bindServer } from '../../server/src/lsp/server.ts';
import { clientNotifications, notifications } from '../../server/src/protocol.ts';
import type { GenerationNews, InactiveParams, MissingSimulatorParams, ModelStatus, ModuleTarget, Requests, StatusParams } from '../../server/src/protocol.ts';

export interface HarnessOptions {
  /** Workspace files: relative path to text. */
  readonly files: Readonly<Record<string, string>>;
  /** Values of settings without their section, as in `verify.engine`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly trusted?: boolean;
  /** Stands in for parts of the real core. */
  readonly core?: Partial<Core>;
  /** The workspace is opened as a folder; false: single files only; a list: as these folders of it. */
  readonly folder?: boolean | readonly string[];
  /** Folder of the workspace for what the server keeps. */
  readonly storage?: string;
}

/** No model server is looked for on the machine that runs the tests. */
const nowhere = 'http://127.0.0.1:1';

interface Progress {
  readonly token: string | number;
  readonly title: string;
  readonly cancellable: boolean;
  done: boolean;
}

/** An editor without a screen: a real client connection joined to a real server by in-memory streams. */
export class Editor implements AsyncDisposable {
  readonly root: string;
  readonly settings: Record<string, unknown>;
  readonly diagnostics = new Map<string, PublishDiagnosticsParams>();
  /** Every publication in order. */
  readonly publications: PublishDiagnosticsParams[] = [];
  readonly statuses: StatusParams[] = [];
  /** The newest of each document. */
  readonly inactive = new Map<string, InactiveParams['ranges']>();
  readonly missingSimulator: MissingSimulatorParams[] = [];
  readonly models: ModelStatus[] = [];
  readonly news: GenerationNews[] = [];
  readonly progresses: Progress[] = [];
  readonly messages: string[] = [];
  /** What the server logged as errors. */
  readonly failures: readonly string[];
  lensRefreshes = 0;
  registrations: string[] = [];
  readonly #client: ProtocolConnection;
  readonly #stop: () => void;
  readonly #versions = new Map<string, { version: number; text: string }>();
  readonly #waiters = new Set<() => void>();

  private constructor(root: string, settings: Record<string, unknown>, failures: readonly string[], client: ProtocolConnection, stop: () => void) {
    this.root = root;
    this.failures = failures;
    this.settings = settings;
    this.#client = client;
    this.#stop = stop;
  }

  static async start({ files, settings = {}, trusted = true, core = {}, folder = true, storage }: HarnessOptions): Promise<Editor> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'rtl copilot ä ')));
    for (const [name, text] of Object.entries(files)) await put(join(root, name), text);
    const failures: string[] = [];
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    const server = createConnection(ProposedFeatures.all, new StreamMessageReader(toServer), new StreamMessageWriter(toClient));
    bindServer(server, {
      logger: {
        log: (level, category, message) => {
          if (level === 'error') failures.push(`${category}: ${message}`);
        },
      },
      createCore: async (deps) => {
        const real = await createCore(deps);
        return new Proxy(real, { get: (target, name) => memberOf(core, name) ?? memberOf(target, name) });
      },
    });
    server.listen();
    const client = createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
    const editor = new Editor(root, { 'diagnostics.delay': 20, 'lint.tool': 'off', 'model.endpoint': nowhere, ...settings }, failures, client, () => {
      client.dispose();
      server.dispose();
      toServer.end();
      toClient.end();
    });
    editor.#listen();
    await editor.#initialize(trusted, folder, storage);
    return editor;
  }

  async #initialize(trusted: boolean, folder: boolean | readonly string[], storage: string | undefined): Promise<void> {
    const result: InitializeResult = await this.#client.sendRequest('initialize', {
      processId: null,
      rootUri: null,
      workspaceFolders: folder === false ? null : (folder === true ? ['.'] : folder).map((name) => this.#folder(name)),
      initializationOptions: { trusted, ...(storage === undefined ? {} : { storage: join(this.root, storage) }) },
      capabilities: {
        window: { workDoneProgress: true },
        workspace: {
          configuration: true,
          workspaceFolders: true,
          codeLens: { refreshSupport: true },
          didChangeConfiguration: { dynamicRegistration: true },
          didChangeWatchedFiles: { dynamicRegistration: true },
        },
        textDocument: { publishDiagnostics: { relatedInformation: true, versionSupport: true } },
      },
    });
    assert.equal(result.capabilities.codeLensProvider?.resolveProvider, false);
    await this.#client.sendNotification('initialized', {});
    await this.until(() => this.statuses.at(-1)?.state === 'ready', 'the index to be filled');
  }

  #listen(): void {
    const client = this.#client;
    const heard = (): void => {
      for (const waiter of [...this.#waiters]) waiter();
    };
    client.onRequest('workspace/configuration', ({ items }: { items: unknown[] }) => items.map(() => this.settings));
    client.onRequest('client/registerCapability', ({ registrations }: { registrations: { method: string }[] }) => {
      this.registrations.push(...registrations.map(({ method }) => method));
      return null;
    });
    client.onRequest('workspace/codeLens/refresh', () => {
      this.lensRefreshes++;
      return null;
    });
    client.onRequest('window/workDoneProgress/create', () => null);
    client.onNotification('$/progress', ({ token, value }: { token: string | number; value: { kind: string; title?: string; cancellable?: boolean } }) => {
      if (value.kind === 'begin') this.progresses.push({ token, title: value.title ?? '', cancellable: value.cancellable === true, done: false });
      for (const progress of this.progresses) if (value.kind === 'end' && progress.token === token) progress.done = true;
      heard();
    });
    client.onNotification('window/showMessage', ({ message }: { message: string }) => {
      this.messages.push(message);
      heard();
    });
    client.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      this.diagnostics.set(params.uri, params);
      this.publications.push(params);
      heard();
    });
    client.onNotification(notifications.status, (params: StatusParams) => {
      this.statuses.push(params);
      heard();
    });
    client.onNotification(notifications.inactive, ({ uri, ranges }: InactiveParams) => {
      this.inactive.set(uri, ranges);
      heard();
    });
    client.onNotification(notifications.missingSimulator, (params: MissingSimulatorParams) => {
      this.missingSimulator.push(params);
      heard();
    });
    client.onNotification(notifications.generation, (news: GenerationNews) => {
      this.news.push(news);
      heard();
    });
    client.onNotification(notifications.modelStatus, (status: ModelStatus) => {
      this.models.push(status);
      heard();
    });
    client.listen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.sendRequest('shutdown');
    this.#stop();
    await rm(this.root, { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.root, name);
  }

  uri(name: string): string {
    return pathToFileURL(this.path(name)).href;
  }

  target(name: string, module: string): ModuleTarget {
    return { uri: this.uri(name), module };
  }

  /** Waits for a condition, looked at with each message of the server and now and then. */
  async until(condition: () => boolean, what: string, timeoutMs = 20_000): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const settle = (): void => {
        if (!condition()) return;
        clearTimeout(timer);
        clearInterval(poll);
        this.#waiters.delete(settle);
        resolve();
      };
      const timer = setTimeout(() => {
        clearInterval(poll);
        this.#waiters.delete(settle);
        reject(new Error(`waited in vain for ${what}; diagnostics: ${JSON.stringify([...this.diagnostics.values()])}`));
      }, timeoutMs);
      const poll = setInterval(settle, 20);
      this.#waiters.add(settle);
      settle();
    });
  }

  async open(name: string, text: string): Promise<void> {
    this.#versions.set(name, { version: 1, text });
    const textDocument = { uri: this.uri(name), languageId: name.endsWith('v') ? 'systemverilog' : 'verilog', version: 1, text };
    await this.#client.sendNotification('textDocument/didOpen', { textDocument });
  }

  /** Replaces the first occurrence of `before` as an incremental change. */
  async edit(name: string, before: string, after: string): Promise<void> {
    const document = this.#versions.get(name);
    assert.ok(document, `${name} is open`);
    const start = document.text.indexOf(before);
    assert.ok(start >= 0, `${name} has ${before}`);
    await this.#change(name, start, start + before.length, after);
  }

  /** Replaces a part of a document, given by shares of its length, as an incremental change. */
  async replace(name: string, from: number, share: number, after: string): Promise<void> {
    const { text = '' } = this.#versions.get(name) ?? {};
    const start = Math.floor(from * text.length);
    const end = Math.min(text.length, start + Math.floor(share * text.length));
    await this.#change(name, start, end, after);
  }

  async #change(name: string, start: number, end: number, after: string): Promise<void> {
    const document = this.#versions.get(name);
    assert.ok(document, `${name} is open`);
    const lines = new LineIndex(document.text);
    const range: Range = { start: lines.position(start), end: lines.position(end) };
    document.text = document.text.slice(0, start) + after + document.text.slice(end);
    document.version++;
    const textDocument = { uri: this.uri(name), version: document.version };
    await this.#client.sendNotification('textDocument/didChange', { textDocument, contentChanges: [{ range, text: after }] });
  }

  async close(name: string): Promise<void> {
    this.#versions.delete(name);
    await this.#client.sendNotification('textDocument/didClose', { textDocument: { uri: this.uri(name) } });
  }

  /** Writes or, without a text, removes a file and tells the server. */
  async save(name: string, text: string | undefined, type: FileChangeType): Promise<void> {
    if (text === undefined) await rm(this.path(name), { force: true });
    else await put(this.path(name), text);
    await this.#client.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: this.uri(name), type }] });
  }

  async setSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    Object.assign(this.settings, settings);
    await this.#client.sendNotification('workspace/didChangeConfiguration', { settings: null });
  }

  async cancelProgress(token: string | number): Promise<void> {
    await this.#client.sendNotification('window/workDoneProgress/cancel', { token });
  }

  request<M extends keyof Requests>(method: M, params: Requests[M]['params'], cancel?: AbortSignal): Promise<Requests[M]['answer']> {
    return this.#client.sendRequest<Requests[M]['answer']>(method, params, tokenOf(cancel));
  }

  /** Adds and removes folders of the workspace. */
  async changeFolders(added: readonly string[], removed: readonly string[]): Promise<void> {
    await this.#client.sendNotification('workspace/didChangeWorkspaceFolders', { event: { added: added.map((name) => this.#folder(name)), removed: removed.map((name) => this.#folder(name)) } });
  }

  #folder(name: string): { uri: string; name: string } {
    return { uri: this.uri(name).replace(/\/$/, ''), name };
  }

  /** Any request of the protocol. */
  raw(method: string, params: object, cancel?: AbortSignal): Promise<unknown> {
    return this.#client.sendRequest(method, params, tokenOf(cancel));
  }

  async setApiKey(key: string | undefined): Promise<void> {
    await this.#client.sendNotification(clientNotifications.apiKey, { key });
  }

  /** What is suggested at the end of the first occurrence of `before`, as the text that is inserted there. */
  async suggestions(name: string, before: string, options: { readonly typing?: boolean; readonly cancel?: AbortSignal } = {}): Promise<string[]> {
    const text = this.#versions.get(name)?.text ?? '';
    assert.ok(text.includes(before), `${name} is open and has ${before}`);
    const position = new LineIndex(text).position(text.indexOf(before) + before.length);
    const context = { triggerKind: options.typing === true ? InlineCompletionTriggerKind.Automatic : InlineCompletionTriggerKind.Invoked };
    const items: InlineCompletionItem[] | null = await this.#client.sendRequest('textDocument/inlineCompletion', { textDocument: { uri: this.uri(name) }, position, context }, tokenOf(options.cancel));
    return (items ?? []).map(({ insertText, range }) => {
      assert.deepEqual(range, { start: position, end: position });
      return typeof insertText === 'string' ? insertText : insertText.value;
    });
  }

  /** A request of the protocol about a document; with `at`, about the place of the first occurrence of `$0`-marked text in it, as in `wi$0re`. */
  async ask<T>(method: string, name: string, at?: string, more: object = {}): Promise<T> {
    const text = this.#versions.get(name)?.text ?? '';
    const [before = '', after = ''] = (at ?? '').split('$0');
    const offset = text.indexOf(before + after);
    assert.ok(offset >= 0, `${name} has ${at ?? ''}`);
    const position = new LineIndex(text).position(offset + before.length);
    return this.#client.sendRequest<T>(method, { textDocument: { uri: this.uri(name) }, ...(at === undefined ? {} : { position }), ...more });
  }

  /** Titles of the lenses of a document, with the line they stand on. */
  async lenses(name: string): Promise<string[]> {
    const lenses: CodeLens[] = await this.#client.sendRequest('textDocument/codeLens', { textDocument: { uri: this.uri(name) } });
    return lenses.map(({ range, command }) => `${range.start.line}: ${command?.title ?? ''}`);
  }

  diagnosticsOf(name: string): readonly Diagnostic[] {
    return this.diagnostics.get(this.uri(name))?.diagnostics ?? [];
  }

  /** Diagnostics as text: `line:column-line:column severity message`, severity 1 for an error. */
  problemsOf(name: string): string[] {
    return this.diagnosticsOf(name).map(({ range: { start, end }, severity, message }) => {
      const text = typeof message === 'string' ? message : message.value;
      return `${start.line}:${start.character}-${end.line}:${end.character} ${severity ?? 0} ${text}`;
    });
  }
}

function tokenOf(signal: AbortSignal | undefined): CancellationToken {
  const source = new CancellationTokenSource();
  signal?.addEventListener('abort', () => source.cancel());
  return source.token;
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function memberOf(object: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(object, name, object);
  return typeof value === 'function' ? (value.bind(object) as unknown) : value;
}
