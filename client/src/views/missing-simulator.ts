import * as vscode from 'vscode';
import type { MissingSimulatorParams } from '../../../server/src/protocol.ts';
import { useEmbeddedEngine } from '../settings.ts';

const silencedKey = 'missingSimulator.silenced';

/** Says that no simulator is installed; the server sends this once a session, and the user can silence it for good. */
export async function offerSimulator({ message, installCommand }: MissingSimulatorParams, memory: vscode.Memento): Promise<void> {
  if (memory.get<boolean>(silencedKey) === true) return;
  const copy = 'Copy Install Command';
  const embedded = 'Use Embedded Engine';
  const silence = "Don't Show Again";
  const actions = [...(installCommand === undefined ? [] : [copy]), embedded, silence];
  const chosen = await vscode.window.showInformationMessage(message, ...actions);
  if (chosen === copy && installCommand !== undefined) await vscode.env.clipboard.writeText(installCommand);
  if (chosen === embedded) await useEmbeddedEngine();
  if (chosen === silence) await memory.update(silencedKey, true);
}
