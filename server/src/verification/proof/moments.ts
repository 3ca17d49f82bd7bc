/** What a netlist is at a moment, and what it may be on its way to the next, in any order of events. */
import { FALSE, not, TRUE, type Aig, type Literal } from './aig.ts';
import { initialBits, isRegister, type Environment } from './follow.ts';
import { Logic } from './logic.ts';
import { isFlipFlop, LATCH, type Bit, type Cell, type Netlist } from './netlist.ts';
import { doubted, either, isEqual, isKnown, knownBit, movingReading, UNKNOWN, type Reading, type Ternary } from './reading.ts';
import type { State } from './states.ts';
import { numberParameter } from './words.ts';

/** Everything settled. */
export interface Moment<V> {
  readonly logic: Logic<V>;
  /** What inputs and flip-flops are. */
  readonly source: (bit: Bit) => V | undefined;
}

/** From one moment to the next. */
export interface Change<V> {
  /** What changes first. */
  readonly cause: Cause;
  /** At the very first, when clocks still are unknown. */
  readonly isFirst: Literal;
  readonly before: Moment<V>;
  readonly after: Moment<V>;
  /** What each bit may be in between, in any order of events. */
  readonly between: Logic<Ternary>;
  /** The same where the sources change all at once. */
  readonly atOnce: Logic<Ternary>;
}

/** What a latch holds that is not open. */
type Held<V> = (cell: Cell, q: Bit, open: V) => V;

export type Cause = 'data' | 'clocks' | 'registers';

/** The moments of one side. */
export class Moments<V> {
  readonly netlist: Netlist;
  readonly environment: Environment<V>;
  readonly reading: Reading<V>;
  /** In which a bit that is on its way is unknown. */
  readonly moving: Reading<Ternary>;
  /** Of flip-flops and latches, by their output bits. */
  readonly states = new Map<Bit, State<V>>();
  readonly #inits: ReadonlyMap<Bit, string>;
  readonly #inputNames = new Map<Bit, string>();
  /** Where a latch may have taken what was on its way, by what changed first. */
  readonly races: Record<Cause, Literal> = { data: FALSE, clocks: FALSE, registers: FALSE };
  #failed = false;

  constructor(netlist: Netlist, environment: Environment<V>) {
    this.netlist = netlist;
    this.environment = environment;
    this.reading = environment.reading;
    this.moving = movingReading(environment.reading.aig);
    this.#inits = initialBits(netlist);
    for (const [port, { direction, bits }] of Object.entries(netlist.ports)) if (direction === 'input') bits.forEach((bit, index) => this.#inputNames.set(bit, `${port}[${String(index)}]`));
    for (const { connections } of netlist.cells.filter(isRegister)) for (const q of connections['Q'] ?? []) this.states.set(q, environment.state(q, this.#inits.get(q) ?? 'x'));
  }

  get aig(): Aig {
    return this.reading.aig;
  }

  /** Some bit cannot be followed. */
  get failed(): boolean {
    return this.#failed;
  }

  /** What a register holds as a step begins. */
  heldAt(q: Bit): V {
    return this.states.get(q)?.value ?? this.reading.free();
  }

  value<T>(logic: Logic<T>, bit: Bit): T {
    if (!this.#failed && !logic.settle(bit)) this.#failed = true;
    return logic.value(bit);
  }

  isClock(source: Bit): boolean {
    return this.environment.inputs.clocks.has(this.#inputNames.get(source) ?? '');
  }

  /** Whether an input or flip-flop changes, or may. */
  changed(source: Bit, { before, after }: Change<V>): Literal {
    const { ternary, free } = this.reading;
    const [was, is] = [before, after].map((moment) => ternary(moment.source(source) ?? free())) as [Ternary, Ternary];
    if (was.one === is.one && was.zero === is.zero) return FALSE;
    return not(isEqual(this.aig, was, is));
  }

  /** `latch` says what a latch shows that is no result of its inputs, `unsure` at the very first, when one that a clock opens is not yet open. */
  moment(input: (name: string) => Literal, registers: ReadonlyMap<Bit, V>, { latch, held, unsure = FALSE }: { latch?: (q: Bit) => V; held?: Held<V>; unsure?: Literal }): Moment<V> {
    const source = (bit: Bit): V | undefined => {
      const name = this.#inputNames.get(bit);
      return name === undefined ? (registers.get(bit) ?? (this.states.has(bit) ? latch?.(bit) : undefined)) : this.reading.known(input(name));
    };
    const logic: Logic<V> = new Logic<V>(this.netlist, this.reading, {
      source,
      register: (cell, q) => {
        if (cell.type !== LATCH || held === undefined) return undefined;
        const open = active(cell, this.reading, (bit) => logic.value(bit));
        const value = this.reading.mux(open, held(cell, q, open), logic.value(dataOf(cell, q)));
        return unsure === FALSE ? value : doubted(this.reading, value, this.aig.and(unsure, not(active(cell, this.moving, (bit) => this.firstValue(bit)).one)));
      },
    });
    return { logic, source };
  }

  /** `momentAfter` makes the next moment, in which latches hold what they are given. */
  change(before: Moment<V>, momentAfter: (held: Held<V>) => Moment<V>, { cause, isFirst }: Pick<Change<V>, 'cause' | 'isFirst'>): Change<V> {
    const { ternary } = this.reading;
    const beforeBit = (bit: Bit): Ternary => ternary(this.value(before.logic, bit));
    const change: { after?: Moment<V> } = {};
    const sourceIn = (moment: Moment<V> | undefined, bit: Bit): Ternary | undefined => {
      const value = moment?.source(bit);
      return value === undefined ? undefined : ternary(value);
    };
    const logicBetween = (source: (bit: Bit) => Ternary | undefined, finish?: (bit: Bit, result: Ternary) => Ternary): Logic<Ternary> => {
      const logic: Logic<Ternary> = new Logic<Ternary>(this.netlist, this.moving, {
        source,
        ...(finish === undefined ? {} : { finish }),
        register: (cell, q) => (cell.type === LATCH ? this.moving.mux(active(cell, this.moving, (bit) => logic.value(bit)), beforeBit(q), logic.value(dataOf(cell, q))) : undefined),
      });
      return logic;
    };
    const between = logicBetween((bit) => {
      const [was, is] = [sourceIn(before, bit), sourceIn(change.after, bit)];
      return was === undefined || is === undefined || !this.isSource(bit) ? undefined : either(this.aig, was, is);
    });
    const held: Held<V> = (cell, q, open) => {
      const value = this.value(before.logic, q);
      // Nothing runs against another at the very first.
      const doubt = cause === 'data' ? this.aig.and(this.#latchDoubt(cell, q, { before, between }), not(isFirst)) : this.#latchDoubt(cell, q, { before, between });
      this.races[cause] = this.aig.or(this.races[cause], this.aig.and(this.aig.and(doubt, ternary(open).zero), isKnown(this.aig, ternary(value))));
      return doubted(this.reading, value, doubt);
    };
    const after = momentAfter(held);
    change.after = after;
    const several = cause === 'clocks' ? this.environment.inputs.severalMove() : cause === 'data' ? TRUE : FALSE;
    const atOnce = logicBetween(
      (bit) => {
        const [was, is] = [sourceIn(before, bit), sourceIn(after, bit)];
        if (was === undefined || is === undefined || !this.isSource(bit)) return undefined;
        const both = either(this.aig, was, is);
        return { one: this.aig.mux(several, is.one, both.one), zero: this.aig.mux(several, is.zero, both.zero) };
      },
      (bit, result) => either(this.aig, beforeBit(bit), result),
    );
    return { cause, isFirst, before, after, between, atOnce };
  }

  isSource(bit: Bit): boolean {
    const driver = this.netlist.drivers.get(bit);
    return driver === 'input' || (driver !== undefined && isFlipFlop(driver));
  }

  /** Whether a latch that is closed now may hold something else than before, which it was given on the way. */
  #latchDoubt(cell: Cell, q: Bit, { before, between }: Pick<Change<V>, 'before' | 'between'>): Literal {
    const bit = cell.connections['EN']?.[0] ?? '0';
    for (const wanted of [bit, dataOf(cell, q)]) this.value(between, wanted);
    this.value(before.logic, bit);
    const was = active(cell, this.moving, (enable) => this.reading.ternary(before.logic.value(enable)));
    const moving = active(cell, this.moving, (enable) => between.value(enable));
    if (moving.zero === was.zero && moving.one === was.one && was.zero === not(was.one)) return FALSE;
    const shown = this.reading.ternary(this.value(before.logic, q));
    return this.aig.and(not(moving.zero), not(isEqual(this.aig, shown, between.value(dataOf(cell, q)))));
  }

  /** What a net is at the very first, with its clocks still unknown. */
  firstValue(bit: Bit): Ternary {
    const { inputs } = this.environment;
    const state = (q: Bit): Ternary => {
      const init = this.#inits.get(q);
      return init === '1' ? knownBit(TRUE) : init === '0' ? knownBit(FALSE) : UNKNOWN;
    };
    const logic: Logic<Ternary> = new Logic<Ternary>(this.netlist, this.moving, {
      source: (other) => {
        const name = this.#inputNames.get(other);
        if (name !== undefined) return inputs.clocks.has(name) ? UNKNOWN : knownBit(inputs.values.get(name) ?? FALSE);
        return this.isSource(other) ? state(other) : undefined;
      },
      register: (cell, q) => (cell.type === LATCH ? this.moving.mux(active(cell, this.moving, (other) => logic.value(other)), state(q), logic.value(dataOf(cell, q))) : undefined),
    });
    return this.value(logic, bit);
  }
}

/** Whether a latch is open. */
function active<T>(cell: Cell, reading: Reading<T>, value: (bit: Bit) => T): T {
  const bit = value(cell.connections['EN']?.[0] ?? '0');
  return numberParameter(cell, 'EN_POLARITY') === 1 ? bit : reading.not(bit);
}

/** The data bit that belongs to an output bit. */
export function dataOf({ connections }: Cell, q: Bit): Bit {
  return connections['D']?.[(connections['Q'] ?? []).indexOf(q)] ?? 'x';
}
