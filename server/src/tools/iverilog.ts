import { existsSync } from 'node:fs';
import path from 'node:path';
import { runConfined, TRIAL_FILE } from '../base/confinement.ts';
import { run, type RunFailure, type RunOptions, type RunResult } from '../base/process.ts';
import { toolEnvironment } from './environment.ts';
import { parseMessages, type ToolMessage } from './iverilog-messages.ts';
import { CompilerCore } from './ivl.ts';
import { readCounts, withoutOwnLines } from './vvp-counts.ts';

/** A language generation as `-g` names it. `2001-noconfig` reserves fewer words than any later one, those of configurations included. */
export type Generation = '2012' | '2009' | '2005' | '2001-noconfig';

const OLD: ReadonlySet<Generation> = new Set<Generation>(['2005', '2001-noconfig']);

export interface CompileRequest {
  /** Absolute working directory; the compiler's own temporary files stay inside it. */
  readonly dir: string;
  /** Source files, absolute or relative to `dir`, in compilation order. vvp cannot read a name that holds a double quote. */
  readonly files: readonly string[];
  /** Root module. */
  readonly top: string;
  readonly includeDirs?: readonly string[];
  readonly defines?: Readonly<Record<string, string>>;
  readonly generation: Generation;
  /** Read over the assertions that the compiler does not know, which it asks for in its messages. */
  readonly withoutAssertions?: boolean;
  /** File name of the result inside `dir`. */
  readonly output: string;
  /** File name inside `dir` for the list of all files that the compiler read, one a line. */
  readonly dependencies?: string;
  readonly timeoutMs: number;
  readonly cpuMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly memoryBytes?: number;
}

export type CompileResult =
  | { readonly kind: 'compiled'; readonly vvpFile: string; readonly warnings: readonly ToolMessage[]; readonly ms: number }
  /** The compiler ran and refused the source. There is always at least one message. */
  | { readonly kind: 'failed'; readonly messages: readonly ToolMessage[]; readonly ms: number }
  | RunFailure;

export interface SimulateRequest {
  /** The compiled file: absolute, or relative to `cwd`. */
  readonly vvpFile: string;
  /** Plus arguments, each with its `+`. */
  readonly args?: readonly string[];
  /** As `runConfined` has it. */
  readonly cwd: string;
  /** Let the dump tasks write; without it they do nothing. */
  readonly dump?: boolean;
  /** Let vvp count its events. */
  readonly counts?: boolean;
  readonly timeoutMs: number;
  readonly cpuMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onStdout?: (chunk: string) => void;
  readonly maxOutputBytes?: number;
  readonly memoryBytes?: number;
}

/** `events`: as counted, where that was asked for. */
export type SimulateResult = (Extract<RunResult, { kind: 'exited' }> & { readonly events: number | undefined }) | RunFailure;

/** Icarus Verilog, found on this machine. */
export interface Iverilog {
  readonly name: 'iverilog';
  readonly version: string;
  readonly paths: IverilogPaths;
  compile(request: CompileRequest): Promise<CompileResult>;
  simulate(request: SimulateRequest): Promise<SimulateResult>;
}

export interface IverilogPaths {
  readonly iverilog: string;
  readonly vvp: string;
}

/** The option that a compiler names where it finds an assertion that it does not know. */
const WITHOUT_ASSERTIONS = '-gsupported-assertions';

/** Whether a compiler says that it could read over some assertion. */
export function couldPassAssertions(messages: readonly ToolMessage[]): boolean {
  return messages.some(({ message }) => message.includes(WITHOUT_ASSERTIONS));
}

function languageArguments({ generation, withoutAssertions }: CompileRequest): string[] {
  return [
    `-g${generation}`,
    // Without this, `logic` and `bool` stay reserved in every generation.
    ...(OLD.has(generation) ? ['-gno-xtypes'] : []),
    ...(withoutAssertions === true ? [WITHOUT_ASSERTIONS] : []),
  ];
}

export function compileArguments(request: CompileRequest): string[] {
  const defines = Object.entries(request.defines ?? {}).map(([name, value]) => `-D${name}=${value}`);
  return [
    ...languageArguments(request),
    '-o',
    request.output,
    ...(request.dependencies === undefined ? [] : ['-M', request.dependencies]),
    '-s',
    request.top,
    ...(request.includeDirs ?? []).flatMap((dir) => ['-I', dir]),
    ...defines,
    // A relative name must not be taken for an option.
    ...request.files.map((file) => (file.startsWith('-') ? `./${file}` : file)),
  ];
}

export function simulateArguments(request: SimulateRequest): string[] {
  // With -n, $stop and an interrupt end the simulation instead of opening a prompt.
  return ['-n', ...(request.counts === true ? ['-v'] : []), request.vvpFile, ...(request.dump === true ? [] : ['-none']), ...(request.args ?? [])];
}

export function parseVersion(output: string): string | undefined {
  return /Icarus Verilog (?:runtime )?version (\S+)/.exec(output)?.[1];
}

/** Compilations with the same options after which it pays to learn how to start the core of the compiler. */
const LEARN_AFTER = 12;

/** Starts the compiler: its driver, and where many compilations come, the core alone. */
class Compiler {
  readonly #driver: string;
  readonly #counts = new Map<string, number>();
  readonly #learnt = new Map<string, CompilerCore>();

  constructor({ iverilog }: IverilogPaths) {
    this.#driver = iverilog;
  }

  async run(request: CompileRequest): Promise<RunResult> {
    const { dir, timeoutMs, cpuMs, signal, memoryBytes } = request;
    const options: RunOptions = {
      cwd: dir,
      // The driver leaves its temporary files behind when it is killed.
      env: toolEnvironment(dir),
      timeoutMs,
      cpuMs,
      signal,
      ...(memoryBytes === undefined ? {} : { memoryBytes }),
    };
    const language = languageArguments(request);
    const core = this.#learnt.get(language.join(' ')) ?? (await this.#learn(language));
    return (await core?.compile(request, options)) ?? run(this.#driver, compileArguments(request), options);
  }

  /** Undefined unless it is time to learn. Who compiles waits for it, so that nothing of it is left when a verification has ended. */
  async #learn(language: readonly string[]): Promise<CompilerCore | undefined> {
    const key = language.join(' ');
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    const core = count === LEARN_AFTER ? await CompilerCore.learn(this.#driver, language) : undefined;
    if (core !== undefined) this.#learnt.set(key, core);
    return core;
  }
}

async function compile(compiler: Compiler, request: CompileRequest): Promise<CompileResult> {
  const result = await compiler.run(request);
  if (result.kind !== 'exited') return result;
  const { stdout, stderr, ms } = result;
  if (/\bCPU time limit exceeded\b/i.test(stderr)) return { kind: 'timed-out', stdout, stderr, ms };
  const broken = breakdown(result.stderr);
  if (broken !== undefined) return { kind: 'crashed', signal: broken, stdout, stderr, ms };
  const messages = parseMessages(`${result.stderr}\n${result.stdout}`, request.files);
  if (result.exitCode === 0) {
    // The driver does not notice every end of its compiler.
    if (!existsSync(path.join(request.dir, request.output))) return { kind: 'crashed', signal: 'no result', stdout, stderr, ms };
    return { kind: 'compiled', vvpFile: path.join(request.dir, request.output), warnings: messages, ms: result.ms };
  }
  return { kind: 'failed', messages: messages.length > 0 ? messages : [silentFailure(result.exitCode)], ms: result.ms };
}

/**
 * How a child of the driver ended that broke down instead of refusing the source, as the driver's shell or the C++ library words it. Shells differ:
 * `Aborted`, `sh: line 1: 4711 Aborted (core dumped) …`, `sh: line 1: 4710 Done … | 4711 Segmentation fault …`, `Abort trap: 6`.
 */
export function breakdown(stderr: string): string | undefined {
  const ended = /^(?:\w*sh: (?:line )?\d+: )?(?:\s*\d+ (?:(?:Done|Broken pipe)\b.*?\|\s*(?:\d+ )?)?)?(Segmentation fault|Aborted|Abort trap|Killed|Illegal instruction|Bus error)\b/m.exec(stderr)?.[1];
  if (ended !== undefined) return ended;
  if (/Assertion [`'].*' failed\.?$|: failed assertion /m.test(stderr)) return 'a failed assertion';
  return outOfMemory(stderr) ? 'out of memory' : undefined;
}

/** Whether a program says on its standard error that it got no more memory. */
export function outOfMemory(stderr: string): boolean {
  return /std::bad_alloc|std::length_error|[Oo]ut of memory|[Mm]emory exhausted|[Cc]annot allocate memory/.test(stderr);
}

function silentFailure(exitCode: number): ToolMessage {
  const message = `iverilog ended with exit code ${exitCode} and said nothing.`;
  return { file: undefined, line: undefined, severity: 'error', message, related: [] };
}

async function simulate(paths: IverilogPaths, request: SimulateRequest): Promise<SimulateResult> {
  const { cwd, timeoutMs, cpuMs, signal, onStdout, maxOutputBytes, memoryBytes } = request;
  const result = await runConfined(paths.vvp, simulateArguments(request), {
    cwd,
    // It opens its log before it looks for the simulation.
    trial: ['-n', '-l', TRIAL_FILE, 'none'],
    env: { LC_ALL: 'C' },
    startsNone: true,
    timeoutMs,
    cpuMs,
    signal,
    ...(onStdout === undefined ? {} : { onStdout }),
    ...(maxOutputBytes === undefined ? {} : { maxOutputBytes }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
  });
  if (!('stdout' in result) || request.counts !== true) return result.kind === 'exited' ? { ...result, events: undefined } : result;
  const { printed, events } = readCounts(result.stdout);
  const told = { ...result, stdout: printed, stderr: withoutOwnLines(result.stderr) };
  return told.kind === 'exited' ? { ...told, events } : told;
}

/** Version of the compiler at `paths`, or undefined when what lies there does not answer as Icarus Verilog does. */
export async function readIverilogVersion(paths: IverilogPaths, dir: string): Promise<string | undefined> {
  const result = await run(paths.iverilog, ['-V'], {
    cwd: dir,
    env: toolEnvironment(dir),
    timeoutMs: 20_000,
    maxOutputBytes: 1 << 20,
  });
  return result.kind === 'exited' ? parseVersion(result.stdout) : undefined;
}

export function createIverilog(paths: IverilogPaths, version: string): Iverilog {
  const compiler = new Compiler(paths);
  return {
    name: 'iverilog',
    version,
    paths,
    compile: (request) => compile(compiler, request),
    simulate: (request) => simulate(paths, request),
  };
}
