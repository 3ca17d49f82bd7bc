import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { LAUNCHER_SCRIPT } from '../../server/src/base/launcher.ts';
import type { Core } from '../../server/src/core.ts';
import { CHAT, delta, eventStream, type ScriptedServer } from './harness.ts';
import { moduleRequest, said } from './module-run.ts';
import type { Step } from './scripted-server.ts';

/** Process ids of the living children of this process, whatever their depth, shells that wait for programs to start left out. Linux only. */
function descendants(): number[] {
  const parents = readdirSync('/proc').flatMap((entry): [number, number][] => {
    try {
      return /^\d+$/.test(entry) ? [[Number(entry), Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${entry}/stat`, 'utf8'))?.[1])]] : [];
    } catch {
      return [];
    }
  });
  const found = new Set([process.pid]);
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.add(child);
  return [...found].filter((pid) => pid !== process.pid && !isWaitingShell(pid));
}

function isWaitingShell(pid: number): boolean {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').includes(LAUNCHER_SCRIPT);
  } catch {
    return true;
  }
}

/** Runs `task` with a folder of its own for temporary files, and gives what is left in it. */
async function leftBehind(task: () => Promise<unknown>): Promise<string[]> {
  const before = process.env['TMPDIR'];
  const folder = mkdtempSync(path.join(os.tmpdir(), 'aborts-'));
  process.env['TMPDIR'] = folder;
  try {
    await task();
    return readdirSync(folder);
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true });
  }
}

/** A small generator with a fixed seed, so that a failure comes again. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface AbortFigures {
  /** Runs by their outcome; all that were started are among them. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly requests: number;
  readonly processes: number;
  readonly files: readonly string[];
  readonly sockets: number;
}

const LANES = 4;
const LONGEST_MS = 400;

/** Stops runs at random moments, some of them after they were bidden to answer at once, and counts what they leave behind. */
export async function abortAtRandom(core: Core, server: ScriptedServer, count: number): Promise<AbortFigures> {
  const header = 'module m(input clk, input a, output reg y);';
  const wrong = `${header}\n  always @(posedge clk) y <= a;\nendmodule`;
  const golden = { file: '/nowhere/golden.v', module: 'g', text: 'module g(input clk, input a, output reg y); always @(posedge clk) y <= ~a; endmodule' };
  // A repair, which holds the answer before it, never ends, so that no run is over before it is stopped.
  await server.script({ request: CHAT, bodyHas: '"role":"assistant"', steps: [eventStream, { do: 'write', text: delta({ content: 'Let me see.' }) }, { do: 'hang' }] }, { request: CHAT, steps: said(wrong).flatMap((step): Step[] => [step, { do: 'wait', ms: 2 }]) });
  const before = descendants().length;
  const random = randoms(4);
  const outcomes = new Map<string, number>();
  const once = async (): Promise<void> => {
    const stop = new AbortController();
    const run = core.generateModule(moduleRequest(server, { header, golden, samples: 2, repairs: 1, slots: 2 }), { signal: stop.signal });
    await setTimeout(random() * LONGEST_MS);
    if (random() < 0.2) run.answerNow();
    stop.abort();
    const { outcome } = await run.result;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  };
  let left = count;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await once();
  };
  const files = await leftBehind(() => Promise.all(Array.from({ length: LANES }, lane)));
  const { running } = await server.settled();
  const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  return { outcomes, requests: running, processes: descendants().length - before, files, sockets };
}
