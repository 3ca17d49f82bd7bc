/** What this engine tells in a CPU second beside the yardstick. */
import { mkdirSync, rmSync } from 'node:fs';
import type { Yosys } from '../../server/src/tools/yosys.ts';
import { GoldenCache } from '../../server/src/verification/golden-cache.ts';
import type { VerdictKind, VerifyResult } from '../../server/src/verification/verdict.ts';
import { cpuSeconds } from './cpu.ts';
import type { Pair } from './data.ts';
import { readGolden, yardstick, type GoldenPorts } from './yardstick.ts';

export interface Contest {
  readonly yosys: Yosys;
  readonly verify: (pair: Pair, setting: { readonly cache: GoldenCache; readonly dir: string; readonly brief: boolean }) => Promise<{ readonly result: VerifyResult; readonly cpu: number }>;
  /** A fresh name of a folder. */
  readonly folder: () => string;
}

/** Verdicts that were told, those of them that are not as labelled, and the seconds that they took. */
class Tally {
  pairs = 0;
  told = 0;
  wrong = 0;
  seconds = 0;

  add(pair: Pair, verdict: 'same' | 'different' | undefined, seconds: number): void {
    this.pairs++;
    this.seconds += seconds;
    if (verdict !== undefined) this.told++;
    if (pair.expected !== 'either' && verdict !== pair.expected) this.wrong++;
  }

  get rate(): number {
    return this.told / this.seconds;
  }

  toString(): string {
    return `${String(this.told)} of ${String(this.pairs)} told, ${String(this.wrong)} not as labelled, ${this.rate.toFixed(2)} verdicts a CPU second`;
  }
}

const AGREES: ReadonlySet<VerdictKind> = new Set<VerdictKind>(['equivalent', 'no-difference']);

function verdictOf({ verdict }: VerifyResult): 'same' | 'different' | undefined {
  if (verdict === 'different') return 'different';
  return AGREES.has(verdict) ? 'same' : undefined;
}

interface Theirs {
  /** Told without the ports of the golden, and with them. */
  readonly fresh: Tally;
  readonly known: Tally;
}

async function theirVerdict({ yosys, folder }: Contest, pair: Pair, before: GoldenPorts | string | undefined, { fresh, known }: Theirs): Promise<GoldenPorts | string> {
  const input = { golden: pair.golden.text, goldenTop: pair.golden.top, dut: pair.dut.text, dutTop: pair.dut.top, aux: pair.golden.aux };
  const dir = folder();
  mkdirSync(dir);
  const started = cpuSeconds();
  const ports = before ?? (await readGolden(yosys, input));
  const read = cpuSeconds();
  const { verdict } = await yardstick(ports, input, dir);
  const ended = cpuSeconds();
  const told = verdict === 'same' || verdict === 'different' ? verdict : undefined;
  fresh.add(pair, told, ended - started);
  known.add(pair, told, ended - read);
  rmSync(dir, { recursive: true, force: true });
  return ports;
}

export interface Comparison {
  readonly ours: Tally;
  readonly theirs: Tally;
}

/** How many times as many verdicts in the same time. */
export function times({ ours, theirs }: Comparison): string {
  return (ours.rate / theirs.rate).toFixed(1);
}

export type Answers = 'verdict' | 'whole';
const ANSWERS: readonly Answers[] = ['verdict', 'whole'];

/** Each pair twice: of a golden that is new to both engines, and of one that both know. */
export async function contestOfPairs(contest: Contest, pairs: readonly Pair[]): Promise<Record<'fresh' | 'known', Record<Answers, Comparison>>> {
  const theirs: Theirs = { fresh: new Tally(), known: new Tally() };
  const ours = { fresh: { verdict: new Tally(), whole: new Tally() }, known: { verdict: new Tally(), whole: new Tally() } };
  for (const pair of pairs) {
    const verdicts = new Set<VerdictKind>();
    for (const answers of ANSWERS) {
      const setting = { cache: new GoldenCache(), dir: contest.folder(), brief: answers === 'verdict' };
      for (const golden of ['fresh', 'known'] as const) {
        const { result, cpu } = await contest.verify(pair, setting);
        ours[golden][answers].add(pair, verdictOf(result), cpu);
        verdicts.add(result.verdict);
      }
    }
    if (verdicts.size > 1) console.log(`  ${pair.id}: ${[...verdicts].join(', and ')}, as the golden is new or known and the answer whole or not`);
    await theirVerdict(contest, pair, undefined, theirs);
  }
  const against = (golden: 'fresh' | 'known'): Record<Answers, Comparison> => ({
    verdict: { ours: ours[golden].verdict, theirs: theirs[golden] },
    whole: { ours: ours[golden].whole, theirs: theirs[golden] },
  });
  return { fresh: against('fresh'), known: against('known') };
}

/** Pairs as they come, golden by golden: the golden is new for the first of its pairs and known for the others, to both engines. */
export async function contestOfBatches(contest: Contest, batches: readonly (readonly Pair[])[]): Promise<Record<Answers, Comparison>> {
  const theirs: Theirs = { fresh: new Tally(), known: new Tally() };
  const ours = { verdict: new Tally(), whole: new Tally() };
  for (const batch of batches) {
    for (const answers of ANSWERS) {
      // One folder, as the golden has one: what is known of it is known by its content and its place.
      const setting = { cache: new GoldenCache(), dir: contest.folder(), brief: answers === 'verdict' };
      for (const pair of batch) {
        const { result, cpu } = await contest.verify(pair, setting);
        ours[answers].add(pair, verdictOf(result), cpu);
      }
    }
    let ports: GoldenPorts | string | undefined;
    for (const pair of batch) ports = await theirVerdict(contest, pair, ports, theirs);
  }
  return { verdict: { ours: ours.verdict, theirs: theirs.fresh }, whole: { ours: ours.whole, theirs: theirs.fresh } };
}

/** Pairs by their goldens. */
export function byGolden(pairs: readonly Pair[]): Pair[][] {
  const batches = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const key = `${pair.golden.top} ${pair.golden.text}`;
    const batch = batches.get(key);
    if (batch === undefined) batches.set(key, [pair]);
    else batch.push(pair);
  }
  return [...batches.values()];
}
