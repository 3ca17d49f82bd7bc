/** Checks on a netlist that Yosys wrote as JSON: what it holds decides whether a proof about it says what a simulation says. */

type Bit = number | string;

interface Cell {
  readonly type: string;
  readonly connections: Readonly<Record<string, readonly Bit[]>>;
  readonly port_directions?: Readonly<Record<string, 'input' | 'output' | 'inout'>>;
}

interface NetlistModule {
  readonly ports: Readonly<Record<string, { readonly direction: 'input' | 'output' | 'inout'; readonly bits: readonly Bit[] }>>;
  readonly cells: Readonly<Record<string, Cell>>;
}

const flipFlops = new Set(['$dff', '$dffe', '$adff', '$adffe', '$sdff', '$sdffe', '$sdffce']);

const refused: Readonly<Record<string, string>> = {
  $dlatch: 'a latch',
  $adlatch: 'a latch',
  $dlatchsr: 'a latch',
  $sr: 'a latch',
  $dffsr: 'a flip-flop with both an asynchronous set and an asynchronous reset',
  $dffsre: 'a flip-flop with both an asynchronous set and an asynchronous reset',
  $aldff: 'an asynchronous load',
  $aldffe: 'an asynchronous load',
  $tribuf: 'a tri-state driver',
  $pow: 'a power of variables',
};

/** Cells of which output bit i depends on bit i of each data input only. */
const bitwise = new Set(['$and', '$or', '$xor', '$xnor', '$not', '$pos', '$mux']);

/** Why no proof about this netlist is to be believed, as the end of a sentence that starts with `It has`; undefined: it can be. */
export function netlistDoubt(json: string, moduleName: string): string | undefined {
  const module = (JSON.parse(json) as { modules: Record<string, NetlistModule | undefined> }).modules[moduleName];
  if (module === undefined) return 'no netlist';
  const drivers = new Map<Bit, Cell | 'input'>();
  for (const [name, port] of Object.entries(module.ports)) {
    if (port.direction === 'inout') return `the bidirectional port '${name}'`;
    if (port.direction !== 'input') continue;
    for (const bit of port.bits) {
      if (typeof bit === 'string' || drivers.has(bit)) return `more than one driver on the input '${name}'`;
      drivers.set(bit, 'input');
    }
  }
  const cells = Object.values(module.cells);
  for (const cell of cells) {
    const doubt = refused[cell.type] ?? (cell.type.startsWith('$') ? undefined : `an instance of the unknown module '${cell.type}'`);
    if (doubt !== undefined) return doubt;
    for (const [port, bits] of Object.entries(cell.connections)) {
      if (bits.includes('z')) return 'a high-impedance value';
      if (cell.port_directions?.[port] !== 'output') continue;
      for (const bit of bits) {
        if (typeof bit === 'string' || drivers.has(bit)) return 'a net with more than one driver';
        drivers.set(bit, cell);
      }
    }
  }
  return outputDoubt(module, drivers) ?? controlDoubt(cells, drivers) ?? (hasLoop(cells, drivers) ? 'a loop through combinational logic' : undefined);
}

function outputDoubt(module: NetlistModule, drivers: ReadonlyMap<Bit, unknown>): string | undefined {
  for (const [name, port] of Object.entries(module.ports)) {
    if (port.direction !== 'output') continue;
    if (port.bits.includes('z')) return 'a high-impedance value';
    if (port.bits.some((bit) => typeof bit === 'number' && !drivers.has(bit))) return `the output '${name}', of which a part is not driven`;
  }
  return undefined;
}

/** What drives the bit once inverters are taken away. */
function source(bit: Bit | undefined, drivers: ReadonlyMap<Bit, Cell | 'input'>): Cell | 'input' | undefined {
  for (let at = bit, hops = 0; at !== undefined && hops < 1000; hops++) {
    const driver = drivers.get(at);
    if (driver === undefined || driver === 'input') return driver;
    const y = driver.connections['Y'] ?? [];
    const a = driver.connections['A'] ?? [];
    const passes = driver.type === '$not' || driver.type === '$pos' || (driver.type === '$logic_not' && a.length === 1);
    if (!passes) return driver;
    at = a[y.indexOf(at)];
  }
  return undefined;
}

function controlDoubt(cells: readonly Cell[], drivers: ReadonlyMap<Bit, Cell | 'input'>): string | undefined {
  for (const cell of cells) {
    if (!flipFlops.has(cell.type)) continue;
    if (source(cell.connections['CLK']?.[0], drivers) !== 'input') return 'a clock that is made inside the design';
    if (cell.type !== '$adff' && cell.type !== '$adffe') continue;
    const reset = source(cell.connections['ARST']?.[0], drivers);
    if (reset !== 'input' && (reset === undefined || !flipFlops.has(reset.type))) return 'an asynchronous reset that is made by logic';
  }
  return undefined;
}

function dependencies(cell: Cell, bit: Bit): Bit[] {
  const inputs = Object.entries(cell.connections).filter(([port]) => cell.port_directions?.[port] === 'input');
  const y = cell.connections['Y'] ?? [];
  const index = y.indexOf(bit);
  if (!bitwise.has(cell.type) || index < 0) return inputs.flatMap(([, bits]) => bits);
  // A narrower operand is extended with its top bit or with zero.
  return inputs.flatMap(([port, bits]) => (port === 'S' ? bits : bits.slice(Math.min(index, bits.length - 1), index + 1)));
}

/** Depth-first search for a cycle; iterative, since nets can be deep. */
function hasLoop(cells: readonly Cell[], drivers: ReadonlyMap<Bit, Cell | 'input'>): boolean {
  const done = new Set<Bit>();
  const active = new Set<Bit>();
  const starts = cells.flatMap((cell) => cell.connections['Y'] ?? cell.connections['Q'] ?? []);
  for (const start of starts) {
    const stack: { bit: Bit; next: Bit[] }[] = [];
    const enter = (bit: Bit): void => {
      const driver = drivers.get(bit);
      const next = driver === undefined || driver === 'input' || flipFlops.has(driver.type) ? [] : dependencies(driver, bit);
      active.add(bit);
      stack.push({ bit, next });
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

/** A division by a variable: by zero it is unknown in simulation, but not to the prover. */
export function dividesByVariable(json: string, moduleName: string): boolean {
  const module = (JSON.parse(json) as { modules: Record<string, NetlistModule | undefined> }).modules[moduleName];
  return Object.values(module?.cells ?? {}).some(
    (cell) => /^\$(?:div|mod|divfloor|modfloor)$/.test(cell.type) && (cell.connections['B'] ?? []).some((bit) => typeof bit === 'number'),
  );
}
