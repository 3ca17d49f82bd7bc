import * as vscode from 'vscode';
import { commands } from '../../../server/src/protocol.ts';
import type { StatusParams } from '../../../server/src/protocol.ts';
import type { ServerClient, ServerState } from '../client.ts';

interface Face {
  readonly icon: string;
  readonly text: string;
  readonly tooltip: string;
  readonly command: vscode.Command;
  readonly warning: boolean;
}

/** The item in the status bar: the state of the server and the last verdict. Shown beside Verilog files. */
export class StatusView implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #subscriptions: vscode.Disposable;
  #server: ServerState = 'starting';
  #status: StatusParams | undefined;

  constructor(client: ServerClient) {
    this.#item = vscode.window.createStatusBarItem('rtlCopilot.status', vscode.StatusBarAlignment.Left, 0);
    this.#item.name = 'RTL Copilot';
    this.#subscriptions = vscode.Disposable.from(
      this.#item,
      client.onState((state) => {
        this.#server = state;
        if (state !== 'running') this.#status = undefined;
        this.#render();
      }),
      client.onStatus((status) => {
        this.#status = status;
        this.#render();
      }),
      vscode.window.onDidChangeActiveTextEditor(() => this.#render()),
    );
    this.#render();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #render(): void {
    const language = vscode.window.activeTextEditor?.document.languageId;
    if (language !== 'verilog' && language !== 'systemverilog') {
      this.#item.hide();
      return;
    }
    const face = faceOf(this.#server, this.#status);
    this.#item.text = `$(${face.icon}) ${face.text}`;
    this.#item.tooltip = face.tooltip;
    this.#item.command = face.command;
    this.#item.accessibilityInformation = { label: `RTL Copilot: ${face.text}. ${face.tooltip}` };
    this.#item.backgroundColor = face.warning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.show();
  }
}

function faceOf(server: ServerState, status: StatusParams | undefined): Face {
  const showLog = { command: commands.showLog, title: 'Show Log' };
  if (server === 'stopped') {
    const command = { command: commands.restartServer, title: 'Restart Server' };
    return { icon: 'error', text: 'RTL Copilot', tooltip: 'The language server stopped. Select to restart it.', command, warning: true };
  }
  if (server === 'starting' || !status) {
    return { icon: 'loading~spin', text: 'RTL Copilot', tooltip: 'The language server is starting. Select to show the log.', command: showLog, warning: false };
  }
  const modules = `${status.modules.toLocaleString('en-US')} module${status.modules === 1 ? '' : 's'} known.${status.lint === undefined ? '' : ` ${status.lint}`}`;
  if (status.state === 'verifying') return { icon: 'loading~spin', text: 'Verifying', tooltip: `${modules} Select to show the log.`, command: showLog, warning: false };
  if (status.state === 'indexing') return { icon: 'loading~spin', text: 'RTL Copilot', tooltip: `Looking for modules: ${modules} Select to show the log.`, command: showLog, warning: false };
  const { last } = status;
  if (!last) return { icon: 'circuit-board', text: 'RTL Copilot', tooltip: `${modules} Select to show the log.`, command: showLog, warning: false };
  const command = { command: commands.showVerdict, title: 'Show Last Verdict', arguments: [last.target] };
  return { icon: 'circuit-board', text: `${last.target.module}: ${last.stale ? 'stale verdict' : last.label}`, tooltip: `${last.stale ? `The sources were edited since: ${last.label}. ` : ''}${modules} Select to show the evidence.`, command, warning: false };
}
