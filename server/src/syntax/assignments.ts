import { scanExpression } from './expression/scan.ts';
import type { ScanResult } from './expression/scan.ts';
import { CLOSING_WORDS, HARD_WORDS } from './keywords.ts';
import type { WordReader } from './words.ts';

/**
 * Reads the targets and values behind `assign`, its strength and its delay, up to the `;`. It sees to it that each target has
 * its `=`.
 */
export function readAssignments(reader: WordReader): ScanResult {
  for (;;) {
    const start = reader.at;
    if (reader.peek() === '=') reader.report(reader.current, 'missing', "A net is missing before this '='.");
    else if (!readTarget(reader)) {
      reader.at = start;
      return scanExpression(reader, { ends: [';'] });
    }
    const { current, previous } = reader;
    const operator = current?.text ?? '';
    const ended = current === undefined || operator === ';' || operator === ':' || operator === ',' || (current.first && operator !== '=') || HARD_WORDS.has(operator);
    if (ended) return { assigned: false, stuck: operator !== ';' };
    if (operator === '==' || operator === '===') reader.report(current, 'unexpected', `'${operator}' compares; an assignment is written with '='.`);
    else if (operator === '<=') reader.report(current, 'unexpected', "'assign' takes '=', not '<='.");
    else if (operator !== '=') reader.missingAfter('=', previous);
    if (/^(?:=|==|===|<=)$/.test(operator)) {
      // What is behind the operator is read with it, so that a missing value is told.
      const { stuck } = scanExpression(reader, { ends: [';', ','] });
      if (stuck || !reader.accept(',')) return { assigned: true, stuck };
    } else {
      const { stuck } = scanExpression(reader, { ends: [';'] });
      return { assigned: true, stuck };
    }
  }
}

/** Passes a net or variable, or a concatenation; false where a macro or anything else stands. */
export function readTarget(reader: WordReader): boolean {
  const word = reader.current;
  if (!word || CLOSING_WORDS.has(word.text)) return false;
  if (word.text === '{') {
    const end = reader.closing(reader.at);
    if (end === undefined) return false;
    scanExpression(reader, { ends: [], isGroup: true });
    return true;
  }
  if (word.kind !== 'identifier' && word.kind !== 'system') return false;
  if (HARD_WORDS.has(word.text)) {
    if (reader.peek(1) !== '=' && reader.peek(1) !== '[') return false;
    reader.report(word, 'unexpected', `'${word.text}' is a reserved word; choose another name.`);
  }
  reader.at++;
  for (;;) {
    const text = reader.peek();
    if ((text === '.' || text === '::') && reader.words[reader.at + 1]?.kind === 'identifier') reader.at += 2;
    else if (text === '[') {
      if (reader.closing(reader.at) === undefined) return false;
      scanExpression(reader, { ends: [], isGroup: true });
    } else return reader.words[reader.at]?.kind !== 'macro';
  }
}
