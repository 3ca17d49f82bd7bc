import { scanExpression } from './expression/scan.ts';
import { HARD_WORDS } from './keywords.ts';
import { expectSemicolon, skipStatement } from './words.ts';
import type { Word, WordReader } from './words.ts';

/** The name of a unit, its imports, parameters and ports, up to their semicolon. */
export function readHeader(reader: WordReader, word: Word): void {
  reader.accept('automatic', 'static');
  if (reader.current?.kind === 'identifier' && !HARD_WORDS.has(reader.peek())) reader.at++;
  else if (/^[#(;]$/.test(reader.peek()) && !(word.text === 'program' && reader.peek() === ';')) reader.report(reader.previous, 'missing', 'A name is missing after this.');
  while (reader.peek() === 'import') {
    while (reader.current && !reader.accept(';')) reader.at++;
  }
  const directions = /^(?:input|output|inout)$/;
  if (directions.test(reader.peek())) {
    reader.missingAfter('(', reader.previous, '; it begins the list of ports');
    while (reader.current && reader.peek() !== ';' && !HARD_WORDS.has(reader.peek())) reader.at++;
    reader.accept(';');
    return;
  }
  const before = reader.findings.length;
  const { stuck } = scanExpression(reader, { ends: [';'], isHeader: true, isUnit: true });
  if (reader.accept(';')) return;
  if (reader.findings.length > before && !stuck) {
    skipStatement(reader);
    return;
  }
  expectSemicolon(reader, `${word.text} header`, stuck);
}
