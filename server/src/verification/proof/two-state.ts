/** Variables that know no x: they begin with 0, and what is unknown is 0 to them (IEEE 1800, 6.4 and 6.11.2). A netlist leaves both unknown. */
import { initialBits } from './follow.ts';
import { groupsAt, listBehind, outerTokens } from './memories.ts';
import { isFlipFlop, LATCH, type Bit, type Cell, type Netlist } from './netlist.ts';
import { isWithin, typedefsIn, type Range } from './processes.ts';
import { namesOf } from './race.ts';
import { afterStatement, type Token } from './tokens.ts';
import { numberParameter } from './words.ts';

const TWO_STATE: ReadonlySet<string> = new Set(['bit', 'byte', 'shortint', 'int', 'longint']);
const SIGNS: ReadonlySet<string> = new Set(['signed', 'unsigned']);

/**
 * A variable of two states that may begin with, or be given, something that a netlist takes for unknown; undefined where there is none. What is unknown
 * anywhere may come to it, and where it stands in the netlist is lost where nets of other types were merged with it.
 */
export function twoStateVariable(tokens: readonly Token[], netlist: Netlist): string | undefined {
  const names = twoStateNames(tokens);
  const [first] = names;
  if (first === undefined) return undefined;
  const escaped = [...names].find((name) => name.startsWith('\\'));
  if (escaped !== undefined) return escaped;
  const unset = unsetRegisters(netlist);
  const wanted = namesOf(netlist, names);
  const own = unset.find((bit) => wanted.has(bit));
  if (own !== undefined) return wanted.get(own);
  return unset.length > 0 || hasUnknownConstant(netlist) || readsUndriven(netlist) || netlist.cells.some(mayMakeUnknown) ? first : undefined;
}

/** Whether something in it is unknown whatever the inputs and the state are. */
export function hasUnknownConstant({ cells, ports }: Netlist): boolean {
  return cells.some(({ connections }) => Object.values(connections).some((bits) => bits.includes('x'))) || Object.values(ports).some(({ bits }) => bits.includes('x'));
}

/** Bits of registers that begin with no value of their own. */
function unsetRegisters(netlist: Netlist): Bit[] {
  const inits = initialBits(netlist);
  return netlist.cells.filter((cell) => isFlipFlop(cell) || cell.type === LATCH).flatMap(({ connections }) => (connections['Q'] ?? []).filter((bit) => !inits.has(bit)));
}

function readsUndriven({ cells, ports, drivers }: Netlist): boolean {
  const isUndriven = (bit: Bit): boolean => typeof bit === 'number' && !drivers.has(bit);
  const isRead = (cell: Cell): boolean => Object.entries(cell.connections).some(([port, bits]) => cell.port_directions?.[port] === 'input' && bits.some(isUndriven));
  return cells.some(isRead) || Object.values(ports).some(({ direction, bits }) => direction === 'output' && bits.some(isUndriven));
}

/** Cells that give x for some known inputs: a division by zero, an element that is not there, a memory that was not written. */
function mayMakeUnknown(cell: Cell): boolean {
  const { type, connections } = cell;
  if (/^\$(?:div|mod|pow|mem)/.test(type)) return true;
  if (type !== '$shiftx') return false;
  const [from, index, taken] = ['A', 'B', 'Y'].map((port) => connections[port]?.length ?? 0);
  return numberParameter(cell, 'B_SIGNED') !== 0 || 2 ** (index ?? 0) - 1 + (taken ?? 0) > (from ?? 0);
}

/** Names of variables of such a type or of one that is made of such; constants, and what counts a loop that declares it, left out. */
function twoStateNames(tokens: readonly Token[]): Set<string> {
  const types = new Set(TWO_STATE);
  const names = new Set<string>();
  const definitions = typedefsIn(tokens);
  for (let before = -1; before < types.size; ) {
    before = types.size;
    for (const { range, name } of definitions) {
      const words = tokens.slice(range.from, range.to - 1).map(({ text }) => text);
      // Without a type of its own an enumeration is one of `int`.
      if ((words[0] === 'enum' && words[1] === '{') || words.some((word) => types.has(word))) types.add(name);
    }
  }
  tokens.forEach((token, at) => {
    if (!types.has(token.text) && !(token.text === 'enum' && tokens[at + 1]?.text === '{')) return;
    const before = tokens[at - 1]?.text ?? '';
    if (['parameter', 'localparam', 'typedef', 'enum', '.'].includes(before) || (before === '(' && tokens[at - 2]?.text === 'for')) return;
    let from = groupsAt(tokens, at).at(-1)?.end ?? at + 1;
    if (token.text === 'enum') from = outerTokens(tokens, at + 1, tokens.length)[1]?.at ?? from;
    if (SIGNS.has(tokens[from]?.text ?? '')) from = groupsAt(tokens, from).at(-1)?.end ?? from + 1;
    // A cast and the result of a function take what is unknown for 0, too.
    if (tokens[from]?.text.startsWith("'") === true) names.add(token.text);
    else for (const name of listBehind(tokens, from)) if (!countsLoops(tokens, name)) names.add(name);
  });
  return names;
}

/** Each loop sets it before anything reads it, and nothing else does. */
function countsLoops(tokens: readonly Token[], name: string): boolean {
  const loops = tokens.flatMap(({ text }, from): Range[] => (text === 'for' && tokens[from + 2]?.text === name && tokens[from + 3]?.text === '=' ? [{ from, to: afterStatement(tokens, from) }] : []));
  const outside = tokens.filter(({ text }, at) => text === name && !loops.some((loop) => isWithin(loop, at))).length;
  // One is its declaration.
  return loops.length > 0 && outside <= 1;
}
