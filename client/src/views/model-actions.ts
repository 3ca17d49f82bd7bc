import * as vscode from 'vscode';
import { commands } from '../../../server/src/protocol.ts';
import type { ServerClient } from '../client.ts';

/** Code of the diagnostics with which a verification marks the outputs that differ. */
const DIFFERENT = 'different';

const languages = ['verilog', 'systemverilog'];

/** Offers the model for the findings of whatever source. Nothing is offered while no model is known. */
export class ModelActions implements vscode.Disposable, vscode.CodeActionProvider {
  readonly #subscriptions: vscode.Disposable;
  #hasModel = false;

  constructor(client: ServerClient) {
    this.#subscriptions = vscode.Disposable.from(
      client.onModels(({ writer }) => {
        this.#hasModel = writer.kind === 'found';
      }),
      vscode.languages.registerCodeActionsProvider(
        ['file', 'untitled'].flatMap((scheme) => languages.map((language) => ({ scheme, language }))),
        this,
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    );
  }

  provideCodeActions(document: vscode.TextDocument, _range: vscode.Range, { diagnostics }: vscode.CodeActionContext): vscode.CodeAction[] {
    if (!this.#hasModel) return [];
    return diagnostics.map((diagnostic) => (diagnostic.code === DIFFERENT ? repairOf(diagnostic) : fixOf(document, diagnostic)));
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}

function fixOf(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  return actionOf('Fix with the model', commands.fixFinding, diagnostic, [{ document, position: diagnostic.range.start, message: diagnostic.message }]);
}

/** The command takes the module around the cursor. */
function repairOf(diagnostic: vscode.Diagnostic): vscode.CodeAction {
  return actionOf('Repair against the reference with the model', commands.repair, diagnostic, []);
}

function actionOf(title: string, command: string, diagnostic: vscode.Diagnostic, args: unknown[]): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { title, command, arguments: args };
  action.diagnostics = [diagnostic];
  return action;
}
