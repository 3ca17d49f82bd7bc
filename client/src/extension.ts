import type * as vscode from 'vscode';
import { ServerClient } from './client.ts';
import { registerCommands } from './commands/index.ts';
import { offerSimulator } from './views/missing-simulator.ts';
import { ReportView } from './views/report.ts';
import { StatusView } from './views/status.ts';

let client: ServerClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  client = new ServerClient(context);
  const reports = new ReportView();
  context.subscriptions.push(
    client,
    reports,
    new StatusView(client),
    registerCommands({ client, reports }),
    client.onMissingSimulator((params) => void offerSimulator(params, context.globalState)),
  );
  await client.start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}
