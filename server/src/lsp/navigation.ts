import { join } from 'node:path';
import { DocumentHighlightKind, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { Connection, DocumentHighlight, Location, LocationLink, ServerCapabilities, WorkspaceEdit } from 'vscode-languageserver';
import { wordAt } from '../features/names/at.ts';
import { definitions, typeDefinitions } from '../features/names/definition.ts';
import type { Definition } from '../features/names/definition.ts';
import { references } from '../features/names/references.ts';
import type { Reference } from '../features/names/references.ts';
import { prepareRename, rename, renamedModule } from '../features/names/rename.ts';
import type { TextEdit } from '../features/names/edits.ts';
import type { Span } from '../base/text.ts';
import { caseFileOf, caseMentions } from '../verification/cases.ts';
import { moduleMentions, referenceFileName } from '../verification/reference.ts';
import { ask, locationOf, rangeOf } from './asked.ts';
import type { Asked } from './asked.ts';
import type { Session } from './session.ts';

export const navigationCapabilities = {
  definitionProvider: true,
  typeDefinitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  renameProvider: { prepareProvider: true },
} as const satisfies ServerCapabilities;

/** Binds what leads from a name to other places, and what changes a name everywhere. */
export function bindNavigation(connection: Connection, session: () => Session | undefined): void {
  connection.onDefinition(async (params, token) => {
    const asked = await ask(session(), params, token);
    return asked && links(asked, definitions(asked.snapshot, asked.file, asked.offset));
  });
  connection.onTypeDefinition(async (params, token) => {
    const asked = await ask(session(), params, token);
    return asked && links(asked, typeDefinitions(asked.snapshot, asked.file, asked.offset));
  });
  connection.onReferences(async (params, token): Promise<Location[] | undefined> => {
    const asked = await ask(session(), params, token);
    if (!asked) return undefined;
    await searchWord(asked);
    const found = references(asked.snapshot, asked.file, asked.offset) ?? [];
    return found.filter(({ role }) => params.context.includeDeclaration || role !== 'declaration').map((place) => locationOf(asked, place));
  });
  connection.onDocumentHighlight(async (params, token): Promise<DocumentHighlight[] | undefined> => {
    const asked = await ask(session(), params, token);
    return asked && references(asked.snapshot, asked.file, asked.offset, 'file')?.map((place) => ({ range: rangeOf(asked, place.span), kind: highlightKinds[place.role] }));
  });
  connection.onPrepareRename(async (params, token) => {
    const asked = await ask(session(), params, token);
    if (!asked) return undefined;
    const prepared = prepareRename(asked.snapshot, asked.file, asked.offset);
    if (prepared.kind === 'refused') throw new ResponseError(LSPErrorCodes.RequestFailed, prepared.reason);
    return { range: rangeOf(asked, prepared.span), placeholder: prepared.name };
  });
  connection.onRenameRequest(async (params, token): Promise<WorkspaceEdit | undefined> => {
    const asked = await ask(session(), params, token);
    if (!asked) return undefined;
    await searchWord(asked);
    await asked.snapshot.search(params.newName, asked.pause);
    const result = rename(asked.snapshot, asked.file, asked.offset, params.newName);
    if (result.kind === 'refused') throw new ResponseError(LSPErrorCodes.RequestFailed, result.reason);
    return workspaceEdit(asked, [...result.edits, ...recordEdits(asked, params.newName)]);
  });
}

/** The edits of reference files and case files that name the renamed module or port. */
function recordEdits({ session, snapshot, file, offset }: Asked, newText: string): TextEdit[] {
  const { folders, sources } = session.context;
  const renamed = renamedModule(snapshot, file, offset);
  if (!renamed) return [];
  const { module, port } = renamed;
  const edits = (path: string, mentions: (text: string) => readonly Span[]): TextEdit[] => {
    sources.forget(path);
    return mentions(sources.find(path)?.text ?? '').map((span) => ({ file: path, span, newText }));
  };
  const roots = new Set([...folders.all.map(({ root }) => root), folders.referenceRoot(renamed.file)]);
  const references = port === undefined ? [...roots].flatMap((root) => edits(join(root, referenceFileName), (text) => moduleMentions(text, root, renamed))) : [];
  return [...references, ...edits(caseFileOf(renamed.file), (text) => caseMentions(text, module, port))];
}

const highlightKinds: Readonly<Record<Reference['role'], DocumentHighlightKind>> = {
  declaration: DocumentHighlightKind.Text,
  other: DocumentHighlightKind.Text,
  read: DocumentHighlightKind.Read,
  write: DocumentHighlightKind.Write,
};

/** Looks through the files in parts, so that a long search can be cancelled. */
async function searchWord({ session, snapshot, file, offset, pause }: Asked): Promise<void> {
  const word = wordAt(session.context.sources.textOf(file).text, offset);
  if (word) await snapshot.search(word.name, pause);
}

function links(asked: Asked, found: readonly Definition[]): LocationLink[] | Location[] {
  if (asked.session.context.capabilities.textDocument?.definition?.linkSupport !== true) return found.map((definition) => locationOf(asked, definition));
  return found.map((definition) => {
    const { uri, range } = locationOf(asked, definition);
    return { targetUri: uri, targetRange: range, targetSelectionRange: range, originSelectionRange: rangeOf(asked, definition.origin) };
  });
}

export function workspaceEdit({ session }: Pick<Asked, 'session'>, edits: readonly TextEdit[]): WorkspaceEdit {
  const { sources } = session.context;
  const changes: Record<string, { range: LocationLink['targetRange']; newText: string }[]> = {};
  for (const { file, span, newText } of edits) {
    const list = (changes[sources.uriOf(file)] ??= []);
    list.push({ range: sources.textOf(file).range(span), newText });
  }
  return { changes };
}

