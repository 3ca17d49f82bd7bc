/** From two netlists to one graph whose output says that the DUT differs where the golden is known. */
import type { Edge } from '../../analysis/module.ts';
import { Aig, FALSE, not, TRUE, type Literal } from './aig.ts';
import { Correspondence, registersBehind } from './correspondence.ts';
import { floatingIn } from './floating.ts';
import type { ClockTree } from './clock-tree.ts';
import { follow, type Environment } from './follow.ts';
import { clockInputs, type Bit, type Cell, type Netlist } from './netlist.ts';
import { binaryReading, isDefinite, knownBit, movingReading, ternaryReading, UNKNOWN, type Ternary } from './reading.ts';
import { startOf, stateFrom, ternaryFrom, ternaryState, type State } from './states.ts';
import { allUnknown, clearTest, hasUnknownTests, testedPort, testResult } from './unknown-tests.ts';
import { followWaves, type Wavy } from './waves.ts';
import { makeInputs, type Beginning, type InputBit, type Inputs } from './time.ts';

export interface Miter {
  readonly aig: Aig;
  /** 1 where an output bit of the golden is known and the DUT's is another, or only one of them is driven. */
  readonly bad: Literal;
  readonly inputs: readonly InputBit[];
  readonly outputs: readonly MiterOutput[];
  /** 1 where the order of events decides in a side, or what must be known is not, so that nothing may be said; FALSE in most pairs. */
  readonly disordered: Literal;
  /** Something that the golden leaves unknown has been given the DUT's value, so that a difference need not be one. */
  readonly completed: boolean;
  /** The golden is followed in three values, with nothing completed. */
  readonly isExact: boolean;
  /** Registers that may stand for each other, by their bits; `known`: what is known of that of the DUT, where that matters. */
  readonly registers: () => readonly { readonly golden: Ternary; readonly dut: Literal; readonly known: Ternary | undefined }[];
}

/** A port, by its bits. */
export interface MiterOutput {
  readonly port: string;
  readonly golden: readonly Ternary[];
  readonly dut: readonly Literal[];
  /** Whether nothing drives them, for certain; none are where this is left out. */
  readonly floating?: { readonly golden: readonly Literal[]; readonly dut: readonly Literal[] };
}

/** What is needed of a pair of which a side makes clocks or asynchronous resets itself. */
export interface OwnClocks {
  readonly golden: ClockTree;
  readonly dut: ClockTree;
  /** Inputs, as `port[bit]`, that move apart from the others. */
  readonly clocks: ReadonlySet<string>;
  /** Inputs that change at once may race with each other, and what the golden makes of that is unknown. */
  readonly lenient: boolean;
}

export interface PairOfNetlists {
  readonly golden: Netlist;
  readonly dut: Netlist;
  /** Clock inputs with one active edge each, as `port[bit]`; undefined when clocks have levels and any edges. */
  readonly ticks: ReadonlyMap<string, Edge> | undefined;
  readonly own?: OwnClocks | undefined;
  /** How every sequence begins; anyhow unless given. */
  readonly beginning?: Beginning | undefined;
  /** Bits of the golden without whose values it is not followed any more. */
  readonly known?: readonly Bit[] | undefined;
  /** Registers that stand for each other; by name unless given. */
  readonly registers?: Correspondence | undefined;
}

/** Inputs, as `port[bit]`, that move apart from all others. */
export function clocksOf({ golden, dut, own }: Pick<PairOfNetlists, 'golden' | 'dut' | 'own'>): ReadonlySet<string> {
  return own?.clocks ?? new Set([...clockInputs(golden), ...clockInputs(dut)]);
}

/** A pair of registers is taken for one at most this often before no pair is. */
const MOST_ROUNDS = 8;

/**
 * Builds the graph, or leaves it when a side holds a cell that is not followed, or is too large.
 *
 * Without `complete` the golden is followed in three values and the DUT in two, with everything that it leaves unknown free. With
 * `complete` what the golden leaves unknown, state at power-on and unknown values of the source alike, takes the DUT's value where
 * there is one that may stand for it. Whatever value is taken, the golden's known outputs stay what they are, since three values
 * are known only where every completion agrees; so to prove one completion is enough. Registers that then provably hold
 * the same (van Eijk, 2000, with equality of graphs for the step) are one.
 */
export function makeMiter(pair: PairOfNetlists, complete: boolean): Miter | undefined {
  const { golden, dut, known = [], registers = new Correspondence(golden, dut) } = pair;
  // To compare with unknown values exactly, and to be unknown where that matters, are what a completion may change.
  const isCompleted = complete && known.length === 0 && !golden.cells.some(({ type }) => type === '$eqx' || type === '$nex');
  return merge({ ...pair, registers }, isCompleted ? registers.pairs : undefined);
}

type RegisteredPair = PairOfNetlists & { readonly registers: Correspondence };

/** `partners`: undefined where the golden is not to be completed. */
function merge(pair: RegisteredPair, partners: ReadonlyMap<Bit, Bit> | undefined): Miter | undefined {
  const { golden, registers } = pair;
  let merged = new Set(partners?.keys());
  let single = new Set(merged);
  for (let round = 0; ; round++) {
    const build = new Build(pair, partners, merged, single);
    if (!build.run()) return undefined;
    const failed = build.failed();
    if (failed.size === 0) return build.finish();
    if (registers.refine()) return merge(pair, registers.pairs);
    const [unmerged, doubled] = [registersBehind(golden, failed), registersBehind(golden, build.indefinite())];
    merged = round >= MOST_ROUNDS ? new Set() : new Set([...merged].filter((q) => !unmerged.has(q)));
    single = round >= MOST_ROUNDS ? new Set() : new Set([...single].filter((q) => !doubled.has(q)));
  }
}

/** A state that remembers what it becomes. */
interface Followed<T> extends State<T> {
  next: T;
}

interface DutState extends Followed<Literal> {
  /** The first value, a constant or an input of the graph. */
  readonly first: Literal;
}

class Build {
  readonly #pair: RegisteredPair;
  /** Undefined: the golden is followed as it is. */
  readonly #partners: ReadonlyMap<Bit, Bit> | undefined;
  /** Register bits of the golden that are the DUT's. */
  readonly #merged: ReadonlySet<Bit>;
  /** Register bits of the golden that are always known once completed. */
  readonly #single: ReadonlySet<Bit>;
  readonly #aig = new Aig();
  readonly #inputs: Inputs;
  readonly #started: () => Literal;
  readonly #goldenStates = new Map<Bit, Followed<Ternary>>();
  readonly #dutStates = new Map<Bit, DutState>();
  /** What the DUT leaves unknown, by its place in the graph of an output or a register. */
  readonly #unknowns = new Map<string, Literal>();
  /** The DUT in three values, of which its tests for unknown values need to know. */
  readonly #knownStates = new Map<Bit, Ternary>();
  #known: ((bit: Bit) => Ternary) | undefined;
  #completed = false;
  #target = '';
  #places = 0;
  #expected: Wavy<Ternary> | undefined;
  #actual: Wavy<Literal> | undefined;

  constructor(pair: RegisteredPair, partners: ReadonlyMap<Bit, Bit> | undefined, merged: ReadonlySet<Bit>, single: ReadonlySet<Bit>) {
    this.#pair = pair;
    this.#partners = partners;
    this.#merged = merged;
    this.#single = single;
    const { golden, dut, ticks, beginning } = pair;
    this.#inputs = makeInputs(this.#aig, [golden, dut], clocksOf(pair), ticks, beginning);
    this.#started = startOf(this.#aig);
  }

  /** False when a side cannot be followed. */
  run(): boolean {
    const { golden, dut, own } = this.#pair;
    const [aig, inputs] = [this.#aig, this.#inputs];
    if (this.#partners === undefined && own === undefined && hasUnknownTests(dut)) this.#followKnown();
    this.#actual = followSide(dut, own?.dut, {
      reading: binaryReading(aig, () => this.#unknownOfDut()),
      inputs,
      state: (q, init) => this.#dutState(q, init),
      rank: Number,
      onTarget: (target) => this.#aim(target),
      override: (cell) => this.#testOfDut(cell),
    });
    if (this.#actual === undefined) return false;
    this.#expected = followSide(golden, own?.golden, {
      reading: ternaryReading(aig, () => this.#unknownOfGolden()),
      inputs,
      state: (q, init) => this.#goldenState(q, init),
      // The registers in the order of those of the DUT, so that unknown values that stand for each other are met at the same places.
      rank: (q) => Number(this.#partners?.get(q) ?? Number.MAX_SAFE_INTEGER),
      onTarget: (target) => this.#aim(target),
    });
    return this.#expected !== undefined;
  }

  /** In three values the DUT knows at most what it does in a simulator. */
  #followKnown(): void {
    const reading = movingReading(this.#aig);
    this.#known = follow<Ternary>(this.#pair.dut, {
      reading,
      inputs: this.#inputs,
      state: (q, init) => {
        const state = ternaryFrom(this.#aig, init, this.#started);
        this.#knownStates.set(q, state.value);
        return state;
      },
      override: (cell, read) => {
        const port = testedPort(cell);
        return port && testResult(cell, clearTest(this.#aig, read(port)), { no: knownBit(FALSE), invert: reading.not });
      },
    });
  }

  /** In two values nothing is unknown, so that such a test might find anything; where a bit is known that it looks at, it finds nothing. */
  #testOfDut(cell: Cell): readonly Literal[] | undefined {
    const [port, known] = [testedPort(cell), this.#known];
    if (port === undefined || known === undefined) return undefined;
    const found = this.#aig.and(this.#aig.input(), allUnknown(this.#aig, (cell.connections[port] ?? []).map(known)));
    return testResult(cell, found, { no: FALSE, invert: not });
  }

  #aim(target: string | number): void {
    this.#target = String(target);
    this.#places = 0;
  }

  /** Register bits of the golden that were taken for what they are not. */
  failed(): Set<Bit> {
    const differs = (q: Bit): boolean => {
      const [own, other] = [this.#goldenStates.get(q), this.#dutStates.get(this.#partners?.get(q) ?? '')];
      return own !== undefined && other !== undefined && (own.next.one !== other.next || own.next.zero !== not(other.next));
    };
    return new Set([...[...this.#merged].filter((q) => this.#goldenStates.get(q)?.value.one !== this.#dutStates.get(this.#partners?.get(q) ?? '')?.value || differs(q)), ...this.indefinite()]);
  }

  indefinite(): Bit[] {
    return [...this.#single].filter((q) => !isDefinite(this.#goldenStates.get(q)?.next ?? UNKNOWN));
  }

  finish(): Miter | undefined {
    const [aig, wavy, other] = [this.#aig, this.#expected, this.#actual];
    if (wavy === undefined || other === undefined) return undefined;
    const [expected, actual] = [wavy.value, other.value];
    const { golden, dut } = this.#pair;
    let bad = FALSE;
    const [goldenFloats, dutFloats] = [floatingIn(golden, ternaryReading(aig), expected), floatingIn(dut, binaryReading(aig), actual)];
    const outputs = Object.entries(golden.ports).flatMap(([port, { direction, bits }]): MiterOutput[] => {
      if (direction !== 'output') return [];
      const others = bits.map((_, index) => dut.ports[port]?.bits[index] ?? 'x');
      const [known, answer] = [bits.map(expected), others.map(actual)];
      // An output bit of the golden that is never known is no bus that is driven at times, and says nothing.
      const isKnown = known.map(({ one, zero }) => one !== FALSE || zero !== FALSE);
      const floating = { golden: bits.map((bit, index) => (isKnown[index] === true ? goldenFloats(bit).one : FALSE)), dut: others.map(dutFloats) };
      known.forEach(({ one, zero }, index) => {
        const [literal, floats] = [answer[index] ?? FALSE, floating.dut[index] ?? FALSE];
        const wrong = aig.or(aig.and(one, aig.or(not(literal), floats)), aig.and(zero, aig.or(literal, floats)));
        bad = aig.or(bad, aig.or(wrong, aig.and(floating.golden[index] ?? FALSE, not(floats))));
      });
      return [{ port, golden: known, dut: answer, floating }];
    });
    const unknown = (this.#pair.known ?? []).map(expected).reduce((any, { one, zero }) => aig.or(any, not(aig.or(one, zero))), FALSE);
    const disordered = aig.or(aig.or(wavy.disordered(this.#pair.own?.lenient === true), unknown), aig.or(wavy.lost, other.lost));
    bad = aig.and(aig.or(bad, disordered), this.#inputs.begun);
    return { aig, bad, disordered, inputs: this.#inputs.bits, outputs, completed: this.#completed, isExact: this.#partners === undefined, registers: () => this.#registers() };
  }

  #registers(): ReturnType<Miter['registers']> {
    return [...(this.#partners ?? this.#pair.registers.pairs)].flatMap(([own, other]) => {
      const [golden, dut] = [this.#goldenStates.get(own)?.value, this.#dutStates.get(other)?.value];
      return golden === undefined || dut === undefined ? [] : [{ golden, dut, known: this.#knownStates.get(other) }];
    });
  }

  #unknownOfDut(): Literal {
    const literal = this.#aig.input();
    this.#unknowns.set(`${this.#target} ${String(this.#places++)}`, literal);
    return literal;
  }

  #unknownOfGolden(): Ternary {
    const literal = this.#partners === undefined ? undefined : this.#unknowns.get(`${this.#target} ${String(this.#places++)}`);
    if (literal === undefined) return UNKNOWN;
    this.#completed = true;
    return knownBit(literal);
  }

  #dutState(q: Bit, init: string): DutState {
    const first = init === '1' ? TRUE : init === '0' ? FALSE : this.#aig.input();
    const state = Object.assign(followed(stateFrom(this.#aig, first, this.#started), FALSE), { first });
    this.#dutStates.set(q, state);
    return state;
  }

  #goldenState(q: Bit, init: string): Followed<Ternary> {
    const partner = this.#dutStates.get(this.#partners?.get(q) ?? '');
    const isKnown = init === '0' || init === '1';
    const first = isKnown ? knownBit(init === '1' ? TRUE : FALSE) : partner === undefined ? UNKNOWN : knownBit(partner.first);
    if (!isKnown && partner !== undefined) this.#completed = true;
    const isSame = partner !== undefined && this.#merged.has(q) && first.one === partner.first;
    const held = isSame ? { value: knownBit(partner.value), setNext: () => undefined } : this.#held(first, partner !== undefined && this.#single.has(q));
    const state = followed(held, UNKNOWN);
    this.#goldenStates.set(q, state);
    return state;
  }

  /** A state with its first value, as one latch where it is always known and as two elsewhere. */
  #held(first: Ternary, single: boolean): State<Ternary> {
    const one = stateFrom(this.#aig, first.one, this.#started);
    if (single && isDefinite(first)) return { value: knownBit(one.value), setNext: (next) => one.setNext(next.one) };
    return ternaryState(one, stateFrom(this.#aig, first.zero, this.#started));
  }
}

/** Follows a side in waves where it has clocks of its own, or its partner has. */
export function followSide<V>(netlist: Netlist, tree: ClockTree | undefined, environment: Environment<V>): Wavy<V> | undefined {
  if (tree !== undefined) return followWaves(netlist, tree, environment);
  const value = follow(netlist, environment);
  return value && { value, disordered: () => FALSE, lost: FALSE };
}

function followed<T>({ value, setNext }: State<T>, next: T): Followed<T> {
  const state: Followed<T> = {
    value,
    next,
    setNext: (becomes) => {
      state.next = becomes;
      setNext(becomes);
    },
  };
  return state;
}
