import { BRACKETS, CLOSING } from './brackets.ts';
import { scanExpression } from './expression/scan.ts';
import { AGGREGATES, HARD_WORDS, nameOfStatement, PROCESSES, UNIT_ENDS } from './keywords.ts';
import { readMembers } from './members.ts';
import { skipLabel, skipStatement } from './words.ts';
import type { Word, WordReader } from './words.ts';

/** Items that no word of a process or block is a part of. */
const ENDED = new Set(['typedef', 'modport', 'alias', 'defparam', 'timeunit', 'timeprecision', 'nettype', 'enum', 'struct', 'union']);

/** Words that begin what no definition holds. */
const MODULES = new Set(['module', 'macromodule']);

/** Passes a definition whose inside is left to the parser, to behind the word that closes it. */
export function passDefinition(reader: WordReader, closer: string): void {
  const { previous } = reader;
  const from = reader.at;
  // A mention, as in `default clocking name;`, has no inside.
  if ((previous !== undefined && /^(?:typedef|extern)$/.test(previous.text)) || (reader.peek() === 'clocking' && reader.peek(2) === ';')) {
    skipStatement(reader);
    return;
  }
  let depth = 0;
  const begin = reader.current;
  const opener = reader.peek();
  for (; reader.current; reader.at++) {
    if (reader.peek() === opener && isNestedIn(reader, opener)) depth++;
    else if (reader.peek() === closer && --depth === 0) {
      reader.at++;
      skipLabel(reader);
      return;
    } else if (UNIT_ENDS.has(reader.peek())) return;
    else if (MODULES.has(reader.peek()) && reader.current.first && reader.previous?.text !== 'extern') {
      reader.report(begin, 'unclosed', `'${opener}' without '${closer}'; add it where the block ends.`);
      return;
    }
  }
  reader.at = Math.max(reader.at, from + 1);
}

/** The word at the place begins another of its kind, and does not only mention one. */
function isNestedIn(reader: WordReader, opener: string): boolean {
  const { words, at } = reader;
  const before = words[at - 1]?.text;
  return opener !== 'config' ? before !== 'typedef' && !(before === 'interface' && words[at - 2]?.text === 'typedef') : before !== ':';
}

/** Passes an item that may hold anything up to its semicolon; its brackets and the members of types are looked at. */
export function passLoose(reader: WordReader, opener: Word): void {
  const { text } = opener;
  const brackets: Word[] = [];
  let aggregate = '';
  for (let word = reader.current; word && !UNIT_ENDS.has(word.text); word = reader.current) {
    if (AGGREGATES.has(word.text)) aggregate = word.text;
    if (word.text === '{' && aggregate !== '') {
      readMembers(reader, aggregate, scanExpression);
      aggregate = '';
      continue;
    }
    if (word !== opener && word.first && (PROCESSES.has(word.text) || (brackets.length === 0 && ENDED.has(text) && HARD_WORDS.has(word.text)))) break;
    reader.at++;
    if (BRACKETS.has(word.text)) brackets.push(word);
    else if (CLOSING.has(word.text)) brackets.pop();
    if (brackets.length === 0 && (word.text === ';' || (word.text === '}' && text === 'constraint'))) return;
  }
  const [open] = brackets;
  if (open) reader.missingAfter(BRACKETS.get(open.text) ?? ')', reader.previous, `; it closes the '${open.text}' before it`);
  else reader.missingAfter(';', reader.previous, ` ${nameOfStatement(text, false, '')}`);
}
