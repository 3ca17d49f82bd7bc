import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { open, until, workspaceUri } from './editor.ts';

/** The position inside the only occurrence of a text with `$0` in it. */
function positionOf(editor: vscode.TextEditor, marked: string): vscode.Position {
  const [before = '', after = ''] = marked.split('$0');
  const at = editor.document.getText().indexOf(before + after);
  assert.ok(at >= 0, `${marked} is in the document`);
  return editor.document.positionAt(at + before.length);
}

suite('navigation', () => {
  test('a definition leads from a connection into the file of the module', async () => {
    const editor = await open('rtl/counter.v');
    const found = await until('a definition', async () => {
      const links = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[]>('vscode.executeDefinitionProvider', editor.document.uri, positionOf(editor, '.car$0ry('));
      return links.length > 0 ? links : undefined;
    });
    const places = found.map((link) => ('targetUri' in link ? new vscode.Location(link.targetUri, link.targetRange) : link));
    assert.deepEqual(places.map(({ uri }) => uri.toString()), [workspaceUri('rtl/increment.v').toString()]);
    const target = await vscode.workspace.openTextDocument(workspaceUri('rtl/increment.v'));
    assert.equal(target.getText(places[0]?.range), 'carry');
  });

  test('a hover tells the width that an include gives', async () => {
    const editor = await open('rtl/counter.v');
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', editor.document.uri, positionOf(editor, 'count <= ne$0xt'));
    const text = hovers.flatMap(({ contents }) => contents.map((content) => (content instanceof vscode.MarkdownString ? content.value : ''))).join('\n');
    assert.match(text, /wire \[.*\] next/);
    assert.match(text, /\d+ bits/);
  });

  test('a rename changes every file, and is undone by reverting', async () => {
    const editor = await open('rtl/increment.v');
    const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', editor.document.uri, positionOf(editor, 'output wire             car$0ry'), 'overflow');
    assert.ok(await vscode.workspace.applyEdit(edit));
    const user = await vscode.workspace.openTextDocument(workspaceUri('rtl/counter.v'));
    assert.match(user.getText(), /\.overflow\(carry\)/);
    assert.match(editor.document.getText(), /assign \{overflow, next\}/);
    for (const uri of edit.entries().map(([each]) => each)) {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    assert.doesNotMatch(user.getText(), /overflow/);
  });

  test('a lens counts the modules that instantiate one', async () => {
    const editor = await open('rtl/increment.v');
    const lens = await until('the lens', async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', editor.document.uri);
      return lenses.find(({ command }) => command?.title === 'Instantiated in 1 module');
    });
    const target: unknown = lens.command?.arguments?.[0];
    await vscode.commands.executeCommand(lens.command?.command ?? '', target);
  });
});
