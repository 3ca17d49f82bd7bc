import { listModels } from './discover.ts';
import { exchange, MalformedEvent, type ExchangeEnd } from './exchange.ts';
import { countField, field, isRecord, listField, textField } from './foreign.ts';
import { fail, type FailureFacts, type ModelOutcome, type Usage } from './outcome.ts';
import type { ServerKind } from './presets.ts';
import { ReasoningSplitter, type SplitEvent } from './reasoning.ts';
import type { Server } from './server.ts';
import { leastTokens } from './tokens.ts';

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ModelRequest {
  readonly messages: readonly Message[];
  /** Most tokens of the reply, reasoning included. */
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly topP?: number;
  /** A whole number; servers that know seeds give the same reply for the same one. */
  readonly seed?: number;
  readonly stop?: readonly string[];
  /** The model is known to think first. Decides only how a reply that was cut off before any tag is read. */
  readonly expectReasoning?: boolean;
  /** The last message is the assistant's and the reply goes on where it ends. */
  readonly continues?: boolean;
}

export interface CompletionHooks {
  readonly signal?: AbortSignal | undefined;
  readonly onReasoning?: ((piece: string) => void) | undefined;
  readonly onAnswer?: ((piece: string) => void) | undefined;
  /** All that `onAnswer` was given so far turned out to be reasoning. */
  readonly onAnswerWasReasoning?: (() => void) | undefined;
  /** The server is still loading its model. */
  readonly onWaiting?: ((waitedMs: number) => void) | undefined;
}

export interface ModelClient {
  /** Never rejects for anything that a server does, only for an error thrown by a hook. */
  complete(request: ModelRequest, hooks?: CompletionHooks): Promise<ModelOutcome>;
}

/** Local servers know `max_tokens` and `seed`, not the names that newer hosted models ask for. */
function requestBody(model: string, request: ModelRequest, kind: ServerKind | undefined): Record<string, unknown> {
  return {
    model,
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    max_tokens: request.maxTokens,
    stream: true,
    stream_options: { include_usage: true },
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
    ...(request.seed === undefined ? {} : { seed: request.seed }),
    ...(request.stop === undefined || request.stop.length === 0 ? {} : { stop: [...request.stop] }),
    // Other servers continue a last message of the assistant by themselves.
    ...(request.continues === true && kind === 'vllm' ? { continue_final_message: true, add_generation_prompt: false } : {}),
  };
}

/** Reads the events of one reply. */
class ChatReader {
  readonly #splitter: ReasoningSplitter;
  readonly #hooks: CompletionHooks;
  readonly #started = performance.now();
  finishReason: string | undefined;
  usage: Usage | undefined;
  firstTextMs: number | undefined;

  constructor(request: ModelRequest, hooks: CompletionHooks) {
    this.#splitter = new ReasoningSplitter({ expectReasoning: request.expectReasoning ?? false });
    this.#hooks = hooks;
  }

  get elapsedMs(): number {
    return performance.now() - this.#started;
  }

  read(event: unknown): boolean {
    const choices = field(event, 'choices');
    if (!isRecord(event) || (choices !== undefined && choices !== null && !Array.isArray(choices))) throw new MalformedEvent();
    const promptTokens = countField(event, 'usage', 'prompt_tokens');
    if (promptTokens !== undefined) this.usage = { promptTokens, completionTokens: countField(event, 'usage', 'completion_tokens') ?? 0 };
    else if (!Array.isArray(choices)) throw new MalformedEvent();
    const choice = listField(event, 'choices')[0];
    const content = textField(choice, 'delta', 'content') ?? '';
    // Servers that send both fields send the same text in both.
    const reasoning = textField(choice, 'delta', 'reasoning_content') ?? textField(choice, 'delta', 'reasoning') ?? '';
    if (content !== '' || reasoning !== '') {
      this.firstTextMs ??= this.elapsedMs;
      this.#tell(this.#splitter.push({ content, reasoning }));
    }
    this.finishReason = textField(choice, 'finish_reason') ?? this.finishReason;
    return this.finishReason !== undefined;
  }

  finish(): ReturnType<ReasoningSplitter['finish']>['end'] {
    const { events, end } = this.#splitter.finish(this.finishReason === 'length');
    this.#tell(events);
    return end;
  }

  #tell(events: readonly SplitEvent[]): void {
    for (const event of events) {
      if (event.kind === 'reasoning') this.#hooks.onReasoning?.(event.text);
      else if (event.kind === 'answer') this.#hooks.onAnswer?.(event.text);
      else this.#hooks.onAnswerWasReasoning?.();
    }
  }
}

/** The server's count may be this much below the least that the text can have before a part of it must have been dropped. */
const TRUNCATION_MARGIN = 0.9;

function droppedPrompt(request: ModelRequest, usage: Usage | undefined): FailureFacts | undefined {
  const least = request.messages.reduce((sum, { content }) => sum + leastTokens(content), 0);
  // Some servers report zero for a prompt that they had in their cache.
  if (usage === undefined || usage.promptTokens === 0 || usage.promptTokens >= least * TRUNCATION_MARGIN) return undefined;
  return { kind: 'prompt-truncated', promptTokens: usage.promptTokens, leastTokens: least };
}

/** What a reply whose stream ended by itself amounts to, unless it is an answer. */
function verdict(reader: ChatReader, request: ModelRequest, end: { readonly answer: string; readonly reasoningOnly: boolean }): FailureFacts | undefined {
  switch (reader.finishReason) {
    case undefined:
      return { kind: 'incomplete' };
    case 'length':
      return droppedPrompt(request, reader.usage) ?? { kind: 'cut-off', reasoningOnly: end.reasoningOnly };
    case 'stop':
      return droppedPrompt(request, reader.usage) ?? (end.reasoningOnly ? { kind: 'no-answer' } : undefined);
    default:
      return { kind: 'unexpected-finish', finishReason: reader.finishReason };
  }
}

/** Adds to a missing model what the server has instead. */
async function withAvailable(facts: FailureFacts, server: Server, signal: AbortSignal | undefined): Promise<FailureFacts> {
  if (facts.kind !== 'no-such-model') return facts;
  const models = await listModels(server, signal);
  return { ...facts, available: (models ?? []).map(({ id }) => id) };
}

/** A client of one model on one server that speaks the OpenAI-compatible chat protocol. */
export function createModelClient(server: Server, model: string): ModelClient {
  return {
    async complete(request, hooks = {}): Promise<ModelOutcome> {
      const reader = new ChatReader(request, hooks);
      const ended: ExchangeEnd = await exchange(server, {
        base: server.endpoint.api,
        path: '/chat/completions',
        body: requestBody(model, request, server.endpoint.kind),
        model,
        signal: hooks.signal,
        onEvent: (event) => reader.read(event),
        onWaiting: hooks.onWaiting,
      });
      const end = reader.finish();
      const partial = { reasoning: end.reasoning, answer: end.answer };
      const facts = ended.kind === 'ended' ? verdict(reader, request, end) : ended;
      if (facts !== undefined) return { ...fail(await withAvailable(facts, server, hooks.signal), { endpoint: server.endpoint, model }), partial };
      return { kind: 'answered', ...partial, usage: reader.usage, firstTextMs: reader.firstTextMs ?? reader.elapsedMs, ms: reader.elapsedMs };
    },
  };
}
