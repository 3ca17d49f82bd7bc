import * as vscode from 'vscode';
import { commands } from '../../../server/src/protocol.ts';
import type { ModelFace, ModelStatus } from '../../../server/src/protocol.ts';
import type { ServerClient } from '../client.ts';
import type { RunState } from '../generation/run-state.ts';
import type { Runs } from '../generation/runs.ts';

interface Face {
  readonly text: string;
  /** Markdown; the first line says what a click does. */
  readonly tooltip: string;
  readonly command: string;
}

const TICK_MS = 1000;

/** The item in the status bar about the model: which one there is, whether it suggests while typing, and how a generation goes on. Never louder than a text. */
export class ModelStatusView implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #runs: Runs;
  readonly #subscriptions: vscode.Disposable;
  #status: ModelStatus | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(client: ServerClient, runs: Runs) {
    this.#runs = runs;
    this.#item = vscode.window.createStatusBarItem('rtlCopilot.model', vscode.StatusBarAlignment.Left, -1);
    this.#item.name = 'RTL Copilot Model';
    this.#subscriptions = vscode.Disposable.from(
      this.#item,
      client.onModels((status) => {
        this.#status = status;
        this.#render();
      }),
      client.onState((state) => {
        if (state !== 'running') this.#status = undefined;
        this.#render();
      }),
      runs.onDidChange(() => this.#render()),
      vscode.window.onDidChangeActiveTextEditor(() => this.#render()),
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscriptions.dispose();
  }

  #render(): void {
    clearTimeout(this.#timer);
    const run = this.#runs.state;
    const running = run?.phase === 'running' ? run : undefined;
    if (running) this.#timer = setTimeout(() => this.#render(), TICK_MS);
    const language = vscode.window.activeTextEditor?.document.languageId;
    const face = running ? faceOfRun(running) : this.#status?.trusted === true && (language === 'verilog' || language === 'systemverilog') ? faceOf(this.#status) : undefined;
    if (!face) {
      this.#item.hide();
      return;
    }
    this.#item.text = face.text;
    this.#item.tooltip = tooltip(face.tooltip);
    this.#item.command = face.command;
    const words = `${face.text} ${face.tooltip}`.replace(/\$\([\w~-]+\)/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ').trim();
    this.#item.accessibilityInformation = { label: `RTL Copilot model: ${words}` };
    this.#item.show();
  }
}

function tooltip(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(text, true);
  markdown.isTrusted = { enabledCommands: [commands.findModel, commands.setApiKey, commands.doctor, commands.toggleSuggestions] };
  return markdown;
}

function faceOfRun(run: RunState): Face {
  const seconds = Math.round((Date.now() - run.startedAt) / 1000);
  const rate = run.replies.reduce((sum, { tokensPerSecond, stages }) => sum + (stages.write === 'started' ? tokensPerSecond : 0), 0);
  const speed = rate > 0 ? ` · ${Math.round(rate)} tok/s` : '';
  return { text: `$(loading~spin) Generating ${seconds} s${speed}`, tooltip: ['Select to show the reasoning.', run.title, run.model ?? ''].join('\n\n'), command: commands.showReasoning };
}

function faceOf({ writer, infill }: ModelStatus): Face {
  const links = `[Look for a server](command:${commands.findModel}) · [Set API key](command:${commands.setApiKey}) · [Doctor](command:${commands.doctor})`;
  const suggestions = suggestionsText(infill);
  const model = infill.state === 'on' ? infill.model : writer.kind === 'found' ? writer.model : '';
  if (writer.kind === 'found' || infill.state === 'on') {
    const text = `${infill.state === 'on' ? '$(sparkle)' : '$(circle-slash)'} ${model === '' ? 'Model' : shortName(model)}`;
    return { text, tooltip: [suggestions, writerText(writer), links].join('\n\n'), command: infill.state === 'on' || infill.state === 'off' ? commands.toggleSuggestions : commands.doctor };
  }
  if (writer.kind === 'loading') return { text: '$(loading~spin) Model', tooltip: [writer.message, links].join('\n\n'), command: commands.findModel };
  return { text: '$(circle-slash) No model', tooltip: ['Select to look for a model server again.', writerText(writer), links].join('\n\n'), command: commands.findModel };
}

function suggestionsText(infill: ModelStatus['infill']): string {
  switch (infill.state) {
    case 'on':
      return 'Select to switch suggestions while typing off.';
    case 'off':
      return 'Suggestions while typing are off. Select to switch them on.';
    case 'waiting':
      return 'No server that completes lines was found.';
    case 'unable':
      return `No suggestions while typing: ${infill.message}`;
  }
}

function writerText(writer: ModelFace): string {
  switch (writer.kind) {
    case 'found':
      return `Modules are written by ${writer.model === '' ? 'the only model' : writer.model} at ${writer.server}.`;
    case 'unknown':
      return 'A model server was not looked for yet.';
    case 'loading':
    case 'none':
      return writer.message;
  }
}

/** Without the folder and the ending of a model file. */
function shortName(model: string): string {
  return (model.split(/[\\/]/).at(-1) ?? model).replace(/\.gguf$/i, '');
}
