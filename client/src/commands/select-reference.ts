import * as vscode from 'vscode';
import { methods } from '../../../server/src/protocol.ts';
import type { ReferenceCandidate } from '../../../server/src/protocol.ts';
import { targetModule } from './context.ts';
import type { CommandContext } from './context.ts';

interface CandidateItem extends vscode.QuickPickItem {
  readonly candidate: ReferenceCandidate;
}

/** Lets the user pick the golden of a module. True when one was picked and stored. */
export async function selectReference(context: CommandContext, argument?: unknown): Promise<boolean> {
  const { client } = context;
  const dut = await targetModule(context, argument);
  if (!dut) return false;
  const picked = await pickCandidate(dut.module, client.request(methods.referenceCandidates, dut));
  if (!picked) return false;
  const answer = await client.request(methods.selectReference, { dut, golden: picked.candidate.target });
  if (answer.kind === 'refused') void vscode.window.showWarningMessage(answer.message);
  return answer.kind === 'written';
}

/** Opens the list at once, since the search for modules may still run; closes it when there is nothing to pick. */
async function pickCandidate(module: string, candidates: Promise<readonly ReferenceCandidate[]>): Promise<CandidateItem | undefined> {
  const nothing = new vscode.CancellationTokenSource();
  const items = candidates.then((list) => {
    if (list.length === 0) {
      nothing.cancel();
      void vscode.window.showInformationMessage('The workspace defines no other module; add the golden module to a folder of the workspace.');
    }
    return list.map(itemOf);
  });
  const options: vscode.QuickPickOptions = {
    title: `Select the Reference (Golden) Module of ${module}`,
    placeHolder: 'Best interface match first',
    matchOnDescription: true,
  };
  return vscode.window.showQuickPick(items, options, nothing.token);
}

function itemOf(candidate: ReferenceCandidate): CandidateItem {
  const current = candidate.current ? ' (current reference)' : '';
  return {
    label: `$(symbol-module) ${candidate.target.module}`,
    description: candidate.path,
    detail: `${candidate.match}${current}`,
    candidate,
  };
}
