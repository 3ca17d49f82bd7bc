import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { causes, connectionFailure, errorText, reportedError, shorten, statusFailure } from '../../../server/src/model/failure.ts';
import type { FailureKind } from '../../../server/src/model/outcome.ts';

function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}

describe('the failure of a connection', () => {
  const codes: Readonly<Record<string, FailureKind>> = {
    ECONNREFUSED: 'not-running',
    ENOTFOUND: 'unknown-host',
    EAI_AGAIN: 'unknown-host',
    ETIMEDOUT: 'unreachable',
    EHOSTUNREACH: 'unreachable',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'untrusted-certificate',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted-certificate',
    CERT_HAS_EXPIRED: 'untrusted-certificate',
    ERR_TLS_CERT_ALTNAME_INVALID: 'untrusted-certificate',
    ERR_SSL_WRONG_VERSION_NUMBER: 'wrong-protocol',
    EPROTO: 'wrong-protocol',
    HPE_INVALID_CONSTANT: 'wrong-protocol',
    ECONNRESET: 'connection-failed',
    EPIPE: 'connection-failed',
  };
  for (const [code, kind] of Object.entries(codes)) {
    it(`of code ${code} is "${kind}", however deep it lies`, () => {
      assert.equal(connectionFailure(coded(code)).kind, kind);
      assert.equal(connectionFailure(new TypeError('fetch failed', { cause: new Error('x', { cause: coded(code) }) })).kind, kind);
      assert.equal(connectionFailure(new AggregateError([coded(code), coded(code)])).kind, kind);
    });
  }

  it('without a code says its deepest message', () => {
    assert.deepEqual(connectionFailure(new Error('outer', { cause: new Error('the wire is cut.') })), { kind: 'connection-failed', detail: 'the wire is cut' });
    assert.deepEqual(connectionFailure('odd'), { kind: 'connection-failed', detail: '' });
  });

  it('may be its own cause', () => {
    const error = new Error('round');
    error.cause = new Error('and', { cause: error });
    assert.equal(causes(error).length, 2);
  });
});

describe('what a server says about an error', () => {
  it('is found wherever servers put it', () => {
    for (const body of ['{"error":{"message":"broken."}}', '{"error":"broken"}', '{"message":"broken"}', '{"detail":"broken"}', 'broken', '<html><style>a{}</style><h1>broken</h1>\n</html>']) {
      assert.equal(errorText(body), 'broken', body);
    }
  });

  it('is one line of bounded length, whatever it is', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      assert.ok(shorten(text).length <= 201);
      assert.doesNotMatch(shorten(text), /\p{Cc}/u);
    }));
  });

  it('with status 200 carries its own code', () => {
    assert.deepEqual(reportedError('{"error":{"code":500,"message":"lost"}}'), { kind: 'server-error', status: 500, detail: 'lost' });
    assert.deepEqual(reportedError('{"error":{"code":7,"message":"lost"}}'), { kind: 'server-error', status: undefined, detail: 'lost' });
  });
});

describe('the status of a reply', () => {
  function kindOf(status: number, body: string): FailureKind {
    return statusFailure({ status, body, headers: new Headers(), path: '/v1/chat/completions', model: 'm' }).kind;
  }

  it('is read together with what the server says', () => {
    const cases: readonly (readonly [number, string, FailureKind])[] = [
      [404, '{"error":{"message":"The model `m` does not exist.","type":"NotFoundError"}}', 'no-such-model'],
      [404, '{"error":{"message":"model \\"m\\" not found, try pulling it first"}}', 'no-such-model'],
      [400, '{"error":{"code":"model_not_found","message":"Invalid model identifier \\"m\\""}}', 'no-such-model'],
      [404, '{"error":{"message":"File Not Found","type":"not_found_error"}}', 'no-such-path'],
      [400, '{"error":{"message":"The model rejects the parameter top_x, which is unknown."}}', 'rejected'],
      [405, '{"detail":"Method Not Allowed"}', 'no-such-path'],
      [400, '{"error":{"code":"context_length_exceeded","message":"too long"}}', 'context-overflow'],
      [500, '{"error":{"message":"the request exceeds the available context size"}}', 'context-overflow'],
      [503, '{"error":{"message":"Loading model"}}', 'loading'],
      [503, 'Service Unavailable', 'server-error'],
      [422, '{"detail":[{"msg":"field required"}]}', 'rejected'],
      [302, '', 'redirected'],
    ];
    for (const [status, body, kind] of cases) assert.equal(kindOf(status, body), kind, `${status} ${body}`);
  });

  it('429 says when to come back', () => {
    const at = (value: string): unknown => statusFailure({ status: 429, body: '', headers: new Headers({ 'retry-after': value }), path: '/', model: '' });
    assert.deepEqual(at('2'), { kind: 'too-many-requests', retryAfterMs: 2_000 });
    assert.deepEqual(at('soon'), { kind: 'too-many-requests', retryAfterMs: undefined });
    assert.deepEqual(at('Wed, 21 Oct 2015 07:28:00 GMT'), { kind: 'too-many-requests', retryAfterMs: undefined });
  });
});
