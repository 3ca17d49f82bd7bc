/**
 * Indices inside of packed arrays of several dimensions and of members of structures. Beyond its own dimension such an index selects
 * nothing (IEEE 1800, 7.4.5), but Yosys goes on in the next row, or in the next member.
 */
import { groupsAt, listBehind, outerTokens, type Group } from './memories.ts';
import { constantNames, isPlainName, tokenize, type Token } from './tokens.ts';

/** The first name inside of which some index may leave its dimension; undefined where none can. */
export function leftDimension(text: string): string | undefined {
  const tokens = tokenize(text);
  const { arrays, members } = declaredIn(tokens);
  if (arrays.size === 0 && members.size === 0) return undefined;
  const steady = steadyNames(tokens);
  const varies = (group: Group): boolean => {
    const inside = tokens.slice(group.start + 1, group.end - 1);
    const outer = outerTokens(tokens, group.start + 1, group.end - 1).map(({ text: word }) => word);
    const isRange = outer.includes(':') && !outer.includes('?') && !outer.includes('+') && !outer.includes('-');
    return !isRange && inside.some((token) => (isPlainName(token) || token.text.startsWith('$')) && !steady.has(token.text));
  };
  const index = tokens.findIndex((token, at) => {
    const groups = groupsAt(tokens, at);
    if (tokens[at - 1]?.text === '.' && members.has(token.text)) return groups.some(varies);
    return arrays.has(token.text) && groups.slice(1).some(varies);
  });
  return tokens[index]?.text;
}

const NET_OR_VARIABLE: ReadonlySet<string> = new Set('reg wire logic bit signed unsigned tri uwire var input output inout'.split(' '));

/** Names of packed arrays of several dimensions, or of types that may be such, and of members of structures. */
function declaredIn(tokens: readonly Token[]): { readonly arrays: ReadonlySet<string>; readonly members: ReadonlySet<string> } {
  const [arrays, members] = [new Set<string>(), new Set<string>()];
  let depth = 0;
  let structure = 0;
  tokens.forEach((token, at) => {
    if (token.text === '{') depth++;
    if (token.text === '}') structure = --depth < structure ? 0 : structure;
    if (token.text === 'struct' || token.text === 'union') structure = depth + 1;
    const isType = NET_OR_VARIABLE.has(token.text) || (isPlainName(token) && tokens[at - 1]?.text !== '.');
    const ranges = groupsAt(tokens, at);
    const names = isType ? listBehind(tokens, ranges.at(-1)?.end ?? at + 1) : [];
    if (ranges.length > (isPlainName(token) ? 0 : 1) || arrays.has(token.text)) for (const name of names) arrays.add(name);
    if (structure > 0 && depth >= structure) for (const name of names) members.add(name);
  });
  return { arrays, members };
}

/** What is a constant once loops are unrolled. */
function steadyNames(tokens: readonly Token[]): Set<string> {
  const names = constantNames(tokens);
  tokens.forEach(({ text }, at) => {
    if (text === 'genvar') for (const name of listBehind(tokens, at + 1)) names.add(name);
    if (text !== 'for' || tokens[at + 1]?.text !== '(') return;
    const first = tokens.slice(at + 2).find((token) => isPlainName(token));
    if (first !== undefined) names.add(first.text);
  });
  return names;
}
