import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CompletionList, Hover, Location, SignatureHelp, WorkspaceEdit } from 'vscode-languageserver';
import { Editor } from './harness.ts';

const top = 'module top(input clk);\n  sub u(.clk(clk));\nendmodule\n';
const files = { 'rtl/sub.v': 'module sub(input clk);\nendmodule\n', 'rtl/top.v': top };

function placeOf(editor: Editor, { uri, range }: Location): string {
  return `${uri.slice(editor.uri('').length + 1)} ${range.start.line}:${range.start.character}-${range.end.character}`;
}

describe('navigation in the editor', () => {
  it('leads to files that are not open, and follows what is typed', async () => {
    await using editor = await Editor.start({ files });
    await editor.open('rtl/top.v', top);
    const ask = async (method: string, at: string, more?: object) => (await editor.ask<Location[]>(method, 'rtl/top.v', at, more)).map((place) => placeOf(editor, place));
    assert.deepEqual(await ask('textDocument/definition', '.cl$0k'), ['rtl/sub.v 0:17-20']);
    await editor.edit('rtl/top.v', 'endmodule', '  wire w;\n  assign w = clk;\nendmodule');
    assert.deepEqual(await ask('textDocument/definition', 'assign w$0'), ['rtl/top.v 2:7-8']);
    assert.deepEqual(await ask('textDocument/references', '(cl$0k', { context: { includeDeclaration: false } }), ['rtl/top.v 1:13-16', 'rtl/top.v 3:13-16']);
    await editor.save('rtl/sub.v', '\n\nmodule sub(input clk);\nendmodule\n', 2);
    assert.deepEqual(await ask('textDocument/definition', 'su$0b'), ['rtl/sub.v 2:7-10']);
  });

  it('renames in all files, or says why not', async () => {
    await using editor = await Editor.start({ files });
    await editor.open('rtl/top.v', top);
    const edit = await editor.ask<WorkspaceEdit>('textDocument/rename', 'rtl/top.v', '.cl$0k', { newName: 'ck' });
    const edits = Object.entries(edit.changes ?? {}).map(([uri, list]) => `${uri.slice(editor.uri('').length + 1)} ${list.map(({ range, newText }) => `${range.start.line}:${range.start.character} ${newText}`).join(', ')}`);
    assert.deepEqual(edits.sort(), ['rtl/sub.v 0:17 ck', 'rtl/top.v 1:9 ck']);
    await assert.rejects(editor.ask('textDocument/rename', 'rtl/top.v', '.cl$0k', { newName: 'wire' }), /can't be a name/);
    await assert.rejects(editor.ask('textDocument/prepareRename', 'rtl/top.v', 'modul$0e'), /no name here/);
  });
});

describe('writing in the editor', () => {
  it('is helped by hovers, completions and signatures, from what is typed at that moment', async () => {
    await using editor = await Editor.start({ files });
    await editor.open('rtl/top.v', top);
    const shown = await editor.ask<Hover>('textDocument/hover', 'rtl/top.v', '.cl$0k');
    assert.deepEqual([shown.contents, shown.range?.start], [{ kind: 'markdown', value: '```systemverilog\ninput clk\n```\n\n1 bit · module `sub`' }, { line: 1, character: 9 }]);
    await editor.edit('rtl/top.v', '.clk(clk)', '.');
    const list = await editor.ask<CompletionList>('textDocument/completion', 'rtl/top.v', 'u(.$0');
    assert.deepEqual(list.items.map(({ label, textEdit }) => [label, textEdit?.newText]), [['clk', 'clk(clk)']]);
    const signature = await editor.ask<SignatureHelp>('textDocument/signatureHelp', 'rtl/top.v', 'u(.$0');
    assert.deepEqual([signature.signatures[0]?.label, signature.activeParameter], ['sub(input clk)', 0]);
  });
});
