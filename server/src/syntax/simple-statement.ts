import { readTarget } from './assignments.ts';
import { scanExpression } from './expression/scan.ts';
import { nameOfStatement, TYPE_WORDS } from './keywords.ts';
import { expectSemicolon } from './words.ts';
import type { Word, WordReader } from './words.ts';

/** An assignment, a call or a declaration. */
export function readSimpleStatement(reader: WordReader, word: Word): void {
  const from = reader.at;
  if (word.kind === 'identifier' && reader.peek(1) === ':' && reader.words[reader.at + 2]?.kind !== 'operator') {
    reader.at += 2;
    return;
  }
  if (word.text === 'virtual' && reader.peek(1) === 'interface') reader.at++;
  if (isComparison(reader)) return;
  const isDeclaration = TYPE_WORDS.has(word.text) || (word.kind === 'identifier' && (reader.words[reader.at + 1]?.kind === 'identifier' || /^(?:::|#)$/.test(reader.peek(1))));
  const { assigned, stuck } = scanExpression(reader, { ends: [';'], isDeclaration, isStatement: !isDeclaration });
  if (reader.previous?.text === ',' && reader.findings.at(-1)?.span === reader.previous.span) return;
  expectSemicolon(reader, nameOfStatement(word.text, assigned, reader.previous?.text ?? ''), stuck);
  if (reader.at === from) reader.at++;
}

/** `target == value;` */
function isComparison(reader: WordReader): boolean {
  const from = reader.at;
  const before = reader.findings.length;
  if (reader.current?.kind === 'identifier' && !TYPE_WORDS.has(reader.peek()) && readTarget(reader) && /^===?$/.test(reader.peek())) {
    reader.report(reader.current, 'unexpected', `'${reader.peek()}' compares; an assignment is written with '=' or '<='.`);
    const { stuck } = scanExpression(reader, { ends: [';'] });
    expectSemicolon(reader, 'assignment', stuck);
    return true;
  }
  reader.at = from;
  reader.findings.length = before;
  return false;
}
