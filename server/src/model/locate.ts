import { diskFiles } from '../base/files.ts';
import type { FileReader } from '../base/files.ts';
import type { Settings } from '../config.ts';
import { chooseModel, discover, parseModels, type DiscoverOptions, type FoundServer, type ModelInfo } from './discover.ts';
import { resolveEndpoint, type Endpoint } from './endpoint.ts';
import { explain } from './outcome.ts';
import { presetOf } from './presets.ts';
import { ask, serverFor, type Server } from './server.ts';

/** What a model is wanted for: writing modules, or completing lines by filling in the middle. */
export type ModelRole = 'write' | 'infill';

/** The model server that the settings mean, or why there is none. */
export type Located =
  /** `model` is empty when neither the settings nor the server name one. */
  | { readonly kind: 'found'; readonly server: Server; readonly model: string; readonly models: readonly ModelInfo[] }
  /** It runs and is not ready yet. */
  | { readonly kind: 'loading'; readonly server: Server; readonly message: string }
  /** `startCommand` is a command line for a terminal where starting a server would help; words in capitals are for the user to fill in. */
  | { readonly kind: 'none'; readonly message: string; readonly startCommand: string | undefined };

export interface LocateOptions {
  /** Is sent only to the endpoint that the settings name, never to a server that was found by itself. */
  readonly apiKey?: string | undefined;
  /** Where the file of `model.caFile` is read; the disk by default. */
  readonly files?: Pick<FileReader, 'read'>;
  /** Where servers are looked for when the settings name none. */
  readonly discovery?: DiscoverOptions;
  readonly signal?: AbortSignal | undefined;
}

const QUESTION_MS = 2_000;

/** Finds the server and the model that the settings mean. Asks for nothing but lists of models. */
export async function locateModel(role: ModelRole, settings: Settings, options: LocateOptions = {}): Promise<Located> {
  const own = role === 'infill' ? settings['infill.endpoint'] : '';
  const address = own === '' ? settings['model.endpoint'] : own;
  if (address.trim() === '') return choose(await discover({ ...options.discovery, ...(options.signal === undefined ? {} : { signal: options.signal }) }), role, settings);
  const resolved = resolveEndpoint(address, settings['model.allowedHosts']);
  if (resolved.kind !== 'endpoint') return { kind: 'none', message: resolved.message, startCommand: undefined };
  const { endpoint } = resolved;
  const apiKey = mayHaveKey(endpoint, settings) ? options.apiKey : undefined;
  const ca = settings['model.caFile'] === '' ? undefined : await (options.files ?? diskFiles).read(settings['model.caFile']);
  return inspect(serverFor(endpoint, settings, { apiKey, ca }), role, settings, options.signal);
}

/** The key was given for the server of `model.endpoint`; another machine or port that completes lines does not get it. */
function mayHaveKey(endpoint: Endpoint, settings: Settings): boolean {
  if (settings['model.endpoint'].trim() === '') return true;
  const main = resolveEndpoint(settings['model.endpoint'], settings['model.allowedHosts']);
  return main.kind === 'endpoint' && main.endpoint.root === endpoint.root;
}

function modelFor(role: ModelRole, settings: Settings, models: readonly ModelInfo[]): string {
  return role === 'write' ? chooseModel(settings['model.name'], models) : chooseModel(settings['infill.model'], models, '');
}

function choose(found: readonly FoundServer[], role: ModelRole, settings: Settings): Located {
  const ready = found.find(({ state, models }) => state === 'ready' && models.length > 0);
  if (ready !== undefined) return { kind: 'found', server: serverFor(ready.endpoint, settings), model: modelFor(role, settings, ready.models), models: ready.models };
  const loading = found.find(({ state }) => state === 'loading');
  if (loading !== undefined) return stillLoading(serverFor(loading.endpoint, settings));
  const locked = found.find(({ state }) => state === 'locked');
  if (locked !== undefined) {
    const message = `The server at ${locked.endpoint.root} asks for a key; set rtlCopilot.model.endpoint to ${locked.endpoint.api} and give the key with the command "RTL Copilot: Set API Key".`;
    return { kind: 'none', message, startCommand: undefined };
  }
  const [empty] = found;
  if (empty !== undefined) return { kind: 'none', message: `The server at ${empty.endpoint.root} has no model; ${presetOf(empty.endpoint.kind ?? 'llama.cpp').getModel('MODEL')}.`, startCommand: undefined };
  const startCommand = presetOf('llama.cpp').startCommand(presetOf('llama.cpp').port);
  return { kind: 'none', message: `No model server runs on this machine; start one with \`${startCommand}\`.`, startCommand };
}

function stillLoading(server: Server): Located {
  return { kind: 'loading', server, message: `The server at ${server.endpoint.root} is loading its model.` };
}

async function inspect(server: Server, role: ModelRole, settings: Settings, signal: AbortSignal | undefined): Promise<Located> {
  const { endpoint } = server;
  const reply = await ask(server, `${endpoint.api}/models`, QUESTION_MS, signal);
  if (reply === undefined) {
    const startCommand = endpoint.loopback ? presetOf(endpoint.kind ?? 'llama.cpp').startCommand(endpoint.port) : undefined;
    return { kind: 'none', message: explain({ kind: 'not-running' }, { endpoint, model: '' }), startCommand };
  }
  if (reply.status === 503 && /loading/i.test(reply.body)) return stillLoading(server);
  if (reply.status === 401) return { kind: 'none', message: explain({ kind: 'unauthorized', status: 401, detail: '' }, { endpoint, model: '' }), startCommand: undefined };
  // A server that does not list its models may still have the one that is asked for.
  const models = reply.status === 200 ? (parseModels(reply.body) ?? []) : [];
  return { kind: 'found', server, model: modelFor(role, settings, models), models };
}
