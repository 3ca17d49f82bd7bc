import * as vscode from 'vscode';

const scheme = 'rtl-copilot-report';

/** Read-only documents for texts that the server writes. */
export class ReportView implements vscode.Disposable, vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;

  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#registration = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === scheme) this.#texts.delete(uri.toString());
      }),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** Opens the report of that title beside the source, or replaces its text where it is open. The user asked for it, so it takes the focus. */
  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${title.replaceAll('/', '∕')}.md` });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: reportColumn() ?? vscode.ViewColumn.Beside, preview: true });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

/** The column that shows a report already, so that reports do not split the window again and again. */
function reportColumn(): vscode.ViewColumn | undefined {
  const holdsReport = ({ input }: vscode.Tab): boolean => input instanceof vscode.TabInputText && input.uri.scheme === scheme;
  return vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(holdsReport))?.viewColumn;
}
