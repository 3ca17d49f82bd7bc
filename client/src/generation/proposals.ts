import * as vscode from 'vscode';
import type { GenerateAnswer, Proposal } from '../../../server/src/protocol.ts';
import { movedBy, type Anchor, type Change } from './anchor.ts';

const scheme = 'rtl-copilot-proposal';

type Offer = Extract<GenerateAnswer, { kind: 'proposals' }>;

/** The edits of a document since a run began, so that its answer can be placed in the text as it is by then. */
export interface Edits {
  /** By the version that each led to. */
  readonly changes: readonly { readonly version: number; readonly changes: readonly Change[] }[];
  dispose(): void;
}

export function recordEdits(document: vscode.TextDocument): Edits {
  const changes: { version: number; changes: readonly Change[] }[] = [];
  const subscription = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.document === document && event.contentChanges.length > 0) changes.push({ version: document.version, changes: event.contentChanges });
  });
  return {
    changes,
    dispose: () => {
      subscription.dispose();
    },
  };
}

interface Preview {
  readonly document: vscode.TextDocument;
  readonly proposals: readonly Proposal[];
  uri: vscode.Uri;
  at: number;
  /** Undefined once an edit touched what the module would take the place of. */
  anchor: Anchor | undefined;
}

const OVERTAKEN = 'The text that the module would take the place of was edited meanwhile; generate it again.';

/** Shows modules that may take the place of what is there as differences from the document. Only an accept changes the document, in one undo step. */
export class ProposalView implements vscode.Disposable, vscode.TextDocumentContentProvider {
  readonly #contentChanged = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions: vscode.Disposable;
  #preview: Preview | undefined;
  #count = 0;

  readonly onDidChange = this.#contentChanged.event;

  constructor() {
    this.#subscriptions = vscode.Disposable.from(
      this.#contentChanged,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document === this.#preview?.document) void this.reject();
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.some((tab) => this.#isPreview(tab))) this.#end();
      }),
    );
  }

  provideTextDocumentContent(): string {
    const preview = this.#preview;
    if (!preview) return '';
    const text = preview.document.getText();
    const { anchor } = preview;
    return anchor === undefined ? text : text.slice(0, anchor.start) + this.#proposal(preview).code + text.slice(anchor.end);
  }

  /** Opens the best proposal. Answers why it cannot be shown, in one sentence, or undefined. */
  async show(document: vscode.TextDocument, { version, span, proposals }: Offer, edits: Edits): Promise<string | undefined> {
    await this.reject();
    let anchor: Anchor | undefined = span;
    for (const edit of edits.changes) if (edit.version > version) anchor = anchor && movedBy(anchor, edit.changes);
    if (anchor === undefined) return OVERTAKEN;
    this.#preview = { document, proposals, uri: this.#freshUri(document), at: 0, anchor };
    await this.#open(this.#preview);
    return undefined;
  }

  /** Puts the shown module into the document. Answers why it was not done, in one sentence, or undefined. */
  async accept(): Promise<string | undefined> {
    const preview = this.#preview;
    if (!preview) return 'There is no module to accept.';
    const { document, anchor } = preview;
    if (anchor === undefined) return OVERTAKEN;
    const { code } = this.#proposal(preview);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, rangeOf(document, anchor), code);
    this.#preview = undefined;
    if (!(await vscode.workspace.applyEdit(edit))) {
      this.#preview = preview;
      return 'The editor did not take the module; try again.';
    }
    await this.#close(preview);
    const editor = await vscode.window.showTextDocument(document);
    const at = document.positionAt(anchor.start + (/^\s*/.exec(code)?.[0].length ?? 0));
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    return undefined;
  }

  /** Throws the proposals away; the document stays as it is. */
  async reject(): Promise<void> {
    const preview = this.#preview;
    if (!preview) return;
    this.#end();
    await this.#close(preview);
  }

  /** Lets the user pick another module, the best first. */
  async choose(): Promise<void> {
    const preview = this.#preview;
    if (!preview) return;
    const items = preview.proposals.map((proposal, at) => ({
      label: `${at === preview.at ? '$(check) ' : ''}${at + 1}. ${proposal.module}`,
      description: proposal.confidence,
      detail: proposal.notes.join(' '),
      at,
    }));
    const picked = await vscode.window.showQuickPick(items, { title: 'Generated Modules, Best First', placeHolder: 'Which one is to be shown?' });
    if (!picked || this.#preview !== preview || picked.at === preview.at) return;
    const before = preview.uri;
    preview.at = picked.at;
    // The title of a difference belongs to its address.
    preview.uri = this.#freshUri(preview.document);
    await this.#open(preview);
    await closeDiffTo(before);
  }

  /** What is known of the module that is shown. */
  get confidence(): string | undefined {
    return this.#preview && this.#proposal(this.#preview).confidence;
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #proposal({ proposals, at }: Preview): Proposal {
    const proposal = proposals[at];
    if (!proposal) throw new Error('A preview shows one of its proposals.');
    return proposal;
  }

  async #open(preview: Preview): Promise<void> {
    const { module, confidence } = this.#proposal(preview);
    const place = preview.proposals.length === 1 ? '' : ` (${preview.at + 1} of ${preview.proposals.length})`;
    const context = (key: string, value: unknown): Thenable<unknown> => vscode.commands.executeCommand('setContext', `rtlCopilot.${key}`, value);
    await context('proposal', true);
    await context('severalProposals', preview.proposals.length > 1);
    await vscode.commands.executeCommand('vscode.diff', preview.document.uri, preview.uri, `${module}${place}: ${confidence}`, { preview: true } satisfies vscode.TextDocumentShowOptions);
  }

  #end(): void {
    this.#preview = undefined;
    void vscode.commands.executeCommand('setContext', 'rtlCopilot.proposal', false);
  }

  async #close(preview: Preview): Promise<void> {
    void vscode.commands.executeCommand('setContext', 'rtlCopilot.proposal', false);
    await closeDiffTo(preview.uri);
  }

  /** Ends like the document's name, so that the language is known. */
  #freshUri({ uri, languageId }: vscode.TextDocument): vscode.Uri {
    const name = uri.path.split('/').at(-1) ?? 'module';
    const extension = languageId === 'verilog' ? '.v' : '.sv';
    return vscode.Uri.from({ scheme, path: `/${++this.#count}/${/\.\w+$/.test(name) ? name : name + extension}` });
  }

  #isPreview(tab: vscode.Tab): boolean {
    return this.#preview !== undefined && isDiffTo(tab, this.#preview.uri);
  }

  #follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const preview = this.#preview;
    if (document !== preview?.document || contentChanges.length === 0) return;
    preview.anchor = preview.anchor && movedBy(preview.anchor, contentChanges);
    this.#contentChanged.fire(preview.uri);
  }
}

async function closeDiffTo(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: list }) => list).filter((tab) => isDiffTo(tab, uri));
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
}

function isDiffTo(tab: vscode.Tab, uri: vscode.Uri): boolean {
  return tab.input instanceof vscode.TabInputTextDiff && tab.input.modified.toString() === uri.toString();
}

function rangeOf(document: vscode.TextDocument, { start, end }: Anchor): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
