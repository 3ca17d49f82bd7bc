/** Constant arrays of words, such as tables, as constant vectors of which parts are selected. */
import { groupsAt, outerTokens } from '../memories.ts';
import { afterGroup, isPlainName, tokenize, type Token } from '../tokens.ts';
import { edited, endOf, startOf, textOf, type Edit } from './structure.ts';
import { statesAt } from './states.ts';
import { isDescending, Types, widthOf } from './types.ts';
import { elementsOf, isPattern, Values } from './values.ts';

export function withoutConstantArrays(text: string): string {
  const tokens = tokenize(text);
  const [table] = tablesIn(text, tokens).flatMap((one) => tableEdits(text, tokens, one) ?? []);
  // The next table may be the index of this one.
  return table === undefined ? text : withoutConstantArrays(edited(text, table));
}

interface Table {
  readonly name: string;
  /** The word at the highest index first. */
  readonly words: readonly string[];
  readonly width: string;
  /** The lowest index. */
  readonly low: string;
  /** Indices: of its type, of the name, and behind the pattern. */
  readonly declarations: readonly { readonly typeAt: number; readonly at: number; readonly end: number }[];
}

function tablesIn(text: string, tokens: readonly Token[]): Table[] {
  const found = new Map<string, Table | undefined>();
  const types = new Types(text, tokens);
  const values = new Values(text, tokens);
  tokens.forEach((token, at) => {
    const groups = groupsAt(tokens, at);
    const [group] = groups;
    if (!isPlainName(token) || group === undefined || tokens[group.end]?.text !== '=' || !isPattern(tokens, group.end + 1)) return;
    const declared = types.declared(token.text);
    const [bounds] = declared?.unpacked ?? [];
    const table = types.at(at);
    if (declared === undefined || table === undefined || bounds === undefined || declared.unpacked.length > 1 || groups.length > 1 || declared.type.signed) return;
    if (!['localparam', 'parameter', 'const'].includes(tokens[table.typeAt - 1]?.text ?? '') || tokens[table.typeAt - 2]?.text === '(') return;
    // Beyond an array of two states lies 0, and beyond a vector nothing known.
    if (statesAt(tokens, table.typeAt) !== 'four') return;
    const falling = isDescending(bounds);
    const elements = elementsOf(tokens, group.end + 1);
    if (falling === undefined || elements.some(({ key }) => key !== undefined)) return;
    const given = elements.map((element) => values.value(element, declared.type));
    if (!given.every((word) => word !== undefined)) return;
    const words = falling ? given : [...given].reverse();
    const declaration = { typeAt: table.typeAt, at, end: afterGroup(tokens, group.end + 2) };
    const known = found.get(token.text);
    if (known !== undefined && known.words.join() !== words.join()) found.set(token.text, undefined);
    else if (known !== undefined || !found.has(token.text)) {
      found.set(token.text, {
        name: token.text,
        words,
        width: widthOf(declared.type),
        low: falling ? bounds.right : bounds.left,
        declarations: [...(known?.declarations ?? []), declaration],
      });
    }
  });
  return [...found.values()].filter((table) => table !== undefined);
}

/** The edits of a declaration and of all uses; undefined where some use is of more than one word. */
function tableEdits(text: string, tokens: readonly Token[], { name, words, width, low, declarations }: Table): Edit[][] | undefined {
  const edits: Edit[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.text !== name || tokens[at - 1]?.text === '.') continue;
    const [group] = groupsAt(tokens, at);
    if (group === undefined) return undefined;
    const own = declarations.find((one) => one.at === at);
    if (own !== undefined) {
      edits.push({ start: startOf(tokens, own.typeAt), end: endOf(tokens, own.end - 1), replacement: `[${String(words.length)} * (${width}) - 1 : 0] ${name} = {${words.join(', ')}}` });
      continue;
    }
    if (outerTokens(tokens, group.start + 1, group.end - 1).some(({ text: word }) => word === ':' || word === '?')) return undefined;
    const index = textOf(text, tokens, group.start + 1, group.end - 1);
    if (tokens.slice(group.start, group.end).some(({ text: word }) => word === name)) return undefined;
    // A sum with a number of 64 bits keeps the sign of the index, and leaves room for the product.
    const word = `((64'sd0 + (${index}))${low === '0' ? '' : ` - $signed(32'(${low}))`}) * $signed(32'(${width}))`;
    edits.push({ start: startOf(tokens, group.start), end: endOf(tokens, group.end - 1), replacement: `[${word} +: ${width}]` });
  }
  return [edits];
}
