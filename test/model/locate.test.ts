import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parseSettings, type Settings } from '../../server/src/config.ts';
import { locateModel, type Located, type LocateOptions, type ModelRole } from '../../server/src/model/locate.ts';
import { reply, ScriptedServer } from './harness.ts';
import type { Step } from './scripted-server.ts';

let scripted: ScriptedServer;
before(async () => {
  scripted = await ScriptedServer.start();
});
after(() => scripted[Symbol.asyncDispose]());

const LIST = reply(200, { data: [{ id: 'coder' }, { id: 'CodeV-R1-7b' }] });

interface Case {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly steps?: readonly Step[];
  readonly role?: ModelRole;
  readonly options?: LocateOptions;
}

async function locate({ settings = {}, steps = LIST, role = 'write', options = {} }: Case): Promise<{ located: Located; keys: unknown[] }> {
  await scripted.script({ request: 'GET /v1/models', steps });
  const parsed = parseSettings(settings);
  assert.deepEqual(parsed.problems, []);
  const located = await locateModel(role, parsed.settings satisfies Settings, { discovery: { ports: [{ port: scripted.port }], timeoutMs: 5_000 }, ...options });
  return { located, keys: (await scripted.settled()).requests.map(({ headers }) => headers['authorization']) };
}

const here = (): string => scripted.endpoint.root;

describe('the model that the settings mean', () => {
  it('is found on a server that runs, and no key is shown to it', async () => {
    const { located, keys } = await locate({ options: { apiKey: 'secret' } });
    assert.ok(located.kind === 'found');
    assert.deepEqual([located.model, located.server.endpoint.root, located.server.apiKey], ['CodeV-R1-7b', here(), undefined]);
    assert.deepEqual(keys, [undefined]);
  });

  it('is the one named, with the key for the server that is named', async () => {
    const { located, keys } = await locate({ settings: { 'model.endpoint': here(), 'model.name': 'coder' }, options: { apiKey: 'secret' } });
    assert.ok(located.kind === 'found');
    assert.deepEqual([located.model, located.server.apiKey], ['coder', 'secret']);
    assert.deepEqual(keys, ['Bearer secret']);
  });

  it('is the first of its server for completing lines, and a second server does not get the key of the first', async () => {
    const { located, keys } = await locate({ role: 'infill', settings: { 'model.endpoint': 'http://127.0.0.1:1', 'infill.endpoint': here() }, options: { apiKey: 'secret' } });
    assert.ok(located.kind === 'found');
    assert.equal(located.model, 'coder');
    assert.deepEqual(keys, [undefined]);
  });

  it('is still being loaded', async () => {
    for (const settings of [{}, { 'model.endpoint': here() }]) {
      const { located } = await locate({ settings, steps: reply(503, { error: { message: 'Loading model' } }) });
      assert.equal(located.kind, 'loading');
    }
  });

  const refusals: readonly [string, Case, RegExp, boolean][] = [
    ['nothing runs', { options: { discovery: { ports: [] } } }, /^No model server runs on this machine; start one with `llama-server .*`\.$/, true],
    ['nothing runs at the address', { settings: { 'model.endpoint': 'http://127.0.0.1:1' } }, /^No model server runs at http:\/\/127\.0\.0\.1:1; start one with `llama-server .*--port 1`\.$/, true],
    ['the host is not allowed', { settings: { 'model.endpoint': 'https://api.example.com/v1' } }, /add "api\.example\.com" to rtlCopilot\.model\.allowedHosts/, false],
    ['the server that was found is locked', { steps: reply(401, { error: { message: 'no key' } }) }, /asks for a key; set rtlCopilot\.model\.endpoint to http:\/\/127\.0\.0\.1:\d+\/v1 and give the key/, false],
    ['the server that was found has no model', { steps: reply(200, { data: [] }) }, /has no model; start `llama-server` with that model\.$/, false],
  ];
  for (const [why, given, message, startable] of refusals) {
    it(`is missing because ${why}`, async () => {
      const { located } = await locate(given);
      assert.ok(located.kind === 'none', located.kind);
      assert.match(located.message, message);
      assert.equal(located.startCommand !== undefined, startable);
    });
  }
});
