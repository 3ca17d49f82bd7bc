import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { diagnostics, lineOf, until } from './editor.ts';

const source = `module mux (input wire clk, input wire [7:0] a, b, input wire s, output reg [7:0] y, output reg [3:0] low);
  always @(a or b)
    if (s) y = a; else y = b;
  always @(posedge clk) low <= a;
  wire left_over;
endmodule
`;

suite('rules', () => {
  teardown(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

  test('three mistakes are told with their pages, and the editor mends the first', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'verilog', content: source });
    const editor = await vscode.window.showTextDocument(document);
    const codes = (): unknown[] => diagnostics(editor).map(({ code }) => (typeof code === 'object' ? code.value : code));
    await until('three findings', () => diagnostics(editor).length === 3 || undefined);
    assert.deepEqual(codes().sort(), ['incomplete-sensitivity', 'unused', 'width-truncation']);
    const found = diagnostics(editor).find(({ range }) => range.start.line === lineOf(editor, 'always @(a or b)'));
    assert.ok(found && typeof found.code === 'object');
    const page = await vscode.workspace.openTextDocument(found.code.target);
    assert.match(page.getText(), /^# incomplete-sensitivity/);

    // The editor does nothing when it asks for fixes while it takes in new diagnostics, or while another part of the window has the focus.
    await until('the list to be mended', async () => {
      await vscode.window.showTextDocument(document, { selection: new vscode.Range(found.range.start, found.range.start) });
      await vscode.commands.executeCommand('editor.action.autoFix');
      return document.getText().includes('always @(*)') || undefined;
    });
    await until('the finding to vanish', () => diagnostics(editor).length === 2 || undefined);
    assert.deepEqual(codes().sort(), ['unused', 'width-truncation']);
  });
});
