import { notifications } from '../protocol.ts';
import type { ModelFace, ModelStatus } from '../protocol.ts';
import type { Failure, FailureKind } from '../model/outcome.ts';
import { locateModel, type Located, type ModelRole } from '../model/locate.ts';
import type { ServerContext } from './context.ts';

/** A server that was missing, or still loading, is looked for again when a model is wanted, but not more often than this. */
const RETRY_MS = { none: 15_000, loading: 2_000 } as const;

/** Failures that pass by themselves; with any other one the server is not asked for suggestions again until the settings change. */
const PASSING: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'cancelled', 'not-running', 'connection-failed', 'unreachable', 'too-many-requests', 'loading', 'server-error', 'context-overflow', 'prompt-truncated', 'incomplete',
  'stalled', 'timed-out', 'malformed', 'cut-off', 'no-answer', 'unexpected-finish',
]);

export interface ModelHooks {
  /** Another server or model may answer from now on. */
  readonly replaced: () => void;
  /** A server was found or lost. */
  readonly found: () => void;
}

interface Lookup {
  readonly at: number;
  readonly located: Promise<Located>;
  result: Located | undefined;
}

/** Which model servers there are, and what the user is told about them. Keys are held in memory only. */
export class Models {
  readonly #context: ServerContext;
  readonly #lookups = new Map<ModelRole, Lookup>();
  /** What was found last; stays while it is looked for anew. */
  readonly #faces = new Map<ModelRole, Located>();
  readonly #hooks: ModelHooks;
  #apiKey: string | undefined;
  /** Why the server that was found can't complete lines; it is not asked again until the settings change. */
  #noInfill: string | undefined;
  #writing = 0;
  #basis = '';
  #sent = '';

  constructor(context: ServerContext, hooks: ModelHooks) {
    this.#context = context;
    this.#hooks = hooks;
  }

  /** Whether lines are to be completed: the user wants it, and nothing is known to stand against it. */
  get completes(): boolean {
    return this.#context.trusted && this.#settings['infill.enable'] && this.#noInfill === undefined;
  }

  /** Whether a model is writing; it may need all of the machine, so that nothing else is asked meanwhile. */
  get writing(): boolean {
    return this.#writing > 0;
  }

  /** Waits for the work of a model that writes. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#writing += 1;
    try {
      return await work;
    } finally {
      this.#writing -= 1;
    }
  }

  setApiKey(key: string | undefined): void {
    if (key === this.#apiKey) return;
    this.#apiKey = key;
    this.refresh();
  }

  get apiKey(): string | undefined {
    return this.#apiKey;
  }

  /** Looks anew where a setting changed that has to do with models. */
  settingsChanged(): void {
    const settings = JSON.stringify(Object.entries(this.#settings).filter(([name]) => /^(?:model|infill)\./.test(name)));
    if (settings === this.#basis) return;
    this.#basis = settings;
    this.refresh();
  }

  /** Looks for the servers anew: the settings or the key changed, or the user wishes it. */
  refresh(): void {
    this.#lookups.clear();
    this.#noInfill = undefined;
    this.#hooks.replaced();
    this.#tell();
    if (!this.#context.trusted) return;
    void this.locate('write');
    if (this.completes) void this.locate('infill');
  }

  /** The server of a role; one that was missing a moment ago is not looked for again at once. */
  locate(role: ModelRole): Promise<Located> {
    const known = this.#lookups.get(role);
    const isFresh = known && (known.result === undefined || known.result.kind === 'found' || performance.now() - known.at < RETRY_MS[known.result.kind]);
    return (isFresh === true ? known : this.#look(role)).located;
  }

  #look(role: ModelRole): Lookup {
    const lookup: Lookup = { at: performance.now(), located: locateModel(role, this.#settings, { apiKey: this.#apiKey }), result: undefined };
    this.#lookups.set(role, lookup);
    void lookup.located.then((located) => {
      lookup.result = located;
      if (this.#lookups.get(role) !== lookup) return;
      const before = this.#faces.get(role)?.kind;
      this.#faces.set(role, located);
      if (before !== located.kind) this.#hooks.found();
      this.#tell();
    });
    return lookup;
  }

  /** A request failed: a server that is gone is looked for again, and one that won't complete lines is left alone. */
  failed(role: ModelRole, failure: Failure): void {
    this.#context.logger.log('info', 'model', failure.message);
    if (role === 'infill' && !PASSING.has(failure.kind)) this.#noInfill = failure.message;
    else if (failure.kind === 'not-running' || failure.kind === 'connection-failed') {
      this.#hooks.replaced();
      this.#look(role);
    }
    this.#tell();
  }

  /** For people, one line each. */
  lines(): string[] {
    const { trusted, writer, infill } = this.status();
    if (!trusted) return ['The workspace is not trusted: no model is looked for or asked.'];
    const writes = writer.kind === 'found' ? `${writer.model === '' ? 'the only model' : writer.model} at ${writer.server}` : writer.kind === 'unknown' ? 'not looked for yet' : writer.message;
    const completes = { on: 'on', off: 'off', waiting: 'no server that completes lines was found', unable: 'not possible' }[infill.state];
    const detail = infill.state === 'on' ? ` with ${infill.model === '' ? 'the only model' : infill.model}` : infill.state === 'unable' ? `. ${infill.message}` : '';
    return [`Model that writes modules: ${writes}`, `Suggestions while typing: ${completes}${detail}`];
  }

  status(): ModelStatus {
    const { trusted } = this.#context;
    return { trusted, writer: this.#face('write'), infill: this.#infillStatus() };
  }

  #infillStatus(): ModelStatus['infill'] {
    if (!this.#settings['infill.enable']) return { state: 'off' };
    if (this.#noInfill !== undefined) return { state: 'unable', message: this.#noInfill };
    const face = this.#face('infill');
    return face.kind === 'found' ? { state: 'on', model: face.model } : { state: 'waiting' };
  }

  #face(role: ModelRole): ModelFace {
    const located = this.#faces.get(role);
    if (located === undefined) return { kind: 'unknown' };
    if (located.kind === 'found') return { kind: 'found', model: located.model, server: located.server.endpoint.root };
    if (located.kind === 'loading') return { kind: 'loading', message: located.message };
    return { kind: 'none', message: located.message, startCommand: located.startCommand };
  }

  get #settings(): ReturnType<ServerContext['settings']['of']> {
    return this.#context.settings.of(undefined);
  }

  #tell(): void {
    const status = this.status();
    const text = JSON.stringify(status);
    if (text === this.#sent) return;
    this.#sent = text;
    this.#context.connection.sendNotification(notifications.modelStatus, status).catch((error: unknown) => {
      this.#context.logger.log('debug', 'model', String(error));
    });
  }
}
