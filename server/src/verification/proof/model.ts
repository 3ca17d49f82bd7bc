/** One side as a prover understands it, in three values, against what a simulator did with it. */
import type { Edge } from '../../analysis/module.ts';
import { levelBefore } from '../stimulus/clock-schedule.ts';
import type { Layout } from '../stimulus/layout.ts';
import { Random } from '../stimulus/random.ts';
import { rowBit, type Rows } from '../stimulus/rows.ts';
import { traceBit, type Trace } from '../trace.ts';
import { Aig, type AigSimulator, type Literal } from './aig.ts';
import type { ClockTree } from './clock-tree.ts';
import { followSide } from './graph.ts';
import type { Netlist } from './netlist.ts';
import { ternaryReading, UNKNOWN, type Ternary } from './reading.ts';
import { startOf, ternaryFrom } from './states.ts';
import { makeInputs, type Inputs } from './time.ts';

/** What a simulator did with some inputs. */
export interface Recorded {
  readonly layout: Layout;
  readonly rows: Rows;
  readonly trace: Trace;
}

export interface Disagreement {
  readonly output: string;
  /** Row of the stimulus. */
  readonly row: number;
}

/** Most nodes times steps, a few hundredths of a second. */
const MOST_WORK = 2e7;
const LANES = 32;
const RANDOM_STEPS = 64;

export class Model {
  readonly #aig: Aig;
  readonly #inputs: Inputs;
  readonly #ticks: ReadonlyMap<string, Edge> | undefined;
  readonly #outputs: ReadonlyMap<string, readonly Ternary[]>;
  readonly #lost: Literal;

  private constructor({ aig, inputs, ticks, outputs, lost }: { aig: Aig; inputs: Inputs; ticks: ReadonlyMap<string, Edge> | undefined; outputs: ReadonlyMap<string, readonly Ternary[]>; lost: Literal }) {
    this.#aig = aig;
    this.#inputs = inputs;
    this.#ticks = ticks;
    this.#outputs = outputs;
    this.#lost = lost;
  }

  /** Undefined when the netlist cannot be followed. `clocks` are inputs as `port[bit]`; in `ticks` each has one active edge. */
  static of(netlist: Netlist, clocks: ReadonlySet<string>, ticks: ReadonlyMap<string, Edge> | undefined, tree?: ClockTree): Model | undefined {
    const aig = new Aig();
    const inputs = makeInputs(aig, [netlist], clocks, ticks);
    const started = startOf(aig);
    const side = followSide(netlist, tree, { reading: ternaryReading(aig), inputs, state: (_, init) => ternaryFrom(aig, init, started) });
    if (side === undefined) return undefined;
    const { value } = side;
    const outputs = Object.entries(netlist.ports).flatMap(([name, { direction, bits }]): [string, readonly Ternary[]][] => (direction === 'output' ? [[name, bits.map(value)]] : []));
    return new Model({ aig, inputs, ticks, outputs: new Map(outputs), lost: side.lost });
  }

  /** Outputs that some inputs make known as a whole: those of the recording, else random ones. */
  knownOutputs(recorded: Recorded | undefined): Set<string> {
    const known = new Set<string>();
    const look = (simulator: AigSimulator): boolean => {
      for (const [port, bits] of this.#outputs) if (!known.has(port) && bits.reduce((all, { one, zero }) => all & (simulator.read(one) | simulator.read(zero)), -1) !== 0) known.add(port);
      return known.size === this.#outputs.size;
    };
    if (recorded !== undefined) this.#run(recorded, look);
    const random = new Random(1);
    const simulator = this.#aig.simulator();
    for (let step = 0; step < RANDOM_STEPS && known.size < this.#outputs.size && step * this.#aig.size < MOST_WORK; step++) {
      for (const { moves, first } of this.#inputs.bits) {
        simulator.set(moves, random.uint32());
        if (first !== undefined) simulator.set(first, random.uint32());
      }
      simulator.settle();
      look(simulator);
      simulator.advance();
    }
    return known;
  }

  /** The first place where an output is known to both and not the same; the trace's own unknown bits say nothing, nor does what comes once the model is lost. */
  disagreement(recorded: Recorded): Disagreement | undefined {
    const { layout, trace } = recorded;
    let found: Disagreement | undefined;
    let isLost = false;
    this.#run(recorded, (simulator, sample, lane) => {
      if (((simulator.read(this.#lost) >>> lane) & 1) === 1) isLost = true;
      if (isLost || sample >= trace.samples) return true;
      for (const { port, width, offset } of layout.observed) {
        const bits = this.#outputs.get(port) ?? [];
        for (let index = 0; index < width; index++) {
          const { one, zero } = bits[index] ?? UNKNOWN;
          const simulated = traceBit(trace, sample, offset + index);
          const [isOne, isZero] = [(simulator.read(one) >>> lane) & 1, (simulator.read(zero) >>> lane) & 1];
          if (simulated === 'x' || isOne + isZero === 0 || (simulated === '1' && isOne === 1) || (simulated === '0' && isZero === 1)) continue;
          found = { output: port, row: Math.floor(sample / layout.samplesPerRow) };
          return true;
        }
      }
      return false;
    });
    return found;
  }

  /** Steps through a recording, as far as that is cheap, and shows each sample, with the lane of the words in which it stands, until that says that it has seen enough. */
  #run({ layout, rows }: Recorded, show: (simulator: AigSimulator, sample: number, lane: number) => boolean): void {
    const simulator = this.#aig.simulator();
    const steps = Math.max(LANES, Math.floor(MOST_WORK / this.#aig.size));
    const places = new Map(layout.fields.flatMap(({ port, width, offset, role }) => Array.from({ length: width }, (_, bit) => [`${port}[${String(bit)}]`, { at: offset + bit, clock: role === 'clock' }] as const)));
    const inputs = this.#inputs.bits.map((bit) => ({ ...bit, name: `${bit.port}[${String(bit.index)}]`, place: places.get(`${bit.port}[${String(bit.index)}]`) }));
    if (this.#aig.latches === 0 && layout.samplesPerRow === 1) {
      for (let row = 0; row < Math.min(rows.count, steps * LANES); row += LANES) {
        for (const { moves, place } of inputs) {
          let word = 0;
          for (let lane = 0; lane < LANES && place !== undefined; lane++) if (row + lane < rows.count && rowBit(rows, row + lane, place.at) === 1) word |= 1 << lane;
          simulator.set(moves, word);
        }
        simulator.settle();
        for (let lane = 0; lane < LANES && row + lane < rows.count; lane++) if (show(simulator, row + lane, lane)) return;
      }
      return;
    }
    // A row sets the data and then moves the clocks; before the first sample the clocks come to their idle levels, from the others as it were.
    const phases = layout.samplesPerRow;
    const level = ({ place }: (typeof inputs)[number], sample: number): number => {
      if (place === undefined) return 0;
      const row = Math.max(0, Math.floor(sample / phases));
      if (!place.clock || sample % phases === 1) return rowBit(rows, Math.min(row, rows.count - 1), place.at);
      const before = levelBefore(rows, layout, row, place.at);
      return sample < 0 ? 1 - before : before;
    };
    const first = phases === 1 ? 0 : -1;
    const levels = inputs.map((input) => level(input, first));
    for (let sample = first; sample < Math.min(rows.count * phases, steps); sample++) {
      const begins = (sample + 1) % phases === 0;
      for (const [index, input] of inputs.entries()) {
        const now = levels[index] ?? 0;
        const next = begins || input.place?.clock === true ? level(input, sample + 1) : now;
        levels[index] = next;
        const tick = this.#ticks?.get(input.name);
        if (tick !== undefined) simulator.set(input.moves, Number(now !== next && (next === 1) === (tick === 'posedge')));
        else if (input.first === undefined) simulator.set(input.moves, now);
        else {
          simulator.set(input.first, now);
          simulator.set(input.moves, now ^ next);
        }
      }
      simulator.settle();
      if (sample >= 0 && show(simulator, sample, 0)) return;
      simulator.advance();
    }
  }
}
