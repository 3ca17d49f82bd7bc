/** Whether the bits of a type may be unknown (IEEE 1800, 6.3.1), which decides with what a variable begins and what is read beyond an array. */
import { afterGroup, afterStatement, type Token } from '../tokens.ts';

const TWO_STATE: ReadonlySet<string> = new Set(['int', 'bit', 'byte', 'shortint', 'longint']);
const FOUR_STATE: ReadonlySet<string> = new Set(['logic', 'reg', 'wire', 'integer', 'time']);

export type States = 'two' | 'four' | 'mixed';

/** The states of the type that stands at an index; undefined where it is not known. */
export function statesAt(tokens: readonly Token[], at: number): States | undefined {
  const word = tokens[at]?.text ?? '';
  if (TWO_STATE.has(word)) return 'two';
  if (FOUR_STATE.has(word) || word === '[' || word === 'signed' || word === 'unsigned') return 'four';
  if (word === 'enum') return tokens[at + 1]?.text === '{' ? 'two' : statesAt(tokens, at + 1);
  if (word === 'struct' || word === 'union') return membersAt(tokens, at);
  if (tokens[at + 1]?.text === ':' && tokens[at + 2]?.text === ':') return statesAt(tokens, at + 3);
  const found = tokens.flatMap(({ text }, index) => (text === 'typedef' && tokens[afterStatement(tokens, index) - 2]?.text === word ? [statesAt(tokens, index + 1)] : []));
  return agreed(found);
}

function membersAt(tokens: readonly Token[], at: number): States | undefined {
  const open = tokens.findIndex(({ text }, index) => index > at && text === '{');
  const end = afterGroup(tokens, open) - 1;
  const states: (States | undefined)[] = [];
  for (let member = open + 1; member < end; member = afterStatement(tokens, member)) states.push(statesAt(tokens, member));
  return states.includes(undefined) ? undefined : (agreed(states) ?? 'mixed');
}

function agreed(states: readonly (States | undefined)[]): States | undefined {
  const [first] = states;
  return states.every((one) => one === first) ? first : undefined;
}
