import { createModelClient, type Message } from '../model/client.ts';
import type { Failure, ModelOutcome } from '../model/outcome.ts';
import { roomFor, tokensOf } from './context.ts';
import type { GenerationEvent, ModelChoice, Turn } from './contract.ts';
import { answerNowMessages, hurryMessages } from './prompt.ts';

export interface WriteTask {
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  /** How an answer begins that is asked for at once. */
  readonly answerStart: string;
  readonly turn: Turn;
  readonly seed: number | undefined;
  readonly signal: AbortSignal;
}

export type Written = { readonly kind: 'answered'; readonly answer: string } | { readonly kind: 'failed'; readonly failure: Failure };

/** Most tokens of an answer that was asked for at once. */
const HURRIED_TOKENS = 4_096;
const RATE_MS = 250;

/** One reply on its way. */
interface Reply {
  reasoning: string;
  answer: string;
  hurried: boolean;
  readonly stop: AbortController;
}

/** Asks a model for replies, tells what arrives, and can bid it to come to the answer. */
export class Writer {
  readonly #model: ModelChoice;
  readonly #tell: (event: GenerationEvent) => void;
  readonly #replies = new Set<Reply>();
  #lastPiece = performance.now();

  constructor(model: ModelChoice, tell: (event: GenerationEvent) => void) {
    this.#model = model;
    this.#tell = tell;
  }

  /** When the last piece of any reply arrived, in the time of `performance.now`. */
  get lastPiece(): number {
    return this.#lastPiece;
  }

  /** Ends the thinking of every reply whose answer has not begun. */
  answerNow(): void {
    for (const reply of this.#replies) {
      const answering = /<answer>|```/.test(reply.answer) || (reply.reasoning !== '' && reply.answer.trim() !== '');
      if (reply.hurried || answering || reply.reasoning + reply.answer === '') continue;
      reply.hurried = true;
      reply.stop.abort();
    }
  }

  async write(task: WriteTask): Promise<Written> {
    const reply: Reply = { reasoning: '', answer: '', hurried: false, stop: new AbortController() };
    const onAbort = (): void => reply.stop.abort();
    task.signal.addEventListener('abort', onAbort, { once: true });
    if (task.signal.aborted) onAbort();
    this.#replies.add(reply);
    try {
      const outcome = await this.#complete(task, reply, task.messages, task.maxTokens, reply.stop.signal);
      if (outcome.kind === 'answered') return { kind: 'answered', answer: outcome.answer };
      if (outcome.kind === 'cancelled' && reply.hurried && !task.signal.aborted) return await this.#hurried(task, reply);
      return { kind: 'failed', failure: outcome };
    } finally {
      task.signal.removeEventListener('abort', onAbort);
      this.#replies.delete(reply);
    }
  }

  /** Continues a reply from its reasoning so far; a server that does not continue messages is asked in words. */
  async #hurried(task: WriteTask, reply: Reply): Promise<Written> {
    // Without any tag, what came so far was taken for an answer.
    if (reply.answer !== '') {
      this.#tell({ kind: 'answer-was-reasoning', turn: task.turn });
      [reply.reasoning, reply.answer] = [reply.reasoning + reply.answer, ''];
    }
    const ways = [
      { messages: answerNowMessages(task.messages, reply.reasoning, task.answerStart), continues: true },
      { messages: hurryMessages(task.messages, reply.reasoning), continues: false },
    ];
    let failure: Failure = { kind: 'cut-off', reasoningOnly: true, message: 'The thinking leaves no room for an answer; start the server with a larger context.' };
    for (const { messages, continues } of ways) {
      const room = Math.min(HURRIED_TOKENS, roomFor(this.#model, tokensOf(messages)));
      if (room < 1) continue;
      const outcome = await this.#complete(task, reply, messages, room, task.signal, continues);
      if (outcome.kind === 'answered') return { kind: 'answered', answer: outcome.answer };
      failure = outcome;
      if (failure.kind !== 'rejected' && failure.kind !== 'server-error' && failure.kind !== 'no-answer') break;
    }
    return { kind: 'failed', failure };
  }

  #complete({ turn, seed }: WriteTask, reply: Reply, messages: readonly Message[], maxTokens: number, signal: AbortSignal, continues = false): Promise<ModelOutcome> {
    const { server, name, temperature, topP } = this.#model;
    const started = performance.now();
    let [pieces, firstAt, toldAt] = [0, started, started];
    const arrived = (): void => {
      this.#lastPiece = performance.now();
      if (pieces === 0) firstAt = this.#lastPiece;
      pieces += 1;
      if (this.#lastPiece - toldAt < RATE_MS) return;
      toldAt = this.#lastPiece;
      this.#tell({ kind: 'rate', turn, tokens: pieces, tokensPerSecond: ((pieces - 1) * 1000) / Math.max(1, toldAt - firstAt), elapsedMs: toldAt - started });
    };
    const request = { messages, maxTokens, temperature, topP, expectReasoning: true, continues, ...(seed === undefined ? {} : { seed }) };
    return createModelClient(server, name).complete(request, {
      signal,
      onReasoning: (text) => {
        arrived();
        reply.reasoning += text;
        this.#tell({ kind: 'reasoning', turn, text });
      },
      onAnswer: (text) => {
        arrived();
        reply.answer += text;
        this.#tell({ kind: 'answer', turn, text });
      },
      onAnswerWasReasoning: () => {
        [reply.reasoning, reply.answer] = [reply.reasoning + reply.answer, ''];
        this.#tell({ kind: 'answer-was-reasoning', turn });
      },
      onWaiting: (waitedMs) => this.#tell({ kind: 'waiting', waitedMs }),
    });
  }
}
