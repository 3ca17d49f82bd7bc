/** The result of a function whose members are assigned one by one (IEEE 1800, 13.4.1), as a variable: a reader may take the name of a function for no structure. */
import { tokenize } from '../tokens.ts';
import { afterDeclarations, edited, endOf, freshNames, startOf, subroutinesIn, textOf, type Edit } from './structure.ts';

export function withoutResultMembers(text: string): string {
  const tokens = tokenize(text);
  const fresh = freshNames(tokens);
  const edits = subroutinesIn(tokens).flatMap(({ name, type, body, end }): Edit[] => {
    const uses = tokens.flatMap((token, at) => (at >= body && at < end && token.text === name && tokens[at - 1]?.text !== '.' && tokens[at + 1]?.text !== '(' ? [at] : []));
    if (name === undefined || type.from >= type.to || !uses.some((at) => tokens[at + 1]?.text === '.')) return [];
    const result = fresh(`${name}_result`);
    const behind = endOf(tokens, afterDeclarations(tokens, body, end) - 1);
    const last = startOf(tokens, end);
    return [
      { start: behind, end: behind, replacement: ` ${textOf(text, tokens, type.from, type.to)} ${result};` },
      ...uses.map((at): Edit => ({ start: startOf(tokens, at), end: endOf(tokens, at), replacement: result })),
      { start: last, end: last, replacement: ` ${name} = ${result}; ` },
    ];
  });
  return edited(text, edits);
}
