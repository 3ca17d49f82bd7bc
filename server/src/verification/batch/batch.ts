import { makeResult, type Finding } from '../report.ts';
import type { VerifyResult } from '../verdict.ts';
import { Plan } from './plan.ts';
import type { VerifyTask, VerifyWorker, WorkerAnswer, WorkerEnd } from './worker.ts';

export interface BatchOptions {
  /** Pairs that are verified at the same time, at most. */
  readonly jobs: number;
  /** Starts a process for one of the jobs. */
  readonly startWorker: () => VerifyWorker;
  readonly signal?: AbortSignal | undefined;
  /** Called whenever a pair has a result. */
  readonly progress?: (done: number) => void;
}

/**
 * Verifies pairs side by side, each job in a process of its own, so that one process' share of the work is no bound, and a process that breaks down costs one pair. The results come
 * in the order of the tasks, each as soon as those before it are there. Whoever stops early ends the work.
 */
export async function* verifyBatch(tasks: readonly VerifyTask[], options: BatchOptions): AsyncGenerator<VerifyResult, void> {
  const batch = new Batch(tasks, options);
  const working = batch.work();
  try {
    for (const result of batch.results) yield await Promise.race([result, working.then(() => result)]);
  } finally {
    batch.stop();
    await working;
  }
}

class Batch {
  /** Of each pair, in the order of the tasks. */
  readonly results: readonly Promise<VerifyResult>[];
  readonly #tasks: readonly VerifyTask[];
  readonly #options: BatchOptions;
  readonly #plan: Plan<object>;
  readonly #settle: ((result: VerifyResult) => void)[] = [];
  readonly #workers = new Set<VerifyWorker>();
  readonly #closing: Promise<void>[] = [];
  #done = 0;
  #isStopped = false;

  constructor(tasks: readonly VerifyTask[], options: BatchOptions) {
    this.#tasks = tasks;
    this.#options = options;
    this.#plan = new Plan(tasks.map(({ request }) => JSON.stringify(request.golden)));
    this.results = tasks.map((_, index) => new Promise((resolve) => (this.#settle[index] = resolve)));
  }

  async work(): Promise<void> {
    const { jobs, signal } = this.#options;
    const stop = (): void => this.stop();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    await Promise.all(Array.from({ length: Math.min(jobs, this.#tasks.length) }, () => this.#job()));
    signal?.removeEventListener('abort', stop);
    await Promise.all(this.#closing);
  }

  /** Ends the processes; what was not verified yet is cancelled. */
  stop(): void {
    this.#isStopped = true;
    for (const worker of this.#workers) this.#close(worker);
  }

  async #job(): Promise<void> {
    const job = {};
    let worker: VerifyWorker | undefined;
    for (let index = this.#plan.next(job); index !== undefined; index = this.#plan.next(job)) {
      const task = this.#tasks[index];
      if (task === undefined) break;
      if (!this.#isStopped) worker ??= this.#start();
      const started = performance.now();
      const answer = this.#isStopped || worker === undefined ? undefined : await worker.verify(task);
      if (worker !== undefined && answer?.kind === 'ended') {
        this.#workers.delete(worker);
        worker = undefined;
        this.#plan.forget(job);
      }
      this.#settle[index]?.(answer?.kind === 'verified' ? answer.result : withoutVerdict(task, this.#isStopped ? undefined : answer, performance.now() - started));
      this.#options.progress?.(++this.#done);
    }
    if (worker !== undefined) this.#close(worker);
  }

  #close(worker: VerifyWorker): void {
    if (this.#workers.delete(worker)) this.#closing.push(worker.close());
  }

  #start(): VerifyWorker {
    const worker = this.#options.startWorker();
    this.#workers.add(worker);
    return worker;
  }
}

/** What there is to say of a pair whose process gave no result; undefined where it was stopped. */
function withoutVerdict({ request }: VerifyTask, answer: Exclude<WorkerAnswer, { kind: 'verified' }> | WorkerEnd | undefined, elapsedMs: number): VerifyResult {
  return makeResult(findingOf(answer), {
    request,
    dutModule: undefined,
    goldenModule: undefined,
    clocks: [],
    resets: [],
    engines: [],
    notes: [],
    artefacts: { testbench: undefined, vcd: undefined, caseFile: undefined },
    elapsedMs,
  });
}

function findingOf(answer: Exclude<WorkerAnswer, { kind: 'verified' }> | WorkerEnd | undefined): Finding {
  switch (answer?.kind) {
    case undefined:
      return { verdict: 'cancelled', reason: 'The verification was cancelled.' };
    case 'ended':
      return { verdict: 'tool-error', reason: `The process that verified this pair ${answer.how}; the other pairs went on without it. Verify this one alone to see more.` };
    case 'failed':
      return { verdict: 'tool-error', reason: `RTL Copilot itself failed with this pair, please report it: ${answer.message.replace(/\.?$/, '.')} Verify this one alone to see where.` };
  }
}
