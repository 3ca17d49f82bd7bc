import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DesignSource, LoadedDesign } from '../analysis/design.ts';
import { withTempDir } from '../base/tempdir.ts';
import type { Iverilog } from '../tools/iverilog.ts';
import { readSystemCalls } from '../tools/vvp-calls.ts';
import { mended } from '../tools/vvp-mended.ts';
import { imagesOf } from './simulate.ts';
import { codeOnly } from './source-scan.ts';

export interface TestbenchTask {
  readonly dut: LoadedDesign;
  /** The testbench's own files; one that defines the DUT's module again is left out. */
  readonly testbench: LoadedDesign;
  /** The part of the DUT's sources that must not speak: zero-based lines of a file. */
  readonly silent: { readonly file: string; readonly first: number; readonly count: number };
  readonly iverilog: Iverilog;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface TestbenchRun {
  /** `silent`: it ended and said neither. `not-run`: it does not compile with the DUT, or no tool ran it. */
  readonly verdict: 'passed' | 'failed' | 'silent' | 'timed-out' | 'not-run' | 'cancelled';
  /** One full sentence. */
  readonly reason: string;
  /** The first lines that it printed. */
  readonly output: readonly string[];
}

const MOST_LINES = 20;
const PRINT_BYTES = 4 * 2 ** 20;
const MEMORY_BYTES = 3 * 2 ** 30;

/** Tasks that print or end a simulation: with them, a design could speak in its testbench's name. */
const SPEAKING = /^\$(?:display|write|strobe|monitor|error|fatal|warning|info|finish|stop|exit)\w*$/;

/** Runs a user's testbench around a DUT and reads what it says about it. */
export function runTestbench(task: TestbenchTask): Promise<TestbenchRun> {
  return withTempDir((dir) => runIn(dir, task));
}

async function runIn(dir: string, { dut, testbench, silent, iverilog, timeoutMs, signal }: TestbenchTask): Promise<TestbenchRun> {
  const started = performance.now();
  const own = testbench.sources.filter(({ file, text }) => !dut.sources.some((source) => source.file === file) && !defines(text, dut.module.name));
  const sources = [...own, ...dut.sources];
  const files = await writeSources(dir, sources);
  const includeDirs = [...new Set([...sources.map(({ file }) => path.dirname(file)), ...(testbench.input.includeDirs ?? []), ...(dut.input.includeDirs ?? [])])];
  const compiled = await iverilog.compile({
    dir,
    files,
    top: testbench.module.name,
    includeDirs,
    defines: { ...dut.input.defines, ...testbench.input.defines },
    generation: '2012',
    output: 'testbench.vvp',
    timeoutMs,
    signal,
    memoryBytes: MEMORY_BYTES,
  });
  if (compiled.kind === 'cancelled') return { verdict: 'cancelled', reason: 'Cancelled.', output: [] };
  if (compiled.kind === 'failed') return { verdict: 'not-run', reason: `The testbench does not compile with the module: ${(compiled.messages[0]?.message ?? 'no message').replace(/[^.!?]$/, '$&.')}`, output: [] };
  if (compiled.kind !== 'compiled') return { verdict: 'not-run', reason: 'The testbench could not be compiled in time.', output: [] };
  const place = files[sources.findIndex(({ file }) => file === silent.file)];
  const vvpText = await readFile(compiled.vvpFile, 'latin1');
  const { calls, complete } = readSystemCalls(vvpText, testbench.module.name);
  if (!complete) return { verdict: 'not-run', reason: `What Icarus Verilog ${iverilog.version} compiles cannot be looked through, so it is not run.`, output: [] };
  const spoken = calls.find(({ name, file, line }) => file === place && line > silent.first && line <= silent.first + silent.count && SPEAKING.test(name));
  if (spoken !== undefined) return { verdict: 'failed', reason: `The module calls ${spoken.name}, so that nobody can tell what the testbench says; remove the call.`, output: [] };
  await writeFile(compiled.vvpFile, mended(vvpText), 'latin1');
  const cwd = path.join(dir, 'run');
  await mkdir(cwd);
  for (const image of imagesOf([dut, testbench])) {
    if (image.to === '' || path.isAbsolute(image.to) || image.to.split(/[\\/]/).includes('..')) continue;
    await mkdir(path.dirname(path.join(cwd, image.to)), { recursive: true });
    await copyFile(image.from, path.join(cwd, image.to)).catch(() => undefined);
  }
  const left = Math.max(200, timeoutMs - (performance.now() - started));
  const result = await iverilog.simulate({ vvpFile: compiled.vvpFile, cwd, timeoutMs: left, signal, maxOutputBytes: PRINT_BYTES, memoryBytes: MEMORY_BYTES });
  if (result.kind === 'cancelled') return { verdict: 'cancelled', reason: 'Cancelled.', output: [] };
  if (result.kind === 'not-found') return { verdict: 'not-run', reason: `'${result.command}' could not be started.`, output: [] };
  const lines = `${result.stdout}\n${result.stderr}`.split(/\r?\n/).filter((line) => line.trim() !== '');
  const output = lines.slice(0, MOST_LINES);
  if (result.kind === 'timed-out') return { verdict: 'timed-out', reason: 'The testbench did not end in time.', output };
  if (result.kind === 'output-limit') return { verdict: 'timed-out', reason: 'The testbench printed without end and was stopped.', output };
  if (result.kind === 'crashed') return { verdict: 'not-run', reason: `The simulator was ended by ${result.signal}.`, output };
  return { ...readVerdict(lines, result.exitCode), output };
}

function defines(text: string, module: string): boolean {
  return new RegExp(String.raw`\b(?:macro)?module\s+(?:automatic\s+|static\s+)?${module.replace(/\$/g, '\\$')}\b`).test(codeOnly(text));
}

async function writeSources(dir: string, sources: readonly DesignSource[]): Promise<string[]> {
  const names: string[] = [];
  for (const [at, { file, text }] of sources.entries()) {
    const name = `source-${String(at)}${path.extname(file) === '.sv' ? '.sv' : '.v'}`;
    names.push(name);
    await writeFile(path.join(dir, name), text);
  }
  return names;
}

const NONE = /\b(?:0|no|zero)\s+(?:\w+\s+)?(?:errors?|mismatch(?:es)?|fail(?:ures?|ed|s)?)\b|\b(?:errors?|mismatch(?:es)?|fail(?:ures?|ed|s)?)(?:[\s_]+(?:count|total|samples|tests))?\s*(?:[:=]|is|are)?\s*0+\b(?![.\d])/gi;
const BAD = /\b(?:errors?|mismatch(?:es)?|fail(?:ures?|ed|s|ing)?|incorrect|wrong)\b|\b(?:ERROR|FATAL):/i;
const GOOD = /\bpass(?:ed|es)?\b|\bsuccess(?:ful|fully)?\b/i;
const SHARE = /\b(\d+)\s*(?:\/|of|out of)\s*(\d+)\b/i;

/**
 * What the lines of a testbench say. One bad word outweighs every good one; a count of zero errors is a good word. A testbench that says neither has
 * said nothing.
 */
export function readVerdict(lines: readonly string[], exitCode: number): Pick<TestbenchRun, 'verdict' | 'reason'> {
  const bad = lines.find((line) => {
    const [, some, all] = SHARE.exec(line) ?? [];
    return BAD.test(line.replaceAll(NONE, '')) || (GOOD.test(line) && some !== undefined && Number(some) < Number(all));
  });
  if (bad !== undefined) return { verdict: 'failed', reason: `The testbench says: ${bad.trim()}` };
  if (exitCode !== 0) return { verdict: 'failed', reason: `The testbench ended with exit code ${exitCode}.` };
  const good = lines.find((line) => GOOD.test(line) || line.replaceAll(NONE, '') !== line);
  if (good !== undefined) return { verdict: 'passed', reason: `The testbench says: ${good.trim()}` };
  return { verdict: 'silent', reason: 'The testbench ended without saying that it passed; let it print PASS or FAIL.' };
}
