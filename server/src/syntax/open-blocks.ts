import { ITEM_STARTERS } from './keywords.ts';
import type { Word, WordReader } from './words.ts';

/** A block that has not been closed yet. */
export interface OpenBlock {
  readonly word: Word;
  readonly closer: string;
  /** The statement on its inside that was met last and has no `begin`. */
  head: Word | undefined;
}

const HEADS = /^(?:if|for|while|repeat|forever|foreach|always.*|initial|final|else)$/;
/** What a subroutine may declare between its statements. */
const PORT_WORDS = new Set(['input', 'output', 'inout']);

/** The blocks that are open round a statement, and what words and their indentation tell of where each should end. */
export class OpenBlocks {
  readonly #reader: WordReader;
  readonly #open: OpenBlock[] = [];

  constructor(reader: WordReader) {
    this.#reader = reader;
  }

  /** The innermost one. */
  get top(): OpenBlock | undefined {
    return this.#open.at(-1);
  }

  open(word: Word, closer: string): void {
    this.#open.push({ word, closer, head: undefined });
  }

  /** The innermost one ends. */
  close(): void {
    this.#open.pop();
  }

  /** A statement begins, which another one may be the body of. */
  meet(word: Word): void {
    const { top } = this;
    if (top && word.text !== 'begin' && HEADS.test(word.text)) top.head = word;
  }

  /** A closing word ends one of them. */
  endsOne(closer: string): boolean {
    return this.#open.some((block) => block.closer === closer);
  }

  /** The statement whose `begin` is missing, for an `end` that indentation shows not to close the innermost block; it is told once. */
  takeHead(end: Word): Word | undefined {
    const { top } = this;
    const head = top?.head;
    if (!top || !head?.first || !end.first || !this.#reader.unbalanced || end.text !== 'end') return undefined;
    if (end.indent <= top.word.indent || end.indent !== head.indent) return undefined;
    top.head = undefined;
    return head;
  }

  /** The word belongs to a block further out, as its indentation shows. */
  isLeftAt(word: Word): boolean {
    const { top } = this;
    if (!this.#reader.unbalanced || !top || !word.first || top.closer !== 'end') return false;
    return word.indent <= top.word.indent && (word.text === 'else' || this.#isCaseLabel(word));
  }

  #isCaseLabel(word: Word): boolean {
    return this.endsOne('endcase') && (word.text === 'default' || (this.#reader.peek(1) === ':' && (word.kind === 'number' || word.kind === 'identifier')));
  }

  /** A word that cannot stand in a procedural block. */
  isOutside(word: Word): boolean {
    const { text } = word;
    const [outermost] = this.#open;
    if (text === 'final' || text === 'initial') return true;
    if (text === 'assign') return outermost !== undefined && word.first && word.indent <= outermost.word.indent;
    if (PORT_WORDS.has(text) && /^(?:function|task)$/.test(outermost?.word.text ?? '')) return false;
    return ITEM_STARTERS.has(text);
  }

  /** An `end` that stands further left than the innermost block and just below another one. */
  belongsFurtherOut(end: Word): boolean {
    const { top } = this;
    if (!this.#reader.unbalanced || !end.first || !top || end.indent >= top.word.indent) return false;
    return this.#open.slice(0, -1).some((block) => block.closer === end.text && block.word.indent === end.indent);
  }
}
