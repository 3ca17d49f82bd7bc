/**
 * A model server that plays a script: started as a process of its own, it speaks real HTTP and event streams on a free port of the loopback.
 * It knows only the requests of its script; any other is answered with status 599 and reported. Controlled over the channel to its parent.
 */
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';

export type Step =
  | { readonly do: 'head'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  /** `bytewise`: each byte in a write of its own. */
  | { readonly do: 'write'; readonly text: string; readonly bytewise?: boolean }
  | { readonly do: 'wait'; readonly ms: number }
  /** Says nothing until the client goes away. */
  | { readonly do: 'hang' }
  /** Cuts the connection. */
  | { readonly do: 'cut' }
  | { readonly do: 'end' };

export interface Rule {
  /** Such as `POST /v1/chat/completions`. */
  readonly request: string;
  /** Holds only for a body with this text in it. */
  readonly bodyHas?: string;
  /** Holds this many times; always by default. The first rule that holds is played. */
  readonly times?: number;
  readonly steps: readonly Step[];
}

export interface SeenRequest {
  readonly request: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Report {
  readonly requests: readonly SeenRequest[];
  readonly unknown: readonly string[];
  /** Requests that still occupy a slot. */
  readonly running: number;
  /** Requests that the client left before the script was at its end. */
  readonly abandoned: number;
}

export type Order =
  | { readonly order: 'start'; readonly tls?: { readonly key: string; readonly cert: string } }
  | { readonly order: 'script'; readonly rules: readonly Rule[] }
  | { readonly order: 'report' };

export type Answer = { readonly port: number } | Report | { readonly ready: true };

let rules: { readonly rule: Rule; left: number }[] = [];
let [requests, unknown]: [SeenRequest[], string[]] = [[], []];
let [running, abandoned] = [0, 0];

async function play(steps: readonly Step[], response: http.ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  // Writes after the client went away fail; the script ends there.
  response.on('error', () => gone.abort());
  for (const step of steps) {
    if (response.destroyed || gone.signal.aborted) return;
    switch (step.do) {
      case 'head':
        response.writeHead(step.status, step.headers);
        response.flushHeaders();
        break;
      case 'write':
        if (step.bytewise === true) {
          for (const byte of Buffer.from(step.text)) {
            response.write(Buffer.of(byte));
            await setImmediate();
          }
        } else response.write(step.text);
        break;
      case 'wait':
        await setTimeout(step.ms, undefined, { signal: gone.signal }).catch(() => undefined);
        break;
      case 'hang':
        await new Promise((resolve) => gone.signal.addEventListener('abort', resolve, { once: true }));
        return;
      case 'cut':
        response.socket?.resetAndDestroy();
        return;
      case 'end':
        response.end();
        break;
    }
  }
}

function onRequest(message: http.IncomingMessage, response: http.ServerResponse): void {
  let body = '';
  message.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  message.on('end', () => {
    const request = `${message.method ?? ''} ${message.url ?? ''}`;
    requests.push({ request, headers: message.headers, body });
    const found = rules.find(({ rule, left }) => left > 0 && rule.request === request && body.includes(rule.bodyHas ?? ''));
    if (found === undefined) {
      unknown.push(`${request} ${body}`);
      response.writeHead(599).end('the script does not know this request');
      return;
    }
    found.left -= 1;
    running += 1;
    response.on('close', () => {
      running -= 1;
      if (!response.writableFinished) abandoned += 1;
    });
    void play(found.rule.steps, response);
  });
}

function answer(value: Answer): void {
  process.send?.(value);
}

function obey(order: Order): void {
  switch (order.order) {
    case 'start': {
      const server = order.tls === undefined ? http.createServer(onRequest) : https.createServer({ key: order.tls.key, cert: order.tls.cert }, onRequest);
      server.listen(0, '127.0.0.1', () => answer({ port: (server.address() as AddressInfo).port }));
      break;
    }
    case 'script':
      rules = order.rules.map((rule) => ({ rule, left: rule.times ?? Infinity }));
      [requests, unknown, abandoned] = [[], [], 0];
      answer({ ready: true });
      break;
    case 'report':
      answer({ requests, unknown, running, abandoned });
      break;
  }
}

process.on('message', obey);
process.on('disconnect', () => process.exit());
