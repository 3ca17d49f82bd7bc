import { CompletionItemKind, InsertTextFormat, MarkupKind } from 'vscode-languageserver';
import type { CompletionItem, CompletionList, Connection, Hover, Range, ServerCapabilities, SignatureHelp } from 'vscode-languageserver';
import { completionDocumentation, completions } from '../features/names/completion.ts';
import type { Completion } from '../features/names/completion.ts';
import { hover } from '../features/names/hover.ts';
import { signatureAt } from '../features/names/signature.ts';
import { ask, rangeOf } from './asked.ts';
import type { Asked } from './asked.ts';
import type { Session } from './session.ts';

export const writingCapabilities = {
  hoverProvider: true,
  completionProvider: { triggerCharacters: ['.', '`', '$', ':'], resolveProvider: true },
  signatureHelpProvider: { triggerCharacters: ['(', ','] },
} as const satisfies ServerCapabilities;

/** Binds what helps while writing. */
export function bindWriting(connection: Connection, session: () => Session | undefined): void {
  /** The last list, for questions about one of its items. */
  let offered: { readonly asked: Asked; readonly items: readonly Completion[] } | undefined;

  connection.onHover(async (params, token): Promise<Hover | undefined> => {
    const asked = await ask(session(), params, token);
    const found = asked && hover(asked.snapshot, asked.file, asked.offset);
    return found && { contents: { kind: MarkupKind.Markdown, value: found.text }, range: rangeOf(asked, found.span) };
  });

  connection.onCompletion(async (params, token): Promise<CompletionList | undefined> => {
    const asked = await ask(session(), params, token);
    if (!asked) return undefined;
    const { span, items } = completions(asked.snapshot, asked.file, asked.offset);
    // A single colon opens nothing.
    if (params.context?.triggerCharacter === ':' && !/::$/.test(asked.session.context.sources.textOf(asked.file).text.slice(Math.max(0, asked.offset - 2), asked.offset))) return { isIncomplete: false, items: [] };
    offered = { asked, items };
    const range = rangeOf(asked, span);
    const snippets = asked.session.context.capabilities.textDocument?.completion?.completionItem?.snippetSupport === true;
    return { isIncomplete: false, items: items.map((item, at) => completionItem(item, at, range, snippets)) };
  });

  connection.onCompletionResolve((item): CompletionItem => {
    const ref = typeof item.data === 'number' ? offered?.items[item.data]?.ref : undefined;
    if (!offered || !ref) return item;
    return { ...item, documentation: { kind: MarkupKind.Markdown, value: completionDocumentation(offered.asked.snapshot, ref) } };
  });

  connection.onSignatureHelp(async (params, token): Promise<SignatureHelp | undefined> => {
    const asked = await ask(session(), params, token);
    const found = asked && signatureAt(asked.snapshot, asked.file, asked.offset);
    if (!found) return undefined;
    const parameters = found.parameters.map(({ span, comment }) => ({ label: [span.start, span.end] as [number, number], documentation: comment }));
    // An index behind the last one marks none.
    return { signatures: [{ label: found.label, documentation: found.comment, parameters }], activeSignature: 0, activeParameter: found.active ?? parameters.length };
  });
}

function completionItem(item: Completion, data: number, range: Range, snippets: boolean): CompletionItem {
  const newText = item.isSnippet && !snippets ? item.insert.replace(/\$\{\d+:((?:\\.|[^}])*)\}/g, '$1').replace(/\\([$}\\])/g, '$1') : item.insert;
  return {
    label: item.label,
    kind: kinds[item.kind],
    detail: item.detail,
    data,
    sortText: String(item.rank).padStart(4, '0') + item.label,
    textEdit: { range, newText },
    insertTextFormat: item.isSnippet && snippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
  };
}

const kinds: Readonly<Record<Completion['kind'], CompletionItemKind>> = {
  module: CompletionItemKind.Class,
  interface: CompletionItemKind.Interface,
  program: CompletionItemKind.Class,
  package: CompletionItemKind.Module,
  primitive: CompletionItemKind.Class,
  class: CompletionItemKind.Class,
  checker: CompletionItemKind.Class,
  config: CompletionItemKind.File,
  port: CompletionItemKind.Field,
  net: CompletionItemKind.Variable,
  variable: CompletionItemKind.Variable,
  parameter: CompletionItemKind.Constant,
  'type-parameter': CompletionItemKind.TypeParameter,
  genvar: CompletionItemKind.Variable,
  typedef: CompletionItemKind.Struct,
  'enum-member': CompletionItemKind.EnumMember,
  member: CompletionItemKind.Field,
  function: CompletionItemKind.Function,
  task: CompletionItemKind.Method,
  argument: CompletionItemKind.Variable,
  instance: CompletionItemKind.Reference,
  block: CompletionItemKind.Reference,
  modport: CompletionItemKind.Interface,
  clocking: CompletionItemKind.Event,
  property: CompletionItemKind.Property,
  sequence: CompletionItemKind.Property,
  covergroup: CompletionItemKind.Class,
  coverpoint: CompletionItemKind.Field,
  constraint: CompletionItemKind.Property,
  specparam: CompletionItemKind.Constant,
  macro: CompletionItemKind.Constant,
  keyword: CompletionItemKind.Keyword,
  system: CompletionItemKind.Function,
  'instance-text': CompletionItemKind.Snippet,
};
