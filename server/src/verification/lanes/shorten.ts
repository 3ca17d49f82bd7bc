/** Leaves out what lies between the reset and the last steps of a way to a difference, where these do by themselves. */
import { LANES, WORDS, type Machine } from './machine.ts';

export interface Way {
  /** The inputs in each step from power-on, one byte each. */
  readonly frames: Uint8Array;
  readonly inputs: number;
  /** Steps at its beginning that are kept. */
  readonly head: number;
}

/** Tails that are as short as this are not looked for. */
const SHORT = 4;

/** Tries tails of all lengths at once: each lane is at power-on until its head and its tail end with the others. `places`: the words of the inputs. */
export function shortened(way: Way, machine: Machine, places: Int32Array): Uint8Array {
  const longest = way.frames.length / way.inputs - way.head;
  if (longest <= SHORT) return way.frames;
  const ratio = (longest - 1) ** (1 / (LANES - 1));
  const first = tryTails(way, machine, places, Array.from({ length: LANES }, (_, lane) => Math.min(longest - 1, Math.ceil(ratio ** lane))));
  const least = first.ends ?? longest;
  const apart = (least - first.fails) / (LANES + 1);
  const second = apart < 1 ? undefined : tryTails(way, machine, places, Array.from({ length: LANES }, (_, lane) => Math.floor(first.fails + (lane + 1) * apart)));
  const tail = second?.ends ?? first.ends;
  return tail === undefined ? way.frames : withTail(way, tail);
}

function withTail({ frames, inputs, head }: Way, tail: number): Uint8Array {
  return Buffer.concat([frames.subarray(0, head * inputs), frames.subarray(frames.length - tail * inputs)]);
}

/** The shortest of some tails, given in ascending order, that ends in the difference, and the longest below it that does not. */
function tryTails({ frames, inputs, head }: Way, machine: Machine, places: Int32Array, tails: readonly number[]): { readonly ends: number | undefined; readonly fails: number } {
  const steps = frames.length / inputs;
  const longest = tails.at(-1) ?? 0;
  const begins = tails.map((tail) => steps - tail - head);
  const set = (step: number, lanes: Int32Array): void => {
    for (let input = 0; input < inputs; input++) {
      const [place, value] = [places[input] ?? -1, -(frames[step * inputs + input] ?? 0)];
      if (place < 0) continue;
      for (let word = 0; word < WORDS; word++) {
        const mask = lanes[word] ?? 0;
        machine.memory[place + word] = ((machine.memory[place + word] ?? 0) & ~mask) | (value & mask);
      }
    }
  };
  // Lanes that have not begun, by their number; those in their heads; all others.
  const inTail = new Int32Array(WORDS);
  for (let step = Math.max(0, steps - longest - head); step < steps; step++) {
    const inHead = new Map<number, Int32Array>();
    begins.forEach((begin, lane) => {
      if (step === begin || (begin < 0 && step === 0)) machine.setLatches(lane, undefined);
      const bit = 1 << (lane & 31);
      if (step >= begin + head) inTail[lane >> 5] = (inTail[lane >> 5] ?? 0) | bit;
      else if (step >= begin) {
        const lanes = inHead.get(step - begin) ?? new Int32Array(WORDS);
        lanes[lane >> 5] = (lanes[lane >> 5] ?? 0) | bit;
        inHead.set(step - begin, lanes);
      }
    });
    set(step, inTail);
    for (const [at, lanes] of inHead) set(at, lanes);
    machine.step();
  }
  let [ends, fails]: [number | undefined, number] = [undefined, 0];
  for (let lane = LANES - 1; lane >= 0; lane--) if (((machine.bad(lane >> 5) >>> (lane & 31)) & 1) === 1) ends = tails[lane];
  for (const tail of tails) if (tail < (ends ?? Infinity)) fails = tail;
  return { ends, fails };
}
