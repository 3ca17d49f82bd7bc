/** How a lane came to where it is: stretches of drawn inputs that can be drawn again. */
import { Drive, resetSteps, type Line, type Plan } from './drive.ts';
import { LANES, WORDS } from './machine.ts';

/** A stretch of steps of all lanes. */
export interface Segment {
  readonly plan: Plan;
  /** What each lane had gone before; undefined: nothing, it begins at power-on. */
  readonly origins: (Path | undefined)[];
}

/** The first steps of a lane in a segment, behind those that led to it. */
export interface Path {
  readonly segment: Segment;
  readonly lane: number;
  readonly steps: number;
  /** Steps from power-on. */
  readonly total: number;
}

export interface PathsTask {
  readonly lines: readonly Line[];
  readonly constants: readonly bigint[];
  /** Of the graph. */
  readonly inputs: number;
}

export class Paths {
  readonly #task: PathsTask;

  constructor(task: PathsTask) {
    this.#task = task;
  }

  /** Steps at power-on in which resets are held. */
  get headSteps(): number {
    return resetSteps(this.#task.lines);
  }

  path(segment: Segment, lane: number, steps: number): Path {
    return { segment, lane, steps, total: steps + (segment.origins[lane]?.total ?? 0) };
  }

  /** Lanes of a word that begin at power-on. */
  starts({ origins }: Segment, word: number): number {
    let starts = 0;
    for (let lane = 0; lane < LANES / WORDS; lane++) if (origins[word * 32 + lane] === undefined) starts |= 1 << lane;
    return starts;
  }

  drive(segment: Segment, word: number, memory: Int32Array, places: Int32Array): Drive {
    const { lines, constants } = this.#task;
    return new Drive({ lines, constants, plan: segment.plan, word, starts: this.starts(segment, word), memory, places });
  }

  /** The inputs in each step from power-on, one byte each. */
  frames(path: Path): Uint8Array {
    const parts: Path[] = [];
    for (let part: Path | undefined = path; part !== undefined; part = part.segment.origins[part.lane]) parts.unshift(part);
    const all = new Uint8Array(path.total * this.#task.inputs);
    let [at, last]: [number, Uint8Array | undefined] = [0, undefined];
    for (const part of parts) {
      const frames = this.#follow(part, last);
      all.set(frames, at);
      at += frames.length;
      last = frames.subarray(frames.length - this.#task.inputs);
    }
    return all;
  }

  #follow({ segment, lane, steps }: Path, before: Uint8Array | undefined): Uint8Array {
    const { inputs } = this.#task;
    const word = lane >> 5;
    const memory = new Int32Array(inputs * WORDS);
    const places = Int32Array.from({ length: inputs }, (_, input) => input * WORDS);
    for (let input = 0; input < inputs; input++) memory[input * WORDS + word] = -(before?.[input] ?? 0);
    const drive = this.drive(segment, word, memory, places);
    const frames = new Uint8Array(steps * inputs);
    for (let step = 0; step < steps; step++) {
      drive.step(step);
      for (let input = 0; input < inputs; input++) frames[step * inputs + input] = ((memory[input * WORDS + word] ?? 0) >>> (lane & 31)) & 1;
    }
    return frames;
  }
}
