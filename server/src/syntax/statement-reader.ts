import { readTarget } from './assignments.ts';
import { scanExpression } from './expression/scan.ts';
import { closersByOpener, CLOSING_WORDS, ITEM_STARTERS, nameOfStatement, openerByCloser, TYPE_WORDS } from './keywords.ts';
import { expectSemicolon, skipStatement } from './words.ts';
import type { Word, WordReader } from './words.ts';

/** A block that has not been closed yet. */
interface Open {
  readonly word: Word;
  readonly closer: string;
  /** The statement on its inside that was met last and has no `begin`. */
  head: Word | undefined;
}

const CASES = new Set(['case', 'casex', 'casez', 'randcase']);
const LOOPS = new Set(['for', 'while', 'repeat', 'foreach']);
const JOINS: readonly string[] = closersByOpener('statements').get('fork') ?? [];
const CASE_HEADS = /^(?:if|for|while|repeat|forever|foreach|always.*|initial|final|else)$/;
/** The openers of the blocks that hold statements, by the words that end them. */
const OPENERS = openerByCloser('statements', 'case', 'subroutine');

/** What a subroutine may declare between its statements. */
const PORT_WORDS = new Set(['input', 'output', 'inout']);

/** Signs that no statement begins with. */
const LEFTOVERS = new Set(['[', ':', '=', '<=', ',', '.', '==', '*', '/', '?', '&&', '||', '|', '^', '!=', '<', '>', '>=']);

/** Reads procedural statements and reports what is wrong in their structure. */
export class StatementReader {
  readonly #reader: WordReader;
  readonly #open: Open[] = [];

  constructor(reader: WordReader) {
    this.#reader = reader;
  }

  /** Statements up to a closing keyword, which is left unread. `opener` is the function or task they are in. */
  body(opener: Word, closer: string): void {
    this.#open.push({ word: opener, closer, head: undefined });
    this.#statements(closer);
    this.#open.pop();
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
    if (this.#isOutside(word, text) || CLOSING_WORDS.has(text)) {
      if (owner) reader.report(reader.previous, 'missing', `A statement is missing after this${owner.text === 'else' ? '' : ` '${owner.text}'`}.`);
      return false;
    }
    const top = this.#open.at(-1);
    if (top && text !== 'begin' && CASE_HEADS.test(text)) top.head = word;
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
        else this.#simple(word);
        return true;
      case '{':
        if (this.#isBlockInBraces()) {
          reader.report(word, 'unexpected', "A block begins with 'begin', not with '{'.");
          this.#block(word, 'end', true);
        } else this.#simple(word);
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
        this.#bodyOf(word);
        return true;
      case 'do':
        this.#do();
        return true;
      case '@':
      case '#':
      case '##':
        this.timing();
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
        else this.#simple(word);
        return true;
    }
  }

  /** `@(…)`, `@*`, `@name`, `#delay`, one after the other. */
  timing(): void {
    const reader = this.#reader;
    for (let sign = reader.accept('@', '#', '##'); sign; sign = reader.accept('@', '#', '##')) {
      const next = reader.current;
      if (!next) return;
      if (CLOSING_WORDS.has(next.text)) {
        reader.report(sign, 'missing', `${sign.text === '@' ? 'An event' : 'A delay'} is missing after this '${sign.text}'.`);
        return;
      }
      if (next.text === '(') this.#parenthesised();
      else if (sign.text === '@' && /^(?:posedge|negedge|edge)$/.test(next.text)) {
        reader.missingAfter('(', sign, '; an edge stands in parentheses');
        this.#skipEvent();
      } else if (next.kind === 'macro') reader.skipMacro();
      else {
        reader.at++;
        while (/^(?:\.|\[|::)$/.test(reader.peek())) {
          if (reader.peek() !== '[') reader.at += 2;
          else reader.at = reader.closing(reader.at) ?? reader.at + 1;
        }
      }
    }
  }

  #skipEvent(): void {
    const reader = this.#reader;
    for (let word = reader.current; word && !word.first && word.text !== 'begin' && word.text !== ';'; word = reader.current) reader.at++;
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
      if (this.#isOutside(word, text)) return;
      if (this.#leavesBlock(word, text)) return;
      if (text === 'end' || OPENERS.has(text)) {
        if (this.#open.some((open) => open.closer === text)) return;
        const head = this.#open.at(-1)?.head;
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
    const top = this.#open.at(-1);
    if (!top || !word.first || !reader.unbalanced) return true;
    if (word.text === 'end' && top.word.indent < word.indent && top.head && top.head.indent === word.indent && top.head.first) {
      reader.report(top.head, 'missing', `Missing 'begin' for this '${top.head.text}'; its 'end' follows.`);
      top.head = undefined;
      reader.at++;
      if (reader.accept('else')) this.#bodyOf(word);
      return false;
    }
    return true;
  }

  /** The word belongs to a block further out, as its indentation shows. */
  #leavesBlock(word: Word, text: string): boolean {
    const top = this.#open.at(-1);
    if (!this.#reader.unbalanced) return false;
    if (!top || !word.first || top.word.indent === word.indent || this.#open.length < 2) {
      return top !== undefined && word.first && top.closer === 'end' && ((text === 'else' && word.indent <= top.word.indent) || (word.indent <= top.word.indent && this.#isCaseLabel(word)));
    }
    return top.closer === 'end' && word.indent < top.word.indent && (text === 'else' || this.#isCaseLabel(word));
  }

  #isCaseLabel(word: Word): boolean {
    const inCase = this.#open.some((open) => open.closer === 'endcase');
    return inCase && (word.text === 'default' || (this.#reader.peek(1) === ':' && (word.kind === 'number' || word.kind === 'identifier')));
  }

  /** A word that cannot stand in a procedural block. */
  #isOutside(word: Word, text: string): boolean {
    if (text === 'final' || text === 'initial' || text === 'assign') return this.#open.length > 0 ? text !== 'assign' || (word.first && word.indent < (this.#open[0]?.word.indent ?? 0) + 1) : text !== 'assign';
    if (PORT_WORDS.has(text) && /^(?:function|task)$/.test(this.#open[0]?.word.text ?? '')) return false;
    return ITEM_STARTERS.has(text);
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
    this.label();
    this.#open.push({ word, closer, head: undefined });
    this.#statements(closer);
    const end = reader.current;
    if (inBraces && reader.accept('}')) {
      this.#open.pop();
      return;
    }
    const isClosed = end !== undefined && (end.text === closer || (closer === 'join' && JOINS.includes(end.text))) && !this.#belongsFurtherOut(end);
    this.#open.pop();
    if (isClosed) {
      reader.at++;
      this.label();
      if (reader.peek() === 'if' && closer === 'end' && reader.current?.line === end.line && reader.peek(1) !== '(') {
        reader.report(reader.current, 'unexpected', "'end' stands alone; remove this 'if'.");
        reader.at++;
      }
    } else reader.report(word, 'unclosed', `'${word.text}' without '${closer}'; add it where the block ends.`);
  }

  /** An `end` that stands further left than the innermost block and just below another one. */
  #belongsFurtherOut(end: Word): boolean {
    const top = this.#open.at(-1);
    if (!this.#reader.unbalanced || !end.first || !top || end.indent >= top.word.indent) return false;
    return this.#open.slice(0, -1).some((open) => open.closer === end.text && open.word.indent === end.indent);
  }

  /** `: name`, if there is one. */
  label(): void {
    const reader = this.#reader;
    if (reader.peek() === ':' && reader.words[reader.at + 1]?.kind === 'identifier') reader.at += 2;
  }

  #bodyOf(owner: Word): void {
    this.statement(owner);
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
    this.#bodyOf(word);
    reader.emptyIf = empty;
    const top = this.#open.at(-1);
    const other = reader.current;
    if (!other) return;
    const { text } = other;
    // An 'else' further left than this 'if' belongs to one further out whose block was not closed.
    if (text === 'else' && !(other.first && word.first && other.indent < word.indent && top && other.indent <= top.word.indent)) {
      reader.at++;
      this.#bodyOf(other);
    } else if (other.text === 'elseif' || other.text === 'elsif') {
      reader.report(other, 'keyword', `'${other.text}' is no keyword; write 'else if'.`);
      this.#if({ ...other, text: 'if' });
    }
  }

  #loop(word: Word): void {
    const reader = this.#reader;
    reader.at++;
    if (word.text === 'wait' && reader.accept('fork')) {
      this.#semicolon('statement');
      return;
    }
    this.#condition(word);
    if (!reader.accept(';')) this.#bodyOf(word);
  }

  #do(): void {
    const reader = this.#reader;
    const word = reader.accept('do');
    if (word) this.#bodyOf(word);
    const head = reader.accept('while');
    if (!head) return;
    this.#condition(head);
    this.#semicolon('statement');
  }

  #case(word: Word): void {
    const reader = this.#reader;
    reader.at++;
    if (reader.peek() === '(') this.#condition(word);
    else if (word.text !== 'randcase') this.#condition(word);
    reader.accept('inside', 'matches');
    this.#open.push({ word, closer: 'endcase', head: undefined });
    for (let item = reader.current; item; item = reader.current) {
      const { text } = item;
      if (text === 'endcase' || this.#isOutside(item, text) || text === 'end' || text === 'endfunction' || text === 'endtask') break;
      if (item.kind === 'macro') reader.skipMacro();
      else if (!this.#caseItem(item)) break;
    }
    this.#open.pop();
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
    this.#bodyOf(item.text === 'default' ? item : { ...item, text: ':' });
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

  /** An assignment, a call or a declaration. */
  #simple(word: Word): void {
    const reader = this.#reader;
    const from = reader.at;
    if (word.kind === 'identifier' && reader.peek(1) === ':' && reader.words[reader.at + 2]?.kind !== 'operator') {
      reader.at += 2;
      return;
    }
    if (word.text === 'virtual' && reader.peek(1) === 'interface') reader.at++;
    if (this.#isComparison()) return;
    const isDeclaration = TYPE_WORDS.has(word.text) || (word.kind === 'identifier' && (reader.words[reader.at + 1]?.kind === 'identifier' || /^(?:::|#)$/.test(reader.peek(1))));
    const { assigned, stuck } = scanExpression(reader, { ends: [';'], isDeclaration, isStatement: !isDeclaration });
    if (reader.previous?.text === ',' && reader.findings.at(-1)?.span === reader.previous.span) return;
    this.#semicolon(nameOfStatement(word.text, assigned, reader.previous?.text ?? ''), stuck);
    if (reader.at === from) reader.at++;
  }

  /** `target == value;` */
  #isComparison(): boolean {
    const reader = this.#reader;
    const from = reader.at;
    const before = reader.findings.length;
    if (reader.current?.kind === 'identifier' && !TYPE_WORDS.has(reader.peek()) && readTarget(reader) && /^===?$/.test(reader.peek())) {
      reader.report(reader.current, 'unexpected', `'${reader.peek()}' compares; an assignment is written with '=' or '<='.`);
      const { stuck } = scanExpression(reader, { ends: [';'] });
      this.#semicolon('assignment', stuck);
      return true;
    }
    reader.at = from;
    reader.findings.length = before;
    return false;
  }

  /** A semicolon is due. `stuck`: the words before it do not end where it was expected. */
  #semicolon(name: string, stuck = false): void {
    expectSemicolon(this.#reader, name, stuck);
  }
}
