import { setImmediate } from 'node:timers/promises';
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { CancellationToken, Location, Position, Range } from 'vscode-languageserver';
import type { FileSpan } from '../features/names/snapshot.ts';
import type { NameWorkspace } from '../features/names/workspace.ts';
import type { Span } from '../base/text.ts';
import { pathOf } from './convert.ts';
import type { Session } from './session.ts';

interface AskedParams {
  readonly textDocument: { readonly uri: string };
  readonly position?: Position;
}

/** A request about a document: where it asks, and what it may ask about. */
export interface Asked {
  readonly session: Session;
  readonly snapshot: NameWorkspace;
  /** Absolute path. */
  readonly file: string;
  /** Of the position that was asked about; 0 for none. */
  readonly offset: number;
  /** Lets other messages in, and ends the request when it was cancelled meanwhile. */
  readonly pause: () => Promise<void>;
}

/** The request is answered after everything that is known to be cancelled, from texts as they are then. */
export async function ask(session: Session | undefined, { textDocument, position }: AskedParams, token: CancellationToken): Promise<Asked | undefined> {
  const pause = async (): Promise<void> => {
    await setImmediate();
    if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled.');
  };
  await pause();
  if (!session) return undefined;
  const file = pathOf(textDocument.uri);
  do {
    await session.names.ready(file, pause);
    await session.turn();
    // The text may have changed while others had their turns.
  } while (!session.names.isReady(file));
  const offset = position ? session.context.sources.textOf(file).offset(position) : 0;
  return { session, snapshot: session.names.snapshot(), file, offset, pause };
}

export function rangeOf({ session, file }: Pick<Asked, 'session' | 'file'>, span: Span): Range {
  return session.context.sources.textOf(file).range(span);
}

export function locationOf({ session }: Pick<Asked, 'session'>, { file, span }: FileSpan): Location {
  const { sources } = session.context;
  return { uri: sources.uriOf(file), range: sources.textOf(file).range(span) };
}
