import { createHash, randomUUID } from 'node:crypto';
import type { LoadedDesign } from '../analysis/design.ts';
import type { Layout } from './stimulus/layout.ts';
import type { Rows } from './stimulus/rows.ts';
import type { Budget, PowerOn, SideRun, Simulated } from './engine.ts';
import type { Reach } from './coverage/toggles.ts';

type Finished = Extract<SideRun, { kind: 'finished' }>;

/** Bytes of traces that are kept at most. */
const MOST_BYTES = 64 * 2 ** 20;
/** Coverage figures that are kept at most. */
const MOST_REACHES = 200;

/**
 * Traces of goldens by the content of everything that shapes them, so that a re-verify after an edit of the DUT pays for the DUT
 * only. The least recently used go first.
 */
export class GoldenCache {
  readonly #runs = new Map<string, Finished>();
  readonly #known = new Set<string>();
  readonly #reaches = new Map<string, Reach>();
  readonly #directed = new Map<string, Rows>();
  #bytes = 0;

  findReach(key: string): Reach | undefined {
    return this.#reaches.get(key);
  }

  storeReach(key: string, reach: Reach): void {
    keepNewest(this.#reaches, key, reach, MOST_REACHES);
  }

  /** Directed vectors that were made for a golden; no rows where none were found. */
  findDirected(key: string): Rows | undefined {
    return this.#directed.get(key);
  }

  storeDirected(key: string, rows: Rows): void {
    keepNewest(this.#directed, key, rows, MOST_REACHES);
  }

  /** Whether this golden was compiled before and, where it is as its source has it, its ports were as the analysis has them. */
  knows(design: string): boolean {
    return this.#known.has(design);
  }

  remember(design: string): void {
    this.#known.add(design);
  }

  find(key: string): Finished | undefined {
    const run = this.#runs.get(key);
    if (run === undefined) return undefined;
    this.#runs.delete(key);
    this.#runs.set(key, run);
    return run;
  }

  store(key: string, run: Finished): void {
    this.#runs.set(key, run);
    this.#bytes += run.trace.words.byteLength;
    for (const [oldest, { trace }] of this.#runs) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#runs.delete(oldest);
      this.#bytes -= trace.words.byteLength;
    }
  }
}

function keepNewest<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

/** Names a golden by its sources, how they are read, its ports and the tool that runs it; one that reads memory images is new each time. */
export function goldenKey({ module, sources, includes, outside, input }: LoadedDesign, layout: Layout, tool: string): string {
  const hash = createHash('sha256');
  const { includeDirs, defines, parameters } = input;
  hash.update(JSON.stringify([module.name, sources, includes, includeDirs, defines, parameters, layout, tool]));
  if (outside.some(({ name }) => name.startsWith('$readmem'))) hash.update(randomUUID());
  return hash.digest('hex');
}

/** A golden that is compiled only when a run is asked for that is not known. */
export class CachedGolden implements Simulated {
  /** Names the golden in the cache. */
  readonly key: string;
  readonly #cache: GoldenCache;
  readonly #make: () => Promise<Simulated | undefined>;
  #made: Promise<Simulated | undefined> | undefined;

  constructor(cache: GoldenCache, key: string, make: () => Promise<Simulated | undefined>) {
    this.#cache = cache;
    this.key = key;
    this.#make = make;
  }

  async run(rows: Rows, budget: Budget, powerOn?: PowerOn): Promise<SideRun> {
    const key = `${this.key} ${powerOn === undefined ? '' : JSON.stringify(powerOn)} ${createHash('sha256').update(rows.bytes).digest('hex')}`;
    const known = this.#cache.find(key);
    if (known !== undefined) return known;
    const simulation = await this.#simulation();
    if (simulation === undefined) return { kind: 'failed', message: 'The reference no longer compiles.' };
    const run = await simulation.run(rows, budget, powerOn);
    if (run.kind === 'finished') this.#cache.store(key, run);
    return run;
  }

  async withDrawnState(budget: Budget): Promise<Simulated | undefined> {
    const key = `${this.key} drawn`;
    const make = async (): Promise<Simulated | undefined> => (await this.#simulation())?.withDrawnState(budget);
    if (this.#cache.knows(key)) return new CachedGolden(this.#cache, key, make);
    const drawn = await make();
    if (drawn === undefined) return undefined;
    this.#cache.remember(key);
    return new CachedGolden(this.#cache, key, () => Promise.resolve(drawn));
  }

  #simulation(): Promise<Simulated | undefined> {
    this.#made ??= this.#make();
    return this.#made;
  }
}
