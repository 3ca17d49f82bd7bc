/** Exhaustive exploration of a small graph: every state that it can reach, under every assignment of its inputs. */
import type { Aig, Literal } from './aig.ts';

export type Exploration =
  /** No reachable state and no input makes the output 1. */
  | { readonly kind: 'never' }
  /** Values of the inputs in each frame, from the first state on; the output is 1 in the last one. There is no shorter sequence. */
  | { readonly kind: 'reached'; readonly frames: readonly (readonly boolean[])[] };

/** Words of 32 values that may be computed or looked at; above that a search that does not list every state is quicker. */
const MOST_WORK = 2_000_000;
/** States for which there must be room at least. */
const LEAST_STATES = 16;
const MOST_INPUTS = 16;

/** Values of the first five inputs in the 32 assignments of a word. */
const PATTERNS = [0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000] as const;

interface State {
  /** One entry a latch: 0 or 1. */
  readonly values: Uint8Array;
  readonly before: State | undefined;
  /** The assignment under which the state before led here. */
  readonly assignment: number;
}

/** Searches breadth first; undefined when the graph is too large for it. */
export function explore(aig: Aig, output: Literal): Exploration | undefined {
  const inputs = aig.inputNodes.length;
  if (inputs > MOST_INPUTS) return undefined;
  const words = Math.max(1, 2 ** (inputs - 5));
  const latches = aig.latchNodes;
  const workOfState = words * (aig.size + 32 * latches.length);
  if (workOfState * (latches.length === 0 ? 1 : LEAST_STATES) > MOST_WORK) return undefined;
  const values = new Int32Array(aig.size * words);
  aig.inputNodes.forEach((node, input) => {
    for (let word = 0; word < words; word++) values[node * words + word] = input < 5 ? (PATTERNS[input] ?? 0) : -((word >> (input - 5)) & 1);
  });
  const read = (literal: Literal, word: number): number => (values[(literal >> 1) * words + word] ?? 0) ^ -(literal & 1);
  const lanes = Math.min(32, 2 ** inputs);
  const queue: State[] = [{ values: new Uint8Array(latches.length), before: undefined, assignment: 0 }];
  const seen = new Set<string>([String.fromCharCode(...(queue[0]?.values ?? []))]);
  let work = 0;
  for (let at = 0; at < queue.length; at++) {
    const state = queue[at];
    if (state === undefined) break;
    work += workOfState;
    if (work > MOST_WORK) return undefined;
    latches.forEach(({ node }, latch) => values.fill(-(state.values[latch] ?? 0), node * words, (node + 1) * words));
    aig.settle(values, words);
    for (let word = 0; word < words; word++) {
      for (let lane = 0; lane < lanes; lane++) if (((read(output, word) >>> lane) & 1) === 1) return { kind: 'reached', frames: framesOf(state, word * 32 + lane, inputs) };
    }
    if (latches.length === 0) break;
    for (let word = 0; word < words; word++) {
      const next = latches.map((latch) => read(latch.next, word));
      for (let lane = 0; lane < lanes; lane++) {
        const after = Uint8Array.from(next, (bits) => (bits >>> lane) & 1);
        const key = String.fromCharCode(...after);
        if (seen.has(key)) continue;
        seen.add(key);
        queue.push({ values: after, before: state, assignment: word * 32 + lane });
      }
    }
  }
  return { kind: 'never' };
}

function framesOf(last: State, assignment: number, inputs: number): boolean[][] {
  const frame = (bits: number): boolean[] => Array.from({ length: inputs }, (_, input) => ((bits >> input) & 1) === 1);
  const frames = [frame(assignment)];
  for (let state = last; state.before !== undefined; state = state.before) frames.unshift(frame(state.assignment));
  return frames;
}
