import * as vscode from 'vscode';

const section = 'rtlCopilot';

/** Makes the embedded engine decide from now on, on this machine and in every workspace. */
export async function useEmbeddedEngine(): Promise<void> {
  await vscode.workspace.getConfiguration(section).update('verify.engine', 'yosys-wasm', vscode.ConfigurationTarget.Global);
}

/** Switches suggestions while typing on or off, on this machine and in every workspace that does not say otherwise. */
export async function toggleSuggestionsSetting(): Promise<void> {
  const settings = vscode.workspace.getConfiguration(section);
  const enabled = settings.get<boolean>('infill.enable') !== false;
  await settings.update('infill.enable', !enabled, vscode.ConfigurationTarget.Global);
}
