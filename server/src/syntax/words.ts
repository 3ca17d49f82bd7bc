import type { Span } from '../base/text.ts';
import { BRACKETS, BracketTable } from './brackets.ts';
import { HARD_WORDS } from './keywords.ts';
import { tokenize } from './tokens.ts';
import type { TokenKind } from './tokens.ts';

/** A token with its place among the lines. */
export interface Word {
  /** Strings are `"`, escaped identifiers a name that is no keyword. */
  readonly text: string;
  readonly kind: TokenKind | 'macro';
  readonly span: Span;
  readonly line: number;
  /** Columns before the first token of its line. */
  readonly indent: number;
  /** It is the first token of its line. */
  readonly first: boolean;
}

export function wordsOf(text: string): Word[] {
  let line = 0;
  let lineStart = 0;
  let lineEnd = text.indexOf('\n');
  let last = -1;
  let indent = 0;
  return tokenize(text).map(({ text: written, kind, span }) => {
    for (; lineEnd >= 0 && lineEnd < span.start; lineEnd = text.indexOf('\n', lineStart)) {
      line++;
      lineStart = lineEnd + 1;
    }
    const first = line !== last;
    last = line;
    if (first) indent = /^[ \t]*/.exec(text.slice(lineStart, span.start))?.[0].replace(/\t/g, '    ').length ?? 0;
    const isEscaped = text[span.start] === '\\';
    return { text: kind === 'string' ? '"' : isEscaped ? '\\' : written, kind: written.startsWith('`') && !isEscaped ? 'macro' : kind, span, line, indent, first };
  });
}

/** What a mistake is and where; one sentence. */
export interface StructureFinding {
  readonly span: Span;
  readonly message: string;
  readonly code: 'missing' | 'unexpected' | 'unclosed' | 'keyword';
}

/** A text in which control characters, and halves of characters, are shown by their codes. */
export function printable(text: string): string {
  return text.replace(/[\0-\x1f\x7f]|\p{Surrogate}/gu, (char) => {
    const code = char.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`;
  });
}

/** Reads words one after the other and collects what is wrong with them. */
export class WordReader {
  readonly words: readonly Word[];
  readonly findings: StructureFinding[] = [];
  /** Openers and closers of blocks do not come out even, so that indentation has to tell which one is wrong. */
  readonly unbalanced: boolean;
  /** The `;` that is all of the last `if`. */
  emptyIf: Word | undefined;
  at = 0;
  #brackets: BracketTable | undefined;
  /** Of each word, the index of the next one that is the first of its line. */
  #lines: Int32Array | undefined;

  constructor(words: readonly Word[]) {
    this.words = words;
    this.unbalanced = !isBalanced(words);
  }

  get brackets(): BracketTable {
    this.#brackets ??= new BracketTable(this.words);
    return this.#brackets;
  }

  /** The index of the next word behind `index` that is the first of its line, or the number of words. */
  nextLine(index: number): number {
    this.#lines ??= firstsBehind(this.words);
    return this.#lines[index] ?? this.words.length;
  }

  get current(): Word | undefined {
    return this.words[this.at];
  }

  get previous(): Word | undefined {
    return this.words[this.at - 1];
  }

  peek(ahead = 0): string {
    return this.words[this.at + ahead]?.text ?? '';
  }

  accept(...texts: readonly string[]): Word | undefined {
    const word = this.current;
    if (!word || !texts.includes(word.text)) return undefined;
    this.at++;
    return word;
  }

  report(word: Word | undefined, code: StructureFinding['code'], message: string): void {
    if (word) this.findings.push({ span: word.span, code, message: printable(message) });
  }

  missingAfter(what: string, after: Word | undefined = this.previous, suffix = ''): void {
    this.report(after, 'missing', `Missing '${what}' after this${suffix}.`);
  }

  /** The index behind the bracket that closes the one at `open`, or undefined when a `;` or the end comes first. */
  closing(open: number): number | undefined {
    const closer = this.brackets.closing(open);
    return closer === undefined ? undefined : closer + 1;
  }

  /** Often the `if` of a lonely `else` is there, and a `;` behind its condition has ended it. */
  strayElse(word: Word): void {
    const ended = this.emptyIf;
    if (ended && word.line - ended.line <= 4) this.report(ended, 'unexpected', "This ';' ends the 'if', so that its 'else' has none; remove it.");
    else this.report(word, 'unexpected', "This 'else' has no 'if' before it.");
    this.emptyIf = undefined;
  }

  /** Goes to the first of some words outside of all brackets that open from here on. */
  skipTo(texts: readonly string[]): void {
    for (; this.current && !texts.includes(this.peek()); this.at++) {
      if (BRACKETS.has(this.peek())) this.at = (this.closing(this.at) ?? this.at + 1) - 1;
    }
  }

  /** Passes braces and what is in them, statements too. */
  skipBraces(): void {
    let depth = 0;
    for (; this.current; this.at++) {
      if (this.peek() === '{' || this.peek() === "'{") depth++;
      else if (this.peek() === '}' && --depth === 0) {
        this.at++;
        return;
      }
    }
  }

  /** Passes a macro and its arguments. */
  skipMacro(): void {
    this.at++;
    if (this.peek() === '(') this.at = this.closing(this.at) ?? this.at;
  }
}

function firstsBehind(words: readonly Word[]): Int32Array {
  const firsts = new Int32Array(words.length);
  let next = words.length;
  for (let index = words.length - 1; index >= 0; index--) {
    firsts[index] = next;
    if (words[index]?.first === true) next = index;
  }
  return firsts;
}

function isBalanced(words: readonly Word[]): boolean {
  let [blocks, cases] = [0, 0];
  for (const { text } of words) {
    if (text === 'begin') blocks++;
    else if (text === 'end') blocks--;
    else if (text === 'case' || text === 'casex' || text === 'casez') cases++;
    else if (text === 'endcase') cases--;
    if (blocks < 0) return false;
  }
  return blocks === 0 && cases === 0;
}

/** A `;` is due behind what was read. `stuck`: it was read no further than something that does not belong there. */
export function expectSemicolon(reader: WordReader, name: string, stuck: boolean): void {
  if (reader.accept(';')) return;
  const { current, previous } = reader;
  const onSameLine = current !== undefined && previous !== undefined && current.line === previous.line && !HARD_WORDS.has(current.text);
  if (stuck && onSameLine) {
    reader.report(current, 'unexpected', `'${current.text}' is not expected here.`);
    skipStatement(reader);
    return;
  }
  // A bracket that was not closed has been reported already.
  if (reader.findings.at(-1)?.span !== previous?.span) reader.missingAfter(';', previous, ` ${name}`);
}

/** Passes the rest of a statement: up to its `;`, or to a word that begins another one. */
export function skipStatement(reader: WordReader): void {
  for (let word = reader.current; word && !HARD_WORDS.has(word.text); word = reader.current) {
    reader.at++;
    if (word.text === ';') return;
  }
}

/** Passes `: name`, if it is there. */
export function skipLabel(reader: WordReader): void {
  if (reader.peek() === ':' && reader.words[reader.at + 1]?.kind === 'identifier') reader.at += 2;
}
