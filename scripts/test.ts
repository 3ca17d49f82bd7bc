/**
 * `npm test`: every layer of checks, from the quick to the slow. The last line is the sum of all tests; the exit status is 0 only when
 * all layers ran tests and none failed. RTL_COPILOT_SKIP_E2E=1 leaves the real editor out, and the sum says so.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Counts, killSteps, runStep } from './steps.ts';
import { noLlama } from '../test/llama/library.ts';
import { ensureSystemTools } from './system-tools.ts';

const ROOT = join(import.meta.dirname, '..');
const BIN = join(ROOT, 'node_modules/.bin');
const NODE = process.execPath;
const SKIP_E2E = process.env['RTL_COPILOT_SKIP_E2E'] === '1';

interface Layer {
  readonly name: string;
  readonly command: readonly string[];
  readonly limitMinutes: number;
  /** `check`: success is the exit status. `node-test` and `closing-line`: the layer counts its tests and must have some. */
  readonly kind: 'check' | 'node-test' | 'closing-line';
}

interface LayerResult extends Counts {
  readonly name: string;
}

const scratch = mkdtempSync(join(tmpdir(), 'rtl-copilot-test-'));

function nodeTests(name: string, pattern: string, limitMinutes: number, isolation: readonly string[] = []): Layer {
  const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout', `--test-reporter=${join(ROOT, 'scripts/summary-reporter.ts')}`];
  return { name, kind: 'node-test', limitMinutes, command: [NODE, '--test', ...isolation, ...reporters, `--test-reporter-destination=${summaryFile(name)}`, pattern] };
}

function summaryFile(name: string): string {
  return join(scratch, `${name}.json`);
}

const ONE_PROCESS = ['--test-isolation=none'];
const BUILD: Layer = { name: 'build', kind: 'check', limitMinutes: 2, command: [NODE, 'scripts/build.ts'] };
const TYPECHECK: Layer = { name: 'typecheck', kind: 'check', limitMinutes: 3, command: [NODE, join(BIN, 'tsc'), '--noEmit'] };
const LINT: Layer = { name: 'lint', kind: 'check', limitMinutes: 5, command: [NODE, join(BIN, 'eslint'), '.', '--max-warnings', '0'] };
const UNIT = nodeTests('unit', 'test/unit/**/*.test.ts', 5, ONE_PROCESS);
const LSP = nodeTests('lsp', 'test/lsp/**/*.test.ts', 5, ONE_PROCESS);
const MODEL = nodeTests('model', 'test/model/**/*.test.ts', 5, ONE_PROCESS);
const ENGINE = nodeTests('engine', 'test/engine/**/*.test.ts', 30);
const LLAMA = nodeTests('llama', 'test/llama/**/*.test.ts', 5);
const CLI = nodeTests('cli', 'test/cli/**/*.test.ts', 20);
const PACKAGE = nodeTests('package', 'test/package/**/*.test.ts', 5);
const E2E: Layer = { name: 'e2e', kind: 'closing-line', limitMinutes: 12, command: [NODE, 'test/e2e/run.ts'] };
const LLAMA_INSTALL: Layer = { name: 'llama.cpp install', kind: 'check', limitMinutes: 15, command: [NODE, 'test/llama/library.ts'] };
const EDITOR: Layer = { name: 'editor install', kind: 'check', limitMinutes: 15, command: [NODE, 'test/e2e/vscode-server.ts'] };

const CLOSING_LINE = /^(\d+) passed, (\d+) failed, (\d+) skipped$/gm;

function countTests(layer: Layer, output: string): Counts | undefined {
  if (layer.kind === 'node-test') {
    try {
      return JSON.parse(readFileSync(summaryFile(layer.name), 'utf8')) as Counts;
    } catch {
      return undefined;
    }
  }
  const last = [...output.matchAll(CLOSING_LINE)].at(-1);
  return last === undefined ? undefined : { passed: Number(last[1]), failed: Number(last[2]), skipped: Number(last[3]) };
}

/** What a layer counts. An exit status that its counts do not explain is one more failure, and so is a layer without tests. */
function judge(layer: Layer, exitCode: number, output: string): Counts & { problem?: string } {
  if (layer.kind === 'check') return { passed: 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 };
  const counts = countTests(layer, output);
  if (counts === undefined) return { passed: 0, failed: 1, skipped: 0, problem: 'it ended without a summary' };
  if (counts.failed > 0) return counts;
  if (exitCode !== 0) return { ...counts, failed: 1, problem: `exit status ${exitCode}` };
  if (counts.passed === 0) return { ...counts, failed: 1, problem: 'it ran no test' };
  return counts;
}

/** Prints what a person wants to see of a layer: of a failing one its failures (all output when it has no list of them), of the editor its steps. */
function show(layer: Layer, output: string, failed: boolean): void {
  const failures = output.indexOf('\u2716 failing tests:');
  // Only the sum of all layers may stand alone on a line.
  if (failed || layer.kind === 'closing-line') console.log(output.slice(Math.max(failures, 0)).replace(CLOSING_LINE, '').trimEnd());
}

async function runLayer(layer: Layer): Promise<LayerResult> {
  const outcome = await runStep(layer.command, { cwd: ROOT, limitMinutes: layer.limitMinutes });
  const { problem, ...counts } = judge(layer, outcome.exitCode, outcome.output);
  show(layer, outcome.output, counts.failed > 0);
  const figures = layer.kind === 'check' ? (counts.failed === 0 ? 'ok' : 'failed') : `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
  console.log(`[${layer.name}] ${figures}${problem === undefined ? '' : ` (${problem})`} in ${outcome.seconds.toFixed(1)} s`);
  return { name: layer.name, ...counts };
}

async function inOrder(layers: readonly Layer[]): Promise<LayerResult[]> {
  const results: LayerResult[] = [];
  for (const layer of layers) results.push(await runLayer(layer));
  return results;
}

/** Two lanes at a time, for two cores; the editor has the machine to itself. */
async function runAll(): Promise<LayerResult[]> {
  const editor = SKIP_E2E ? [] : [EDITOR];
  const [llamaInstall, llama] = noLlama === undefined ? [[LLAMA_INSTALL], [LLAMA]] : [[], []];
  const results = await inOrder([BUILD]);
  results.push(...(await Promise.all([inOrder([...llamaInstall, TYPECHECK, LINT, ...editor, PACKAGE, CLI, ...llama]), inOrder([UNIT, LSP, MODEL, ENGINE])])).flat());
  if (noLlama !== undefined) {
    console.log(`[llama] skipped: ${noLlama}`);
    results.push({ name: 'llama', passed: 0, failed: 0, skipped: 1 });
  }
  if (SKIP_E2E) {
    console.log('[e2e] skipped, because RTL_COPILOT_SKIP_E2E=1');
    return [...results, { name: 'e2e', passed: 0, failed: 0, skipped: 1 }];
  }
  return [...results, await runLayer(E2E)];
}

async function main(): Promise<number> {
  const started = performance.now();
  await ensureSystemTools({ browser: !SKIP_E2E });
  const results = await runAll();
  const sum = (key: keyof Counts): number => results.reduce((total, result) => total + result[key], 0);
  const failing = results.filter((result) => result.failed > 0).map((result) => result.name);
  console.log(`total ${((performance.now() - started) / 1000).toFixed(0)} s${failing.length === 0 ? '' : `; failing: ${failing.join(', ')}`}`);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
  return failing.length === 0 ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    killSteps();
    process.exit(130);
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log('0 passed, 1 failed, 0 skipped');
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
