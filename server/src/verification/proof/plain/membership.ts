/** Set membership (IEEE 1800, 11.4.13) in terms of comparisons, where each element of the set is a plain constant or a range of such. */
import { outerTokens } from '../memories.ts';
import { afterGroup, constantNames, isPlainName, openingOf, tokenize, type Token } from '../tokens.ts';
import { edited, endOf, startOf, textOf, type Edit } from './structure.ts';

/** What may stand before the left operand, so that this is one name, call or group. */
const BEFORE: ReadonlySet<string> = new Set(['(', '=', '?', ':', ',', '{', '&', '|', ';', 'return']);

export function withoutMembership(text: string): string {
  const tokens = tokenize(text);
  const constants = plainConstants(tokens);
  return edited(
    text,
    tokens.flatMap(({ text: word }, at): Edit[] => {
      const set = at + 1;
      if (word !== 'inside' || tokens[set]?.text !== '{') return [];
      const from = operandStart(tokens, at);
      const end = afterGroup(tokens, set);
      const parts = elements(tokens, set, end).map(({ start, stop }) => comparison(text, tokens, textOf(text, tokens, from, at), { start, stop }, constants));
      if (from === at || !BEFORE.has(tokens[from - 1]?.text ?? '') || isReduction(tokens, from - 1) || !parts.every((part) => part !== undefined)) return [];
      return [{ start: startOf(tokens, from), end: endOf(tokens, end - 1), replacement: `(${parts.join(' || ')})` }];
    }),
  );
}

const UNKNOWN = /^(?:\d[\d_]*\s*)?'.*[xXzZ?]/;

/** Constants without bits that stand for any value in a set. */
function plainConstants(tokens: readonly Token[]): Set<string> {
  const constants = constantNames(tokens);
  tokens.forEach((token, at) => {
    if (!constants.has(token.text) || tokens[at + 1]?.text !== '=') return;
    let end = at + 2;
    while (end < tokens.length && ![',', ';', ')', '}'].includes(tokens[end]?.text ?? '')) end = ['(', '[', '{'].includes(tokens[end]?.text ?? '') ? afterGroup(tokens, end) : end + 1;
    if (tokens.slice(at + 2, end).some(({ text }) => UNKNOWN.test(text) || (!constants.has(text) && /^[A-Za-z_]\w*$/.test(text)))) constants.delete(token.text);
  });
  return constants;
}

/** Whether `&` or `|` stands in front of its only operand, which it takes before the set does. */
function isReduction(tokens: readonly Token[], at: number): boolean {
  const [sign, before] = [tokens[at]?.text, tokens[at - 1]];
  if (sign !== '&' && sign !== '|') return false;
  const operand = before?.text === sign && before.end === tokens[at]?.start ? tokens[at - 2] : before;
  return operand === undefined || !(isPlainName(operand) || operand.kind === 'number' || [')', ']', '}'].includes(operand.text));
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
  const isConstant = tokens.slice(start, stop).every((token) => token.kind !== 'string' && token.kind !== 'directive' && token.text !== '$' && !UNKNOWN.test(token.text) && (!isPlainName(token) || constants.has(token.text)));
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
