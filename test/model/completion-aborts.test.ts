import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Completer } from '../../server/src/generation/infill/completer.ts';
import { createInfillClient } from '../../server/src/model/infill.ts';
import { event, eventStream, ScriptedServer } from './harness.ts';
import type { Step } from './scripted-server.ts';

let scripted: ScriptedServer;
before(async () => {
  scripted = await ScriptedServer.start();
});
after(() => scripted[Symbol.asyncDispose]());

/** A pseudorandom number from 0 to 1, by Park and Miller. */
function drawer(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

it('a hundred questions that are ended at any moment leave nothing running', async () => {
  const pieces = 'y = a & b;'.split('').flatMap((content): Step[] => [{ do: 'write', text: event({ content, stop: false }) }, { do: 'wait', ms: 2 }]);
  await scripted.script({ request: 'POST /infill', steps: [eventStream, ...pieces, { do: 'hang' }] });
  const draw = drawer(7);
  const completer = new Completer();
  const client = createInfillClient(scripted.server(), { model: 'fim', template: '' });
  const env = { client: () => Promise.resolve({ client, maxTokens: 32 }), context: () => [], errorsIn: () => 0 };
  const kinds = await Promise.all(
    Array.from({ length: 100 }, async (_, at) => {
      await sleep(at * 8);
      const gone = new AbortController();
      const outcome = completer.complete({ file: 'm.v', text: `module m${at};\n  assign \nendmodule\n`, offset: `module m${at};\n  assign `.length, explicit: draw() < 0.7, signal: gone.signal }, env);
      await sleep(draw() * 40);
      gone.abort();
      return (await outcome).kind;
    }),
  );
  assert.deepEqual([...new Set(kinds)], ['superseded']);
  const { requests, abandoned } = await scripted.settled();
  assert.ok(requests.length > 20, `${requests.length} questions reached the server`);
  assert.equal(abandoned, requests.length);
});
