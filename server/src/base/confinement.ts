import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { findExecutable, run, type RunOptions, type RunResult } from './process.ts';
import { withTempDir } from './tempdir.ts';

/** What keeps the programs that `runConfined` starts from the rest of the machine. */
export type Confinement =
  /** bubblewrap, an absolute path, with its version. */
  | { readonly kind: 'confined'; readonly path: string; readonly version: string | undefined }
  /** There is nothing of the kind on this machine. */
  | { readonly kind: 'missing' }
  /** It is there and may not do its work, which the system can forbid. `said`: its own words. */
  | { readonly kind: 'unusable'; readonly path: string; readonly said: string };

export interface ConfinedOptions extends RunOptions {
  /** The directory that the program works in, free of symbolic links, and the only one that it can write to. */
  readonly cwd: string;
  /**
   * Arguments with which the program leaves a file of the name `TRIAL_FILE` in its working directory and ends at once: so it is tried once whether it works where it is
   * confined, which one that lives in a container of its own may not. Without them, it does where a shell does.
   */
  readonly trial?: readonly string[];
}

export const TRIAL_FILE = 'trial';

const PROGRAM = 'bwrap';
const TRIAL_MS = 20_000;

/** All is there to read and nothing to write, of the devices only the null device, there is no network, and no other process is in sight. The group stays that of the caller, which ends it whole. */
const REST = ['--ro-bind', '/', '/', '--dev-bind', '/dev/null', '/dev/null', '--unshare-net', '--unshare-ipc', '--unshare-pid', '--die-with-parent'];

function confinedArguments(dir: string, command: string, args: readonly string[]): string[] {
  return [...REST, '--bind', dir, dir, '--chdir', dir, '--', command, ...args];
}

interface Trial {
  readonly command: string;
  readonly args: readonly string[];
}

const SHELL: Trial = { command: '/bin/sh', args: ['-c', `: > ${TRIAL_FILE}`] };

/** What came of the trials, by what was tried. */
const tried = new Map<string, Promise<string | undefined>>();

/** Undefined when a program works where it is confined; else what was said instead. */
function failureOf(bwrap: string, trial: Trial): Promise<string | undefined> {
  const key = JSON.stringify([bwrap, trial]);
  const made = tried.get(key) ?? tryConfined(bwrap, trial);
  tried.set(key, made);
  return made.catch((error: unknown) => {
    tried.delete(key);
    return String(error);
  });
}

function tryConfined(bwrap: string, { command, args }: Trial): Promise<string | undefined> {
  return withTempDir(async (dir) => {
    const result = await run(bwrap, confinedArguments(dir, command, args), { cwd: dir, timeoutMs: TRIAL_MS, maxOutputBytes: 1 << 20 });
    if (existsSync(path.join(dir, TRIAL_FILE))) return undefined;
    const words = 'stderr' in result ? result.stderr.trim().split('\n')[0] : undefined;
    return words === undefined || words === '' ? 'it ended without a word' : words;
  });
}

let isLeftOut = false;

/** Programs run unconfined from now on: for measuring, since the time of what another process tree hides is not counted with this one. */
export function leaveOutConfinement(): void {
  isLeftOut = true;
}

function findProgram(): string | undefined {
  return process.platform === 'linux' && !isLeftOut ? findExecutable(PROGRAM) : undefined;
}

/** What confines programs on this machine. */
export async function findConfinement(): Promise<Confinement> {
  const bwrap = findProgram();
  if (bwrap === undefined) return { kind: 'missing' };
  const said = await failureOf(bwrap, SHELL);
  if (said !== undefined) return { kind: 'unusable', path: bwrap, said };
  const asked = await run(bwrap, ['--version'], { timeoutMs: TRIAL_MS, maxOutputBytes: 1 << 20 });
  return { kind: 'confined', path: bwrap, version: asked.kind === 'exited' ? /\d[\d.]*/.exec(asked.stdout)?.[0] : undefined };
}

/** Runs a program as `run` does, and, where the machine has the means, so that it can write to its working directory alone. */
export async function runConfined(command: string, args: readonly string[], options: ConfinedOptions): Promise<RunResult> {
  const bwrap = findProgram();
  const trial = options.trial === undefined ? SHELL : { command, args: options.trial };
  if (bwrap === undefined || (await failureOf(bwrap, trial)) !== undefined) return run(command, args, options);
  return withSignal(await run(bwrap, confinedArguments(options.cwd, command, args), { ...options, startsNone: false }), options);
}

/** The exit code stands for the signal that ended the confined program, as with a shell. */
function withSignal(result: RunResult, { cpuMs }: RunOptions): RunResult {
  if (result.kind !== 'exited') return result;
  const signal = Object.entries(constants.signals).find(([, number]) => number === result.exitCode - 128)?.[0];
  if (signal === undefined) return result;
  const { stdout, stderr, ms } = result;
  return signal === 'SIGXCPU' && cpuMs !== undefined ? { kind: 'timed-out', stdout, stderr, ms } : { kind: 'crashed', signal, stdout, stderr, ms };
}
