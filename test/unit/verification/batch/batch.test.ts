import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyBatch } from '../../../../server/src/verification/batch/batch.ts';
import type { VerifyTask, VerifyWorker, WorkerAnswer, WorkerEnd } from '../../../../server/src/verification/batch/worker.ts';
import { result } from '../../cli/result.ts';

function taskOf(dut: string): VerifyTask {
  const options = { clocks: [], resets: [], cycles: undefined, seed: 1, timeoutMs: 1000, engine: 'auto', prove: true } as const;
  return { request: { dut: { file: dut }, golden: { file: '/g.v' }, options }, sets: [] };
}

/** Workers that answer as told by the file of the DUT, and what became of them. */
class Crew {
  readonly log: string[] = [];
  #started = 0;
  readonly #answer: (dut: string, stopped: Promise<WorkerEnd>) => Promise<WorkerAnswer | WorkerEnd>;

  constructor(answer: (dut: string, stopped: Promise<WorkerEnd>) => Promise<WorkerAnswer | WorkerEnd>) {
    this.#answer = answer;
  }

  readonly start = (): VerifyWorker => {
    const name = String(++this.#started);
    let stop: (end: WorkerEnd) => void = () => undefined;
    const stopped = new Promise<WorkerEnd>((resolve) => (stop = resolve));
    return {
      verify: ({ request }) => {
        this.log.push(`${name} ${request.dut.file}`);
        return this.#answer(request.dut.file, stopped);
      },
      close: () => {
        this.log.push(`${name} closed`);
        stop({ kind: 'ended', how: 'was closed' });
        return Promise.resolve();
      },
    };
  };
}

const answered = (dut: string): WorkerAnswer => ({ kind: 'verified', result: result({ reason: dut }) });

async function reasons(duts: string, jobs: number, crew: Crew): Promise<string[]> {
  const told: string[] = [];
  for await (const { verdict, reason } of verifyBatch(Array.from(duts).map(taskOf), { jobs, startWorker: crew.start })) told.push(verdict === 'no-difference' ? reason : `${verdict}: ${reason}`);
  return told;
}

describe('a batch', () => {
  test('results come in the order of the tasks, whatever takes how long', async () => {
    const crew = new Crew((dut) => sleep('acb'.indexOf(dut) * 5, answered(dut)));
    assert.deepEqual(await reasons('cba', 3, crew), ['c', 'b', 'a']);
    assert.deepEqual(crew.log.filter((entry) => entry.endsWith('closed')).sort(), ['1 closed', '2 closed', '3 closed']);
  });

  test('no more processes than pairs', async () => {
    const crew = new Crew((dut) => Promise.resolve(answered(dut)));
    await reasons('ab', 8, crew);
    assert.deepEqual(crew.log.filter((entry) => !entry.endsWith('closed')), ['1 a', '2 b']);
  });

  test('a process that breaks down costs its pair, and another one takes its place', async () => {
    const crew = new Crew((dut) => Promise.resolve(dut === 'b' ? { kind: 'ended', how: 'ended unexpectedly (SIGSEGV)' } : answered(dut)));
    assert.deepEqual(await reasons('abc', 1, crew), [
      'a',
      'tool-error: The process that verified this pair ended unexpectedly (SIGSEGV); the other pairs went on without it. Verify this one alone to see more.',
      'c',
    ]);
    assert.deepEqual(crew.log, ['1 a', '1 b', '2 c', '2 closed']);
  });

  test('a mistake of the program costs its pair', async () => {
    const crew = new Crew((dut) => Promise.resolve(dut === 'a' ? { kind: 'failed', message: 'x is not a function' } : answered(dut)));
    assert.deepEqual(await reasons('ab', 1, crew), ['tool-error: RTL Copilot itself failed with this pair, please report it: x is not a function. Verify this one alone to see where.', 'b']);
  });

  test('a signal ends the processes, and what was not verified is cancelled', async () => {
    const controller = new AbortController();
    const crew = new Crew((dut, stopped) => (dut === 'b' ? (controller.abort(), stopped) : Promise.resolve(answered(dut))));
    const verdicts: string[] = [];
    for await (const { verdict } of verifyBatch(Array.from('abc').map(taskOf), { jobs: 1, startWorker: crew.start, signal: controller.signal })) verdicts.push(verdict);
    assert.deepEqual(verdicts, ['no-difference', 'cancelled', 'cancelled']);
    assert.deepEqual(crew.log, ['1 a', '1 b', '1 closed']);
  });

  test('who stops early ends the processes', async () => {
    const crew = new Crew((dut, stopped) => (dut === 'a' ? Promise.resolve(answered(dut)) : stopped));
    for await (const { verdict } of verifyBatch(Array.from('abcd').map(taskOf), { jobs: 2, startWorker: crew.start })) if (verdict === 'no-difference') break;
    assert.ok(crew.log.includes('1 closed') && crew.log.includes('2 closed'), crew.log.join());
    assert.ok(!crew.log.some((entry) => entry.endsWith(' d')), crew.log.join());
  });

  test('a process that cannot even be tried to start is an error of the batch', async () => {
    const start = (): VerifyWorker => {
      throw new Error('no more processes');
    };
    await assert.rejects(verifyBatch([taskOf('a')], { jobs: 1, startWorker: start }).next(), /no more processes/);
  });
});
