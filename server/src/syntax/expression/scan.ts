import { BRACKETS, CLOSING } from '../brackets.ts';
import { CLOSING_WORDS, DIRECTIONS, HARD_WORDS, LINE_STARTERS, OPERATOR_WORDS, TYPE_WORDS } from '../keywords.ts';
import { readMembers } from '../members.ts';
import type { Word, WordReader } from '../words.ts';
import { closeBracket, openBracket, readComma } from './brackets.ts';
import { readOperand } from './operands.ts';
import { finishOperand, readColon, readDot, readOperator } from './operators.ts';
import { ScanState } from './state.ts';
import type { ScanOptions, Step } from './state.ts';

/** Words that a list of ports or parameters may hold. */
const HEADER_WORDS = new Set(['parameter', 'localparam', 'interface', 'type', 'input', 'output', 'inout', 'import', 'function', 'task']);
/** Words that a declaration goes on behind, on whatever line. */
const QUALIFIERS = new Set(['const', 'var', 'static', 'automatic', 'local', 'protected', 'rand', 'randc', 'virtual', 'extern', 'pure', 'input', 'output', 'inout']);

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
  const scan = new ScanState(reader, options);
  for (let word = reader.current; word; word = reader.current) {
    const taken = step(scan, word);
    if (taken !== 'on') return { assigned: scan.assigned, stuck: taken === 'stuck' };
    scan.last = reader.previous;
  }
  scan.closeAll();
  return { assigned: scan.assigned, stuck: false };
}

function step(scan: ScanState, word: Word): Step {
  const { text } = word;
  const { reader } = scan;
  if (word.kind === 'macro') {
    reader.skipMacro();
    scan.operand = 'either';
    return 'on';
  }
  if (scan.frames.length === 0 && scan.options.ends.includes(text) && !(text === ':' && scan.questions > 0)) {
    finishOperand(scan, word);
    if (scan.questions > 0) reader.missingAfter(':', reader.previous, ", which its '?' asks for");
    return 'end';
  }
  if (text === ';') return readSemicolon(scan);
  if (word.kind === 'operator') return readSign(scan, word);
  if (isHard(scan, word)) return readHard(scan, word);
  if (text === 'default' && scan.frames.length === 0 && word.first) return readHard(scan, word);
  if (OPERATOR_WORDS.has(text)) {
    reader.at++;
    if (text === 'with') skipConstraints(reader);
    scan.operand = text === 'with' ? 'either' : false;
    return 'on';
  }
  return readOperand(scan, word);
}

/** `{…}` or `(names) {…}` behind `with`. */
function skipConstraints(reader: WordReader): void {
  const end = reader.peek() === '(' ? reader.closing(reader.at) : undefined;
  if (end !== undefined && reader.words[end]?.text === '{') reader.at = end;
  if (reader.peek() === '{') reader.skipBraces();
}

/** A bracket, a separator or an operator. */
function readSign(scan: ScanState, word: Word): Step {
  const { text } = word;
  if (text === '{' && scan.aggregate !== undefined) return members(scan, scan.aggregate);
  if (BRACKETS.has(text)) return openBracket(scan, word);
  if (CLOSING.has(text)) return closeBracket(scan, word);
  if (text === ',') return readComma(scan);
  if (text === ':' || text === '::') return readColon(scan, word);
  if (text === '.') return readDot(scan, word);
  return readOperator(scan, word);
}

function members(scan: ScanState, aggregate: string): 'on' {
  scan.aggregate = undefined;
  readMembers(scan.reader, aggregate, scanExpression);
  scan.operand = 'either';
  return 'on';
}

function isHard(scan: ScanState, word: Word): boolean {
  if (scan.last === undefined) return CLOSING_WORDS.has(word.text);
  if (scan.options.isHeader === true && (scan.frames.length > 0 || !word.first) && (HEADER_WORDS.has(word.text) || LINE_STARTERS.has(word.text))) return false;
  if (scan.options.isFor === true && word.text === 'genvar') return false;
  if (LINE_STARTERS.has(word.text) && QUALIFIERS.has(scan.last.text)) return false;
  if (word.text === 'interface' && scan.last.text === 'virtual') return false;
  if (word.text === 'repeat' && (scan.last.text === '=' || scan.last.text === '<=')) return false;
  return HARD_WORDS.has(word.text) || (word.first && LINE_STARTERS.has(word.text));
}

function readHard(scan: ScanState, word: Word): Step {
  const { reader, last } = scan;
  const afterType = last !== undefined && last.line === word.line && scan.options.isDeclaration === true && (TYPE_WORDS.has(last.text) || last.text === ']');
  if (afterType && /^[,;=)]$/.test(reader.peek(1))) {
    reader.report(word, 'unexpected', `'${word.text}' is a reserved word; choose another name.`);
    reader.at++;
    scan.operand = true;
    return 'on';
  }
  const open = scan.frames.length > 0;
  scan.closeAll();
  if (!open) finishOperand(scan, word);
  return open ? 'end' : 'stuck';
}

function readSemicolon(scan: ScanState): 'on' | 'end' {
  const { reader, frame } = scan;
  if (!frame) return 'end';
  finishOperand(scan);
  if (scan.options.isFor === true && scan.frames.length === 1) {
    reader.at++;
    scan.operand = false;
    return 'on';
  }
  if (scan.options.isHeader === true && frame.kind === '(' && scan.frames.length === 1 && closesLater(reader)) {
    reader.report(reader.current, 'unexpected', "A port ends in ',' here, not in ';'.");
    reader.at++;
    scan.operand = false;
    return 'on';
  }
  scan.closeAll();
  return 'end';
}

/** A `)` that belongs to this list comes before anything that begins an item. */
function closesLater(reader: WordReader): boolean {
  let depth = 0;
  for (let index = reader.at + 1; index < reader.words.length; index++) {
    const word = reader.words[index];
    if (!word || (HARD_WORDS.has(word.text) && !DIRECTIONS.has(word.text))) return false;
    if (BRACKETS.has(word.text)) depth++;
    else if (CLOSING.has(word.text) && depth-- === 0) return true;
  }
  return false;
}
