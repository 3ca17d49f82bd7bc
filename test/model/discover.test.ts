import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { contextTokens, discover, listModels, type FoundServer } from '../../server/src/model/discover.ts';
import { reply, ScriptedServer } from './harness.ts';
import type { Rule, Step } from './scripted-server.ts';

let scripted: ScriptedServer;
before(async () => {
  scripted = await ScriptedServer.start();
});
after(() => scripted[Symbol.asyncDispose]());

const MODELS = 'GET /v1/models';

async function found(steps: readonly Step[], timeoutMs = 5_000): Promise<FoundServer | undefined> {
  await scripted.script({ request: MODELS, steps });
  const servers = await discover({ ports: [{ port: scripted.port, kind: 'vllm' }], timeoutMs });
  await scripted.settled();
  return servers[0];
}

describe('a running server', () => {
  it('is found with its models and what it is', async () => {
    const server = await found(reply(200, { object: 'list', data: [{ id: 'codev', owned_by: 'llamacpp' }, { id: 'b' }, { name: 'no id' }, 3] }));
    assert.equal(server?.state, 'ready');
    assert.deepEqual(server.models, [{ id: 'codev' }, { id: 'b' }]);
    assert.equal(server.endpoint.kind, 'llama.cpp');
    assert.equal(server.endpoint.api, `http://127.0.0.1:${scripted.port}/v1`);
  });

  it('is taken for what usually listens on its port when it does not say', async () => {
    assert.equal((await found(reply(200, { data: [{ id: 'a', owned_by: 'me' }] })))?.endpoint.kind, 'vllm');
    assert.equal((await found(reply(200, { data: [] })))?.endpoint.kind, 'vllm');
  });

  it('is found while it loads its model', async () => assert.equal((await found(reply(503, { error: { message: 'Loading model' } })))?.state, 'loading'));
  it('is found when it asks for a key, and is told none', async () => {
    assert.equal((await found(reply(401, { error: { message: 'Invalid API Key' } })))?.state, 'locked');
    assert.equal((await scripted.report()).requests[0]?.headers['authorization'], undefined);
  });

  it('is no other program on the same port', async () => {
    assert.equal(await found(reply(200, '<html>My wiki</html>')), undefined);
    assert.equal(await found(reply(200, { items: [] })), undefined);
    assert.equal(await found(reply(404, { error: 'no' })), undefined);
    assert.equal(await found(reply(401, 'log in')), undefined);
  });

  it('is not waited for when it is silent', async () => {
    const started = performance.now();
    assert.equal(await found([{ do: 'hang' }], 100), undefined);
    assert.ok(performance.now() - started < 20_000);
  });

  it('is found beside ports where nothing is or nothing sensible answers', async () => {
    await scripted.script({ request: MODELS, steps: reply(200, { data: [{ id: 'a' }] }) });
    const mail = createServer((socket) => socket.on('error', () => undefined).resume().end('220 mail\r\n')).listen(0, '127.0.0.1');
    await new Promise((resolve) => mail.once('listening', resolve));
    const servers = await discover({ ports: [{ port: 1 }, { port: (mail.address() as AddressInfo).port }, { port: scripted.port }], timeoutMs: 5_000 });
    await new Promise((resolve) => mail.close(resolve));
    assert.deepEqual(servers.map(({ endpoint }) => endpoint.port), [scripted.port]);
    assert.equal(servers[0]?.endpoint.kind, undefined);
  });

  it('is not looked for after a cancel', async () => {
    await scripted.script();
    assert.deepEqual(await discover({ ports: [{ port: scripted.port }], signal: AbortSignal.abort() }), []);
    assert.deepEqual((await scripted.settled()).requests, []);
  });
});

describe('the list of models', () => {
  it('is asked for with the key', async () => {
    await scripted.script({ request: MODELS, steps: reply(200, { data: [{ id: 'a', max_model_len: 4096 }] }) });
    assert.deepEqual(await listModels(scripted.server({}, { apiKey: 'secret' })), [{ id: 'a', contextTokens: 4096 }]);
    assert.equal((await scripted.settled()).requests[0]?.headers['authorization'], 'Bearer secret');
  });

  it('is unknown when the server does not answer sensibly', async () => {
    await scripted.script({ request: MODELS, steps: reply(500, 'no') });
    assert.equal(await listModels(scripted.server()), undefined);
  });
});

describe('the context of a model', () => {
  async function check(known: Readonly<Record<string, unknown>>, expected: number | undefined): Promise<void> {
    const paths = ['/props', '/v1/models', '/api/ps', '/api/v0/models'];
    const rules = paths.map((path): Rule => ({ request: `GET ${path}`, steps: path in known ? reply(200, known[path]) : reply(404, { error: 'no such path' }) }));
    await scripted.script(...rules);
    assert.equal(await contextTokens(scripted.server(), 'm'), expected);
    await scripted.settled();
  }

  it("is a slot's share on llama.cpp, not what the model was trained for", () =>
    check({ '/props': { total_slots: 4, default_generation_settings: { n_ctx: 8192 } }, '/v1/models': { data: [{ id: 'm', meta: { n_ctx_train: 131_072 } }] } }, 8192));
  it('stands in the list of models of vLLM', () => check({ '/v1/models': { data: [{ id: 'other', max_model_len: 1 }, { id: 'm', max_model_len: 4096 }] } }, 4096));
  it('is known to Ollama for a loaded model', () => check({ '/v1/models': { data: [{ id: 'm' }] }, '/api/ps': { models: [{ name: 'm', context_length: 2048 }] } }, 2048));
  it('is known to LM Studio for a loaded model', () => check({ '/api/v0/models': { data: [{ id: 'm', max_context_length: 131_072, loaded_context_length: 4096 }] } }, 4096));
  it('is unknown where nothing says so', () => check({ '/v1/models': { data: [{ id: 'm', max_model_len: 'many' }] }, '/props': { default_generation_settings: { n_ctx: 0 } } }, undefined));
});
