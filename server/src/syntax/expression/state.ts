import { BRACKETS } from '../brackets.ts';
import type { Word, WordReader } from '../words.ts';

export interface ScanOptions {
  /** Words that end it, outside of all brackets. */
  readonly ends: readonly string[];
  /** `;` may stand in brackets, as in the head of a `for`. */
  readonly isFor?: boolean;
  /** Brackets hold ports or parameters: a direction begins a new one. */
  readonly isHeader?: boolean;
  /** Of a module or its like, where each port has a name. */
  readonly isUnit?: boolean;
  /** It is a single pair of brackets, and ends behind it. */
  readonly isGroup?: boolean;
  /** The brackets are those of a condition. */
  readonly isCondition?: boolean;
  /** It is one assignment or call. */
  readonly isStatement?: boolean;
  /** Names follow one another, as in `type name` or `module instance`. */
  readonly isDeclaration?: boolean;
}

/** Whether reading goes on, has come to the end, or stands before what belongs to nothing in it. */
export type Step = 'on' | 'end' | 'stuck';

/** A bracket that is open. */
export interface Frame {
  readonly open: Word;
  readonly kind: '(' | '[' | '{';
  /** The bracket of `.name(`. */
  readonly isConnection: boolean;
  /** It holds `.name(`. */
  hasNames: boolean;
  /** It holds declarations: an empty place in it is a mistake, while one in a list of mere names is a port left out. */
  declares: boolean;
  questions: number;
}

/** What has been read of an expression, as far as what follows depends on it. */
export class ScanState {
  readonly reader: WordReader;
  readonly options: ScanOptions;
  readonly frames: Frame[] = [];
  /** An operand is complete; `either`: behind a macro anything may follow. */
  operand: boolean | 'either' = false;
  assigned = false;
  /** Those outside of all brackets that still want their `:`. */
  questions = 0;
  /** Names at no depth before any assignment or comma. */
  names = 0;
  /** The last word that was read. */
  last: Word | undefined;
  /** The kind of type with members in braces that is being declared. */
  aggregate: string | undefined;

  constructor(reader: WordReader, options: ScanOptions) {
    this.reader = reader;
    this.options = options;
  }

  get frame(): Frame | undefined {
    return this.frames.at(-1);
  }

  /** Reports the innermost bracket that is still open; what is round it mostly misses nothing of its own. */
  closeAll(): void {
    const { frame } = this;
    if (frame) this.#missingClose(frame);
    this.frames.length = 0;
    this.operand = true;
  }

  /** Reports the innermost bracket as not closed, and goes on behind it as if it were. */
  leaveUnclosed(frame: Frame): void {
    this.#missingClose(frame);
    this.frames.pop();
  }

  #missingClose({ open }: Frame): void {
    const closer = BRACKETS.get(open.text) ?? ')';
    this.reader.missingAfter(closer, this.reader.previous, `; it closes the '${open.text}' before it`);
  }
}
