import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { methods } from '../../server/src/protocol.ts';
import { CHAT, event, eventStream, reply, ScriptedServer, stream } from '../model/harness.ts';
import type { Rule, Step } from '../model/scripted-server.ts';
import { Editor, type HarnessOptions } from './harness.ts';

let scripted: ScriptedServer;
before(async () => {
  scripted = await ScriptedServer.start();
});
after(() => scripted[Symbol.asyncDispose]());

const text = 'module m(input a, b, output y);\n  sub u (.i(a));\n  assign y = \nendmodule\n';
const files = { 'm.v': text, 'sub.v': 'module sub(input i);\nendmodule\n' };
const MODELS: Rule = { request: 'GET /v1/models', steps: reply(200, { data: [{ id: 'fim' }] }) };

function says(content: string): Step[] {
  return stream(event({ content, stop: false }), event({ content: '', stop: true, stop_type: 'eos' }));
}

async function start(steps: readonly Step[], options: Partial<HarnessOptions> = {}): Promise<Editor> {
  await scripted.script(MODELS, { request: 'POST /infill', steps });
  const editor = await Editor.start({ files, ...options, settings: { 'model.endpoint': scripted.endpoint.root, ...options.settings } });
  await editor.open('m.v', text);
  return editor;
}

const infills = async (): Promise<unknown[]> => (await scripted.settled()).requests.filter(({ request }) => request === 'POST /infill').map(({ body }) => JSON.parse(body) as unknown);

describe('a suggestion at the cursor', () => {
  it('comes from the model, with the headers of what is instantiated, and from the cache while it is typed', async () => {
    await using editor = await start(says(' a & b;\nendmodule'));
    assert.deepEqual(await editor.suggestions('m.v', 'assign y = '), ['a & b;']);
    const [asked] = await infills();
    assert.deepEqual(asked, {
      model: 'fim',
      input_prefix: text.slice(0, text.indexOf('\nendmodule')),
      input_suffix: '\nendmodule\n',
      input_extra: [{ filename: 'sub.v', text: 'module sub(input i);\n' }],
      n_predict: 128,
      stream: true,
      cache_prompt: true,
      temperature: 0,
      stop: ['\n\n\n', '```'],
    });
    await editor.edit('m.v', 'assign y = ', 'assign y = a &');
    assert.deepEqual(await editor.suggestions('m.v', 'assign y = a &', { typing: true }), [' b;']);
    assert.equal((await infills()).length, 1);
  });

  it('that the editor no longer wants ends on the server', async () => {
    await using editor = await start([eventStream, { do: 'write', text: event({ content: 'a', stop: false }) }, { do: 'hang' }]);
    const cancel = new AbortController();
    const outcome = editor.suggestions('m.v', 'assign y = ', { cancel: cancel.signal });
    while ((await scripted.report()).running === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    cancel.abort();
    assert.deepEqual(await outcome, []);
    assert.equal((await scripted.settled()).abandoned, 1);
  });

  it('is not asked for in an untrusted workspace, or when it is switched off', async () => {
    for (const options of [{ trusted: false }, { settings: { 'infill.enable': false } }]) {
      await using editor = await start(says('a;'), options);
      assert.deepEqual(await editor.suggestions('m.v', 'assign y = '), []);
      assert.deepEqual(await infills(), []);
      assert.equal(editor.models.at(-1)?.infill.state, options.trusted === false ? 'waiting' : 'off');
    }
  });

  for (const [why, status] of [['cannot fill in the middle', 404], ['does not let us', 401]] as const) {
    it(`is not asked for again from a server that ${why}`, async () => {
      await using editor = await start(reply(status, { detail: 'No' }));
      for (let turn = 0; turn < 3; turn += 1) assert.deepEqual(await editor.suggestions('m.v', 'assign y = '), []);
      assert.equal((await infills()).length, 1);
      await editor.until(() => editor.models.at(-1)?.infill.state === 'unable', 'the word that the server cannot');
      assert.deepEqual(editor.messages, []);
    });
  }

  it('is not asked for while a model writes a module', async () => {
    await using editor = await start(says('a;'));
    const rules: Rule[] = ['/props', '/api/ps', '/api/v0/models'].map((path) => ({ request: `GET ${path}`, steps: reply(404, {}) }));
    await scripted.script(MODELS, ...rules, { request: CHAT, steps: [eventStream, { do: 'hang' }] }, { request: 'POST /infill', steps: says('a;') });
    const stop = new AbortController();
    const explained = editor.request(methods.explain, { run: 1, ...editor.target('m.v', 'm') }, stop.signal);
    await editor.until(() => editor.news.length > 0, 'the model to be found');
    assert.deepEqual(await editor.suggestions('m.v', 'assign y = '), []);
    stop.abort();
    assert.equal((await explained).kind, 'cancelled');
    assert.deepEqual(await editor.suggestions('m.v', 'assign y = '), ['a;']);
  });

  it('is quiet where nothing runs, and the status names the command that starts a server', async () => {
    await using editor = await Editor.start({ files });
    await editor.open('m.v', text);
    assert.deepEqual(await editor.suggestions('m.v', 'assign y = '), []);
    await editor.until(() => editor.models.at(-1)?.writer.kind === 'none', 'the word that nothing runs');
    const { writer } = editor.models.at(-1) ?? assert.fail();
    assert.ok(writer.kind === 'none' && writer.startCommand === 'llama-server -m MODEL.gguf --jinja --port 1', JSON.stringify(writer));
    assert.deepEqual(editor.messages, []);
  });
});

describe('the key', () => {
  it('goes to the server that the settings name, once the editor gave it', async () => {
    await using editor = await start(says('a;'));
    await editor.setApiKey('secret');
    assert.deepEqual(await editor.suggestions('m.v', 'assign y = '), ['a;']);
    const { requests } = await scripted.settled();
    assert.equal(requests.find(({ request }) => request === 'POST /infill')?.headers['authorization'], 'Bearer secret');
  });
});
