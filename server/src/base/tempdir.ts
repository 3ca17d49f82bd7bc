import { accessSync, constants, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statfsSync, type StatsFs } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onProcessExit } from './exit.ts';

const live = new Set<string>();
let exitHookInstalled = false;

// Windows refuses to delete a file that a process which is just ending still holds open.
const removal = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 } as const;

/** Removes every directory that `withTempDir` made and that still exists, synchronously. */
export function removeAllTempDirs(): void {
  for (const dir of live) removeNow(dir);
  live.clear();
}

/**
 * Removes a directory. A killed process may write a little longer, and the synchronous removal of Node does not wait between its own tries when the
 * delay is below a second, so this waits itself, one second at most.
 */
export function removeNow(dir: string): void {
  const idle = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 1; existsSync(dir); tries++) {
    try {
      rmSync(dir, removal);
    } catch {
      if (tries >= 20) return;
      Atomics.wait(idle, 0, 0, 50);
    }
  }
}

/** The system's folder for temporary files cannot be used; `message` is one full sentence that says why and what to do. */
export class TempDirError extends Error {
  override readonly name = 'TempDirError';
}

/** With less than this left, what programs wrote may be cut off, and most of them do not notice. */
const LEAST_BYTES = 2 ** 20;
const WHY: Readonly<Record<string, string>> = {
  EROFS: 'it is read-only',
  EACCES: 'it may not be written to',
  EPERM: 'it may not be written to',
  ENOENT: 'it does not exist',
  ENOTDIR: 'it is no folder',
  ENOSPC: 'there is no space left',
  EDQUOT: 'the quota is used up',
};

/** Whether an error says that a file system took no more. */
export function isFull(error: unknown): boolean {
  return FULL.has(codeOf(error));
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function tempDirError(code: string, folder: string): TempDirError {
  const variable = process.platform === 'win32' ? 'TEMP' : 'TMPDIR';
  const advice = `${FULL.has(code) ? 'make room there, or ' : ''}let ${variable} name another folder`;
  return new TempDirError(`The folder for temporary files, ${folder}, cannot be used: ${WHY[code] ?? `the system says ${code}`}; ${advice}.`);
}

function roomIn(dir: string): StatsFs | undefined {
  try {
    return statfsSync(dir);
  } catch {
    return undefined;
  }
}

/** At once as a rule: what lies there is little. Where a killed process still writes, the synchronous removal may leave the directory without saying so. */
async function remove(dir: string): Promise<void> {
  try {
    rmSync(dir, { recursive: true, force: true });
  } catch {
    // What is left is seen below.
  }
  if (existsSync(dir)) await rm(dir, removal);
}

/** Fails where so little space is left that nothing that was written can be relied on. */
function assertRoom(dir: string): void {
  const room = roomIn(dir);
  // Some file systems tell no sizes.
  if (room === undefined || room.blocks === 0) return;
  const left = process.getuid?.() === 0 ? room.bfree : room.bavail;
  if (left * room.bsize < LEAST_BYTES) throw tempDirError('ENOSPC', path.dirname(dir));
}

/** Where Linux keeps files in memory. */
const MEMORY_FOLDER = '/dev/shm';
const TMPFS_MAGIC = 0x01021994;
/** What has to be free there, and of the machine's memory, for files of runs that may grow. */
const LEAST_FREE_FOLDER = 2 ** 30;
const LEAST_FREE_MEMORY = 2 ** 32;

/**
 * The folder for files that live for moments. To make one on a disk can take a program as long as all of its other work, so they are kept in memory where there is plenty
 * of it and the user has not chosen a folder.
 */
export function scratchFolder(variables: Readonly<Record<string, string | undefined>> = process.env): string {
  const isChosen = ['TMPDIR', 'TMP', 'TEMP'].some((name) => (variables[name] ?? '') !== '');
  return !isChosen && process.platform === 'linux' && isRoomy(MEMORY_FOLDER) ? MEMORY_FOLDER : os.tmpdir();
}

function isRoomy(folder: string): boolean {
  const room = roomIn(folder);
  if (room?.type !== TMPFS_MAGIC || room.bavail * room.bsize < LEAST_FREE_FOLDER || process.availableMemory() < LEAST_FREE_MEMORY) return false;
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export interface TempDirOptions {
  /** Programs that are built in the directory are to run, which a folder in memory may forbid. */
  readonly runsPrograms?: boolean;
}

/**
 * Calls `fn` with the absolute, symlink-free path of a fresh empty directory and removes the directory when `fn` settles,
 * or when this process exits before that. Rejects with a `TempDirError` where the folder for temporary files cannot be used or is full.
 */
export async function withTempDir<T>(fn: (dir: string) => Promise<T>, { runsPrograms = false }: TempDirOptions = {}): Promise<T> {
  const dir = makeIn(runsPrograms ? os.tmpdir() : scratchFolder());
  try {
    const result = await fn(dir);
    assertRoom(dir);
    return result;
  } catch (error) {
    throw isFull(error) ? tempDirError(codeOf(error), path.dirname(dir)) : error;
  } finally {
    await remove(dir);
    live.delete(dir);
  }
}

/** The path of a fresh empty directory that is removed when this process exits; programs can be run in it. */
export function lastingTempDir(): string {
  return makeIn(os.tmpdir());
}

function makeIn(folder: string): string {
  if (!exitHookInstalled) {
    exitHookInstalled = true;
    onProcessExit(removeAllTempDirs);
  }
  try {
    const dir = realpathSync(mkdtempSync(path.join(folder, prefixOf(process.env[MARK_VARIABLE]))));
    live.add(dir);
    return dir;
  } catch (error) {
    throw tempDirError(codeOf(error), folder);
  }
}

/** What marks the directories of a process, so that another one finds what it left; given by its environment. */
export const MARK_VARIABLE = 'RTL_COPILOT_MARK';

function prefixOf(mark: string | undefined): string {
  return mark === undefined ? 'rtl-copilot-' : `rtl-copilot-${mark}-`;
}

/** Paths of the directories that a process with this mark, which is gone, left behind. */
export function leftTempDirs(mark: string): string[] {
  return [...new Set([os.tmpdir(), scratchFolder()])].flatMap((folder) => {
    try {
      return readdirSync(folder).filter((name) => name.startsWith(prefixOf(mark))).map((name) => realpathSync(path.join(folder, name)));
    } catch {
      return [];
    }
  });
}
