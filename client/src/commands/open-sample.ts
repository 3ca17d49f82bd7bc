import * as vscode from 'vscode';
import type { CommandContext } from './context.ts';

/** Files of the sample and what they are called in its folder. */
const FILES: Readonly<Record<string, string>> = {
  'counter.v': 'counter.v',
  'counter_golden.v': 'counter_golden.v',
  'seven_segments.v': 'seven_segments.v',
  'references.json': '.rtl-copilot.json',
};

/** Opens a file of the sample, `counter.v` unless another one is named. It is a copy in the extension's own storage; what was edited there is kept. */
export async function openSample({ extension }: CommandContext, argument?: unknown): Promise<void> {
  const name = typeof argument === 'string' && Object.hasOwn(FILES, argument) ? argument : 'counter.v';
  const from = vscode.Uri.joinPath(extension.extensionUri, 'media', 'sample');
  const to = vscode.Uri.joinPath(extension.globalStorageUri, 'sample');
  await vscode.workspace.fs.createDirectory(to);
  for (const [source, target] of Object.entries(FILES)) {
    const file = vscode.Uri.joinPath(to, target);
    if (!(await exists(file))) await vscode.workspace.fs.copy(vscode.Uri.joinPath(from, source), file);
  }
  await vscode.window.showTextDocument(vscode.Uri.joinPath(to, name));
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
