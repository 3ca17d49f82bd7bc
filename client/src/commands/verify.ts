import * as vscode from 'vscode';
import { methods } from '../../../server/src/protocol.ts';
import type { ModuleTarget, VerifyAnswer } from '../../../server/src/protocol.ts';
import { targetModule } from './context.ts';
import type { CommandContext } from './context.ts';
import { selectReference } from './select-reference.ts';
import { showVerdict } from './show-verdict.ts';

/** Verifies a module against its reference; lets the user choose one first when there is none. */
export async function verify(context: CommandContext, argument?: unknown): Promise<void> {
  const target = await targetModule(context, argument);
  if (!target) return;
  let answer = await context.client.request(methods.verify, target);
  if (answer.kind === 'no-reference') {
    if (!(await selectReference(context, target))) return;
    answer = await context.client.request(methods.verify, target);
  }
  tell(context, target, answer);
}

/** The lens, the diagnostics and the status item carry a verdict; only a run that could give none interrupts the user. */
function tell(context: CommandContext, target: ModuleTarget, answer: VerifyAnswer): void {
  if (answer.kind === 'refused') void vscode.window.showWarningMessage(answer.message);
  else if (answer.kind === 'verdict' && ['bad-input', 'tool-error'].includes(answer.verdict)) void offerDetails(context, target, answer.reason);
}

async function offerDetails(context: CommandContext, target: ModuleTarget, reason: string): Promise<void> {
  const details = 'Show Details';
  if ((await vscode.window.showWarningMessage(reason, details)) === details) await showVerdict(context, target);
}
