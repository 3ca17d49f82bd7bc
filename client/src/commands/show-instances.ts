import * as vscode from 'vscode';
import { targetModule } from './context.ts';
import type { CommandContext } from './context.ts';

/** Peeks at the instances of a module. */
export async function showInstances(context: CommandContext, argument?: unknown): Promise<void> {
  const target = await targetModule(context, argument);
  if (!target) return;
  const uri = vscode.Uri.parse(target.uri);
  const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>('vscode.executeDocumentSymbolProvider', uri);
  const at = symbols?.find(({ name }) => name === target.module)?.selectionRange.start;
  if (!at) return;
  const [item] = await vscode.commands.executeCommand<vscode.CallHierarchyItem[]>('vscode.prepareCallHierarchy', uri, at);
  const calls = item ? await vscode.commands.executeCommand<vscode.CallHierarchyIncomingCall[]>('vscode.provideIncomingCalls', item) : [];
  const places = calls.flatMap(({ from, fromRanges }) => fromRanges.map((range) => new vscode.Location(from.uri, range)));
  await vscode.commands.executeCommand('editor.action.goToLocations', uri, at, places, 'peek', `No module instantiates ${target.module}.`);
}
