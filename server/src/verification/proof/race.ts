/** Variables whose order of update between blocks the standard leaves open (IEEE 1800, 4.8), and whether that can be seen. */
import { dependencies, followsHigh, isFlipFlop, LATCH, type Bit, type Cell, type Netlist } from './netlist.ts';
import type { ClockedAssignments } from './source.ts';

/**
 * The first variable that is assigned with `=` at a clock edge and that a flip-flop of another block samples at the same edge, or a latch that closes there
 * keeps, itself or through logic; undefined when the order of blocks matters nowhere. Combinational logic settles behind all of them.
 */
export function racingVariable(netlist: Netlist, { shared, atReset, blocks, repeated }: ClockedAssignments): string | undefined {
  if (shared.size === 0) return undefined;
  // In a netlist, what is escaped cannot be told from a path.
  const escaped = [...shared].find((name) => name.startsWith('\\'));
  if (escaped !== undefined) return escaped;
  const names = namesOf(netlist, shared);
  const registers = netlist.cells.filter(isFlipFlop);
  const places = new Set(registers.map(({ attributes }) => attributes?.['src']));
  // Where blocks cannot be told apart by their places, each is another.
  const blockOf = (cell: Cell): string => (repeated || places.size < blocks ? cell.name : blockName(cell));
  // While an asynchronous reset lasts, an edge of the clock assigns what is there already.
  const mayRace = (cell: Cell, bit: Bit): boolean => names.has(bit) && !(cell.type === '$adff' && atReset.has(names.get(bit) ?? ''));
  const owners = new Map<Bit, Cell>(registers.flatMap((cell) => (cell.connections['Q'] ?? []).filter((bit) => mayRace(cell, bit)).map((bit): [Bit, Cell] => [bit, cell])));
  for (const reader of [...registers, ...netlist.cells.filter(({ type }) => type === LATCH)]) {
    const seen = sampledBits(netlist, reader);
    for (const [bit, owner] of owners) {
      if (owner !== reader && seen.has(bit) && blockOf(owner) !== blockOf(reader) && mayCoincide(netlist, owner, reader)) return names.get(bit);
    }
  }
  return undefined;
}

/** The names among the wanted ones, by the bits that carry them in any instance. */
export function namesOf(netlist: Netlist, wanted: ReadonlySet<string>): Map<Bit, string> {
  const names = new Map<Bit, string>();
  for (const [path, { bits }] of Object.entries(netlist.netnames)) {
    const name = path.replace(/(?:\[\d+\])+$/, '').replace(/^.*\./, '');
    if (wanted.has(name)) for (const bit of bits) names.set(bit, name);
  }
  return names;
}

/** The block of a flip-flop: its place in the source and the instance in which it stands. */
function blockName({ name, attributes }: Cell): string {
  const place = attributes?.['src'];
  return place === undefined ? name : `${name.replace(/[^.]*$/, '')} ${String(place)}`;
}

/** All bits that a flip-flop sees at its edge, or a latch where it closes, through logic and latches. */
function sampledBits({ drivers }: Netlist, { connections }: Cell): Set<Bit> {
  const seen = new Set<Bit>();
  const pending = ['D', 'AD', 'ARST', 'ALOAD', 'EN', 'SRST'].flatMap((port) => connections[port] ?? []);
  for (let bit = pending.pop(); bit !== undefined; bit = pending.pop()) {
    if (seen.has(bit)) continue;
    seen.add(bit);
    const driver = drivers.get(bit);
    if (driver !== undefined && driver !== 'input') pending.push(...dependencies(driver, bit));
  }
  return seen;
}

/** Whether a flip-flop may change while another one samples or a latch closes: not at the two edges of one clock, where neither waits for anything else. */
function mayCoincide({ drivers }: Netlist, owner: Cell, reader: Cell): boolean {
  const [one, other] = [followsHigh(owner, drivers), followsHigh(reader, drivers)];
  const alone = owner.connections['ALOAD'] === undefined && reader.connections['ALOAD'] === undefined;
  // What a latch is open for ends with the other level.
  const readsHigh = other.high !== (reader.type === LATCH);
  return !(alone && one.root !== undefined && one.root === other.root && one.high !== readsHigh);
}
