/** Which register of one side may stand for which of the other. Any answer is right, since nothing rests on it but how soon a proof is found. */
import { isRegister } from './follow.ts';
import type { Bit, Netlist } from './netlist.ts';

/** For bits of the golden's registers the bits of the DUT's: of the same name, and else in the same order among those of the same width. */
export function pairRegisters(golden: Netlist, dut: Netlist): Map<Bit, Bit> {
  const pairs = new Map<Bit, Bit>();
  const taken = new Set<Bit>();
  const pair = (own: Bit, other: Bit): void => {
    if (pairs.has(own) || taken.has(other)) return;
    pairs.set(own, other);
    taken.add(other);
  };
  const named = registerNames(dut);
  for (const [name, bit] of registerNames(golden)) {
    const other = named.get(name);
    if (other !== undefined) pair(bit, other);
  }
  const left = (netlist: Netlist, used: (bit: Bit) => boolean): Map<number, Bit[][]> => {
    const byWidth = new Map<number, Bit[][]>();
    for (const cell of netlist.cells) {
      const word = cell.connections['Q'] ?? [];
      if (isRegister(cell) && !word.some(used)) byWidth.set(word.length, [...(byWidth.get(word.length) ?? []), [...word]]);
    }
    return byWidth;
  };
  const others = left(dut, (bit) => taken.has(bit));
  for (const [width, words] of left(golden, (bit) => pairs.has(bit))) {
    words.forEach((word, at) => word.forEach((bit, index) => {
      const other = others.get(width)?.[at]?.[index];
      if (other !== undefined) pair(bit, other);
    }));
  }
  return pairs;
}

function registerNames(netlist: Netlist): Map<string, Bit> {
  const held = new Set<Bit>(netlist.cells.filter(isRegister).flatMap(({ connections }) => connections['Q'] ?? []));
  const names = new Map<string, Bit>();
  for (const [name, { hide_name: hidden, bits }] of Object.entries(netlist.netnames)) {
    if (hidden === 0) bits.forEach((bit, index) => {
      if (held.has(bit)) names.set(`${name}[${String(index)}]`, bit);
    });
  }
  return names;
}

/** All register bits that some path leads to from the given ones, themselves included. */
export function registersBehind(netlist: Netlist, from: Iterable<Bit>): Set<Bit> {
  const readers = new Map<Bit, Bit[]>();
  const registers = new Set<Bit>();
  for (const cell of netlist.cells) {
    const ends = Object.entries(cell.connections).flatMap(([port, bits]) => (cell.port_directions?.[port] === 'output' ? bits : []));
    if (isRegister(cell)) ends.forEach((bit) => registers.add(bit));
    for (const [port, bits] of Object.entries(cell.connections)) {
      if (cell.port_directions?.[port] !== 'output') for (const bit of bits) {
        const known = readers.get(bit);
        if (known === undefined) readers.set(bit, [...ends]);
        else known.push(...ends);
      }
    }
  }
  const reached = new Set<Bit>(from);
  const pending = [...reached];
  for (let bit = pending.pop(); bit !== undefined; bit = pending.pop()) {
    for (const next of readers.get(bit) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      pending.push(next);
    }
  }
  return new Set([...reached].filter((bit) => registers.has(bit)));
}
