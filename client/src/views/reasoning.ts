import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { RunState } from '../generation/run-state.ts';
import type { Runs } from '../generation/runs.ts';

export const reasoningView = 'rtlCopilot.reasoning';

/** The view is told of changes at most this often. */
const UPDATE_MS = 80;

/** The last characters of a text that the view is given at first. */
const MOST_TEXT = 100_000;

/** What the view's page is sent. `texts` are appended to what it has; `whole`: it has to begin anew. */
interface Update {
  readonly whole: boolean;
  readonly run: Omit<RunState, 'replies'> & { readonly replies: readonly Readonly<Record<string, unknown>>[] };
  readonly texts: readonly { readonly key: string; readonly kind: 'reasoning' | 'answer'; readonly text: string }[];
}

/** Shows how a run goes on: its stages, the model's reasoning as it arrives, and how to stop it. */
export class ReasoningView implements vscode.Disposable, vscode.WebviewViewProvider {
  readonly #runs: Runs;
  readonly #media: vscode.Uri;
  readonly #subscriptions: vscode.Disposable;
  #view: vscode.WebviewView | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** How much of each text the page has, by reply and kind. */
  readonly #sent = new Map<string, number>();
  #sentRun: number | undefined;

  constructor(extensionUri: vscode.Uri, runs: Runs) {
    this.#runs = runs;
    this.#media = vscode.Uri.joinPath(extensionUri, 'media');
    this.#subscriptions = vscode.Disposable.from(
      vscode.window.registerWebviewViewProvider(reasoningView, this),
      runs.onDidChange(() => this.#schedule()),
    );
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    const { webview } = view;
    webview.options = { enableScripts: true, localResourceRoots: [this.#media] };
    webview.onDidReceiveMessage((message: unknown) => {
      if (message === 'ready') {
        this.#sentRun = undefined;
        this.#send();
      } else if (message === 'stop') this.#runs.stop();
      else if (message === 'answer-now') void this.#runs.answerNow();
    });
    view.onDidDispose(() => {
      this.#view = undefined;
    });
    webview.html = page(webview, this.#media);
  }

  /** Opens the view without taking the keyboard from the editor, unless it is asked for by itself. */
  async reveal(focus: boolean): Promise<void> {
    if (this.#view && !focus) this.#view.show(true);
    else await vscode.commands.executeCommand(`${reasoningView}.focus`, { preserveFocus: !focus });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscriptions.dispose();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#send(), UPDATE_MS);
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { state } = this.#runs;
    if (!this.#view || !state) return;
    const whole = this.#sentRun !== state.startedAt || this.#isRewritten(state);
    if (whole) this.#sent.clear();
    this.#sentRun = state.startedAt;
    const texts = state.replies.flatMap((reply) =>
      (['reasoning', 'answer'] as const).flatMap((kind) => {
        const key = `${reply.sample}.${reply.round}`;
        const from = this.#sent.get(`${key}.${kind}`) ?? Math.max(0, reply[kind].length - MOST_TEXT);
        this.#sent.set(`${key}.${kind}`, reply[kind].length);
        return reply[kind].length > from ? [{ key, kind, text: reply[kind].slice(from) }] : [];
      }),
    );
    const replies = state.replies.map(({ reasoning, answer, ...reply }) => ({ ...reply, key: `${reply.sample}.${reply.round}`, reasoned: reasoning.length > 0, answered: answer.length > 0 }));
    void this.#view.webview.postMessage({ whole, run: { ...state, replies }, texts } satisfies Update);
  }

  /** What was shown as an answer turned out to be reasoning. */
  #isRewritten({ replies }: RunState): boolean {
    return replies.some(({ sample, round, answer }) => answer.length < (this.#sent.get(`${sample}.${round}.answer`) ?? 0));
  }
}

function page(webview: vscode.Webview, media: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file('reasoning.css')}">
<title>Reasoning</title>
</head>
<body>
<header>
<div id="head"><h1 id="title"></h1><p id="facts"></p></div>
<div id="actions"><button id="answer-now" type="button" title="Stop thinking and write the answer">Answer now</button><button id="stop" type="button" title="End the run; what came through is shown, and nothing is changed">Stop</button></div>
</header>
<p id="note" role="status" aria-live="polite"></p>
<ul id="candidates" aria-label="Modules that came through"></ul>
<main id="replies"></main>
<p id="empty">Generate a module from a comment, and the model's reasoning appears here while it thinks.</p>
<script nonce="${nonce}" src="${file('reasoning.js')}"></script>
</body>
</html>`;
}
