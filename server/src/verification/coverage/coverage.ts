import { createHash } from 'node:crypto';
import type { LoadedDesign } from '../../analysis/design.ts';
import { directedRows } from '../stimulus/directed.ts';
import { heldRows } from '../stimulus/held.ts';
import type { GoldenCache } from '../golden-cache.ts';
import type { Rows } from '../stimulus/rows.ts';
import type { Budget, Simulated } from '../engine.ts';
import type { TimeBudget } from '../time-budget.ts';
import type { Reach, Toggled } from './toggles.ts';
import type { Coverage, UnreachedBranch } from '../verdict.ts';
import type { Exchange } from '../witness.ts';
import type { Branch } from './code-map.ts';
import type { Noted, WatchedSide, WatchOptions } from './watched.ts';

/** Above this many nets it is cheaper to dump all of them than to name those that still miss something. */
const MOST_NAMED = 2000;
/** Branches for which a fault is made. */
const MOST_FAULTS = 6;
/** Untoggled nets that are listed. */
const MOST_LISTED = 20;

/** Ways to look for stimulus into branches: by the values that are compared, and by holding inputs. */
const SEARCHES = { corrected: directedRows, held: heldRows } as const;

export interface MeterOptions extends Pick<WatchOptions, 'engine'> {
  /** Makes the copy; asked when one is needed. */
  readonly watched: () => Promise<WatchedSide | undefined>;
  /** The side as it is, whose trace the copy has to leave. */
  readonly simulated: Simulated;
  readonly cache: GoldenCache;
  /** Names the side in the cache. */
  readonly key: string;
}

export interface DirectLimits {
  readonly seed: number;
  readonly time: TimeBudget;
  /** Rows that may be simulated to find directed vectors. */
  readonly mostRows: number;
}

/**
 * Measures which branches of a side some stimulus takes and which bits it toggles, on a marked copy of the side. A copy
 * that cannot be made, does not compile, or leaves another trace gives no figure at all; a run of it that does not finish adds nothing.
 */
export class CoverageMeter {
  readonly #options: MeterOptions;
  #side: Promise<WatchedSide | undefined> | undefined;
  #key: string;
  #reach: Reach = { taken: new Set(), toggles: new Map() };
  #branches: readonly (UnreachedBranch & Pick<Branch, 'kind'>)[] = [];
  #measured = false;
  #failed = false;

  constructor(options: MeterOptions) {
    this.#options = options;
    this.#key = `${options.key} coverage`;
  }

  /** Adds what the rows reach. Runs nothing when there is nothing left to reach, or when it was measured before. */
  async add(rows: Rows, budget: Budget): Promise<void> {
    if (this.#failed || this.#isFull()) return;
    this.#key = createHash('sha256').update(this.#key).update(rows.bytes).digest('hex');
    const known = this.#options.cache.findReach(this.#key);
    this.#side ??= this.#options.watched();
    const side = await this.#side;
    if (side?.code.complete !== true) {
      this.#failed = true;
      return;
    }
    const reach = known ?? (await this.#run(side, rows, budget));
    if (reach === 'other') this.#failed = true;
    if (reach === 'other' || reach === 'unfinished') return;
    this.#options.cache.storeReach(this.#key, reach);
    this.#reach = reach;
    this.#branches = side.code.branches.map(({ what, location, kind }) => ({ what, ...side.place(location), kind }));
    this.#measured = true;
  }

  /** How much the side moves inside in each row of a stimulus; undefined where that cannot be seen. */
  async activity(rows: Rows, budget: Budget): Promise<readonly number[] | undefined> {
    const side = this.#failed || !this.#options.engine.dumps ? undefined : await this.#side;
    return (await side?.run(rows, { eachSample: false, changes: 'all', compared: [] }, budget))?.activity();
  }

  /** Stimulus into branches that were not reached, looked for in one way from an exchange that reached others; undefined when there is none. */
  async direct(way: keyof typeof SEARCHES, { rows, compareFrom, layout, resets = [] }: Exchange, { seed, time, mostRows }: DirectLimits): Promise<{ readonly rows: Rows; readonly compareFrom: number } | undefined> {
    const side = await this.#side;
    if (side === undefined || this.#failed || this.#missing().length === 0) return undefined;
    const kept = new Set(resets.flatMap(({ port, bit }) => layout.fields.filter((field) => field.port === port).map((field) => field.offset + (bit ?? 0))));
    const { cache } = this.#options;
    const key = `${this.#key} ${way}`;
    const known = cache.findDirected(key);
    const found = known ?? (await SEARCHES[way]({ side, layout, kept, rows, head: compareFrom, taken: this.#reach.taken, seed: seed + 4, mostRows, time }));
    if (!time.isOver()) cache.storeDirected(key, found);
    return found.count === 0 ? undefined : { rows: found, compareFrom };
  }

  /**
   * Copies of the side with a fault in a branch that was not reached, a few at most: what tells them from the side leads into the
   * branch and on to an output.
   */
  async faults(): Promise<{ readonly key: string; readonly design: LoadedDesign }[]> {
    const side = this.#failed ? undefined : await this.#side;
    if (side === undefined) return [];
    return this.#missing().slice(0, MOST_FAULTS).flatMap((branch) => {
      const design = side.withFault(branch);
      return design === undefined ? [] : [{ key: `${this.#options.key} fault ${String(branch)}`, design }];
    });
  }

  async #run(side: WatchedSide, rows: Rows, budget: Budget): Promise<Reach | 'unfinished' | 'other'> {
    const [golden, noted] = await Promise.all([this.#options.simulated.run(rows, budget), side.run(rows, { eachSample: false, changes: this.#changes(), compared: [] }, budget)]);
    if (noted === undefined || golden.kind !== 'finished') return 'unfinished';
    if (!side.didAs(noted, golden.trace)) return 'other';
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

  /** Every bit went both ways, and every branch was taken, or is a `default` to which no value may be left. */
  isSaturated(): boolean {
    const coverage = this.coverage();
    return coverage?.toggles !== undefined && coverage.toggles.reached === coverage.toggles.total && this.#missing().every((branch) => this.#branches[branch]?.kind !== 'arm');
  }

  /**
   * Branches taken, results of comparisons and changes of bits seen so far; undefined where such changes cannot be seen, without which a slow counter shows
   * nothing on its way.
   */
  reached(): number | undefined {
    if (!this.#options.engine.dumps) return undefined;
    const { taken, toggles } = this.#reach;
    return taken.size + sum([...(toggles?.values() ?? [])], seenChanges);
  }

  /** Indexes of the branches that were not taken; that a `case` leaves no value over is as good. */
  #missing(): number[] {
    return this.#branches.flatMap(({ kind }, branch) => (kind === 'rest' || this.#reach.taken.has(branch) ? [] : [branch]));
  }

  #isFull(): boolean {
    return this.isSaturated() && this.#missing().length === 0;
  }

  /** Undefined when nothing could be measured, or there is nothing to measure. */
  coverage(): Coverage | undefined {
    if (this.#failed || !this.#measured) return undefined;
    const { taken, toggles } = this.#reach;
    const nets = toggles === undefined ? undefined : [...toggles.values()];
    const branches = this.#branches.map((branch, index) => ({ ...branch, isTaken: taken.has(index) })).filter(({ kind }) => kind === 'arm' || kind === 'default');
    if (branches.length === 0 && (nets ?? []).length === 0) return undefined;
    const unreached = branches.filter(({ isTaken }) => !isTaken);
    return {
      branches: { reached: branches.length - unreached.length, total: branches.length },
      toggles: nets === undefined ? undefined : { reached: sum(nets, seenChanges), total: sum(nets, ({ bits }) => 2 * bits.length) },
      unreached: unreached.map(({ what, file, line, character }) => ({ what, file, line, character })),
      untoggled: (nets ?? []).flatMap(untoggledBits).slice(0, MOST_LISTED),
    };
  }
}

function sum(nets: readonly Toggled[], value: (net: Toggled) => number): number {
  return nets.reduce((total, net) => total + value(net), 0);
}

function seenChanges({ bits }: Toggled): number {
  return bits.reduce((changes, seen) => changes + (seen & 1) + (seen >> 1), 0);
}

/** Names of the bits that miss a change. */
function untoggledBits({ path, bits, lowest, step }: Toggled): string[] {
  const name = path.join('.');
  return [...bits].flatMap((seen, bit) => (seen === 3 ? [] : [bits.length === 1 ? name : `${name}[${String(lowest + step * bit)}]`]));
}

function merge(before: Reach, noted: Noted): Reach {
  const taken = new Set(before.taken);
  for (const [word, marks] of noted.marks.entries()) for (let bit = 0; bit < 32; bit++) if (((marks >>> bit) & 1) === 1) taken.add(word * 32 + bit);
  if (before.toggles === undefined || noted.toggles === undefined) return { taken, toggles: undefined };
  const toggles = new Map(before.toggles);
  for (const net of noted.toggles) {
    const key = net.path.join('.');
    const earlier = toggles.get(key)?.bits;
    toggles.set(key, { ...net, bits: net.bits.map((seen, bit) => seen | (earlier?.[bit] ?? 0)) });
  }
  return { taken, toggles };
}
