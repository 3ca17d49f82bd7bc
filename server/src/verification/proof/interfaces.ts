import { groupsAt } from './memories.ts';
import { isPlainName, tokenize } from './tokens.ts';

/** Names of ports and instances that are interfaces. */
export function interfaceNames(text: string): Set<string> {
  const tokens = tokenize(text);
  const types = new Set(tokens.flatMap(({ text: word }, at) => (word === 'interface' ? (tokens[at + 1]?.text ?? []) : [])));
  const names = new Set<string>();
  tokens.forEach(({ text: word }, at) => {
    if (!types.has(word)) return;
    const modport = tokens[at + 1]?.text === '.' ? at + 2 : at;
    const name = tokens[groupsAt(tokens, modport).at(-1)?.end ?? modport + 1];
    if (name !== undefined && isPlainName(name)) names.add(name.text);
  });
  return names;
}
