import { execa, execaSync } from 'execa';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { onProcessExit } from './exit.ts';

export interface RunOptions {
  /** Must exist. */
  readonly cwd?: string;
  /** Added to this process's own environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Text for standard input, which is closed after it. Without it the input is empty. */
  readonly stdin?: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** Bytes of standard output and error together; the process is killed beyond them. */
  readonly maxOutputBytes?: number;
  /** Called with each piece of standard output as it arrives; the result still holds the whole. */
  readonly onStdout?: (chunk: string) => void;
  /** Limit of the address space, kept on Linux where `prlimit` is installed and ignored elsewhere. */
  readonly memoryBytes?: number;
}

export type RunResult =
  /** The process ended by itself. A non-zero exit code is a result like any other. */
  | { readonly kind: 'exited'; readonly exitCode: number; readonly stdout: string; readonly stderr: string; readonly ms: number }
  /** There is no such executable. */
  | { readonly kind: 'not-found'; readonly command: string }
  | { readonly kind: 'timed-out'; readonly stdout: string; readonly stderr: string; readonly ms: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'output-limit'; readonly stdout: string; readonly stderr: string; readonly ms: number }
  /** A signal that this module did not send ended the process. */
  | { readonly kind: 'crashed'; readonly signal: string; readonly stdout: string; readonly stderr: string; readonly ms: number };

/** A run that did not end by itself. */
export type RunFailure = Exclude<RunResult, { kind: 'exited' }>;

const defaultMaxOutputBytes = 16 * 1024 * 1024;
/** Time between the polite and the forced signal. */
const graceMs = 300;
/** Time that a descendant which left the process group may hold the output open after its parent ended. */
const lingerMs = 500;

const isWindows = process.platform === 'win32';
const running = new Set<number>();

function killGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The whole group is gone already.
  }
}

/** Kills every process that `run` started and that still runs, with its descendants, at once and synchronously. */
export function killAllProcesses(): void {
  for (const pid of running) {
    if (isWindows) execaSync('taskkill', ['/pid', String(pid), '/T', '/F'], { reject: false, stdio: 'ignore' });
    else killGroup(pid, 'SIGKILL');
  }
  running.clear();
}

function isExecutableFile(file: string): boolean {
  try {
    if (!statSync(file).isFile()) return false;
    if (!isWindows) accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Absolute path of an executable: a name without a directory is looked up in PATH, any other is taken as a path.
 * On Windows the extensions of PATHEXT are tried too. Undefined when there is none.
 */
export function findExecutable(command: string, env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  const extensions = isWindows ? ['', ...(env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')] : [''];
  const named = command.includes('/') || (isWindows && command.includes('\\'));
  const pathText = env['PATH'] ?? env['Path'] ?? '';
  const dirs = named ? [''] : pathText.split(path.delimiter).filter((dir) => dir !== '');
  for (const dir of dirs) {
    for (const extension of extensions) {
      const candidate = path.resolve(dir, command + extension);
      if (isExecutableFile(candidate)) return candidate;
    }
  }
  return undefined;
}

/** Collects both output streams up to a limit that they share. */
class Output {
  readonly #limit: number;
  readonly #onStdout: ((chunk: string) => void) | undefined;
  readonly #onOverflow: () => void;
  readonly #texts = { stdout: [] as string[], stderr: [] as string[] };
  readonly #decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  #bytes = 0;

  constructor(limit: number, onStdout: ((chunk: string) => void) | undefined, onOverflow: () => void) {
    this.#limit = limit;
    this.#onStdout = onStdout;
    this.#onOverflow = onOverflow;
  }

  add(stream: 'stdout' | 'stderr', chunk: Buffer): void {
    const room = this.#limit - this.#bytes;
    if (room < 0) return;
    this.#bytes += chunk.length;
    this.#push(stream, this.#decoders[stream].write(chunk.length > room ? chunk.subarray(0, room) : chunk));
    if (chunk.length > room) this.#onOverflow();
  }

  finish(): { stdout: string; stderr: string } {
    this.#push('stdout', this.#decoders.stdout.end());
    this.#push('stderr', this.#decoders.stderr.end());
    return { stdout: this.#texts.stdout.join(''), stderr: this.#texts.stderr.join('') };
  }

  #push(stream: 'stdout' | 'stderr', text: string): void {
    if (text === '') return;
    this.#texts[stream].push(text);
    if (stream === 'stdout') this.#onStdout?.(text);
  }
}

interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
}

function commandLine(executable: string, args: readonly string[], memoryBytes: number | undefined): CommandLine {
  const prlimit = memoryBytes !== undefined && process.platform === 'linux' ? findExecutable('prlimit') : undefined;
  if (memoryBytes === undefined || prlimit === undefined) return { file: executable, args };
  return { file: prlimit, args: [`--as=${Math.ceil(memoryBytes)}`, '--', executable, ...args] };
}

type StopReason = 'timed-out' | 'cancelled' | 'output-limit';

/**
 * Runs a program with an argument vector, never through a shell, in a process group of its own. Whatever ends the run, the
 * whole group is gone when the promise settles (on Windows: the process tree, when the run is stopped early).
 * Rejects only for a working directory that does not exist or when the system can start no process at all.
 */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  if (options.signal?.aborted === true) return { kind: 'cancelled' };
  if (options.cwd !== undefined && !existsSync(options.cwd)) throw new Error(`The working directory ${options.cwd} does not exist.`);
  const executable = findExecutable(command, { ...process.env, ...options.env });
  if (executable === undefined) return { kind: 'not-found', command };

  const started = performance.now();
  const line = commandLine(executable, args, options.memoryBytes);
  const child = execa(line.file, line.args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.stdin === undefined ? { stdin: 'ignore' as const } : { input: options.stdin }),
    encoding: 'buffer',
    buffer: false,
    reject: false,
    cleanup: false,
    killDescendants: true,
    forceKillAfterDelay: graceMs,
    windowsHide: true,
  });
  let stopped: StopReason | undefined;
  const stop = (reason: StopReason): void => {
    stopped ??= reason;
    child.kill('SIGTERM');
  };
  const onAbort = (): void => stop('cancelled');
  const output = new Output(options.maxOutputBytes ?? defaultMaxOutputBytes, options.onStdout, () => stop('output-limit'));
  child.stdout.on('data', (chunk: Buffer) => output.add('stdout', chunk));
  child.stderr.on('data', (chunk: Buffer) => output.add('stderr', chunk));
  const timer = setTimeout(() => stop('timed-out'), options.timeoutMs);
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const release = track(child);
  try {
    const result = await child;
    if (stopped === 'cancelled') return { kind: 'cancelled' };
    const ended = { ...output.finish(), ms: performance.now() - started };
    if (stopped !== undefined) return { kind: stopped, ...ended };
    if (result.signal !== undefined) return { kind: 'crashed', signal: result.signal, ...ended };
    if (result.exitCode === undefined) throw new Error(`Could not start ${command}: ${result.originalMessage ?? 'unknown reason'}`);
    return { kind: 'exited', exitCode: result.exitCode, ...ended };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
    release();
  }
}

interface TrackedChild {
  readonly pid?: number;
  readonly nodeChildProcess: { once: (event: 'exit', listener: () => void) => unknown };
  readonly stdout: { destroy: () => unknown };
  readonly stderr: { destroy: () => unknown };
}

let exitHookInstalled = false;

/** Keeps the child known to `killAllProcesses` until released, and ends what the child leaves behind when it exits. */
function track(child: TrackedChild): () => void {
  const { pid } = child;
  if (pid === undefined) return () => undefined;
  if (!exitHookInstalled) {
    exitHookInstalled = true;
    onProcessExit(killAllProcesses);
  }
  running.add(pid);
  let lingering: NodeJS.Timeout | undefined;
  child.nodeChildProcess.once('exit', () => {
    if (!isWindows) killGroup(pid, 'SIGKILL');
    running.delete(pid);
    lingering = setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    }, lingerMs);
  });
  return () => {
    clearTimeout(lingering);
    running.delete(pid);
  };
}
