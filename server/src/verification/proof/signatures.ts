/** What the registers of both sides do under the same random inputs. */
import { Random } from '../stimulus/random.ts';
import { Aig, type AigSimulator, type Literal } from './aig.ts';
import type { Signatures } from './correspondence.ts';
import { clocksOf, followSide, type PairOfNetlists } from './graph.ts';
import type { Bit } from './netlist.ts';
import { ternaryReading, type Ternary } from './reading.ts';
import { startOf, ternaryFrom, type State } from './states.ts';
import { makeInputs, type Beginning, type Inputs } from './time.ts';

const MOST_STEPS = 256;
/** Most nodes times steps, some hundredths of a second. */
const MOST_WORK = 2e7;
/** Part of the steps that does not count, in which registers become known in their own time. */
const SETTLING = 1 / 4;

/** Runs both sides 32 times at once, behind a reset where there is one; undefined when one of them cannot be followed. */
export function registerSignatures(pair: PairOfNetlists, beginning: Beginning | undefined): Signatures | undefined {
  const aig = new Aig();
  const inputs = makeInputs(aig, [pair.golden, pair.dut], clocksOf(pair), pair.ticks, beginning);
  const started = startOf(aig);
  const registers = { golden: new Map<Bit, Ternary>(), dut: new Map<Bit, Ternary>() };
  for (const side of ['golden', 'dut'] as const) {
    const state = (q: Bit, init: string): State<Ternary> => {
      const made = ternaryFrom(aig, init, started);
      registers[side].set(q, made.value);
      return made;
    };
    if (followSide(pair[side], pair.own?.[side], { reading: ternaryReading(aig), inputs, state }) === undefined) return undefined;
  }
  const hashes = { golden: new Hashes(registers.golden), dut: new Hashes(registers.dut) };
  const steps = Math.min(MOST_STEPS, Math.floor(MOST_WORK / aig.size));
  drive(aig.simulator(), inputs, beginning, steps, (simulator, step) => {
    if (step < steps * SETTLING) return;
    hashes.golden.take(simulator);
    hashes.dut.take(simulator);
  });
  return { golden: hashes.golden.texts(), dut: hashes.dut.texts() };
}

/** A hash of 64 bits for all that each of some bits has held. */
class Hashes {
  readonly #bits: readonly (readonly [Bit, Ternary])[];
  readonly #low: Int32Array;
  readonly #high: Int32Array;

  constructor(bits: ReadonlyMap<Bit, Ternary>) {
    this.#bits = [...bits];
    this.#low = new Int32Array(bits.size);
    this.#high = new Int32Array(bits.size);
  }

  take(simulator: AigSimulator): void {
    this.#bits.forEach(([, { one, zero }], at) => {
      for (const word of [simulator.read(one), simulator.read(zero)]) {
        this.#low[at] = Math.imul((this.#low[at] ?? 0) ^ word, 0x01000193) + 1;
        this.#high[at] = Math.imul((this.#high[at] ?? 0) ^ (word >>> 16) ^ (word << 16), 0x5bd1e995) + 1;
      }
    });
  }

  texts(): Map<Bit, string> {
    return new Map(this.#bits.map(([bit], at) => [bit, `${String(this.#low[at])} ${String(this.#high[at])}`]));
  }
}

/** Each of the runs changes its inputs at a rate of its own, and goes back to a reset now and then. */
function drive(simulator: AigSimulator, { bits }: Inputs, beginning: Beginning | undefined, steps: number, show: (simulator: AigSimulator, step: number) => void): void {
  const random = new Random(1);
  /** Set in one lane of two, of four, and so on with the lanes. */
  const rarely = (): number => [0, 1, 2, 3].reduce((word, rate) => word | (sparse(random, rate + 1) & (0x11111111 << rate)), 0);
  const levels = new Map<Literal, number>();
  for (let step = 0; step < steps; step++) {
    for (const { port, index, moves, first } of bits) {
      const active = beginning?.resets.get(`${port}[${String(index)}]`);
      const level = (levels.get(moves) ?? random.uint32()) ^ rarely();
      levels.set(moves, level);
      if (active !== undefined) simulator.set(moves, sparse(random, 5) ^ (active === 1 ? 0 : -1));
      else simulator.set(moves, first !== undefined || beginning?.clocks.has(`${port}[${String(index)}]`) === true ? ~sparse(random, 2) : level);
      if (first !== undefined) simulator.set(first, 0);
    }
    simulator.settle();
    show(simulator, step);
    simulator.advance();
  }
}

/** Every bit is 1 with a chance of one in 2^rate. */
function sparse(random: Random, rate: number): number {
  let word = -1;
  for (let draw = 0; draw < rate; draw++) word &= random.uint32();
  return word;
}
