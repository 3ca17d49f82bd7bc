import { spawn } from 'node:child_process';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface StepOutcome {
  readonly exitCode: number;
  readonly output: string;
  readonly seconds: number;
}

/** Runs a command to its end, or kills its whole process group at the limit. Output of both streams comes back in order of arrival. */
export function runStep(command: readonly string[], options: { cwd: string; limitMinutes: number; env?: Record<string, string> }): Promise<StepOutcome> {
  const started = performance.now();
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(program, args, { cwd: options.cwd, env: { ...process.env, ...options.env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    running.add(child.pid ?? 0);
    const timer = setTimeout(() => {
      output += `\nstopped after ${options.limitMinutes} minutes\n`;
      killGroup(child.pid);
    }, options.limitMinutes * 60_000);
    const collect = (chunk: string): void => void (output += chunk);
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    const finish = (exitCode: number): void => {
      clearTimeout(timer);
      running.delete(child.pid ?? 0);
      resolve({ exitCode, output, seconds: (performance.now() - started) / 1000 });
    };
    child.on('error', (error) => {
      output += error.message;
      finish(127);
    });
    child.on('close', (code) => finish(code ?? 137));
  });
}

const running = new Set<number>();

function killGroup(pid: number | undefined): void {
  if (pid === undefined || pid === 0) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}

/** Kills what still runs; for signal handlers. */
export function killSteps(): void {
  for (const pid of running) killGroup(pid);
}
