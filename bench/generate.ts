/**
 * Figures of generation, against the scripted model server of the tests and with the real tools: how often the right one of recorded replies is chosen with a golden, whether
 * the vote without a golden follows the majority, how much time our own work adds to that of the tools, what aborted runs leave behind, and how many tables become verified modules.
 *
 *   node bench/generate.ts [golden] [vote] [aborts] [tables] [--data DIR] [--only REGEX] [--limit N] [--seed N] [--timeout SECONDS]
 *                          [--tables 200] [--machines 50] [--maps N] [--jobs N]
 *
 * `golden` and `vote` need the recorded answers in DIR.
 */
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadDesign } from '../server/src/analysis/load.ts';
import { diskFiles } from '../server/src/base/files.ts';
import { silentLogger } from '../server/src/base/logger.ts';
import { createCore } from '../server/src/core.ts';
import type { ModuleResult } from '../server/src/generation/contract.ts';
import { generateModule } from '../server/src/generation/pipeline.ts';
import { Parser } from '../server/src/syntax/parser.ts';
import { createToolbox } from '../server/src/tools/toolbox.ts';
import { verify } from '../server/src/verification/verify.ts';
import { abortAtRandom } from '../test/model/aborts.ts';
import { ScriptedServer } from '../test/model/harness.ts';
import { inTurn, moduleRequest, said, verifyOptions } from '../test/model/module-run.ts';
import { readSets, type ReplySet } from './reply-sets.ts';
import { defaultMaps, measureTables } from './tables.ts';
import { ToolClock } from './tool-clock.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: path.resolve(import.meta.dirname, '../../shared/data') },
    only: { type: 'string', default: '' },
    limit: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    timeout: { type: 'string', default: '30' },
    tables: { type: 'string', default: '200' },
    machines: { type: 'string', default: '50' },
    maps: { type: 'string', default: String(defaultMaps) },
    jobs: { type: 'string', default: String(cpus().length) },
  },
});

const seed = Number(values.seed);
const timeoutMs = Number(values.timeout) * 1000;
const parser = await Parser.create();

interface Played {
  readonly result: ModuleResult;
  /** Wall clock from the last piece of the last reply to the result, and the part of it in which a tool ran; milliseconds. */
  readonly wallMs: number;
  readonly toolMs: number;
}

/** Plays a set of replies, one sample each, without repairs. */
async function playSet(server: ScriptedServer, set: ReplySet): Promise<Played> {
  await server.script(...inTurn(...set.replies.map(({ code }) => said(code))));
  const clock = new ToolClock();
  const toolbox = clock.watch(createToolbox({ iverilog: '', yosys: '' }));
  await toolbox.iverilog();
  await toolbox.yosys();
  const load = (input: Parameters<typeof loadDesign>[0]): ReturnType<typeof loadDesign> => loadDesign(input, { parser, files: diskFiles });
  const request = moduleRequest(server, {
    task: { kind: 'write', description: set.description, header: set.header },
    golden: set.golden,
    samples: set.replies.length,
    repairs: 0,
    verify: { ...verifyOptions, seed, timeoutMs },
  });
  const result = await generateModule(request, { load, toolbox, verify: (pair, hooks) => verify(pair, { load, toolbox }, hooks) }, {}).result;
  const end = performance.now();
  await server.settled();
  return { result, wallMs: result.checkMs, toolMs: clock.between(end - result.checkMs, end) };
}

/** The set with only those replies called right that a verification on its own, without any generation, does not find different from the golden. */
async function relabelled(set: ReplySet): Promise<ReplySet> {
  const { golden } = set;
  if (set.labels === 'known' || golden === undefined) return set;
  const core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } });
  const replies: ReplySet['replies'][number][] = [];
  for (const reply of set.replies) {
    const verdict = reply.right ? (await core.verify({ dut: { file: '/nowhere/dut.v', text: reply.code }, golden, options: { ...verifyOptions, seed, timeoutMs } }, {})).verdict : 'different';
    replies.push({ ...reply, right: verdict === 'equivalent' || verdict === 'no-difference' });
  }
  return { ...set, replies };
}

const own: { readonly id: string; readonly wallMs: number; readonly toolMs: number }[] = [];

/** Plays sets and counts those whose best candidate is one of the right replies. */
async function measureChoice(server: ScriptedServer, title: string, sets: readonly ReplySet[]): Promise<number> {
  const only = new RegExp(values.only);
  const queue = sets.filter(({ id }) => only.test(id)).slice(0, Number(values.limit));
  let right = 0;
  const withoutRight: string[] = [];
  for (const recorded of queue) {
    const set = await relabelled(recorded);
    if (!set.replies.some((reply) => reply.right)) {
      withoutRight.push(set.id);
      continue;
    }
    const { result, wallMs, toolMs } = await playSet(server, set);
    own.push({ id: set.id, wallMs, toolMs });
    const [best] = result.candidates;
    const chosen = best === undefined ? undefined : set.replies[best.turn.sample];
    if (chosen?.right === true) right += 1;
    else {
      const seen = result.candidates.map(({ turn, confidence }) => `sample ${turn.sample} (${set.replies[turn.sample]?.name ?? ''}): ${confidence}`);
      const lost = result.rejected.map(({ turn, stage, reason }) => `sample ${turn.sample} (${set.replies[turn.sample]?.name ?? ''}) ended at ${stage}: ${reason}`);
      console.log(`${title}: ${set.id}: ${result.reason}\n  ${[...seen, ...lost].join('\n  ')}`);
    }
  }
  const counted = queue.length - withoutRight.length;
  console.log(`${title}: a right reply was chosen in ${right} of ${counted} sets (${((100 * right) / Math.max(1, counted)).toFixed(1)} %)`);
  if (withoutRight.length > 0) console.log(`  left out, because the golden agrees with none of the replies that pass their testbench: ${withoutRight.join(', ')}`);
  return counted - right;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Our own time as a ratio to the tools' time in the same run. */
function printTimes(): void {
  const timed = own.filter(({ toolMs }) => toolMs > 0);
  if (timed.length === 0) return;
  const ratios = timed.map(({ wallMs, toolMs }) => wallMs / toolMs).sort((a, b) => a - b);
  const [wall, tool] = (['wallMs', 'toolMs'] as const).map((key) => timed.reduce((sum, item) => sum + item[key], 0));
  const total = (wall ?? 0) / (tool ?? 1);
  console.log(`from the last token to the result: ${total.toFixed(2)} times the time of the tools over ${timed.length} runs (median ${quantile(ratios, 0.5).toFixed(2)}, 90 % below ${quantile(ratios, 0.9).toFixed(2)})`);
}

async function measureAborts(server: ScriptedServer): Promise<number> {
  const core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } });
  const { outcomes, requests, processes, files, sockets } = await abortAtRandom(core, server, 100);
  const ended = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  console.log(`aborts: ${ended} of 100 runs ended; left behind: ${requests} requests, ${processes} processes, ${files.length} files, ${sockets} connections`);
  return 100 - ended + requests + processes + files.length + sockets;
}

const wanted = positionals.length === 0 ? ['golden', 'vote', 'aborts', 'tables'] : positionals;
const started = performance.now();
let failing = 0;
{
  await using server = await ScriptedServer.start();
  const sets = wanted.includes('golden') || wanted.includes('vote') ? await readSets(values.data, seed) : { golden: [], vote: [] };
  if (wanted.includes('golden')) failing += await measureChoice(server, 'with a golden', sets.golden);
  if (wanted.includes('vote')) failing += await measureChoice(server, 'by vote', sets.vote);
  printTimes();
  if (wanted.includes('aborts')) failing += await measureAborts(server);
}
if (wanted.includes('tables')) {
  const core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } });
  failing += await measureTables(core, { tables: Number(values.tables), machines: Number(values.machines), maps: Number(values.maps), seed, jobs: Number(values.jobs), timeoutMs });
}
console.log(`${((performance.now() - started) / 1000).toFixed(0)} s`);
process.exitCode = failing === 0 ? 0 : 1;
