import * as vscode from 'vscode';
import { methods } from '../../../server/src/protocol.ts';
import { targetModule } from './context.ts';
import type { CommandContext } from './context.ts';

/** Shows the evidence of a module's last verification beside its source. */
export async function showVerdict(context: CommandContext, argument?: unknown): Promise<void> {
  const target = await targetModule(context, argument);
  if (!target) return;
  const { title, text } = await context.client.request(methods.verdictReport, target);
  if (text === undefined) {
    void vscode.window.showInformationMessage(`${target.module} was not verified yet; use the command "RTL Copilot: Verify Against Reference".`);
    return;
  }
  await context.reports.show(title, text);
}
