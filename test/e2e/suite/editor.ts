/** What the tests need of the editor, in the words of a person who uses it. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

const EXTENSION_ID = 'rtl-copilot.rtl-copilot';
const POLL_MS = 50;

export async function until<T>(what: string, probe: () => T | undefined | Promise<T | undefined>, timeoutMs = 30_000): Promise<T> {
  for (const deadline = Date.now() + timeoutMs; ; ) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Whether something stays true for a while; for what must not happen. */
export async function holdsFor(ms: number, probe: () => boolean): Promise<boolean> {
  for (const deadline = Date.now() + ms; Date.now() < deadline; await new Promise((resolve) => setTimeout(resolve, POLL_MS))) {
    if (!probe()) return false;
  }
  return true;
}

export function workspaceUri(path: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'a workspace folder is open');
  return vscode.Uri.joinPath(folder.uri, path);
}

export function extension(): vscode.Extension<unknown> {
  const found = vscode.extensions.getExtension(EXTENSION_ID);
  assert.ok(found, `${EXTENSION_ID} is installed`);
  return found;
}

export async function open(path: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(workspaceUri(path));
  return vscode.window.showTextDocument(document);
}

export async function readText(path: string): Promise<string> {
  return Buffer.from(await vscode.workspace.fs.readFile(workspaceUri(path))).toString('utf8');
}

/** Replaces the only occurrence of `from` in the editor's text, as one edit of the user. */
export async function replace(editor: vscode.TextEditor, from: string, to: string): Promise<void> {
  const text = editor.document.getText();
  const start = text.indexOf(from);
  assert.ok(start >= 0 && !text.includes(from, start + 1), `"${from}" occurs once`);
  const range = new vscode.Range(editor.document.positionAt(start), editor.document.positionAt(start + from.length));
  assert.ok(await editor.edit((builder) => builder.replace(range, to)));
}

/** Drops unsaved changes of the active editor. */
export async function revert(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.files.revert');
}

export function diagnostics(editor: vscode.TextEditor): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(editor.document.uri);
}

/** Zero-based line of the only occurrence of `text`. */
export function lineOf(editor: vscode.TextEditor, text: string): number {
  const at = editor.document.getText().indexOf(text);
  assert.ok(at >= 0, `"${text}" is in the document`);
  return editor.document.positionAt(at).line;
}

export async function lenses(editor: vscode.TextEditor): Promise<vscode.CodeLens[]> {
  return vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', editor.document.uri, 100);
}

/** Waits for a lens whose title matches. */
export async function lens(editor: vscode.TextEditor, title: RegExp, timeoutMs?: number): Promise<vscode.CodeLens & { command: vscode.Command }> {
  let seen: string[] = [];
  const probe = async (): Promise<vscode.CodeLens | undefined> => {
    const all = await lenses(editor);
    seen = all.map((one) => one.command?.title ?? '(no command)');
    return all.find((one) => title.test(one.command?.title ?? ''));
  };
  try {
    return (await until('', probe, timeoutMs)) as vscode.CodeLens & { command: vscode.Command };
  } catch {
    throw new Error(`no lens ${String(title)} came up; lenses: ${JSON.stringify(seen)}`);
  }
}

/** Does what a click on the lens does. */
export async function click(codeLens: vscode.CodeLens & { command: vscode.Command }): Promise<unknown> {
  const { command, arguments: args = [] } = codeLens.command as { command: string; arguments?: unknown[] };
  return vscode.commands.executeCommand(command, ...args);
}
