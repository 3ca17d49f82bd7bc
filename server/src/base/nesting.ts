import type { Steps } from './steps.ts';

/** Runs what follows the nesting of a text by calls of its own; a text that is nested too deeply for that gets the other answer. */
export function withinStack<T>(read: () => T, tooDeep: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return tooDeep();
  }
}

/** As `withinStack`, for work in steps. */
export function* withinStackInSteps<T>(steps: Steps<T>, tooDeep: () => T): Steps<T> {
  for (;;) {
    const step = withinStack(() => steps.next(), () => undefined);
    if (!step) return tooDeep();
    if (step.done === true) return step.value;
    yield;
  }
}
