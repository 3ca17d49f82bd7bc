import { CodeActionKind } from 'vscode-languageserver';
import type { CancellationToken, CodeAction, CodeActionParams, Connection, ServerCapabilities } from 'vscode-languageserver';
import { actionsAt } from '../features/names/actions.ts';
import { quickFixes } from '../features/rule-findings.ts';
import { ask } from './asked.ts';
import { pathOf } from './convert.ts';
import { workspaceEdit } from './navigation.ts';
import type { Session } from './session.ts';
import { verdictActions } from './verdict-actions.ts';

export const quickFixCapabilities: ServerCapabilities = { codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite] } };

export function bindQuickFixes(connection: Connection, session: () => Session | undefined): void {
  connection.onCodeAction(async (params, token) => {
    const asksForFixes = params.context.only?.some((kind) => CodeActionKind.QuickFix.startsWith(kind)) ?? true;
    const { offered, mended } = asksForFixes ? ruleActions(session(), params) : { offered: [], mended: new Set<string>() };
    return [...(asksForFixes ? verdictActions(session(), params) : []), ...offered, ...(await nameActions(session(), params, mended, token))];
  });
}

/** What can be done with an instance or an undeclared name, beside what mends the findings of these rules. */
async function nameActions(session: Session | undefined, { textDocument, range, context: { only } }: CodeActionParams, mended: ReadonlySet<string>, token: CancellationToken): Promise<CodeAction[]> {
  const asked = await ask(session, { textDocument, position: range.start }, token);
  if (!asked) return [];
  const kinds = { fix: CodeActionKind.QuickFix, rewrite: CodeActionKind.RefactorRewrite };
  return actionsAt(asked.snapshot, asked.file, asked.offset)
    .filter(({ answers }) => answers === undefined || !mended.has(answers))
    .map(({ title, edits, kind }): CodeAction => ({ title, kind: kinds[kind], edit: workspaceEdit(asked, edits) }))
    .filter(({ kind }) => !only || only.some((wanted) => kind === wanted || kind?.startsWith(`${wanted}.`) === true));
}

interface RuleActions {
  readonly offered: readonly CodeAction[];
  /** The rules for whose findings something that mends them is offered. */
  readonly mended: ReadonlySet<string>;
}

/** What can be done about what the rules found. */
function ruleActions(session: Session | undefined, { textDocument: { uri }, range, context: { diagnostics } }: CodeActionParams): RuleActions {
  const file = pathOf(uri);
  const result = session?.rules.of(file);
  const document = session?.context.sources.document(file);
  if (!result || !document) return { offered: [], mended: new Set() };
  const { text } = result;
  const at = { start: text.offset(range.start), end: text.offset(range.end) };
  const fixes = quickFixes(text.text, result.findings, at);
  const offered = fixes.map(({ title, finding, changes, isPreferred }): CodeAction => {
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
  return { offered, mended: new Set(fixes.flatMap(({ finding, mends }) => (mends ? [finding.rule] : []))) };
}
