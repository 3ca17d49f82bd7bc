import type * as vscode from 'vscode';
import { ServerClient } from './client.ts';
import { registerCommands } from './commands/index.ts';
import { ProposalView } from './generation/proposals.ts';
import { Runs } from './generation/runs.ts';
import { ApiKey } from './secrets.ts';
import { offerSimulator } from './views/missing-simulator.ts';
import { ModelActions } from './views/model-actions.ts';
import { ModelStatusView } from './views/model-status.ts';
import { ReasoningView } from './views/reasoning.ts';
import { InactiveView } from './views/inactive.ts';
import { ReportView } from './views/report.ts';
import { StatusView } from './views/status.ts';

let client: ServerClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  client = new ServerClient(context);
  const reports = new ReportView();
  const runs = new Runs(client);
  const proposals = new ProposalView();
  const reasoning = new ReasoningView(context.extensionUri, runs);
  const apiKey = new ApiKey(context.secrets, client);
  context.subscriptions.push(
    client,
    reports,
    runs,
    proposals,
    reasoning,
    apiKey,
    new StatusView(client),
    new InactiveView(client),
    new ModelStatusView(client, runs),
    new ModelActions(client),
    registerCommands({ client, reports, runs, proposals, reasoning, apiKey, extension: context }),
    client.onMissingSimulator((params) => void offerSimulator(params, context.globalState)),
  );
  await client.start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}
