import type { Settings } from '../config.ts';
import type { Endpoint } from './endpoint.ts';
import { send } from './transport.ts';

/** How long each phase may take, in milliseconds. */
export interface Limits {
  /** Until a connection stands. */
  readonly connectMs: number;
  /** Between two events of a stream that has begun. */
  readonly idleMs: number;
  /** For one request from its start to its end, a wait for the model to load apart. */
  readonly totalMs: number;
  /** For a server that says it is loading its model. */
  readonly loadingMs: number;
}

export const defaultLimits: Limits = { connectMs: 5_000, idleMs: 60_000, totalMs: 600_000, loadingMs: 300_000 };

/** A model server and how to talk to it. */
export interface Server {
  readonly endpoint: Endpoint;
  /** Sent as a bearer token. Nothing else, in particular no environment variable, takes its place. */
  readonly apiKey?: string | undefined;
  /** Sent with every request besides. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Trusted authorities besides those of Node and the system, in PEM form. */
  readonly ca?: readonly string[];
  readonly limits?: Partial<Limits>;
}

export function limitsOf(server: Server): Limits {
  return { ...defaultLimits, ...server.limits };
}

/** A server with the headers and limits of the settings. `ca` is the text of the file that `model.caFile` names. */
export function serverFor(endpoint: Endpoint, settings: Settings, secrets: { readonly apiKey?: string | undefined; readonly ca?: string | undefined } = {}): Server {
  return {
    endpoint,
    apiKey: secrets.apiKey,
    headers: settings['model.headers'],
    ca: secrets.ca === undefined ? [] : [secrets.ca],
    limits: {
      idleMs: settings['model.idleTimeout'] * 1000,
      totalMs: settings['model.timeout'] * 1000,
      loadingMs: settings['model.loadTimeout'] * 1000,
    },
  };
}

/** Exactly the headers that a server gets from us. */
export function headersFor(server: Server, accept: string): Record<string, string> {
  // A key that was pasted often carries a line end.
  const key = server.apiKey?.trim() ?? '';
  const own = Object.fromEntries(Object.entries(server.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    'user-agent': 'rtl-copilot',
    ...own,
    accept,
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
  };
}

/** Most bytes of an error page or of a list of models that are read. */
const MOST_BYTES = 1024 * 1024;

/** The text of a reply, up to a bound. */
export async function boundedText(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    bytes += chunk.length;
    text += decoder.decode(chunk, { stream: true });
    if (bytes >= MOST_BYTES) break;
  }
  return text + decoder.decode();
}

export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** A short question to a server, such as its list of models. Undefined when there is no reply within `timeoutMs`. */
export async function ask(server: Server, url: string, timeoutMs: number, signal?: AbortSignal): Promise<Reply | undefined> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const timer = setTimeout(stop, timeoutMs);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  try {
    const options = { endpoint: server.endpoint, headers: headersFor(server, 'application/json'), ca: server.ca ?? [], connectMs: timeoutMs, signal: controller.signal };
    const response = await send({ method: 'GET', url }, options);
    return { status: response.status, body: await boundedText(response) };
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    controller.abort();
  }
}
