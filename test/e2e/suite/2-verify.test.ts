import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { click, diagnostics, lens, lenses, lineOf, open, readText, replace, revert, until, workspaceUri } from './editor.ts';

const REFERENCE_FILE = '.rtl-copilot.json';
const VERIFY_MS = 60_000;

const SELECT = /^Select reference…$/;
const PASSED = /^✓ (Equivalent|No difference)/;
const DIFFERENT = /^✗ Different/;

interface ReferenceFile {
  readonly schema: number;
  readonly references: readonly { readonly dut: { file: string; module: string }; readonly golden: { file: string; module: string } }[];
}

async function referenceFile(): Promise<ReferenceFile | undefined> {
  try {
    return JSON.parse(await readText(REFERENCE_FILE)) as ReferenceFile;
  } catch {
    return undefined;
  }
}

async function writeReferences(...pairs: [dut: [string, string], golden: [string, string]][]): Promise<void> {
  const side = ([file, module]: [string, string]): { file: string; module: string } => ({ file, module });
  const content = { schema: 1, references: pairs.map(([dut, golden]) => ({ dut: side(dut), golden: side(golden) })) };
  await vscode.workspace.fs.writeFile(workspaceUri(REFERENCE_FILE), Buffer.from(JSON.stringify(content)));
}

/** Accepts the first entry of the pick list as soon as it is open, until `done` says that the choice arrived. */
async function acceptPick<T>(what: string, done: () => Promise<T | undefined>): Promise<T> {
  return until(what, async () => {
    const value = await done();
    if (value === undefined) await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    return value;
  });
}

suite('verify against a reference', () => {
  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  test('a module without a reference offers to select one, above its header', async () => {
    const editor = await open('rtl/arbiter.sv');
    const offer = await lens(editor, SELECT);
    assert.equal(offer.range.start.line, lineOf(editor, 'module arbiter'));
    assert.equal((await lenses(editor)).length, 1);
    assert.equal(await referenceFile(), undefined);
  });

  test('selecting takes the best match first and writes the reference file', async () => {
    const editor = await open('rtl/arbiter.sv');
    const choosing = click(await lens(editor, SELECT));
    const file = await acceptPick('the reference file', referenceFile);
    await choosing;
    const expected = { dut: { file: 'rtl/arbiter.sv', module: 'arbiter' }, golden: { file: 'golden/arbiter_golden.sv', module: 'arbiter_golden' } };
    assert.deepEqual(file, { schema: 1, references: [expected] });
    const text = await readText(REFERENCE_FILE);
    assert.ok(text.includes('\n') && text.endsWith('\n'), 'a person can read and compare it');
    await lens(editor, /^Verify against arbiter_golden$/);
  });

  test('a correct module passes, by the command as from the palette, and is not marked', async () => {
    const editor = await open('rtl/arbiter.sv');
    editor.selection = new vscode.Selection(6, 0, 6, 0);
    await vscode.commands.executeCommand('rtlCopilot.verify');
    await lens(editor, PASSED, VERIFY_MS);
    assert.deepEqual(diagnostics(editor), []);
  });

  test('the embedded engine proves it where nothing is installed', async () => {
    const editor = await open('rtl/arbiter.sv');
    const settings = vscode.workspace.getConfiguration('rtlCopilot');
    await settings.update('verify.engine', 'yosys-wasm', vscode.ConfigurationTarget.Workspace);
    try {
      await click(await lens(editor, /^Verify against/));
      await lens(editor, /^✓ Equivalent \(proved\)$/, VERIFY_MS);
    } finally {
      await settings.update('verify.engine', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  test('references written by hand or by a colleague are picked up', async () => {
    const golden: [string, string] = ['golden/counter_golden.v', 'counter_golden'];
    await writeReferences(
      [['rtl/counter.v', 'counter'], golden],
      [['rtl/counter_broken.v', 'counter_broken'], golden],
      [['rtl/arbiter.sv', 'arbiter'], ['golden/arbiter_golden.sv', 'arbiter_golden']],
    );
    await lens(await open('rtl/counter.v'), /^Verify against counter_golden$/);
    await lens(await open('rtl/counter_broken.v'), /^Verify against counter_golden$/);
  });

  test('a correct module with a submodule and an include in other files passes', async () => {
    const editor = await open('rtl/counter.v');
    await click(await lens(editor, /^Verify against/));
    await lens(editor, PASSED, VERIFY_MS);
    assert.deepEqual(diagnostics(editor), []);
  });

  test('a broken module is marked at the output that differs, with the golden as related place', async () => {
    const editor = await open('rtl/counter_broken.v');
    await click(await lens(editor, /^Verify against/));
    const verdict = await lens(editor, DIFFERENT, VERIFY_MS);
    assert.match(verdict.command.title, /count/);
    const [found] = await until('the diagnostic', () => (diagnostics(editor).length > 0 ? diagnostics(editor) : undefined));
    assert.ok(found);
    assert.equal(diagnostics(editor).length, 1);
    assert.equal(found.severity, vscode.DiagnosticSeverity.Error);
    assert.equal(editor.document.getText(found.range), 'count');
    assert.equal(found.range.start.line, lineOf(editor, 'output reg  [7:0] count'));
    assert.match(found.message, /^count differs from counter_golden at cycle \d+: expected .+, got .+\.\nInputs: /);
    const related = found.relatedInformation?.[0];
    assert.ok(related, 'the golden is named');
    assert.equal(related.location.uri.path, workspaceUri('golden/counter_golden.v').path);
    const golden = await vscode.workspace.openTextDocument(workspaceUri('golden/counter_golden.v'));
    assert.equal(golden.getText(related.location.range), 'count');
  });

  test('an edit makes the verdict stale, and the unsaved text is what is verified next', async () => {
    const editor = await open('rtl/counter_broken.v');
    const onDisk = await readText('rtl/counter_broken.v');
    await replace(editor, 'else if (enable) count <= count + 8\'d1;\n        else if (load)   count <= value;', 'else if (load)   count <= value;\n        else if (enable) count <= count + 8\'d1;');
    await lens(editor, /^Stale/);
    assert.ok(editor.document.isDirty);
    await click(await lens(editor, /^Verify against/));
    await lens(editor, PASSED, VERIFY_MS);
    await until('the mark to vanish', () => diagnostics(editor).length === 0 || undefined);
    assert.ok(editor.document.isDirty, 'verifying does not save');
    assert.equal(await readText('rtl/counter_broken.v'), onDisk);
  });

  test('after the edit is undone the module is found broken again', async () => {
    const editor = await open('rtl/counter_broken.v');
    await revert();
    await click(await lens(editor, /^Verify against/));
    await lens(editor, DIFFERENT, VERIFY_MS);
    await until('the diagnostic', () => diagnostics(editor).length === 1 || undefined);
  });

  test('a syntax error in the module gives no verdict', async () => {
    const editor = await open('rtl/arbiter.sv');
    await replace(editor, 'assign busy  = |request;', 'assign busy  = |;');
    await click(await lens(editor, /^Verify against/));
    await lens(editor, /^No verdict/, VERIFY_MS);
    await revert();
    await until('the marks to vanish', () => diagnostics(editor).length === 0 || undefined);
  });

  test('clearing the reference removes the verdict, the mark and the entry of the file', async () => {
    const editor = await open('rtl/counter_broken.v');
    editor.selection = new vscode.Selection(5, 0, 5, 0);
    await vscode.commands.executeCommand('rtlCopilot.clearReference');
    await lens(editor, SELECT);
    await until('the mark to vanish', () => diagnostics(editor).length === 0 || undefined);
    assert.equal((await lenses(editor)).length, 1);
    const duts = (await referenceFile())?.references.map((reference) => reference.dut.module);
    assert.deepEqual(duts, ['arbiter', 'counter']);
  });
});
