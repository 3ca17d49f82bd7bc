import { stat } from 'node:fs/promises';
import path from 'node:path';
import { copyInto, makeFolder, readLeft, writeScratch } from '../base/scratch-files.ts';
import { isFull } from '../base/tempdir.ts';
import type { RunResult } from '../base/process.ts';
import { outOfMemory } from '../tools/iverilog.ts';
import { STIMULUS_FILE, TRACE_FILE } from './harness/harness.ts';
import type { ScreenedRun } from './screen.ts';
import type { Budget, SideRun } from './engine.ts';
import { workOf } from './run-cost.ts';
import type { Layout } from './stimulus/layout.ts';
import type { Rows } from './stimulus/rows.ts';
import { parseTrace } from './trace.ts';

/** Address space that one compiler or simulator process may take. */
export const MEMORY_BYTES = 3 * 2 ** 30;
/** Text that a design may print in one run before it is stopped. */
export const PRINT_BYTES = 64 * 2 ** 20;
/** Characters that a design does not print in one step unless it prints without end. */
const STILL_PRINT = 2 ** 20;
/** A trace that did not grow for this long, and for half of the run, does not advance. */
const STILL_MS = 1000;
/** A simulation that leaves no sample for this long, or for a quarter of its time if that is longer, does not advance any more. */
const STALL_MS = 4000;
const STALL_SHARE = 0.25;
const WATCH_MS = 250;

export interface RunTask {
  /** Directory of this run, which is made. */
  readonly cwd: string;
  readonly rows: Rows;
  readonly layout: Layout;
  readonly images: ScreenedRun['images'];
  readonly budget: Budget;
}

/** Runs one compiled side on a stimulus: `simulate` starts the simulator in the directory, which reads the stimulus there and leaves its trace; it is to pass on what is printed. */
export async function runSide({ cwd, rows, layout, images, budget }: RunTask, simulate: (signal: AbortSignal, onStdout: (chunk: string) => void) => Promise<RunResult & { readonly events?: number | undefined }>): Promise<SideRun> {
  makeFolder(cwd);
  await writeScratch(path.join(cwd, STIMULUS_FILE), rows.bytes);
  for (const image of images) {
    try {
      copyInto(image.from, path.join(cwd, image.to));
    } catch (error) {
      // An image that is not there is the design's own affair.
      if (isFull(error)) throw error;
    }
  }
  const watch = new StallWatch(path.join(cwd, TRACE_FILE), Math.max(STALL_MS, (budget.cpuMs ?? budget.timeoutMs) * STALL_SHARE), budget.signal);
  let printed = 0;
  const result = await watch.over((signal) => simulate(signal, (chunk) => (printed += chunk.length)));
  if (result.kind === 'cancelled' && !watch.stalled) return { kind: 'cancelled' };
  if (result.kind === 'not-found') return { kind: 'failed', message: `'${result.command}' could not be started.` };
  const trace = parseTrace(await readLeft(path.join(cwd, TRACE_FILE)), layout);
  if (result.kind === 'output-limit' || (watch.stoodStill && printed > STILL_PRINT)) return { kind: 'flooded', trace };
  if (trace.samples === rows.count * layout.samplesPerRow) return { kind: 'finished', trace, workMs: workOf(rows.count, layout, result.events) };
  if (result.kind === 'timed-out' || result.kind === 'cancelled') return { kind: watch.stoodStill ? 'stalled' : 'timed-out', trace };
  if (result.kind === 'exited' && trace.samples > 0) return { kind: 'ended-early', trace };
  if (result.kind === 'exited' && (result.exitCode === 0 || /^FATAL: /m.test(result.stdout))) return { kind: 'ended-early', trace };
  return isBroken(result)
    ? { kind: 'failed', message: 'the simulator fails a check of its own, which is no fault of the design.', isBroken: true }
    : { kind: 'failed', message: breakdownText(result) };
}

/** A failed assertion in the simulator, or a part that its own compiler has left out. */
function isBroken(result: Extract<RunResult, { kind: 'exited' | 'crashed' }>): boolean {
  return !outOfMemory(result.stderr) && /^vvp: .*Assertion [`'].*' failed\.?$|^compile_cleanup: \d+ unresolved items?$/m.test(result.stderr);
}

function breakdownText(result: Extract<RunResult, { kind: 'exited' | 'crashed' }>): string {
  if (outOfMemory(result.stderr)) return `it needs more than the ${String(MEMORY_BYTES / 2 ** 30)} GiB of memory that a simulation may take.`;
  const unsettled = /^%Error(?:-\w+)?: .*\bdid not converge/m.test(`${result.stderr}\n${result.stdout}`);
  if (unsettled) return 'its logic never settles, as a ring of gates that drives itself makes it do.';
  if (result.kind === 'crashed') return `the simulator broke down (${result.signal}), as a recursion without end makes it do.`;
  const said = (result.stderr.trim() || result.stdout.trim()).split('\n')[0] ?? '';
  return `the simulator stopped without a result${said === '' ? '.' : `: ${said}`}`;
}

/** Ends a simulation whose trace stops growing: in an endless loop without delay no time limit comes soon enough. */
class StallWatch {
  readonly #file: string;
  readonly #limitMs: number;
  readonly #outer: AbortSignal | undefined;
  readonly #controller = new AbortController();
  stalled = false;
  /** At the end of the run the trace had stopped growing. */
  stoodStill = false;

  constructor(file: string, limitMs: number, outer: AbortSignal | undefined) {
    this.#file = file;
    this.#limitMs = limitMs;
    this.#outer = outer;
  }

  async over<T>(simulate: (signal: AbortSignal) => Promise<T>): Promise<T> {
    let size = 0;
    const start = performance.now();
    let since = start;
    const look = async (): Promise<void> => {
      const now = await stat(this.#file).then((file) => file.size, () => 0);
      if (now !== size) [size, since] = [now, performance.now()];
      else if (performance.now() - since > this.#limitMs) {
        this.stalled = true;
        this.#controller.abort();
      }
    };
    const timer = setInterval(() => void look(), WATCH_MS);
    try {
      return await simulate(this.#outer === undefined ? this.#controller.signal : AbortSignal.any([this.#outer, this.#controller.signal]));
    } finally {
      clearInterval(timer);
      const end = performance.now();
      this.stoodStill = this.stalled || end - since > Math.max(STILL_MS, (end - start) / 2);
    }
  }
}
