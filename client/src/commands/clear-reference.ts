import * as vscode from 'vscode';
import { methods } from '../../../server/src/protocol.ts';
import { targetModule } from './context.ts';
import type { CommandContext } from './context.ts';

export async function clearReference(context: CommandContext, argument?: unknown): Promise<void> {
  const target = await targetModule(context, argument);
  if (!target) return;
  const answer = await context.client.request(methods.clearReference, target);
  if (answer.kind === 'refused') void vscode.window.showWarningMessage(answer.message);
}
