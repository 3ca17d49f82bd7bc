import * as vscode from 'vscode';

const scheme = 'rtl-copilot-report';
/** Of the Markdown extension that comes with the editor; a locked preview does not follow other Markdown files. */
const previewCommand = 'markdown.showLockedPreviewToSide';

/** Read-only documents for texts that the server writes. */
export class ReportView implements vscode.Disposable, vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;

  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /**
   * Opens the report of that title beside the source as a rendered page, or replaces its text where it is open. Without the editor's
   * Markdown support its source is shown.
   */
  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${title.replaceAll('/', '∕')}.md` });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    try {
      await vscode.commands.executeCommand(previewCommand, uri);
    } catch {
      await showSource(uri);
    }
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

async function showSource(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}
