import * as vscode from 'vscode';
import { methods } from '../../../server/src/protocol.ts';
import type { ModuleTarget } from '../../../server/src/protocol.ts';
import type { ServerClient } from '../client.ts';
import type { ProposalView } from '../generation/proposals.ts';
import type { Runs } from '../generation/runs.ts';
import type { ApiKey } from '../secrets.ts';
import type { ReasoningView } from '../views/reasoning.ts';
import type { ReportView } from '../views/report.ts';

export interface CommandContext {
  readonly client: ServerClient;
  readonly reports: ReportView;
  readonly runs: Runs;
  readonly proposals: ProposalView;
  readonly reasoning: ReasoningView;
  readonly apiKey: ApiKey;
  readonly extension: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>;
}

/**
 * The module a command is for: the one that a lens names, else the one around the cursor, else the user's choice among those
 * of the active file. Undefined when there is none or the user gave up; the user has been told then.
 */
export async function targetModule({ client }: CommandContext, argument: unknown): Promise<ModuleTarget | undefined> {
  if (isTarget(argument)) return { uri: argument.uri, module: argument.module };
  const editor = vscode.window.activeTextEditor;
  if (!editor || !/^(?:system)?verilog$/.test(editor.document.languageId)) {
    void vscode.window.showInformationMessage('Open a Verilog or SystemVerilog file and place the cursor in a module.');
    return undefined;
  }
  const uri = client.uriOf(editor.document.uri);
  const { line, character } = editor.selection.active;
  const { module, modules } = await client.request(methods.moduleAt, { uri, position: { line, character } });
  if (module !== undefined) return { uri, module };
  if (modules.length === 0) {
    void vscode.window.showInformationMessage('This file defines no module.');
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(modules, { title: 'Which module?' });
  return picked === undefined ? undefined : { uri, module: picked };
}

function isTarget(value: unknown): value is ModuleTarget {
  return (
    typeof value === 'object' && value !== null && 'uri' in value && typeof value.uri === 'string' && 'module' in value && typeof value.module === 'string'
  );
}
