/** Clocks and asynchronous resets that a design makes itself: what they come from, and in how many waves of events they arrive. */
import { dependencies, inputNames, isFlipFlop, LATCH, type Bit, type Cell, type Netlist } from './netlist.ts';
import { namesOf } from './race.ts';
import type { OrderedAssignments } from './source.ts';

/** A net that clocks or resets flip-flops. */
export interface ClockNet {
  /** Inputs and flip-flop outputs from which it comes through logic and latches, and whether in more ways than one. */
  readonly sources: ReadonlyMap<Bit, 'once' | 'often'>;
  /** Sources that all which read them here see change at once, since they stand in one scope in which each has one name. */
  readonly atOnce: ReadonlySet<Bit>;
  /** Made of gates of which an unknown input makes a simulator and three-valued logic say the same. */
  readonly plain: boolean;
}

export interface ClockTree {
  readonly nets: ReadonlyMap<Bit, ClockNet>;
  /** Rounds of nonblocking assignments after which no clock moves any more, at most or as far as is looked. */
  readonly waves: number;
  /** The waves need not end by then: a register may move its own clock or reset, or the chain is too long. */
  readonly cyclic: boolean;
  /** Flip-flops whose data are variables and what their own block makes of them, so that in a later wave they see the new values. */
  readonly direct: ReadonlySet<Cell>;
  /** Latches that are assigned with `<=`, which change one wave later than others. */
  readonly late: ReadonlySet<Bit>;
}

/** Waves that are looked at where a register moves its own clock or the chain is too long, and the most elsewhere. */
const CYCLIC_WAVES = 5;
const MOST_WAVES = 20;

const PLAIN: ReadonlySet<string> = new Set(['$and', '$or', '$xor', '$xnor', '$not', '$pos', '$logic_not', '$logic_and', '$logic_or', '$reduce_and', '$reduce_or', '$reduce_bool']);

/** Each bit with the number of ways to it, 2 for more; the bits themselves first. */
type Cone = ReadonlyMap<Bit, number>;

/** All that bits come from, up to inputs and flip-flops. Latches named in `ends` end it too. */
function coneOf({ drivers }: Netlist, roots: readonly Bit[], ends: ReadonlySet<Bit> = new Set()): Cone {
  const next = (bit: Bit): readonly Bit[] => {
    const driver = drivers.get(bit);
    return driver === undefined || driver === 'input' || isFlipFlop(driver) || ends.has(bit) ? [] : dependencies(driver, bit).filter((other) => typeof other === 'number');
  };
  const order: Bit[] = [];
  const seen = new Set<Bit>();
  const stack: { readonly bit: Bit; readonly left: Bit[] }[] = [{ bit: '', left: [...roots] }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const bit = top.left.pop();
    if (bit === undefined) {
      if (stack.length > 1) order.push(top.bit);
      stack.pop();
    } else if (!seen.has(bit)) {
      seen.add(bit);
      stack.push({ bit, left: [...next(bit)] });
    }
  }
  const ways = new Map<Bit, number>(roots.map((bit) => [bit, 1]));
  for (const bit of order.reverse()) for (const other of next(bit)) ways.set(other, Math.min(2, (ways.get(other) ?? 0) + (ways.get(bit) ?? 0)));
  return ways;
}

/** The instance in which a cell stands. */
function scopeOf({ name }: Cell): string {
  return /^\$flatten\\(.*?)\.\$/.exec(name)?.[1]?.replaceAll('.\\', ' ') ?? '';
}

/** How often each bit has a visible name in each instance; an output that nothing inside reads is none. */
function namesByScope(netlist: Netlist, unread: ReadonlySet<string>): Map<Bit, Map<string, number>> {
  const names = new Map<Bit, Map<string, number>>();
  for (const [name, { hide_name: hidden, bits, attributes }] of Object.entries(netlist.netnames)) {
    if (hidden !== 0 || (unread.has(name) && netlist.ports[name]?.direction === 'output')) continue;
    const path = attributes?.['hdlname'];
    const scope = typeof path === 'string' ? path.replace(/(?:^| )\S+$/, '') : '';
    for (const bit of bits) {
      const counts = names.get(bit) ?? new Map<string, number>();
      names.set(bit, counts.set(scope, (counts.get(scope) ?? 0) + 1));
    }
  }
  return names;
}

/** The tree of a netlist, or why its order of events is not known, as the end of a sentence that begins with `It has`. */
export function clockTree(netlist: Netlist, { blocking, nonblocking, unread }: OrderedAssignments): ClockTree | string {
  const { drivers } = netlist;
  const escaped = [...blocking, ...nonblocking].find((name) => name.startsWith('\\'));
  if (escaped !== undefined) return `the escaped name '${escaped.slice(1)}' beside a clock that is made inside`;
  const cells = netlist.cells.filter(isFlipFlop);
  const load = cells.find(({ type }) => type !== '$dff' && type !== '$adff');
  if (load !== undefined) return 'an asynchronous load beside a clock or reset that is made inside';
  // What never moves once settled may have been a pulse on the way.
  if (cells.some(({ connections }) => typeof connections['CLK']?.[0] === 'string')) return 'a clock that does not move';
  const names = namesByScope(netlist, unread);
  const isOneName = (bit: Bit): boolean => [...(names.get(bit)?.values() ?? [])].every((count) => count < 2);
  const [early, lateNames] = [namesOf(netlist, blocking), namesOf(netlist, nonblocking)];
  const latches = netlist.cells.filter(({ type }) => type === LATCH);
  const late = new Set(latches.flatMap(({ connections }) => connections['Q'] ?? []).filter((bit) => lateNames.has(bit)));
  const intoLatches = coneOf(netlist, latches.flatMap(({ connections }) => [...(connections['D'] ?? []), ...(connections['EN'] ?? [])]).filter((bit) => typeof bit === 'number'));

  const netBits = new Set<Bit>(cells.flatMap(({ connections }) => [...(connections['CLK'] ?? []), ...(connections['ARST'] ?? [])]));
  const nets = new Map<Bit, ClockNet>();
  for (const net of netBits) {
    const cone = coneOf(netlist, [net]);
    const near = late.size === 0 ? cone : coneOf(netlist, [net], late);
    for (const bit of cone.keys()) {
      const name = early.get(bit);
      if (name !== undefined && isRegisterBit(drivers.get(bit))) return `a clock or reset that comes from '${name}', which is assigned with '=' at a clock edge`;
    }
    const lateHere = [...near.keys()].filter((bit) => lateNames.has(bit));
    const [first] = lateHere;
    if (first !== undefined && (!lateHere.every((bit) => late.has(bit)) || [...near.keys()].some((bit) => isRegisterBit(drivers.get(bit))))) {
      return `a clock or reset that comes from '${lateNames.get(first) ?? ''}', which is assigned with '<=' without waiting for an edge`;
    }
    nets.set(net, netOf(netlist, cone, isOneName));
  }
  for (const bit of intoLatches.keys()) {
    const name = early.get(bit);
    if (name !== undefined && isRegisterBit(drivers.get(bit))) return `a latch that takes '${name}', which is assigned with '=' at a clock edge`;
  }
  const levels = levelsOf(netlist, cells, nets);
  const cyclic = levels === undefined;
  const waves = levels === undefined ? CYCLIC_WAVES : Math.max(0, ...levels.values());
  const direct = new Set<Cell>();
  for (const cell of cells) {
    const inside = [...coneOf(netlist, (cell.connections['D'] ?? []).filter((bit) => typeof bit === 'number')).keys()];
    const isDirect = inside.every((bit) => (isLogic(drivers.get(bit)) ? !names.has(bit) && !isLatchBit(drivers.get(bit)) : isOneName(bit)));
    if (isDirect) direct.add(cell);
    else if ((levels?.get(cell) ?? 1) > 0) {
      const name = inside.map((bit) => lateNames.get(bit)).find((found) => found !== undefined);
      if (name !== undefined) return `a register behind a clock that is made inside that takes '${name}', which is assigned with '<=' without waiting for an edge`;
    }
  }
  return { nets, waves, cyclic, direct, late };
}

function isRegisterBit(driver: Cell | 'input' | undefined): boolean {
  return driver !== undefined && driver !== 'input' && isFlipFlop(driver);
}

function isLatchBit(driver: Cell | 'input' | undefined): boolean {
  return driver !== undefined && driver !== 'input' && driver.type === LATCH;
}

function isLogic(driver: Cell | 'input' | undefined): driver is Cell {
  return driver !== undefined && driver !== 'input' && !isFlipFlop(driver);
}

function netOf({ drivers, netnames }: Netlist, cone: Cone, isOneName: (bit: Bit) => boolean): ClockNet {
  const initial = new Set(Object.values(netnames).flatMap(({ bits, attributes }) => (attributes?.['init'] === undefined ? [] : bits)));
  const sources = new Map<Bit, 'once' | 'often'>();
  const readers = new Map<Bit, Set<string>>();
  let plain = true;
  for (const [bit, count] of cone) {
    const driver = drivers.get(bit);
    if (!isLogic(driver)) {
      if (driver !== undefined) sources.set(bit, count > 1 ? 'often' : 'once');
      continue;
    }
    plain &&= PLAIN.has(driver.type) || (driver.type === LATCH && !initial.has(bit));
    for (const other of dependencies(driver, bit)) readers.set(other, (readers.get(other) ?? new Set()).add(scopeOf(driver)));
  }
  const atOnce = new Set([...sources.keys()].filter((bit) => (readers.get(bit)?.size ?? 0) < 2 && isOneName(bit)));
  return { sources, atOnce, plain };
}

/** For each flip-flop the longest chain of flip-flops of which one clocks or resets the next, up to itself; undefined where there is a circle or a long chain. */
function levelsOf({ drivers }: Netlist, cells: readonly Cell[], nets: ReadonlyMap<Bit, ClockNet>): Map<Cell, number> | undefined {
  const levels = new Map<Cell, number>(cells.map((cell) => [cell, 0]));
  for (let round = 0; round <= MOST_WAVES; round++) {
    let changed = false;
    for (const cell of cells) {
      for (const net of [...(cell.connections['CLK'] ?? []), ...(cell.connections['ARST'] ?? [])]) {
        for (const source of nets.get(net)?.sources.keys() ?? []) {
          const driver = drivers.get(source);
          if (driver === undefined || driver === 'input') continue;
          const level = (levels.get(driver) ?? 0) + 1;
          if (level <= (levels.get(cell) ?? 0)) continue;
          levels.set(cell, level);
          changed = true;
        }
      }
    }
    if (!changed) return levels;
  }
  return undefined;
}

/** Inputs, as `port[bit]`, from which a clock of flip-flops comes through logic and latches. */
export function clockSources(netlist: Netlist): Set<string> {
  const names = inputNames(netlist);
  const clocks = new Set(netlist.cells.filter(isFlipFlop).flatMap(({ connections }) => connections['CLK'] ?? []));
  return new Set([...coneOf(netlist, [...clocks]).keys()].flatMap((bit) => names.get(bit) ?? []));
}

/** A variable that is assigned with `<=` without waiting for an edge and clocks or resets flip-flops, which it does late; undefined where there is none. */
export function lateClock(netlist: Netlist, { nonblocking }: OrderedAssignments): string | undefined {
  const late = namesOf(netlist, nonblocking);
  if (late.size === 0) return undefined;
  const clocks = netlist.cells.filter(isFlipFlop).flatMap(({ connections }) => ['CLK', 'ARST', 'ALOAD'].flatMap((port) => connections[port] ?? []));
  return [...coneOf(netlist, clocks).keys()].map((bit) => late.get(bit)).find((name) => name !== undefined);
}
