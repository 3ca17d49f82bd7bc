import { tmpdir } from 'node:os';
import fc from 'fast-check';
import type { Core } from '../server/src/core.ts';
import type { Encoding } from '../server/src/generation/emit/encoding.ts';
import type { GenerateResult } from '../server/src/generation/generate.ts';
import { logicTables, machines, machineStyles, machineText, mapLayouts, mapStyles, mapText, truthStyles, truthTableText } from '../test/unit/generation/random.ts';

export interface TableOptions {
  readonly tables: number;
  readonly machines: number;
  readonly maps: number;
  readonly seed: number;
  readonly jobs: number;
  readonly timeoutMs: number;
}

export const defaultMaps = mapLayouts.length * mapStyles.length;

interface Task {
  readonly kind: 'truth tables' | 'Karnaugh maps' | 'state machines';
  readonly text: string;
  readonly encoding?: Encoding;
}

const encodings: readonly Encoding[] = ['binary', 'one-hot', 'gray'];

function pick<T>(list: readonly T[], at: number): T {
  const item = list[at % list.length];
  if (item === undefined) throw new Error('Nothing to pick from.');
  return item;
}

function tasks({ tables: wanted, machines: machineCount, maps: mapCount, seed }: TableOptions): Task[] {
  const tables = fc.sample(logicTables({ inputs: 8, outputs: 4 }), { seed, numRuns: wanted });
  const fsms = fc.sample(machines({ states: 8, inputs: 3, outputs: 3 }), { seed, numRuns: machineCount });
  const maps = mapLayouts.flatMap((layout) => mapStyles.map((style) => ({ layout, style }))).slice(0, mapCount);
  const cells = fc.sample(fc.array(fc.constantFrom('0', '1', '0', '1', 'd', 'x', '-'), { minLength: 32, maxLength: 32 }), { seed, numRuns: maps.length });
  return [
    ...tables.map((table, at): Task => ({ kind: 'truth tables', text: truthTableText(table, pick(truthStyles, at)) })),
    ...maps.map(({ layout, style }, at): Task => ({ kind: 'Karnaugh maps', text: mapText(cells[at] ?? [], layout, style) })),
    ...fsms.map((machine, at): Task => ({ kind: 'state machines', text: machineText(machine, pick(machineStyles, at)), encoding: pick(encodings, at) })),
  ];
}

interface Score {
  readonly total: number;
  readonly verified: number;
  readonly proved: number;
}

/**
 * Modules from tables: random truth tables, every layout of Karnaugh maps up to five variables, random state machines. Each is written as text, read, built and
 * verified against its table. Prints how many were verified, and gives the number of the others.
 */
export async function measureTables(core: Core, options: TableOptions): Promise<number> {
  const scores = new Map<Task['kind'], Score>();
  const queue = tasks(options);
  const runTask = ({ text, encoding }: Task): Promise<GenerateResult> =>
    core.generate({ text, start: 0, encoding, directory: tmpdir(), engine: 'auto', seed: options.seed, timeoutMs: options.timeoutMs }, {});
  const worker = async (): Promise<void> => {
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
      const result = await runTask(task);
      const score = scores.get(task.kind) ?? { total: 0, verified: 0, proved: 0 };
      scores.set(task.kind, { total: score.total + 1, verified: score.verified + Number(result.outcome === 'verified'), proved: score.proved + Number(result.verification?.verdict === 'equivalent') });
      if (result.outcome !== 'verified') console.log(`${task.kind}: ${result.outcome}: ${result.reason}\n${result.problems.map(({ message }) => message).join('\n')}\n${task.text}\n${result.code ?? ''}`);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, worker));
  let failing = 0;
  for (const [kind, { total, verified, proved }] of scores) {
    failing += total - verified;
    console.log(`${kind}: ${verified} of ${total} verified (${((100 * verified) / Math.max(1, total)).toFixed(1)} %), ${proved} of them proved`);
  }
  return failing;
}
