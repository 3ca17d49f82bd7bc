import type { Layout, ObservedPort } from './stimulus/layout.ts';

/**
 * Four-state samples as `$fwrite("%z")` leaves them (IEEE 1800 21.3.4.3): for every 32 bits a pair of words, first aval, then
 * bval, least significant group first. (aval, bval): 0 = (0,0), 1 = (1,0), z = (0,1), x = (1,1).
 */
export interface Trace {
  readonly words: Uint32Array;
  readonly wordsPerSample: number;
  readonly samples: number;
}

export function wordsPerSample(observedBits: number): number {
  return 2 * Math.ceil(observedBits / 32);
}

/** Reads a trace file; a last sample that was cut off is dropped. */
export function parseTrace(bytes: Uint8Array, layout: Pick<Layout, 'observedBits'>): Trace {
  const perSample = wordsPerSample(layout.observedBits);
  const samples = perSample === 0 ? 0 : Math.floor(bytes.byteLength / (perSample * 4));
  const words = new Uint32Array(samples * perSample);
  new Uint8Array(words.buffer).set(bytes.subarray(0, words.byteLength));
  return { words, wordsPerSample: perSample, samples };
}

/** Some samples of a trace by themselves, as far as there are so many. */
export function samplesOf({ words, wordsPerSample: perSample, samples }: Trace, from: number, wanted: number): Trace {
  const count = Math.min(wanted, samples - from);
  return { words: words.slice(from * perSample, (from + count) * perSample), wordsPerSample: perSample, samples: count };
}

export type Logic = '0' | '1' | 'x' | 'z';

export function traceBit(trace: Trace, sample: number, bit: number): Logic {
  const word = sample * trace.wordsPerSample + 2 * (bit >> 5);
  const aval = ((trace.words[word] ?? 0) >>> (bit & 31)) & 1;
  const bval = ((trace.words[word + 1] ?? 0) >>> (bit & 31)) & 1;
  if (bval === 0) return aval === 1 ? '1' : '0';
  return aval === 1 ? 'x' : 'z';
}

/** Text of one observed port, most significant bit first. */
export function portText(trace: Trace, sample: number, port: ObservedPort): string {
  let text = '';
  for (let bit = port.width - 1; bit >= 0; bit--) text += traceBit(trace, sample, port.offset + bit);
  return text;
}

export function sameTrace(a: Trace, b: Trace): boolean {
  return a.words.length === b.words.length && a.words.every((word, index) => word === b.words[index]);
}

/** Whether some bit is known in both and not the same. */
export function contradict(a: Trace, b: Trace): boolean {
  for (let word = 0; word < Math.min(a.words.length, b.words.length); word += 2) {
    const unknown = (a.words[word + 1] ?? 0) | (b.words[word + 1] ?? 0);
    if ((((a.words[word] ?? 0) ^ (b.words[word] ?? 0)) & ~unknown) !== 0) return true;
  }
  return false;
}
