import { BRACKETS, CLOSING } from '../brackets.ts';
import { DIRECTIONS } from '../keywords.ts';
import type { Word, WordReader } from '../words.ts';
import { finishOperand } from './operators.ts';
import type { Frame, ScanState, Step } from './state.ts';

const EXTRA_COMMA = "This ',' is one too many, or a name is missing after it.";

export function openBracket(scan: ScanState, word: Word): Step {
  const { text } = word;
  const { reader, frame, last } = scan;
  if (text === '{' && scan.operand === true && !frame) return 'stuck';
  const isConnection = text === '(' && scan.operand === true && last !== undefined && reader.words[reader.at - 2]?.text === '.' && frame?.hasNames === true;
  reader.at++;
  const hasNames = text === '(' && hasNamesAhead(reader);
  scan.frames.push({ open: word, kind: text.endsWith('(') ? '(' : text === '[' ? '[' : '{', isConnection, hasNames, declares: last?.text === '#', questions: 0 });
  scan.operand = false;
  return 'on';
}

/** The list that was just opened holds `.name(…)`. */
function hasNamesAhead(reader: WordReader): boolean {
  const { words, at, brackets } = reader;
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

export function closeBracket(scan: ScanState, word: Word): 'on' | 'end' {
  const { reader } = scan;
  const kindOf = { ')': '(', ']': '[', '}': '{' } as const;
  const kind = kindOf[word.text as ')' | ']' | '}'];
  const { frame } = scan;
  if (frame?.kind === kind) {
    finishOperand(scan, word);
    if (scan.last?.text !== ',') checkPort(scan, frame);
    checkTail(scan, frame);
    scan.frames.pop();
    reader.at++;
    scan.operand = true;
    return scan.frames.length === 0 && scan.options.isGroup === true ? 'end' : 'on';
  }
  if (frame && scan.frames.some((other) => other.kind === kind)) {
    scan.leaveUnclosed(frame);
    scan.operand = true;
    return 'on';
  }
  reader.report(word, 'unexpected', `This '${word.text}' closes nothing; remove it.`);
  reader.at++;
  scan.operand = true;
  return 'on';
}

/** A comma before the end of a list that cannot end in one. */
function checkTail(scan: ScanState, frame: Frame): void {
  const { last } = scan;
  if (frame.questions > 0) scan.reader.missingAfter(':', last, ", which its '?' asks for");
  if (last?.text !== ',') return;
  if ((scan.options.isHeader === true ? frame.declares : frame.hasNames) || frame.kind === '{') scan.reader.report(last, 'unexpected', EXTRA_COMMA);
}

export function readComma(scan: ScanState): 'on' | 'end' {
  const { reader, frame } = scan;
  finishOperand(scan);
  checkPort(scan, frame);
  if (frame?.hasNames === true && scan.options.isHeader !== true && scan.last?.text === ',') reader.report(scan.last, 'unexpected', EXTRA_COMMA);
  // A single connection has no list in it, so its bracket should have been closed.
  if (frame?.isConnection === true) {
    scan.leaveUnclosed(frame);
    scan.operand = true;
    return 'on';
  }
  if (!frame && scan.options.isStatement === true && scan.assigned && scan.names === 1 && reader.words[reader.at + 1]?.first === true) {
    reader.report(reader.current, 'unexpected', "A ';' belongs here, not a ','.");
    reader.at++;
    return 'end';
  }
  reader.at++;
  scan.operand = false;
  if (!frame) scan.names = 2;
  return 'on';
}

/** Before the end of a port of a header that declares its ports. */
function checkPort(scan: ScanState, frame: Frame | undefined): void {
  const { last } = scan;
  if (scan.options.isUnit !== true || !frame?.declares || frame.kind !== '(' || !last) return;
  if (last.text === ',') scan.reader.report(last, 'unexpected', EXTRA_COMMA);
  else if (DIRECTIONS.has(last.text)) scan.reader.report(last, 'missing', 'A name is missing after this.');
}
