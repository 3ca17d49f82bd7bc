import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resolveEndpoint, type Endpoint } from '../../../server/src/model/endpoint.ts';

function resolved(text: string, allowed: readonly string[] = []): Endpoint {
  const result = resolveEndpoint(text, allowed);
  assert.ok(result.kind === 'endpoint', JSON.stringify(result));
  return result.endpoint;
}

describe('an endpoint', () => {
  it('is read as people write it', () => {
    const forms = ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/', '127.0.0.1:8080', ' http://127.0.0.1:8080/v1/ ', 'HTTP://127.0.0.1:8080/v1/chat/completions'];
    for (const form of forms) {
      assert.deepEqual(resolved(form), { api: 'http://127.0.0.1:8080/v1', root: 'http://127.0.0.1:8080', host: '127.0.0.1', port: 8080, loopback: true, kind: 'llama.cpp' }, form);
    }
    assert.equal(resolved('localhost:11434').kind, 'ollama');
    assert.equal(resolved('http://localhost:5000/v1').kind, undefined);
  });

  it('may have a path of its own', () => {
    const endpoint = resolved('https://gate.example/llm/v1', ['gate.example']);
    assert.deepEqual([endpoint.api, endpoint.root, endpoint.port, endpoint.loopback], ['https://gate.example/llm/v1', 'https://gate.example/llm', 443, false]);
    assert.equal(resolved('http://localhost:5000/api').api, 'http://localhost:5000/api');
  });

  it('is on this machine in every spelling of that', () => {
    for (const host of ['localhost', 'LOCALHOST', 'a.localhost', '127.0.0.1', '127.1', '127.9.9.9', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost.']) {
      assert.equal(resolved(`http://${host}:8080`).loopback, true, host);
    }
  });

  it('is on this machine where a server prints the address that it binds to', () => {
    assert.equal(resolved('http://0.0.0.0:8080').api, 'http://127.0.0.1:8080/v1');
    assert.equal(resolved('http://[::]:8080').host, '::1');
  });

  it('is on no other machine unless that is allowed by name', () => {
    const foreign = ['http://example.org/v1', 'http://10.0.0.1:8080', 'http://localhost.example.org', 'http://notlocalhost', 'http://127.0.0.1.example.org', 'http://[fe80::1]', 'http://128.0.0.1'];
    for (const text of foreign) {
      const result = resolveEndpoint(text, ['other.example', 'example.com', 'org']);
      assert.ok(result.kind === 'host-not-allowed', text);
      assert.ok(result.message.includes(`add "${result.host}" to rtlCopilot.model.allowedHosts`));
      assert.equal(resolved(text, [result.host.toUpperCase()]).loopback, false);
    }
  });

  it('is refused when it is none', () => {
    for (const text of ['', 'http://', 'ftp://localhost', 'http://localhost:99999', 'http://localhost/?key=1', 'http://localhost/#x', 'file:///etc/passwd']) {
      const result = resolveEndpoint(text);
      assert.equal(result.kind, 'invalid', text);
      assert.match('message' in result ? result.message : '', /write it like http:\/\/127\.0\.0\.1:8080\/v1\.$/);
    }
  });

  it('holds no secret, and the message about that does not repeat it', () => {
    const result = resolveEndpoint('http://me:secret@localhost:8080');
    assert.ok(result.kind === 'invalid');
    assert.ok(!result.message.includes('secret'));
  });
});
