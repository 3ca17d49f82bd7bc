import { constants, existsSync } from 'node:fs';
import { constants as system } from 'node:os';
import { access, copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run, type RunFailure, type RunResult } from '../base/process.ts';
import { lastingTempDir } from '../base/tempdir.ts';
import { cacheDir } from '../base/cache-dir.ts';
import { createHash } from 'node:crypto';
import { toolEnvironment } from './environment.ts';
import type { LintMessage } from './lint-message.ts';
import { parseVerilatorMessages } from './verilator-messages.ts';

/** Class that Verilator writes for the root module; the program around it includes `Vside.h`. */
export const MODEL = 'Vside';

export interface TranslateRequest {
  /** Absolute working directory, in which a folder for the result is made. */
  readonly dir: string;
  /** Source files relative to `dir`, in compilation order. */
  readonly files: readonly string[];
  /** Root module. */
  readonly top: string;
  /** As `1ns/1ps`, for modules that state none. */
  readonly timescale: string | undefined;
  /** The sources are Verilog-2005, in which words of SystemVerilog are names. */
  readonly old: boolean;
  readonly timeoutMs: number;
  readonly cpuMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly memoryBytes: number;
}

export type TranslateResult =
  /** `modelDir` holds the C++ text of the model. */
  | { readonly kind: 'translated'; readonly modelDir: string; readonly warnings: readonly LintMessage[] }
  /** Verilator ran and refused the source. There is always at least one message. */
  | { readonly kind: 'failed'; readonly messages: readonly LintMessage[] }
  | RunFailure;

export interface BuildRequest {
  /** As `translate` left it. */
  readonly modelDir: string;
  /** C++ text that the model calls; may be empty. */
  readonly prelude?: string;
  /** C++ text with `main`. */
  readonly driver: string;
  /** Absolute path of the program. */
  readonly output: string;
  readonly timeoutMs: number;
  readonly cpuMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly memoryBytes: number;
}

export type BuildResult =
  | { readonly kind: 'built' }
  /** The C++ compiler refused what Verilator wrote; `message` is its first complaint. */
  | { readonly kind: 'failed'; readonly message: string }
  | RunFailure;

/** Verilator with a C++ compiler, found on this machine: together they make a program that simulates a design with the values 0 and 1. */
export interface Verilator {
  readonly name: 'verilator';
  readonly version: string;
  readonly paths: VerilatorPaths;
  translate(request: TranslateRequest): Promise<TranslateResult>;
  build(request: BuildRequest): Promise<BuildResult>;
}

export interface VerilatorPaths {
  readonly verilator: string;
  /** A C++ compiler that takes the options of GCC. */
  readonly compiler: string;
  /** Verilator's own C++ headers and sources. */
  readonly include: string;
}

/**
 * The arguments of a translation. Every unknown value becomes one that the program chooses when it starts, so that several starts tell what
 * depends on them. Widths that do not fit and missing ports are warnings, by which a wrong port of the harness shows.
 */
export function translateArguments({ files, top, timescale, old }: Pick<TranslateRequest, 'files' | 'top' | 'timescale' | 'old'>): string[] {
  return [
    ...['--cc', '--timing', '--no-assert', '--prefix', MODEL, '--Mdir', 'model', '--top-module', top],
    ...['--x-assign', 'unique', '--x-initial', 'unique'],
    // Rings of logic that settle need more rounds than the default, loops that are synthesised more unrolling.
    ...['--converge-limit', '1000', '--unroll-count', '1024', '--unroll-stmts', '100000'],
    ...['-Wno-fatal', '-Wno-lint', '-Wno-style', '-Wwarn-WIDTH', '-Wwarn-PINMISSING'],
    ...(timescale === undefined ? [] : ['--timescale', timescale]),
    ...['--default-language', old ? '1364-2005' : '1800-2017'],
    ...files,
  ];
}

async function translate({ verilator }: VerilatorPaths, request: TranslateRequest): Promise<TranslateResult> {
  const { dir } = request;
  const result = await run(verilator, translateArguments(request), { ...limits(request, dir), cwd: dir });
  if (result.kind !== 'exited') return result;
  if (result.stderr.includes(`%Error: Verilator threw signal ${String(system.signals.SIGXCPU)}.`)) return { ...result, kind: 'timed-out' };
  const messages = parseVerilatorMessages(`${result.stderr}\n${result.stdout}`, request.files);
  const errors = messages.filter(({ severity }) => severity === 'error');
  if (result.exitCode === 0 && errors.length === 0) return { kind: 'translated', modelDir: path.join(dir, 'model'), warnings: messages };
  const broken = /%Error: (?:Internal Error|Verilator aborted)|^(?:Aborted|Segmentation fault|Killed)\b/m.exec(result.stderr)?.[0];
  if (errors.length === 0 || broken !== undefined) return { kind: 'crashed', signal: broken ?? `exit code ${String(result.exitCode)}`, stdout: result.stdout, stderr: result.stderr, ms: result.ms };
  return { kind: 'failed', messages: errors };
}

const FLAGS = ['-std=gnu++20', '-fcoroutines', '-w'];
const MODEL_FLAGS = ['-O1'];
const HEADER = 'verilated.h';

async function build(paths: VerilatorPaths, support: Support, request: BuildRequest): Promise<BuildResult> {
  const { modelDir, prelude = '', driver, output } = request;
  const sources = (await readdir(modelDir)).filter((name) => name.endsWith('.cpp')).sort();
  const object = path.join(modelDir, 'all.o');
  await writeFile(path.join(modelDir, 'prelude.inc'), prelude);
  await writeFile(path.join(modelDir, 'driver.inc'), driver);
  // One text, so that the headers, which take most of the time, are read once.
  await writeFile(path.join(modelDir, 'all.cc'), [HEADER, 'prelude.inc', ...sources, 'driver.inc'].map((name) => `#include "${name}"\n`).join(''));
  const linked = support.object();
  const header = await support.header();
  const compiled = buildResult(await run(paths.compiler, [...FLAGS, ...MODEL_FLAGS, ...header, '-I.', `-I${paths.include}`, '-c', 'all.cc', '-o', object], { ...limits(request, modelDir), cwd: modelDir }));
  if (compiled.kind !== 'built') return compiled;
  const supported = await linked;
  if (typeof supported !== 'string') return supported;
  return buildResult(await run(paths.compiler, [object, supported, '-o', output, '-pthread'], { ...limits(request, modelDir), cwd: modelDir }));
}

function buildResult(result: RunResult): BuildResult {
  if (result.kind !== 'exited') return result;
  if (result.exitCode === 0) return { kind: 'built' };
  if (/\bCPU time limit exceeded\b/i.test(result.stderr)) return { ...result, kind: 'timed-out' };
  return { kind: 'failed', message: /\berror: (.*)/.exec(result.stderr)?.[1] ?? result.stderr.trim().split('\n')[0] ?? '' };
}

function limits({ timeoutMs, cpuMs, signal, memoryBytes }: Pick<BuildRequest, 'timeoutMs' | 'cpuMs' | 'signal' | 'memoryBytes'>, temporary: string) {
  // A compiler that is killed leaves its temporary files behind.
  return { env: toolEnvironment(temporary), timeoutMs: Math.max(1, timeoutMs), cpuMs, signal, memoryBytes };
}

/** What every program needs besides its model. It is the same for all, and takes longer to compile than most models. */
const SUPPORT = ['verilated.cpp', 'verilated_threads.cpp', 'verilated_timing.cpp'];
const SUPPORT_MS = 120_000;

/**
 * The compiled support of one Verilator and one compiler, kept in the user's cache, or, where that cannot be written, until this process
 * ends. A failure is not kept.
 */
class Support {
  readonly #paths: VerilatorPaths;
  readonly #version: string;
  #place: Promise<{ readonly dir: string; readonly isGcc: boolean }> | undefined;
  #object: Promise<string | BuildResult> | undefined;
  #header: Promise<readonly string[]> | undefined;

  constructor(paths: VerilatorPaths, version: string) {
    this.#paths = paths;
    this.#version = version;
  }

  /** Path of the object file that a model is linked with. */
  object(): Promise<string | BuildResult> {
    const made = this.#object ?? this.#makeObject();
    this.#object = made;
    void made.then((result) => {
      if (typeof result !== 'string' && this.#object === made) this.#object = undefined;
    });
    return made;
  }

  /**
   * Options by which a model finds the headers compiled before, which saves four fifths of its time. Making them takes as long as two models do, so
   * they are made when the support is there from an earlier time: then they will be used again.
   */
  header(): Promise<readonly string[]> {
    this.#header ??= this.#makeHeader().then((options) => {
      if (options.length === 0) this.#header = undefined;
      return options;
    });
    return this.#header;
  }

  async #makeObject(): Promise<string | BuildResult> {
    const { dir } = await this.#findPlace();
    const object = path.join(dir, 'support.o');
    if (existsSync(object)) return object;
    const source = path.join(dir, `support-${String(process.pid)}.cc`);
    await writeFile(source, SUPPORT.map((name) => `#include "${name}"\n`).join(''));
    return this.#compile([`-I${this.#paths.include}`, '-c', source], object);
  }

  async #makeHeader(): Promise<readonly string[]> {
    const { dir, isGcc } = await this.#findPlace();
    const compiled = path.join(dir, `${HEADER}.gch`);
    if (!existsSync(compiled)) {
      if (!isGcc || !existsSync(path.join(dir, 'support.o'))) return [];
      const { include } = this.#paths;
      // The compiler looks for the text beside what was made of it.
      await copyFile(path.join(include, HEADER), path.join(dir, HEADER));
      const made = await this.#compile([...MODEL_FLAGS, `-I${include}`, '-x', 'c++-header', path.join(include, HEADER)], compiled);
      if (typeof made !== 'string') return [];
    }
    return [`-I${dir}`];
  }

  /** Makes a file in one step, so that another process never sees half of it. */
  async #compile(args: readonly string[], output: string): Promise<string | BuildResult> {
    const unfinished = `${output}-${String(process.pid)}`;
    const dir = path.dirname(output);
    const result = buildResult(await run(this.#paths.compiler, [...FLAGS, ...args, '-o', unfinished], { ...limits({ timeoutMs: SUPPORT_MS, memoryBytes: 3 * 2 ** 30 }, dir), cwd: dir }));
    await Promise.all(args.filter((name) => name.startsWith(dir)).map((name) => rm(name, { force: true })));
    if (result.kind !== 'built') return result;
    await rename(unfinished, output);
    return output;
  }

  /** Where this support is kept: one folder for all that it depends on. */
  #findPlace(): Promise<{ readonly dir: string; readonly isGcc: boolean }> {
    this.#place ??= (async () => {
      const { compiler, include } = this.#paths;
      const asked = await run(compiler, ['--version'], { timeoutMs: 20_000 });
      const compilerVersion = asked.kind === 'exited' ? asked.stdout : '';
      const stamps = await Promise.all(SUPPORT.map(async (name) => stat(path.join(include, name)).then(({ size, mtimeMs }) => [size, mtimeMs], () => [])));
      const key = createHash('sha256').update(JSON.stringify([this.#version, this.#paths, compilerVersion, FLAGS, MODEL_FLAGS, stamps]));
      const dir = await writableDir(path.join(cacheDir(), `verilator-${key.digest('hex').slice(0, 16)}`));
      return { dir, isGcc: compilerVersion.includes('Free Software Foundation') };
    })();
    return this.#place;
  }
}

async function writableDir(wanted: string): Promise<string> {
  try {
    await mkdir(wanted, { recursive: true, mode: 0o700 });
    await access(wanted, constants.W_OK);
    return wanted;
  } catch {
    return lastingTempDir();
  }
}

export function createVerilator(paths: VerilatorPaths, version: string): Verilator {
  const support = new Support(paths, version);
  return {
    name: 'verilator',
    version,
    paths,
    translate: (request) => translate(paths, request),
    build: (request) => build(paths, support, request),
  };
}
