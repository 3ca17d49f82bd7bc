import { CLOSING_WORDS, HARD_WORDS } from './keywords.ts';
import { expectSemicolon } from './words.ts';
import type { WordReader } from './words.ts';

/** Reads an expression or a declaration up to one of some words; `stuck` when it ended before. */
type Scan = (reader: WordReader, options: { readonly ends: readonly string[]; readonly isDeclaration?: boolean }) => { readonly stuck: boolean };

/** Reads the members of an `enum`, a `struct` or a `union`, from the opening brace to behind the closing one. */
export function readMembers(reader: WordReader, aggregate: string, scan: Scan): void {
  reader.accept('{');
  if (aggregate === 'enum') readEnumMembers(reader, scan);
  else readFields(reader, scan);
}

function unclosed(reader: WordReader): void {
  reader.missingAfter('}', reader.previous, "; it closes the '{' before it");
}

function readEnumMembers(reader: WordReader, scan: Scan): void {
  for (let word = reader.current; word; word = reader.current) {
    if (word.kind === 'macro') {
      reader.skipMacro();
      reader.accept(',');
    } else if (word.text === ';' || CLOSING_WORDS.has(word.text)) break;
    else if (reader.accept('}')) return;
    else if (word.kind !== 'identifier') {
      reader.report(word, 'unexpected', `'${word.text}' is not expected here; a member of the enumeration is named here.`);
      reader.skipTo([',', '}', ';']);
      reader.accept(',');
    } else readEnumMember(reader, scan);
  }
  unclosed(reader);
}

function readEnumMember(reader: WordReader, scan: Scan): void {
  reader.at++;
  if (reader.peek() === '[') reader.at = reader.closing(reader.at) ?? reader.at + 1;
  if (reader.peek() === '=') scan(reader, { ends: [',', '}', ';'] });
  const { current, previous } = reader;
  const comma = reader.accept(',');
  if (comma && reader.peek() === '}') reader.report(comma, 'unexpected', "This ',' is one too many, or a name is missing after it.");
  if (comma || !current || current.kind === 'macro' || current.text === '}' || current.text === ';') return;
  if (current.kind === 'identifier' && !CLOSING_WORDS.has(current.text)) {
    if (reader.findings.at(-1)?.span !== previous?.span) reader.missingAfter(',', previous);
  } else reader.skipTo([',', '}', ';']);
}

function readFields(reader: WordReader, scan: Scan): void {
  for (let word = reader.current; word; word = reader.current) {
    if (reader.accept('}')) return;
    if (HARD_WORDS.has(word.text)) break;
    const from = reader.at;
    if (word.kind === 'macro') {
      reader.skipMacro();
      reader.accept(';');
    } else {
      const { stuck } = scan(reader, { ends: [';', '}'], isDeclaration: true });
      expectSemicolon(reader, 'declaration', stuck);
    }
    if (reader.at === from) break;
  }
  unclosed(reader);
}
