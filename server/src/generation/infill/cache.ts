/** A place in a file, by the text around it. */
export interface CachePlace {
  readonly file: string;
  readonly text: string;
  readonly offset: number;
}

interface Entry {
  readonly file: string;
  readonly offset: number;
  readonly near: string;
  readonly behind: string;
  readonly completion: string;
}

const NEAR = 1_000;
const BEHIND = 300;

/**
 * The newest completions. One completion answers for its own place and for each place along it: typing what it suggests, letter by letter or word
 * by word, keeps showing the rest of it without a question to the model.
 */
export class CompletionCache {
  readonly #size: number;
  /** Oldest use first. */
  #entries: Entry[] = [];

  constructor(size = 64) {
    this.#size = size;
  }

  /** The rest of a completion at a place: empty where it is known that there is none, undefined where nothing is known. */
  find({ file, text, offset }: CachePlace): string | undefined {
    const behind = behindOf(text, offset);
    const found = this.#entries.findLast((entry) => {
      if (entry.file !== file || entry.offset > offset) return false;
      const typed = text.slice(entry.offset, offset);
      return entry.completion.startsWith(typed) && (typed === '' || typed !== entry.completion) && entry.behind === behind && entry.near === nearOf(text, entry.offset);
    });
    if (found === undefined) return undefined;
    this.#entries = [...this.#entries.filter((entry) => entry !== found), found];
    return found.completion.slice(offset - found.offset);
  }

  put({ file, text, offset }: CachePlace, completion: string): void {
    const entry: Entry = { file, offset, near: nearOf(text, offset), behind: behindOf(text, offset), completion };
    this.#entries = [...this.#entries.slice(-(this.#size - 1)), entry];
  }

  clear(): void {
    this.#entries = [];
  }

  get size(): number {
    return this.#entries.length;
  }
}

/** Without the brackets at the cursor, which editors add by themselves when their openers are typed. */
function behindOf(text: string, offset: number): string {
  return text.slice(offset, offset + BEHIND).replace(/^[)\]}]+/, '').slice(0, BEHIND - 20);
}

function nearOf(text: string, offset: number): string {
  return text.slice(Math.max(0, offset - NEAR), offset);
}
