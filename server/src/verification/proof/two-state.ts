/** Variables that know no x: they begin with 0, and what is unknown is 0 to them (IEEE 1800, 6.4 and 6.11.2). A netlist leaves both unknown. */
import { alwaysBlocks, blockingPlaces, handedNames, isClocked, nonblockingPlaces } from './assignments.ts';
import { initialBits } from './follow.ts';
import { groupsAt, listBehind } from './memories.ts';
import { isFlipFlop, LATCH, type Bit, type Cell, type Netlist } from './netlist.ts';
import { isWithin, processesIn, subroutinesIn, TYPE_WORDS, typedefsIn, type Range } from './processes.ts';
import { namesOf } from './race.ts';
import { withoutPragmas } from './source.ts';
import { afterGroup, afterStatement, constantNames, isPlainName, tokenize, type Token } from './tokens.ts';
import { numberParameter } from './words.ts';

const TWO_STATE: ReadonlySet<string> = new Set(['bit', 'byte', 'shortint', 'int', 'longint']);
const SIGNS: ReadonlySet<string> = new Set(['signed', 'unsigned']);

/** A side with what is clear of its variables of two states. */
export interface TwoStateSide {
  /** Their registers begin with 0. */
  readonly netlist: Netlist;
  /** Such a variable, where what it holds hangs on what is unknown at first or elsewhere. */
  readonly name: string | undefined;
  /** Bits that must be known lest such a variable takes something unknown for 0; undefined where nothing tells which. */
  readonly known: readonly Bit[] | undefined;
}

/**
 * `text`: all of the side, macros expanded. Where a net of another type is merged with such a variable, the netlist has lost where something unknown becomes 0; so nothing
 * that comes to one may be unknown.
 */
export function withTwoStates(text: string, netlist: Netlist): TwoStateSide {
  const tokens = tokenize(withoutPragmas(text));
  const names = twoStateNames(tokens);
  const [first] = names;
  if (first === undefined) return { netlist, name: undefined, known: [] };
  const hasConstant = hasUnknownConstant(netlist);
  const wanted = namesOf(netlist, names);
  const unset = unsetRegisters(netlist);
  const name = unset.map((bit) => wanted.get(bit)).find((one) => one !== undefined) ?? first;
  const isFed = [...names].some((one) => one.startsWith('\\')) || readsUndriven(netlist) || netlist.cells.some(mayMakeUnknown) || tokens.some(isUnknownNumber);
  if (unset.length === 0 && !hasConstant && !isFed) return { netlist, name: undefined, known: [] };
  const zeroed = withZeroes(netlist, zeroedNames(tokens));
  if (isFed) return { netlist: zeroed, name, known: undefined };
  if (unsetRegisters(zeroed).length === 0 && !hasConstant) return { netlist: zeroed, name, known: [] };
  return { netlist: zeroed, name, known: mustBeKnown(tokens, names, zeroed) ?? (hasConstant ? undefined : registerBits(zeroed)) };
}

/** A pattern with `?` is none. */
function isUnknownNumber({ kind, text }: Token): boolean {
  return kind === 'number' && /'.*[xz]/i.test(text);
}

/** The registers of these names begin with 0 where nothing else is said. */
function withZeroes(netlist: Netlist, names: ReadonlySet<string>): Netlist {
  const owned = namesOf(netlist, names);
  const inits = initialBits(netlist);
  const isZero = (bit: Bit): boolean => {
    const driver = netlist.drivers.get(bit);
    return !inits.has(bit) && owned.has(bit) && driver !== undefined && driver !== 'input' && isFlipFlop(driver);
  };
  const bits = [...owned.keys()].filter(isZero);
  if (bits.length === 0) return netlist;
  // No name of a source holds a space.
  return { ...netlist, netnames: { ...netlist.netnames, 'begin with 0': { hide_name: 1, bits, attributes: { init: '0'.repeat(bits.length) } } } };
}

/** Registers of one module, and of a type without x beyond doubt: no process but one that waits for an edge assigns them, and with `<=` alone, so that no other register has their name. */
function zeroedNames(tokens: readonly Token[]): Set<string> {
  const blocks = alwaysBlocks(tokens).filter(isClocked).map(({ body }) => body);
  const assigned = new Set(blockingPlaces(tokens).values());
  const late = countNames(nonblockingPlaces(tokens).values());
  const lateAtEdges = countNames(blocks.flatMap((body) => [...nonblockingPlaces(body).values()]));
  const inSubroutines = new Set(subroutinesIn(tokens).flatMap(({ from, to }) => tokens.slice(from, to).map(({ text }) => text)));
  const modules = tokens.flatMap(({ text }, from): Range[] => (text === 'module' || text === 'interface' ? [{ from, to: tokens.findIndex((token, at) => at > from && token.text === `end${text}`) }] : []));
  const isOfOne = (name: string): boolean => modules.filter(({ from, to }) => tokens.slice(from, to).some(({ text }) => text === name)).length === 1;
  const isOnlyLate = (name: string): boolean => !assigned.has(name) && late.get(name) === lateAtEdges.get(name);
  return new Set([...twoStateNames(tokens, true)].filter((name) => lateAtEdges.has(name) && isOnlyLate(name) && !inSubroutines.has(name) && isOfOne(name) && declarationsOf(tokens, name) === 1));
}

function countNames(names: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function declarationsOf(tokens: readonly Token[], name: string): number {
  const isHead = (token: Token, at: number): boolean => TYPE_WORDS.has(token.text) || token.text === '}' || (isPlainName(token) && tokens[at - 1]?.text !== '.');
  return tokens.filter((token, at) => isHead(token, at) && listBehind(tokens, groupsAt(tokens, at).at(-1)?.end ?? at + 1).includes(name)).length;
}

/** Their own bits and those of all that is assigned to them; undefined where the text does not tell. */
function mustBeKnown(tokens: readonly Token[], names: ReadonlySet<string>, netlist: Netlist): Bit[] | undefined {
  const constants = new Set([...constantNames(tokens), ...loopVariables(tokens)]);
  const processes = processesIn(tokens);
  const atOnce = blockingPlaces(tokens);
  const places = new Map([...atOnce, ...nonblockingPlaces(tokens)]);
  const subroutines = subroutinesIn(tokens);
  const handed = new Set(handedNames(tokens));
  const assigned = new Set(places.values());
  const wanted = new Set(names);
  for (const name of names) {
    // What nothing assigns an instance may drive.
    const mayBeDriven = !assigned.has(name);
    if (handed.has(name) || tokens.some((token, at) => token.text === name && (subroutines.some((range) => isWithin(range, at)) || (mayBeDriven && isConnected(tokens, at))))) return undefined;
  }
  for (const [at, name] of places) {
    if (!names.has(name)) continue;
    const process = processes.find((range) => isWithin(range, at));
    for (const [place, token] of operandsAt(tokens, at)) {
      if (token.text === name || names.has(token.text) || constants.has(token.text) || tokens[place - 1]?.text === '.') continue;
      // What was read may be an older value than that on which the process settles.
      if (process !== undefined && [...atOnce].some(([other, own]) => own === token.text && isWithin(process, other))) return undefined;
      wanted.add(token.text);
    }
  }
  const owned = namesOf(netlist, wanted);
  const found = new Set(owned.values());
  return [...wanted].every((name) => found.has(name)) ? [...owned.keys()].filter((bit) => typeof bit === 'number') : undefined;
}

/** Names in the rest of the statement, from the target on. */
function operandsAt(tokens: readonly Token[], target: number): [at: number, token: Token][] {
  const to = tokens.findIndex(({ text }, at) => at > target && text === ';');
  return tokens.slice(target, to).flatMap((token, at): [number, Token][] => (isPlainName(token) ? [[target + at, token]] : []));
}

/** Whether a name stands in the connection of a port of an instance. */
function isConnected(tokens: readonly Token[], name: number): boolean {
  let depth = 0;
  for (let at = name - 1; at >= 0 && tokens[at]?.text !== ';'; at--) {
    const text = tokens[at]?.text;
    if (text === ')') depth++;
    if (text === '(' && depth-- === 0) {
      const before = tokens[at - 2];
      return before?.text === '.' || before?.text === ')' || (before !== undefined && isPlainName(before));
    }
  }
  return false;
}

/** What loops count with, of the source and of its generate constructs. */
function loopVariables(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ text }, at) => {
    if (text !== 'for') return [];
    const sign = tokens.findIndex((token, place) => place > at && token.text === '=');
    return [tokens[sign - 1]?.text ?? ''];
  });
}

/** Whether something in it is unknown whatever the inputs and the state are. */
export function hasUnknownConstant({ cells, ports }: Netlist): boolean {
  return cells.some(({ connections }) => Object.values(connections).some((bits) => bits.includes('x'))) || Object.values(ports).some(({ bits }) => bits.includes('x'));
}

function registerBits({ cells }: Netlist): Bit[] {
  return cells.filter((cell) => isFlipFlop(cell) || cell.type === LATCH).flatMap(({ connections }) => connections['Q'] ?? []);
}

/** Bits of registers that begin with no value of their own. */
function unsetRegisters(netlist: Netlist): Bit[] {
  const inits = initialBits(netlist);
  return registerBits(netlist).filter((bit) => !inits.has(bit));
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

/**
 * Names of variables of such a type or of one that is made of such; constants, and what counts a loop that declares it, left out. `plain`: no structure, of which one member
 * with an x gives the whole one.
 */
function twoStateNames(tokens: readonly Token[], plain = false): Set<string> {
  const types = new Set(TWO_STATE);
  const names = new Set<string>();
  const definitions = typedefsIn(tokens);
  for (let before = -1; before < types.size; ) {
    before = types.size;
    for (const { range, name } of definitions) {
      const words = tokens.slice(range.from, range.to - 1).map(({ text }) => text);
      if (plain && !types.has(words[0] ?? '') && words[0] !== 'enum') continue;
      if ((words[0] === 'enum' && isOfTwoStates(tokens, range.from, types)) || words.some((word) => types.has(word))) types.add(name);
    }
  }
  tokens.forEach((token, at) => {
    if (!types.has(token.text) && !(token.text === 'enum' && isOfTwoStates(tokens, at, types))) return;
    const before = tokens[at - 1]?.text ?? '';
    if (['parameter', 'localparam', 'typedef', 'enum', '.'].includes(before) || (before === '(' && tokens[at - 2]?.text === 'for')) return;
    let from = groupsAt(tokens, at).at(-1)?.end ?? at + 1;
    if (token.text === 'enum') from = afterGroup(tokens, membersOf(tokens, at));
    if (SIGNS.has(tokens[from]?.text ?? '')) from = groupsAt(tokens, from).at(-1)?.end ?? from + 1;
    // A cast and the result of a function take what is unknown for 0, too.
    if (tokens[from]?.text.startsWith("'") === true) names.add(token.text);
    else for (const name of listBehind(tokens, from)) if (!countsLoops(tokens, name)) names.add(name);
  });
  return names;
}

/** Where the members of an enumeration begin. */
function membersOf(tokens: readonly Token[], enumeration: number): number {
  return tokens.findIndex(({ text }, at) => at > enumeration && text === '{');
}

/** Without a type of its own an enumeration is one of `int`. */
function isOfTwoStates(tokens: readonly Token[], enumeration: number, types: ReadonlySet<string>): boolean {
  const base = tokens[enumeration + 1]?.text ?? '';
  return base === '{' || types.has(base);
}

/** Each loop sets it before anything reads it, and nothing else does. */
function countsLoops(tokens: readonly Token[], name: string): boolean {
  const loops = tokens.flatMap(({ text }, from): Range[] => (text === 'for' && tokens[from + 2]?.text === name && tokens[from + 3]?.text === '=' ? [{ from, to: afterStatement(tokens, from) }] : []));
  const outside = tokens.filter(({ text }, at) => text === name && !loops.some((loop) => isWithin(loop, at))).length;
  // One is its declaration.
  return loops.length > 0 && outside <= 1;
}
