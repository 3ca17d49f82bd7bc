import { setImmediate } from 'node:timers/promises';
import { inSlices } from '../base/steps.ts';
import type { Steps } from '../base/steps.ts';

/** Work in slices that several wait for: it is done once, and to its end whoever goes away, since the next ones build upon it. */
export class SharedSlices<K> {
  readonly #running = new Map<K, Promise<void>>();

  isRunning(key: K): boolean {
    return this.#running.has(key);
  }

  /** Waits for the work of a key, which is begun unless it is under way. `pause` is awaited meanwhile now and then, and ends the wait by throwing. */
  async wait(key: K, begin: () => Steps<void>, pause: () => Promise<unknown>): Promise<void> {
    const running = this.#running.get(key) ?? this.#begin(key, begin);
    running.catch(() => undefined);
    while (this.#running.get(key) === running) await Promise.race([running, pause()]);
    await running;
  }

  #begin(key: K, begin: () => Steps<void>): Promise<void> {
    const work = inSlices(begin(), () => setImmediate()).finally(() => this.#running.delete(key));
    this.#running.set(key, work);
    return work;
  }
}
