/**
 * Renames picked at random over benchmark designs, each with its testbench: the simulation has to print the same before and after, and a
 * verification of the renamed design against the one before must find no difference.
 *
 *   node bench/editor-rename.ts [--data DIR] [--count N] [--seed N] [--verbose]
 *
 * One in five asks for a name that the project already has, which is refused or changes nothing. Exits with 1 when a rename broke a project.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { DesignInput } from '../server/src/analysis/design.ts';
import { placeOf } from '../server/src/analysis/names/model.ts';
import { memoryFiles } from '../server/src/base/files.ts';
import { silentLogger } from '../server/src/base/logger.ts';
import { createCore } from '../server/src/core.ts';
import { applyEdits } from '../server/src/features/names/edits.ts';
import { rename } from '../server/src/features/names/rename.ts';
import type { VerifyResult } from '../server/src/verification/verdict.ts';
import { snapshotOf } from '../test/unit/features/names/fixture.ts';
import { randomFrom } from '../test/unit/syntax/mistakes.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: path.resolve(import.meta.dirname, '../../shared/data') },
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
});

type Verdict = VerifyResult['verdict'];

interface Row {
  readonly id: string;
  readonly golden: string;
  readonly top: string;
  readonly dut_top?: string;
  readonly testbench: string;
}

interface Project {
  readonly id: string;
  readonly files: ReadonlyMap<string, string>;
  /** The module that the testbench tries. */
  readonly top: string;
  readonly output: string;
}

function rows(file: string): Row[] {
  return readFileSync(path.join(values.data, file), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as Row);
}

function topOf(row: Row): string {
  return row.dut_top ?? row.top.replace(/^verified_/, '');
}

/** The golden stands in for the design that a testbench wants to try. */
function filesOf(row: Row): Map<string, string> {
  const wanted = topOf(row);
  const files = new Map([['/p/dut.sv', row.golden.replace(new RegExp(`\\b${row.top}\\b`, 'g'), wanted)], ['/p/tb.sv', row.testbench]]);
  if (row.dut_top !== undefined) files.set('/p/ref.sv', row.golden);
  return files;
}

/** What the project prints when it runs, or undefined where it does not compile or end. */
function simulate(files: ReadonlyMap<string, string>): string | undefined {
  const folder = mkdtempSync(path.join(tmpdir(), 'rename-'));
  try {
    const names = [...files].map(([file, text]) => {
      writeFileSync(path.join(folder, path.basename(file)), text);
      return path.basename(file);
    });
    const compiled = spawnSync('iverilog', ['-g2012', '-o', 'out', ...names.toSorted()], { cwd: folder, timeout: 120_000 });
    if (compiled.status !== 0) return undefined;
    const run = spawnSync('vvp', ['-n', 'out'], { cwd: folder, timeout: 120_000, maxBuffer: 50_000_000 });
    return run.status === 0 ? run.stdout.toString() : undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '', verilator: '' }, files: memoryFiles(new Map()) });

/** The verdict on a design against the one before; its traces are compared, nothing is proved. */
async function verdictOf(before: string, after: string, modules: { readonly before: string; readonly after: string }): Promise<Verdict> {
  const side = (text: string, module: string): DesignInput => ({ file: '/p/dut.sv', text, module });
  const options = { clocks: [], resets: [], assume: [], cycles: 500, seed: 1, timeoutMs: 60_000, engine: 'iverilog', prove: false, unknowns: 'ignore' } as const;
  return (await core.verify({ dut: side(after, modules.after), golden: side(before, modules.before), options }, {})).verdict;
}

const random = randomFrom(Number(values.seed));
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const projects = new Map<string, Project | undefined>();

function project(row: Row): Project | undefined {
  if (!projects.has(row.id)) {
    const files = filesOf(row);
    const output = simulate(files);
    projects.set(row.id, output === undefined ? undefined : { id: row.id, files, top: topOf(row), output });
  }
  return projects.get(row.id);
}

const all = [...rows('rtllm_v2.jsonl'), ...rows('verilog_eval_v2.jsonl')];
const total = Number(values.count);
const refusals = new Map<string, number>();
/** Of designs that were changed; a renamed port of the top is an interface mismatch. */
const verdicts = new Map<Verdict, number>();
const broken: string[] = [];
let renamed = 0;
let edits = 0;
let milliseconds = 0;
for (let tried = 0; tried < total; ) {
  const chosen = project(pick(all));
  if (!chosen) continue;
  tried++;
  const snapshot = snapshotOf(chosen.files);
  const file = pick([...chosen.files.keys()]);
  const names = snapshot.source(file)?.names;
  const declaration = names && pick(names.declarations);
  if (!names || !declaration) continue;
  const others = [...names.declarations.map(({ name }) => name)];
  const newName = random() < 0.2 ? pick(others) : `renamed_${tried}`;
  const started = performance.now();
  const result = rename(snapshot, file, placeOf(names, declaration.span).span.start, newName);
  milliseconds += performance.now() - started;
  const what = `${chosen.id} ${file} ${declaration.kind} ${declaration.name} -> ${newName}`;
  if (result.kind === 'refused') {
    const reason = result.reason.replace(/'[^']*'/g, '…').replace(/: \/.*/, '');
    refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
    if (values.verbose) console.log(`refused ${what}: ${result.reason}`);
    continue;
  }
  renamed++;
  edits += result.edits.length;
  const after = new Map([...chosen.files, ...applyEdits((each) => chosen.files.get(each) ?? '', result.edits)]);
  const output = simulate(after);
  const [before, now] = [chosen.files.get('/p/dut.sv') ?? '', after.get('/p/dut.sv') ?? ''];
  const isTop = file === '/p/dut.sv' && declaration.kind === 'module' && declaration.name === chosen.top;
  const verdict = before === now ? undefined : await verdictOf(before, now, { before: chosen.top, after: isTop ? newName : chosen.top });
  if (verdict !== undefined) verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
  if (output === chosen.output && verdict !== 'different' && verdict !== 'bad-input') continue;
  broken.push(what);
  console.log(`BROKEN ${what}${output === undefined ? ' (does not compile)' : output === chosen.output ? ` (the verdict is ${verdict ?? ''})` : ''}`);
}
console.log(`${total} renames: ${renamed} done with ${edits} edits, ${total - renamed} refused, ${broken.length} broken; ${(milliseconds / total).toFixed(1)} ms each`);
for (const [reason, count] of [...refusals].sort((a, b) => b[1] - a[1])) console.log(`  ${count} × ${reason}`);
console.log(`verified against the design before: ${[...verdicts].map(([verdict, count]) => `${count} × ${verdict}`).join(', ')}`);
if (broken.length > 0) process.exitCode = 1;
