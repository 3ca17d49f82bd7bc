/** Loops over the elements of an array (IEEE 1800, 12.7.3) as counting loops. */
import { outerTokens } from '../memories.ts';
import { afterGroup, afterStatement, isPlainName, tokenize } from '../tokens.ts';
import { edited, type Edit } from './structure.ts';
import { isDescending, Types } from './types.ts';

export function withoutForeach(text: string): string {
  const tokens = tokenize(text);
  if (!tokens.some(({ text: word }) => word === 'foreach')) return text;
  const types = new Types(text, tokens);
  return edited(
    text,
    tokens.flatMap(({ text: word, start }, at): Edit[] => {
      const [open, name, bracket] = [at + 1, tokens[at + 2], at + 3];
      if (word !== 'foreach' || tokens[open]?.text !== '(' || name === undefined || tokens[bracket]?.text !== '[') return [];
      const end = afterGroup(tokens, open);
      const declared = types.declared(name.text);
      if (declared === undefined || afterGroup(tokens, bracket) !== end - 1) return [];
      const bounds = [...declared.unpacked, ...declared.type.packed];
      const places = outerTokens(tokens, bracket + 1, end - 2);
      const indices = places.filter((_, index) => index % 2 === 0).map(({ at: index }) => tokens[index]);
      if (places.some(({ text: sign }, index) => index % 2 === 1 && sign !== ',') || indices.length > bounds.length) return [];
      // It leaves the loops over all dimensions.
      if (indices.length > 1 && tokens.slice(end, afterStatement(tokens, end)).some(({ text: jump }) => jump === 'break')) return [];
      const heads = indices.map((index, dimension) => {
        const range = bounds[dimension];
        const isFalling = range && isDescending(range);
        if (index === undefined || !isPlainName(index) || range === undefined || isFalling === undefined) return undefined;
        const [sign, step] = isFalling ? ['>=', '-'] : ['<=', '+'];
        return `for (int ${index.text} = ${range.left}; ${index.text} ${sign} ${range.right}; ${index.text} = ${index.text} ${step} 1)`;
      });
      if (!heads.every((head) => head !== undefined)) return [];
      return [{ start, end: tokens[end - 1]?.end ?? start, replacement: heads.join(' ') }];
    }),
  );
}
