import { BRACKETS, CLOSING } from './brackets.ts';
import { RESERVED_WORDS } from './reserved-words.ts';
import type { StructureFinding, Word } from './words.ts';

/** Words that never stand twice. */
const SINGLE = new Set(
  `input output inout wire reg logic bit int integer byte real string parameter localparam genvar assign always always_comb always_ff always_latch initial else for while
  repeat case casex casez posedge negedge unique priority enum struct union typedef function task module interface package signed unsigned default`.split(/\s+/),
);
const DIRECTIONS = new Set(['input', 'output', 'inout']);
/** Types behind which only one name follows. */
const DATA_TYPES = new Set(['reg', 'logic', 'bit', 'int', 'integer', 'byte', 'shortint', 'longint', 'real', 'time', 'genvar']);
/** Operators that want an operand on both sides. */
const BINARY = new Set(['/', '%', '**', '==', '!=', '===', '!==', '<', '>', '<=', '>=', '&&', '||', '=']);
const OPERATORS = new Set([...BINARY, '+', '-', '*', '!', '~', '&', '|', '^', '~&', '~|', '~^', '^~', '<<', '>>', '<<<', '>>>', '+:', '-:', '?']);
const CONDITIONS = new Set(['@', 'if', 'while', 'case', 'casex', 'casez', 'repeat', 'wait']);
const NETS = new Set(['wire', 'tri']);
/** Words that want a name, or a type and a name. */
const DECLARING = new Set([...DATA_TYPES, ...NETS, ...DIRECTIONS, 'parameter', 'localparam']);
/** Those that Verilog-2001 reserves too. */
const OLD_DECLARING = new Set([...NETS, ...DIRECTIONS, 'reg', 'integer', 'parameter', 'localparam']);
const EDGES = new Set(['posedge', 'negedge']);
/** Blocks in which signs have other meanings. */
const FOREIGN_BLOCKS: ReadonlyMap<string, string> = new Map([['table', 'endtable'], ['specify', 'endspecify'], ['config', 'endconfig'], ['covergroup', 'endgroup']]);

const BASE_DIGITS: Readonly<Record<string, RegExp>> = { b: /^[01xz?_]+$/i, o: /^[0-7xz?_]+$/i, d: /^[0-9_]+$/, h: /^[0-9a-fxz?_]+$/i };

/** Neighbours that no valid text has, whatever stands round them. */
export function impossibleNeighbours(words: readonly Word[]): StructureFinding[] {
  const found: StructureFinding[] = [];
  let until: string | undefined;
  let macroDepth = -1;
  let depth = 0;
  for (let index = 1; index < words.length; index++) {
    const [before, word] = [words[index - 1], words[index]];
    if (!before || !word) continue;
    if (until !== undefined) {
      if (word.text === until) until = undefined;
      continue;
    }
    if (BRACKETS.has(word.text)) depth++;
    if (before.kind === 'macro' && word.text === '(' && macroDepth < 0) macroDepth = depth;
    const isOpaque = macroDepth >= 0;
    if (CLOSING.has(word.text)) {
      if (depth === macroDepth) macroDepth = -1;
      depth--;
    }
    until = FOREIGN_BLOCKS.get(word.text);
    if (until !== undefined || isOpaque || before.kind === 'macro' || word.kind === 'macro') continue;
    const message = wrongPair(words, index, before, word);
    if (message !== undefined) found.push({ span: message.at.span, code: message.code, message: message.text });
  }
  return found;
}

interface Wrong {
  readonly at: Word;
  readonly code: StructureFinding['code'];
  readonly text: string;
}

function wrongPair(words: readonly Word[], index: number, before: Word, word: Word): Wrong | undefined {
  const earlier = words[index - 2]?.text ?? '';
  const unexpected: Wrong = { at: word, code: 'unexpected', text: `'${word.text}' is not expected here.` };
  if (before.text === word.text && SINGLE.has(word.text) && word.text !== 'case') return { at: word, code: 'unexpected', text: `'${word.text}' stands here twice; remove one.` };
  if (DIRECTIONS.has(word.text) && (DATA_TYPES.has(before.text) || NETS.has(before.text)) && !word.first) return { at: word, code: 'unexpected', text: `'${word.text}' belongs before '${before.text}'.` };
  if (word.kind === 'number' && word.text.startsWith("'") && before.span.end === word.span.start && (isName(before) || before.text === ')')) {
    return { at: word, code: 'unexpected', text: `The size of a number is written in digits; put the value in parentheses, as in ${isName(before) ? before.text : '(…)'}'(…).` };
  }
  const number = before.span.end === word.span.start && word.kind === 'identifier' && /^\d+$/.test(before.text) ? meantNumber(before.text, word.text) : undefined;
  if (number !== undefined) return { at: before, code: 'unexpected', text: `A number of another base than ten is written with an apostrophe; write ${number}.` };
  if (before.text === '(' && word.text === '.' && words[index + 1]?.text === '.' && words[index + 2]?.text === '.') return { at: word, code: 'unexpected', text: "Only Yosys reads '...' for a list of ports; write the ports." };
  if (word.kind === 'number' && isName(before) && !word.first && earlier !== '.' && !/^[@#]+$/.test(earlier)) return unexpected;
  if (isName(word) && isName(before) && !word.first && DATA_TYPES.has(earlier) && !before.first) return { at: word, code: 'unexpected', text: `'${word.text}' is not expected here; a ',' or ';' is missing before it.` };
  const declared = wrongDeclaration(words, index, before, word);
  if (declared) return declared;
  if (EDGES.has(word.text) && isName(before)) return { at: word, code: 'missing', text: "'or' or ',' is missing before this." };
  if (earlier !== '.' && earlier !== '::' && ((word.text === 'or' && (EDGES.has(before.text) || before.text === 'or')) || (word.text === ')' && (EDGES.has(before.text) || before.text === 'or')))) {
    return { at: before, code: 'missing', text: `An event is missing after '${before.text}'.` };
  }
  if (word.text === ')' && before.text === '(' && CONDITIONS.has(earlier)) return { at: before, code: 'missing', text: earlier === '@' ? "An event is missing after this '('." : "A condition is missing after this '('." };
  if (word.text === "'(" && (OPERATORS.has(before.text) || BRACKETS.has(before.text) || before.text === ',')) return { at: word, code: 'missing', text: 'A type or width is missing before this.' };
  if (word.kind !== 'operator' || before.kind !== 'operator') return undefined;
  return wrongSigns(before, word, earlier);
}

/** The number that some digits and the letters right behind them were meant to be: with a size, in the style of C, or without its base. */
function meantNumber(digits: string, letters: string): string | undefined {
  const [, base = '', value = ''] = /^([bodhx])([0-9a-f_xz?]+)$/i.exec(letters) ?? [];
  if (digits === '0' && /^[box]$/i.test(base)) return `'${/x/i.test(base) ? 'h' : base}${value}`;
  if (/^[bodh]$/i.test(base) && BASE_DIGITS[base.toLowerCase()]?.test(value) === true) return `${digits}'${base}${value}`;
  return /^[0-9a-f_]+$/i.test(letters) ? `'h${digits}${letters}` : undefined;
}

/** What cannot stand in a declaration, or be one. */
function wrongDeclaration(words: readonly Word[], index: number, before: Word, word: Word): Wrong | undefined {
  const earlier = words[index - 2];
  const begins = before.first || /^[(,;]?$/.test(earlier?.text ?? '') || DECLARING.has(earlier?.text ?? '');
  if (word.text === '=' && (OLD_DECLARING.has(before.text) || (DECLARING.has(before.text) && begins))) return { at: before, code: 'missing', text: `A name is missing after '${before.text}'.` };
  // Behind ':' it is the label of a block.
  if (isName(before) && earlier?.text !== ':' && OLD_DECLARING.has(word.text) && !word.first) return { at: word, code: 'unexpected', text: `'${word.text}' is not expected here; a ',' or ';' is missing before it.` };
  if (word.text === '+:' || word.text === '-:') {
    const open = openerOf(words, index);
    if (open > 0 && DECLARING.has(words[open - 1]?.text ?? '')) return { at: word, code: 'unexpected', text: `A range of a declaration is written with ':', not with '${word.text}'.` };
  }
  if (isName(word) && isName(before) && !word.first && earlier?.text === ']') {
    const open = openerOf(words, index - 2);
    if (open > 0 && DATA_TYPES.has(words[open - 1]?.text ?? '')) return { at: word, code: 'unexpected', text: `'${word.text}' is not expected here; a ',' or ';' is missing before it.` };
  }
  const isOperator = word.kind === 'operator' && (/^(?:[-+*/%&|^]|<=|[=!]=|&&|\|\|)$/.test(word.text));
  if (isOperator && earlier && isName(before) && isName(earlier) && !before.first && earlier.first) return { at: earlier, code: 'missing', text: "An operator such as '=' is missing after this." };
  return undefined;
}

/** The index of the bracket that is open at a word, or that the closing bracket there closes; -1 when there is none near. */
function openerOf(words: readonly Word[], index: number): number {
  let depth = 0;
  for (let at = index - 1; at >= 0 && at > index - 60; at--) {
    const text = words[at]?.text ?? '';
    if (text === ']') depth++;
    else if (text === '[' && depth-- === 0) return at;
    else if (text === ';') return -1;
  }
  return -1;
}

function isName(word: Word): boolean {
  return word.kind === 'identifier' && word.text !== '\\' && !RESERVED_WORDS.has(word.text);
}

/** Two signs that do not follow each other; `earlier` is the word before them. */
function wrongSigns(before: Word, word: Word, earlier: string): Wrong | undefined {
  const [left, right] = [before.text, word.text];
  const missingAfter: Wrong = { at: before, code: 'missing', text: `Missing an operand after '${left}'.` };
  const missingBefore: Wrong = { at: word, code: 'missing', text: `Missing an operand before '${right}'.` };
  if (left === '.') return { at: before, code: 'missing', text: "A name is missing after this '.'." };
  if (earlier === '[' && left === ']' && right === '<=') return { at: before, code: 'missing', text: "An index is missing before this ']'." };
  if (left === ':' && right === ':') return { at: word, code: 'unexpected', text: "This ':' is one too many." };
  if (left === '[' && right === ':') return missingBefore;
  if (left === ':' && right === ']') return missingAfter;
  if ((left === '{' || left === "'{") && right === ',') return missingBefore;
  if (OPERATORS.has(left) && /^[\]:]$/.test(right) && !(left === '?' || earlier === '[' || earlier === '::')) return missingAfter;
  if (OPERATORS.has(left) && right === ')' && earlier !== '(' && earlier !== '::') return missingAfter;
  if (OPERATORS.has(left) && right === '}' && earlier !== '{') return missingAfter;
  if ((left === '(' || left === '{' || left === "'{") && BINARY.has(right)) return missingBefore;
  return undefined;
}
