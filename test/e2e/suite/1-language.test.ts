import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { diagnostics, extension, holdsFor, lineOf, open, replace, revert, until } from './editor.ts';

const CLEAN_FILES = ['rtl/counter.v', 'rtl/increment.v', 'rtl/counter_broken.v', 'golden/counter_golden.v', 'rtl/arbiter.sv', 'golden/arbiter_golden.sv', 'rtl/types.svh'];

suite('language', () => {
  const ids = { 'rtl/counter.v': 'verilog', 'rtl/defaults.vh': 'verilog', 'rtl/arbiter.sv': 'systemverilog', 'rtl/types.svh': 'systemverilog' };
  for (const [path, id] of Object.entries(ids)) {
    test(`${path} is ${id}`, async () => {
      assert.equal((await open(path)).document.languageId, id);
    });
  }

  test('opening a Verilog file activates the packaged extension', async () => {
    await open('rtl/counter.v');
    await until('the extension to be active', () => extension().isActive || undefined);
    const manifest = extension().packageJSON as { version: string };
    assert.match(manifest.version, /^\d+\.\d+\.\d+$/);
  });

  test('every command of the manifest is there', async () => {
    const manifest = extension().packageJSON as { contributes: { commands: { command: string }[] } };
    const declared = manifest.contributes.commands.map((entry) => entry.command);
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.ok(declared.length >= 3);
    assert.deepEqual(declared.filter((command) => !registered.has(command)), []);
  });
});

suite('syntax errors', () => {
  teardown(revert);

  test('a missing semicolon is flagged on its line, and the flag goes when it is mended', async () => {
    const editor = await open('rtl/counter.v');
    const statement = 'assign last = carry & enable;';
    const line = lineOf(editor, statement);
    await replace(editor, statement, statement.slice(0, -1));
    const [found] = await until('a diagnostic', () => (diagnostics(editor).length > 0 ? diagnostics(editor) : undefined));
    assert.ok(found);
    assert.equal(diagnostics(editor).length, 1, `one mistake, one diagnostic: ${JSON.stringify(diagnostics(editor))}`);
    assert.equal(found.severity, vscode.DiagnosticSeverity.Error);
    assert.match(found.message, /;/);
    assert.equal(found.range.start.line, line);
    await vscode.commands.executeCommand('undo');
    await until('the diagnostic to vanish', () => diagnostics(editor).length === 0 || undefined);
  });

  test('a mistyped keyword is named, with the word that was meant', async () => {
    const editor = await open('rtl/counter.v');
    await replace(editor, 'assign last', 'asign last');
    const [found] = await until('a diagnostic', () => (diagnostics(editor).length > 0 ? diagnostics(editor) : undefined));
    assert.equal(diagnostics(editor).length, 1, JSON.stringify(diagnostics(editor)));
    assert.ok(found);
    assert.match(found.message, /asign.*assign/);
    assert.equal(editor.document.getText(found.range), 'asign');
  });

  test('an error in a SystemVerilog file that was never saved is flagged too', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'systemverilog', content: 'module m (output logic y);\n  assign y = ;\nendmodule\n' });
    const editor = await vscode.window.showTextDocument(document);
    const [found] = await until('a diagnostic', () => (diagnostics(editor).length > 0 ? diagnostics(editor) : undefined));
    assert.equal(found?.range.start.line, 1);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('clean files stay without diagnostics', async () => {
    for (const path of CLEAN_FILES) {
      const editor = await open(path);
      // What was told of a text that was just reverted may still be there.
      await until(`${path} to be without diagnostics`, () => diagnostics(editor).length === 0 || undefined);
      assert.ok(await holdsFor(1000, () => diagnostics(editor).length === 0), `${path}: ${JSON.stringify(diagnostics(editor))}`);
    }
  });
});
