/** Set membership (IEEE 1800, 11.4.13) in terms of comparisons, where each element of the set is a plain constant or a range of such. */
import { outerTokens } from '../memories.ts';
import { afterGroup, constantNames, isPlainName, openingOf, tokenize, type Token } from '../tokens.ts';
import { edited, endOf, startOf, textOf, type Edit } from './structure.ts';

/** What may stand before the left operand, so that this is one name, call or group. */
const BEFORE: ReadonlySet<string> = new Set(['(', '=', '?', ':', ',', '{', '&', '|', ';', 'return']);

export function withoutMembership(text: string): string {
  const tokens = tokenize(text);
  const constants = constantNames(tokens);
  return edited(
    text,
    tokens.flatMap(({ text: word }, at): Edit[] => {
      const set = at + 1;
      if (word !== 'inside' || tokens[set]?.text !== '{') return [];
      const from = operandStart(tokens, at);
      const end = afterGroup(tokens, set);
      const parts = elements(tokens, set, end).map(({ start, stop }) => comparison(text, tokens, textOf(text, tokens, from, at), { start, stop }, constants));
      if (from === at || !BEFORE.has(tokens[from - 1]?.text ?? '') || !parts.every((part) => part !== undefined)) return [];
      return [{ start: startOf(tokens, from), end: endOf(tokens, end - 1), replacement: `(${parts.join(' || ')})` }];
    }),
  );
}

interface Span {
  readonly start: number;
  readonly stop: number;
}

function elements(tokens: readonly Token[], open: number, end: number): Span[] {
  const commas = outerTokens(tokens, open + 1, end - 1).flatMap(({ text, at }) => (text === ',' ? [at] : []));
  return [...commas, end - 1].map((stop, index) => ({ start: index === 0 ? open + 1 : (commas[index - 1] ?? open) + 1, stop }));
}

function comparison(text: string, tokens: readonly Token[], operand: string, { start, stop }: Span, constants: ReadonlySet<string>): string | undefined {
  const isConstant = tokens.slice(start, stop).every((token) => token.kind !== 'string' && token.kind !== 'directive' && token.text !== '$' && !/^(?:\d*)'.*[xXzZ?]/.test(token.text) && (!isPlainName(token) || constants.has(token.text)));
  if (!isConstant || start >= stop) return undefined;
  if (tokens[start]?.text !== '[') return `(${operand}) == (${textOf(text, tokens, start, stop)})`;
  const colon = outerTokens(tokens, start + 1, stop - 1).find(({ text: word }) => word === ':')?.at;
  if (colon === undefined || afterGroup(tokens, start) !== stop) return undefined;
  return `((${operand}) >= (${textOf(text, tokens, start + 1, colon)}) && (${operand}) <= (${textOf(text, tokens, colon + 1, stop - 1)}))`;
}

/** Where the name, call or group begins that ends before an index; the index itself where none does. */
function operandStart(tokens: readonly Token[], end: number): number {
  let at = end;
  for (;;) {
    const before = tokens[at - 1];
    if (before === undefined) return at;
    if (before.text === ')' || before.text === ']' || before.text === '}') {
      at = openingOf(tokens, at - 1);
      if (before.text !== ']') {
        const name = tokens[at - 1];
        return before.text === ')' && name !== undefined && (isPlainName(name) || name.text.startsWith('$')) ? at - 1 : at;
      }
    } else if (isPlainName(before) || before.kind === 'number') {
      if (tokens[at - 2]?.text !== '.') return at - 1;
      at -= 2;
    } else return end;
  }
}
