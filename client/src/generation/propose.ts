import * as vscode from 'vscode';
import { commands, methods } from '../../../server/src/protocol.ts';
import type { GenerateAnswer, GenerateParams } from '../../../server/src/protocol.ts';
import type { CommandContext } from '../commands/context.ts';
import { recordEdits } from './proposals.ts';
import type { RunEnd } from './runs.ts';

/** Asks for modules and shows them beside the document's text. The document is changed by nothing here. */
export async function propose(context: CommandContext, document: vscode.TextDocument, title: string, task: GenerateParams['task']): Promise<void> {
  const { client, proposals } = context;
  const edits = recordEdits(document);
  try {
    const answer = await withReasoning(context, () =>
      context.runs.start(title, (run, token) => client.request(methods.generate, { run, uri: client.uriOf(document.uri), task }, token), endOf),
    );
    if (answer?.kind === 'failed') void tellFailure(answer, document, task);
    if (answer?.kind !== 'proposals') return;
    const refused = document.isClosed ? undefined : await proposals.show(document, answer, edits);
    if (refused !== undefined) void vscode.window.showWarningMessage(refused);
  } finally {
    edits.dispose();
  }
}

/** Opens the reasoning view as soon as a model works. */
export async function withReasoning<T>({ runs, reasoning }: CommandContext, work: () => Promise<T>): Promise<T> {
  let opened = false;
  const subscription = runs.onDidChange(({ model }) => {
    if (model === undefined || opened) return;
    opened = true;
    void reasoning.reveal(false);
  });
  try {
    return await work();
  } finally {
    subscription.dispose();
  }
}

function endOf(answer: GenerateAnswer): RunEnd {
  switch (answer.kind) {
    case 'proposals':
      return { phase: 'done', candidates: answer.proposals.map(({ module, confidence }) => `${module}: ${confidence}`) };
    case 'failed':
      return { phase: 'failed', note: answer.reason };
    case 'cancelled':
      return { phase: 'stopped' };
  }
}

async function tellFailure({ reason, startCommand, tableProblems }: Extract<GenerateAnswer, { kind: 'failed' }>, document: vscode.TextDocument, task: GenerateParams['task']): Promise<void> {
  if (tableProblems && task.kind === 'comment') {
    const model = 'Use Model Instead';
    if ((await vscode.window.showWarningMessage(reason, model)) === model) await vscode.commands.executeCommand(commands.generate, { uri: document.uri.toString(), line: task.line, model: true });
    return;
  }
  await tellWithStartCommand(reason, startCommand);
}

/** Says why nothing came, with the command that starts a server where that would help. */
export async function tellWithStartCommand(reason: string, startCommand: string | undefined): Promise<void> {
  const copy = 'Copy Start Command';
  const chosen = await vscode.window.showWarningMessage(reason, ...(startCommand === undefined ? [] : [copy]));
  if (chosen === copy && startCommand !== undefined) await vscode.env.clipboard.writeText(startCommand);
}
