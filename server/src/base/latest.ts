export type LatestResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** A newer run of the same key took over, or the key was cancelled; its value, if any, is not to be published. */
  | { readonly kind: 'superseded' };

/**
 * Latest run wins, per key. Starting a run aborts the signal of the one before it, and a run that is no longer the newest
 * settles as `superseded` whatever its task does, so that no promise stays pending and nothing stale is published.
 */
export class LatestWins<K> {
  readonly #current = new Map<K, AbortController>();

  /** Waits `delayMs` first, so that a burst of calls runs the task once. Rejects only when the newest task rejects. */
  run<T>(key: K, task: (signal: AbortSignal) => Promise<T>, delayMs = 0): Promise<LatestResult<T>> {
    this.#current.get(key)?.abort();
    const controller = new AbortController();
    this.#current.set(key, controller);
    const { signal } = controller;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const settle = (finish: () => void): void => {
          if (signal.aborted) return;
          this.#current.delete(key);
          finish();
        };
        Promise.resolve(signal)
          .then(task)
          .then(
            (value) => settle(() => resolve({ kind: 'done', value })),
            (error: unknown) => settle(() => reject(error instanceof Error ? error : new Error(String(error)))),
          );
      }, delayMs);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve({ kind: 'superseded' });
      });
    });
  }

  isRunning(key: K): boolean {
    return this.#current.has(key);
  }

  cancel(key: K): void {
    this.#current.get(key)?.abort();
    this.#current.delete(key);
  }

  cancelAll(): void {
    for (const controller of this.#current.values()) controller.abort();
    this.#current.clear();
  }
}
