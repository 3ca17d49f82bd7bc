import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second, as the kernel reports times to programs. */
const TICKS = 100;

/** CPU seconds of this process and of all that it started, directly or not, ended or still running. Linux only. */
export function cpuSeconds(): number {
  const self = process.cpuUsage();
  const { ended } = timesOf('self');
  return (self.user + self.system) / 1e6 + (ended + childrenOf('self').reduce((sum, pid) => sum + livingTicks(pid), 0)) / TICKS;
}

function livingTicks(pid: string): number {
  try {
    const { own, ended } = timesOf(pid);
    return own + ended + childrenOf(pid).reduce((sum, child) => sum + livingTicks(child), 0);
  } catch {
    // It has just ended, and counts with its parent.
    return 0;
  }
}

function timesOf(pid: string): { readonly own: number; readonly ended: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /, '').split(' ').map(Number);
  return { own: (fields[11] ?? 0) + (fields[12] ?? 0), ended: (fields[13] ?? 0) + (fields[14] ?? 0) };
}

function childrenOf(pid: string): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean));
}
