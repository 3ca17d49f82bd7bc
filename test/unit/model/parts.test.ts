import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { defaultSettings } from '../../../server/src/config.ts';
import { chooseModel, parseModels } from '../../../server/src/model/discover.ts';
import { loopbackEndpoint } from '../../../server/src/model/endpoint.ts';
import { fillTemplate } from '../../../server/src/model/infill.ts';
import { explain } from '../../../server/src/model/outcome.ts';
import { presets } from '../../../server/src/model/presets.ts';
import { headersFor, limitsOf, serverFor } from '../../../server/src/model/server.ts';
import { leastTokens } from '../../../server/src/model/tokens.ts';

describe('the message about a server that is not there', () => {
  const commands = {
    8080: 'llama-server -m MODEL.gguf --jinja --port 8080',
    11434: 'ollama serve',
    8000: 'vllm serve MODEL --host 127.0.0.1 --port 8000',
    1234: 'lms server start --port 1234',
  };
  for (const preset of presets) {
    it(`names the command that starts ${preset.title}`, () => {
      const command = commands[preset.port as keyof typeof commands];
      const message = explain({ kind: 'not-running' }, { endpoint: loopbackEndpoint(preset.port, preset.kind), model: 'm' });
      assert.equal(message, `No model server runs at http://127.0.0.1:${preset.port}; start one with \`${command}\`.`);
    });
  }

  it('names none for another machine', () => {
    const endpoint = { ...loopbackEndpoint(80), root: 'http://far.example', host: 'far.example', loopback: false };
    assert.match(explain({ kind: 'not-running' }, { endpoint, model: '' }), /^Nothing listens at http:\/\/far\.example; start the model server there/);
  });
});

describe('the model', () => {
  const models = [{ id: 'first' }, { id: 'codev-r1-7b' }];
  it('is the one that is named, even when the server does not list it', () => assert.equal(chooseModel('mine', models), 'mine'));
  it('is the preferred one where the server has it', () => assert.equal(chooseModel('', models), 'codev-r1-7b'));
  it('is the first one otherwise', () => assert.equal(chooseModel('', models.slice(0, 1)), 'first'));
  it('has no name where the server has none', () => assert.equal(chooseModel('', []), ''));

  it('comes from a list that may be anything', () => {
    fc.assert(fc.property(fc.json(), (body) => {
      const models = parseModels(body);
      assert.ok(models === undefined || models.every(({ id }) => typeof id === 'string'));
    }));
    assert.equal(parseModels('no JSON'), undefined);
  });
});

describe('a template', () => {
  it('takes each text as it is', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (prefix, suffix) => {
      assert.equal(fillTemplate('<P>{prefix}<S>{suffix}<M>', prefix, suffix), `<P>${prefix}<S>${suffix}<M>`);
    }));
    assert.equal(fillTemplate('{suffix}|{prefix}', '{suffix} $& $1', '{prefix}'), '{prefix}|{suffix} $& $1');
  });
});

describe('a server of the settings', () => {
  it('gets its limits in milliseconds, its headers, and its key from the secrets alone', () => {
    const settings = { ...defaultSettings, 'model.headers': { Authorization: 'Basic x', 'X-Team': 'rtl' }, 'model.idleTimeout': 7 };
    const server = serverFor(loopbackEndpoint(8080), settings, { apiKey: ' secret\n', ca: 'PEM' });
    assert.deepEqual(limitsOf(server), { connectMs: 5_000, idleMs: 7_000, totalMs: 600_000, loadingMs: 300_000 });
    assert.deepEqual(server.ca, ['PEM']);
    assert.deepEqual(headersFor(server, 'text/plain'), { 'user-agent': 'rtl-copilot', accept: 'text/plain', authorization: 'Bearer secret', 'x-team': 'rtl' });
    for (const apiKey of [undefined, '', ' ']) assert.equal(headersFor(serverFor(loopbackEndpoint(8080), defaultSettings, { apiKey }), 'text/plain')['authorization'], undefined);
  });
});

describe('the least number of tokens', () => {
  it('counts words, groups of digits and runs of signs', () => {
    assert.equal(leastTokens(''), 0);
    assert.equal(leastTokens('  \n'), 0);
    assert.equal(leastTokens('assign y = a;'), 5);
    assert.equal(leastTokens("16'h1234"), 4);
    assert.equal(leastTokens('data_in_q'), 3);
    assert.equal(leastTokens('((clk'), 2);
  });

  it('never exceeds the number of characters', () => fc.assert(fc.property(fc.string(), (text) => assert.ok(leastTokens(text) <= text.length))));
});
