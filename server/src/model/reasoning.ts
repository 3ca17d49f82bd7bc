/** One delta of a streamed reply: text of a reasoning field, of the content field, or both. */
export interface Delta {
  readonly reasoning?: string;
  readonly content?: string;
}

export interface SplitText {
  readonly reasoning: string;
  readonly answer: string;
}

export type SplitEvent =
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'answer'; readonly text: string }
  /** All that was told as answer so far was reasoning: it moves, as it is, to the end of the reasoning. */
  | { readonly kind: 'answer-was-reasoning' };

export interface SplitEnd extends SplitText {
  /** The reply ended before an answer began. */
  readonly reasoningOnly: boolean;
}

export interface SplitterOptions {
  /** The model is known to think first, so a reply that was cut off before any tag is taken for reasoning. */
  readonly expectReasoning?: boolean;
}

const OPENING = '<think>';
const CLOSING = '</think>';

/** Length of the longest end of `text` that may still become one of `tags`. */
function heldBack(text: string, tags: readonly string[]): number {
  const longest = Math.max(...tags.map((tag) => tag.length)) - 1;
  for (let length = Math.min(longest, text.length); length > 0; length -= 1) {
    const end = text.slice(text.length - length);
    if (tags.some((tag) => tag.startsWith(end))) return length;
  }
  return 0;
}

function firstTag(text: string, tags: readonly string[]): { readonly tag: string; readonly at: number } | undefined {
  const found = tags.map((tag) => ({ tag, at: text.indexOf(tag) })).filter(({ at }) => at >= 0);
  return found.sort((a, b) => a.at - b.at)[0];
}

/** What the events told so far add up to. */
export function foldSplit(text: SplitText, event: SplitEvent): SplitText {
  switch (event.kind) {
    case 'reasoning':
      return { ...text, reasoning: text.reasoning + event.text };
    case 'answer':
      return { ...text, answer: text.answer + event.text };
    case 'answer-was-reasoning':
      return { reasoning: text.reasoning + text.answer, answer: '' };
  }
}

/**
 * Separates a model's reasoning from its answer while a reply streams in. Reasoning comes in a field of its own or inline as
 * `<think>…</think>`, often without the opening tag: a closing tag that nothing opened makes all text before it reasoning.
 * Once reasoning was closed, a further closing tag is ordinary text of the answer. The result does not depend on how the text was cut
 * into pieces; an end that may still become a tag is held back until it is decided.
 */
export class ReasoningSplitter {
  readonly #expectReasoning: boolean;
  /** `undecided`: no tag was seen yet. */
  #state: 'undecided' | 'reasoning' | 'answer' = 'undecided';
  #pending = '';
  #sawField = false;
  #text: SplitText = { reasoning: '', answer: '' };

  constructor(options: SplitterOptions = {}) {
    this.#expectReasoning = options.expectReasoning ?? false;
  }

  get text(): SplitText {
    return this.#text;
  }

  push(delta: Delta): SplitEvent[] {
    const events: SplitEvent[] = [];
    if (delta.reasoning !== undefined && delta.reasoning !== '') {
      this.#sawField = true;
      events.push({ kind: 'reasoning', text: delta.reasoning });
    }
    if (delta.content !== undefined && delta.content !== '') events.push(...this.#content(delta.content));
    return this.#tell(events);
  }

  /** Ends the reply; `cutOff` when the server stopped it for its length. Nothing may be pushed afterwards. */
  finish(cutOff: boolean): { readonly events: readonly SplitEvent[]; readonly end: SplitEnd } {
    const events: SplitEvent[] = [];
    if (this.#pending !== '') events.push({ kind: this.#side(), text: this.#pending });
    this.#pending = '';
    if (cutOff && this.#expectReasoning && this.#state === 'undecided' && !this.#sawField) events.push({ kind: 'answer-was-reasoning' });
    this.#tell(events);
    const reasoningOnly = this.#state === 'reasoning' || this.#text.answer.trim() === '';
    return { events, end: { ...this.#text, reasoningOnly } };
  }

  #side(): 'reasoning' | 'answer' {
    return this.#state === 'reasoning' ? 'reasoning' : 'answer';
  }

  #tell(events: SplitEvent[]): SplitEvent[] {
    this.#text = events.reduce(foldSplit, this.#text);
    return events;
  }

  #content(piece: string): SplitEvent[] {
    const events: SplitEvent[] = [];
    const emit = (text: string): void => {
      if (text !== '') events.push({ kind: this.#side(), text });
    };
    let rest = this.#pending + piece;
    for (;;) {
      const tags = { undecided: [OPENING, CLOSING], reasoning: [CLOSING], answer: [OPENING] }[this.#state];
      const found = firstTag(rest, tags);
      if (found === undefined) {
        const ready = rest.length - heldBack(rest, tags);
        emit(rest.slice(0, ready));
        this.#pending = rest.slice(ready);
        return events;
      }
      emit(rest.slice(0, found.at));
      rest = rest.slice(found.at + found.tag.length);
      if (this.#state === 'undecided' && found.tag === CLOSING) events.push({ kind: 'answer-was-reasoning' });
      this.#state = found.tag === OPENING ? 'reasoning' : 'answer';
    }
  }
}
