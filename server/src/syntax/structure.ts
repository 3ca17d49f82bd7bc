import type { Span } from '../base/text.ts';
import { DECLARATION_STARTERS, intendedKeyword, nameOfStatement, QUALIFIERS, STARTERS } from './keywords.ts';
import { tokenize } from './tokens.ts';
import type { Token } from './tokens.ts';

/** A mistake found in the sequence of tokens. */
export interface StructureFinding {
  readonly span: Span;
  readonly message: string;
  readonly code: 'missing' | 'unexpected' | 'unclosed' | 'keyword';
}

interface Line {
  readonly number: number;
  readonly indent: number;
  /** The token is the first of its line. */
  readonly first: boolean;
}

/** A token with the keyword it was meant to be. */
interface Word {
  readonly token: Token;
  readonly text: string;
  readonly line: Line;
}

interface Opener {
  readonly word: Word;
  readonly keyword: string;
}

/** The word that ends a block, by the word that begins it. */
export const CLOSED_BY: ReadonlyMap<string, string> = new Map<string, string>([
  ['module', 'endmodule'], ['macromodule', 'endmodule'], ['begin', 'end'], ['case', 'endcase'], ['casex', 'endcase'], ['casez', 'endcase'],
  ['function', 'endfunction'], ['task', 'endtask'], ['generate', 'endgenerate'], ['package', 'endpackage'],
]);
const OPENED_BY = new Map([...CLOSED_BY].map(([opener, closer]) => [closer, opener]));
const CONTROL_HEADS = new Set(['if', 'for', 'while', 'repeat', 'case', 'casex', 'casez', '@', 'wait', 'foreach', '#', 'unique', 'priority']);
const BLOCK_HEADS = new Set(['always', 'always_comb', 'always_ff', 'always_latch', 'initial', 'if', 'else', 'for', 'while', 'repeat', 'forever']);
const LABELLED = new Set(['begin', 'fork', ...CLOSED_BY.values()]);
const DIRECTIONS = new Set(['input', 'output', 'inout']);
/** The closing bracket, by the opening one. */
export const PAIRS: ReadonlyMap<string, string> = new Map([['(', ')'], ['[', ']'], ['{', '}'], ["'{", '}'], ["'(", ')']]);

/**
 * Looks for the mistakes that people make most in a text that does not parse: a missing semicolon or bracket, an unclosed
 * block, a mistyped keyword. Indentation tells which of several blocks is the unclosed one. `errorAt` says whether the
 * parser stumbled near an offset.
 */
export function findStructureMistakes(text: string, errorAt: (span: Span) => boolean): StructureFinding[] {
  const words = wordsOf(text);
  const findings: StructureFinding[] = [];
  const corrected = words.map((word, index) => correct(word, words[index - 1], words[index + 1], errorAt, findings));
  const hasMacro = corrected.some((word) => word.text.startsWith('`'));
  findings.push(...findUnfinished(corrected));
  if (!hasMacro) findings.push(...findUnbalanced(corrected, text.length));
  return onePerLine(findings, text);
}

function wordsOf(text: string): Word[] {
  let number = 0;
  let lineStart = 0;
  let last = -1;
  return tokenize(text).map((token) => {
    for (let at = text.indexOf('\n', lineStart); at >= 0 && at < token.span.start; at = text.indexOf('\n', lineStart)) {
      number++;
      lineStart = at + 1;
    }
    const first = number !== last;
    last = number;
    const indent = /^[ \t]*/.exec(text.slice(lineStart, token.span.start))?.[0].length ?? 0;
    return { token, text: token.kind === 'string' ? '"' : token.text, line: { number, indent, first } };
  });
}

/** Takes a mistyped keyword for what was meant, where the parser stumbled over it. */
function correct(word: Word, before: Word | undefined, after: Word | undefined, errorAt: (span: Span) => boolean, findings: StructureFinding[]): Word {
  if (word.token.kind !== 'identifier' || word.text.startsWith('`')) return word;
  const atStart = !before || [';', 'begin', 'end', 'endcase', 'endmodule', ')', 'else', ':', 'generate'].includes(before.text) || word.line.first;
  if (!atStart || ['=', '<=', '[', '.', ':', ',', '::'].includes(after?.text ?? '')) return word;
  if (word.text === 'elseif' || word.text === 'elsif') {
    findings.push({ span: word.token.span, message: `'${word.text}' is no keyword; write 'else if'.`, code: 'keyword' });
    return { ...word, text: 'else' };
  }
  const keyword = intendedKeyword(word.text);
  if (keyword === undefined || !errorAt({ start: word.token.span.start, end: after?.token.span.end ?? word.token.span.end })) return word;
  findings.push({ span: word.token.span, message: `'${word.text}' is no keyword; did you mean '${keyword}'?`, code: 'keyword' });
  return { ...word, text: keyword };
}

/** Statements without their semicolon and brackets without their partner. */
function findUnfinished(words: readonly Word[]): StructureFinding[] {
  const findings: StructureFinding[] = [];
  let brackets: { word: Word; head: string | undefined }[] = [];
  let closedHead: string | undefined;
  const statement: { start: Word | undefined; assigned: boolean } = { start: undefined, assigned: false };
  const finish = (): void => {
    statement.start = undefined;
    statement.assigned = false;
    closedHead = undefined;
  };
  const semicolon = (previous: Word): void => {
    const name = nameOfStatement(statement.start?.text ?? '', statement.assigned, previous.text);
    findings.push({ span: previous.token.span, message: `Missing ';' after this ${name}.`, code: 'missing' });
    finish();
  };
  for (const [index, word] of words.entries()) {
    const previous = words[index - 1];
    const { text } = word;
    const open = brackets.at(-1);
    const startsAnew = previous !== undefined && (STARTERS.has(text) || (!open && word.line.first && DECLARATION_STARTERS.has(text) && !QUALIFIERS.has(previous.text)));
    if (open && (startsAnew || (text === ';' && open.head !== 'for'))) {
      const closer = PAIRS.get(open.word.text) ?? ')';
      if (previous) findings.push({ span: previous.token.span, message: `Missing '${closer}' after this; it closes the '${open.word.text}' before it.`, code: 'missing' });
      brackets = [];
      if (open.head !== undefined && CONTROL_HEADS.has(open.head)) finish();
    } else if (statement.start?.text === 'module' && !open && previous && closedHead === undefined && DIRECTIONS.has(text)) {
      findings.push({ span: previous.token.span, message: "Missing '(' after this; it begins the list of ports.", code: 'missing' });
      brackets.push({ word: { ...previous, text: '(' }, head: previous.text });
    } else if (startsAnew && statement.start && needsSemicolon(previous, closedHead, text)) {
      semicolon(previous);
    } else if (statement.assigned && brackets.length === 0 && previous && word.line.first && isOperandEnd(previous) && isOperandStart(word)) {
      semicolon(previous);
    } else if (open?.word.text === '[' && previous && isOperandEnd(previous) && (word.token.kind === 'identifier' || text === ';')) {
      findings.push({ span: previous.token.span, message: "Missing ']' after this; it closes the '[' before it.", code: 'missing' });
      brackets.pop();
    } else if (open?.word.text === '(' && previous && needsComma(previous, word, words[index + 1])) {
      findings.push({ span: previous.token.span, message: "Missing ',' after this.", code: 'missing' });
    }
    // `begin : name` and `end : name` are complete with the name.
    if (previous?.text === ':' && brackets.length === 0 && LABELLED.has(words[index - 2]?.text ?? '')) {
      finish();
      continue;
    }
    if (PAIRS.has(text)) brackets.push({ word, head: previous?.text });
    else if (text === ')' || text === ']' || text === '}') {
      const partner = brackets.pop();
      closedHead = partner?.head;
      if (!partner) findings.push({ span: word.token.span, message: `This '${text}' closes nothing; remove it.`, code: 'unexpected' });
    } else if (text === ';') finish();
    else if (brackets.length === 0 && (text === '=' || text === '<=')) statement.assigned = true;
    if (statement.start === undefined && text !== ';') statement.start = word;
    if (['begin', 'end', 'else', 'endcase', 'endmodule', 'generate', 'endgenerate', 'endfunction', 'endtask', 'initial', 'always_comb', ':'].includes(text) && brackets.length === 0) finish();
    if (text === ')' && brackets.length === 0 && closedHead !== undefined && CONTROL_HEADS.has(closedHead)) finish();
  }
  return findings;
}

/** A direction in a list of ports, or a named connection, follows something without a comma. */
function needsComma(previous: Word, word: Word, next: Word | undefined): boolean {
  if (DIRECTIONS.has(word.text)) return isOperandEnd(previous);
  return word.text === '.' && previous.text === ')' && next?.token.kind === 'identifier';
}

function needsSemicolon(previous: Word, closedHead: string | undefined, next: string): boolean {
  if (previous.text === ')') return next !== 'begin' && !(closedHead !== undefined && CONTROL_HEADS.has(closedHead));
  if (next === 'begin' || next === 'if' || next === 'for' || next === 'case') return isOperandEnd(previous) && previous.text !== 'else' && !STARTERS.has(previous.text);
  return isOperandEnd(previous);
}

function isOperandEnd(word: Word): boolean {
  const { kind } = word.token;
  if (word.text.startsWith('`') || STARTERS.has(word.text)) return false;
  return kind === 'identifier' || kind === 'number' || kind === 'string' || [')', ']', '}'].includes(word.text);
}

function isOperandStart(word: Word): boolean {
  const { kind } = word.token;
  return (kind === 'identifier' && !word.text.startsWith('`') && word.text !== 'inside' && word.text !== 'or') || kind === 'system' || word.text === '{';
}

/** Blocks without their closing keyword, and closing keywords without their block, module by module. */
function findUnbalanced(words: readonly Word[], length: number): StructureFinding[] {
  const findings: StructureFinding[] = [];
  const units: Word[][] = [[]];
  for (const [index, word] of words.entries()) {
    const starts = (word.text === 'module' || word.text === 'package') && words[index - 1]?.text !== 'extern';
    if (starts) units.push([]);
    units.at(-1)?.push(word);
    if (word.text === 'endmodule' || word.text === 'endpackage') units.push([]);
  }
  for (const unit of units) {
    const [first] = unit;
    const opener = first && (first.text === 'module' || first.text === 'package') ? first : undefined;
    const closer = opener && CLOSED_BY.get(opener.text);
    if (opener && closer !== undefined && unit.at(-1)?.text !== closer) {
      const span = opener.token.span.end > length ? { start: 0, end: 0 } : opener.token.span;
      findings.push({ span, message: `'${opener.text}' without '${closer}'; add it behind the last item.`, code: 'unclosed' });
    }
    const inner = unit.filter((word) => word !== opener && word.text !== closer);
    findings.push(...balance(inner));
  }
  return findings;
}

/** Matches blocks twice: plainly to see whether something is wrong, then by indentation to see where. */
function balance(words: readonly Word[]): StructureFinding[] {
  const plain = match(words, false);
  if (plain.length === 0) return [];
  const byIndent = match(words, true);
  return (byIndent.length > 0 ? byIndent : plain).slice(0, Math.max(1, plain.length));
}

function match(words: readonly Word[], byIndent: boolean): StructureFinding[] {
  const findings: StructureFinding[] = [];
  const stack: Opener[] = [];
  const unclosed = ({ word, keyword }: Opener): void => {
    findings.push({ span: word.token.span, message: `'${keyword}' without '${CLOSED_BY.get(keyword) ?? 'end'}'; add it where the block ends.`, code: 'unclosed' });
  };
  for (const [index, word] of words.entries()) {
    if (CLOSED_BY.has(word.text)) stack.push({ word, keyword: word.text });
    const opened = OPENED_BY.get(word.text);
    if (opened === undefined) continue;
    const fits = (opener: Opener): boolean => CLOSED_BY.get(opener.keyword) === word.text;
    if (byIndent && word.line.first) {
      const partner = stack.findLast((opener) => fits(opener) && opener.word.line.indent <= word.line.indent);
      const deeper = stack.at(-1);
      // An opener that stands deeper than this closing keyword should have been closed before.
      if (deeper && partner && deeper !== partner && deeper.word.line.indent > word.line.indent) {
        while (stack.at(-1) !== partner) {
          const lost = stack.pop();
          if (lost) unclosed(lost);
        }
      } else if (word.text === 'end' && deeper && fits(deeper) && deeper.word.line.indent < word.line.indent) {
        const head = headWithoutBegin(words, index);
        if (head) {
          findings.push({ span: head.token.span, message: `Missing 'begin' for this '${head.text}'; its 'end' follows.`, code: 'missing' });
          continue;
        }
      }
    }
    const top = stack.at(-1);
    if (top && fits(top)) stack.pop();
    else if (stack.some(fits)) {
      for (let lost = stack.pop(); lost && !fits(lost); lost = stack.pop()) unclosed(lost);
    } else {
      const head = word.text === 'end' ? headWithoutBegin(words, index) : undefined;
      if (head) findings.push({ span: head.token.span, message: `Missing 'begin' for this '${head.text}'; its 'end' follows.`, code: 'missing' });
      else findings.push({ span: word.token.span, message: `'${word.text}' without '${opened}'; remove it or add the beginning.`, code: 'unexpected' });
    }
  }
  for (const opener of stack) unclosed(opener);
  return findings;
}

/** The statement head on the nearest line before with the indentation of this `end`, when no `begin` stands behind it. */
function headWithoutBegin(words: readonly Word[], end: number): Word | undefined {
  const indent = words[end]?.line.indent;
  for (let index = end - 1; index >= 0; index--) {
    const word = words[index];
    if (!word?.line.first || word.line.indent > (indent ?? 0)) continue;
    if (word.line.indent !== indent || !BLOCK_HEADS.has(word.text)) return undefined;
    const line = words.slice(index, end).filter((other) => other.line.number === word.line.number);
    return line.some((other) => other.text === 'begin') ? undefined : word;
  }
  return undefined;
}

/** Several findings on one line are one mistake; the first found names it. */
function onePerLine(findings: readonly StructureFinding[], text: string): StructureFinding[] {
  const lines = new Set<number>();
  const sorted = findings.filter((finding) => {
    const line = text.slice(0, finding.span.start).split('\n').length;
    if (lines.has(line)) return false;
    lines.add(line);
    return true;
  });
  return sorted.sort((a, b) => a.span.start - b.span.start);
}
