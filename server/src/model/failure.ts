import { beginningOf } from '../base/text.ts';
import { countField, field, parseJson, textField } from './foreign.ts';
import type { FailureFacts } from './outcome.ts';

/** An error with everything that it names as its cause, outermost first. */
export function causes(error: unknown): unknown[] {
  const found: unknown[] = [];
  const queue = [error];
  for (let next = queue.shift(); next !== undefined && found.length < 50; next = queue.shift()) {
    if (found.includes(next)) continue;
    found.push(next);
    const inner = field(next, 'errors');
    if (Array.isArray(inner)) queue.push(...(inner as unknown[]));
    queue.push(field(next, 'cause'));
  }
  return found.filter((cause) => cause !== undefined && cause !== null);
}

const CODES: readonly { readonly pattern: RegExp; readonly facts: (detail: string) => FailureFacts }[] = [
  { pattern: /^(ENOTFOUND|EAI_AGAIN|EAI_NODATA|EAI_NONAME)$/, facts: () => ({ kind: 'unknown-host' }) },
  { pattern: /CERT|^UNABLE_TO_|SELF_SIGNED|^ERR_TLS_CERT|^HOSTNAME_MISMATCH$|^INVALID_CA$/, facts: (detail) => ({ kind: 'untrusted-certificate', detail }) },
  { pattern: /^(EPROTO|HPE_.*|ERR_SSL_.*)$/, facts: (detail) => ({ kind: 'wrong-protocol', detail }) },
  { pattern: /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, facts: (detail) => ({ kind: 'unreachable', detail }) },
  { pattern: /^ERR_(INVALID_CHAR|INVALID_HTTP_TOKEN|HTTP_INVALID_HEADER_VALUE)$/, facts: () => ({ kind: 'bad-header' }) },
  { pattern: /^ECONNREFUSED$/, facts: () => ({ kind: 'not-running' }) },
];

/** What a failure of the connection means, by the codes along its chain of causes. */
export function connectionFailure(error: unknown): FailureFacts {
  const chain = causes(error);
  const codes = chain.map((cause) => textField(cause, 'code') ?? '');
  for (const { pattern, facts } of CODES) {
    const code = codes.find((candidate) => pattern.test(candidate));
    if (code !== undefined) return facts(code);
  }
  const deepest = chain.at(-1);
  return { kind: 'connection-failed', detail: codes.findLast((code) => code !== '') ?? (deepest instanceof Error ? shorten(deepest.message) : '') };
}

const LONGEST_DETAIL = 200;

/** One line of bounded length, without the markup of an error page. */
export function shorten(text: string): string {
  const line = text
    .replace(/<(script|style|title)\b[^]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/[.!]+$/, '');
  return line.length <= LONGEST_DETAIL ? line : `${beginningOf(line, LONGEST_DETAIL)}…`;
}

/** What the body of an error says: servers use `error.message`, `error`, `message` or `detail`. */
export function errorText(body: string): string {
  const json = parseJson(body);
  for (const path of [['error', 'message'], ['error'], ['message'], ['detail']]) {
    const text = textField(json, ...path);
    if (text !== undefined && text.trim() !== '') return shorten(text);
  }
  return shorten(body);
}

const OVERFLOW = /exceed_context_size|context_length_exceeded|exceeds? the (available )?context|maximum context length|context (length|window|size).*(exceed|overflow)|prompt is too long|context the overflows/i;
const NO_MODEL = /model_not_found|model\b.{0,200}\b(not found|does ?n[o']t exist|not exist|not loaded)|(unknown|invalid|no such) model/is;
const LOADING = /loading model|model is loading|still loading/i;

function overflowFacts(body: string): FailureFacts {
  const json = parseJson(body);
  const numbers = [/request \((\d+) tokens\)/i, /requested (\d+) tokens/i, /resulted in (\d+) tokens/i].map((pattern) => pattern.exec(body)?.[1]);
  const limits = [/context size \((\d+) tokens\)/i, /context length is (\d+)/i].map((pattern) => pattern.exec(body)?.[1]);
  const first = (texts: readonly (string | undefined)[]): number | undefined => {
    const text = texts.find((candidate) => candidate !== undefined);
    return text === undefined ? undefined : Number(text);
  };
  return {
    kind: 'context-overflow',
    promptTokens: countField(json, 'error', 'n_prompt_tokens') ?? first(numbers),
    contextTokens: countField(json, 'error', 'n_ctx') ?? first(limits),
  };
}

/** An error that a server reported with status 200 or inside a stream. */
export function reportedError(body: string): FailureFacts {
  if (OVERFLOW.test(body)) return overflowFacts(body);
  const code = countField(parseJson(body), 'error', 'code') ?? countField(parseJson(body), 'code');
  return { kind: 'server-error', status: code !== undefined && code >= 400 && code <= 599 ? code : undefined, detail: errorText(body) };
}

export interface BadStatus {
  readonly status: number;
  readonly body: string;
  readonly headers: Headers;
  /** Path of the request, for the message. */
  readonly path: string;
  readonly model: string;
}

function retryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}

/** What a reply whose status is not 2xx means. */
export function statusFailure(reply: BadStatus): FailureFacts {
  const { status, body } = reply;
  const detail = errorText(body);
  if (status < 400) return { kind: 'redirected', location: shorten(reply.headers.get('location') ?? '') };
  if (status === 401 || status === 403) return { kind: 'unauthorized', status, detail };
  if (status === 429) return { kind: 'too-many-requests', retryAfterMs: retryAfter(reply.headers) };
  if (status === 503 && LOADING.test(body)) return { kind: 'loading', waitedMs: 0 };
  if (OVERFLOW.test(body)) return overflowFacts(body);
  if ((status === 404 || status === 400) && NO_MODEL.test(body)) return { kind: 'no-such-model', model: reply.model, available: [] };
  if (status === 404 || status === 405) return { kind: 'no-such-path', path: reply.path };
  return status >= 500 ? { kind: 'server-error', status, detail } : { kind: 'rejected', status, detail };
}
