import { loopbackEndpoint, type Endpoint } from './endpoint.ts';
import { isRecord, listField, parseJson, sizeField, textField } from './foreign.ts';
import { presets, type ServerKind } from './presets.ts';
import { ask, type Reply, type Server } from './server.ts';

export interface ModelInfo {
  readonly id: string;
  /** The most tokens that one request may use, prompt and reply together, where the list of models says so. */
  readonly contextTokens?: number;
}

export interface FoundServer {
  readonly endpoint: Endpoint;
  /** `loading`: it runs and is not ready yet. `locked`: it asks for a key before it says more. */
  readonly state: 'ready' | 'loading' | 'locked';
  readonly models: readonly ModelInfo[];
}

const DISCOVERY_MS = 400;
const QUESTION_MS = 2_000;

/** The models of a reply to `/v1/models`, or undefined when it is no such reply. */
export function parseModels(body: string): readonly ModelInfo[] | undefined {
  const json = parseJson(body);
  if (!isRecord(json) || !Array.isArray(json['data'])) return undefined;
  return listField(json, 'data').flatMap((entry) => {
    const id = textField(entry, 'id');
    const contextTokens = sizeField(entry, 'max_model_len');
    return id === undefined ? [] : [{ id, ...(contextTokens === undefined ? {} : { contextTokens }) }];
  });
}

/** Servers sign their list of models with these names. */
const OWNERS: Readonly<Record<string, ServerKind>> = { llamacpp: 'llama.cpp', library: 'ollama', vllm: 'vllm', organization_owner: 'lm-studio' };

function kindOf(body: string): ServerKind | undefined {
  const owner = listField(parseJson(body), 'data').map((entry) => textField(entry, 'owned_by') ?? '').find((name) => Object.hasOwn(OWNERS, name));
  return owner === undefined ? undefined : OWNERS[owner];
}

function describe(port: number, usual: ServerKind | undefined, reply: Reply | undefined): FoundServer | undefined {
  if (reply === undefined) return undefined;
  const endpoint = loopbackEndpoint(port, kindOf(reply.body) ?? usual);
  if (reply.status === 503 && /loading/i.test(reply.body)) return { endpoint, state: 'loading', models: [] };
  // Only a reply that looks like an API's says that a model server is there: other programs use these ports too.
  if (reply.status === 401 && textField(parseJson(reply.body), 'error', 'message') !== undefined) return { endpoint, state: 'locked', models: [] };
  const models = reply.status === 200 ? parseModels(reply.body) : undefined;
  return models === undefined ? undefined : { endpoint, state: 'ready', models };
}

export interface DiscoverOptions {
  /** Ports of this machine to try and what usually listens there; the usual ones by default. */
  readonly ports?: readonly { readonly port: number; readonly kind?: ServerKind }[];
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Model servers that run on this machine, in the order of the ports. All ports are asked at once and nothing but a list of models is asked for; no key
 * is sent, because nobody has said yet which of these programs may see it.
 */
export async function discover(options: DiscoverOptions = {}): Promise<readonly FoundServer[]> {
  const { ports = presets, timeoutMs = DISCOVERY_MS, signal } = options;
  const found = await Promise.all(
    ports.map(async ({ port, kind }) => {
      const endpoint = loopbackEndpoint(port, kind);
      return describe(port, kind, await ask({ endpoint }, `${endpoint.api}/models`, timeoutMs, signal));
    }),
  );
  return found.filter((server) => server !== undefined);
}

/** The models that a server has, or undefined when it does not say. */
export async function listModels(server: Server, signal?: AbortSignal): Promise<readonly ModelInfo[] | undefined> {
  const reply = await ask(server, `${server.endpoint.api}/models`, QUESTION_MS, signal);
  return reply?.status === 200 ? parseModels(reply.body) : undefined;
}

/** The model that is meant: the one named, else the preferred one if the server has it, else the first that it has, else none. */
export function chooseModel(wanted: string, models: readonly ModelInfo[], preferred = 'CodeV-R1-7B'): string {
  if (wanted !== '') return wanted;
  const same = models.find(({ id }) => id.toLowerCase() === preferred.toLowerCase());
  return (same ?? models[0])?.id ?? '';
}

function sizeOfModel(body: string | undefined, list: string, names: readonly string[], size: string, model: string): number | undefined {
  const entries = listField(parseJson(body ?? ''), list);
  const named = entries.find((entry) => names.some((name) => textField(entry, name) === model));
  return sizeField(named, size);
}

/**
 * The most tokens that one request to this model may use, prompt and reply together: a slot's share on llama.cpp, the loaded length
 * elsewhere. Undefined when the server does not say, which Ollama does only for a model that is loaded.
 */
export async function contextTokens(server: Server, model: string, signal?: AbortSignal): Promise<number | undefined> {
  const { root, api } = server.endpoint;
  const questions = [`${root}/props`, `${api}/models`, `${root}/api/ps`, `${root}/api/v0/models`];
  const replies = await Promise.all(questions.map((url) => ask(server, url, QUESTION_MS, signal)));
  const [props, models, running, loaded] = replies.map((reply) => (reply?.status === 200 ? reply.body : undefined));
  return (
    sizeField(parseJson(props ?? ''), 'default_generation_settings', 'n_ctx') ??
    parseModels(models ?? '')?.find(({ id }) => id === model)?.contextTokens ??
    sizeOfModel(running, 'models', ['name', 'model'], 'context_length', model) ??
    sizeOfModel(loaded, 'data', ['id'], 'loaded_context_length', model)
  );
}

/** Requests that a server works on at the same time, where it says so (llama.cpp does); else 1. */
export async function parallelSlots(server: Server, signal?: AbortSignal): Promise<number> {
  const reply = await ask(server, `${server.endpoint.root}/props`, QUESTION_MS, signal);
  return (reply?.status === 200 ? sizeField(parseJson(reply.body), 'total_slots') : undefined) ?? 1;
}
