import { readAssignments, readTarget } from './assignments.ts';
import { scanExpression } from './expression/scan.ts';
import { CLOSING_WORDS, HARD_WORDS, nameOfStatement, TYPE_WORDS } from './keywords.ts';
import { readTiming } from './timing.ts';
import { expectSemicolon, skipStatement } from './words.ts';
import type { Word, WordReader } from './words.ts';

/** Reads a declaration, a continuous assignment, an instance, or what stands in the place of one. */
export function readDeclarationOrInstance(reader: WordReader, word: Word): void {
  const { text } = word;
  const from = reader.at;
  if (word.kind === 'identifier' && reader.peek(1) === ':') {
    reader.at += 2;
    return;
  }
  if (text === '#' || text === '@' || word.kind === 'operator') {
    strayOperator(reader, word);
    return;
  }
  if (isUnnamedInstance(reader)) {
    reader.report(word, 'missing', `The instance of '${text}' has no name; write one before its '('.`);
    skipStatement(reader);
    return;
  }
  if (text === 'assign') {
    reader.at++;
    if (reader.peek() === '(' && /^(?:strong|pull|weak|highz|supply)/.test(reader.peek(1))) reader.at = reader.closing(reader.at) ?? reader.at;
    readTiming(reader);
    if (reader.current && CLOSING_WORDS.has(reader.peek())) {
      reader.report(word, 'missing', "Nothing is assigned here; write a net, '=' and a value after 'assign'.");
      return;
    }
    const { assigned, stuck } = readAssignments(reader);
    endAssign(reader, assigned, stuck);
    return;
  }
  if (isBareAssignment(reader, word)) return;
  const { assigned, stuck } = scanExpression(reader, { ends: [';'], isDeclaration: true });
  if (!assigned && reader.peek() === ';' && reader.previous && (TYPE_WORDS.has(reader.previous.text) || (reader.previous.text === ']' && hasNoName(reader, from)))) {
    reader.report(reader.previous, 'missing', 'A name is missing after this.');
    reader.at++;
    return;
  }
  expectSemicolon(reader, nameOfStatement(text, assigned && !TYPE_WORDS.has(text), reader.previous?.text ?? ''), stuck);
}

/** `target = value;` among items. */
function isBareAssignment(reader: WordReader, word: Word): boolean {
  const from = reader.at;
  const before = reader.findings.length;
  // Behind another mistake it may be a statement whose block was closed too early.
  if (before > 0 || reader.unbalanced) return false;
  const isTarget = (word.kind === 'identifier' && !TYPE_WORDS.has(word.text) && !HARD_WORDS.has(word.text)) || word.text === '{';
  if (isTarget && readTarget(reader) && /^<?=$/.test(reader.peek())) {
    reader.findings.length = before;
    reader.report(word, 'missing', "An assignment here needs 'assign' before it, or a process around it.");
    skipStatement(reader);
    return true;
  }
  reader.at = from;
  reader.findings.length = before;
  return false;
}

function endAssign(reader: WordReader, assigned: boolean, stuck: boolean): void {
  const { current, previous } = reader;
  if (!assigned && stuck && current?.line === previous?.line && current && !HARD_WORDS.has(current.text)) {
    reader.missingAfter('=', previous);
    skipStatement(reader);
    return;
  }
  expectSemicolon(reader, 'assignment', stuck);
}

/** Between the beginning of a declaration and here only types and ranges. */
function hasNoName(reader: WordReader, from: number): boolean {
  let depth = 0;
  for (const word of reader.words.slice(from, reader.at)) {
    if (word.text === '[') depth++;
    else if (word.text === ']') depth--;
    else if (depth === 0 && !TYPE_WORDS.has(word.text)) return false;
  }
  return true;
}

/** `name (.port(net))` or `name #(…) (…)`. */
function isUnnamedInstance(reader: WordReader): boolean {
  const word = reader.current;
  if (word?.kind !== 'identifier' || TYPE_WORDS.has(word.text) || HARD_WORDS.has(word.text)) return false;
  let at = reader.at + 1;
  const hasParameters = reader.words[at]?.text === '#';
  if (hasParameters) at = reader.words[at + 1]?.text === '(' ? (reader.closing(at + 1) ?? at) : at + 2;
  return reader.words[at]?.text === '(' && reader.words[at + 1]?.text === '.';
}

function strayOperator(reader: WordReader, word: Word): void {
  reader.report(word, 'unexpected', word.text === ')' || word.text === ']' || word.text === '}' ? `This '${word.text}' closes nothing; remove it.` : `'${word.text}' is not expected here.`);
  skipStatement(reader);
}
