import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A killed orphan stays a zombie until init reaps it, which is dead for our purpose.
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'));
}

/** Fails unless the process ends within a second. */
export async function assertGone(pid: number): Promise<void> {
  assert.ok(pid > 1);
  for (let i = 0; i < 100 && isAlive(pid); i++) await delay(10);
  assert.equal(isAlive(pid), false, 'the process still runs');
}
