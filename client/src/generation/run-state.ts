import type { GenerationEvent, Stage } from '../../../server/src/protocol.ts';

/** One reply of the model as a person sees it. */
export interface ReplyState {
  readonly sample: number;
  readonly round: number;
  readonly stages: Readonly<Partial<Record<Stage, 'started' | 'passed' | 'failed'>>>;
  /** Why it went no further. */
  readonly reason: string | undefined;
  readonly tokens: number;
  readonly tokensPerSecond: number;
  readonly reasoning: string;
  readonly answer: string;
}

/** A run as a person sees it. Times in milliseconds since the epoch. */
export interface RunState {
  readonly title: string;
  readonly phase: 'running' | 'done' | 'failed' | 'stopped';
  /** The model and its server, once they are known. */
  readonly model: string | undefined;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** What is going on besides the replies, or how it ended; full sentences or undefined. */
  readonly note: string | undefined;
  readonly replies: readonly ReplyState[];
  /** What is known of the modules that came through, best first once the run has ended. */
  readonly candidates: readonly string[];
}

export function startOf(title: string, startedAt: number): RunState {
  return { title, phase: 'running', model: undefined, startedAt, endedAt: undefined, note: undefined, replies: [], candidates: [] };
}

function newReply(sample: number, round: number): ReplyState {
  return { sample, round, stages: {}, reason: undefined, tokens: 0, tokensPerSecond: 0, reasoning: '', answer: '' };
}

function withReply(state: RunState, { sample, round }: { readonly sample: number; readonly round: number }, change: (reply: ReplyState) => ReplyState): RunState {
  const at = state.replies.findIndex((reply) => reply.sample === sample && reply.round === round);
  if (at >= 0) return { ...state, replies: state.replies.map((reply, index) => (index === at ? change(reply) : reply)) };
  const replies = [...state.replies, change(newReply(sample, round))].sort((a, b) => a.sample - b.sample || a.round - b.round);
  return { ...state, replies };
}

/** The state after an event of the server. */
export function stateAfter(state: RunState, event: GenerationEvent): RunState {
  switch (event.kind) {
    case 'model':
      return { ...state, model: `${event.name === '' ? 'the only model' : event.name} at ${event.server}` };
    case 'waiting':
      return { ...state, note: `The server is loading its model, ${Math.round(event.waitedMs / 1000)} s so far.` };
    case 'stage': {
      const reason = event.state === 'failed' ? event.reason : undefined;
      return withReply({ ...state, note: undefined }, event.turn, (reply) => ({ ...reply, stages: { ...reply.stages, [event.stage]: event.state }, reason: reason ?? reply.reason }));
    }
    case 'reasoning':
    case 'answer':
      return withReply(state, event.turn, (reply) => ({ ...reply, [event.kind]: reply[event.kind] + event.text }));
    case 'answer-was-reasoning':
      return withReply(state, event.turn, (reply) => ({ ...reply, reasoning: reply.reasoning + reply.answer, answer: '' }));
    case 'rate':
      return withReply(state, event.turn, (reply) => ({ ...reply, tokens: event.tokens, tokensPerSecond: event.tokensPerSecond }));
    case 'candidate':
      return { ...state, candidates: [...state.candidates, event.confidence] };
    case 'voting':
      return { ...state, note: `${event.candidates} candidates are run on the same stimulus.` };
  }
}

/** The state after the end. */
export function ended(state: RunState, phase: Exclude<RunState['phase'], 'running'>, at: number, note: string | undefined, candidates = state.candidates): RunState {
  return { ...state, phase, endedAt: at, note, candidates };
}
