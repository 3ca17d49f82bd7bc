import * as vscode from 'vscode';
import { propose } from '../generation/propose.ts';
import { targetModule } from './context.ts';
import type { CommandContext } from './context.ts';

/** Lets the model change a module that differs from its reference; the shortest counterexample goes along. */
export async function repair(context: CommandContext, argument?: unknown): Promise<void> {
  const target = await targetModule(context, argument);
  if (!target) return;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(target.uri));
  await propose(context, document, `Repair of ${target.module}`, { kind: 'repair', module: target.module });
}
