import type { Endpoint } from './endpoint.ts';
import { presetOf, type Preset } from './presets.ts';
import type { SplitText } from './reasoning.ts';

/** Why a request to a model server gave no usable reply; times in milliseconds. */
export type FailureFacts =
  /** The caller's signal; the connection is closed, which stops the server's work. */
  | { readonly kind: 'cancelled' }
  /** Nothing listens at the address. */
  | { readonly kind: 'not-running' }
  | { readonly kind: 'unknown-host' }
  /** No connection came about, or none within the limit. */
  | { readonly kind: 'unreachable'; readonly detail: string }
  | { readonly kind: 'untrusted-certificate'; readonly detail: string }
  /** What listens there does not speak the protocol of the address: TLS against plain HTTP, or no HTTP at all. */
  | { readonly kind: 'wrong-protocol'; readonly detail: string }
  /** The key or a header of the settings cannot be sent. */
  | { readonly kind: 'bad-header' }
  /** Any other failure of the connection before a reply began. */
  | { readonly kind: 'connection-failed'; readonly detail: string }
  | { readonly kind: 'redirected'; readonly location: string }
  | { readonly kind: 'unauthorized'; readonly status: number; readonly detail: string }
  | { readonly kind: 'no-such-model'; readonly model: string; readonly available: readonly string[] }
  /** The server has no such path. */
  | { readonly kind: 'no-such-path'; readonly path: string }
  | { readonly kind: 'too-many-requests'; readonly retryAfterMs: number | undefined }
  /** The server was still loading its model when the patience for that ended. */
  | { readonly kind: 'loading'; readonly waitedMs: number }
  /** Status 5xx, or an error that the server reported inside a reply. */
  | { readonly kind: 'server-error'; readonly status: number | undefined; readonly detail: string }
  /** Any other status of 4xx. */
  | { readonly kind: 'rejected'; readonly status: number; readonly detail: string }
  | { readonly kind: 'context-overflow'; readonly promptTokens: number | undefined; readonly contextTokens: number | undefined }
  /** The server counted far fewer tokens than were sent: it dropped a part of the prompt without a word. */
  | { readonly kind: 'prompt-truncated'; readonly promptTokens: number; readonly leastTokens: number }
  /** A web page or another foreign reply with status 200. */
  | { readonly kind: 'not-a-model-server'; readonly contentType: string }
  /** One JSON document where a stream was asked for. */
  | { readonly kind: 'not-streamed' }
  /** The stream ended, or its connection broke, before the server said that the reply is complete. */
  | { readonly kind: 'incomplete' }
  /** The stream went silent after it had begun. */
  | { readonly kind: 'stalled'; readonly idleMs: number }
  | { readonly kind: 'timed-out'; readonly totalMs: number }
  /** An event that is no JSON or has not the agreed shape. */
  | { readonly kind: 'malformed' }
  /** The limit of tokens was reached. */
  | { readonly kind: 'cut-off'; readonly reasoningOnly: boolean }
  /** The reply is complete and holds no answer. */
  | { readonly kind: 'no-answer' }
  | { readonly kind: 'unexpected-finish'; readonly finishReason: string }
  /** Neither the server nor a template tells how to fill in the middle. */
  | { readonly kind: 'infill-unsupported'; readonly detail: string }
  /** The template for filling in the middle lacks a place or has it twice. */
  | { readonly kind: 'bad-template'; readonly place: string };

export type FailureKind = FailureFacts['kind'];

export type Failure = FailureFacts & {
  /** One or two plain sentences that end with what to do. */
  readonly message: string;
};

/** Tokens as the server counted them. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface Answered extends SplitText {
  readonly kind: 'answered';
  readonly usage: Usage | undefined;
  /** From the call to the first text, in milliseconds, waiting for the model to load included. */
  readonly firstTextMs: number;
  readonly ms: number;
}

export type ModelOutcome = Answered | (Failure & { readonly partial: SplitText });

/** What sentences about a failure speak of. */
export interface Subject {
  readonly endpoint: Endpoint;
  readonly model: string;
}

function seconds(ms: number): string {
  const rounded = Math.round(ms / 100) / 10;
  return rounded === 1 ? '1 second' : `${rounded} seconds`;
}

function quoted(detail: string): string {
  return detail === '' ? '' : ` (${detail})`;
}

function presetFor(endpoint: Endpoint): Preset {
  return presetOf(endpoint.kind ?? 'llama.cpp');
}

function notRunning({ endpoint }: Subject): string {
  if (!endpoint.loopback) return `Nothing listens at ${endpoint.root}; start the model server there or correct rtlCopilot.model.endpoint.`;
  return `No model server runs at ${endpoint.root}; start one with \`${presetFor(endpoint).startCommand(endpoint.port)}\`.`;
}

function noSuchModel(available: readonly string[], model: string, endpoint: Endpoint): string {
  const name = model === '' ? 'a model of no name' : model;
  const preset = presetFor(endpoint);
  const get = preset.getModel(model === '' ? 'MODEL' : model);
  if (available.length === 0) return `The server at ${endpoint.root} does not have ${name}; ${get} or set rtlCopilot.model.name to a model that it has.`;
  return `The server at ${endpoint.root} does not have ${name}; set rtlCopilot.model.name to one that it has (${available.join(', ')}) or ${get}.`;
}

function overflow(promptTokens: number | undefined, contextTokens: number | undefined, { endpoint }: Subject): string {
  const prompt = promptTokens === undefined ? 'The prompt' : `The prompt of ${promptTokens} tokens`;
  const context = contextTokens === undefined ? "the model's context" : `the model's context of ${contextTokens} tokens`;
  return `${prompt} does not fit into ${context}; shorten the description or ${presetFor(endpoint).enlargeContext}.`;
}

/** One or two plain sentences about a failure; the last says what to do. */
export function explain(facts: FailureFacts, subject: Subject): string {
  const { endpoint, model } = subject;
  const at = endpoint.root;
  switch (facts.kind) {
    case 'cancelled':
      return 'Stopped; run the command again to start anew.';
    case 'not-running':
      return notRunning(subject);
    case 'unknown-host':
      return `There is no host named ${endpoint.host}; correct rtlCopilot.model.endpoint or check the network.`;
    case 'unreachable':
      return `The model server at ${at} cannot be reached${quoted(facts.detail)}; check that it runs and that no firewall is between.`;
    case 'untrusted-certificate':
      return `The certificate of ${at} is not trusted${quoted(facts.detail)}; name the file of its authority in rtlCopilot.model.caFile.`;
    case 'wrong-protocol':
      return `What listens at ${at} does not speak ${at.startsWith('https:') ? 'HTTPS' : 'HTTP'}${quoted(facts.detail)}; correct the scheme or the port in rtlCopilot.model.endpoint.`;
    case 'bad-header':
      return 'The key or a header for the model server holds characters that cannot be sent; set the key anew or correct rtlCopilot.model.headers.';
    case 'connection-failed':
      return `The connection to the model server at ${at} failed${quoted(facts.detail)}; check that the server still runs and try again.`;
    case 'redirected':
      return `The server at ${at} points elsewhere${quoted(facts.location)}; set rtlCopilot.model.endpoint to the final address if you trust it.`;
    case 'unauthorized':
      return facts.status === 401
        ? `The model server at ${at} asks for a key or does not know the one it got; set the key anew.`
        : `The model server at ${at} does not allow this request${quoted(facts.detail)}; use a key that may use ${model === '' ? 'this model' : model}.`;
    case 'no-such-model':
      return noSuchModel(facts.available, facts.model, endpoint);
    case 'no-such-path':
      return `The server at ${at} has no ${facts.path}; set rtlCopilot.model.endpoint to the address that its documentation gives for OpenAI clients, usually one that ends in /v1.`;
    case 'too-many-requests':
      return `The model server at ${at} has too much to do; try again ${facts.retryAfterMs === undefined ? 'later' : `in ${seconds(facts.retryAfterMs)}`}.`;
    case 'loading':
      return `The server at ${at} still loads its model after ${seconds(facts.waitedMs)}; try again when it is ready or raise rtlCopilot.model.loadTimeout.`;
    case 'server-error':
      return `The model server at ${at} reports an error of its own${quoted(facts.detail)}; look into its log or restart it.`;
    case 'rejected':
      return `The model server at ${at} rejects the request with status ${facts.status}${quoted(facts.detail)}; check the model and sampling settings.`;
    case 'context-overflow':
      return overflow(facts.promptTokens, facts.contextTokens, subject);
    case 'prompt-truncated':
      return `The server read only ${facts.promptTokens} of at least ${facts.leastTokens} tokens of the prompt, so its answer was thrown away; shorten the description or ${presetFor(endpoint).enlargeContext}.`;
    case 'not-a-model-server':
      return `What answers at ${at} is no model server (it sent ${facts.contentType}); correct rtlCopilot.model.endpoint.`;
    case 'not-streamed':
      return `The server at ${at} does not stream its replies; switch streaming on there or use another server.`;
    case 'incomplete':
      return `The reply of the model server at ${at} ended in the middle; look into its log and try again.`;
    case 'stalled':
      return `The model server at ${at} sent nothing for ${seconds(facts.idleMs)} in the middle of its reply; check its load and try again, or raise rtlCopilot.model.idleTimeout.`;
    case 'timed-out':
      return `The model server at ${at} did not finish within ${seconds(facts.totalMs)}; use a smaller model or raise rtlCopilot.model.timeout.`;
    case 'malformed':
      return `The server at ${at} sent a reply that cannot be read; check that rtlCopilot.model.endpoint is an OpenAI-compatible server and update it.`;
    case 'cut-off':
      return facts.reasoningOnly
        ? 'The model spent all its tokens on thinking and gave no answer; raise rtlCopilot.model.maxTokens or make the description simpler.'
        : 'The answer was cut off at the limit of tokens; raise rtlCopilot.model.maxTokens.';
    case 'no-answer':
      return 'The model ended without an answer; try again or describe the wish in other words.';
    case 'unexpected-finish':
      return `The model server at ${at} stopped the reply for a reason of its own (${facts.finishReason}); change the description or the model.`;
    case 'infill-unsupported':
      return `The server at ${at} cannot fill in the middle by itself${quoted(facts.detail)}; serve a model that can or set rtlCopilot.infill.template.`;
    case 'bad-template':
      return `The setting rtlCopilot.infill.template must hold ${facts.place} exactly once; write it as the model's documentation shows.`;
  }
}

export function fail(facts: FailureFacts, subject: Subject): Failure {
  return { ...facts, message: explain(facts, subject) };
}
