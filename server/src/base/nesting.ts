/** Runs what follows the nesting of a text by calls of its own; a text that is nested too deeply for that gets the other answer. */
export function withinStack<T>(read: () => T, tooDeep: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return tooDeep();
  }
}
