import type http from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Endpoint } from './endpoint.ts';

export interface TransportOptions {
  readonly endpoint: Endpoint;
  /** All headers that are sent, apart from those that HTTP itself needs. */
  readonly headers: Readonly<Record<string, string>>;
  /** Certificates (PEM) that are trusted besides those of Node and of the system. */
  readonly ca: readonly string[];
  /** Limit of the time until a connection stands, in milliseconds. */
  readonly connectMs: number;
  /** Ends the exchange at any moment and closes its connection. */
  readonly signal: AbortSignal;
}

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: string;
}

/** An import would load all that these know, the whole of `fetch` too, at the start of a program that may never ask a model. */
function builtin<Id extends 'node:http' | 'node:https' | 'node:tls'>(id: Id): ReturnType<typeof process.getBuiltinModule<Id>> {
  return process.getBuiltinModule(id);
}

/** A name of this machine means this machine, whatever a resolver says. */
const lookupLoopback: LookupFunction = (_host, options, callback) => {
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  if (options.all === true) callback(null, addresses);
  else callback(null, options.family === 6 ? '::1' : '127.0.0.1', options.family === 6 ? 6 : 4);
};

/** The trusted authorities of Node, of the system and of the settings. */
function authorities(own: readonly string[]): string[] {
  const tls = builtin('node:tls');
  // Before Node 22.15 the compiled-in list is all there is.
  const available = tls as Partial<Pick<typeof tls, 'getCACertificates'>>;
  const known = available.getCACertificates === undefined ? tls.rootCertificates : [...available.getCACertificates('default'), ...available.getCACertificates('system')];
  return [...new Set([...known, ...own])];
}

/** A connection for one exchange, so that closing it ends that exchange and nothing else. Proxies serve other machines only. */
function agentFor(secure: boolean, options: TransportOptions): http.Agent {
  const proxy = options.endpoint.loopback ? {} : { proxyEnv: process.env };
  return secure ? new (builtin('node:https').Agent)({ keepAlive: false, ca: authorities(options.ca), ...proxy }) : new (builtin('node:http').Agent)({ keepAlive: false, ...proxy });
}

function withCode(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}

function limitConnecting(request: http.ClientRequest, secure: boolean, connectMs: number): void {
  const timer = setTimeout(() => request.destroy(withCode(`no connection in ${connectMs} ms`, 'ETIMEDOUT')), connectMs);
  const connected = (): void => clearTimeout(timer);
  request.once('socket', (socket) => {
    if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', connected);
    else connected();
  });
  request.once('response', connected);
  request.once('close', connected);
}

/** The body as a web stream, which fails when the connection breaks before its end. */
function bodyOf(message: http.IncomingMessage): ReadableStream<Uint8Array> {
  let settled = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const settle = (how: () => void): void => {
        if (settled) return;
        settled = true;
        how();
      };
      message.on('data', (chunk: Buffer) => {
        if (settled) return;
        controller.enqueue(new Uint8Array(chunk));
        if ((controller.desiredSize ?? 0) <= 0) message.pause();
      });
      message.on('end', () => settle(() => controller.close()));
      message.on('error', (error) => settle(() => controller.error(error)));
      message.on('close', () => settle(() => controller.error(withCode('the connection was closed', 'ECONNRESET'))));
    },
    pull() {
      message.resume();
    },
    cancel() {
      settled = true;
      message.destroy();
    },
  });
}

function headersOf(message: http.IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * Sends one request over a connection of its own and resolves with the reply as soon as its headers are there. Redirects are replies like any other
 * and are never followed, so that nothing goes to a host that was not allowed. Rejects with the system's error.
 */
export function send(wire: WireRequest, options: TransportOptions): Promise<Response> {
  return new Promise((resolve, reject) => {
    const url = new URL(wire.url);
    const secure = url.protocol === 'https:';
    const request = builtin(secure ? 'node:https' : 'node:http').request(url, {
      method: wire.method,
      agent: agentFor(secure, options),
      signal: options.signal,
      headers: {
        ...options.headers,
        'accept-encoding': 'identity',
        ...(wire.body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(wire.body)) }),
      },
      ...(options.endpoint.loopback ? { lookup: lookupLoopback } : {}),
    });
    limitConnecting(request, secure, options.connectMs);
    request.on('error', reject);
    request.on('response', (message) => {
      const status = message.statusCode ?? 0;
      if (status < 200 || status > 599) {
        request.destroy();
        reject(withCode(`status ${status}`, 'HPE_INVALID_STATUS'));
        return;
      }
      const body = WITHOUT_BODY.has(status) ? null : bodyOf(message);
      if (body === null) message.resume();
      resolve(new Response(body, { status, headers: headersOf(message) }));
    });
    request.end(wire.body);
  });
}
