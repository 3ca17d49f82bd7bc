/** Members of an element of an array of structures as part selects: a reader that takes `a[i].b` for a name in a generated block knows only plain numbers there. */
import { groupsAt } from '../memories.ts';
import { isPlainName, tokenize } from '../tokens.ts';
import { edited, endOf, startOf, type Edit } from './structure.ts';
import { sum, Types, widthOf, type Type } from './types.ts';

export function withoutElementMembers(text: string): string {
  const tokens = tokenize(text);
  if (!tokens.some(({ text: word }, at) => word === ']' && tokens[at + 1]?.text === '.')) return text;
  const types = new Types(text, tokens);
  return edited(
    text,
    tokens.flatMap((token, at): Edit[] => {
      const groups = groupsAt(tokens, at);
      const end = groups.at(-1)?.end ?? at;
      if (!isPlainName(token) || groups.length === 0 || tokens[end]?.text !== '.' || tokens[at - 1]?.text === '.') return [];
      const declared = types.declared(token.text);
      if (declared?.type.members === undefined || declared.unpacked.length + declared.type.packed.length !== groups.length) return [];
      let type: Type = { ...declared.type, packed: [] };
      const offsets: string[] = [];
      let behind = end;
      while (tokens[behind]?.text === '.') {
        const members: NonNullable<Type['members']> = type.packed.length > 0 ? [] : (type.members ?? []);
        const index = members.findIndex(({ name }) => name === tokens[behind + 1]?.text);
        const member = members[index];
        if (member === undefined) return [];
        offsets.push(...members.slice(index + 1).map((later) => widthOf(later.type)));
        type = member.type;
        behind += 2;
      }
      // A part select has no sign and no parts of its own.
      if (type.signed || tokens[behind]?.text === '[') return [];
      return [{ start: startOf(tokens, end), end: endOf(tokens, behind - 1), replacement: `[${sum(offsets)} +: ${widthOf(type)}]` }];
    }),
  );
}
