import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createInfillClient } from '../../server/src/model/infill.ts';
import { CHAT, complete, delta, DONE, eventStream, reply, request, ScriptedServer } from './harness.ts';
import type { Rule, Step } from './scripted-server.ts';

let scripted: ScriptedServer;
before(async () => {
  scripted = await ScriptedServer.start();
});
after(() => scripted[Symbol.asyncDispose]());

const slowly = Array.from({ length: 8 }, (): Step[] => [{ do: 'write', text: delta({ content: 'word ' }) }, { do: 'wait', ms: 4 }]).flat();
const slowReply: Rule = { request: CHAT, steps: [{ do: 'wait', ms: 8 }, eventStream, { do: 'wait', ms: 4 }, ...slowly, { do: 'write', text: delta({}, 'stop') + DONE }, { do: 'end' }] };

/** A small generator with a fixed seed, so that a failure comes again. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('cancelling', () => {
  it('before the call sends nothing', async () => {
    await scripted.script();
    assert.equal((await complete(scripted.server(), request, { signal: AbortSignal.abort() })).kind, 'cancelled');
    assert.deepEqual((await scripted.settled()).requests, []);
  });

  it('keeps what had arrived and frees the slot at once', async () => {
    await scripted.script({ request: CHAT, steps: [eventStream, { do: 'write', text: delta({ content: 'half' }) }, { do: 'hang' }] });
    const controller = new AbortController();
    const outcome = await complete(scripted.server(), request, { signal: controller.signal, onAnswer: () => controller.abort() });
    assert.equal(outcome.kind, 'cancelled');
    assert.deepEqual(outcome.partial, { reasoning: '', answer: 'half' });
    assert.equal((await scripted.settled()).abandoned, 1);
  });

  it('ends the wait for a model that loads', async () => {
    await scripted.script({ request: CHAT, steps: reply(503, { error: { message: 'Loading model' } }) });
    const controller = new AbortController();
    const started = performance.now();
    const outcome = await complete(scripted.server({ loadingMs: 60_000 }), request, { signal: controller.signal, onWaiting: () => controller.abort() });
    assert.equal(outcome.kind, 'cancelled');
    assert.ok(performance.now() - started < 40_000);
  });

  it('a hundred times at random moments leaves nothing behind', async () => {
    await scripted.script(slowReply, { ...slowReply, request: 'POST /infill', steps: [eventStream, { do: 'hang' }] });
    const random = randoms(20_261);
    const kinds = new Map<string, number>();
    const once = async (index: number): Promise<void> => {
      const controller = new AbortController();
      const timer = setTimeout(random() * 100).then(() => controller.abort());
      const { signal } = controller;
      const infill = createInfillClient(scripted.server(), { model: '', template: '' });
      const outcome = await (index % 5 === 0 ? infill.infill({ prefix: 'a', suffix: 'b', maxTokens: 8 }, { signal }) : complete(scripted.server(), request, { signal }));
      kinds.set(outcome.kind, (kinds.get(outcome.kind) ?? 0) + 1);
      await timer;
    };
    const lanes = Array.from({ length: 5 }, async (_, lane) => {
      for (let index = lane; index < 100; index += 5) await once(Math.floor(index / 5) + lane);
    });
    await Promise.all(lanes);
    const report = await scripted.settled();
    assert.equal([...kinds.values()].reduce((sum, count) => sum + count, 0), 100);
    assert.deepEqual([...kinds.keys()].filter((kind) => kind !== 'answered' && kind !== 'cancelled'), []);
    assert.ok((kinds.get('cancelled') ?? 0) > 50, JSON.stringify([...kinds]));
    assert.ok(report.abandoned > 0 && report.abandoned <= (kinds.get('cancelled') ?? 0), `${report.abandoned} abandoned`);
    assert.deepEqual(process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap'), []);
  });
});
