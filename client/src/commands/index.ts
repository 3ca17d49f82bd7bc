import * as vscode from 'vscode';
import { commands } from '../../../server/src/protocol.ts';
import { clearReference } from './clear-reference.ts';
import type { CommandContext } from './context.ts';
import { doctor } from './doctor.ts';
import { explain } from './explain.ts';
import { findFix } from './find-fix.ts';
import { fixFinding } from './fix-finding.ts';
import { generate } from './generate.ts';
import { findModel, setApiKey, toggleSuggestions } from './model.ts';
import { openSample } from './open-sample.ts';
import { acceptProposal, chooseProposal, rejectProposal } from './proposals.ts';
import { repair } from './repair.ts';
import { restartServer } from './restart-server.ts';
import { answerNow, showReasoning, stopGeneration } from './runs.ts';
import { selectReference } from './select-reference.ts';
import { showInstances } from './show-instances.ts';
import { showLog } from './show-log.ts';
import { showVerdict } from './show-verdict.ts';
import { verify } from './verify.ts';

type Handler = (context: CommandContext, argument?: unknown) => Promise<unknown>;

const handlers: Readonly<Record<keyof typeof commands, Handler>> = {
  verify,
  findFix,
  selectReference,
  clearReference,
  showVerdict,
  showInstances,
  restartServer,
  showLog,
  doctor,
  generate,
  explain,
  fixFinding,
  repair,
  acceptProposal,
  rejectProposal,
  chooseProposal,
  stopGeneration,
  answerNow,
  showReasoning,
  toggleSuggestions,
  setApiKey,
  findModel,
  openSample,
};

export function registerCommands(context: CommandContext): vscode.Disposable {
  const names = Object.keys(handlers) as (keyof typeof handlers)[];
  return vscode.Disposable.from(
    ...names.map((name) =>
      vscode.commands.registerCommand(commands[name], async (argument?: unknown) => {
        try {
          await handlers[name](context, argument);
        } catch (error) {
          context.client.log.error(`${commands[name]}: ${String(error)}`);
          void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
        }
      }),
    ),
  );
}
