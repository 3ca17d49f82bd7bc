/**
 * Arrays of what a name stands for: Yosys forgets the dimensions of an array of structures, and its older releases those in front of any named type, and takes the whole
 * for one element.
 */
import { groupsAt } from './memories.ts';
import { typedefsIn } from './processes.ts';
import { isPlainName, tokenize, type Token } from './tokens.ts';

/** An array whose elements have a type that a name stands for and that would be read as no array; undefined where there is none. */
export function namedArray(text: string): string | undefined {
  const tokens = tokenize(text);
  const structures = new Set<string>();
  const names = new Set<string>();
  for (const { range, name } of typedefsIn(tokens)) {
    names.add(name);
    const base = tokens[range.from]?.text ?? '';
    if (base === 'struct' || base === 'union' || structures.has(base)) structures.add(name);
  }
  return tokens.find((token, at) => names.has(token.text) && tokens[at - 1]?.text !== '.' && isArray(tokens, at, structures.has(token.text)))?.text;
}

/** Whether a named type stands there with dimensions of its own, or, where it is a structure, with a name that has some. */
function isArray(tokens: readonly Token[], at: number, isStructure: boolean): boolean {
  const groups = groupsAt(tokens, at);
  const name = groups.at(-1)?.end ?? at + 1;
  const token = tokens[name];
  if (token === undefined || !isPlainName(token)) return false;
  return groups.length > 0 || (isStructure && groupsAt(tokens, name).length > 0);
}
