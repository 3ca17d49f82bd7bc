import * as vscode from 'vscode';

const section = 'rtlCopilot';

/** Makes the embedded engine decide from now on, on this machine and in every workspace. */
export async function useEmbeddedEngine(): Promise<void> {
  await vscode.workspace.getConfiguration(section).update('verify.engine', 'yosys-wasm', vscode.ConfigurationTarget.Global);
}
