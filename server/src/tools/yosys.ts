import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { run, type RunFailure, type RunResult } from '../base/process.ts';
import { makeFolder, readScratch, writeScratch } from '../base/scratch-files.ts';
import { withTempDir } from '../base/tempdir.ts';
import { toolEnvironment } from './environment.ts';

export interface YosysRunOptions {
  /** Names, without a directory, of the files that the script may write and whose content is wanted. */
  readonly outputs: readonly string[];
  readonly timeoutMs: number;
  /** CPU time of Yosys, and of each program that it starts. */
  readonly cpuMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Kept by the installed program where the system can; the embedded engine has its own limit of 4 GiB. */
  readonly memoryBytes?: number;
}

export type YosysResult =
  | {
      readonly kind: 'exited';
      /** The script ran to its end. */
      readonly ok: boolean;
      readonly log: string;
      /** What the script wrote of the wanted files; a file that it did not write is missing. */
      readonly outputs: Readonly<Record<string, string>>;
      readonly ms: number;
    }
  | RunFailure;

export type YosysInputs = Readonly<Record<string, string | Uint8Array>>;

export interface YosysProblem {
  /** As the script named it. */
  readonly file: string | undefined;
  /** One-based. */
  readonly line: number | undefined;
  readonly message: string;
}

/** Yosys, installed or embedded; both answer alike. */
export interface Yosys {
  readonly name: 'yosys' | 'yosys-wasm';
  readonly version: string;
  /**
   * Runs a script in a fresh directory that holds `inputs`: relative file names with `/`, to text or bytes. The script must name files
   * relative to that directory.
   */
  run(script: string, inputs: YosysInputs, options: YosysRunOptions): Promise<YosysResult>;
}

const scriptName = 'script.ys';

/** Version in `Yosys 0.23 (git sha1 ...)`. */
export function parseYosysVersion(output: string): string | undefined {
  return /^Yosys (\d\S*)/m.exec(output)?.[1];
}

/** The errors that a Yosys log holds, in order. */
export function parseYosysProblems(log: string): YosysProblem[] {
  const problems: YosysProblem[] = [];
  for (const line of log.split(/\r?\n/)) {
    const match = /^(?:(.+?):(\d+): )?ERROR: (.*)$/.exec(line);
    if (match === null) continue;
    const [, file, number, text = ''] = match;
    problems.push({ file, line: number === undefined ? undefined : Number(number), message: text.trim() });
  }
  return problems;
}

type Start = (dir: string, options: YosysRunOptions) => Promise<RunResult>;

function runOptions(dir: string, options: YosysRunOptions) {
  return {
    cwd: dir,
    timeoutMs: options.timeoutMs,
    cpuMs: options.cpuMs,
    signal: options.signal,
    ...(options.memoryBytes === undefined ? {} : { memoryBytes: options.memoryBytes }),
  };
}

async function writeInputs(dir: string, inputs: YosysInputs): Promise<void> {
  for (const [name, text] of Object.entries(inputs)) {
    const file = path.join(dir, name);
    if (!file.startsWith(dir + path.sep)) throw new Error(`The input ${name} would lie outside the working directory.`);
    makeFolder(path.dirname(file));
    await writeScratch(file, text);
  }
}

function runScript(start: Start, script: string, inputs: YosysInputs, options: YosysRunOptions): Promise<YosysResult> {
  return withTempDir(async (dir) => {
    await writeInputs(dir, { ...inputs, [scriptName]: script });
    const result = await start(dir, options);
    if (result.kind !== 'exited') return result;
    const outputs: Record<string, string> = {};
    for (const name of options.outputs) {
      const file = path.join(dir, name);
      if (existsSync(file)) outputs[name] = (await readScratch(file)).toString('latin1');
    }
    return { kind: 'exited', ok: result.exitCode === 0, log: `${result.stdout}\n${result.stderr}`, outputs, ms: result.ms };
  });
}

export function createNativeYosys(program: string, version: string): Yosys {
  const start: Start = (dir, options) =>
    run(program, ['-Q', '-s', scriptName], {
      ...runOptions(dir, options),
      // The abc command makes its own temporary directories, which a killed run leaves behind.
      env: toolEnvironment(dir),
    });
  return { name: 'yosys', version, run: (script, inputs, options) => runScript(start, script, inputs, options) };
}

/** Version of the program, or undefined when it does not answer as Yosys does. */
export async function readYosysVersion(program: string): Promise<string | undefined> {
  const result = await run(program, ['-V'], { timeoutMs: 20_000, maxOutputBytes: 1 << 20 });
  return result.kind === 'exited' && result.exitCode === 0 ? parseYosysVersion(result.stdout) : undefined;
}

export interface EmbeddedYosys {
  /** The JavaScript module of the embedded engine; its WebAssembly lies beside it. */
  readonly bundle: string;
  /** The program that runs the engine in a process of its own, so that it can be stopped. */
  readonly worker: string;
}

/** Looks beside the running program first, as in the packaged product, then in its dependencies. */
export function findEmbeddedYosys(): EmbeddedYosys | undefined {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const worker = ['yosys-worker.mjs', 'yosys-worker.ts'].map((name) => path.join(here, name)).find((file) => existsSync(file));
  const bundle = [() => path.join(here, 'yosys', 'bundle.js'), () => fileURLToPath(import.meta.resolve('@yowasp/yosys'))]
    .map((candidate) => {
      try {
        return candidate();
      } catch {
        return '';
      }
    })
    .find((file) => existsSync(file));
  return worker === undefined || bundle === undefined ? undefined : { bundle, worker };
}

export function createEmbeddedYosys(embedded: EmbeddedYosys, version: string): Yosys {
  const start: Start = (dir, options) =>
    run(process.execPath, [embedded.worker, embedded.bundle, '-Q', '-s', scriptName], {
      cwd: dir,
      timeoutMs: options.timeoutMs,
      cpuMs: options.cpuMs,
      signal: options.signal,
      // In the editor this process is Electron, which is Node only when it is told so.
      env: { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: undefined },
    });
  return { name: 'yosys-wasm', version, run: (script, inputs, options) => runScript(start, script, inputs, options) };
}

/** Version of the embedded engine's package, or undefined when its module does not load. */
export async function readEmbeddedYosysVersion(embedded: EmbeddedYosys): Promise<string | undefined> {
  try {
    const module = (await import(pathToFileURL(embedded.bundle).href)) as { version?: unknown };
    return typeof module.version === 'string' ? module.version : undefined;
  } catch {
    return undefined;
  }
}
