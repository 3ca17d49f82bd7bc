import * as vscode from 'vscode';
import { methods } from '../../../server/src/protocol.ts';
import type { OfferedFix } from '../../../server/src/protocol.ts';
import { targetModule } from './context.ts';
import type { CommandContext } from './context.ts';
import { selectReference } from './select-reference.ts';

/** Looks for a small change with which a module does what its reference does, and offers it. */
export async function findFix(context: CommandContext, argument?: unknown): Promise<void> {
  const target = await targetModule(context, argument);
  if (!target) return;
  let answer = await context.client.request(methods.findFix, target);
  if (answer.kind === 'no-reference') {
    if (!(await selectReference(context, target))) return;
    answer = await context.client.request(methods.findFix, target);
  }
  if (answer.kind === 'found') await offer(answer.fix);
  else if (answer.kind === 'none') void vscode.window.showInformationMessage(answer.message);
  else if (answer.kind === 'refused') void vscode.window.showWarningMessage(answer.message);
}

async function offer({ message, uri, version, range, newText }: OfferedFix): Promise<void> {
  const [apply, show] = ['Apply', 'Show'];
  const picked = await vscode.window.showInformationMessage(message, apply, show);
  if (picked === undefined) return;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const place = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
  if (version !== undefined && document.version !== version) {
    void vscode.window.showWarningMessage('The file was edited meanwhile, so that the change may not fit any more; look for it again.');
    return;
  }
  const editor = await vscode.window.showTextDocument(document, { selection: place });
  if (picked === apply) await editor.edit((edit) => edit.replace(place, newText));
}
