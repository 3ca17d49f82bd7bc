import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { setTimeout as delay } from 'node:timers/promises';
import { LatestWins } from '../../../server/src/base/latest.ts';

test('a newer run aborts the older one, which settles at once although its task never ends', async () => {
  const latest = new LatestWins<string>();
  let seen: AbortSignal | undefined;
  const older = latest.run('k', (signal) => {
    seen = signal;
    return new Promise<number>(() => undefined);
  });
  await delay(5);
  const newer = latest.run('k', () => Promise.resolve(2));
  assert.deepEqual(await older, { kind: 'superseded' });
  assert.equal(seen?.aborted, true);
  assert.deepEqual(await newer, { kind: 'done', value: 2 });
  assert.equal(latest.isRunning('k'), false);
});

test('keys do not disturb each other, and cancel ends one', async () => {
  const latest = new LatestWins<string>();
  const a = latest.run('a', () => Promise.resolve('a'));
  const b = latest.run('b', () => Promise.resolve('b'), 10_000);
  latest.cancel('b');
  assert.deepEqual(await b, { kind: 'superseded' });
  assert.deepEqual(await a, { kind: 'done', value: 'a' });
});

test('an error of the newest task is reported, of a superseded one not', async () => {
  const latest = new LatestWins<number>();
  await assert.rejects(latest.run(1, () => Promise.reject(new Error('broken'))), /broken/);
  const older = latest.run(1, async (signal) => {
    await delay(20);
    throw new Error(String(signal.aborted));
  });
  await delay(5);
  const newer = latest.run(1, () => Promise.resolve('ok'));
  assert.equal((await older).kind, 'superseded');
  assert.equal((await newer).kind, 'done');
});

test('law: of any burst on one key only the last task runs and publishes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 20 }), async (count) => {
      const latest = new LatestWins<string>();
      const ran: number[] = [];
      const results = await Promise.all(
        Array.from({ length: count }, (_, i) =>
          latest.run('k', () => {
            ran.push(i);
            return Promise.resolve(i);
          }, 1),
        ),
      );
      assert.deepEqual(ran, [count - 1]);
      assert.deepEqual(results.map((r) => r.kind), [...Array<string>(count - 1).fill('superseded'), 'done']);
    }),
    { numRuns: 30 },
  );
});
