/** Processes, subroutines and types of a text, and in which order statements may run. */
import { groupsAt, listBehind, outerTokens } from './memories.ts';
import { afterGroup, afterStatement, isPlainName, openingOf, type Token } from './tokens.ts';

const PROCESSES: ReadonlySet<string> = new Set(['always', 'always_comb', 'always_ff', 'always_latch', 'initial', 'final']);
const SUBROUTINES: Readonly<Record<string, string>> = { function: 'endfunction', task: 'endtask' };
const LOOPS: ReadonlySet<string> = new Set(['for', 'while', 'repeat', 'forever', 'foreach', 'do']);
export const CASES: ReadonlySet<string> = new Set(['case', 'casez', 'casex']);

/** A piece of the tokens, from the first index to that behind the last. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export function isWithin({ from, to }: Range, at: number): boolean {
  return at >= from && at < to;
}

export function processesIn(tokens: readonly Token[]): Range[] {
  const found: Range[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!PROCESSES.has(tokens[at]?.text ?? '')) continue;
    const to = afterStatement(tokens, at + 1);
    found.push({ from: at, to });
    at = to - 1;
  }
  return found;
}

/** Tasks and functions, from one keyword to the other. */
export function subroutinesIn(tokens: readonly Token[]): Range[] {
  return tokens.flatMap(({ text }, from): Range[] => {
    const closer = Object.hasOwn(SUBROUTINES, text) ? SUBROUTINES[text] : undefined;
    const to = closer === undefined ? -1 : tokens.findIndex((token, at) => at > from && token.text === closer);
    return to < 0 ? [] : [{ from, to }];
  });
}

/** Whether the statement at one place may run behind that at another when a process runs once. */
export function mayFollow(body: readonly Token[], first: number, second: number): boolean {
  const both = ({ from, to }: Range): boolean => isWithin({ from, to }, first) && isWithin({ from, to }, second);
  for (const [from, { text }] of body.entries()) {
    const to = LOOPS.has(text) ? afterStatement(body, from) : from;
    if (both({ from, to })) return true;
  }
  if (second < first) return false;
  return !body.some((_, at) => {
    const arms = armsOf(body, at);
    const [one, other] = [first, second].map((place) => arms.findIndex((arm) => isWithin(arm, place)));
    return one !== other && one !== -1 && other !== -1;
  });
}

/** The statements of which one runs, where a choice between statements begins. */
export function armsOf(body: readonly Token[], at: number): Range[] {
  const word = body[at]?.text ?? '';
  if (word === 'if') {
    const then = afterGroup(body, at + 1);
    const to = afterStatement(body, then);
    return body[to]?.text === 'else' ? [{ from: then, to }, { from: to + 1, to: afterStatement(body, to + 1) }] : [{ from: then, to }];
  }
  if (!CASES.has(word)) return [];
  const arms: Range[] = [];
  for (let item = afterGroup(body, at + 1); item < body.length && body[item]?.text !== 'endcase'; ) {
    const colon = outerTokens(body, item, body.length).find(({ text }) => text === ':')?.at ?? item;
    const from = body[item]?.text === 'default' && body[item + 1]?.text !== ':' ? item + 1 : colon + 1;
    const to = afterStatement(body, from);
    arms.push({ from, to });
    item = to;
  }
  return arms;
}

/** A definition of a type. */
export interface Typedef {
  /** Tokens from the type to the semicolon. */
  readonly range: Range;
  readonly name: string;
}

export function typedefsIn(tokens: readonly Token[]): Typedef[] {
  return tokens.flatMap(({ text }, at): Typedef[] => {
    const to = text === 'typedef' ? outerTokens(tokens, at, tokens.length).find((token) => token.text === ';')?.at : undefined;
    if (to === undefined) return [];
    // Dimensions of an array may stand behind the name.
    let name = to - 1;
    while (tokens[name]?.text === ']') name = openingOf(tokens, name) - 1;
    return [{ range: { from: at + 1, to }, name: tokens[name]?.text ?? '' }];
  });
}

/** Words with which declarations begin. */
export const TYPE_WORDS: ReadonlySet<string> = new Set(
  'input output inout ref const var wire reg logic bit byte shortint int longint integer time real realtime genvar parameter localparam signed unsigned automatic static'.split(' '),
);

/** Names that a part of a text declares. */
export function declaredNames(tokens: readonly Token[], { from, to }: Range): Set<string> {
  const names = new Set<string>();
  for (let at = from; at < to; at++) {
    const token = tokens[at];
    if (token === undefined || (!TYPE_WORDS.has(token.text) && (!isPlainName(token) || tokens[at - 1]?.text === '.'))) continue;
    for (const name of listBehind(tokens, groupsAt(tokens, at).at(-1)?.end ?? at + 1)) names.add(name);
  }
  return names;
}
