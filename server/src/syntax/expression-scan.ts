import { BRACKETS, CLOSING } from './brackets.ts';
import { CLOSING_WORDS, HARD_WORDS, LINE_STARTERS, OPERATOR_WORDS, STARTERS, TYPE_WORDS } from './keywords.ts';
import { readMembers } from './members.ts';
import { isInBase } from './lexer.ts';
import type { Word, WordReader } from './words.ts';

/** Operators that want an operand before them. */
const BINARY = new Set([
  '*', '/', '%', '**', '==', '!=', '===', '!==', '==?', '!=?', '<', '>', '<=', '>=', '&&', '||', '<<', '>>', '<<<', '>>>', '?', '=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', '<<<=', '>>>=', '<->',
]);
const UNARY = new Set(['+', '-', '!', '~', '&', '|', '^', '~&', '~|', '~^', '^~']);
const ASSIGNING = new Set(['=', '<=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', '<<<=', '>>>=']);
/** Words that list of ports or parameters may hold. */
const HEADER_WORDS = new Set(['parameter', 'localparam', 'interface', 'type', 'input', 'output', 'inout', 'import', 'function', 'task']);
const DIRECTIONS = new Set(['input', 'output', 'inout', 'ref']);
/** Types whose members stand in braces. */
const AGGREGATES = new Set(['enum', 'struct', 'union']);
/** Words whose declarations want a value, so that a name alone is a type. */
const VALUES = new Set(['localparam', 'parameter']);
/** Words before an operand that are no part of it. */
const PREFIXES = new Set(['deassign', 'force', 'release', 'disable', 'assign']);
/** Words that a declaration goes on behind, on whatever line. */
const QUALIFIERS = new Set(['const', 'var', 'static', 'automatic', 'local', 'protected', 'rand', 'randc', 'virtual', 'extern', 'pure', 'input', 'output', 'inout']);
const BASE_NAMES: Readonly<Record<string, string>> = { b: 'binary', o: 'octal', d: 'decimal', h: 'hexadecimal' };

interface Frame {
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

export interface ScanResult {
  readonly assigned: boolean;
  /** Something stands where an operator or the end was due. */
  readonly stuck: boolean;
}

/**
 * Reads an expression, a list or a declaration up to one of the words that end it, which is left unread. It sees to it
 * that brackets are closed and that operands and operators alternate; each mistake is reported once and passed.
 */
export function scanExpression(reader: WordReader, options: ScanOptions): ScanResult {
  return new ExpressionScan(reader, options).run();
}

class ExpressionScan {
  readonly #reader: WordReader;
  readonly #options: ScanOptions;
  readonly #frames: Frame[] = [];
  /** An operand is complete; `either`: behind a macro anything may follow. */
  #operand: boolean | 'either' = false;
  #assigned = false;
  #questions = 0;
  /** Names at no depth before any assignment or comma. */
  #names = 0;
  #last: Word | undefined;
  /** The kind of type with members in braces that is being declared. */
  #aggregate: string | undefined;

  constructor(reader: WordReader, options: ScanOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  run(): ScanResult {
    const reader = this.#reader;
    for (let word = reader.current; word; word = reader.current) {
      const step = this.#step(word);
      if (step !== 'on') return { assigned: this.#assigned, stuck: step === 'stuck' };
      this.#last = reader.previous;
    }
    this.#closeAll();
    return { assigned: this.#assigned, stuck: false };
  }

  get #frame(): Frame | undefined {
    return this.#frames.at(-1);
  }

  #step(word: Word): 'on' | 'end' | 'stuck' {
    const { text } = word;
    const reader = this.#reader;
    if (word.kind === 'macro') {
      reader.skipMacro();
      this.#operand = 'either';
      return 'on';
    }
    if (this.#frames.length === 0 && this.#options.ends.includes(text) && !(text === ':' && this.#questions > 0)) {
      this.#finishOperand(word);
      if (this.#questions > 0) reader.missingAfter(':', reader.previous, ", which its '?' asks for");
      return 'end';
    }
    if (text === ';') return this.#semicolon();
    if (word.kind === 'operator') return this.#operator(word);
    if (this.#isHard(word)) return this.#hard(word);
    if (text === 'default' && this.#frames.length === 0 && word.first) return this.#hard(word);
    if (OPERATOR_WORDS.has(text)) {
      reader.at++;
      if (text === 'with') this.#skipConstraints();
      this.#operand = text === 'with' ? 'either' : false;
      return 'on';
    }
    return this.#name(word);
  }

  /** `{…}` or `(names) {…}` behind `with`. */
  #skipConstraints(): void {
    const reader = this.#reader;
    const end = reader.peek() === '(' ? reader.closing(reader.at) : undefined;
    if (end !== undefined && reader.words[end]?.text === '{') reader.at = end;
    if (reader.peek() === '{') reader.skipBraces();
  }

  #isHard(word: Word): boolean {
    if (this.#last === undefined) return CLOSING_WORDS.has(word.text);
    if (this.#options.isHeader === true && (this.#frames.length > 0 || !word.first) && (HEADER_WORDS.has(word.text) || LINE_STARTERS.has(word.text))) return false;
    if (this.#options.isFor === true && word.text === 'genvar') return false;
    if (LINE_STARTERS.has(word.text) && QUALIFIERS.has(this.#last.text)) return false;
    if (word.text === 'interface' && this.#last.text === 'virtual') return false;
    if (word.text === 'repeat' && (this.#last.text === '=' || this.#last.text === '<=')) return false;
    return HARD_WORDS.has(word.text) || (word.first && LINE_STARTERS.has(word.text));
  }

  #hard(word: Word): 'on' | 'end' | 'stuck' {
    const last = this.#last;
    const afterType = last !== undefined && last.line === word.line && this.#options.isDeclaration === true && (TYPE_WORDS.has(last.text) || last.text === ']');
    if (afterType && /^[,;=)]$/.test(this.#reader.peek(1))) {
      this.#reader.report(word, 'unexpected', `'${word.text}' is a reserved word; choose another name.`);
      this.#reader.at++;
      this.#operand = true;
      return 'on';
    }
    const open = this.#frames.length > 0;
    this.#closeAll();
    if (!open) this.#finishOperand(word);
    return open ? 'end' : 'stuck';
  }

  /** Reports the innermost bracket that is still open; what is round it mostly misses nothing of its own. */
  #closeAll(): void {
    const frame = this.#frame;
    if (frame) this.#missingClose(frame);
    this.#frames.length = 0;
    this.#operand = true;
  }

  #missingClose({ open }: Frame): void {
    const closer = BRACKETS.get(open.text) ?? ')';
    this.#reader.missingAfter(closer, this.#reader.previous, `; it closes the '${open.text}' before it`);
  }

  #semicolon(): 'on' | 'end' {
    const frame = this.#frame;
    if (!frame) return 'end';
    this.#finishOperand();
    if (this.#options.isFor === true && this.#frames.length === 1) {
      this.#reader.at++;
      this.#operand = false;
      return 'on';
    }
    if (this.#options.isHeader === true && frame.kind === '(' && this.#frames.length === 1 && this.#closesLater()) {
      this.#reader.report(this.#reader.current, 'unexpected', "A port ends in ',' here, not in ';'.");
      this.#reader.at++;
      this.#operand = false;
      return 'on';
    }
    this.#closeAll();
    return 'end';
  }

  /** A `)` that belongs to this list comes before anything that begins an item. */
  #closesLater(): boolean {
    let depth = 0;
    for (let index = this.#reader.at + 1; index < this.#reader.words.length; index++) {
      const word = this.#reader.words[index];
      if (!word || (HARD_WORDS.has(word.text) && !DIRECTIONS.has(word.text))) return false;
      if (BRACKETS.has(word.text)) depth++;
      else if (CLOSING.has(word.text) && depth-- === 0) return true;
    }
    return false;
  }

  #operator(word: Word): 'on' | 'end' | 'stuck' {
    const { text } = word;
    const reader = this.#reader;
    if (text === '{' && this.#aggregate !== undefined) return this.#members(this.#aggregate);
    if (BRACKETS.has(text)) return this.#open(word);
    if (CLOSING.has(text)) return this.#close(word);
    if (text === ',') return this.#comma();
    if (text === ':' || text === '::') return this.#colon(word);
    if (text === '.') return this.#dot(word);
    const streams = this.#last?.text === '{' && (text === '<<' || text === '>>');
    if (text === '.*' || text === '$' || (text === '*' && this.#last?.text === '::') || (text === '*' && (this.#last?.text === '(' || this.#last?.text === '[')) || streams) {
      reader.at++;
      this.#operand = streams ? 'either' : true;
      return 'on';
    }
    if (text === '#' || text === '##' || text === '@') return this.#timing();
    if (text === '++' || text === '--') {
      reader.at++;
      return 'on';
    }
    if (text === '?') this.#question();
    if (text === '=' && this.#options.isCondition === true && this.#frames.length === 1) this.#reader.report(word, 'unexpected', "'=' assigns; to compare, write '=='.");
    if (ASSIGNING.has(text) && this.#frames.length === 0) this.#assigned = true;
    if (this.#operand === false && BINARY.has(text) && this.#last !== undefined && !(text === '<=' || text === '=' ? this.#last.text === ')' : false)) this.#missingBefore(word);
    reader.at++;
    this.#operand = false;
    return 'on';
  }

  #members(aggregate: string): 'on' {
    this.#aggregate = undefined;
    readMembers(this.#reader, aggregate, scanExpression);
    this.#operand = 'either';
    return 'on';
  }

  /** A delay or an event control before an operand; behind a module's name `#(…)` its parameters. */
  #timing(): 'on' {
    const reader = this.#reader;
    const isParameters = this.#options.isDeclaration === true && this.#names > 0 && reader.peek() === '#' && !this.#assigned;
    reader.at++;
    if ((isParameters && reader.peek() === '(') || this.#options.isHeader === true) this.#operand = 'either';
    else if (isParameters) {
      if (!CLOSING_WORDS.has(reader.peek())) reader.at++;
      while (reader.peek() === '::' || reader.peek() === '.') reader.at += 2;
      this.#operand = 'either';
    }
    else if (reader.peek() === '(' || reader.peek() === '[') {
      reader.at = reader.closing(reader.at) ?? reader.at;
      this.#operand = false;
    } else if (!CLOSING_WORDS.has(reader.peek())) {
      reader.at++;
      while (reader.peek() === '.') reader.at += 2;
      this.#operand = false;
    }
    return 'on';
  }

  #question(): void {
    if (this.#frame) this.#frame.questions++;
    else this.#questions++;
  }

  #missingBefore(word: Word): void {
    const last = this.#last;
    const doubled = last?.text === word.text && last.span.end === word.span.start;
    if (last && (BINARY.has(last.text) || UNARY.has(last.text))) {
      if (last.text === '=' && word.text === '<') this.#reader.report(last, 'unexpected', "'=<' is no operator; write '<='.");
      else if (!doubled) this.#reader.report(last, 'missing', `Missing an operand after '${last.text}'.`);
    } else this.#reader.report(word, 'missing', `Missing an operand before '${word.text}'.`);
  }

  #open(word: Word): 'on' | 'end' | 'stuck' {
    const { text } = word;
    const frame = this.#frame;
    const last = this.#last;
    if (text === '{' && this.#operand === true && !frame) return 'stuck';
    const isConnection = text === '(' && this.#operand === true && last !== undefined && this.#reader.words[this.#reader.at - 2]?.text === '.' && frame?.hasNames === true;
    this.#reader.at++;
    const hasNames = text === '(' && this.#hasNamesAhead();
    this.#frames.push({ open: word, kind: text.endsWith('(') ? '(' : text === '[' ? '[' : '{', isConnection, hasNames, declares: last?.text === '#', questions: 0 });
    this.#operand = false;
    return 'on';
  }

  /** The list that was just opened holds `.name(…)`. */
  #hasNamesAhead(): boolean {
    const { words, at, brackets } = this.#reader;
    for (let index = at; index < words.length; index++) {
      const text = words[index]?.text ?? '';
      if (text === ';' || CLOSING.has(text)) return false;
      if (text === '.' && (index === at || words[index - 1]?.text === ',') && words[index + 2]?.text === '(') return true;
      if (!BRACKETS.has(text)) continue;
      const closer = brackets.around(index + 1);
      if (closer === undefined || brackets.semicolon(index) < closer) return false;
      index = closer;
    }
    return false;
  }

  #close(word: Word): 'on' | 'end' {
    const reader = this.#reader;
    const kindOf = { ')': '(', ']': '[', '}': '{' } as const;
    const kind = kindOf[word.text as ')' | ']' | '}'];
    const frame = this.#frame;
    if (frame?.kind === kind) {
      this.#finishOperand(word);
      if (this.#last?.text !== ',') this.#checkPort(frame);
      this.#checkTail(frame);
      this.#frames.pop();
      reader.at++;
      this.#operand = true;
      return this.#frames.length === 0 && this.#options.isGroup === true ? 'end' : 'on';
    }
    if (frame && this.#frames.some((other) => other.kind === kind)) {
      this.#missingClose(frame);
      this.#frames.pop();
      this.#operand = true;
      return 'on';
    }
    reader.report(word, 'unexpected', `This '${word.text}' closes nothing; remove it.`);
    reader.at++;
    this.#operand = true;
    return 'on';
  }

  /** A comma before the end of a list that cannot end in one. */
  #checkTail(frame: Frame): void {
    const last = this.#last;
    if (frame.questions > 0) this.#reader.missingAfter(':', last, ", which its '?' asks for");
    if (last?.text !== ',') return;
    if ((this.#options.isHeader === true ? frame.declares : frame.hasNames) || frame.kind === '{') this.#reader.report(last, 'unexpected', "This ',' is one too many, or a name is missing after it.");
  }

  #comma(): 'on' | 'end' {
    const frame = this.#frame;
    this.#finishOperand();
    this.#checkPort(frame);
    if (frame?.hasNames === true && this.#options.isHeader !== true && this.#last?.text === ',') this.#reader.report(this.#last, 'unexpected', "This ',' is one too many, or a name is missing after it.");
    // A single connection has no list in it, so its bracket should have been closed.
    if (frame?.isConnection === true) {
      this.#missingClose(frame);
      this.#frames.pop();
      this.#operand = true;
      return 'on';
    }
    if (!frame && this.#options.isStatement === true && this.#assigned && this.#names === 1 && this.#reader.words[this.#reader.at + 1]?.first === true) {
      this.#reader.report(this.#reader.current, 'unexpected', "A ';' belongs here, not a ','.");
      this.#reader.at++;
      return 'end';
    }
    this.#reader.at++;
    this.#operand = false;
    if (!frame) this.#names = 2;
    return 'on';
  }

  /** Before the end of a port of a header that declares its ports. */
  #checkPort(frame: Frame | undefined): void {
    const last = this.#last;
    if (this.#options.isUnit !== true || !frame?.declares || frame.kind !== '(' || !last) return;
    if (last.text === ',') this.#reader.report(last, 'unexpected', "This ',' is one too many, or a name is missing after it.");
    else if (DIRECTIONS.has(last.text)) this.#reader.report(last, 'missing', 'A name is missing after this.');
  }

  #colon(word: Word): 'on' | 'end' | 'stuck' {
    const frame = this.#frame;
    if (word.text === ':' && !frame && this.#questions === 0 && this.#operand === true && this.#options.isDeclaration !== true) {
      const ends = this.#reader.peek(1);
      if (this.#options.ends.includes(';') && (this.#reader.words[this.#reader.at + 1]?.first === true || ends === '')) {
        this.#reader.report(word, 'unexpected', "A ';' belongs here, not a ':'.");
        this.#reader.at++;
        return 'end';
      }
    }
    if (word.text === '::') this.#names = Math.max(0, this.#names - 1);
    if (word.text === ':') {
      this.#finishOperand(word);
      if (frame) frame.questions = Math.max(0, frame.questions - 1);
      else this.#questions = Math.max(0, this.#questions - 1);
    }
    this.#reader.at++;
    this.#operand = false;
    return 'on';
  }

  #dot(word: Word): 'on' | 'end' | 'stuck' {
    const reader = this.#reader;
    const frame = this.#frame;
    const next = reader.words[reader.at + 1];
    if (frame && next?.first === true && (STARTERS.has(next.text) || LINE_STARTERS.has(next.text))) {
      reader.report(word, 'missing', "A name is missing after this '.'.");
      reader.at++;
      this.#frames.length = 0;
      return 'stuck';
    }
    if (this.#operand === true && frame?.hasNames === true && reader.previous?.text === ')') {
      reader.missingAfter(',', reader.previous);
      this.#operand = false;
    }
    // A connection inside of another one: the bracket before it should have been closed.
    if (this.#operand !== true && frame?.isConnection === true && word.first) {
      this.#missingClose(frame);
      this.#frames.pop();
      this.#operand = false;
      return 'on';
    }
    if (this.#operand !== true && frame) frame.hasNames = true;
    reader.at++;
    if (reader.current?.kind === 'identifier' && !CLOSING_WORDS.has(reader.peek())) reader.at++;
    this.#operand = true;
    return 'on';
  }

  /** An operator before the end of its expression lacks an operand. */
  #finishOperand(end?: Word): void {
    const last = this.#last;
    if (this.#operand !== false || !last || last.kind !== 'operator') return;
    if (!BINARY.has(last.text) && !UNARY.has(last.text) && last.text !== ':') return;
    if (last.text === ':' || (last.text === '*' && end?.text === ')') || (end?.text === ')' && this.#frame?.kind === '(' && this.#reader.words[this.#reader.at - 2]?.text === '(')) return;
    this.#reader.report(last, 'missing', `Missing an operand after '${last.text}'.`);
    this.#operand = true;
  }

  #name(word: Word): 'on' | 'end' | 'stuck' {
    const reader = this.#reader;
    const frame = this.#frame;
    const last = this.#last;
    if (frame?.hasNames === true && (last?.text === ',' || last?.text === '(') && word.kind === 'identifier' && reader.peek(1) === '(') {
      reader.report(word, 'missing', "Missing '.' before this; the other connections are by name.");
      const end = reader.closing(reader.at + 1);
      if (end !== undefined) reader.at = end;
      else reader.at++;
      this.#operand = true;
      return 'on';
    }
    if (word.kind === 'number') this.#checkDigits(word);
    if (this.#operand !== true || last === undefined) return this.#takeName();
    const adjoins = last.span.end === word.span.start && last.kind === 'number';
    if (adjoins) {
      const based = /^[bdohBDOH][\da-fA-FxzXZ?_]+$/.test(word.text);
      const isName = this.#options.isDeclaration === true && !this.#assigned;
      const message = based && !isName ? `Missing ''' between '${last.text}' and '${word.text}'.` : isName ? 'A name cannot begin with a digit.' : `'${word.text}' is not expected here.`;
      reader.report(last, 'unexpected', message);
      return this.#takeName();
    }
    if (this.#options.isHeader === true && (frame === undefined || frame.kind === '(')) {
      const startsPort = DIRECTIONS.has(word.text) || word.text === 'parameter' || word.text === 'localparam';
      if (startsPort && (this.#frames.length > 0) && last.kind !== 'macro') {
        reader.missingAfter(',', last);
        return this.#takeName();
      }
      return this.#takeName();
    }
    if (!frame) return this.#besides(word, last);
    // The variable of a loop, of a type with a name of its own.
    if (this.#options.isFor === true && this.#frames.length === 1 && (last.kind === 'identifier' || last.text === ']') && this.#reader.peek(1) === '=') return this.#takeName();
    if (frame.kind === '[' && !this.#closesWith(']')) {
      this.#missingClose(frame);
      this.#frames.pop();
      return 'on';
    }
    if (TYPE_WORDS.has(last.text) || TYPE_WORDS.has(word.text)) return this.#takeName();
    if (frame.kind === '{' && !this.#closesWith('}')) {
      this.#closeAll();
      return 'stuck';
    }
    if (frame.kind === '(' && word.first && !this.#closesWith(')')) {
      this.#closeAll();
      return 'stuck';
    }
    reader.report(word, 'unexpected', `'${shown(word)}' is not expected here; an operator or a ',' is missing before it.`);
    return this.#takeName();
  }

  /** Outside of brackets: a type before a name, or the next statement. */
  #besides(word: Word, last: Word): 'on' | 'end' | 'stuck' {
    const typed = TYPE_WORDS.has(last.text) || last.text === ']' || last.text === ')' || this.#names < 3;
    if (this.#options.isDeclaration === true && !this.#assigned && typed && (!word.first || this.#names < 2 || TYPE_WORDS.has(last.text))) return this.#takeName();
    return 'stuck';
  }

  #takeName(): 'on' {
    const word = this.#reader.current;
    this.#reader.at++;
    if (this.#frames.length === 0 && !this.#assigned && word && (this.#names > 0 || !VALUES.has(word.text))) this.#names++;
    if (word && AGGREGATES.has(word.text)) this.#aggregate = word.text;
    const frame = this.#frame;
    if (frame && word && (TYPE_WORDS.has(word.text) || this.#last?.kind === 'identifier' || this.#last?.text === ']')) frame.declares = true;
    this.#operand = word !== undefined && (TYPE_WORDS.has(word.text) || HARD_WORDS.has(word.text) || PREFIXES.has(word.text)) ? 'either' : true;
    return 'on';
  }

  #checkDigits(word: Word): void {
    const [, letter = '', digits = ''] = /'[sS]?([bBoOdDhH])\s*(\S*)$/.exec(word.text) ?? [];
    const base = letter.toLowerCase();
    if (base === '' || (digits !== '' && isInBase(digits, base))) return;
    // The digits may come from a macro.
    if (digits === '' && this.#reader.words[this.#reader.at + 1]?.kind === 'macro') return;
    if (digits === '') this.#reader.report(word, 'missing', `Digits are missing after this ${BASE_NAMES[base] ?? ''} base.`);
    else this.#reader.report(word, 'unexpected', `'${word.text}' is no ${BASE_NAMES[base] ?? ''} number.`);
  }

  /** The bracket is closed before the statement ends. */
  #closesWith(closer: string): boolean {
    const { words, at, brackets } = this.#reader;
    const end = brackets.around(at);
    return end !== undefined && end < brackets.stop(at) && words[end]?.text === closer;
  }
}

function shown(word: Word): string {
  return word.kind === 'string' ? '"…"' : word.text;
}
