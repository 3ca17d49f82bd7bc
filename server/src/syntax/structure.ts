import { withinStack } from '../base/nesting.ts';
import { LineIndex } from '../base/text.ts';
import { readDeclarationOrInstance } from './declaration-reader.ts';
import { scanExpression } from './expression/scan.ts';
import { AGGREGATES, closerByOpener, CLOSING_WORDS, openerByCloser, PROCESSES, UNIT_ENDS } from './keywords.ts';
import { impossibleNeighbours } from './neighbours.ts';
import { passDefinition, passLoose } from './passed-items.ts';
import { readProcess } from './process-reader.ts';
import { StatementReader } from './statement-reader.ts';
import { correctWords } from './typos.ts';
import { readHeader } from './unit-header.ts';
import { expectSemicolon, skipLabel, WordReader, wordsOf } from './words.ts';
import type { StructureFinding, Word } from './words.ts';

export type { StructureFinding } from './words.ts';

const UNITS = closerByOpener('unit');
/** Constructs whose inside is left to the parser. */
const CLOSED = closerByOpener('definition', 'description');
/** Modules in modules that are looked through for the end of the outermost. */
const MAX_NESTED_MODULES = 8;
const STRAY_ENDS: ReadonlyMap<string, string> = new Map([...openerByCloser('statements', 'case', 'subroutine', 'region'), ['endspecify', 'specify']]);
/** Words before the one that an item is known by. */
const PREFIXES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['virtual', new Set(['class'])], ['interface', new Set(['class'])], ['global', new Set(['clocking'])], ['default', new Set(['clocking'])], ['static', new Set(['constraint'])],
]);
const ASSERTIONS = new Set(['assert', 'assume', 'cover', 'restrict']);
/** Items that hold anything up to their semicolon. */
const LOOSE = new Set(['import', 'export', 'extern', 'pure', 'modport', 'bind', 'let', 'nettype', 'alias', 'defparam', 'timeunit', 'timeprecision', 'default', 'typedef', 'constraint', 'virtual', 'global', 'static']);

/**
 * Reads a text that does not parse as a person does: by items, blocks, statements and brackets. It tells what is missing or
 * too many, and goes on behind it. What it does not know it passes without a word.
 */
export function findStructureMistakes(text: string): StructureFinding[] {
  const reader = new WordReader(wordsOf(text));
  const corrected = correctWords(reader.words, (finding) => reader.findings.push(finding));
  const structure = new StructureReader(new WordReader(corrected));
  reportForeignSigns(reader);
  return onePerLine([...reader.findings, ...impossibleNeighbours(corrected), ...structure.run()], text);
}

/** Signs that stand in comments and strings only, such as typographic quotes. */
function reportForeignSigns(reader: WordReader): void {
  for (const word of reader.words) if (word.kind === 'operator' && /[^!-~]/.test(word.text)) reader.report(word, 'unexpected', `'${word.text}' is not expected here.`);
}

class StructureReader {
  readonly #reader: WordReader;
  /** The closing words of the units that are open. */
  readonly #units: string[] = [];

  constructor(reader: WordReader) {
    this.#reader = reader;
  }

  run(): readonly StructureFinding[] {
    const reader = this.#reader;
    withinStack(
      () => this.#readAll(),
      // What was found before stays.
      () => reader.report(reader.current ?? reader.previous, 'unexpected', 'This is nested too deeply to be read any further.'),
    );
    return reader.findings;
  }

  #readAll(): void {
    const reader = this.#reader;
    for (let word = reader.current; word; word = reader.current) {
      const opener = UNIT_ENDS.get(word.text);
      if (opener !== undefined) {
        reader.report(word, 'unexpected', `'${word.text}' without '${opener}'; remove it or add the beginning.`);
        reader.at++;
        skipLabel(reader);
      } else this.#item(word);
    }
  }

  #unit(word: Word, closer: string): void {
    const reader = this.#reader;
    reader.at++;
    this.#units.push(closer);
    readHeader(reader, word);
    this.#items([closer]);
    const end = reader.current;
    if (reader.accept(closer)) skipLabel(reader);
    else if (end && UNIT_ENDS.has(end.text) && !this.#isBegunAround(end)) {
      reader.report(end, 'unexpected', `'${end.text}' does not end this '${word.text}'; write '${closer}'.`);
      reader.at++;
      skipLabel(reader);
    } else reader.report(word, 'unclosed', `'${word.text}' without '${closer}'; add it behind the last item.`);
    this.#units.pop();
  }

  /** A closing word belongs to one of the units round the innermost one. */
  #isBegunAround(end: Word): boolean {
    return this.#units.slice(0, -1).includes(end.text);
  }

  /** Items up to one of some closing keywords, which is left unread. */
  #items(closers: readonly string[]): void {
    const reader = this.#reader;
    for (let word = reader.current; word; word = reader.current) {
      if (closers.includes(word.text) || UNIT_ENDS.has(word.text)) return;
      if ((word.text === 'module' || word.text === 'package') && reader.previous?.text !== 'extern' && !closers.includes('endpackage') && !this.#isNested()) return;
      if (closers.includes('end') && word.text === 'endgenerate') return;
      this.#item(word);
    }
  }

  /** The ends of a module in a module and of the one around it follow each other, without another module between them. */
  #isNested(): boolean {
    let depth = 0;
    for (let index = this.#reader.at; index < this.#reader.words.length; index++) {
      const text = this.#reader.words[index]?.text ?? '';
      if ((text === 'module' || text === 'macromodule') && this.#reader.words[index - 1]?.text !== 'extern') {
        if ((depth === 0 && index > this.#reader.at) || depth > MAX_NESTED_MODULES) return false;
        depth++;
      } else if (text === 'endmodule' && --depth < 0) return true;
    }
    return false;
  }

  #item(word: Word): void {
    const reader = this.#reader;
    const from = reader.at;
    this.#readItem(word);
    if (reader.at === from) reader.at++;
  }

  #readItem(word: Word): void {
    const reader = this.#reader;
    const { text } = word;
    if (word.kind === 'macro') {
      reader.skipMacro();
      reader.accept(';');
      return;
    }
    const unit = UNITS.get(text);
    if (unit !== undefined && (text !== 'interface' || reader.peek(1) !== 'class')) {
      this.#unit(word, unit);
      return;
    }
    const closer = CLOSED.get(text);
    if (closer !== undefined) {
      passDefinition(reader, closer);
      return;
    }
    if (PROCESSES.has(text)) {
      readProcess(reader, word);
      return;
    }
    const opener = STRAY_ENDS.get(text);
    if (opener !== undefined) {
      reader.report(word, 'unexpected', `'${text}' without '${opener}'; remove it or add the beginning.`);
      reader.at++;
      if (reader.peek() === 'else') reader.at++;
      skipLabel(reader);
      return;
    }
    if (PREFIXES.get(text)?.has(reader.peek(1)) === true) {
      reader.at++;
      return;
    }
    if (ASSERTIONS.has(text)) {
      new StatementReader(reader).statement();
      return;
    }
    if (LOOSE.has(text) || AGGREGATES.has(text)) {
      passLoose(reader, word);
      return;
    }
    switch (text) {
      case ';':
        reader.at++;
        return;
      case 'generate':
        this.#region(word, 'endgenerate');
        return;
      case 'begin':
        this.#region(word, 'end');
        return;
      case 'function':
      case 'task':
        this.#subroutine(word);
        return;
      case 'if':
        this.#ifGenerate(word);
        return;
      case 'for':
        reader.at++;
        this.#group(true);
        this.#inner(word);
        return;
      case 'case':
        this.#caseGenerate(word);
        return;
      case 'else':
        reader.strayElse(word);
        reader.at++;
        return;
      default:
        readDeclarationOrInstance(reader, word);
    }
  }

  #group(isFor = false): void {
    const reader = this.#reader;
    if (reader.peek() === '(') scanExpression(reader, { ends: [], isFor, isGroup: true });
    else reader.missingAfter('(', reader.previous);
  }

  #region(word: Word, closer: string): void {
    const reader = this.#reader;
    reader.at++;
    skipLabel(reader);
    this.#items([closer]);
    if (reader.accept(closer)) skipLabel(reader);
    else reader.report(word, 'unclosed', `'${word.text}' without '${closer}'; add it where the block ends.`);
  }

  /** One item; `owner` is the word that asks for it. */
  #inner(owner: Word): void {
    const word = this.#reader.current;
    if (word && !CLOSING_WORDS.has(word.text)) this.#item(word);
    else this.#reader.report(this.#reader.previous, 'missing', `An item is missing after this${owner.text === 'else' ? '' : ` '${owner.text}'`}.`);
  }

  #ifGenerate(word: Word): void {
    const reader = this.#reader;
    reader.at = reader.words.indexOf(word, reader.at) + 1;
    this.#group();
    this.#inner(word);
    const other = reader.accept('else');
    if (other) this.#inner(other);
  }

  #caseGenerate(word: Word): void {
    const reader = this.#reader;
    reader.at++;
    this.#group();
    for (let item = reader.current; item && item.text !== 'endcase' && !UNIT_ENDS.has(item.text); item = reader.current) {
      if (reader.accept('default')) reader.accept(':');
      else {
        scanExpression(reader, { ends: [':', ';'] });
        if (!reader.accept(':')) reader.missingAfter(':', reader.previous);
      }
      this.#inner(item);
      if (reader.current === item) reader.at++;
    }
    if (!reader.accept('endcase')) reader.report(word, 'unclosed', "'case' without 'endcase'; add it where the block ends.");
  }

  #subroutine(word: Word): void {
    const reader = this.#reader;
    const closer = `end${word.text}`;
    const before = reader.previous?.text;
    reader.at++;
    const { stuck } = scanExpression(reader, { ends: [';'], isHeader: true, isDeclaration: true });
    expectSemicolon(reader, `${word.text} header`, stuck);
    if (before === 'extern' || before === 'pure') return;
    this.#localPorts();
    new StatementReader(reader).body(word, closer);
    if (reader.accept(closer)) skipLabel(reader);
    else reader.report(word, 'unclosed', `'${word.text}' without '${closer}'; add it where the block ends.`);
  }

  #localPorts(): void {
    const reader = this.#reader;
    while (/^(?:input|output|inout|reg|integer|parameter|localparam)$/.test(reader.peek())) {
      const word = reader.current;
      if (word) readDeclarationOrInstance(reader, word);
    }
  }
}

/** Several findings on one line are one mistake; the first found names it. */
function onePerLine(findings: readonly StructureFinding[], text: string): StructureFinding[] {
  const lines = new Set<number>();
  const places = new LineIndex(text);
  return findings
    .filter(({ span }) => {
      const { line } = places.position(span.start);
      if (lines.has(line)) return false;
      lines.add(line);
      return true;
    })
    .sort((a, b) => a.span.start - b.span.start);
}
