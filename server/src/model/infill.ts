import type { CompletionCreateParamsStreaming } from 'openai/resources/completions';
import { exchange, MalformedEvent, type Call } from './exchange.ts';
import { field, isRecord, listField, textField } from './foreign.ts';
import { fail, type Failure, type FailureFacts } from './outcome.ts';
import type { Server } from './server.ts';

export interface InfillRequest {
  /** Text before the gap. */
  readonly prefix: string;
  /** Text after the gap. */
  readonly suffix: string;
  /** Further files for context; only llama.cpp takes them. */
  readonly files?: readonly { readonly name: string; readonly text: string }[];
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly topP?: number;
  /** Texts at which the server stops; they are not part of the reply. */
  readonly stop?: readonly string[];
}

export interface InfillHooks {
  readonly signal?: AbortSignal | undefined;
  readonly onText?: ((piece: string) => void) | undefined;
}

export interface Infilled {
  readonly kind: 'infilled';
  /** As the model wrote it. */
  readonly text: string;
  /** The limit of tokens ended it. */
  readonly cutOff: boolean;
  readonly ms: number;
}

export type InfillOutcome = Infilled | (Failure & { readonly partial: string });

export interface InfillClient {
  /** Never rejects for anything that a server does, only for an error thrown by a hook. */
  infill(request: InfillRequest, hooks?: InfillHooks): Promise<InfillOutcome>;
}

export interface InfillOptions {
  readonly model: string;
  /**
   * Prompt of a fill-in-the-middle model with `{prefix}` and `{suffix}` where the texts go. Empty: the server's own `/infill` is used,
   * which llama.cpp has.
   */
  readonly template: string;
}

/** Puts the texts into the template; braces inside the texts are left alone. */
export function fillTemplate(template: string, prefix: string, suffix: string): string {
  return template.replace(/\{(prefix|suffix)\}/g, (_, name: string) => (name === 'prefix' ? prefix : suffix));
}

/** The place that a template lacks or has more than once. */
function badPlace(template: string): string | undefined {
  return ['{prefix}', '{suffix}'].find((place) => template.split(place).length !== 2);
}

interface Piece {
  readonly text: string;
  readonly finish: 'stop' | 'length' | undefined;
}

/** An event of llama.cpp's own protocol. */
function readNative(event: unknown): Piece {
  const [text, stop] = [textField(event, 'content'), field(event, 'stop')];
  if (text === undefined || typeof stop !== 'boolean') throw new MalformedEvent();
  if (!stop) return { text, finish: undefined };
  const limited = textField(event, 'stop_type') === 'limit' || field(event, 'stopped_limit') === true;
  return { text, finish: limited ? 'length' : 'stop' };
}

/** An event of the OpenAI-compatible protocol. */
function readCompletion(event: unknown): Piece {
  if (!isRecord(event) || !Array.isArray(event['choices'])) throw new MalformedEvent();
  const choice = listField(event, 'choices')[0];
  const reason = textField(choice, 'finish_reason');
  return { text: textField(choice, 'text') ?? '', finish: reason === undefined ? undefined : reason === 'length' ? 'length' : 'stop' };
}

interface Dialect {
  readonly base: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly read: (event: unknown) => Piece;
}

function nativeDialect(server: Server, model: string, request: InfillRequest): Dialect {
  const body = {
    ...(model === '' ? {} : { model }),
    input_prefix: request.prefix,
    input_suffix: request.suffix,
    input_extra: (request.files ?? []).map(({ name, text }) => ({ filename: name, text })),
    n_predict: request.maxTokens,
    stream: true,
    cache_prompt: true,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
    ...(request.stop === undefined || request.stop.length === 0 ? {} : { stop: request.stop }),
  };
  return { base: server.endpoint.root, path: '/infill', body, read: readNative };
}

function templateDialect(server: Server, { model, template }: InfillOptions, request: InfillRequest): Dialect {
  const body: CompletionCreateParamsStreaming = {
    model,
    prompt: fillTemplate(template, request.prefix, request.suffix),
    max_tokens: request.maxTokens,
    stream: true,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
    ...(request.stop === undefined || request.stop.length === 0 ? {} : { stop: [...request.stop] }),
  };
  return { base: server.endpoint.api, path: '/completions', body: { ...body }, read: readCompletion };
}

/** Servers without `/infill`, or with a model that lacks the tokens for it, say so in these ways. */
function refine(facts: FailureFacts, native: boolean): FailureFacts {
  if (!native) return facts;
  if (facts.kind === 'no-such-path') return { kind: 'infill-unsupported', detail: '' };
  if (facts.kind === 'server-error' && facts.status === 501) return { kind: 'infill-unsupported', detail: facts.detail };
  return facts;
}

/** A client that fills in the middle: by the template where one is set, else by the server's own `/infill`. The text comes back as it is. */
export function createInfillClient(server: Server, options: InfillOptions): InfillClient {
  return {
    async infill(request, hooks = {}): Promise<InfillOutcome> {
      const started = performance.now();
      const native = options.template === '';
      const place = native ? undefined : badPlace(options.template);
      if (place !== undefined) return { ...fail({ kind: 'bad-template', place }, { endpoint: server.endpoint, model: options.model }), partial: '' };
      const { read, ...dialect } = native ? nativeDialect(server, options.model, request) : templateDialect(server, options, request);
      const reply: { text: string; finish: Piece['finish'] } = { text: '', finish: undefined };
      const onEvent: Call['onEvent'] = (event) => {
        const piece = read(event);
        reply.text += piece.text;
        reply.finish = piece.finish ?? reply.finish;
        if (piece.text !== '') hooks.onText?.(piece.text);
        return reply.finish !== undefined;
      };
      const ended = await exchange({ ...server, limits: { ...server.limits, loadingMs: 0 } }, { ...dialect, model: options.model, signal: hooks.signal, onEvent });
      const facts = ended.kind !== 'ended' ? refine(ended, native) : reply.finish === undefined ? ({ kind: 'incomplete' } as const) : undefined;
      if (facts !== undefined) return { ...fail(facts, { endpoint: server.endpoint, model: options.model }), partial: reply.text };
      return { kind: 'infilled', text: reply.text, cutOff: reply.finish === 'length', ms: performance.now() - started };
    },
  };
}
