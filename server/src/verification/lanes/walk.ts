/** Goes to every state that a small graph can reach, with every input in each. */
import { setImmediate } from 'node:timers/promises';
import type { Line } from './drive.ts';
import { BAD, LANES, type Machine } from './machine.ts';

export interface WalkTask {
  readonly machine: Machine;
  readonly lines: readonly Line[];
  /** The words of the inputs, in the order of those of the graph; -1 where nobody asks for one. */
  readonly places: Int32Array;
  /** Words of what is neither an input nor held, of which any value is possible at any time. */
  readonly free: readonly number[];
  /** Steps at power-on in which resets are held. */
  readonly headSteps: number;
  /** Steps of the machine, at most. */
  readonly mostSteps: number;
  /** Takes the inputs of a shortest way to a difference, in each step from power-on and one byte each; whether the walk ends there. */
  readonly shows: (frames: Uint8Array) => Promise<boolean>;
}

/** `complete`: there is no other state; `left`: there are too many, or the walk was ended. */
export interface WalkEnd {
  readonly kind: 'complete' | 'left';
  readonly steps: number;
}

/** Bits that are tried in all their values. */
const MOST_BITS = 10;
/** Steps between two chances for others. */
const STEPS_AT_ONCE = 64;
/** Ways to differences that are shown. */
const MOST_SHOWN = 4;

interface Visited {
  readonly latches: Uint8Array;
  /** Where it was first come from, and with which of the inputs; the first state has none. */
  readonly from: number;
  readonly by: number;
}

/** Breadth first, so that every way is a shortest one. */
export async function walkStates({ machine, lines, places, free, headSteps, mostSteps, shows }: WalkTask): Promise<WalkEnd> {
  const choices = choicesOf(lines, places, free.length);
  if (choices === undefined) return { kind: 'left', steps: 0 };
  const columns = [...[...places.keys()].filter((input) => (places[input] ?? -1) >= 0).map((input) => ({ at: places[input] ?? 0, input })), ...free.map((at, index) => ({ at, input: places.length + index }))];
  const put = (lane: number, choice: Uint8Array): void => {
    const bit = 1 << (lane & 31);
    for (const { at, input } of columns) {
      const word = at + (lane >> 5);
      machine.memory[word] = choice[input] === 1 ? (machine.memory[word] ?? 0) | bit : (machine.memory[word] ?? 0) & ~bit;
    }
  };
  const idle = new Uint8Array(places.length + free.length);
  for (const { role, bits, active } of lines) if (role === 'reset') for (const bit of bits) idle[bit] = active;
  for (let lane = 0; lane < LANES; lane++) {
    machine.setLatches(lane, undefined);
    put(lane, idle);
  }
  for (let step = 0; step < headSteps; step++) machine.step();
  const states: Visited[] = [{ latches: machine.latchesOf(0, 0), from: -1, by: -1 }];
  const known = new Set([keyOf(states[0]?.latches ?? idle)]);
  const way = (last: number, by: number): Uint8Array => {
    const steps = [by];
    for (let at = states[last]; at !== undefined && at.from >= 0; at = states[at.from]) steps.unshift(at.by);
    return Buffer.concat([...new Array<Uint8Array>(headSteps).fill(idle.subarray(0, places.length)), ...steps.map((choice) => (choices[choice] ?? idle).subarray(0, places.length))]);
  };
  let shown = 0;
  let steps = 0;
  for (let [first, lanes] = [0, 0]; first < states.length * choices.length; first += lanes) {
    if (steps++ >= mostSteps) return { kind: 'left', steps };
    if (steps % STEPS_AT_ONCE === 0) await setImmediate();
    lanes = Math.min(LANES, states.length * choices.length - first);
    for (let lane = 0; lane < lanes; lane++) {
      machine.setLatches(lane, states[Math.floor((first + lane) / choices.length)]?.latches);
      put(lane, choices[(first + lane) % choices.length] ?? idle);
    }
    const isBad = (machine.step() & BAD) !== 0;
    let bad: number | undefined;
    for (let lane = 0; lane < lanes; lane++) {
      if (isBad && ((machine.bad(lane >> 5) >>> (lane & 31)) & 1) === 1) bad ??= first + lane;
      const latches = machine.latchesOf(lane, 0);
      const key = keyOf(latches);
      if (known.has(key)) continue;
      known.add(key);
      states.push({ latches, from: Math.floor((first + lane) / choices.length), by: (first + lane) % choices.length });
    }
    if (bad !== undefined && shown++ < MOST_SHOWN && (await shows(way(Math.floor(bad / choices.length), bad % choices.length)))) return { kind: 'left', steps };
  }
  return { kind: 'complete', steps };
}

/** Every choice of inputs in which no two clocks move; undefined where there are too many. */
function choicesOf(lines: readonly Line[], places: Int32Array, free: number): Uint8Array[] | undefined {
  const clocks = new Set(lines.flatMap(({ role, bits }) => (role === 'clock' ? bits : [])));
  const asked = [...places.keys()].filter((input) => (places[input] ?? -1) >= 0);
  const others = [...asked.filter((input) => !clocks.has(input)), ...Array.from({ length: free }, (_, index) => places.length + index)];
  const moving = asked.filter((input) => clocks.has(input));
  if (others.length + Math.ceil(Math.log2(moving.length + 1)) > MOST_BITS) return undefined;
  return [undefined, ...moving].flatMap((clock) =>
    Array.from({ length: 2 ** others.length }, (_, number) => {
      const choice = new Uint8Array(places.length + free);
      others.forEach((input, bit) => (choice[input] = (number >> bit) & 1));
      if (clock !== undefined) choice[clock] = 1;
      return choice;
    }),
  );
}

function keyOf(latches: Uint8Array): string {
  return Buffer.from(latches).toString('latin1');
}
