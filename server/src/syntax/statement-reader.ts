import { scanExpression } from './expression/scan.ts';
import { closersByOpener, CLOSING_WORDS, openerByCloser } from './keywords.ts';
import { OpenBlocks } from './open-blocks.ts';
import { readSimpleStatement } from './simple-statement.ts';
import { readTiming } from './timing.ts';
import { expectSemicolon, skipLabel, skipStatement } from './words.ts';
import type { Word, WordReader } from './words.ts';

const CASES = new Set(['case', 'casex', 'casez', 'randcase']);
const LOOPS = new Set(['for', 'while', 'repeat', 'foreach']);
const JOINS: readonly string[] = closersByOpener('statements').get('fork') ?? [];
/** The openers of the blocks that hold statements, by the words that end them. */
const OPENERS = openerByCloser('statements', 'case', 'subroutine');

/** Signs that no statement begins with. */
const LEFTOVERS = new Set(['[', ':', '=', '<=', ',', '.', '==', '*', '/', '?', '&&', '||', '|', '^', '!=', '<', '>', '>=']);

/** Reads procedural statements and reports what is wrong in their structure. */
export class StatementReader {
  readonly #reader: WordReader;
  readonly #blocks: OpenBlocks;

  constructor(reader: WordReader) {
    this.#reader = reader;
    this.#blocks = new OpenBlocks(reader);
  }

  /** Statements up to a closing keyword, which is left unread. `opener` is the function or task they are in. */
  body(opener: Word, closer: string): void {
    this.#blocks.open(opener, closer);
    this.#statements(closer);
    this.#blocks.close();
  }

  /** One statement; false when there is none. */
  statement(owner?: Word): boolean {
    const reader = this.#reader;
    const word = reader.current;
    if (!word) return false;
    if (word.kind === 'macro') {
      reader.skipMacro();
      reader.accept(';');
      return true;
    }
    const { text } = word;
    if (this.#blocks.isOutside(word) || CLOSING_WORDS.has(text)) {
      if (owner) reader.report(reader.previous, 'missing', `A statement is missing after this${owner.text === 'else' ? '' : ` '${owner.text}'`}.`);
      return false;
    }
    this.#blocks.meet(word);
    switch (text) {
      case ';':
        reader.at++;
        return true;
      case 'begin':
        this.#block(word, 'end');
        return true;
      case 'fork':
        this.#block(word, 'join');
        return true;
      case 'disable':
        reader.at++;
        if (reader.accept('fork')) expectSemicolon(reader, 'statement', false);
        else readSimpleStatement(reader, word);
        return true;
      case '{':
        if (this.#isBlockInBraces()) {
          reader.report(word, 'unexpected', "A block begins with 'begin', not with '{'.");
          this.#block(word, 'end', true);
        } else readSimpleStatement(reader, word);
        return true;
      case 'if':
        this.#if(word);
        return true;
      case 'randsequence':
        reader.skipTo(['endsequence']);
        reader.accept('endsequence');
        return true;
      case 'unique':
      case 'unique0':
      case 'priority':
        reader.at++;
        return this.statement();
      case 'else':
        reader.at++;
        reader.strayElse(word);
        return this.statement();
      case 'forever':
      case 'final':
      case 'initial':
        reader.at++;
        this.statement(word);
        return true;
      case 'do':
        this.#do();
        return true;
      case '@':
      case '#':
      case '##':
        readTiming(reader);
        return reader.accept(';') !== undefined || this.statement();
      case 'assert':
      case 'assume':
      case 'cover':
      case 'restrict':
      case 'expect':
      case 'wait_order':
        return this.#assertion();
      default:
        if (LEFTOVERS.has(text)) {
          reader.report(word, 'unexpected', `'${text}' is not expected here.`);
          skipStatement(reader);
        } else if (CASES.has(text)) this.#case(word);
        else if (LOOPS.has(text) || text === 'wait') this.#loop(word);
        else readSimpleStatement(reader, word);
        return true;
    }
  }

  /** What stands in parentheses, with them. */
  #parenthesised(isFor = false, isCondition = false): void {
    const reader = this.#reader;
    scanExpression(reader, { ends: [], isFor, isGroup: true, isCondition });
  }

  #statements(closer: string): void {
    const reader = this.#reader;
    for (let word = reader.current; word; word = reader.current) {
      const { text } = word;
      if (text === '}') return;
      if (text === closer || (closer === 'join' && JOINS.includes(text))) {
        if (this.#closes(word)) return;
        continue;
      }
      if (this.#blocks.isOutside(word)) return;
      if (this.#blocks.isLeftAt(word)) return;
      if (text === 'end' || OPENERS.has(text)) {
        if (this.#blocks.endsOne(text)) return;
        const head = this.#blocks.top?.head;
        if (text === 'end' && head && head.indent === word.indent && head.first && word.first) {
          reader.report(head, 'missing', `Missing 'begin' for this '${head.text}'; its 'end' follows.`);
          reader.at++;
          continue;
        }
        reader.report(word, 'unexpected', `'${text}' without '${OPENERS.get(text) ?? 'begin'}'; remove it or add the beginning.`);
        reader.at++;
        continue;
      }
      if (!this.statement()) return;
    }
  }

  /**
   * Whether a closing keyword closes the innermost block. Indentation tells when a block before it was not closed, or when
   * it belongs to a statement whose `begin` is missing.
   */
  #closes(word: Word): boolean {
    const reader = this.#reader;
    const head = this.#blocks.takeHead(word);
    if (!head) return true;
    reader.report(head, 'missing', `Missing 'begin' for this '${head.text}'; its 'end' follows.`);
    reader.at++;
    if (reader.accept('else')) this.statement(word);
    return false;
  }

  #isBlockInBraces(): boolean {
    const end = this.#reader.closing(this.#reader.at);
    if (end === undefined) return this.#reader.words[this.#reader.at + 1]?.first === true;
    const next = this.#reader.words[end]?.text ?? '';
    return !/^(?:<|[-+*\/%&|^]|<<<?|>>>?)?=$/.test(next);
  }

  #block(word: Word, closer: string, inBraces = false): void {
    const reader = this.#reader;
    reader.at++;
    skipLabel(reader);
    this.#blocks.open(word, closer);
    this.#statements(closer);
    const end = reader.current;
    if (inBraces && reader.accept('}')) {
      this.#blocks.close();
      return;
    }
    const isClosed = end !== undefined && (end.text === closer || (closer === 'join' && JOINS.includes(end.text))) && !this.#blocks.belongsFurtherOut(end);
    this.#blocks.close();
    if (isClosed) {
      reader.at++;
      skipLabel(reader);
      if (reader.peek() === 'if' && closer === 'end' && reader.current?.line === end.line && reader.peek(1) !== '(') {
        reader.report(reader.current, 'unexpected', "'end' stands alone; remove this 'if'.");
        reader.at++;
      }
    } else reader.report(word, 'unclosed', `'${word.text}' without '${closer}'; add it where the block ends.`);
  }

  #condition(owner: Word): void {
    const reader = this.#reader;
    const open = reader.current;
    if (open?.text === '(') {
      this.#parenthesised(owner.text === 'for', owner.text === 'if' || owner.text === 'while');
      if (reader.peek() === ')') {
        reader.report(reader.current, 'unexpected', "This ')' closes nothing; remove it.");
        reader.at++;
      }
      return;
    }
    if (open?.kind === 'macro') {
      reader.skipMacro();
      return;
    }
    reader.missingAfter('(', owner);
    for (let word = reader.current; word && word.line === owner.line && word.text !== 'begin' && word.text !== ';'; word = reader.current) {
      reader.at++;
      if (word.text === ')') break;
    }
  }

  #if(word: Word): void {
    const reader = this.#reader;
    reader.at++;
    this.#condition(word);
    reader.emptyIf = undefined;
    const empty = reader.peek() === ';' ? reader.current : undefined;
    this.statement(word);
    reader.emptyIf = empty;
    const { top } = this.#blocks;
    const other = reader.current;
    if (!other) return;
    const { text } = other;
    // An 'else' further left than this 'if' belongs to one further out whose block was not closed.
    if (text === 'else' && !(other.first && word.first && other.indent < word.indent && top && other.indent <= top.word.indent)) {
      reader.at++;
      this.statement(other);
    } else if (other.text === 'elseif' || other.text === 'elsif') {
      reader.report(other, 'keyword', `'${other.text}' is no keyword; write 'else if'.`);
      this.#if({ ...other, text: 'if' });
    }
  }

  #loop(word: Word): void {
    const reader = this.#reader;
    reader.at++;
    if (word.text === 'wait' && reader.accept('fork')) {
      expectSemicolon(reader, 'statement', false);
      return;
    }
    this.#condition(word);
    if (!reader.accept(';')) this.statement(word);
  }

  #do(): void {
    const reader = this.#reader;
    const word = reader.accept('do');
    if (word) this.statement(word);
    const head = reader.accept('while');
    if (!head) return;
    this.#condition(head);
    expectSemicolon(reader, 'statement', false);
  }

  #case(word: Word): void {
    const reader = this.#reader;
    reader.at++;
    if (reader.peek() === '(') this.#condition(word);
    else if (word.text !== 'randcase') this.#condition(word);
    reader.accept('inside', 'matches');
    this.#blocks.open(word, 'endcase');
    for (let item = reader.current; item; item = reader.current) {
      const { text } = item;
      if (text === 'endcase' || this.#blocks.isOutside(item) || text === 'end' || text === 'endfunction' || text === 'endtask') break;
      if (item.kind === 'macro') reader.skipMacro();
      else if (!this.#caseItem(item)) break;
    }
    this.#blocks.close();
    const end = reader.current;
    if (end && end.text === 'endcase') {
      reader.at++;
    } else reader.report(word, 'unclosed', `'${word.text}' without 'endcase'; add it where the block ends.`);
  }

  #caseItem(item: Word): boolean {
    const reader = this.#reader;
    const before = reader.findings.length;
    const from = reader.at;
    if (item.text === ';') {
      reader.report(item, 'unexpected', "This ';' is one too many.");
      reader.at++;
      return true;
    }
    if (reader.accept('default')) reader.accept(':');
    else if (reader.accept(':')) reader.report(item, 'missing', "A label is missing before this ':'.");
    else {
      scanExpression(reader, { ends: [':', ';', '=', '<='] });
      if (!reader.accept(':')) {
        if (reader.findings.length === before) {
          const label = reader.words[from];
          reader.missingAfter(':', label === undefined || reader.previous?.line !== label.line ? reader.previous : label);
        }
      }
    }
    this.statement(item.text === 'default' ? item : { ...item, text: ':' });
    return reader.at > from;
  }

  #assertion(): boolean {
    const reader = this.#reader;
    reader.at++;
    const isConcurrent = reader.accept('property', 'sequence') !== undefined;
    reader.accept('final');
    if (reader.accept('#')) reader.at++;
    if (reader.peek() === '(' && !isConcurrent) this.#parenthesised();
    else if (reader.peek() === '(') reader.at = reader.closing(reader.at) ?? reader.at + 1;
    if (reader.accept(';')) return true;
    if (reader.peek() !== 'else') this.statement();
    const other = reader.accept('else');
    if (other) this.statement();
    return true;
  }
}
