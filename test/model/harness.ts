import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createModelClient, type CompletionHooks, type ModelRequest } from '../../server/src/model/client.ts';
import { loopbackEndpoint, type Endpoint } from '../../server/src/model/endpoint.ts';
import type { ModelOutcome } from '../../server/src/model/outcome.ts';
import type { Limits, Server } from '../../server/src/model/server.ts';
import type { Answer, Order, Report, Rule, Step } from './scripted-server.ts';

/** Limits that a test can wait for and that a busy machine keeps. */
export const shortLimits: Limits = { connectMs: 10_000, idleMs: 5_000, totalMs: 20_000, loadingMs: 10_000 };

/** The scripted server's process as a test sees it. Disposing of it fails for a request that the script did not know. */
export class ScriptedServer {
  readonly #child: ChildProcess;
  readonly port: number;

  constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  static async start(tls?: { readonly key: string; readonly cert: string }): Promise<ScriptedServer> {
    const child = fork(path.join(import.meta.dirname, 'scripted-server.ts'), { execArgv: [], stdio: 'inherit' });
    const started = await tell(child, { order: 'start', ...(tls === undefined ? {} : { tls }) });
    assert.ok('port' in started);
    return new ScriptedServer(child, started.port);
  }

  get endpoint(): Endpoint {
    return loopbackEndpoint(this.port);
  }

  server(limits: Partial<Limits> = {}, more: Partial<Server> = {}): Server {
    return { endpoint: this.endpoint, limits: { ...shortLimits, ...limits }, ...more };
  }

  /** Replaces the script and forgets what was recorded. */
  async script(...rules: readonly Rule[]): Promise<void> {
    await tell(this.#child, { order: 'script', rules });
  }

  async report(): Promise<Report> {
    const report = await tell(this.#child, { order: 'report' });
    assert.ok('requests' in report);
    return report;
  }

  /** Waits until no slot is occupied and checks that the script knew every request. */
  async settled(): Promise<Report> {
    for (let tries = 0; ; tries += 1) {
      const report = await this.report();
      assert.deepEqual(report.unknown, [], 'requests that the script does not know');
      if (report.running === 0) return report;
      assert.ok(tries < 100, `${report.running} requests are left running on the server`);
      await setTimeout(10);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.settled();
    } finally {
      const exited = once(this.#child, 'exit');
      this.#child.disconnect();
      await exited;
    }
  }
}

async function tell(child: ChildProcess, order: Order): Promise<Answer> {
  const answered = once(child, 'message');
  child.send(order);
  const [answer] = (await answered) as [Answer];
  return answer;
}

export const eventStream: Step = { do: 'head', status: 200, headers: { 'content-type': 'text/event-stream' } };
export const CHAT = 'POST /v1/chat/completions';

export function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

export function delta(fields: Readonly<Record<string, unknown>>, finishReason: string | null = null): string {
  return event({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: fields, finish_reason: finishReason }] });
}

export function usage(promptTokens: number, completionTokens = 5): string {
  return event({ choices: [], usage: { prompt_tokens: promptTokens, completion_tokens: completionTokens } });
}

export const DONE = 'data: [DONE]\n\n';

/** A reply of status 200 whose event stream consists of these texts. */
export function stream(...texts: readonly string[]): Step[] {
  return [eventStream, ...texts.map((text): Step => ({ do: 'write', text })), { do: 'end' }];
}

/** A reply that is no stream. */
export function reply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Step[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const contentType = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json';
  return [{ do: 'head', status, headers: { 'content-type': contentType, ...headers } }, { do: 'write', text }, { do: 'end' }];
}

export const request: ModelRequest = { messages: [{ role: 'user', content: 'Add two numbers.' }], maxTokens: 64 };

/** Completes and checks that the pieces the hooks were given add up to the outcome. */
export async function complete(server: Server, wish: ModelRequest = request, hooks: CompletionHooks = {}, model = 'm'): Promise<ModelOutcome> {
  let [reasoning, answer] = ['', ''];
  const outcome = await createModelClient(server, model).complete(wish, {
    ...hooks,
    onReasoning: (piece) => {
      reasoning += piece;
      hooks.onReasoning?.(piece);
    },
    onAnswer: (piece) => {
      answer += piece;
      hooks.onAnswer?.(piece);
    },
    onAnswerWasReasoning: () => {
      [reasoning, answer] = [reasoning + answer, ''];
      hooks.onAnswerWasReasoning?.();
    },
  });
  const text = outcome.kind === 'answered' ? outcome : outcome.partial;
  assert.deepEqual({ reasoning, answer }, { reasoning: text.reasoning, answer: text.answer }, 'the hooks and the outcome disagree');
  return outcome;
}
