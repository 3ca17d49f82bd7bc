import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { GenerateAnswer, GenerateParams, GenerationEvent } from '../../server/src/protocol.ts';
import { methods } from '../../server/src/protocol.ts';
import { CHAT, delta, DONE, eventStream, reply, ScriptedServer, stream } from '../model/harness.ts';
import type { Rule, Step } from '../model/scripted-server.ts';
import { Editor, type HarnessOptions } from './harness.ts';

let scripted: ScriptedServer;
before(async () => {
  scripted = await ScriptedServer.start();
});
after(() => scripted[Symbol.asyncDispose]());

const comment = '// Adds two numbers of four bits.\nmodule add(input [3:0] a, b, output [4:0] y);\nendmodule\n';
const added = 'module add(input [3:0] a, b, output [4:0] y);\n  assign y = a + b;\nendmodule';
const wrong = added.replace('a + b', 'a - b');
const table = '// a b || y\n// 0 - || 0\n// 1 0 || 1\n// 1 1 || 1\n';
const golden = 'module golden(input [3:0] a, b, output [4:0] y);\n  assign y = b + a;\nendmodule\n';

const questions: readonly Rule[] = [
  { request: 'GET /v1/models', steps: reply(200, { data: [{ id: 'CodeV-R1-7B' }] }) },
  ...['/props', '/api/ps', '/api/v0/models'].map((path): Rule => ({ request: `GET ${path}`, steps: reply(404, { error: 'no' }) })),
];

function thinks(code: string): Step[] {
  return stream(delta({ reasoning_content: 'It is ' }), delta({ reasoning_content: 'a sum.' }), delta({ content: `<answer>\n\`\`\`verilog\n${code}\n\`\`\`\n</answer>` }), delta({}, 'stop'), DONE);
}

/** An editor with the comment open as `m.v`, and a model that gives the replies. */
async function start(steps: readonly Step[], text = comment, options: Partial<HarnessOptions> = {}): Promise<Editor> {
  await scripted.script(...questions, { request: CHAT, steps });
  const editor = await Editor.start({ files: { 'm.v': text, ...options.files }, ...(options.trusted === undefined ? {} : { trusted: options.trusted }), settings: { 'model.endpoint': scripted.endpoint.root, ...options.settings } });
  await editor.open('m.v', text);
  return editor;
}

const chats = async (): Promise<string[]> => (await scripted.settled()).requests.filter(({ request }) => request === CHAT).map(({ body }) => body);

async function generate(editor: Editor, task: GenerateParams['task'] = { kind: 'comment', line: 0, model: false }): Promise<GenerateAnswer> {
  return editor.request(methods.generate, { run: 1, uri: editor.uri('m.v'), task });
}

function offered(answer: GenerateAnswer, text: string): { readonly result: string; readonly confidence: readonly string[] } {
  assert.ok(answer.kind === 'proposals', JSON.stringify(answer));
  const [first] = answer.proposals;
  return { result: text.slice(0, answer.span.start) + (first?.code ?? '') + text.slice(answer.span.end), confidence: answer.proposals.map(({ confidence }) => confidence) };
}

const told = (editor: Editor): GenerationEvent[] => editor.news.filter(({ run }) => run === 1).map(({ event }) => event);
const reasoned = (editor: Editor): string => told(editor).map((event) => (event.kind === 'reasoning' && event.turn.sample === 0 ? event.text : '')).join('');

describe('a module from a comment', () => {
  it('is written by the model, checked, and proposed in place of the empty module; the reasoning is told apart', async () => {
    await using editor = await start(thinks(added));
    const { result, confidence } = offered(await generate(editor), comment);
    assert.equal(result, `// Adds two numbers of four bits.\n${added}\n`);
    assert.equal(confidence[0], 'compiles, interface matches, 4 of 4 agree');
    assert.equal(reasoned(editor), 'It is a sum.');
    assert.deepEqual(told(editor)[0], { kind: 'model', name: 'CodeV-R1-7B', server: scripted.endpoint.root });
    const stages = told(editor).flatMap((event) => (event.kind === 'stage' && event.turn.sample === 0 && event.state === 'passed' ? [event.stage] : []));
    assert.deepEqual(stages, ['write', 'extract', 'interface', 'parse', 'compile']);
    assert.match((await chats())[0] ?? '', /Adds two numbers of four bits\./);
  });

  it('is compared with its reference, and what is proved ends the run', async () => {
    const references = JSON.stringify({ schema: 1, references: [{ dut: { file: 'm.v', module: 'add' }, golden: { file: 'golden.v', module: 'golden' } }] });
    await using editor = await start(thinks(added), comment, { files: { 'golden.v': golden, '.rtl-copilot.json': references } });
    const { confidence } = offered(await generate(editor), comment);
    assert.deepEqual(confidence, ['proved equivalent']);
    assert.equal((await chats()).length, 1);
  });

  it('ends with a sentence and the command that starts a server, where none runs', async () => {
    await using editor = await start([], comment, { settings: { 'model.endpoint': 'http://127.0.0.1:1' } });
    const answer = await generate(editor);
    assert.ok(answer.kind === 'failed' && answer.startCommand?.startsWith('llama-server') === true, JSON.stringify(answer));
    assert.deepEqual(editor.messages, []);
  });

  it('that is cancelled leaves nothing running on the server', async () => {
    await using editor = await start([eventStream, { do: 'write', text: delta({ reasoning_content: 'Hm' }) }, { do: 'hang' }]);
    const cancel = new AbortController();
    const answer = editor.request(methods.generate, { run: 1, uri: editor.uri('m.v'), task: { kind: 'comment', line: 0, model: false } }, cancel.signal);
    await editor.until(() => reasoned(editor) !== '', 'the reasoning');
    cancel.abort();
    assert.equal((await answer).kind, 'cancelled');
    assert.ok((await scripted.settled()).abandoned >= 1);
  });

  it('is refused in an untrusted workspace, inside of a module and without a comment', async () => {
    const refused = async (text: string, line: number, trusted: boolean): Promise<string> => {
      await using editor = await start([], text, { trusted });
      const answer = await generate(editor, { kind: 'comment', line, model: false });
      assert.deepEqual(await chats(), []);
      return answer.kind === 'failed' ? answer.reason : answer.kind;
    };
    assert.match(await refused(comment, 0, false), /^Trust this workspace to generate/);
    assert.match(await refused('module m;\n// a wire\nwire w;\nendmodule\n', 1, true), /^The comment stands inside of the module m;/);
    assert.match(await refused('module m;\nendmodule\n', 0, true), /^There is no comment at this line/);
  });
});

describe('a module from a table', () => {
  it('needs no model, and says what was proved', async () => {
    await using editor = await start([], table);
    const { result, confidence } = offered(await generate(editor), table);
    assert.match(result, /^\/\/ a b \|\| y\n[\s\S]*\nmodule generated/);
    assert.deepEqual(confidence, ['proved equal to its truth table']);
    assert.deepEqual(await chats(), []);
  });

  it('that contradicts itself is marked at the cell until the text changes', async () => {
    const contradiction = table.replace('1 0 || 1', '0 1 || 1');
    await using editor = await start([], contradiction);
    const answer = await generate(editor);
    assert.ok(answer.kind === 'failed' && answer.tableProblems);
    await editor.until(() => editor.problemsOf('m.v').length > 0, 'the mark');
    assert.match(editor.problemsOf('m.v')[0] ?? '', /^2:\d+-2:\d+ 1 .*$/);
    await editor.edit('m.v', '0 1 || 1', '1 0 || 1');
    await editor.until(() => editor.problemsOf('m.v').length === 0, 'the mark to go');
  });

  it('is left to the model when the user wishes it', async () => {
    await using editor = await start(thinks(added), table);
    assert.equal((await generate(editor, { kind: 'comment', line: 0, model: true })).kind, 'proposals');
    assert.equal((await chats()).length, 4);
  });
});

describe('a module that is there', () => {
  const broken = `${wrong}\n`;

  it('is fixed with the words of a finding', async () => {
    await using editor = await start(thinks(added), broken);
    const answer = await generate(editor, { kind: 'fix', position: { line: 1, character: 13 }, message: 'the result may be negative' });
    assert.equal(offered(answer, broken).result, `${added}\n`);
    assert.match((await chats())[0] ?? '', /the result may be negative/);
  });

  it('is repaired against its reference with the counterexample of its last verdict', async () => {
    const references = JSON.stringify({ schema: 1, references: [{ dut: { file: 'm.v', module: 'add' }, golden: { file: 'golden.v', module: 'golden' } }] });
    await using editor = await start(thinks(added), broken, { files: { 'golden.v': golden, '.rtl-copilot.json': references } });
    const early = await generate(editor, { kind: 'repair', module: 'add' });
    assert.ok(early.kind === 'failed' && early.reason.startsWith('add was not verified yet;'));
    const verdict = await editor.request(methods.verify, editor.target('m.v', 'add'));
    assert.ok(verdict.kind === 'verdict' && verdict.verdict === 'different');
    assert.deepEqual(offered(await generate(editor, { kind: 'repair', module: 'add' }), broken), { result: `${added}\n`, confidence: ['proved equivalent'] });
  });

  it('is explained in words, without what could load from elsewhere', async () => {
    await using editor = await start(stream(delta({ content: 'It adds. ![x](https://example.com/x.png) <img src=y> `a<b`' }), delta({}, 'stop'), DONE));
    const answer = await editor.request(methods.explain, { run: 1, ...editor.target('m.v', 'add') });
    assert.deepEqual(answer, { kind: 'explained', title: 'Explanation of add', text: '# add\n\nIt adds. [x](https://example.com/x.png) &lt;img src=y> `a<b`\n' });
  });
});

describe('lenses above comments', () => {
  it('offer what can be generated: tables always, prose where a model is', async () => {
    const text = `${comment}\n${table}\n`;
    await using editor = await start([], text);
    await editor.until(() => editor.models.at(-1)?.writer.kind === 'found', 'the model');
    const generating = async (from: Editor): Promise<string[]> => (await from.lenses('m.v')).filter((lens) => lens.includes('Generate'));
    assert.deepEqual(await generating(editor), ['0: Generate module', '4: Generate module from table']);
    await using alone = await Editor.start({ files: { 'm.v': text } });
    await alone.open('m.v', text);
    assert.deepEqual(await generating(alone), ['4: Generate module from table']);
  });
});
