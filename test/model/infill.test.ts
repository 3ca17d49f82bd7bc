import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createInfillClient, type InfillOutcome, type InfillRequest } from '../../server/src/model/infill.ts';
import { DONE, event, eventStream, reply, ScriptedServer, stream } from './harness.ts';
import type { Step } from './scripted-server.ts';

let scripted: ScriptedServer;
before(async () => {
  scripted = await ScriptedServer.start();
});
after(() => scripted[Symbol.asyncDispose]());

const gap: InfillRequest = { prefix: 'assign y = a ', suffix: ';\nendmodule', maxTokens: 16, temperature: 0, stop: ['\n\n'] };

async function play(request: string, steps: readonly Step[], template = '', wish = gap, idleMs = 5_000): Promise<{ readonly outcome: InfillOutcome; readonly body: unknown }> {
  await scripted.script({ request, steps });
  let told = '';
  const client = createInfillClient(scripted.server({ idleMs }), { model: 'fim', template });
  const outcome = await client.infill(wish, { onText: (piece) => (told += piece) });
  assert.equal(told, outcome.kind === 'infilled' ? outcome.text : outcome.partial);
  const report = await scripted.settled();
  assert.equal(report.requests.length, 1);
  return { outcome, body: JSON.parse(report.requests[0]?.body ?? '') as unknown };
}

const native = (content: string, more: Readonly<Record<string, unknown>> = { stop: false }): string => event({ content, ...more });
const choice = (text: string, finishReason: string | null = null): string => event({ choices: [{ index: 0, text, finish_reason: finishReason }] });

describe("the server's own infill", () => {
  it('gets the texts around the gap', async () => {
    const steps = stream(native('& '), native('b'), native('', { stop: true, stop_type: 'eos' }));
    const { outcome, body } = await play('POST /infill', steps, '', { ...gap, files: [{ name: 'sub.v', text: 'module sub; endmodule' }], topP: 0.9 });
    assert.ok(outcome.kind === 'infilled', JSON.stringify(outcome));
    assert.deepEqual([outcome.text, outcome.cutOff], ['& b', false]);
    assert.deepEqual(body, {
      model: 'fim',
      input_prefix: 'assign y = a ',
      input_suffix: ';\nendmodule',
      input_extra: [{ filename: 'sub.v', text: 'module sub; endmodule' }],
      n_predict: 16,
      stream: true,
      cache_prompt: true,
      temperature: 0,
      top_p: 0.9,
      stop: ['\n\n'],
    });
  });

  for (const limited of [{ stop_type: 'limit' }, { stopped_limit: true }]) {
    it(`says that the limit ended it (${Object.keys(limited).join()})`, async () => {
      const { outcome } = await play('POST /infill', stream(native('& b', { stop: true, ...limited })));
      assert.ok(outcome.kind === 'infilled' && outcome.cutOff);
    });
  }

  it('is missing on other servers', async () => {
    const { outcome } = await play('POST /infill', reply(404, { detail: 'Not Found' }));
    assert.ok(outcome.kind === 'infill-unsupported', JSON.stringify(outcome));
    assert.match(outcome.message, /set rtlCopilot\.infill\.template\.$/);
  });

  it('is missing for a model without the tokens for it', async () => {
    const { outcome } = await play('POST /infill', reply(501, { error: { message: 'Infill is not supported by this model: prefix token is missing.', code: 501 } }));
    assert.ok(outcome.kind === 'infill-unsupported');
    assert.match(outcome.message, /\(Infill is not supported by this model: prefix token is missing\)/);
  });

  it('fails like any request', async () => {
    assert.equal((await play('POST /infill', stream(native('& ')))).outcome.kind, 'incomplete');
    assert.equal((await play('POST /infill', stream(event({ choices: [] })))).outcome.kind, 'malformed');
    const { outcome } = await play('POST /infill', [eventStream, { do: 'write', text: native('& ') }, { do: 'hang' }], '', gap, 100);
    assert.ok(outcome.kind === 'stalled' && outcome.partial === '& ');
  });

  it('does not wait for a model that loads', async () => {
    assert.equal((await play('POST /infill', reply(503, { error: { message: 'Loading model' } }))).outcome.kind, 'loading');
  });
});

describe('infill by a template', () => {
  const template = '<P>{prefix}<S>{suffix}<M>';

  it('needs both places, each once, before anything is sent', async () => {
    await scripted.script();
    for (const [wrong, place] of [['<P>{prefix}', 'suffix'], ['{prefix}{prefix}{suffix}', 'prefix'], ['x', 'prefix']] as const) {
      const outcome = await createInfillClient(scripted.server(), { model: 'fim', template: wrong }).infill(gap);
      assert.ok(outcome.kind === 'bad-template', wrong);
      assert.ok(outcome.message.startsWith(`The setting rtlCopilot.infill.template must hold {${place}} exactly once;`), outcome.message);
    }
    assert.deepEqual((await scripted.settled()).requests, []);
  });

  it('asks for an ordinary completion', async () => {
    const { outcome, body } = await play('POST /v1/completions', stream(choice('& '), choice('b'), choice('', 'stop'), DONE), template);
    assert.ok(outcome.kind === 'infilled', JSON.stringify(outcome));
    assert.deepEqual([outcome.text, outcome.cutOff], ['& b', false]);
    assert.deepEqual(body, { model: 'fim', prompt: '<P>assign y = a <S>;\nendmodule<M>', max_tokens: 16, stream: true, temperature: 0, stop: ['\n\n'] });
  });

  it('says that the limit ended it', async () => {
    const { outcome } = await play('POST /v1/completions', stream(choice('& b', 'length'), DONE), template);
    assert.ok(outcome.kind === 'infilled' && outcome.cutOff);
  });

  it('fails like any request', async () => {
    assert.equal((await play('POST /v1/completions', stream(choice('& '), DONE), template)).outcome.kind, 'incomplete');
    assert.equal((await play('POST /v1/completions', stream(native('& ')), template)).outcome.kind, 'malformed');
    assert.equal((await play('POST /v1/completions', reply(404, 'no'), template)).outcome.kind, 'no-such-path');
  });
});
