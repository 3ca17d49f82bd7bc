import * as vscode from 'vscode';
import { propose } from '../generation/propose.ts';
import type { CommandContext } from './context.ts';

/** What a code action names. */
interface FindingTarget {
  readonly document: vscode.TextDocument;
  readonly position: vscode.Position;
  readonly message: string;
}

/** Lets the model rewrite the module around a finding of whatever source, so that the finding goes. */
export async function fixFinding(context: CommandContext, argument?: unknown): Promise<void> {
  const target = isFindingTarget(argument) ? argument : await findingAtCursor();
  if (!target) return;
  const { line, character } = target.position;
  await propose(context, target.document, 'Fix of a finding', { kind: 'fix', position: { line, character }, message: target.message });
}

function isFindingTarget(value: unknown): value is FindingTarget {
  return typeof value === 'object' && value !== null && 'document' in value && 'position' in value && 'message' in value && typeof value.message === 'string';
}

async function findingAtCursor(): Promise<FindingTarget | undefined> {
  const editor = vscode.window.activeTextEditor;
  const { active } = editor?.selection ?? {};
  const findings = editor && active ? vscode.languages.getDiagnostics(editor.document.uri).filter(({ range }) => range.start.line <= active.line && active.line <= range.end.line) : [];
  const [first, second] = findings;
  if (!editor || !first) {
    void vscode.window.showInformationMessage('Place the cursor on a line with a finding of the Problems view.');
    return undefined;
  }
  const items = findings.map((finding) => ({ label: finding.message.split('\n')[0] ?? '', description: finding.source ?? '', finding }));
  const picked = second === undefined ? first : (await vscode.window.showQuickPick(items, { title: 'Which finding is to be fixed?' }))?.finding;
  return picked && { document: editor.document, position: picked.range.start, message: picked.message };
}
