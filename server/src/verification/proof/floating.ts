/** High impedance (z) at outputs: what a choice passes on as it is, and what elsewhere is unknown (IEEE 1800, 11.4.11 and 11.8.4). */
import { isFlipFlop, LATCH, type Bit, type Cell, type Netlist } from './netlist.ts';
import type { Reading } from './reading.ts';

const Z = 'z';

/** Of a choice, the data bits from which an output bit may come: where no select is on, and for each select. */
function choicesOf({ type, connections }: Cell, index: number): readonly Bit[] {
  const { A = [], B = [], Y = [] } = connections;
  if (type === '$pos') return A.slice(index, index + 1);
  const slices = Array.from({ length: B.length / Y.length }, (_, at) => B[at * Y.length + index] ?? 'x');
  return [A[index] ?? 'x', ...slices];
}

const CHOICES: ReadonlySet<string> = new Set(['$mux', '$pmux', '$pos']);

/** Bits that may be z, the constant among them; empty where a netlist has none. */
export function floatingBits({ cells, ports }: Netlist): ReadonlySet<Bit> {
  const lists = [...cells.map(({ connections }) => Object.values(connections)), Object.values(ports).map(({ bits }) => bits)].flat();
  if (!lists.some((bits) => bits.includes(Z))) return new Set();
  const floating = new Set<Bit>([Z]);
  const choices = cells.filter(({ type }) => CHOICES.has(type));
  for (let before = 0; before < floating.size; ) {
    before = floating.size;
    for (const cell of choices) (cell.connections['Y'] ?? []).forEach((bit, index) => choicesOf(cell, index).some((from) => floating.has(from)) && floating.add(bit));
  }
  return floating;
}

/** Why z is not followed in a netlist, as the end of a sentence that starts with `It has`. */
export function floatingDoubt(netlist: Netlist): string | undefined {
  const floating = floatingBits(netlist);
  if (floating.size === 0) return undefined;
  const reads = (cell: Cell, ports: readonly string[]): boolean => ports.some((port) => (cell.connections[port] ?? []).some((bit) => floating.has(bit)));
  if (netlist.cells.some((cell) => (isFlipFlop(cell) || cell.type === LATCH) && reads(cell, ['D', 'AD']))) return 'a register that may hold a high-impedance value';
  if (netlist.cells.some((cell) => (cell.type === '$eqx' || cell.type === '$nex') && reads(cell, ['A', 'B']))) return 'a comparison with a high-impedance value';
  return undefined;
}

/** Whether each bit is z, in terms of the values of a graph. */
export function floatingIn<V>(netlist: Netlist, { constant, mux }: Reading<V>, value: (bit: Bit) => V): (bit: Bit) => V {
  const floating = floatingBits(netlist);
  const known = new Map<Bit, V>([[Z, constant('1')]]);
  const look = (bit: Bit): V => {
    const found = known.get(bit);
    if (found !== undefined) return found;
    const driver = netlist.drivers.get(bit);
    if (!floating.has(bit) || driver === undefined || driver === 'input') return constant('0');
    const [first, ...others] = choicesOf(driver, (driver.connections['Y'] ?? []).indexOf(bit)).map(look);
    const result = others.reduce((chosen, other, at) => mux(value(driver.connections['S']?.[at] ?? '0'), chosen, other), first ?? constant('0'));
    known.set(bit, result);
    return result;
  };
  return look;
}
