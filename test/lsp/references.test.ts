import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { methods } from '../../server/src/protocol.ts';
import { Editor } from './harness.ts';

const counter = (name: string, width = 8): string => `module ${name} (
  input wire clk,
  input wire rst,
  output reg [${width - 1}:0] q
);
  always @(posedge clk) q <= rst ? 0 : q + 1;
endmodule
`;

const files = {
  'rtl/counter.v': counter('counter'),
  'golden/counter.v': counter('counter_ref'),
  'golden/wide.v': counter('wide', 16),
  'other/gate.sv': 'module gate (input logic a, output logic y); assign y = a; endmodule\n',
};

describe('references in the editor', () => {
  it('are offered by interface, kept in the file, shown by the lens, and cleared', async () => {
    await using editor = await Editor.start({ files });
    await editor.open('rtl/counter.v', files['rtl/counter.v']);
    assert.deepEqual(await editor.lenses('rtl/counter.v'), ['0: Select reference…']);

    const dut = editor.target('rtl/counter.v', 'counter');
    const candidates = await editor.request(methods.referenceCandidates, dut);
    assert.deepEqual(
      candidates.map(({ target, path, match, current }) => [target.module, path, match, current]),
      [
        ['counter_ref', 'golden/counter.v', 'all ports match', false],
        ['wide', 'golden/wide.v', 'all ports match by name; ranges are written differently', false],
        ['gate', 'other/gate.sv', 'no port matches', false],
      ],
    );

    const golden = candidates[0]?.target;
    assert.ok(golden);
    assert.equal((await editor.request(methods.selectReference, { dut, golden })).kind, 'written');
    assert.equal(
      await readFile(editor.path('.rtl-copilot.json'), 'utf8'),
      `{
  "schema": 1,
  "references": [
    { "dut": { "file": "rtl/counter.v", "module": "counter" }, "golden": { "file": "golden/counter.v", "module": "counter_ref" } }
  ]
}
`,
    );
    assert.deepEqual(await editor.lenses('rtl/counter.v'), ['0: Verify against counter_ref']);
    assert.equal((await editor.request(methods.referenceCandidates, dut))[0]?.current, true);

    assert.equal((await editor.request(methods.clearReference, dut)).kind, 'written');
    assert.deepEqual(await editor.lenses('rtl/counter.v'), ['0: Select reference…']);
    assert.deepEqual(await editor.request(methods.verify, dut), { kind: 'no-reference' });
  });

  it('that are chosen at the same time are all kept', async () => {
    await using editor = await Editor.start({ files });
    const golden = editor.target('golden/counter.v', 'counter_ref');
    const duts = [editor.target('rtl/counter.v', 'counter'), editor.target('golden/wide.v', 'wide'), editor.target('other/gate.sv', 'gate')];
    await Promise.all(duts.map((dut) => editor.request(methods.selectReference, { dut, golden })));
    const { references } = JSON.parse(await readFile(editor.path('.rtl-copilot.json'), 'utf8')) as { references: { dut: { module: string } }[] };
    assert.deepEqual(references.map(({ dut }) => dut.module), ['wide', 'gate', 'counter']);
  });

  it('of a broken file are reported at their place and never overwritten', async () => {
    const broken = '{ "schema": 1,\n<<<<<<< HEAD\n';
    await using editor = await Editor.start({ files: { ...files, '.rtl-copilot.json': broken } });
    await editor.open('rtl/counter.v', files['rtl/counter.v']);
    await editor.until(() => editor.diagnosticsOf('.rtl-copilot.json').length === 1, 'the problem of the file');
    assert.match(editor.problemsOf('.rtl-copilot.json')[0] ?? '', /^1:0-1:1 1 .*not valid JSON; correct it by hand/);
    const answer = await editor.request(methods.selectReference, {
      dut: editor.target('rtl/counter.v', 'counter'),
      golden: editor.target('golden/counter.v', 'counter_ref'),
    });
    assert.equal(answer.kind, 'refused');
    assert.equal(await readFile(editor.path('.rtl-copilot.json'), 'utf8'), broken);

    await editor.save('.rtl-copilot.json', '{ "schema": 1, "references": [] }', 2);
    await editor.until(() => editor.diagnosticsOf('.rtl-copilot.json').length === 0, 'the problem to vanish');
  });

  it('of a team appear when the file changes on the disk', async () => {
    await using editor = await Editor.start({ files });
    await editor.open('rtl/counter.v', files['rtl/counter.v']);
    const refreshes = editor.lensRefreshes;
    const entry = { dut: { file: 'rtl/counter.v', module: 'counter' }, golden: { file: 'golden/gone.v', module: 'gone' } };
    await editor.save('.rtl-copilot.json', JSON.stringify({ schema: 1, references: [entry] }), 1);
    await editor.until(() => editor.lensRefreshes > refreshes, 'the lenses to be asked for again');
    assert.deepEqual(await editor.lenses('rtl/counter.v'), ['0: Reference gone not found: select reference…']);
    await editor.save('golden/gone.v', counter('gone'), 1);
    await editor.until(() => editor.statuses.at(-1)?.modules === 5, 'the new module to be known');
    assert.deepEqual(await editor.lenses('rtl/counter.v'), ['0: Verify against gone']);
  });

  it('work for a file outside of all folders', async () => {
    await using editor = await Editor.start({ files, folder: false });
    await editor.open('rtl/counter.v', files['rtl/counter.v']);
    const answer = await editor.request(methods.selectReference, {
      dut: editor.target('rtl/counter.v', 'counter'),
      golden: editor.target('golden/counter.v', 'counter_ref'),
    });
    assert.deepEqual(answer, { kind: 'written', path: editor.path('rtl/.rtl-copilot.json') });
    assert.deepEqual(await editor.lenses('rtl/counter.v'), ['0: Verify against counter_ref']);
  });
});

describe('the module at the cursor', () => {
  it('is the one around it, or the only one of the file', async () => {
    const two = 'module a; endmodule\n\nmodule b; endmodule\n';
    await using editor = await Editor.start({ files: { 'two.v': two, 'one.v': '// head\nmodule a; endmodule\n' } });
    await editor.open('two.v', two);
    const at = (name: string, line: number, character: number) => editor.request(methods.moduleAt, { uri: editor.uri(name), position: { line, character } });
    assert.deepEqual(await at('two.v', 2, 3), { module: 'b', modules: ['a', 'b'] });
    assert.deepEqual(await at('two.v', 1, 0), { modules: ['a', 'b'] });
    assert.deepEqual(await at('one.v', 0, 0), { module: 'a', modules: ['a'] });
  });
});
