import type { Span } from './text.ts';

/** A string of a JSON text, without its quotes. */
export interface JsonString {
  readonly value: string;
  readonly span: Span;
  /** Keys and positions that lead to it; for a key they lead to the object that has it. */
  readonly path: readonly (string | number)[];
  readonly isKey: boolean;
}

/** All strings of a valid JSON text with their places, in order; none of a text that is not valid. */
export function jsonStrings(text: string): JsonString[] {
  try {
    JSON.parse(text);
  } catch {
    return [];
  }
  const found: JsonString[] = [];
  /** For each open object the key that is being read, for each open list its position. */
  const open: (string | number)[] = [];
  const kinds: ('{' | '[')[] = [];
  let wantsKey = false;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g)) {
    if (token === '{' || token === '[') {
      kinds.push(token);
      open.push(token === '{' ? '' : 0);
      wantsKey = token === '{';
    } else if (token === '}' || token === ']') {
      kinds.pop();
      open.pop();
      wantsKey = false;
    } else if (token === ',') {
      const last = open.at(-1);
      if (typeof last === 'number') open[open.length - 1] = last + 1;
      wantsKey = kinds.at(-1) === '{';
    } else if (token === ':') wantsKey = false;
    else {
      const value = JSON.parse(token) as string;
      if (wantsKey) open[open.length - 1] = value;
      found.push({ value, span: { start: index + 1, end: index + token.length - 1 }, path: wantsKey ? open.slice(0, -1) : [...open], isKey: wantsKey });
    }
  }
  return found;
}
