import * as vscode from 'vscode';
import type { ServerClient } from '../client.ts';

/** Dims what conditionals leave out. */
export class InactiveView implements vscode.Disposable {
  readonly #client: ServerClient;
  readonly #decoration = vscode.window.createTextEditorDecorationType({ opacity: '0.55', rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed });
  readonly #ranges = new Map<string, readonly vscode.Range[]>();
  readonly #subscriptions: vscode.Disposable;

  constructor(client: ServerClient) {
    this.#client = client;
    this.#subscriptions = vscode.Disposable.from(
      this.#decoration,
      client.onInactive(({ uri, ranges }) => {
        this.#ranges.set(uri, ranges.map(({ start, end }) => new vscode.Range(start.line, start.character, end.line, end.character)));
        this.#show();
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#show()),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#ranges.delete(client.uriOf(uri))),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #show(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const ranges = this.#ranges.get(this.#client.uriOf(editor.document.uri));
      if (ranges) editor.setDecorations(this.#decoration, [...ranges]);
    }
  }
}
