/** Checks on a netlist that Yosys wrote as JSON: what it holds decides whether a proof about it says what a simulation says. */

/** The number of a net, or the constant `0`, `1`, `x` or `z`. */
export type Bit = number | string;

export interface Cell {
  /** Of a cell that came from an instance: its path, and then a name. */
  readonly name: string;
  readonly type: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly connections: Readonly<Record<string, readonly Bit[]>>;
  readonly port_directions?: Readonly<Record<string, 'input' | 'output' | 'inout'>>;
}

interface NetlistModule {
  readonly netnames: Readonly<Record<string, { readonly hide_name: number; readonly bits: readonly Bit[]; readonly attributes?: Readonly<Record<string, string | number>> }>>;
  readonly ports: Readonly<Record<string, { readonly direction: 'input' | 'output' | 'inout'; readonly bits: readonly Bit[] }>>;
  readonly cells: Readonly<Record<string, Omit<Cell, 'name'>>>;
}

export const flipFlops: ReadonlySet<string> = new Set(['$dff', '$dffe', '$adff', '$adffe', '$aldff', '$sdff', '$sdffe', '$sdffce']);

const refused: Readonly<Record<string, string>> = {
  $adlatch: 'a latch',
  $dlatchsr: 'a latch',
  $sr: 'a latch',
  $dffsr: 'a flip-flop with both an asynchronous set and an asynchronous reset',
  $dffsre: 'a flip-flop with both an asynchronous set and an asynchronous reset',
  $aldffe: 'an asynchronous load',
  $tribuf: 'a tri-state driver',
  $pow: 'a power of variables',
  $mem: 'a memory that cannot be turned into registers',
  $mem_v2: 'a memory that cannot be turned into registers',
};

export function isFlipFlop({ type }: Pick<Cell, 'type'>): boolean {
  return flipFlops.has(type);
}

/** A latch without set and reset. Its Q follows D at once while it is open, and while it is closed keeps the value of the step before. */
export const LATCH = '$dlatch';

/** Cells of which output bit i depends on bit i of each data input only. */
export const bitwiseCells: ReadonlySet<string> = new Set(['$and', '$or', '$xor', '$xnor', '$not', '$pos', '$mux']);

/** A module of a netlist with what drives each of its bits. */
export interface Netlist {
  readonly ports: NetlistModule['ports'];
  readonly netnames: NetlistModule['netnames'];
  readonly cells: readonly Cell[];
  readonly drivers: ReadonlyMap<Bit, Cell | 'input'>;
  /** The first net on which two drivers meet, as the end of a sentence that starts with `It has`. */
  readonly conflict: string | undefined;
}

/** Reads the JSON that Yosys writes; undefined when the module is not in it. */
export function readNetlist(json: string, moduleName: string): Netlist | undefined {
  const module = (JSON.parse(json) as { modules: Record<string, NetlistModule | undefined> }).modules[moduleName];
  if (module === undefined) return undefined;
  const drivers = new Map<Bit, Cell | 'input'>();
  let conflict: string | undefined;
  for (const [name, port] of Object.entries(module.ports)) {
    if (port.direction !== 'input') continue;
    for (const bit of port.bits) {
      if (typeof bit === 'string' || drivers.has(bit)) conflict ??= `more than one driver on the input '${name}'`;
      drivers.set(bit, 'input');
    }
  }
  const cells = Object.entries(module.cells).map(([name, cell]): Cell => ({ ...cell, name }));
  for (const cell of cells) {
    for (const [port, bits] of Object.entries(cell.connections)) {
      if (cell.port_directions?.[port] !== 'output') continue;
      for (const bit of bits) {
        if (typeof bit === 'string' || drivers.has(bit)) conflict ??= 'a net with more than one driver';
        drivers.set(bit, cell);
      }
    }
  }
  return { ports: module.ports, netnames: module.netnames, cells, drivers, conflict };
}

/** Why a netlist is not followed in any way, as the end of a sentence that starts with `It has`; undefined where it is. */
export function netlistDoubt(netlist: Netlist): string | undefined {
  const { ports, cells, drivers, conflict } = netlist;
  const inout = Object.entries(ports).find(([, port]) => port.direction === 'inout');
  if (inout !== undefined) return `the bidirectional port '${inout[0]}'`;
  for (const cell of cells) {
    const doubt = refused[cell.type] ?? (cell.type.startsWith('$') ? undefined : `an instance of the unknown module '${cell.type}'`);
    if (doubt !== undefined) return doubt;
  }
  return conflict ?? (hasLoop(cells, drivers) ? 'a loop through combinational logic' : undefined);
}

export function hasState(netlist: Netlist): boolean {
  return netlist.cells.some((cell) => flipFlops.has(cell.type) || cell.type === LATCH);
}

/** Clock inputs of flip-flops by `port[bit]`, with the one active edge of each; undefined when a clock is used in any other way. */
export function plainClocks(netlist: Netlist): Map<string, 'posedge' | 'negedge'> | undefined {
  // Between the edge and the next change of an input a latch may catch what no tick shows.
  if (netlist.cells.some((cell) => cell.type === LATCH)) return undefined;
  const clocks = new Map<string, 'posedge' | 'negedge'>();
  const names = inputNames(netlist);
  const clockBits = new Set<Bit>();
  for (const cell of netlist.cells.filter((c) => flipFlops.has(c.type))) {
    if (cell.type !== '$dff' && cell.type !== '$adff' && cell.type !== '$aldff') return undefined;
    const bit = cell.connections['CLK']?.[0];
    const name = bit === undefined ? undefined : names.get(bit);
    const edge = /1$/.test(String(cell.parameters?.['CLK_POLARITY'])) ? 'posedge' : 'negedge';
    if (bit === undefined || name === undefined || (clocks.get(name) ?? edge) !== edge) return undefined;
    clocks.set(name, edge);
    clockBits.add(bit);
  }
  const otherwise = netlist.cells.some((cell) => Object.entries(cell.connections).some(([port, bits]) => port !== 'CLK' && bits.some((bit) => clockBits.has(bit))));
  const through = Object.values(netlist.ports).some((port) => port.direction === 'output' && port.bits.some((bit) => clockBits.has(bit)));
  return otherwise || through ? undefined : clocks;
}

/** The clocks of both sides together, when the proof may see time in ticks of them. */
export function commonTicks(a: Netlist, b: Netlist): Map<string, 'posedge' | 'negedge'> | undefined {
  const [first, second] = [plainClocks(a), plainClocks(b)];
  if (first === undefined || second === undefined) return undefined;
  for (const [name, edge] of second) {
    if ((first.get(name) ?? edge) !== edge) return undefined;
    first.set(name, edge);
  }
  // A clock of one side that is a data input of the other is no tick.
  for (const name of first.keys()) if (!isUnusedOrClock(a, name) || !isUnusedOrClock(b, name)) return undefined;
  return first;
}

function isUnusedOrClock(netlist: Netlist, name: string): boolean {
  const match = /^(.*)\[(\d+)\]$/.exec(name);
  const bit = netlist.ports[match?.[1] ?? '']?.bits[Number(match?.[2])];
  const asData = netlist.cells.some((cell) => Object.entries(cell.connections).some(([port, bits]) => port !== 'CLK' && bits.some((b) => b === bit)));
  return !asData && !Object.values(netlist.ports).some((port) => port.direction === 'output' && port.bits.some((b) => b === bit));
}

/** Output bits, as `port[bit]`, that nothing drives. */
export function undrivenOutputs({ ports, drivers }: Netlist): string[] {
  return Object.entries(ports).flatMap(([name, { direction, bits }]) =>
    direction === 'output' ? bits.flatMap((bit, index) => (typeof bit === 'number' && !drivers.has(bit) ? [`${name}[${String(index)}]`] : [])) : [],
  );
}

/** The bit from which inverters alone lead to this one, and whether their number is odd. */
export function rootOf(bit: Bit | undefined, drivers: Netlist['drivers']): { readonly root: Bit | undefined; readonly inverted: boolean } {
  let at = bit;
  let inverted = false;
  for (let hops = 0; at !== undefined && hops < 1000; hops++) {
    const driver = drivers.get(at);
    if (driver === undefined || driver === 'input') return { root: at, inverted };
    const y = driver.connections['Y'] ?? [];
    const a = driver.connections['A'] ?? [];
    const passes = driver.type === '$not' || driver.type === '$pos' || (driver.type === '$logic_not' && a.length === 1);
    if (!passes) return { root: at, inverted };
    at = a[y.indexOf(at)];
    if (driver.type !== '$pos') inverted = !inverted;
  }
  return { root: undefined, inverted };
}

/** What drives the bit once inverters are taken away. */
function source(bit: Bit | undefined, drivers: Netlist['drivers']): Cell | 'input' | undefined {
  const { root } = rootOf(bit, drivers);
  return root === undefined ? undefined : drivers.get(root);
}

/** A clock or asynchronous reset that a netlist makes itself, as the end of a sentence that starts with `It has`. */
export function ownClock({ cells, drivers }: Netlist): string | undefined {
  for (const cell of cells) {
    if (!flipFlops.has(cell.type)) continue;
    if (source(cell.connections['CLK']?.[0], drivers) !== 'input') return 'a clock that is made inside the design';
    const [control] = cell.connections['ARST'] ?? cell.connections['ALOAD'] ?? [];
    if (control === undefined) continue;
    const reset = source(control, drivers);
    if (reset !== 'input' && (reset === undefined || !flipFlops.has(reset.type))) return 'an asynchronous reset that is made by logic';
  }
  return hasLoop(cells, drivers, true) ? 'a flip-flop that resets itself' : undefined;
}

/** Bits on which a driven bit depends at once; of a flip-flop, only its asynchronous reset or load. */
export function dependencies(cell: Cell, bit: Bit): readonly Bit[] {
  const { connections } = cell;
  const index = (connections['Q'] ?? []).indexOf(bit);
  if (flipFlops.has(cell.type)) return [...(connections['ARST'] ?? []), ...(connections['ALOAD'] ?? []), ...(connections['AD'] ?? []).slice(index, index + 1)];
  if (cell.type === LATCH) return [...(connections['EN'] ?? []), ...(connections['D'] ?? []).slice(index, index + 1)];
  const inputs = Object.entries(cell.connections).filter(([port]) => cell.port_directions?.[port] === 'input');
  const place = (connections['Y'] ?? []).indexOf(bit);
  if (!bitwiseCells.has(cell.type) || place < 0) return inputs.flatMap(([, bits]) => bits);
  // A narrower operand is extended with its top bit or with zero.
  return inputs.flatMap(([port, bits]) => (port === 'S' ? bits : bits.slice(Math.min(place, bits.length - 1), place + 1)));
}

/** Depth-first search for a cycle, through asynchronous resets and loads where they are to count; iterative, since nets can be deep. */
function hasLoop(cells: readonly Cell[], drivers: ReadonlyMap<Bit, Cell | 'input'>, throughResets = false): boolean {
  const done = new Set<Bit>();
  const active = new Set<Bit>();
  const starts = cells.flatMap((cell) => cell.connections['Y'] ?? cell.connections['Q'] ?? []);
  for (const start of starts) {
    const stack: { readonly bit: Bit; readonly next: Bit[] }[] = [];
    const enter = (bit: Bit): void => {
      const driver = drivers.get(bit);
      const next = driver === undefined || driver === 'input' || (!throughResets && flipFlops.has(driver.type)) ? [] : dependencies(driver, bit);
      active.add(bit);
      stack.push({ bit, next: [...next] });
    };
    if (!done.has(start)) enter(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const bit = top.next.pop();
      if (bit === undefined) {
        active.delete(top.bit);
        done.add(top.bit);
        stack.pop();
      } else if (active.has(bit)) {
        return true;
      } else if (!done.has(bit)) {
        enter(bit);
      }
    }
  }
  return false;
}

/** A flip-flop that takes data when its asynchronous load begins, which the SAT solver reads as data that pass while it lasts. */
export function hasAsynchronousLoad(netlist: Netlist): boolean {
  return netlist.cells.some(({ type }) => type === '$aldff');
}

/** Names of the registers that both sides have with the same width, outputs left out. */
export function commonRegisters(a: Netlist, b: Netlist): string[] {
  const second = registerWidths(b);
  return [...registerWidths(a)].filter(([name, width]) => second.get(name) === width).map(([name]) => name);
}

function registerWidths(netlist: Netlist): Map<string, number> {
  const widths = new Map<string, number>();
  for (const [name, net] of Object.entries(netlist.netnames)) {
    if (net.hide_name !== 0 || Object.hasOwn(netlist.ports, name)) continue;
    const held = net.bits.every((bit) => {
      const driver = netlist.drivers.get(bit);
      return driver !== undefined && driver !== 'input' && flipFlops.has(driver.type);
    });
    if (held) widths.set(name, net.bits.length);
  }
  return widths;
}

/** Input bits, as `port[bit]`, that reach the clock of a flip-flop, through inverters at most. */
export function clockInputs(netlist: Netlist): Set<string> {
  const names = inputNames(netlist);
  const found = new Set<string>();
  for (const cell of netlist.cells.filter((c) => flipFlops.has(c.type))) {
    const { root } = rootOf(cell.connections['CLK']?.[0], netlist.drivers);
    const name = root === undefined ? undefined : names.get(root);
    if (name !== undefined) found.add(name);
  }
  return found;
}

/** Whether a flip-flop moves at the rising edge of the input behind its clock, or a latch is open at its high level. */
export function followsHigh(cell: Cell, drivers: Netlist['drivers']): { readonly root: Bit | undefined; readonly high: boolean } {
  const port = cell.type === LATCH ? 'EN' : 'CLK';
  const { root, inverted } = rootOf(cell.connections[port]?.[0], drivers);
  return { root, high: /1$/.test(String(cell.parameters?.[`${port}_POLARITY`])) !== inverted };
}

export function inputNames(netlist: Netlist): Map<Bit, string> {
  const names = new Map<Bit, string>();
  for (const [name, port] of Object.entries(netlist.ports)) {
    if (port.direction === 'input') for (const [i, bit] of port.bits.entries()) names.set(bit, `${name}[${i}]`);
  }
  return names;
}

/** A division by a variable: by zero it is unknown in simulation, but not to the prover. */
export function dividesByVariable(netlist: Netlist): boolean {
  return netlist.cells.some(
    (cell) => /^\$(?:div|mod|divfloor|modfloor)$/.test(cell.type) && (cell.connections['B'] ?? []).some((bit) => typeof bit === 'number'),
  );
}
