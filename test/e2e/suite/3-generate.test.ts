import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { click, diagnostics, lens, open, readText, replace, revert, until } from './editor.ts';

/** The tab that shows a generated module beside the document's text. */
function preview(): vscode.Tab | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  return tab?.input instanceof vscode.TabInputTextDiff && tab.input.modified.scheme === 'rtl-copilot-proposal' ? tab : undefined;
}

async function previewText(): Promise<string> {
  const input = preview()?.input;
  assert.ok(input instanceof vscode.TabInputTextDiff);
  return (await vscode.workspace.openTextDocument(input.modified)).getText();
}

/** Rules may have remarks of their own about a module that is not written yet. */
function errorIn(editor: vscode.TextEditor): vscode.Diagnostic | undefined {
  return diagnostics(editor).find(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
}

const TABLE = '// a b || y\n// 0 - || 0\n// 1 0 || 1\n// 1 1 || 1\nmodule pick (input a, input b, output y);\nendmodule\n';

async function openTable(content: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'verilog', content }));
}

suite('the sample of the walkthrough', () => {
  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  test('ends in a verdict and in a module from a table', async () => {
    await vscode.commands.executeCommand('rtlCopilot.openSample');
    const counter = vscode.window.activeTextEditor;
    assert.ok(counter);
    await click(await lens(counter, /^Verify against counter_golden$/));
    await lens(counter, /^✗ Different: carry at cycle \d+$/, 60_000);
    await vscode.commands.executeCommand('rtlCopilot.openSample', 'seven_segments.v');
    const segments = vscode.window.activeTextEditor;
    assert.ok(segments);
    await click(await lens(segments, /^Generate module from table$/));
    const tab = await until('the preview', preview);
    assert.match(tab.label, /^seven_segments: (proved equal to its truth table|no difference from its truth table for any input combination)$/);
    await vscode.commands.executeCommand('rtlCopilot.rejectProposal');
  });
});

suite('generate a module from a comment', () => {
  teardown(async () => {
    await vscode.commands.executeCommand('rtlCopilot.rejectProposal');
    const { document } = await open('rtl/add4.v');
    await revert();
    await until('the file to be as it was', () => !document.isDirty || undefined);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  test('a rejected module leaves the document as it was, byte for byte', async () => {
    const editor = await open('rtl/add4.v');
    const before = editor.document.getText();
    await click(await lens(editor, /^Generate module$/));
    const tab = await until('the preview', preview);
    assert.match(tab.label, /^add4 \(1 of 2\): compiles, interface matches, 4 of 4 agree$/);
    assert.match(await previewText(), /assign sum = /);
    await vscode.commands.executeCommand('rtlCopilot.rejectProposal');
    assert.equal(preview(), undefined);
    assert.equal(editor.document.getText(), before);
    assert.equal(editor.document.isDirty, false);
    assert.equal(await readText('rtl/add4.v'), before);
  });

  test('an accepted module is one undo step, and finds its place after an edit above it', async () => {
    const editor = await open('rtl/add4.v');
    const before = editor.document.getText();
    await vscode.commands.executeCommand('rtlCopilot.generate');
    await until('the preview', preview);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(editor.document.uri, new vscode.Position(0, 0), '// First line.\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    await vscode.commands.executeCommand('rtlCopilot.acceptProposal');
    assert.equal(preview(), undefined);
    const accepted = editor.document.getText();
    assert.match(accepted, /^\/\/ First line\.\n\/\/ Adds [^\n]*\nmodule add4 \([\s\S]*\);\n {2}assign sum = .*;\nendmodule\n$/);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), `// First line.\n${before}`);
  });

  test('a module whose place was edited meanwhile is not put anywhere', async () => {
    const editor = await open('rtl/add4.v');
    await vscode.commands.executeCommand('rtlCopilot.generate');
    await until('the preview', preview);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(editor.document.uri, editor.document.positionAt(editor.document.getText().indexOf('endmodule')), '  // mine\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    const mine = editor.document.getText();
    await vscode.commands.executeCommand('rtlCopilot.acceptProposal');
    assert.equal(editor.document.getText(), mine);
  });

  test('the model is offered for a finding, and what it writes is a proposal too', async () => {
    const editor = await open('rtl/add4.v');
    await replace(editor, ');\nendmodule', ');\n    assign sum = a + ;\nendmodule');
    const found = await until('the finding', () => errorIn(editor));
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', editor.document.uri, found.range);
    const fix = actions.find(({ title }) => title === 'Fix with the model');
    assert.ok(fix?.command, JSON.stringify(actions.map(({ title }) => title)));
    await vscode.commands.executeCommand(fix.command.command, ...((fix.command.arguments ?? []) as unknown[]));
    await until('the preview', preview);
    assert.doesNotMatch(await previewText(), /a \+ ;/);
    assert.match(editor.document.getText(), /a \+ ;/);
  });

  test('a table in a scratch file becomes a module without a model', async () => {
    const editor = await openTable(TABLE);
    await vscode.commands.executeCommand('rtlCopilot.generate');
    const tab = await until('the preview', preview);
    assert.equal(tab.label, 'pick: proved equal to its truth table');
    await vscode.commands.executeCommand('rtlCopilot.acceptProposal');
    assert.match(editor.document.getText(), /^\/\/ a b \|\| y\n[\s\S]*\nmodule pick[\s\S]*assign y = a;[\s\S]*endmodule\n$/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('a table that contradicts itself is marked at the cell', async () => {
    const editor = await openTable(TABLE.replace('1 0 || 1', '0 0 || 1'));
    await vscode.commands.executeCommand('rtlCopilot.generate');
    assert.equal((await until('the mark', () => errorIn(editor))).range.start.line, 2);
    assert.equal(preview(), undefined);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
