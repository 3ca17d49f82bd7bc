import * as vscode from 'vscode';
import { methods } from '../../../server/src/protocol.ts';
import type { CommandContext } from './context.ts';

/** Shows which tools, versions and settings the product sees, and how the active file is read. */
export async function doctor({ client, reports }: CommandContext): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const { title, text } = await client.request(methods.doctor, document && isVerilog(document) ? { uri: client.uriOf(document.uri) } : {});
  await reports.show(title, text ?? '');
}

function isVerilog({ languageId }: vscode.TextDocument): boolean {
  return languageId === 'verilog' || languageId === 'systemverilog';
}
