/** Offsets are UTF-16 code units from the start of a text, as in JavaScript strings and LSP positions. */
export interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Zero-based line and UTF-16 column. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** A text whose lines end as Verilog's do: a carriage return that stands alone becomes a line feed, so that no place moves. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text;
}

/** The beginning of a text, of `length` UTF-16 code units at most; no character is cut in half. */
export function beginningOf(text: string, length: number): string {
  const isCut = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(length - 1, length + 1));
  return text.slice(0, isCut ? length - 1 : length);
}

/** A text on one line, of `most` UTF-16 code units at most; an ellipsis stands for what is cut off. */
export function onOneLine(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${beginningOf(line, most - 1)}…`;
}

/** Converts between offsets and positions of one text; CRLF, LF and CR end a line, as in LSP. */
export class LineIndex {
  readonly #starts: number[] = [0];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) this.#starts.push(i + 1);
    }
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  position(offset: number): Position {
    const clamped = Math.min(Math.max(offset, 0), this.#length);
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= clamped) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: clamped - (this.#starts[low] ?? 0) };
  }

  offset(position: Position): number {
    const start = this.#starts[position.line];
    if (start === undefined) return position.line < 0 ? 0 : this.#length;
    const next = this.#starts[position.line + 1] ?? this.#length;
    return Math.min(start + position.character, next);
  }
}

/** What of one text was replaced by what of another one: all between their common beginning and their common end. */
export interface TextChange {
  readonly start: number;
  /** Exclusive, in the text before. */
  readonly oldEnd: number;
  /** Exclusive, in the text after. */
  readonly newEnd: number;
}

export function changeBetween(before: string, after: string): TextChange {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let tail = 0;
  while (tail < shorter - start && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail++;
  return { start, oldEnd: before.length - tail, newEnd: after.length - tail };
}

/** Whether a text was read from what is none: zero bytes are rare in a text, and make up half of most of what UTF-16 holds. */
export function isBinary(text: string): boolean {
  const start = text.slice(0, 2000);
  return start.split('\0').length - 1 > start.length / 10;
}

/** A whole number with its digits in threes: `12,000`. The system's own way to write it loads the rules of all languages first. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
