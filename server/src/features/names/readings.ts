import { declarationOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import { conditionsAt } from '../../syntax/conditionals.ts';
import type { Conditions } from '../../syntax/conditionals.ts';
import { identifierMentions } from '../../syntax/mentions.ts';
import type { FileSpan, NameSnapshot } from './snapshot.ts';

/** More ways to read the files are a question for a person. */
const MOST_READINGS = 24;

/** The files with some text active that is otherwise left out, and the mentions of a name there. */
export interface Reading {
  readonly snapshot: NameSnapshot;
  readonly mentions: readonly FileSpan[];
}

/** Whether a mention of a name in a file may mean what is declared; `before` is the text in front of it. */
export type IsConcerned = (file: string, before: string) => boolean;

/** A file that does not name it elsewhere can do so by a path or connection only, unless it is declared for all files. */
export function isConcernedWith(targets: readonly DeclarationRef[], touched: ReadonlySet<string>): IsConcerned {
  const isGlobal = targets.some(isSeenByName);
  return (file, before) => isGlobal || touched.has(file) || /[.:]\s*$/.test(before);
}

/** Other files may name it without a path: a design unit, an item of a package, what stands outside of all units. */
function isSeenByName(ref: DeclarationRef): boolean {
  const { scope } = declarationOf(ref);
  return scope === 0 || ref.names.scopes[scope]?.kind === 'package';
}

/**
 * For every mention of a name, or of one that it is to have, in text that the defines leave out, a reading of the files in which it is active. `unread`
 * is one for which there is none: its conditions contradict each other, or there are too many.
 */
export function readingsOf(
  snapshot: NameSnapshot,
  names: { readonly from: string; readonly to?: string },
  files: readonly string[],
  isConcerned: IsConcerned,
): { readonly readings: readonly Reading[]; readonly unread: FileSpan | undefined } {
  const found = new Map<string, { readonly conditions: Conditions; readonly mentions: FileSpan[] }>();
  let unread: FileSpan | undefined;
  for (const { file, span, isOld } of leftOut(snapshot, names, files)) {
    const { text = '' } = snapshot.source(file) ?? {};
    if (!isConcerned(file, text.slice(Math.max(0, span.start - 20), span.start))) continue;
    const conditions = conditionsAt(text, span.start);
    if (!conditions) {
      if (isOld) unread ??= { file, span };
      continue;
    }
    const key = JSON.stringify([...conditions].sort(([a], [b]) => (a < b ? -1 : 1)));
    const known = found.get(key);
    if (!known && found.size === MOST_READINGS) {
      unread ??= { file, span };
      break;
    }
    const reading = known ?? { conditions, mentions: [] };
    found.set(key, reading);
    if (isOld) reading.mentions.push({ file, span });
  }
  return { readings: [...found.values()].map(({ conditions, mentions }) => ({ snapshot: snapshot.assuming(conditions), mentions })), unread };
}

function* leftOut(snapshot: NameSnapshot, { from, to = from }: { readonly from: string; readonly to?: string }, files: readonly string[]): Iterable<FileSpan & { readonly isOld: boolean }> {
  for (const file of files) {
    const source = snapshot.source(file);
    for (const part of source?.preprocessed.inactive ?? []) {
      for (const name of new Set([from, to])) for (const span of identifierMentions(source?.text ?? '', name, part)) yield { file, span, isOld: name === from };
    }
  }
}
