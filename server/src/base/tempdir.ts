import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
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
 * A killed process may write a little longer, and the synchronous removal of Node does not wait between its own tries when the
 * delay is below a second, so this waits itself, one second at most.
 */
function removeNow(dir: string): void {
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

/**
 * Calls `fn` with the absolute, symlink-free path of a fresh empty directory and removes the directory when `fn` settles,
 * or when this process exits before that.
 */
export async function withTempDir<T>(fn: (dir: string) => Promise<T>): Promise<T> {
  const dir = lastingTempDir();
  try {
    return await fn(dir);
  } finally {
    await rm(dir, removal);
    live.delete(dir);
  }
}

/** The path of a fresh empty directory, as that of `withTempDir`, which is removed when this process exits. */
export function lastingTempDir(): string {
  if (!exitHookInstalled) {
    exitHookInstalled = true;
    onProcessExit(removeAllTempDirs);
  }
  const dir = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'rtl-copilot-')));
  live.add(dir);
  return dir;
}
