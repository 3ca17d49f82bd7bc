import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { loopbackEndpoint } from '../../server/src/model/endpoint.ts';
import type { FailureKind, ModelOutcome } from '../../server/src/model/outcome.ts';
import type { Limits, Server } from '../../server/src/model/server.ts';
import { CHAT, complete, delta, DONE, event, eventStream, reply, request, ScriptedServer, shortLimits, stream, usage } from './harness.ts';
import type { Rule, Step } from './scripted-server.ts';

let scripted: ScriptedServer;
before(async () => {
  scripted = await ScriptedServer.start();
});
after(() => scripted[Symbol.asyncDispose]());

interface Expected {
  readonly kind: FailureKind;
  readonly message: RegExp;
  /** Further fields of the outcome. */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly answer?: string;
}

function examine(outcome: ModelOutcome, expected: Expected): void {
  assert.equal(outcome.kind, expected.kind, JSON.stringify(outcome));
  assert.ok('message' in outcome);
  assert.match(outcome.message, expected.message);
  assert.match(outcome.message, /^[A-Z][^\n]*\.$/);
  assert.equal(outcome.partial.answer, expected.answer ?? '');
  for (const [name, value] of Object.entries(expected.facts ?? {})) assert.deepEqual((outcome as unknown as Record<string, unknown>)[name], value, name);
}

/** Plays one reply and checks the failure that comes of it. */
async function check(steps: readonly Step[], expected: Expected, limits: Partial<Limits> = {}, ...more: Rule[]): Promise<void> {
  await scripted.script({ request: CHAT, steps }, ...more);
  examine(await complete(scripted.server(limits)), expected);
  await scripted.settled();
}

function error(message: string, more: Readonly<Record<string, unknown>> = {}): unknown {
  return { error: { message, ...more } };
}

describe('a status that is not 200', () => {
  it('401: a key is missing or wrong', () => check(reply(401, error('Invalid API Key')), { kind: 'unauthorized', message: /asks for a key/, facts: { status: 401 } }));
  it('403: the key may not do this', () => check(reply(403, error('no access')), { kind: 'unauthorized', message: /does not allow this request \(no access\)/ }));

  it('404 for a model lists what the server has', () =>
    check(
      reply(404, error('The model `m` does not exist.', { type: 'NotFoundError', code: 404 })),
      { kind: 'no-such-model', message: /does not have m; set rtlCopilot\.model\.name to one that it has \(alpha, beta\)/, facts: { available: ['alpha', 'beta'] } },
      {},
      { request: 'GET /v1/models', steps: reply(200, { data: [{ id: 'alpha' }, { id: 'beta' }] }) },
    ));

  it('404 for a model when the list cannot be had', () =>
    check(reply(404, error('model "m" not found, try pulling it first')), { kind: 'no-such-model', message: /does not have m; start/, facts: { available: [] } }, {}, { request: 'GET /v1/models', steps: reply(500, 'no') }));

  it('404 for the path', () => check(reply(404, 'Not Found'), { kind: 'no-such-path', message: /has no \/v1\/chat\/completions; set rtlCopilot\.model\.endpoint/ }));
  it('429: too much to do', () => check(reply(429, error('slow down'), { 'retry-after': '30' }), { kind: 'too-many-requests', message: /try again in 30 seconds/, facts: { retryAfterMs: 30_000 } }));
  it('500 with an error', () => check(reply(500, error('out of memory')), { kind: 'server-error', message: /\(out of memory\); look into its log/, facts: { status: 500 } }));
  it('502 with a page', () => check(reply(502, '<html><title>x</title><body><h1>Bad Gateway</h1></body></html>'), { kind: 'server-error', message: /\(Bad Gateway\)/ }));
  it('503 that is not about loading', () => check(reply(503, error('no slot available')), { kind: 'server-error', message: /no slot available/, facts: { status: 503 } }));
  it('400 for a bad parameter', () => check(reply(400, error('temperature must be positive')), { kind: 'rejected', message: /status 400 \(temperature must be positive\)/ }));

  it('307: nothing is sent on to another place', () =>
    check(reply(307, '', { location: 'http://example.org/v1/chat/completions' }), { kind: 'redirected', message: /points elsewhere \(http:\/\/example\.org/ }));

  it('503 while the model loads, for too long', async () => {
    const started = performance.now();
    await check(reply(503, error('Loading model', { code: 503 })), { kind: 'loading', message: /still loads its model after/ }, { loadingMs: 1500 });
    assert.ok(performance.now() - started < 20_000);
    assert.ok((await scripted.report()).requests.length >= 2);
  });

  it('an error page that never ends', () =>
    check([{ do: 'head', status: 500, headers: {} }, { do: 'write', text: 'half' }, { do: 'hang' }], { kind: 'timed-out', message: /did not finish within 0\.2 seconds/ }, { totalMs: 200 }));
});

describe('a prompt that is too long', () => {
  it('is refused by llama.cpp', () =>
    check(reply(400, error('the request exceeds the available context size', { code: 400, type: 'exceed_context_size_error', n_prompt_tokens: 9412, n_ctx: 8192 })), {
      kind: 'context-overflow',
      message: /prompt of 9412 tokens does not fit into the model's context of 8192 tokens/,
    }));

  it('is refused by vLLM', () =>
    check(reply(400, error("This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.")), {
      kind: 'context-overflow',
      message: /prompt of 5000 tokens does not fit into the model's context of 4096 tokens/,
    }));

  it('is refused inside the stream', () =>
    check(stream(event(error('Trying to keep the first 5000 tokens when context the overflows'))), { kind: 'context-overflow', message: /^The prompt does not fit into the model's context;/ }));

  it('is cut by the server without a word', async () => {
    await scripted.script({ request: CHAT, steps: stream(delta({ content: 'ok' }, 'stop'), usage(2048), DONE) });
    const long = { ...request, messages: [{ role: 'user' as const, content: 'word '.repeat(5000) }] };
    const outcome = await complete(scripted.server(), long);
    examine(outcome, { kind: 'prompt-truncated', message: /read only 2048 of at least 5000 tokens/, answer: 'ok' });
    await scripted.script({ request: CHAT, steps: stream(delta({ content: 'ok' }, 'stop'), usage(5009), DONE) });
    assert.equal((await complete(scripted.server(), long)).kind, 'answered');
  });
});

describe('a reply of status 200 that is no stream', () => {
  it('a web page', () => check(reply(200, '<html>Welcome</html>'), { kind: 'not-a-model-server', message: /is no model server \(it sent text\/html/ }));
  it('a web page that never ends is left at once', () =>
    check([{ do: 'head', status: 200, headers: { 'content-type': 'text/html' } }, { do: 'write', text: '<html>' }, { do: 'hang' }], { kind: 'not-a-model-server', message: /text\/html/ }));
  it('one JSON document', () => check(reply(200, { choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] }), { kind: 'not-streamed', message: /does not stream its replies/ }));
  it('an error', () => check(reply(200, error('backend is gone')), { kind: 'server-error', message: /backend is gone/ }));
});

describe('a stream', () => {
  const begun: Step[] = [eventStream, { do: 'write', text: delta({ content: 'half' }) }];

  it('that ends without saying that it is complete', () => check(stream(delta({ content: 'half' })), { kind: 'incomplete', message: /ended in the middle/, answer: 'half' }));
  it('that ends so with the closing mark', () => check(stream(delta({ content: 'half' }), DONE), { kind: 'incomplete', message: /ended in the middle/, answer: 'half' }));
  it('that is empty', () => check(stream(), { kind: 'incomplete', message: /ended in the middle/ }));
  it('whose connection breaks', () => check([...begun, { do: 'wait', ms: 50 }, { do: 'cut' }], { kind: 'incomplete', message: /ended in the middle/, answer: 'half' }));
  it('that goes silent', () => check([...begun, { do: 'hang' }], { kind: 'stalled', message: /sent nothing for 0\.1 seconds in the middle/, answer: 'half' }, { idleMs: 100 }));

  it('that is slow, but not silent, is waited for', async () => {
    const slow = [1, 2, 3, 4].flatMap((): Step[] => [{ do: 'write', text: delta({ content: 'x' }) }, { do: 'wait', ms: 200 }]);
    await scripted.script({ request: CHAT, steps: [eventStream, ...slow, { do: 'write', text: delta({}, 'stop') }, { do: 'end' }] });
    assert.equal((await complete(scripted.server({ idleMs: 700 }))).kind, 'answered');
  });

  it('that never begins', () => check([eventStream, { do: 'hang' }], { kind: 'timed-out', message: /did not finish within 0\.2 seconds/ }, { totalMs: 200, idleMs: 50 }));
  it('whose headers never come', () => check([{ do: 'hang' }], { kind: 'timed-out', message: /did not finish within 0\.2 seconds/ }, { totalMs: 200 }));
  it('whose connection breaks before it begins', () => check([{ do: 'cut' }], { kind: 'connection-failed', message: /failed \(ECONNRESET\)/ }));

  it('that never ends', () => {
    const pieces = Array.from({ length: 60 }, (): Step[] => [{ do: 'write', text: delta({ content: '' }) }, { do: 'wait', ms: 20 }]).flat();
    return check([eventStream, ...pieces, { do: 'hang' }], { kind: 'timed-out', message: /did not finish within 0\.3 seconds/ }, { totalMs: 300 });
  });

  it('with an event that is no JSON', () => check(stream(delta({ content: 'half' }), 'data: {"choi\n\n'), { kind: 'malformed', message: /cannot be read/, answer: 'half' }));
  it('with an event that was cut', () => check(stream(delta({ content: 'half' }), 'data: {"choices":[{"del'), { kind: 'malformed', message: /cannot be read/, answer: 'half' }));
  for (const odd of ['null', '3', '[]', '"x"', '{}', '{"choices":{}}']) {
    it(`with the event ${odd}`, () => check(stream(`data: ${odd}\n\n`), { kind: 'malformed', message: /cannot be read/ }));
  }
  it('with fields of other types', () => check(stream(delta({ content: 3, reasoning: {}, reasoning_content: [] })), { kind: 'incomplete', message: /ended in the middle/ }));

  it('with an error in the middle', () =>
    check(stream(delta({ content: 'half' }), event(error('slot was lost', { code: 500 }))), { kind: 'server-error', message: /slot was lost/, facts: { status: 500 }, answer: 'half' }));

  it('with an event named error', () => check(stream('event: error\ndata: {"message":"slot was lost"}\n\n'), { kind: 'server-error', message: /slot was lost/ }));

  it('cut off at the limit of tokens', () => check(stream(delta({ content: 'half' }, 'length'), DONE), { kind: 'cut-off', message: /answer was cut off/, facts: { reasoningOnly: false }, answer: 'half' }));

  it('cut off while the model thinks', () =>
    check(stream(delta({ content: '<think>hm' }, 'length'), DONE), { kind: 'cut-off', message: /spent all its tokens on thinking/, facts: { reasoningOnly: true, partial: { reasoning: 'hm', answer: '' } } }));

  it('cut off before any tag, from a model that thinks first', async () => {
    await scripted.script({ request: CHAT, steps: stream(delta({ content: 'hm' }, 'length'), DONE) });
    const outcome = await complete(scripted.server(), { ...request, expectReasoning: true });
    examine(outcome, { kind: 'cut-off', message: /thinking/, facts: { reasoningOnly: true, partial: { reasoning: 'hm', answer: '' } } });
  });

  it('with reasoning and no answer', () => check(stream(delta({ reasoning_content: 'hm' }), delta({ content: ' \n' }, 'stop'), DONE), { kind: 'no-answer', message: /without an answer/, answer: ' \n' }));
  it('stopped by a filter', () => check(stream(delta({ content: 'half' }, 'content_filter'), DONE), { kind: 'unexpected-finish', message: /\(content_filter\)/, answer: 'half' }));
});

describe('a server that is not there', () => {
  const at = (port: number, more: Partial<Server> = {}): Server => ({ endpoint: loopbackEndpoint(port), limits: shortLimits, ...more });

  async function freePort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }

  it('refuses the connection; the message says how to start one', async () => {
    const port = await freePort();
    examine(await complete(at(port)), { kind: 'not-running', message: new RegExp(`start one with \`llama-server -m MODEL\\.gguf --jinja --port ${port}\``) });
  });

  it('refuses it on every address of a name', async () => {
    const port = await freePort();
    const endpoint = { ...loopbackEndpoint(port, 'ollama'), api: `http://localhost:${port}/v1`, root: `http://localhost:${port}`, host: 'localhost' };
    examine(await complete(at(port, { endpoint })), { kind: 'not-running', message: new RegExp(`OLLAMA_HOST=127\\.0\\.0\\.1:${port} ollama serve`) });
  });

  it('cannot be asked with a header that cannot be sent', async () => {
    for (const more of [{ apiKey: 'sec\nret' }, { headers: { 'X-Team': 'a\r\nb' } }, { headers: { 'no name': 'x' } }]) {
      examine(await complete(at(1, more)), { kind: 'bad-header', message: /set the key anew or correct rtlCopilot\.model\.headers/ });
    }
  });

  it('has a name that nobody knows', async () => {
    const endpoint = { ...loopbackEndpoint(80), api: 'http://model.invalid/v1', root: 'http://model.invalid', host: 'model.invalid', loopback: false };
    examine(await complete(at(80, { endpoint })), { kind: 'unknown-host', message: /no host named model\.invalid/ });
  });

  it('speaks another protocol', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).resume().end('220 mail ready\r\n')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    examine(await complete(at((server.address() as AddressInfo).port)), { kind: 'wrong-protocol', message: /does not speak HTTP/ });
    await new Promise((resolve) => server.close(resolve));
  });
});
