/**
 * Which pair of a batch a worker takes next. What a worker has learnt of a golden serves its other DUTs, so the pairs of one golden go to one worker as long as the
 * others have something to do: a worker without pairs of its own takes a golden that nobody has begun, and when there is none it helps with the golden of
 * which most pairs are left.
 */
export class Plan<Worker extends object> {
  /** Pairs that nobody has taken, in their order, by golden, in the order of their first pairs. */
  readonly #left = new Map<string, number[]>();
  readonly #learnt = new Map<Worker, Set<string>>();

  /** `goldens`: what names the golden of each pair. */
  constructor(goldens: readonly string[]) {
    for (const [pair, golden] of goldens.entries()) {
      const group = this.#left.get(golden);
      if (group === undefined) this.#left.set(golden, [pair]);
      else group.push(pair);
    }
  }

  /** The index of a pair; undefined when all are taken. */
  next(worker: Worker): number | undefined {
    const golden = this.#choose(worker);
    if (golden === undefined) return undefined;
    const learnt = this.#learnt.get(worker) ?? new Set();
    this.#learnt.set(worker, learnt.add(golden));
    const group = this.#left.get(golden);
    const pair = group?.shift();
    if (group?.length === 0) this.#left.delete(golden);
    return pair;
  }

  /** What the worker had learnt is lost. */
  forget(worker: Worker): void {
    this.#learnt.delete(worker);
  }

  #choose(worker: Worker): string | undefined {
    const goldens = [...this.#left.keys()];
    const own = this.#learnt.get(worker);
    const begun = (golden: string): boolean => [...this.#learnt.values()].some((learnt) => learnt.has(golden));
    const left = (golden: string): number => this.#left.get(golden)?.length ?? 0;
    return (
      goldens.find((golden) => own?.has(golden)) ??
      goldens.find((golden) => !begun(golden)) ??
      goldens.reduce<string | undefined>((most, golden) => (most === undefined || left(golden) > left(most) ? golden : most), undefined)
    );
  }
}
