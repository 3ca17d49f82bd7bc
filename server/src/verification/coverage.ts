import { createHash } from 'node:crypto';
import type { GoldenCache } from './golden-cache.ts';
import type { Rows } from './rows.ts';
import type { Budget, Simulated } from './simulate.ts';
import type { Reach } from './toggles.ts';
import type { Trace } from './trace.ts';
import type { Coverage, UnreachedBranch } from './verdict.ts';
import { WatchedSide, type Noted, type WatchOptions } from './watched.ts';

/** Above this many nets it is cheaper to dump all of them than to name those that still miss something. */
const MOST_NAMED = 2000;
/** Untoggled nets that are listed. */
const MOST_LISTED = 20;

export interface MeterOptions extends Omit<WatchOptions, 'dir'> {
  /** An empty directory for the copies of the golden. */
  readonly dir: string;
  /** The golden as it is, whose trace the copy has to leave. */
  readonly golden: Simulated;
  readonly cache: GoldenCache;
  /** Names the golden in the cache. */
  readonly key: string;
}

/**
 * Measures which branches of the golden some stimulus takes and which bits it toggles, on a marked copy of the golden. A copy
 * that cannot be made, does not compile, or leaves another trace gives no figure at all.
 */
export class CoverageMeter {
  readonly #options: MeterOptions;
  #side: Promise<WatchedSide | undefined> | undefined;
  #key: string;
  #reach: Reach = { taken: new Set(), toggles: new Map() };
  #branches: readonly UnreachedBranch[] = [];
  #measured = false;
  #failed = false;

  constructor(options: MeterOptions) {
    this.#options = options;
    this.#key = `${options.key} coverage`;
  }

  /** Adds what the rows reach. Runs nothing when there is nothing left to reach, or when it was measured before. */
  async add(rows: Rows, budget: Budget): Promise<void> {
    if (this.#failed || this.isFull()) return;
    this.#key = createHash('sha256').update(this.#key).update(rows.bytes).digest('hex');
    const known = this.#options.cache.findReach(this.#key);
    this.#side ??= WatchedSide.of(this.#options);
    const side = await this.#side;
    if (side?.code.complete !== true) {
      this.#failed = true;
      return;
    }
    const reach = known ?? (await this.#run(side, rows, budget));
    if (reach === undefined) {
      this.#failed = true;
      return;
    }
    this.#options.cache.storeReach(this.#key, reach);
    this.#reach = reach;
    this.#branches = side.code.branches.map(({ what, location }) => ({ what, ...side.place(location) }));
    this.#measured = true;
  }


  async #run(side: WatchedSide, rows: Rows, budget: Budget): Promise<Reach | undefined> {
    const [golden, noted] = await Promise.all([this.#options.golden.run(rows, budget), side.run(rows, { eachSample: false, changes: this.#changes() }, budget)]);
    if (noted === undefined || golden.kind !== 'finished' || !sameTrace(golden.trace, noted.trace)) return undefined;
    return merge(this.#reach, noted);
  }

  /** What to dump: everything at first, then what still misses a change. */
  #changes(): 'all' | readonly (readonly string[])[] {
    const { toggles } = this.#reach;
    if (toggles === undefined) return [];
    if (!this.#measured) return 'all';
    const missing = [...toggles.values()].filter(({ bits }) => bits.some((seen) => seen !== 3)).map(({ path }) => path);
    return missing.length > MOST_NAMED ? 'all' : missing;
  }

  /** Every branch was taken and every bit went both ways. */
  isFull(): boolean {
    const coverage = this.coverage();
    return coverage !== undefined && coverage.branches.reached === coverage.branches.total && coverage.toggles?.reached === coverage.toggles?.total;
  }

  /** Undefined when nothing could be measured. */
  coverage(): Coverage | undefined {
    if (this.#failed || !this.#measured) return undefined;
    const { taken, toggles } = this.#reach;
    const nets = toggles === undefined ? undefined : [...toggles.values()];
    const missing = (nets ?? []).flatMap(({ path, bits }) => [...bits].flatMap((seen, bit) => (seen === 3 ? [] : [bits.length === 1 ? path.join('.') : `${path.join('.')}[${String(bit)}]`])));
    return {
      branches: { reached: taken.size, total: this.#branches.length },
      toggles: nets === undefined ? undefined : { reached: nets.reduce((sum, { bits }) => sum + bits.reduce((both, seen) => both + (seen & 1) + (seen >> 1), 0), 0), total: nets.reduce((sum, { bits }) => sum + 2 * bits.length, 0) },
      unreached: this.#branches.filter((_, index) => !taken.has(index)),
      untoggled: missing.slice(0, MOST_LISTED),
    };
  }
}

function merge(before: Reach, noted: Noted): Reach {
  const taken = new Set(before.taken);
  for (const [word, marks] of noted.marks.entries()) for (let bit = 0; bit < 32; bit++) if (((marks >>> bit) & 1) === 1) taken.add(word * 32 + bit);
  if (before.toggles === undefined || noted.toggles === undefined) return { taken, toggles: undefined };
  const toggles = new Map(before.toggles);
  for (const { path, bits } of noted.toggles) {
    const key = path.join('.');
    const earlier = toggles.get(key)?.bits;
    toggles.set(key, { path, bits: bits.map((seen, bit) => seen | (earlier?.[bit] ?? 0)) });
  }
  return { taken, toggles };
}

function sameTrace(a: Trace, b: Trace): boolean {
  return a.words.length === b.words.length && a.words.every((word, index) => word === b.words[index]);
}
