import { CodeActionKind } from 'vscode-languageserver';
import type { CodeAction, CodeActionParams } from 'vscode-languageserver';
import type { Span } from '../base/text.ts';
import { fixVerdict } from '../features/verdict-text.ts';
import { commands } from '../protocol.ts';
import type { ModuleTarget } from '../protocol.ts';
import { pathOf } from './convert.ts';
import type { Session } from './session.ts';

/** What can be done about a module that differs from its golden: the small changes that make it right, or a search for them. */
export function verdictActions(session: Session | undefined, { textDocument: { uri }, range, context: { diagnostics } }: CodeActionParams): CodeAction[] {
  const file = pathOf(uri);
  const document = session?.context.sources.document(file);
  if (!session || !document) return [];
  const text = session.context.sources.textOf(file);
  const asked = { start: text.offset(range.start), end: text.offset(range.end) };
  const isAsked = ({ start, end }: Span): boolean => start <= asked.end && asked.start <= end;
  const told = diagnostics.filter(({ code }) => code === 'different');
  return session.context.verdicts.all.flatMap((verdict): CodeAction[] => {
    const { dut, result } = verdict;
    const { mismatch, fix } = result;
    if (dut.file !== file || mismatch === undefined || session.verifier.isStale(verdict)) return [];
    const isAtPort = mismatch.dut?.file === file && isAsked(mismatch.dut.span);
    if (fix === undefined) {
      const target: ModuleTarget = { uri, module: dut.module };
      const title = `Look for a small change that makes ${dut.module} right`;
      return isAtPort ? [{ title, kind: CodeActionKind.QuickFix, diagnostics: told, command: { title, command: commands.findFix, arguments: [target] } }] : [];
    }
    return fix.fixes.flatMap((found, index): CodeAction[] => {
      const place = text.range(found.span);
      if (found.file !== file || (!isAtPort && (range.end.line < place.start.line || place.end.line < range.start.line))) return [];
      return [
        {
          title: `Change to '${found.after}' (${fixVerdict(found)})`,
          kind: CodeActionKind.QuickFix,
          isPreferred: index === 0,
          diagnostics: isAtPort ? told : [],
          edit: { documentChanges: [{ textDocument: { uri: document.uri, version: document.version }, edits: [{ range: place, newText: found.text }] }] },
        },
      ];
    });
  });
}
