import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { VerifyResult } from '../../server/src/verification/verdict.ts';

const dist = path.join(import.meta.dirname, '../../dist');

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** `--json` as it arrives: what is undefined inside is null outside. */
export type Json<T> = T extends readonly (infer Item)[] ? Json<Item>[] : T extends object ? { [K in keyof T]: Json<T[K]> } : T extends undefined ? null : T;

/** A folder with sources for one test, and a second one that the program takes for the system's folder of temporary files. */
export class Bench {
  readonly dir: string;
  readonly temp: string;
  readonly #root: string;
  readonly #children: ChildProcess[] = [];

  constructor(files: Readonly<Record<string, string>>) {
    this.#root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'cli-test-')));
    this.dir = path.join(this.#root, 'work');
    this.temp = path.join(this.#root, 'temp');
    for (const folder of [this.dir, this.temp]) mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(this.dir, name)), { recursive: true });
      writeFileSync(path.join(this.dir, name), text);
    }
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = this.dir): ChildProcess {
    return this.#spawn('cli.mjs', args, env, cwd, 'ignore');
  }

  /** The server for agents, which talks over its standard streams. */
  startMcp(): ChildProcess {
    return this.#spawn('mcp.mjs', [], {}, this.dir, 'pipe');
  }

  #spawn(bundle: string, args: readonly string[], env: Readonly<Record<string, string>>, cwd: string, stdin: 'ignore' | 'pipe'): ChildProcess {
    const program = path.join(dist, bundle);
    assert.ok(existsSync(program), `dist/${bundle} is missing; run npm run build.`);
    const child = spawn(process.execPath, [program, ...args], { cwd, env: { ...process.env, ...env, TMPDIR: this.temp }, stdio: [stdin, 'pipe', 'pipe'] });
    this.#children.push(child);
    return child;
  }

  /** Runs the program to its end and checks that it left no process and no temporary file. */
  async run(args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = this.dir): Promise<Outcome> {
    const outcome = await ended(this.start(args, env, cwd));
    this.assertClean();
    return outcome;
  }

  async verify(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome & { readonly result: Json<VerifyResult> }> {
    const outcome = await this.run(['verify', ...args, '--json'], env);
    assert.equal(outcome.err, '');
    return { ...outcome, result: JSON.parse(outcome.out) as Json<VerifyResult> };
  }

  assertClean(): void {
    assert.deepEqual(readdirSync(this.temp, { recursive: true }), [], 'temporary files were left behind');
    assert.deepEqual(this.processes(), [], 'processes were left behind');
  }

  /** Command lines of the living processes that were started for this bench, the test itself left out. Linux only. */
  processes(): string[] {
    return this.#living().map(({ text }) => text);
  }

  /** Kills the processes whose command lines look like this, as a lack of memory would. Linux only. */
  kill(pattern: RegExp): void {
    for (const { pid, text } of this.#living()) if (pattern.test(text)) process.kill(pid, 'SIGKILL');
  }

  #living(): { readonly pid: number; readonly text: string }[] {
    if (process.platform !== 'linux') return [];
    return readdirSync('/proc').flatMap((entry) => {
      if (!/^\d+$/.test(entry) || Number(entry) === process.pid) return [];
      try {
        if (!readFileSync(`/proc/${entry}/environ`, 'utf8').includes(this.temp)) return [];
        const text = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return text === '' ? [] : [{ pid: Number(entry), text }];
      } catch {
        // It ended in the meantime, or belongs to another user.
        return [];
      }
    });
  }

  [Symbol.dispose](): void {
    // A test that failed half-way leaves a program that would keep the runner from ending.
    for (const child of this.#children) child.kill('SIGKILL');
    rmSync(this.#root, { recursive: true, force: true });
  }
}

export function ended(child: ChildProcess): Promise<Outcome> {
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, out, err })));
}

/** A search path without any program, so that neither simulator nor prover is found. */
export const noPrograms = { PATH: path.join(import.meta.dirname, 'no-such-folder') };

/** Sides of a comparison in the usual file names. */
export const sides = ['--dut', 'dut.v', '--golden', 'golden.v'] as const;

export const flop = 'module flop(input clk, input d, output reg q); always @(posedge clk) q <= d; endmodule\n';
/** It never comes to the end of a step. */
export const endless = flop.replace('q <= d;', 'begin q <= d; while (d) q <= d; end');

export async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (condition()) return;
    await sleep(50);
  }
  assert.fail('what the test waits for did not happen within 15 s');
}
