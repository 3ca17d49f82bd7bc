import { execa, execaSync } from 'execa';
import { fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { onProcessExit } from './exit.ts';
import { Launcher, LAUNCHER_SCRIPT, type Ending, type Running, type ShellProcess, type Sinks } from './launcher.ts';
import { leftTempDirs, MARK_VARIABLE, removeNow } from './tempdir.ts';

export interface RunOptions {
  /** Must exist. */
  readonly cwd?: string;
  /** Added to this process's own environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Text for standard input, which is closed after it. Without it the input is empty. */
  readonly stdin?: string;
  readonly signal?: AbortSignal | undefined;
  /** Of the wall clock. */
  readonly timeoutMs: number;
  /**
   * CPU time that the process, or any that it starts, may take, in whole seconds and at least one. It is kept on Linux; elsewhere it limits the time by the wall
   * clock. A process that it ends has timed out.
   */
  readonly cpuMs?: number | undefined;
  /** Bytes of standard output and error together; the process is killed beyond them. */
  readonly maxOutputBytes?: number;
  /** Called with each piece of standard output as it arrives; the result still holds the whole. */
  readonly onStdout?: (chunk: string) => void;
  /** Limit of the address space, kept on Linux and ignored elsewhere. */
  readonly memoryBytes?: number;
  /** The program starts no other, so that it needs no process group of its own, which takes as long to make as a small program to start. */
  readonly startsNone?: boolean;
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
const isLinux = process.platform === 'linux';
const running = new Set<number>();
/** What starts programs, the environment that its shells have, and the program there that makes process groups. */
let launching: { readonly launcher: Launcher; readonly env: string; readonly setsid: string | undefined } | undefined;

/** False when there is no such group. */
function killGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  return killOne(-pid, signal);
}

/** False when there is no such process. */
function killOne(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Kills every process that `run` started and that still runs, with its descendants, at once and synchronously. */
export function killAllProcesses(): void {
  launching?.launcher.close();
  for (const pid of running) {
    if (isWindows) execaSync('taskkill', ['/pid', String(pid), '/T', '/F'], { reject: false, stdio: 'ignore' });
    else if (!killGroup(pid, 'SIGKILL')) killOne(pid, 'SIGKILL');
  }
  running.clear();
}

function isExecutableFile(file: string): boolean {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
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

type StopReason = 'timed-out' | 'cancelled' | 'output-limit';

/**
 * Runs a program with an argument vector, never through a shell that would read it, in a process group of its own. Whatever ends the run, the
 * whole group is gone when the promise settles (on Windows: the process tree, when the run is stopped early).
 * Rejects only for a working directory that does not exist or when the system can start no process at all.
 */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  if (options.signal?.aborted === true) return { kind: 'cancelled' };
  if (options.cwd !== undefined && !existsSync(options.cwd)) throw new Error(`The working directory ${options.cwd} does not exist.`);
  const executable = findExecutable(command, options.env?.['PATH'] === undefined ? process.env : { ...process.env, ...options.env });
  if (executable === undefined) return { kind: 'not-found', command };

  const started = performance.now();
  let stopped: StopReason | undefined;
  let stopNow: (() => void) | undefined;
  const stop = (reason: StopReason): void => {
    stopped ??= reason;
    stopNow?.();
  };
  const onAbort = (): void => stop('cancelled');
  const output = new Output(options.maxOutputBytes ?? defaultMaxOutputBytes, options.onStdout, () => stop('output-limit'));
  const sinks: Sinks = { stdout: (chunk) => output.add('stdout', chunk), stderr: (chunk) => output.add('stderr', chunk) };
  const timer = setTimeout(() => stop('timed-out'), isLinux ? options.timeoutMs : Math.min(options.timeoutMs, options.cpuMs ?? Infinity));
  options.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const child = (await launched(executable, args, options, sinks)) ?? startDirectly(executable, args, options, sinks);
    stopNow = child.stop;
    if (stopped !== undefined) child.stop();
    const ending = await child.ended;
    if (stopped === 'cancelled') return { kind: 'cancelled' };
    const ended = { ...output.finish(), ms: performance.now() - started };
    if (stopped !== undefined) return { kind: stopped, ...ended };
    if ('failure' in ending) throw new Error(`Could not start ${command}: ${ending.failure}`);
    if ('signal' in ending && ending.signal === 'SIGXCPU' && options.cpuMs !== undefined) return { kind: 'timed-out', ...ended };
    return 'signal' in ending ? { kind: 'crashed', signal: ending.signal, ...ended } : { kind: 'exited', exitCode: ending.exitCode, ...ended };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
  }
}

interface Child {
  readonly ended: Promise<Ending | { readonly failure: string }>;
  /** Asks the whole group to end, and makes it end after a moment. */
  readonly stop: () => void;
}

/** Starts a program with the launcher; undefined where that cannot do it. */
async function launched(file: string, args: readonly string[], options: RunOptions, sinks: Sinks): Promise<Child | undefined> {
  if (!isLinux || options.stdin !== undefined) return undefined;
  const env = JSON.stringify(process.env);
  if (launching?.env !== env) {
    launching?.launcher.close();
    launching = { launcher: new Launcher(startShell), env, setsid: findExecutable('setsid') };
  }
  const { launcher, setsid } = launching;
  const isAlone = options.startsNone === true;
  if (!isAlone && setsid === undefined) return undefined;
  const program = isAlone || setsid === undefined ? { file, args } : { file: setsid, args: [file, ...args] };
  const child = await launcher.launch({ ...program, cwd: options.cwd ?? process.cwd(), env: options.env ?? {}, memoryBytes: options.memoryBytes, cpuSeconds: cpuSeconds(options) }, sinks);
  return child === undefined ? undefined : overseen(child);
}

function overseen({ pid, ended }: Running): Child {
  // Until it runs in one of its own, it is in the group of its shell.
  const kill = (signal: 'SIGTERM' | 'SIGKILL'): boolean => killGroup(pid, signal) || killOne(pid, signal);
  const release = remember(pid);
  let force: NodeJS.Timeout | undefined;
  const settled = ended.finally(() => {
    clearTimeout(force);
    killGroup(pid, 'SIGKILL');
    release();
  });
  const stop = (): void => {
    kill('SIGTERM');
    force ??= setTimeout(() => kill('SIGKILL'), graceMs);
  };
  return { ended: settled, stop };
}

function startShell(): ShellProcess | undefined {
  if (!isExecutableFile('/bin/sh')) return undefined;
  const child = spawn('/bin/sh', ['-c', LAUNCHER_SCRIPT, 'launcher'], { detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] });
  const { pid } = child;
  // Without a process, the error says why.
  child.on('error', () => undefined);
  if (pid === undefined) return undefined;
  const release = remember(pid);
  const [, , , requests, answers] = child.stdio as unknown as [null, Socket, Socket, Socket, Socket];
  return {
    kill: () => void killGroup(pid, 'SIGKILL'),
    unref: () => child.unref(),
    onEnd: (listener) =>
      child.once('exit', () => {
        release();
        listener();
      }),
    stdout: child.stdout as Socket,
    stderr: child.stderr as Socket,
    requests,
    answers,
  };
}

function cpuSeconds({ cpuMs }: RunOptions): number | undefined {
  return cpuMs === undefined ? undefined : Math.max(1, Math.ceil(cpuMs / 1000));
}

function startDirectly(executable: string, args: readonly string[], options: RunOptions, sinks: Sinks): Child {
  const seconds = cpuSeconds(options);
  const limits = [...(options.memoryBytes === undefined ? [] : [`--as=${Math.ceil(options.memoryBytes)}`]), ...(seconds === undefined ? [] : [`--cpu=${seconds}:`])];
  const prlimit = limits.length > 0 && isLinux ? findExecutable('prlimit') : undefined;
  const [file, all] = prlimit === undefined ? [executable, args] : [prlimit, [...limits, '--', executable, ...args]];
  const child = execa(file, all, {
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
  child.stdout.on('data', sinks.stdout);
  child.stderr.on('data', sinks.stderr);
  const release = track(child);
  const ended = child.then(({ signal, exitCode, originalMessage }) =>
    signal !== undefined ? { signal } : exitCode !== undefined ? { exitCode } : { failure: originalMessage ?? 'unknown reason' },
  );
  return { ended: ended.finally(release), stop: () => void child.kill('SIGTERM') };
}

interface TrackedChild {
  readonly pid?: number;
  readonly nodeChildProcess: { once: (event: 'exit', listener: () => void) => unknown };
  readonly stdout: { destroy: () => unknown };
  readonly stderr: { destroy: () => unknown };
}

let exitHookInstalled = false;

/** Keeps a process known to `killAllProcesses` until released. */
function remember(pid: number): () => void {
  if (!exitHookInstalled) {
    exitHookInstalled = true;
    onProcessExit(killAllProcesses);
  }
  running.add(pid);
  return () => running.delete(pid);
}

/** Ends what the child leaves behind when it exits. */
function track(child: TrackedChild): () => void {
  const { pid } = child;
  if (pid === undefined) return () => undefined;
  const release = remember(pid);
  let lingering: NodeJS.Timeout | undefined;
  child.nodeChildProcess.once('exit', () => {
    if (!isWindows) killGroup(pid, 'SIGKILL');
    release();
    lingering = setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    }, lingerMs);
  });
  return () => {
    clearTimeout(lingering);
    release();
  };
}

/** A program of Node that this process exchanges messages with, whose values are copied as structured clones. */
export interface Peer {
  /** What it is sent after its end is lost. */
  readonly send: (message: object) => void;
  readonly onMessage: (listener: (message: unknown) => void) => void;
  /** Tells it that nobody talks to it any more, which is for it to end at; it also sees that when this process ends, in whatever way. */
  readonly disconnect: () => void;
  /** Settles when it has ended or could not be started; `said` is the end of what it printed on its standard error. */
  readonly ended: Promise<(Ending | { readonly failure: string }) & { readonly said: string }>;
}

/** Characters of a peer's standard error that are kept. */
const MOST_SAID = 10_000;
/** Time in which a peer that nobody talks to any more ends by itself. */
const farewellMs = 5000;

/** Starts a program that lasts. Unlike one of `run` it is not killed with this process: it has programs of its own to end. */
export function startPeer(file: string): Peer {
  const mark = randomBytes(6).toString('hex');
  // In the editor this process is Electron, which is Node only when it is told so.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', [MARK_VARIABLE]: mark };
  const child = fork(file, [], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (said = (said + chunk).slice(-MOST_SAID)));
  let force: NodeJS.Timeout | undefined;
  // That all is closed is not told where this side ends the talk.
  const silent = new Promise((resolve) => child.stderr?.once('close', resolve));
  const ended = new Promise<Ending | { readonly failure: string }>((resolve) => {
    child.once('exit', (exitCode, signal) => void silent.then(() => resolve(signal === null ? { exitCode: exitCode ?? 0 } : { signal })));
    child.on('error', (error) => {
      if (child.pid === undefined) resolve({ failure: error.message });
    });
  });
  return {
    send: (message) => {
      // Whether it still listens is told by its end.
      if (child.connected) child.send(message, () => undefined);
    },
    onMessage: (listener) => void child.on('message', listener),
    disconnect: () => {
      if (child.connected) child.disconnect();
      force ??= setTimeout(() => child.kill('SIGKILL'), farewellMs);
    },
    ended: ended.then((ending) => {
      clearTimeout(force);
      endWhatIsLeftOf(mark);
      return { ...ending, said };
    }),
  };
}

/** A peer that broke down could end neither its programs, which work in its temporary directories, nor these. */
function endWhatIsLeftOf(mark: string): void {
  const left = leftTempDirs(mark);
  for (const pid of left.length > 0 && isLinux ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []) {
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      if (left.some((dir) => cwd === dir || cwd.startsWith(`${dir}/`))) killOne(Number(pid), 'SIGKILL');
    } catch {
      // It ended in the meantime, or belongs to another user.
    }
  }
  left.forEach(removeNow);
}
