import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CHAT, complete, delta, DONE, event, eventStream, reply, request, ScriptedServer, stream, usage } from './harness.ts';
import type { Step } from './scripted-server.ts';

let scripted: ScriptedServer;
before(async () => {
  scripted = await ScriptedServer.start();
});
after(() => scripted[Symbol.asyncDispose]());

/** Plays one reply and checks the answer that comes of it. */
async function check(steps: readonly Step[], expected: { reasoning: string; answer: string }): Promise<void> {
  await scripted.script({ request: CHAT, steps, times: 1 });
  const outcome = await complete(scripted.server());
  assert.equal(outcome.kind, 'answered', JSON.stringify(outcome));
  assert.deepEqual({ reasoning: outcome.reasoning, answer: outcome.answer }, expected);
  await scripted.settled();
}

describe('a reply is an answer', () => {
  it('with reasoning in the field of llama.cpp', () =>
    check(stream(delta({ role: 'assistant', content: null }), delta({ reasoning_content: 'hm' }), delta({ content: 'ok' }), delta({}, 'stop'), DONE), { reasoning: 'hm', answer: 'ok' }));

  it('with reasoning in the field of vLLM and Ollama', () =>
    check(stream(delta({ content: '', reasoning: 'hm' }), delta({ content: 'ok', reasoning: '' }), delta({}, 'stop'), DONE), { reasoning: 'hm', answer: 'ok' }));

  it('with reasoning in both fields, which hold the same', () =>
    check(stream(delta({ reasoning_content: 'hm', reasoning: 'hm' }), delta({ content: 'ok' }, 'stop'), DONE), { reasoning: 'hm', answer: 'ok' }));

  it('with reasoning inline', () =>
    check(stream(delta({ content: '<thi' }), delta({ content: 'nk>hm</th' }), delta({ content: 'ink>ok' }), delta({}, 'stop'), DONE), { reasoning: 'hm', answer: 'ok' }));

  it('with reasoning inline that nothing opened', () =>
    check(stream(delta({ content: 'hm' }), delta({ content: '</think>' }), delta({ content: 'ok' }), delta({}, 'stop'), DONE), { reasoning: 'hm', answer: 'ok' }));

  it('in pieces of one byte, characters of several bytes included', () =>
    check([eventStream, { do: 'write', bytewise: true, text: delta({ content: '<think>größer</think>' }) + delta({ content: '→ 𝄞' }, 'stop') + DONE }, { do: 'end' }], {
      reasoning: 'größer',
      answer: '→ 𝄞',
    }));

  it('with comments, other line ends and a byte order mark', () =>
    check(stream(`\uFEFF: hello\r\n\r\n${delta({ content: 'ok' }, 'stop').replaceAll('\n', '\r\n')}: ping\n\n`, DONE), { reasoning: '', answer: 'ok' }));

  it('without the closing mark', () => check(stream(delta({ content: 'ok' }, 'stop')), { reasoning: '', answer: 'ok' }));

  it('without the blank line after the last event', () => check(stream(delta({ content: 'ok' }), delta({}, 'stop').trimEnd()), { reasoning: '', answer: 'ok' }));

  it('from a server that keeps the connection open after it', async () => {
    await check([eventStream, { do: 'write', text: delta({ content: 'ok' }, 'stop') }, { do: 'hang' }], { reasoning: '', answer: 'ok' });
  });

  it('from a server that cuts the connection after it', () =>
    check([eventStream, { do: 'write', text: delta({ content: 'ok' }, 'stop') }, { do: 'wait', ms: 50 }, { do: 'cut' }], { reasoning: '', answer: 'ok' }));

  it('with the figures of the server', async () => {
    await scripted.script({ request: CHAT, steps: stream(delta({ content: 'ok' }, 'stop'), usage(12, 7), DONE) });
    const outcome = await complete(scripted.server());
    assert.ok(outcome.kind === 'answered');
    assert.deepEqual(outcome.usage, { promptTokens: 12, completionTokens: 7 });
    assert.ok(outcome.firstTextMs > 0 && outcome.firstTextMs <= outcome.ms);
  });

  it('after the server has loaded its model', async () => {
    const loading = reply(503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } });
    await scripted.script({ request: CHAT, times: 2, steps: loading }, { request: CHAT, steps: stream(delta({ content: 'ok' }, 'stop'), DONE) });
    const waits: number[] = [];
    const outcome = await complete(scripted.server(), request, { onWaiting: (ms) => waits.push(ms) });
    assert.equal(outcome.kind, 'answered');
    assert.equal(waits.length, 2);
    assert.ok((waits[0] ?? 0) < (waits[1] ?? 0));
  });
});

describe('a request', () => {
  it('says what was asked for and nothing about the machine', async () => {
    await scripted.script({ request: CHAT, steps: stream(delta({ content: 'ok' }, 'stop'), DONE) });
    const wish = { ...request, temperature: 0.6, topP: 0.95, seed: 3, stop: ['X'] };
    await complete(scripted.server({}, { apiKey: 'secret', headers: { 'X-Team': 'rtl' } }), wish);
    const seen = (await scripted.settled()).requests[0];
    assert.deepEqual(JSON.parse(seen?.body ?? ''), {
      model: 'm',
      messages: [{ role: 'user', content: 'Add two numbers.' }],
      max_tokens: 64,
      temperature: 0.6,
      top_p: 0.95,
      seed: 3,
      stop: ['X'],
      stream: true,
      stream_options: { include_usage: true },
    });
    const { host, 'content-length': length, ...headers } = seen?.headers ?? {};
    assert.equal(host, `127.0.0.1:${scripted.port}`);
    assert.equal(Number(length), seen?.body.length);
    assert.deepEqual(headers, {
      accept: 'text/event-stream',
      'accept-encoding': 'identity',
      authorization: 'Bearer secret',
      connection: 'close',
      'content-type': 'application/json',
      'user-agent': 'rtl-copilot',
      'x-team': 'rtl',
    });
  });

  it('carries no key where none is set', async () => {
    await scripted.script({ request: CHAT, steps: stream(delta({ content: 'ok' }, 'stop'), DONE) });
    const earlier = process.env['OPENAI_API_KEY'];
    process.env['OPENAI_API_KEY'] = 'must-not-leave';
    try {
      await complete(scripted.server());
    } finally {
      if (earlier === undefined) delete process.env['OPENAI_API_KEY'];
      else process.env['OPENAI_API_KEY'] = earlier;
    }
    const seen = (await scripted.settled()).requests[0];
    assert.equal(seen?.headers['authorization'], undefined);
    assert.ok(!JSON.stringify(seen).includes('must-not-leave'));
  });

  it('passes the error of a hook on and leaves nothing running', async () => {
    await scripted.script({ request: CHAT, steps: [eventStream, { do: 'write', text: delta({ content: 'ok' }) }, { do: 'hang' }] });
    const broken = complete(scripted.server(), request, {
      onAnswer: () => {
        throw new RangeError('mine');
      },
    });
    await assert.rejects(broken, RangeError);
    assert.equal((await scripted.settled()).abandoned, 1);
  });
});

describe('the doubles themselves', () => {
  it('fail a test for a request that the script does not know', async () => {
    const own = await ScriptedServer.start();
    await own.script({ request: 'GET /v1/models', steps: reply(200, { data: [] }) });
    const outcome = await complete(own.server());
    assert.equal(outcome.kind, 'server-error');
    await assert.rejects(own[Symbol.asyncDispose](), /requests that the script does not know/);
  });

  it('count a reply that is still running', async () => {
    await scripted.script({ request: CHAT, steps: [eventStream, { do: 'write', text: event({ choices: [] }) }, { do: 'hang' }] });
    const controller = new AbortController();
    const pending = complete(scripted.server(), request, { signal: controller.signal });
    while ((await scripted.report()).running === 0);
    controller.abort();
    assert.equal((await pending).kind, 'cancelled');
    assert.equal((await scripted.settled()).abandoned, 1);
  });
});
