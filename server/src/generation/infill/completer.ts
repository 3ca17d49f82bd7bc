import { LatestWins } from '../../base/latest.ts';
import type { InfillClient, InfillOutcome, InfillRequest } from '../../model/infill.ts';
import type { Failure } from '../../model/outcome.ts';
import { firstForeignCloser } from './blocks.ts';
import { CompletionCache } from './cache.ts';
import { filterCompletion } from './filters.ts';
import { gapAt, type Gap } from './gap.ts';
import { TypingPace } from './pace.ts';

export interface CompletionRequest {
  /** Names the text in the cache. */
  readonly file: string;
  readonly text: string;
  readonly offset: number;
  /** The user asked for it, so nothing is waited for. */
  readonly explicit: boolean;
  readonly signal?: AbortSignal | undefined;
}

export type CompletionOutcome =
  /** `text` is to be inserted at the offset. */
  | { readonly kind: 'suggestion'; readonly text: string; readonly cached: boolean }
  /** No suggestion fits here. */
  | { readonly kind: 'nothing' }
  /** A newer request took over, or the editor lost interest. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface CompletionEnv {
  /** Asked once a question is due; undefined while there is no model. */
  readonly client: (signal: AbortSignal) => Promise<{ readonly client: InfillClient; readonly maxTokens: number } | undefined>;
  /** Texts for context, such as the headers of instantiated modules. */
  readonly context: () => InfillRequest['files'];
  /** How many syntax errors a text has; undefined when it takes longer than `deadlineMs` to find out. */
  readonly errorsIn: (text: string, deadlineMs: number) => number | undefined;
}

/** Greedy: a guess of what follows is worth only the likeliest one. */
const TEMPERATURE = 0;
/** For all parses that decide on one suggestion. */
const CHECK_MS = 150;

/** Completes lines and blocks while a person types: at most one question at a time, the newest wins, and nothing is offered that would break the text. */
export class Completer {
  readonly #runs = new LatestWins<'only'>();
  readonly #cache = new CompletionCache();
  readonly #pace = new TypingPace();

  async complete(request: CompletionRequest, env: CompletionEnv): Promise<CompletionOutcome> {
    if (!request.explicit) this.#pace.press(performance.now());
    const gap = gapAt(request.text, request.offset);
    if (gap === undefined || request.signal?.aborted === true) {
      this.#runs.cancel('only');
      return gap === undefined ? { kind: 'nothing' } : { kind: 'superseded' };
    }
    const known = this.#cache.find(request);
    if (known !== undefined) {
      this.#runs.cancel('only');
      return offer(fromCache(known, gap, env), true);
    }
    const run = await this.#runs.run('only', (newer) => this.#ask(request, gap, env, either(newer, request.signal)), request.explicit ? 0 : this.#pace.pauseMs);
    return run.kind === 'done' ? run.value : { kind: 'superseded' };
  }

  /** Ends the question that is under way, and forgets the answers; another model would give others. */
  reset(): void {
    this.#runs.cancelAll();
    this.#cache.clear();
  }

  async #ask(request: CompletionRequest, gap: Gap, env: CompletionEnv, signal: AbortSignal): Promise<CompletionOutcome> {
    const model = await env.client(signal);
    if (model === undefined) return { kind: 'nothing' };
    const outcome = await infill(model.client, { ...promptOf(gap), files: env.context() ?? [], maxTokens: model.maxTokens, temperature: TEMPERATURE }, gap, signal);
    if (signal.aborted) return { kind: 'superseded' };
    if (outcome.kind === 'failed') return outcome;
    const text = unbroken(filterCompletion(outcome.text, gap), gap, env);
    this.#cache.put(request, text);
    return offer(text, false);
  }
}

function either(newer: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other === undefined ? newer : AbortSignal.any([newer, other]);
}

function offer(text: string, cached: boolean): CompletionOutcome {
  return text === '' ? { kind: 'nothing' } : { kind: 'suggestion', text, cached };
}

/** What was checked once needs no second parse, unless the text around it is not what it was. */
function fromCache(known: string, gap: Gap, env: CompletionEnv): string {
  const text = filterCompletion(known, gap);
  return text === known && !/^[)\]}]/.test(gap.rest) ? text : unbroken(text, gap, env);
}

function promptOf({ before, after, scope }: Gap): Pick<InfillRequest, 'prefix' | 'suffix' | 'stop'> {
  return { prefix: before, suffix: after, stop: scope === 'line' ? ['\n'] : ['\n\n\n', '```'] };
}

/** Asks the model, and stops it as soon as the rest of its reply would be cut off anyway. */
async function infill(client: InfillClient, request: InfillRequest, gap: Gap, signal: AbortSignal): Promise<{ readonly kind: 'text'; readonly text: string } | Extract<CompletionOutcome, { kind: 'failed' }>> {
  const enough = new AbortController();
  let text = '';
  const onText = (piece: string): void => {
    text += piece;
    if (piece.includes('\n') && isEnough(text, gap)) enough.abort();
  };
  const outcome: InfillOutcome = await client.infill(request, { signal: AbortSignal.any([signal, enough.signal]), onText });
  if (outcome.kind === 'infilled') return { kind: 'text', text: outcome.cutOff ? wholeLines(outcome.text) : outcome.text };
  if (outcome.kind === 'cancelled' && enough.signal.aborted) return { kind: 'text', text };
  return { kind: 'failed', failure: outcome };
}

function isEnough(text: string, gap: Gap): boolean {
  const lines = text.slice(0, text.lastIndexOf('\n') + 1);
  if (gap.scope === 'line') return lines.trim() !== '';
  return firstForeignCloser(gap.text, gap.offset, lines) !== undefined;
}

/** The limit of tokens cuts a line anywhere; a first line is kept as it is, since half of it may help. */
function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n');
  return end > 0 && text.slice(0, end).trim() !== '' ? text.slice(0, end) : text;
}

/**
 * The longest beginning of a completion, in whole lines, that adds no syntax error to the text; empty when there is none or time is up. While a
 * text is being typed it often has errors, so their number decides and not whether there are any.
 */
function unbroken(completion: string, { text, offset }: Gap, { errorsIn }: CompletionEnv): string {
  if (completion === '') return '';
  const end = performance.now() + CHECK_MS;
  const count = (whole: string): number | undefined => {
    const left = end - performance.now();
    return left <= 0 ? undefined : errorsIn(whole, left);
  };
  const before = count(text);
  if (before === undefined) return '';
  const lines = completion.split('\n');
  for (let length = lines.length; length > 0; length -= 1) {
    const shown = lines.slice(0, length).join('\n').trimEnd();
    if (shown.trim() === '') return '';
    const after = count(text.slice(0, offset) + shown + text.slice(offset));
    if (after === undefined) return '';
    if (after <= before) return shown;
  }
  return '';
}
