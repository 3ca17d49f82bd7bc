/** What a text is made of, as far as the rewriting of statements looks into it. */
import { groupsAt } from '../memories.ts';
import { afterGroup, afterStatement, isPlainName, type Token } from '../tokens.ts';

/** A part of a text to be replaced; offsets. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The text with edits that do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const { start, end, replacement } of [...edits].sort((a, b) => b.start - a.start)) result = result.slice(0, start) + replacement + result.slice(end);
  return result;
}

/** Makes a name that nothing has. */
export type Fresh = (wanted: string) => string;

export function freshNames(tokens: readonly Token[]): Fresh {
  const known = new Set(tokens.map(({ text }) => text));
  return (wanted) => {
    let name = wanted;
    for (let number = 0; known.has(name); number++) name = `${wanted}_${String(number)}`;
    known.add(name);
    return name;
  };
}

export function startOf(tokens: readonly Token[], at: number): number {
  return tokens[at]?.start ?? 0;
}

export function endOf(tokens: readonly Token[], at: number): number {
  return tokens[at]?.end ?? 0;
}

/** What stands from one token up to another. */
export function textOf(text: string, tokens: readonly Token[], from: number, to: number): string {
  return from >= to ? '' : text.slice(tokens[from]?.start, tokens[to - 1]?.end);
}

export interface Subroutine {
  /** Undefined of a task. */
  readonly name: string | undefined;
  readonly automatic: boolean;
  /** Indices: of the keyword, behind the header, and of the closing keyword. */
  readonly header: number;
  readonly body: number;
  readonly end: number;
  /** Tokens of the type of the result, from one index up to another. */
  readonly type: { readonly from: number; readonly to: number };
}

/** Tasks and functions with a body. */
export function subroutinesIn(tokens: readonly Token[]): Subroutine[] {
  return tokens.flatMap(({ text }, header): Subroutine[] => {
    if ((text !== 'function' && text !== 'task') || ['import', 'export', 'pure', 'extern', 'virtual'].includes(tokens[header - 1]?.text ?? '')) return [];
    const end = tokens.findIndex((token, at) => at > header && token.text === `end${text}`);
    const lifetime = tokens[header + 1]?.text;
    const from = lifetime === 'automatic' || lifetime === 'static' ? header + 2 : header + 1;
    let at = from;
    while (at < tokens.length && tokens[at]?.text !== '(' && tokens[at]?.text !== ';') at = tokens[at]?.text === '[' ? afterGroup(tokens, at) : at + 1;
    const semicolon = tokens[at]?.text === '(' ? afterGroup(tokens, at) : at;
    if (end < 0 || tokens[semicolon]?.text !== ';' || semicolon > end) return [];
    const isVoid = tokens[from]?.text === 'void';
    return [{ name: text === 'task' || isVoid ? undefined : tokens[at - 1]?.text, automatic: lifetime === 'automatic', header, body: semicolon + 1, end, type: { from, to: at - 1 } }];
  });
}

export interface Process {
  /** Indices: of the keyword, of the statement behind its event control, and behind that. */
  readonly keyword: number;
  readonly body: number;
  readonly end: number;
}

export function processesIn(tokens: readonly Token[]): Process[] {
  return tokens.flatMap(({ text }, keyword): Process[] => {
    if (!/^(?:always(?:_comb|_ff|_latch)?|initial|final)$/.test(text)) return [];
    const control = tokens[keyword + 1]?.text === '@';
    const body = !control ? keyword + 1 : tokens[keyword + 2]?.text === '(' ? afterGroup(tokens, keyword + 2) : keyword + 3;
    return [{ keyword, body, end: afterStatement(tokens, body) }];
  });
}

const DECLARING: ReadonlySet<string> = new Set(
  'input output inout ref logic bit reg int integer byte shortint longint time real automatic static var const localparam parameter typedef genvar struct union enum'.split(' '),
);

/** Behind the declarations that stand from an index on, at most up to another. */
export function afterDeclarations(tokens: readonly Token[], from: number, to: number): number {
  let at = from;
  while (at < to && isDeclaration(tokens, at)) at = afterStatement(tokens, at);
  return at;
}

function isDeclaration(tokens: readonly Token[], at: number): boolean {
  const first = tokens[at];
  if (first === undefined) return false;
  if (DECLARING.has(first.text)) return true;
  if (!isPlainName(first)) return false;
  const scoped = tokens[at + 1]?.text === ':' && tokens[at + 2]?.text === ':' ? at + 3 : at;
  const behind = tokens[groupsAt(tokens, scoped).at(-1)?.end ?? scoped + 1];
  return behind !== undefined && isPlainName(behind);
}
