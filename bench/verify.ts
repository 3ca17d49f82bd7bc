/**
 * What the verification engine reaches, and what it costs. Prints every figure with its aim, and names each pair that ends otherwise than it should.
 *
 *   node bench/verify.ts [SECTION...] [--data DIR] [--only REGEX] [--sample N] [--jobs N] [--seed N] [--timeout S] [--engine E] [--verbose]
 *
 * Sections: self, dressed, netlists, rewrites, mutants, simulation, wasm, cost, yardstick; all of them unless named. Without `--data` (or the folder that it
 * names by default) the project's own corpus is measured. `--sample N` takes N pairs spread over each set. CPU seconds, tools included, are measured on Linux
 * and with one job only, without the 3 ms that it takes to confine a simulation.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadDesign } from '../server/src/analysis/load.ts';
import { leaveOutConfinement } from '../server/src/base/confinement.ts';
import { diskFiles } from '../server/src/base/files.ts';
import { run } from '../server/src/base/process.ts';
import { scratchFolder } from '../server/src/base/tempdir.ts';
import { keepFirstCode } from '../server/src/base/wasm-code.ts';
import { Parser } from '../server/src/syntax/parser.ts';
import { createIverilog } from '../server/src/tools/iverilog.ts';
import { createToolbox } from '../server/src/tools/toolbox.ts';
import { verifyBatch } from '../server/src/verification/batch/batch.ts';
import { startVerifyWorker } from '../server/src/verification/batch/worker.ts';
import { chooseClocking } from '../server/src/verification/choose-clocking.ts';
import { hasDelays } from '../server/src/verification/proof/source.ts';
import { GoldenCache } from '../server/src/verification/golden-cache.ts';
import { matchInterfaces } from '../server/src/verification/interface.ts';
import { layOut } from '../server/src/verification/stimulus/layout.ts';
import { compileDesign, harnessFor, Simulation, timescaleOf } from '../server/src/verification/simulate.ts';
import { EXHAUSTIVE_BITS, exhaustiveStimulus, randomStimulus } from '../server/src/verification/stimulus/stimulus.ts';
import type { EngineChoice, VerdictKind, VerifyRequest, VerifyResult } from '../server/src/verification/verdict.ts';
import { verify } from '../server/src/verification/verify.ts';
import { byGolden, contestOfBatches, contestOfPairs, times, type Comparison, type Contest } from './verify/contest.ts';
import { cpuSeconds } from './verify/cpu.ts';
import { readData, type Golden, type Pair } from './verify/data.ts';
import { reformat } from './verify/reformat.ts';
import { resynthesise } from './verify/resynthesise.ts';

leaveOutConfinement();
// As each program has it that verifies.
keepFirstCode();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: path.resolve(import.meta.dirname, '../../shared/data') },
    only: { type: 'string' },
    sample: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    timeout: { type: 'string', default: '30' },
    engine: { type: 'string', default: 'auto' },
    verbose: { type: 'boolean', default: false },
  },
});

const parser = await Parser.create();
const toolbox = createToolbox({ iverilog: '', yosys: '' });
const data = readData(values.data);
const jobs = Number(values.jobs);
const only = values.only === undefined ? undefined : new RegExp(values.only);
// Both that are compared keep their files where the product does.
const scratch = mkdtempSync(path.join(scratchFolder(), 'bench-verify-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** The pairs that are asked for, evenly spread. */
function chosen<T extends { readonly id: string }>(items: readonly T[], most = Number(values.sample ?? items.length)): T[] {
  const fitting = items.filter(({ id }) => only?.test(id) ?? true);
  return fitting.filter((_, index) => Math.floor((index * most) / fitting.length) !== Math.floor(((index - 1) * most) / fitting.length) || most >= fitting.length);
}

/** As it is packaged, since to read it from its sources takes each worker a second. */
const WORKER = path.resolve(import.meta.dirname, '../dist/verify-worker.mjs');

let folders = 0;

function writeSide(dir: string, side: string, text: string, aux: Golden['aux']): string {
  const folder = path.join(dir, side);
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries(aux)) writeFileSync(path.join(folder, path.basename(file)), content);
  writeFileSync(path.join(folder, 'design.sv'), text);
  return path.join(folder, 'design.sv');
}

interface Setting {
  /** Where the pair is written; a new folder unless given. */
  readonly dir?: string;
  readonly engine?: EngineChoice;
  readonly prove?: boolean;
  readonly cache?: GoldenCache;
  /** The verdict only. */
  readonly brief?: boolean;
}

interface Outcome {
  readonly pair: Pair;
  readonly result: VerifyResult;
  /** CPU seconds, this process and its tools, and of this process alone. */
  readonly cpu: number;
  readonly own: number;
}

function requestOf(pair: Pair, dir: string, setting: Setting): VerifyRequest {
  return {
    golden: { file: writeSide(dir, 'golden', pair.golden.text, pair.golden.aux), module: pair.golden.top },
    dut: { file: writeSide(dir, 'dut', pair.dut.text, pair.golden.aux), module: pair.dut.top },
    options: {
      clocks: [],
      resets: [],
      cycles: undefined,
      seed: Number(values.seed),
      timeoutMs: Number(values.timeout) * 1000,
      engine: setting.engine ?? (values.engine as EngineChoice),
      prove: setting.prove ?? true,
      brief: setting.brief ?? false,
    },
  };
}

async function verifyPair(pair: Pair, setting: Setting = {}): Promise<Outcome> {
  const dir = setting.dir ?? path.join(scratch, String(folders++));
  const started = cpuSeconds();
  const before = process.cpuUsage();
  const cache = setting.cache === undefined ? {} : { cache: setting.cache };
  const result = await verify(requestOf(pair, dir, setting), { load: (input) => loadDesign(input, { parser, files: diskFiles }), toolbox, parser, ...cache }, {});
  const { user, system } = process.cpuUsage(before);
  const cpu = cpuSeconds() - started;
  rmSync(dir, { recursive: true, force: true });
  if (values.verbose) console.log(`  ${pair.id}\t${pair.kind}\t${pair.expected}\t${result.verdict}\t${String(result.elapsedMs)} ms, ${cpu.toFixed(2)} s CPU\t${result.reason}`);
  return { pair, result, cpu, own: (user + system) / 1e6 };
}

async function verifyAll(pairs: readonly Pair[], setting: Setting = {}, width = jobs): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let pair = pairs[next++]; pair !== undefined; pair = pairs[next++]) outcomes.push(await verifyPair(pair, setting));
  };
  await Promise.all(Array.from({ length: width }, work));
  return outcomes.sort((a, b) => pairs.indexOf(a.pair) - pairs.indexOf(b.pair));
}

const AGREES: ReadonlySet<VerdictKind> = new Set<VerdictKind>(['equivalent', 'no-difference']);
/** Everything seen so far that must be equal, for the share of proofs. */
const equalOutcomes: Outcome[] = [];

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? 'none' : `${String(part)} of ${String(whole)} (${((100 * part) / whole).toFixed(1)} %)`;
}

function figure(name: string, value: string, aim: string): void {
  console.log(`${name.padEnd(44)} ${value.padEnd(26)} aim: ${aim}`);
}

function named({ pair, result }: Outcome): void {
  console.log(`  ${pair.id} (${pair.kind}): ${result.verdict}: ${result.reason}`);
}

function cpuFigure(name: string, outcomes: readonly Outcome[], aim: string): void {
  if (jobs === 1 && outcomes.length > 0) figure(name, `${median(outcomes.map(({ cpu }) => cpu)).toFixed(2)} s`, aim);
}

async function equalSet(name: string, pairs: readonly Pair[], aim: string): Promise<void> {
  const outcomes = await verifyAll(chosen(pairs));
  equalOutcomes.push(...outcomes);
  const wrong = outcomes.filter(({ result }) => result.verdict === 'different');
  figure(`${name}: flagged as different`, percent(wrong.length, outcomes.length), aim);
  const silent = outcomes.filter(({ result }) => result.verdict !== 'different' && !AGREES.has(result.verdict));
  figure(`${name}: a real verdict`, percent(outcomes.length - silent.length, outcomes.length), '99 %');
  cpuFigure(`${name}: median CPU`, outcomes, '2 s');
  [...wrong, ...silent].forEach(named);
}

const selfPairs = data.goldens.map((golden): Pair => ({ id: golden.id, kind: 'itself', golden, dut: golden, expected: 'same' }));

async function netlistPairs(): Promise<Pair[]> {
  const yosys = await toolbox.yosys();
  if (yosys.kind !== 'found') {
    console.log(`  No netlists: ${yosys.reason}`);
    return [];
  }
  const pairs: Pair[] = [];
  for (const golden of chosen(data.goldens)) {
    if (hasDelays(golden.text)) {
      console.log(`  ${golden.id}: left out, it has delays, which a synthesis drops`);
      continue;
    }
    const netlist = await resynthesise(yosys.tool, golden.text, golden.top, golden.aux);
    if (netlist.kind === 'netlist') pairs.push({ id: golden.id, kind: 'netlist', golden, dut: { text: netlist.text, top: golden.top }, expected: 'same' });
    else console.log(`  ${golden.id}: left out, Yosys cannot synthesise it: ${netlist.reason}`);
  }
  return pairs;
}

/** Mutants whose difference is known, or, where nobody labelled them, all that are not proved equal. */
async function mutants(name: string, setting: Setting, aim: string): Promise<Outcome[]> {
  const outcomes = await verifyAll(chosen(data.mutants), setting);
  equalOutcomes.push(...(setting.prove === false ? [] : outcomes.filter(({ pair }) => pair.expected === 'same')));
  const faulty = outcomes.filter(({ pair, result }) => pair.expected === 'different' || (pair.expected === 'either' && data.rewrites.length === 0 && result.verdict !== 'equivalent'));
  const found = faulty.filter(({ result }) => result.verdict === 'different');
  figure(`${name}: found`, percent(found.length, faulty.length), aim);
  const wrong = outcomes.filter(({ pair, result }) => pair.expected === 'same' && result.verdict === 'different');
  figure(`${name}: equal ones flagged`, percent(wrong.length, outcomes.filter(({ pair }) => pair.expected === 'same').length), '0');
  cpuFigure(`${name}: median CPU of one that dies`, found, '0.25 s');
  [...faulty.filter(({ result }) => result.verdict !== 'different'), ...wrong].forEach(named);
  return outcomes;
}

async function wasm(): Promise<void> {
  const pairs = chosen([...selfPairs, ...data.mutants], Math.min(Number(values.sample ?? 40), 40));
  const native = await verifyAll(pairs, { engine: 'yosys' });
  const embedded = await verifyAll(pairs, { engine: 'yosys-wasm' });
  const other = embedded.filter(({ result }, index) => result.verdict !== native[index]?.result.verdict);
  figure('embedded prover: verdicts of the native one', percent(pairs.length - other.length, pairs.length), 'all');
  for (const outcome of other) {
    named(outcome);
    console.log(`    native: ${native[pairs.indexOf(outcome.pair)]?.result.verdict ?? ''}`);
  }
}

/** CPU seconds of compiling both sides once and running each once over the rows that a verification applied, with `iverilog` and `vvp` as anybody would start them. */
async function bareCost(pair: Pair, rows: number): Promise<number | undefined> {
  const iverilog = await toolbox.iverilog();
  if (iverilog.kind !== 'found') return undefined;
  // One that has not compiled before starts the driver of the compiler.
  const plain = createIverilog(iverilog.tool.paths, iverilog.tool.version);
  const dir = path.join(scratch, String(folders++));
  const load = (side: string, text: string, module: string) => loadDesign({ file: writeSide(dir, side, text, pair.golden.aux), module }, { parser, files: diskFiles });
  const [golden, dut] = [await load('golden', pair.golden.text, pair.golden.top), await load('dut', pair.dut.text, pair.dut.top)];
  if (golden.kind !== 'loaded' || dut.kind !== 'loaded') return undefined;
  const match = matchInterfaces(golden.design.module, dut.design.module);
  if (match.kind !== 'matched') return undefined;
  const clocking = chooseClocking(golden.design.module, dut.design.module, match.ports, { clocks: [], resets: [] });
  if ('verdict' in clocking) return undefined;
  const layout = layOut(match.ports, clocking);
  const exhaustive = layout.clockBits === 0 && layout.dataBits > 0 && layout.dataBits <= EXHAUSTIVE_BITS && !clocking.sequential;
  const stimulus = exhaustive ? exhaustiveStimulus(layout, 1) : randomStimulus({ layout, ...clocking, constants: [], seed: 1, rows, longestEpisode: 64 });
  const started = cpuSeconds();
  const budget = { timeoutMs: 30_000, signal: undefined };
  for (const { design } of [golden, dut]) {
    const options = { design, timescale: timescaleOf(design), dir: mkdtempSync(path.join(dir, 'side-')), iverilog: plain };
    const compiled = await compileDesign(options, harnessFor(options, layout), budget);
    if (compiled.kind !== 'compiled') return undefined;
    await new Simulation({ ...options, ...compiled, layout }).run(stimulus.rows, budget);
  }
  const cpu = cpuSeconds() - started;
  rmSync(dir, { recursive: true, force: true });
  return cpu;
}

async function cost(): Promise<void> {
  const sample = chosen(selfPairs, Math.min(Number(values.sample ?? 30), 30));
  const ratios: number[] = [];
  const again: number[] = [];
  await verifyAll(sample.slice(0, 5));
  for (const pair of sample) {
    const [cache, dir] = [new GoldenCache(), path.join(scratch, `again-${String(folders++)}`)];
    const first = await verifyPair(pair, { prove: false, cache, dir });
    if (!AGREES.has(first.result.verdict)) continue;
    const bare = await bareCost(pair, first.result.evidence?.steps ?? 0);
    if (bare !== undefined && bare > 0) ratios.push(first.cpu / bare);
    const edited: Pair = { ...pair, dut: { ...pair.dut, text: `${pair.dut.text}\n// edited\n` } };
    const second = await verifyPair(edited, { prove: false, cache, dir });
    again.push(second.cpu / first.cpu);
  }
  figure('cost: verify over bare compile and run', median(ratios).toFixed(2), 'at most 1.25');
  figure('cost: verify again after an edit of the DUT', median(again).toFixed(2), 'at most 0.6 of the first');
  await batchCost();
}

/** How much of the work is this process' own, which bounds what one process can do, and how much faster several are on as many cores than one on a single core. */
async function batchCost(): Promise<void> {
  const pairs = chosen(data.mutants, Number(values.sample ?? 48));
  const outcomes = await verifyAll(pairs, {}, 1);
  const [own, all] = [outcomes.reduce((sum, outcome) => sum + outcome.own, 0), outcomes.reduce((sum, outcome) => sum + outcome.cpu, 0)];
  figure('cost: share of the verifying process itself', `${((100 * own) / all).toFixed(0)} %, one keeps ${(all / own).toFixed(1)} cores busy`, 'none, each job has its own');
  const dir = path.join(scratch, String(folders++));
  const tasks = pairs.map((pair, index) => ({ request: requestOf(pair, path.join(dir, String(index)), {}), sets: [] }));
  const wall = async (jobs: number): Promise<number> => {
    await useCores(jobs);
    const started = performance.now();
    for await (const { verdict, reason } of verifyBatch(tasks, { jobs, startWorker: () => startVerifyWorker(WORKER) })) if (verdict === 'tool-error') console.log(`  ${reason}`);
    return performance.now() - started;
  };
  const width = availableParallelism();
  const [one, several] = [await wall(1), await wall(width)];
  figure(`cost: ${String(width)} jobs on ${String(width)} cores are faster by`, (one / several).toFixed(2), `near ${String(width)}, against one job on one core`);
}

/** Holds this process, and what it starts from now on, to the first cores. */
async function useCores(count: number): Promise<void> {
  await run('taskset', ['--all-tasks', '--cpu-list', '--pid', `0-${String(count - 1)}`, String(process.pid)], { timeoutMs: 5000 });
}

async function compareYardstick(): Promise<void> {
  const yosys = await toolbox.yosys();
  if (yosys.kind !== 'found') {
    console.log(`  No yardstick: ${yosys.reason}`);
    return;
  }
  const contest: Contest = { yosys: yosys.tool, verify: verifyPair, folder: () => path.join(scratch, String(folders++)) };
  const most = Math.min(Number(values.sample ?? 60), 60);
  const others = data.rewrites.length > 0 ? data.rewrites : selfPairs;
  const told = (name: string, comparison: Comparison): void => {
    console.log(`  this engine: ${String(comparison.ours)}\n  yardstick:   ${String(comparison.theirs)}`);
    figure(`yardstick: ${name}, times`, times(comparison), 'at least 10');
  };
  // What is run for the first time is slow.
  await verifyAll(chosen(data.mutants, 6), {}, 1);
  const { fresh, known } = await contestOfPairs(contest, [...chosen(data.mutants, most / 2), ...chosen(others, most / 2)]);
  told('verdicts alone a second', fresh.verdict);
  told('verdicts alone, goldens known', known.verdict);
  told('with counterexample and causes', fresh.whole);
  told('such, goldens known', known.whole);
  const batches = byGolden([...data.mutants, ...others]).map((pairs) => ({ id: pairs[0]?.id ?? '', pairs }));
  const sets = await contestOfBatches(contest, chosen(batches, most / 4).map(({ pairs }) => pairs));
  told('verdicts alone, golden by golden', sets.verdict);
  told('such with counterexample and causes', sets.whole);
}

const sections: Readonly<Record<string, () => Promise<void>>> = {
  self: () => equalSet('golden against itself', selfPairs, '0'),
  dressed: () => equalSet('against a renamed and reformatted copy', data.goldens.map((golden): Pair => ({ id: golden.id, kind: 'dressed', golden, dut: { text: reformat(golden.text, parser), top: golden.top }, expected: 'same' })), '0'),
  netlists: async () => equalSet('against a netlist of itself', await netlistPairs(), '0'),
  rewrites: () => (data.rewrites.length > 0 ? equalSet('independent rewrites', data.rewrites, '0') : Promise.resolve()),
  mutants: async () => {
    const outcomes = await mutants('mutants', {}, 'all');
    cpuFigure('mutants: median CPU of one that survives', outcomes.filter(({ result }) => AGREES.has(result.verdict)), '2 s');
  },
  simulation: async () => {
    await mutants('mutants, simulation alone', { prove: false, engine: 'iverilog' }, '99.5 %');
  },
  wasm,
  cost,
  yardstick: compareYardstick,
};

const unknown = positionals.find((name) => !Object.hasOwn(sections, name));
if (unknown !== undefined) throw new Error(`There is no section '${unknown}'; the sections are ${Object.keys(sections).join(', ')}.`);
console.log(`On ${data.name}${values.sample === undefined ? '' : `, samples of ${values.sample}`}:`);
for (const [name, section] of Object.entries(sections)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  await section();
}
if (equalOutcomes.length > 0) {
  figure('equal pairs that end proved', percent(equalOutcomes.filter(({ result }) => result.verdict === 'equivalent').length, equalOutcomes.length), '85 %');
  const open = equalOutcomes.filter(({ result }) => result.verdict === 'no-difference' && result.evidence?.exhaustive !== true);
  for (const { pair, result } of open) console.log(`  ${pair.id} (${pair.kind}): ${result.notes.find((note) => /^(?:Not p|P)roved/.test(note)) ?? 'no proof was tried'}`);
}
