/** Clocks that are more than edges: what a simulator does at an edge in an order of its own, a step of the proof does at once. */
import { dependencies, followsHigh, inputNames, isFlipFlop, LATCH, type Bit, type Cell, type Netlist } from './netlist.ts';

interface ClockedLatch {
  /** As `port[bit]`. */
  readonly clock: string;
  /** It is open while its clock is high. */
  readonly high: boolean;
}

interface Seen {
  /** Clocks that a value depends on at once, as `port[bit]`. */
  readonly clocks: ReadonlySet<string>;
  readonly latches: readonly ClockedLatch[];
}

/**
 * The first of the given clocks, `port[bit]`, with which the proof does not say what a simulator does; undefined where there is none.
 *
 * At its edge a flip-flop reads the new value of a clock, or logic behind it that may have moved or not. A latch that a clock and
 * something else open may open for a moment in which the registers are still old. What a clock alone opens is stable while it closes:
 * then a flip-flop may read it, and what it takes in, registers included, does not move before it has closed.
 */
export function clockBesideEdges(netlist: Netlist, clocks: ReadonlySet<string>): string | undefined {
  const names = inputNames(netlist);
  const latches = new Map<Cell, ClockedLatch>();
  for (const cell of netlist.cells) {
    if (cell.type !== LATCH) continue;
    const { root, high } = followsHigh(cell, netlist.drivers);
    const clock = names.get(root ?? '');
    if (clock !== undefined && clocks.has(clock)) latches.set(cell, { clock, high });
  }
  const seenFrom = (ports: readonly string[], cell: Cell): Seen => lookBack(netlist, { names, clocks, latches }, ports.flatMap((port) => cell.connections[port] ?? []));
  for (const cell of netlist.cells) {
    const own = latches.get(cell);
    if (!isFlipFlop(cell) && cell.type !== LATCH) continue;
    const seen = seenFrom(own !== undefined ? ['D'] : cell.type === LATCH ? ['EN', 'D'] : ['D', 'AD'], cell);
    const [clock] = seen.clocks;
    if (clock !== undefined) return clock;
    const { root, high } = followsHigh(cell, netlist.drivers);
    const mayRead = ({ clock: other, high: open }: ClockedLatch): boolean => {
      if (own !== undefined) return own.clock === other && own.high === open;
      return isFlipFlop(cell) && cell.connections['AD'] === undefined && names.get(root ?? '') === other && high !== open;
    };
    const unread = seen.latches.find((latch) => !mayRead(latch));
    if (unread !== undefined) return unread.clock;
  }
  return undefined;
}

interface Clocking {
  readonly names: ReadonlyMap<Bit, string>;
  readonly clocks: ReadonlySet<string>;
  readonly latches: ReadonlyMap<Cell, ClockedLatch>;
}

/** What bits depend on at once, through logic and open latches. */
function lookBack({ drivers }: Netlist, { names, clocks, latches }: Clocking, from: readonly Bit[]): Seen {
  const seen = new Set<Bit>();
  const found = { clocks: new Set<string>(), latches: new Set<ClockedLatch>() };
  const pending = [...from];
  for (let bit = pending.pop(); bit !== undefined; bit = pending.pop()) {
    if (seen.has(bit)) continue;
    seen.add(bit);
    const name = names.get(bit);
    if (name !== undefined && clocks.has(name)) found.clocks.add(name);
    const driver = drivers.get(bit);
    if (driver === undefined || driver === 'input') continue;
    const latch = latches.get(driver);
    if (latch !== undefined) found.latches.add(latch);
    const opening = latch === undefined ? [] : (driver.connections['EN'] ?? []);
    pending.push(...dependencies(driver, bit).filter((other) => !opening.includes(other)));
  }
  return { clocks: found.clocks, latches: [...found.latches] };
}
