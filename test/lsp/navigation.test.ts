import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CallHierarchyItem, CodeAction, CompletionList, DocumentLink, DocumentSymbol, FoldingRange, Hover, InlayHint, Location, SelectionRange, SemanticTokens, SignatureHelp, WorkspaceEdit } from 'vscode-languageserver';
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

describe('a file whose lines end in carriage returns alone', () => {
  const text = ['// The first line is a comment.', 'module m(input a, output y);', '  wire w; // kept', '  assign w = a;', '  assign y = w', 'endmodule', ''].join('\r');

  it('has its diagnostics, names and folds where an editor shows them', async () => {
    await using editor = await Editor.start({ files: { 'rtl/m.v': text, 'rtl/user.v': '// Another.\rmodule user(input a, output y);\r  m u(.a(a), .y(y));\rendmodule\r' } });
    await editor.open('rtl/m.v', text);
    await editor.until(() => editor.diagnosticsOf('rtl/m.v').length > 0, 'the missing semicolon');
    assert.deepEqual(editor.diagnosticsOf('rtl/m.v').map(({ range }) => range), [{ start: { line: 4, character: 13 }, end: { line: 4, character: 14 } }]);
    const folds = await editor.ask<FoldingRange[]>('textDocument/foldingRange', 'rtl/m.v');
    assert.deepEqual(folds.map(({ startLine, endLine }) => [startLine, endLine]), [[1, 4]]);
    await editor.edit('rtl/m.v', 'y = w', 'y = w;');
    const { changes = {} } = await editor.ask<WorkspaceEdit>('textDocument/rename', 'rtl/m.v', 'input $0a', { newName: 'b' });
    const edits = Object.entries(changes).map(([uri, list]) => `${uri.slice(editor.uri('').length + 1)} ${list.map(({ range: { start } }) => `${start.line}:${start.character}`).join(', ')}`);
    assert.deepEqual(edits.sort(), ['rtl/m.v 1:15, 3:13', 'rtl/user.v 2:7']);
  });
});

describe('what names a renamed module outside of the sources', () => {
  const golden = 'module golden(input clk, output q);\nendmodule\n';
  const records = {
    '.rtl-copilot.json': '{ "schema": 1, "references": [\n{ "dut": { "module": "sub", "file": "rtl/sub.v" }, "golden": { "file": "golden/sub.v", "module": "sub" } },\n{ "dut": { "file": "rtl/top.v", "module": "sub" }, "golden": { "file": "golden/sub.v", "module": "golden" } }\n] }\n',
    'golden/sub.cases.json': '{ "schema": 1, "modules": {\n"clk": [],\n"golden": [{ "name": "clk", "compareFrom": 0, "rows": [\n{ "clk": "0" },\n{ "clk": "1" }\n] }] } }\n',
    'golden/sub.v': golden,
  };
  const edited = async (editor: Editor, name: string, at: string): Promise<string[]> => {
    const { changes = {} } = await editor.ask<WorkspaceEdit>('textDocument/rename', name, at, { newName: 'n' });
    return Object.entries(changes).flatMap(([uri, list]) => list.map(({ range }) => `${uri.slice(editor.uri('').length + 1)} ${range.start.line}:${range.start.character}-${range.end.character}`)).sort();
  };

  it('is changed with it', async () => {
    await using editor = await Editor.start({ files: { ...files, ...records } });
    await editor.open('rtl/sub.v', files['rtl/sub.v']);
    await editor.open('golden/sub.v', golden);
    assert.deepEqual(await edited(editor, 'rtl/sub.v', 'module su$0b'), ['.rtl-copilot.json 1:22-25', 'rtl/sub.v 0:7-10', 'rtl/top.v 1:2-5']);
    assert.deepEqual(await edited(editor, 'golden/sub.v', 'module go$0lden'), ['.rtl-copilot.json 2:98-104', 'golden/sub.cases.json 2:1-7', 'golden/sub.v 0:7-13']);
    assert.deepEqual(await edited(editor, 'golden/sub.v', 'input cl$0k'), ['golden/sub.cases.json 3:3-6', 'golden/sub.cases.json 4:3-6', 'golden/sub.v 0:20-23']);
    await editor.save('golden/sub.cases.json', '{ "modules": {', 2);
    assert.deepEqual(await edited(editor, 'golden/sub.v', 'input cl$0k'), ['golden/sub.v 0:20-23']);
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

describe('the outlook on a document in the editor', () => {
  const text = '`include "w.vh"\nmodule top(input clk);\n  sub u(\n    clk\n  );\n  sub v();\nendmodule\n';
  const whole = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };

  it('shows its structure', async () => {
    await using editor = await Editor.start({ files: { ...files, 'rtl/w.vh': '// widths\n' }, settings: { rules: { 'missing-port': 'off' } } });
    await editor.open('rtl/top.v', text);
    const ask = <T>(what: string, at?: string, more?: object): Promise<T> => editor.ask<T>(`textDocument/${what}`, 'rtl/top.v', at, more);
    const symbols = await ask<DocumentSymbol[]>('documentSymbol');
    assert.deepEqual(symbols.map(({ name, children }) => [name, children?.map((child) => child.name)]), [['top', ['clk', 'u', 'v']]]);
    const { data } = await ask<SemanticTokens>('semanticTokens/full');
    assert.deepEqual(data.slice(0, 10), [1, 7, 3, 1, 1, 0, 10, 3, 5, 1]);
    assert.equal((await ask<SemanticTokens>('semanticTokens/range', undefined, { range: { ...whole, end: { line: 2, character: 0 } } })).data.length, 10);
    assert.deepEqual((await ask<FoldingRange[]>('foldingRange')).map(({ startLine, endLine }) => [startLine, endLine]), [[1, 5], [2, 3]]);
    const [selection] = await ask<SelectionRange[]>('selectionRange', undefined, { positions: [{ line: 3, character: 5 }] });
    assert.deepEqual([selection?.range.start, selection?.parent?.parent?.range.end], [{ line: 3, character: 4 }, { line: 4, character: 3 }]);
    assert.deepEqual((await ask<DocumentLink[]>('documentLink')).map(({ range, target }) => [range.start.character, target]), [[10, editor.uri('rtl/w.vh')]]);
    await editor.open('rtl/via.v', '`define HERE "w.vh"\n`include `HERE\n');
    assert.deepEqual((await editor.ask<DocumentLink[]>('textDocument/documentLink', 'rtl/via.v')).map(({ range, target }) => [range.start.character, range.end.character, target]), [[9, 14, editor.uri('rtl/w.vh')]]);
    assert.deepEqual(await ask<InlayHint[]>('inlayHint', undefined, { range: whole }), []);
    const [item] = await ask<CallHierarchyItem[]>('prepareCallHierarchy', 'su$0b u');
    const parents = await editor.ask<{ from: CallHierarchyItem; fromRanges: unknown[] }[]>('callHierarchy/incomingCalls', 'rtl/top.v', undefined, { item });
    assert.deepEqual(parents.map(({ from, fromRanges }) => [from.name, fromRanges.length]), [['top', 2]]);
    const actions = await ask<CodeAction[]>('codeAction', undefined, { range: { start: { line: 5, character: 7 }, end: { line: 5, character: 7 } }, context: { diagnostics: [] } });
    assert.deepEqual(actions.map(({ title }) => title), ["Connect the missing port 'clk'"]);
  });
});
