import { FoldingRangeKind, InlayHintKind, SemanticTokensRequest, SymbolKind } from 'vscode-languageserver';
import type {
  CallHierarchyItem,
  Connection,
  DocumentLink,
  DocumentSymbol as SymbolInEditor,
  FoldingRange,
  InlayHint,
  Range,
  SelectionRange,
  SemanticTokens,
  ServerCapabilities,
  SymbolInformation,
} from 'vscode-languageserver';
import type { OutlineSymbol } from '../features/outline.ts';
import { documentSymbols, workspaceSymbols } from '../features/names/document-symbols.ts';
import type { DocumentSymbol, SymbolKindName } from '../features/names/document-symbols.ts';
import { hierarchyAbove, hierarchyAt, hierarchyBelow } from '../features/names/hierarchy.ts';
import type { HierarchyItem } from '../features/names/hierarchy.ts';
import { inlayHints } from '../features/names/inlay-hints.ts';
import { semanticTokens, semanticTokensInSteps, TOKEN_MODIFIERS, TOKEN_TYPES } from '../features/names/semantic-tokens.ts';
import type { SemanticToken } from '../features/names/semantic-tokens.ts';
import { foldsInSteps, selections } from '../features/structure.ts';
import type { Fold } from '../features/structure.ts';
import { inSlices } from '../base/steps.ts';
import { longText } from './analysis.ts';
import type { PlacedText } from './convert.ts';
import { ask, locationOf, rangeOf } from './asked.ts';
import type { Asked } from './asked.ts';
import type { Session } from './session.ts';

export const outlookCapabilities = {
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  semanticTokensProvider: { legend: { tokenTypes: [...TOKEN_TYPES], tokenModifiers: [...TOKEN_MODIFIERS] }, full: true, range: true },
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  documentLinkProvider: { resolveProvider: false },
  inlayHintProvider: true,
  callHierarchyProvider: true,
} as const satisfies ServerCapabilities;

/** Binds what shows a document or the whole workspace by its structure. */
export function bindOutlook(connection: Connection, session: () => Session | undefined): void {
  connection.onDocumentSymbol(async (params, token): Promise<SymbolInEditor[] | undefined> => {
    const asked = await ask(session(), params, token);
    return asked && documentSymbols(asked.snapshot, asked.file).map((symbol) => documentSymbol(asked, symbol));
  });
  connection.onWorkspaceSymbol(async ({ query }, token): Promise<SymbolInformation[] | undefined> => {
    const asked = await ask(session(), { textDocument: { uri: '' } }, token);
    if (!asked) return undefined;
    return workspaceSymbols(asked.snapshot, query).map((symbol) => ({ name: symbol.name, kind: symbolKinds[symbol.kind], containerName: symbol.container, location: locationOf(asked, symbol) }));
  });

  connection.onRequest(SemanticTokensRequest.type, async (params, token): Promise<SemanticTokens | null> => {
    const asked = await ask(session(), params, token);
    // Of a long document an editor wants what it shows, if it can say what that is.
    if (asked && textOf(asked).text.length > longText && asked.session.context.capabilities.textDocument?.semanticTokens?.requests.range !== undefined && asked.session.context.capabilities.textDocument.semanticTokens.requests.range !== false) return null;
    return { data: asked ? encode(await inSlices(semanticTokensInSteps(asked.snapshot, asked.file), asked.pause), textOf(asked)) : [] };
  });
  connection.languages.semanticTokens.onRange(async (params, token): Promise<SemanticTokens> => {
    const asked = await ask(session(), params, token);
    return { data: asked ? encode(semanticTokens(asked.snapshot, asked.file, spanOf(asked, params.range)), textOf(asked)) : [] };
  });

  connection.onFoldingRanges(async (params, token): Promise<FoldingRange[] | undefined> => {
    const asked = await ask(session(), params, token);
    return asked && foldingRanges(textOf(asked), await inSlices(foldsInSteps(textOf(asked).text), asked.pause));
  });
  connection.onSelectionRanges(async (params, token): Promise<SelectionRange[] | undefined> => {
    const asked = await ask(session(), params, token);
    if (!asked) return undefined;
    const text = textOf(asked);
    return params.positions.map((position) => selectionRange(asked, selections(text.text, text.offset(position)).map((span) => rangeOf(asked, span))));
  });
  connection.onDocumentLinks(async (params, token): Promise<DocumentLink[] | undefined> => {
    const asked = await ask(session(), params, token);
    const includes = asked?.snapshot.source(asked.file)?.preprocessed.includes ?? [];
    if (!asked) return undefined;
    return includes.flatMap(({ file, span, name, resolved }): DocumentLink[] => {
      if (file !== asked.file || resolved === undefined) return [];
      const directive = textOf(asked).text.slice(span.start, span.end);
      const at = directive.indexOf(name);
      // A macro may stand for the name.
      const start = span.start + (at < 0 ? (/^`include\s*/.exec(directive)?.[0].length ?? 0) : at);
      return [{ range: rangeOf(asked, { start, end: at < 0 ? span.end : start + name.length }), target: asked.session.context.sources.uriOf(resolved) }];
    });
  });
  connection.languages.inlayHint.on(async (params, token): Promise<InlayHint[] | undefined> => {
    const asked = await ask(session(), params, token);
    if (!asked) return undefined;
    return inlayHints(asked.snapshot, asked.file, spanOf(asked, params.range)).map(({ offset, text, kind }) => ({
      position: textOf(asked).position(offset),
      label: text,
      kind: kind === 'name' ? InlayHintKind.Parameter : InlayHintKind.Type,
      ...(kind === 'name' ? { paddingRight: true } : { paddingLeft: true }),
    }));
  });

  connection.languages.callHierarchy.onPrepare(async (params, token): Promise<CallHierarchyItem[] | null> => {
    const asked = await ask(session(), params, token);
    const item = asked && hierarchyAt(asked.snapshot, asked.file, asked.offset);
    return asked && item ? [callItem(asked, item)] : null;
  });
  connection.languages.callHierarchy.onIncomingCalls(async ({ item }, token) => {
    const asked = await ask(session(), { textDocument: { uri: item.uri } }, token);
    if (!asked) return [];
    await asked.snapshot.search(item.name, asked.pause);
    return hierarchyAbove(asked.snapshot, hierarchyOf(asked, item)).map((link) => ({
      from: callItem(asked, link.item),
      fromRanges: link.instances.map(({ span }) => locationOf(asked, { file: link.item.file, span }).range),
    }));
  });
  connection.languages.callHierarchy.onOutgoingCalls(async ({ item }, token) => {
    const asked = await ask(session(), { textDocument: { uri: item.uri } }, token);
    if (!asked) return [];
    return hierarchyBelow(asked.snapshot, hierarchyOf(asked, item)).map((link) => ({
      to: callItem(asked, link.item),
      fromRanges: link.instances.map(({ span }) => rangeOf(asked, span)),
    }));
  });
}

function textOf({ session, file }: Asked): PlacedText {
  return session.context.sources.textOf(file);
}

function spanOf(asked: Asked, { start, end }: Range): { readonly start: number; readonly end: number } {
  const text = textOf(asked);
  return { start: text.offset(start), end: text.offset(end) };
}

function documentSymbol(asked: Asked, { name, kind, detail, span, nameSpan, children }: DocumentSymbol): SymbolInEditor {
  return { name, kind: outlineKinds[kind], detail, range: rangeOf(asked, span), selectionRange: rangeOf(asked, nameSpan), children: children.map((child) => documentSymbol(asked, child)) };
}

/** Five numbers for each token: lines and columns since the last one, length, type, bits of its modifiers. A name never spans lines. */
function encode(tokens: readonly SemanticToken[], text: PlacedText): number[] {
  let last = { line: 0, character: 0 };
  return tokens.flatMap(({ span, type, modifiers }) => {
    const at = text.position(span.start);
    const column = at.line === last.line ? at.character - last.character : at.character;
    const bits = modifiers.reduce((sum, modifier) => sum | (1 << TOKEN_MODIFIERS.indexOf(modifier)), 0);
    const five = [at.line - last.line, column, span.end - span.start, TOKEN_TYPES.indexOf(type), bits];
    last = at;
    return five;
  });
}

const foldKinds: Readonly<Record<Fold['kind'], FoldingRangeKind | undefined>> = { code: undefined, macro: undefined, comment: FoldingRangeKind.Comment, imports: FoldingRangeKind.Imports, region: FoldingRangeKind.Region };

/** The line of a closing word stays visible. */
function foldingRanges(text: PlacedText, found: readonly Fold[]): FoldingRange[] {
  const seen = new Set<number>();
  return found.flatMap(({ start, end, kind }): FoldingRange[] => {
    const startLine = text.position(start).line;
    const last = text.position(end);
    const isClosing = kind === 'code' && /[\w)}\]]$/.test(text.text.slice(end - 1, end)) && last.character < 500 && text.text.slice(end - last.character, end).trim().length < 20;
    const endLine = last.line - (isClosing ? 1 : 0);
    if (endLine <= startLine || seen.has(startLine)) return [];
    seen.add(startLine);
    const foldKind = foldKinds[kind];
    return [{ startLine, endLine, ...(foldKind === undefined ? {} : { kind: foldKind }) }];
  });
}

function selectionRange(asked: Asked, ranges: readonly Range[]): SelectionRange {
  const [first, ...rest] = ranges;
  if (!first) return { range: rangeOf(asked, { start: 0, end: 0 }) };
  return rest.length === 0 ? { range: first } : { range: first, parent: selectionRange(asked, rest) };
}

function callItem(asked: Asked, { name, kind, file, span, whole }: HierarchyItem): CallHierarchyItem {
  const { uri, range } = locationOf(asked, { file, span: whole });
  return { name, kind: symbolKinds[kind], detail: asked.session.context.folders.display(file), uri, range, selectionRange: locationOf(asked, { file, span }).range };
}

function hierarchyOf(asked: Asked, item: CallHierarchyItem): HierarchyItem {
  return { name: item.name, kind: 'module', file: asked.file, span: spanOf(asked, item.selectionRange), whole: spanOf(asked, item.range) };
}

const symbolKinds: Readonly<Record<OutlineSymbol['kind'], SymbolKind>> = {
  module: SymbolKind.Class,
  program: SymbolKind.Class,
  primitive: SymbolKind.Class,
  checker: SymbolKind.Class,
  class: SymbolKind.Class,
  covergroup: SymbolKind.Class,
  coverpoint: SymbolKind.Field,
  constraint: SymbolKind.Property,
  config: SymbolKind.File,
  interface: SymbolKind.Interface,
  modport: SymbolKind.Interface,
  package: SymbolKind.Package,
  typedef: SymbolKind.Struct,
  'type-parameter': SymbolKind.TypeParameter,
  port: SymbolKind.Field,
  argument: SymbolKind.Variable,
  net: SymbolKind.Variable,
  variable: SymbolKind.Variable,
  genvar: SymbolKind.Variable,
  parameter: SymbolKind.Constant,
  specparam: SymbolKind.Constant,
  instance: SymbolKind.Object,
  member: SymbolKind.Field,
  clocking: SymbolKind.Event,
  'enum-member': SymbolKind.EnumMember,
  function: SymbolKind.Function,
  task: SymbolKind.Method,
  method: SymbolKind.Method,
  property: SymbolKind.Property,
  sequence: SymbolKind.Property,
  block: SymbolKind.Namespace,
  macro: SymbolKind.Constant,
  import: SymbolKind.Package,
};

const outlineKinds: Readonly<Record<SymbolKindName, SymbolKind>> = { ...symbolKinds, enum: SymbolKind.Enum };
