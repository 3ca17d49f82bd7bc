/**
 * Modules from tables: random truth tables, every layout of Karnaugh maps up to five variables, random state machines. Each is written as text, read, built and
 * verified against its table; the last lines say how many were verified.
 *
 *   node bench/generate-tables.ts [--tables 200] [--machines 50] [--seed 1] [--jobs N] [--timeout SECONDS]
 */
import { cpus, tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { silentLogger } from '../server/src/base/logger.ts';
import { createCore } from '../server/src/core.ts';
import type { Encoding } from '../server/src/generation/emit/encoding.ts';
import type { GenerateResult } from '../server/src/generation/generate.ts';
import { logicTables, machines, machineStyles, machineText, mapLayouts, mapStyles, mapText, truthStyles, truthTableText } from '../test/unit/generation/random.ts';

const { values } = parseArgs({
  options: {
    tables: { type: 'string', default: '200' },
    machines: { type: 'string', default: '50' },
    maps: { type: 'string', default: String(mapLayouts.length * mapStyles.length) },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(cpus().length) },
    timeout: { type: 'string', default: '30' },
  },
});

interface Task {
  readonly kind: 'truth tables' | 'Karnaugh maps' | 'state machines';
  readonly text: string;
  readonly encoding?: Encoding;
}

const seed = Number(values.seed);
const encodings: readonly Encoding[] = ['binary', 'one-hot', 'gray'];

function pick<T>(list: readonly T[], at: number): T {
  const item = list[at % list.length];
  if (item === undefined) throw new Error('Nothing to pick from.');
  return item;
}

function tasks(): Task[] {
  const tables = fc.sample(logicTables({ inputs: 8, outputs: 4 }), { seed, numRuns: Number(values.tables) });
  const fsms = fc.sample(machines({ states: 8, inputs: 3, outputs: 3 }), { seed, numRuns: Number(values.machines) });
  const maps = mapLayouts.flatMap((layout) => mapStyles.map((style) => ({ layout, style }))).slice(0, Number(values.maps));
  const cells = fc.sample(fc.array(fc.constantFrom('0', '1', '0', '1', 'd', 'x', '-'), { minLength: 32, maxLength: 32 }), { seed, numRuns: maps.length });
  return [
    ...tables.map((table, at): Task => ({ kind: 'truth tables', text: truthTableText(table, pick(truthStyles, at)) })),
    ...maps.map(({ layout, style }, at): Task => ({ kind: 'Karnaugh maps', text: mapText(cells[at] ?? [], layout, style) })),
    ...fsms.map((machine, at): Task => ({ kind: 'state machines', text: machineText(machine, pick(machineStyles, at)), encoding: pick(encodings, at) })),
  ];
}

const core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } });

async function runTask({ text, encoding }: Task): Promise<GenerateResult> {
  return core.generate({ text, start: 0, encoding, directory: tmpdir(), engine: 'auto', seed, timeoutMs: 1000 * Number(values.timeout) }, {});
}

interface Score {
  total: number;
  verified: number;
  proved: number;
}

const scores = new Map<Task['kind'], Score>();
const queue = tasks();
const started = performance.now();

async function worker(): Promise<void> {
  for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
    const result = await runTask(task);
    const score = scores.get(task.kind) ?? { total: 0, verified: 0, proved: 0 };
    scores.set(task.kind, { total: score.total + 1, verified: score.verified + Number(result.outcome === 'verified'), proved: score.proved + Number(result.verification?.verdict === 'equivalent') });
    if (result.outcome !== 'verified') console.log(`${task.kind}: ${result.outcome}: ${result.reason}\n${result.problems.map(({ message }) => message).join('\n')}\n${task.text}\n${result.code ?? ''}`);
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
let failing = 0;
for (const [kind, { total, verified, proved }] of scores) {
  failing += total - verified;
  console.log(`${kind}: ${verified} of ${total} verified (${(100 * verified / Math.max(1, total)).toFixed(1)} %), ${proved} of them proved`);
}
console.log(`${((performance.now() - started) / 1000).toFixed(0)} s`);
process.exitCode = failing === 0 ? 0 : 1;
