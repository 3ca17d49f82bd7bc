import type { Clock } from '../../analysis/module.ts';
import { idleBit, type Layout } from './layout.ts';
import type { Random } from './random.ts';
import { rowBit, type RowBuilder, type Rows } from './rows.ts';

interface ClockLine {
  /** Bit position within a row. */
  readonly position: number;
  readonly rising: boolean;
  readonly falling: boolean;
  /** Rows between two movements, in units of the schedule's own time. */
  period: number;
  due: number;
}

/** The clock bits of a layout with their active edges. */
export function clockLines(layout: Layout, clocks: readonly Clock[]): { position: number; rising: boolean; falling: boolean }[] {
  return clocks.flatMap((clock) => {
    const field = layout.fields.find((candidate) => candidate.port === clock.port && candidate.role === 'clock');
    if (field === undefined) return [];
    return [{ position: field.offset + (clock.bit ?? 0), rising: clock.edges.includes('posedge'), falling: clock.edges.includes('negedge') }];
  });
}

/** The level of a clock bit before its row moves it. */
export function levelBefore(rows: Rows, layout: Layout, row: number, position: number): 0 | 1 {
  return row === 0 ? idleBit(layout, position) : rowBit(rows, row - 1, position);
}

/**
 * Decides which clock moves in the next row. Only one clock moves in a row: coincident edges of unrelated clocks have no defined
 * order between simulators, and a design that depends on it has no defined behaviour either.
 */
export class ClockSchedule {
  readonly #lines: ClockLine[];
  readonly #builder: RowBuilder;
  readonly #random: Random;

  constructor(layout: Layout, clocks: readonly Clock[], builder: RowBuilder, random: Random) {
    this.#builder = builder;
    this.#random = random;
    this.#lines = clockLines(layout, clocks).map((line, index) => ({ ...line, period: 1, due: index / 8 }));
  }

  /** Draws new periods and phases for several clocks; a single clock simply alternates. */
  newRatios(): void {
    if (this.#lines.length < 2) return;
    const even = this.#random.chance(0.4);
    for (const line of this.#lines) {
      line.period = even ? 1 : this.#random.pick([1, 1.3, 2, 3.1, 5, 8]);
      line.due = this.#random.uint32() / 0x1_0000_0000;
    }
  }

  /** Rows in which every clock completes at least this many cycles. */
  rowsForCycles(cycles: number): number {
    if (this.#lines.length === 0) return cycles;
    const slowest = Math.max(...this.#lines.map((line) => line.period));
    const rowsPerUnit = this.#lines.reduce((sum, line) => sum + 1 / line.period, 0);
    return Math.ceil(2 * cycles * slowest * rowsPerUnit) + this.#lines.length;
  }

  /** Moves the next due clock in the current row; says whether that edge is active (always true without clocks). */
  advance(): boolean {
    let next: ClockLine | undefined;
    for (const line of this.#lines) if (next === undefined || line.due < next.due) next = line;
    if (next === undefined) return true;
    next.due += next.period;
    const level = this.#builder.bit(next.position);
    this.#builder.setBit(next.position, level === 0);
    return level === 0 ? next.rising : next.falling;
  }
}
