import type { OpenAI } from 'openai/client';
import { APIError } from 'openai/error';
import { Stream } from 'openai/streaming';
import { connectionFailure, reportedError, statusFailure } from './failure.ts';
import { field, parseJson } from './foreign.ts';
import type { FailureFacts } from './outcome.ts';
import { boundedText, headersFor, limitsOf, type Server } from './server.ts';
import { send } from './transport.ts';

/** Thrown by a reader of events for one that has not the agreed shape. */
export class MalformedEvent extends Error {}

export interface Call {
  /** What `path` is appended to: the endpoint's `api` or `root`. */
  readonly base: string;
  readonly path: string;
  /** The request, which must ask for a stream. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly model: string;
  readonly signal?: AbortSignal | undefined;
  /**
   * Takes each event of the stream, parsed. Returns true once the reply is complete, after which the stream may end without a further word.
   * Throws `MalformedEvent`; any other error passes through to the caller.
   */
  readonly onEvent: (event: unknown) => boolean;
  /** Called each time the server says that it is loading its model; `waitedMs` since the call. */
  readonly onWaiting?: ((waitedMs: number) => void) | undefined;
}

export type ExchangeEnd = { readonly kind: 'ended' } | FailureFacts;

/** Quiet time in which a complete reply may still be followed by its figures. */
const AFTERWORD_MS = 1_000;

/** Why an attempt was stopped from this side; the first reason stays. */
class Stop {
  readonly #controller = new AbortController();
  #facts: ExchangeEnd | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get facts(): ExchangeEnd | undefined {
    return this.#facts;
  }

  now(facts: ExchangeEnd): void {
    this.#facts ??= facts;
    this.#controller.abort();
  }

  /** Closes the connection of an attempt that is over. */
  close(): void {
    this.#controller.abort();
  }
}

/** The decoder takes its log level from a client and would otherwise write to the console. */
const quietClient = { logLevel: 'off' } satisfies Partial<OpenAI> as unknown as OpenAI;

/** What a reply with status 200 that is no event stream means. */
async function foreignReply(response: Response, contentType: string): Promise<FailureFacts> {
  if (!/\bjson\b/i.test(contentType)) return { kind: 'not-a-model-server', contentType };
  const body = await boundedText(response);
  const error = field(parseJson(body), 'error');
  return error === undefined || error === null ? { kind: 'not-streamed' } : reportedError(body);
}

function streamFailure(error: unknown): FailureFacts {
  if (error instanceof APIError) return reportedError(JSON.stringify({ error: error.error as unknown }));
  if (error instanceof SyntaxError || error instanceof MalformedEvent) return { kind: 'malformed' };
  return { kind: 'incomplete' };
}

async function readStream(response: Response, server: Server, call: Call, stop: Stop): Promise<ExchangeEnd> {
  const { idleMs } = limitsOf(server);
  let idle: NodeJS.Timeout | undefined;
  let [complete, failed]: [boolean, { readonly error: unknown } | undefined] = [false, undefined];
  const events = Stream.fromSSEResponse<unknown>(response, new AbortController(), quietClient);
  try {
    for await (const event of events) {
      if (stop.facts !== undefined) break;
      try {
        complete = call.onEvent(event) || complete;
      } catch (error) {
        failed = { error };
        break;
      }
      clearTimeout(idle);
      idle = complete ? setTimeout(() => stop.now({ kind: 'ended' }), Math.min(AFTERWORD_MS, idleMs)) : setTimeout(() => stop.now({ kind: 'stalled', idleMs }), idleMs);
    }
  } catch (error) {
    return stop.facts ?? (complete ? { kind: 'ended' } : streamFailure(error));
  } finally {
    clearTimeout(idle);
  }
  if (failed === undefined) return stop.facts ?? { kind: 'ended' };
  if (failed.error instanceof MalformedEvent) return { kind: 'malformed' };
  throw failed.error;
}

/** Sends the request and resolves with a reply whose status is good. */
async function open(server: Server, call: Call, stop: Stop): Promise<Response | FailureFacts> {
  const { connectMs } = limitsOf(server);
  const options = { endpoint: server.endpoint, headers: headersFor(server, 'text/event-stream'), ca: server.ca ?? [], connectMs, signal: stop.signal };
  const url = call.base + call.path;
  let response: Response;
  try {
    response = await send({ method: 'POST', url, body: JSON.stringify(call.body) }, options);
  } catch (error) {
    return connectionFailure(error);
  }
  if (response.ok) return response;
  const body = await boundedText(response).catch(() => '');
  return statusFailure({ status: response.status, body, headers: response.headers, path: new URL(url).pathname, model: call.model });
}

async function attempt(server: Server, call: Call): Promise<ExchangeEnd> {
  if (call.signal?.aborted === true) return { kind: 'cancelled' };
  const { totalMs } = limitsOf(server);
  const stop = new Stop();
  const onAbort = (): void => stop.now({ kind: 'cancelled' });
  const total = setTimeout(() => stop.now({ kind: 'timed-out', totalMs }), totalMs);
  call.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const response = await open(server, call, stop);
    if (!(response instanceof Response)) return stop.facts ?? response;
    const contentType = response.headers.get('content-type') ?? '';
    if (contentType !== '' && !/^text\/event-stream\b/i.test(contentType)) {
      const facts = await foreignReply(response, contentType).catch((): FailureFacts => ({ kind: 'incomplete' }));
      return stop.facts ?? facts;
    }
    return await readStream(response, server, call, stop);
  } finally {
    clearTimeout(total);
    call.signal?.removeEventListener('abort', onAbort);
    stop.close();
  }
}

/** Resolves after `ms` or as soon as the signal aborts. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
    if (signal?.aborted === true) done();
  });
}

/**
 * One streamed request, repeated only while the server says that it is still loading its model. Whatever ends it, the connection is closed when the
 * promise settles; a server that watches its connections stops working then. Rejects only with an error that `onEvent` or `onWaiting` threw.
 */
export async function exchange(server: Server, call: Call): Promise<ExchangeEnd> {
  const { loadingMs } = limitsOf(server);
  const started = performance.now();
  for (let delayMs = 250; ; delayMs = Math.min(2_000, delayMs * 1.5)) {
    const end = await attempt(server, call);
    if (end.kind !== 'loading') return end;
    const waitedMs = performance.now() - started;
    if (waitedMs >= loadingMs) return { kind: 'loading', waitedMs };
    call.onWaiting?.(waitedMs);
    await pause(Math.min(delayMs, loadingMs - waitedMs), call.signal);
    if (call.signal?.aborted === true) return { kind: 'cancelled' };
  }
}
