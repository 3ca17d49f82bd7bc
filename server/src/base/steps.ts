/** Work that can be left and taken up again between its steps, each of which is short. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all of it at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Milliseconds of work between two chances for others: half of the time that a screen shows one picture. */
const SLICE_MS = 8;

/** Does it in slices, between which `pause` is awaited, which may end the work by throwing. */
export async function inSlices<T>(steps: Steps<T>, pause: () => Promise<unknown>): Promise<T> {
  for (let end = performance.now() + SLICE_MS; ; ) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() < end) continue;
    await pause();
    end = performance.now() + SLICE_MS;
  }
}
