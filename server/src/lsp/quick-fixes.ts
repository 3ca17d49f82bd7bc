import { CodeActionKind } from 'vscode-languageserver';
import type { CancellationToken, CodeAction, CodeActionParams, Connection, ServerCapabilities } from 'vscode-languageserver';
import { actionsAt } from '../features/names/actions.ts';
import { quickFixes } from '../features/rule-findings.ts';
import { ask } from './asked.ts';
import { pathOf } from './convert.ts';
import { workspaceEdit } from './navigation.ts';
import type { Session } from './session.ts';

export const quickFixCapabilities: ServerCapabilities = { codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite] } };

export function bindQuickFixes(connection: Connection, session: () => Session | undefined): void {
  connection.onCodeAction(async (params, token) => [...actions(session(), params), ...(await nameActions(session(), params, token))]);
}

/** What can be done with an instance or an undeclared name. */
async function nameActions(session: Session | undefined, { textDocument, range, context: { only } }: CodeActionParams, token: CancellationToken): Promise<CodeAction[]> {
  const asked = await ask(session, { textDocument, position: range.start }, token);
  if (!asked) return [];
  const kinds = { fix: CodeActionKind.QuickFix, rewrite: CodeActionKind.RefactorRewrite };
  return actionsAt(asked.snapshot, asked.file, asked.offset)
    .map(({ title, edits, kind }): CodeAction => ({ title, kind: kinds[kind], edit: workspaceEdit(asked, edits) }))
    .filter(({ kind }) => !only || only.some((wanted) => kind === wanted || kind?.startsWith(`${wanted}.`) === true));
}

function actions(session: Session | undefined, { textDocument: { uri }, range, context: { only, diagnostics } }: CodeActionParams): CodeAction[] {
  const file = pathOf(uri);
  const result = session?.rules.of(file);
  const document = session?.context.sources.document(file);
  if (!result || !document || (only && !only.some((kind) => CodeActionKind.QuickFix.startsWith(kind)))) return [];
  const { text } = result;
  const at = { start: text.offset(range.start), end: text.offset(range.end) };
  return quickFixes(text.text, result.findings, at).map(({ title, finding, changes, isPreferred }): CodeAction => {
    const start = text.position(finding.span.start);
    const told = diagnostics.filter(({ code, range: place }) => code === finding.rule && place.start.line === start.line && place.start.character === start.character);
    const edits = changes.map((change) => ({ range: text.range(change.span), newText: change.text }));
    return {
      title,
      kind: CodeActionKind.QuickFix,
      isPreferred,
      diagnostics: told,
      edit: { documentChanges: [{ textDocument: { uri: document.uri, version: document.version }, edits }] },
    };
  });
}
