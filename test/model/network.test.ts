import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Endpoint } from '../../server/src/model/endpoint.ts';
import { selfSigned } from './certificate.ts';
import { CHAT, complete, delta, DONE, ScriptedServer, stream } from './harness.ts';

const good = stream(delta({ content: 'ok' }, 'stop'), DONE);

describe('TLS', () => {
  const tls = selfSigned();
  let scripted: ScriptedServer;
  before(async () => {
    scripted = await ScriptedServer.start(tls);
    await scripted.script({ request: CHAT, steps: good });
  });
  after(() => scripted[Symbol.asyncDispose]());

  const secure = (host = '127.0.0.1'): Endpoint => {
    const root = `https://${host}:${scripted.port}`;
    return { ...scripted.endpoint, root, api: `${root}/v1`, host };
  };

  it('works with a certificate of an own authority', async () => {
    const outcome = await complete(scripted.server({}, { endpoint: secure(), ca: [tls.cert] }));
    assert.equal(outcome.kind, 'answered', JSON.stringify(outcome));
  });

  it('fails with a certificate of nobody', async () => {
    const outcome = await complete(scripted.server({}, { endpoint: secure() }));
    assert.ok(outcome.kind === 'untrusted-certificate', JSON.stringify(outcome));
    assert.match(outcome.message, /is not trusted \(\w+\); name the file of its authority in rtlCopilot\.model\.caFile\.$/);
  });

  it('fails so too when the file of the authority holds something else', async () => {
    const outcome = await complete(scripted.server({}, { endpoint: secure(), ca: ['no certificate'] }));
    assert.equal(outcome.kind, 'untrusted-certificate', JSON.stringify(outcome));
  });

  it('fails with a certificate of another host', async () => {
    const outcome = await complete(scripted.server({}, { endpoint: secure('localhost'), ca: [tls.cert] }));
    assert.ok(outcome.kind === 'untrusted-certificate', JSON.stringify(outcome));
    assert.equal(outcome.detail, 'ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('fails plainly where one side does not speak it', async () => {
    const plain = await complete(scripted.server());
    assert.ok(['connection-failed', 'wrong-protocol', 'rejected'].includes(plain.kind), plain.kind);
    await using other = await ScriptedServer.start();
    const root = `https://127.0.0.1:${other.port}`;
    const outcome = await complete(other.server({}, { endpoint: { ...other.endpoint, root, api: `${root}/v1` } }));
    assert.ok(outcome.kind === 'wrong-protocol', JSON.stringify(outcome));
    assert.match(outcome.message, /does not speak HTTPS/);
  });
});

describe('a name of this machine', () => {
  it('needs no resolver', async () => {
    await using scripted = await ScriptedServer.start();
    await scripted.script({ request: CHAT, steps: good });
    for (const host of ['localhost', 'model.localhost']) {
      const root = `http://${host}:${scripted.port}`;
      const outcome = await complete(scripted.server({}, { endpoint: { ...scripted.endpoint, root, api: `${root}/v1`, host } }));
      assert.equal(outcome.kind, 'answered', JSON.stringify(outcome));
    }
  });
});

describe('a process whose environment names a proxy, keys and headers', () => {
  it('talks to this machine directly and gives nothing of it away', async () => {
    const throughProxy: string[] = [];
    const proxy = createServer((message, response) => {
      throughProxy.push(message.url ?? '');
      response.writeHead(502).end();
    });
    proxy.on('connect', (message, socket) => {
      throughProxy.push(message.url ?? '');
      socket.destroy();
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    await using scripted = await ScriptedServer.start();
    await scripted.script({ request: CHAT, steps: good });
    const program = path.join(import.meta.dirname, 'one-request.ts');
    const secrets = { OPENAI_API_KEY: 'leak-1', OPENAI_ADMIN_KEY: 'leak-2', OPENAI_ORG_ID: 'leak-3', OPENAI_PROJECT_ID: 'leak-4', OPENAI_BASE_URL: address, OPENAI_CUSTOM_HEADERS: 'X-Leak: leak-5', OPENAI_LOG: 'debug' };
    const proxies = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: address, http_proxy: address, HTTPS_PROXY: address, https_proxy: address, ALL_PROXY: address, NO_PROXY: '', no_proxy: '' };
    const child = spawn(process.execPath, [program, String(scripted.port)], { env: { ...process.env, ...secrets, ...proxies }, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    await once(child, 'close');
    proxy.close();
    assert.deepEqual({ out, err }, { out: 'answered\nunreachable through the proxy\n', err: '' });
    assert.ok(throughProxy.length > 0 && throughProxy.every((url) => url.includes('model.invalid')), throughProxy.join());
    const report = await scripted.settled();
    assert.equal(report.requests.length, 1);
    assert.ok(!JSON.stringify(report.requests).includes('leak'));
  });
});
