import { AGGREGATES, DIRECTIONS, HARD_WORDS, TYPE_WORDS } from '../keywords.ts';
import { isInBase } from '../lexer.ts';
import type { Word, WordReader } from '../words.ts';
import type { ScanState, Step } from './state.ts';

/** Words whose declarations want a value, so that a name alone is a type. */
const VALUES = new Set(['localparam', 'parameter']);
/** Words before an operand that are no part of it. */
const PREFIXES = new Set(['deassign', 'force', 'release', 'disable', 'assign']);
const BASE_NAMES: Readonly<Record<string, string>> = { b: 'binary', o: 'octal', d: 'decimal', h: 'hexadecimal' };

/** A name, a word of a type, a number or a string. */
export function readOperand(scan: ScanState, word: Word): Step {
  const { reader, frame, last } = scan;
  if (frame?.hasNames === true && (last?.text === ',' || last?.text === '(') && word.kind === 'identifier' && reader.peek(1) === '(') {
    reader.report(word, 'missing', "Missing '.' before this; the other connections are by name.");
    const end = reader.closing(reader.at + 1);
    if (end !== undefined) reader.at = end;
    else reader.at++;
    scan.operand = true;
    return 'on';
  }
  if (word.kind === 'number') checkDigits(reader, word);
  if (scan.operand !== true || last === undefined) return takeOperand(scan);
  const adjoins = last.span.end === word.span.start && last.kind === 'number';
  if (adjoins) {
    const based = /^[bdohBDOH][\da-fA-FxzXZ?_]+$/.test(word.text);
    const isName = scan.options.isDeclaration === true && !scan.assigned;
    const message = based && !isName ? `Missing ''' between '${last.text}' and '${word.text}'.` : isName ? 'A name cannot begin with a digit.' : `'${word.text}' is not expected here.`;
    reader.report(last, 'unexpected', message);
    return takeOperand(scan);
  }
  if (scan.options.isHeader === true && (frame === undefined || frame.kind === '(')) {
    const startsPort = DIRECTIONS.has(word.text) || word.text === 'parameter' || word.text === 'localparam';
    if (startsPort && frame !== undefined && last.kind !== 'macro') reader.missingAfter(',', last);
    return takeOperand(scan);
  }
  if (!frame) return besides(scan, word, last);
  // The variable of a loop, of a type with a name of its own.
  if (scan.options.isFor === true && scan.frames.length === 1 && (last.kind === 'identifier' || last.text === ']') && reader.peek(1) === '=') return takeOperand(scan);
  if (frame.kind === '[' && !closesWith(reader, ']')) {
    scan.leaveUnclosed(frame);
    return 'on';
  }
  if (TYPE_WORDS.has(last.text) || TYPE_WORDS.has(word.text)) return takeOperand(scan);
  if (frame.kind === '{' && !closesWith(reader, '}')) {
    scan.closeAll();
    return 'stuck';
  }
  if (frame.kind === '(' && word.first && !closesWith(reader, ')')) {
    scan.closeAll();
    return 'stuck';
  }
  reader.report(word, 'unexpected', `'${shown(word)}' is not expected here; an operator or a ',' is missing before it.`);
  return takeOperand(scan);
}

/** Outside of brackets: a type before a name, or the next statement. */
function besides(scan: ScanState, word: Word, last: Word): Step {
  const typed = TYPE_WORDS.has(last.text) || last.text === ']' || last.text === ')' || scan.names < 3;
  if (scan.options.isDeclaration === true && !scan.assigned && typed && (!word.first || scan.names < 2 || TYPE_WORDS.has(last.text))) return takeOperand(scan);
  return 'stuck';
}

function takeOperand(scan: ScanState): 'on' {
  const word = scan.reader.current;
  scan.reader.at++;
  if (scan.frames.length === 0 && !scan.assigned && word && (scan.names > 0 || !VALUES.has(word.text))) scan.names++;
  if (word && AGGREGATES.has(word.text)) scan.aggregate = word.text;
  const { frame } = scan;
  if (frame && word && (TYPE_WORDS.has(word.text) || scan.last?.kind === 'identifier' || scan.last?.text === ']')) frame.declares = true;
  scan.operand = word !== undefined && (TYPE_WORDS.has(word.text) || HARD_WORDS.has(word.text) || PREFIXES.has(word.text)) ? 'either' : true;
  return 'on';
}

function checkDigits(reader: WordReader, word: Word): void {
  const [, letter = '', digits = ''] = /'[sS]?([bBoOdDhH])\s*(\S*)$/.exec(word.text) ?? [];
  const base = letter.toLowerCase();
  if (base === '' || (digits !== '' && isInBase(digits, base))) return;
  // The digits may come from a macro.
  if (digits === '' && reader.words[reader.at + 1]?.kind === 'macro') return;
  if (digits === '') reader.report(word, 'missing', `Digits are missing after this ${BASE_NAMES[base] ?? ''} base.`);
  else reader.report(word, 'unexpected', `'${word.text}' is no ${BASE_NAMES[base] ?? ''} number.`);
}

/** The bracket is closed before the statement ends. */
function closesWith(reader: WordReader, closer: string): boolean {
  const { words, at, brackets } = reader;
  const end = brackets.around(at);
  return end !== undefined && end < brackets.stop(at) && words[end]?.text === closer;
}

function shown(word: Word): string {
  return word.kind === 'string' ? '"…"' : word.text;
}
