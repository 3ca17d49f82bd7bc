import { BRACKETS, CLOSING } from './brackets.ts';
import { EDGES, INFIX_WORDS, intendedAmong, intendedKeyword, lettersOf, OPERATOR_WORDS, SHORT_KEYWORDS, TYPE_WORDS } from './keywords.ts';
import type { StructureFinding, Word } from './words.ts';

const BEFORE_STATEMENT = new Set([';', 'begin', 'end', 'endcase', 'endmodule', 'endfunction', 'endtask', 'endgenerate', ')', 'else', ':', 'generate', 'unique', 'priority', '*', 'forever', 'initial', 'always_comb']);
/** Words behind which ':' and a name follow. */
const LABELLED = /^(?:begin|fork|generate|join(?:_any|_none)?|end\w*)$/;
const CONTROL = new Set(['if', 'for', 'while', 'repeat', 'case', 'casex', 'casez']);
const UNIT_WORDS = new Set(['module', 'interface', 'package', 'program', 'class']);
const DECLARING = new Set(['wire', 'reg', 'logic', 'integer', 'genvar', 'parameter', 'localparam', 'input', 'output', 'inout', 'typedef', 'import', 'function', 'task', 'assign', 'module', 'package', 'interface', 'program', 'class', 'else', 'initial', 'return', 'posedge', 'negedge', 'generate', 'begin', 'default', 'forever', 'always_comb']);
/** Behind a value or a target of an assignment. */
const VALUE_ENDS = /^(?:<?=|\)|[-+&|^*?]|[=!]=)$/;
const NAME_ENDS = new Set(['=', '<=', '[', '.', ',', '::', '++', '--', '+=', '-=']);

/** The words with each mistyped keyword replaced by what was meant, and reported. */
export function correctWords(words: readonly Word[], report: (finding: StructureFinding) => void): Word[] {
  const values = new Set(words.filter((word, index) => word.kind === 'identifier' && VALUE_ENDS.test(words[index + 1]?.text ?? '')).map(({ text }) => text));
  return words.map((word, index) => {
    if (word.kind !== 'identifier' || values.has(word.text)) return word;
    if (word.text === 'elseif' || word.text === 'elsif' || (word.text === 'elif' && words[index + 1]?.text === '(')) {
      report({ span: word.span, code: 'keyword', message: `'${word.text}' is no keyword; write 'else if'.` });
      return word;
    }
    const keyword = meant(words, index);
    if (keyword === undefined) return word;
    report({ span: word.span, code: 'keyword', message: `'${word.text}' is no keyword; did you mean '${keyword}'?` });
    return { ...word, text: keyword };
  });
}

function meant(words: readonly Word[], index: number): string | undefined {
  const word = words[index];
  const before = words[index - 1];
  const after = words[index + 1];
  if (!word) return undefined;
  if (word.text === 'endif' && word.first) return 'end';
  if (INFIX_WORDS.includes(after?.text ?? '') && after?.first === false) return undefined;
  const followedByName = after?.kind === 'identifier' || after?.kind === 'macro';
  if (before !== undefined && (['(', ',', 'or', '@'].includes(before.text)) && followedByName && !OPERATOR_WORDS.has(after.text)) {
    const edge = intendedAmong(word.text, EDGES);
    if (edge !== undefined) return edge;
  }
  if (!isBeginning(word, before) || (before?.text === ':' && LABELLED.test(words[index - 2]?.text ?? ''))) return undefined;
  const short = intendedAmong(word.text, SHORT_KEYWORDS, 2);
  const keyword = intendedKeyword(word.text) ?? (short !== undefined && isSwap(word.text, short) ? short : undefined);
  if (keyword === undefined) return undefined;
  // A plural or a longer name is a name of its own.
  if (word.text.startsWith(keyword) && followedByName) return undefined;
  return fits(keyword, words, index) ? keyword : undefined;
}

function isSwap(word: string, keyword: string): boolean {
  return lettersOf(word) === lettersOf(keyword);
}

function isBeginning(word: Word, before: Word | undefined): boolean {
  if (!before || BEFORE_STATEMENT.has(before.text) || word.first) return true;
  return before.text === '(' || before.text === ',';
}

/** What stands round a word is what stands round the keyword. */
function fits(keyword: string, words: readonly Word[], index: number): boolean {
  const word = words[index];
  const before = words[index - 1];
  const after = words[index + 1];
  const inList = before !== undefined && (before.text === '(' || before.text === ',') && !/^(?:input|output|inout|parameter|localparam)$/.test(keyword) ;
  if (inList) return false;
  if (UNIT_WORDS.has(keyword)) return (before === undefined || before.text.startsWith('end')) && after?.kind === 'identifier' && /^(?:[;(#]|extends|implements|import)?$/.test(words[index + 2]?.text ?? '');
  if (after === undefined) return true;
  if (CONTROL.has(keyword)) return after.text === '(' && isHead(words, index + 1);
  if (keyword.startsWith('always')) return after.text === '@' || after.text === 'begin' || (keyword !== 'always' && after.kind === 'identifier');
  if (DECLARING.has(keyword) && keyword !== 'begin' && keyword !== 'else') {
    if (after.text === '[' || after.text === '(') return /^(?:wire|reg|logic|input|output|inout|parameter|localparam|function)$/.test(keyword) && after.text === '[' && declaresBehind(words, index + 1);
    if (keyword === 'initial' || keyword === 'forever' || keyword === 'generate' || keyword === 'always_comb') return after.text === 'begin' || after.first || (after.kind === 'identifier' && !isInstance(words, index));
    return after.kind === 'identifier' && !isInstance(words, index);
  }
  if (NAME_ENDS.has(after.text) || after.text === '(') return false;
  if (keyword === 'else') return after.first || after.text === 'if' || after.text === 'begin' || after.kind === 'identifier';
  return after.first || word?.line !== after.line || TYPE_WORDS.has(after.text) || after.text === 'begin' || after.text === 'else' || after.text === ':' || after.text === ';' && keyword.startsWith('end');
}

/** `(…)` and then no `;`: the head of a statement and not a call. */
function isHead(words: readonly Word[], open: number): boolean {
  let depth = 0;
  for (let index = open; index < words.length; index++) {
    const text = words[index]?.text ?? '';
    if (BRACKETS.has(text)) depth++;
    else if (CLOSING.has(text) && --depth === 0) return words[index + 1]?.text !== ';';
  }
  return false;
}

/** Behind the ranges comes a name, as in a declaration and not in an assignment to an element. */
function declaresBehind(words: readonly Word[], open: number): boolean {
  let depth = 0;
  for (let index = open; index < words.length; index++) {
    const text = words[index]?.text ?? '';
    if (text === '[') depth++;
    else if (text === ']') depth--;
    else if (depth === 0) return words[index]?.kind === 'identifier';
  }
  return false;
}

/** `type #(…) name` or `type name (…)`, where that is no list of ports of a function or task. */
function isInstance(words: readonly Word[], index: number): boolean {
  if (words[index + 1]?.text === '#') return true;
  if (words[index + 2]?.text !== '(') return false;
  const isSubroutine = /^(?:function|task)$/.test(intendedKeyword(words[index]?.text ?? '') ?? '');
  return !isSubroutine || !TYPE_WORDS.has(words[index + 3]?.text ?? '');
}
