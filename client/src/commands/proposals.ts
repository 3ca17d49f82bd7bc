import * as vscode from 'vscode';
import type { CommandContext } from './context.ts';

export async function acceptProposal({ proposals }: CommandContext): Promise<void> {
  const refused = await proposals.accept();
  if (refused !== undefined) void vscode.window.showWarningMessage(refused);
}

export async function rejectProposal({ proposals }: CommandContext): Promise<void> {
  await proposals.reject();
}

export async function chooseProposal({ proposals }: CommandContext): Promise<void> {
  await proposals.choose();
}
