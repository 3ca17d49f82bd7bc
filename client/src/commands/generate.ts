import * as vscode from 'vscode';
import { propose } from '../generation/propose.ts';
import type { CommandContext } from './context.ts';

interface Place {
  readonly document: vscode.TextDocument;
  readonly line: number;
  /** The comment's table, if it has one, is left to the model. */
  readonly model: boolean;
}

/** Generates a module from the comment that a lens names, or from the one at the cursor. */
export async function generate(context: CommandContext, argument?: unknown): Promise<void> {
  const place = await placeOf(argument);
  if (!place) {
    void vscode.window.showInformationMessage('Open a Verilog or SystemVerilog file and place the cursor in a comment that says what the module should do.');
    return;
  }
  const { document, line, model } = place;
  await propose(context, document, 'Module from a comment', { kind: 'comment', line, model });
}

async function placeOf(argument: unknown): Promise<Place | undefined> {
  if (typeof argument === 'object' && argument !== null && 'uri' in argument && 'line' in argument) {
    const { uri, line } = argument;
    const model = 'model' in argument && argument.model === true;
    if (typeof uri === 'string' && typeof line === 'number') return { document: await vscode.workspace.openTextDocument(vscode.Uri.parse(uri)), line, model };
  }
  const editor = vscode.window.activeTextEditor;
  if (!editor || !/^(?:system)?verilog$/.test(editor.document.languageId)) return undefined;
  return { document: editor.document, line: editor.selection.active.line, model: false };
}
