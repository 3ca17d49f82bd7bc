import { UNIT_ENDS } from './keywords.ts';
import { StatementReader } from './statement-reader.ts';
import { readTiming } from './timing.ts';
import type { Word, WordReader } from './words.ts';

/** A process: its event control and its statement; an `end` behind it tells that its `begin` is missing. */
export function readProcess(reader: WordReader, word: Word): void {
  reader.at++;
  const takesEvent = word.text === 'always' || word.text === 'always_ff' || word.text === 'always_latch';
  if (takesEvent && reader.peek() === '(') {
    reader.missingAfter('@', word);
    reader.at = reader.closing(reader.at) ?? reader.at + 1;
  }
  readTiming(reader);
  const head = reader.current;
  new StatementReader(reader).statement(word);
  // The 'end' of a block whose 'begin' is missing.
  const end = reader.current;
  if (head && head.text !== 'begin' && end) passSurplusEnd(reader, word);
}

/** Statements that belong to a process whose `begin` is missing follow it, and then their `end`. */
function passSurplusEnd(reader: WordReader, word: Word): void {
  for (let index = reader.at; index < reader.words.length; index = reader.nextLine(index)) {
    const next = reader.words[index];
    if (!next || (next.first && next.indent < word.indent) || UNIT_ENDS.has(next.text) || (next.first && next.indent === word.indent && next.text !== 'end')) return;
    if (next.text !== 'end' || !next.first || next.indent !== word.indent) continue;
    reader.report(word, 'missing', `Missing 'begin' for this '${word.text}'; its 'end' follows.`);
    reader.at = index + 1;
    return;
  }
}
