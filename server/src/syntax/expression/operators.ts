import { CLOSING_WORDS, LINE_STARTERS, STARTERS } from '../keywords.ts';
import type { Word } from '../words.ts';
import type { ScanState, Step } from './state.ts';

/** Operators that want an operand before them. */
const BINARY = new Set([
  '*', '/', '%', '**', '==', '!=', '===', '!==', '==?', '!=?', '<', '>', '<=', '>=', '&&', '||', '<<', '>>', '<<<', '>>>', '?', '=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', '<<<=', '>>>=', '<->',
]);
const UNARY = new Set(['+', '-', '!', '~', '&', '|', '^', '~&', '~|', '~^', '^~']);
const ASSIGNING = new Set(['=', '<=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', '<<<=', '>>>=']);

/** An operator, or a sign that stands for an operand of its own. */
export function readOperator(scan: ScanState, word: Word): Step {
  const { text } = word;
  const { reader } = scan;
  const streams = scan.last?.text === '{' && (text === '<<' || text === '>>');
  if (text === '.*' || text === '$' || (text === '*' && scan.last?.text === '::') || (text === '*' && (scan.last?.text === '(' || scan.last?.text === '[')) || streams) {
    reader.at++;
    scan.operand = streams ? 'either' : true;
    return 'on';
  }
  if (text === '#' || text === '##' || text === '@') return readTiming(scan);
  if (text === '++' || text === '--') {
    reader.at++;
    return 'on';
  }
  if (text === '?') countQuestion(scan);
  if (text === '=' && scan.options.isCondition === true && scan.frames.length === 1) reader.report(word, 'unexpected', "'=' assigns; to compare, write '=='.");
  if (ASSIGNING.has(text) && scan.frames.length === 0) scan.assigned = true;
  if (scan.operand === false && BINARY.has(text) && scan.last !== undefined && !(text === '<=' || text === '=' ? scan.last.text === ')' : false)) missingOperand(scan, word);
  reader.at++;
  scan.operand = false;
  return 'on';
}

/** A delay or an event control before an operand; behind a module's name `#(…)` its parameters. */
function readTiming(scan: ScanState): 'on' {
  const { reader } = scan;
  const isParameters = scan.options.isDeclaration === true && scan.names > 0 && reader.peek() === '#' && !scan.assigned;
  reader.at++;
  if ((isParameters && reader.peek() === '(') || scan.options.isHeader === true) scan.operand = 'either';
  else if (isParameters) {
    if (!CLOSING_WORDS.has(reader.peek())) reader.at++;
    while (reader.peek() === '::' || reader.peek() === '.') reader.at += 2;
    scan.operand = 'either';
  } else if (reader.peek() === '(' || reader.peek() === '[') {
    reader.at = reader.closing(reader.at) ?? reader.at;
    scan.operand = false;
  } else if (!CLOSING_WORDS.has(reader.peek())) {
    reader.at++;
    while (reader.peek() === '.') reader.at += 2;
    scan.operand = false;
  }
  return 'on';
}

function countQuestion(scan: ScanState): void {
  if (scan.frame) scan.frame.questions++;
  else scan.questions++;
}

function missingOperand(scan: ScanState, word: Word): void {
  const { reader, last } = scan;
  const doubled = last?.text === word.text && last.span.end === word.span.start;
  if (last && (BINARY.has(last.text) || UNARY.has(last.text))) {
    if (last.text === '=' && word.text === '<') reader.report(last, 'unexpected', "'=<' is no operator; write '<='.");
    else if (!doubled) reader.report(last, 'missing', `Missing an operand after '${last.text}'.`);
  } else reader.report(word, 'missing', `Missing an operand before '${word.text}'.`);
}

/** An operator before the end of its expression lacks an operand. */
export function finishOperand(scan: ScanState, end?: Word): void {
  const { reader, last } = scan;
  if (scan.operand !== false || !last || last.kind !== 'operator') return;
  if (!BINARY.has(last.text) && !UNARY.has(last.text) && last.text !== ':') return;
  if (last.text === ':' || (last.text === '*' && end?.text === ')') || (end?.text === ')' && scan.frame?.kind === '(' && reader.words[reader.at - 2]?.text === '(')) return;
  reader.report(last, 'missing', `Missing an operand after '${last.text}'.`);
  scan.operand = true;
}

/** `:` and `::`. */
export function readColon(scan: ScanState, word: Word): Step {
  const { reader, frame } = scan;
  if (word.text === ':' && !frame && scan.questions === 0 && scan.operand === true && scan.options.isDeclaration !== true) {
    const ends = reader.peek(1);
    if (scan.options.ends.includes(';') && (reader.words[reader.at + 1]?.first === true || ends === '')) {
      reader.report(word, 'unexpected', "A ';' belongs here, not a ':'.");
      reader.at++;
      return 'end';
    }
  }
  if (word.text === '::') scan.names = Math.max(0, scan.names - 1);
  if (word.text === ':') {
    finishOperand(scan, word);
    if (frame) frame.questions = Math.max(0, frame.questions - 1);
    else scan.questions = Math.max(0, scan.questions - 1);
  }
  reader.at++;
  scan.operand = false;
  return 'on';
}

/** `.` between names, or before the name of a connection. */
export function readDot(scan: ScanState, word: Word): Step {
  const { reader, frame } = scan;
  const next = reader.words[reader.at + 1];
  if (frame && next?.first === true && (STARTERS.has(next.text) || LINE_STARTERS.has(next.text))) {
    reader.report(word, 'missing', "A name is missing after this '.'.");
    reader.at++;
    scan.frames.length = 0;
    return 'stuck';
  }
  if (scan.operand === true && frame?.hasNames === true && reader.previous?.text === ')') {
    reader.missingAfter(',', reader.previous);
    scan.operand = false;
  }
  // A connection inside of another one: the bracket before it should have been closed.
  if (scan.operand !== true && frame?.isConnection === true && word.first) {
    scan.leaveUnclosed(frame);
    scan.operand = false;
    return 'on';
  }
  if (scan.operand !== true && frame) frame.hasNames = true;
  reader.at++;
  if (reader.current?.kind === 'identifier' && !CLOSING_WORDS.has(reader.peek())) reader.at++;
  scan.operand = true;
  return 'on';
}
