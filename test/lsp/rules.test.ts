import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CodeAction, Diagnostic } from 'vscode-languageserver-protocol';
import { Editor } from './harness.ts';

const register = `module register (input clk, input [7:0] d, output reg [3:0] q);
  always @(posedge clk) q <= d;
endmodule
`;

/** Findings of rules; syntax errors have codes without a page. */
function rulesOf(editor: Editor, name: string): Diagnostic[] {
  return editor.diagnosticsOf(name).filter(({ codeDescription }) => codeDescription !== undefined);
}

function codesOf(editor: Editor, name: string): unknown[] {
  return rulesOf(editor, name).map(({ code }) => code);
}

function actionsAt(editor: Editor, name: string, { range, ...diagnostic }: Diagnostic): Promise<CodeAction[]> {
  return editor.ask('textDocument/codeAction', name, undefined, { range, context: { diagnostics: [{ range, ...diagnostic }] } });
}

describe('rules', () => {
  it('find what a pause in typing leaves, with a page, and forget it when it is mended', async () => {
    await using editor = await Editor.start({ files: {} });
    await editor.open('register.v', register);
    await editor.until(() => rulesOf(editor, 'register.v').length === 1, 'the finding');
    const [finding] = rulesOf(editor, 'register.v');
    assert.deepEqual([finding?.code, finding?.severity, finding?.range.start.line], ['width-truncation', 2, 1]);
    assert.match(finding?.codeDescription?.href ?? '', /^file:.*\/docs\/rules\/width-truncation\.md$/);
    await editor.edit('register.v', '<= d;', '<= d[3:0];');
    await editor.until(() => rulesOf(editor, 'register.v').length === 0, 'it to vanish');
    await editor.edit('register.v', 'd[3:0];', 'd[3:0]');
    await editor.until(() => editor.diagnosticsOf('register.v').length === 1, 'the syntax error alone');
    assert.deepEqual(codesOf(editor, 'register.v'), []);
  });

  it('know interfaces and primitives of other files', async () => {
    const files = { 'bus.sv': 'interface bus; logic a; endinterface\n', 'udp.v': 'primitive udp(y, a); output y; input a; table 0 : 1; endtable endprimitive\n' };
    await using editor = await Editor.start({ files });
    await editor.open('top.sv', 'module top(output wire y);\n  bus b();\n  udp(y, b.a);\n  nowhere u();\nendmodule\n');
    await editor.until(() => codesOf(editor, 'top.sv').includes('unknown-module'), 'the finding');
    assert.deepEqual(rulesOf(editor, 'top.sv').filter(({ code }) => code === 'unknown-module').map(({ range }) => range.start.line), [3]);
  });

  it('follow the setting', async () => {
    await using editor = await Editor.start({ files: {}, settings: { rules: { 'width-truncation': 'off', 'missing-default-nettype': 'hint' } } });
    await editor.open('register.v', register);
    await editor.until(() => rulesOf(editor, 'register.v').length === 1, 'the finding');
    assert.deepEqual(codesOf(editor, 'register.v'), ['missing-default-nettype']);
  });

  it('know the modules of other files, as they are edited', async () => {
    const sub = 'module sub (input [7:0] data, output y);\n  assign y = ^data;\nendmodule\n';
    await using editor = await Editor.start({ files: { 'rtl/sub.v': sub, 'rtl/other.v': '// nothing\n' } });
    await editor.open('top.v', 'module top (input [3:0] a, output y);\n  sub u (.data(a), .y(y));\n  gone v (.a(a));\nendmodule\n');
    await editor.until(() => rulesOf(editor, 'top.v').length === 2, 'both findings');
    assert.deepEqual(codesOf(editor, 'top.v'), ['port-width', 'unknown-module']);
    await editor.open('rtl/sub.v', sub);
    await editor.edit('rtl/sub.v', '[7:0]', '[3:0]');
    await editor.edit('top.v', 'gone v (.a(a));', '');
    await editor.until(() => rulesOf(editor, 'top.v').length === 0, 'the edited module to be seen');
  });

  it('offer to mend and to silence what they find', async () => {
    await using editor = await Editor.start({ files: {} });
    await editor.open('mux.v', 'module mux (input a, b, s, output reg y);\n  always @(a or b)\n    if (s) y = a; else y = b;\nendmodule\n');
    await editor.until(() => rulesOf(editor, 'mux.v').length === 1, 'the finding');
    const [finding] = rulesOf(editor, 'mux.v');
    assert.ok(finding);
    const actions = await actionsAt(editor, 'mux.v', finding);
    assert.deepEqual(actions.map(({ title }) => title), [
      "Wake for everything that is read: '@(*)'",
      'Silence incomplete-sensitivity here by a comment',
      'Silence incomplete-sensitivity in this file by a comment',
    ]);
    const [mend, silence] = actions;
    assert.deepEqual(mend?.edit?.documentChanges, [
      { textDocument: { uri: editor.uri('mux.v'), version: 1 }, edits: [{ range: { start: { line: 1, character: 9 }, end: { line: 1, character: 18 } }, newText: '@(*)' }] },
    ]);
    assert.deepEqual([mend.isPreferred, mend.kind, mend.diagnostics], [true, 'quickfix', [finding]]);
    assert.deepEqual(silence?.edit?.documentChanges, [
      {
        textDocument: { uri: editor.uri('mux.v'), version: 1 },
        edits: [{ range: { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } }, newText: '  // rtl-copilot off-next-line incomplete-sensitivity\n' }],
      },
    ]);
    await editor.edit('mux.v', '  always', '  // rtl-copilot off-next-line incomplete-sensitivity\n  always');
    await editor.until(() => rulesOf(editor, 'mux.v').length === 0, 'silence');
    assert.deepEqual(await actionsAt(editor, 'mux.v', finding), []);
  });

  it('offer each way to mend once', async () => {
    await using editor = await Editor.start({ files: { 'sub.sv': 'module sub(input logic clk, input logic [7:0] a, output logic [7:0] y);\n  assign y = clk ? a : 0;\nendmodule\n' } });
    await editor.open('top.sv', 'module top(input logic clk, input logic [7:0] a, output logic [7:0] y);\n  sub u(.clk, .y());\n  sub v(.clk, .a(mid), .y(y));\nendmodule\n');
    await editor.until(() => rulesOf(editor, 'top.sv').length === 2, 'the findings');
    const titles = await Promise.all(rulesOf(editor, 'top.sv').map(async (finding) => (await actionsAt(editor, 'top.sv', finding)).map(({ title }) => title).filter((title) => !title.startsWith('Silence'))));
    assert.deepEqual(titles.flat().sort(), ['Add .a(a)', "Declare 'logic [7:0] mid'"]);
  });
});
