import { conditionsAt } from '../../syntax/conditionals.ts';
import type { Conditions } from '../../syntax/conditionals.ts';
import { endOfDirective } from '../../syntax/macros.ts';
import { identifierMentions } from '../../syntax/mentions.ts';
import type { Group } from './references.ts';
import type { FileSpan, NameSnapshot } from './snapshot.ts';

/** More ways to read the files are a question for a person. */
const MOST_READINGS = 24;

/** The files with some text active that is otherwise left out, and the mentions of a name there. */
export interface Reading {
  readonly snapshot: NameSnapshot;
  readonly mentions: readonly FileSpan[];
}

/**
 * For every mention of the old or the new name in text that the defines leave out, a reading of the files in which it is active. `unread`
 * is one for which there is none: its conditions contradict each other, or there are too many.
 */
export function readingsOf(
  snapshot: NameSnapshot,
  names: { readonly from: string; readonly to: string },
  files: readonly string[],
  isConcerned: (file: string, before: string) => boolean,
): { readonly readings: readonly Reading[]; readonly unread: FileSpan | undefined } {
  const found = new Map<string, { readonly conditions: Conditions; readonly mentions: FileSpan[] }>();
  for (const { file, span, isOld } of leftOut(snapshot, names, files)) {
    const { text = '' } = snapshot.source(file) ?? {};
    if (!isConcerned(file, text.slice(Math.max(0, span.start - 20), span.start))) continue;
    const conditions = conditionsAt(text, span.start);
    if (!conditions && !isOld) continue;
    if (!conditions) return { readings: [], unread: { file, span } };
    const key = JSON.stringify([...conditions].sort(([a], [b]) => (a < b ? -1 : 1)));
    const known = found.get(key) ?? { conditions, mentions: [] };
    found.set(key, known);
    if (isOld) known.mentions.push({ file, span });
    if (found.size > MOST_READINGS) return { readings: [], unread: { file, span } };
  }
  return { readings: [...found.values()].map(({ conditions, mentions }) => ({ snapshot: snapshot.assuming(conditions), mentions })), unread: undefined };
}

function* leftOut(snapshot: NameSnapshot, { from, to }: { readonly from: string; readonly to: string }, files: readonly string[]): Iterable<FileSpan & { readonly isOld: boolean }> {
  for (const file of files) {
    const source = snapshot.source(file);
    for (const part of source?.preprocessed.inactive ?? []) {
      for (const name of [from, to]) for (const span of identifierMentions(source?.text ?? '', name, part)) yield { file, span, isOld: name === from };
    }
  }
}

/** A mention that even the reading that is made for it does not understand. */
export function notRead({ mentions }: Reading, { snapshot, all }: Group): FileSpan | undefined {
  return mentions.find(({ file, span }) => {
    const source = snapshot.source(file);
    if (!source || source.preprocessed.inactive.some(({ start, end }) => start <= span.start && span.end <= end)) return true;
    return !isInDefinition(source.text, span.start) && !all.some(({ occurrence }) => occurrence.file === file && occurrence.span.start <= span.start && span.end <= occurrence.span.end);
  });
}

/** The text of a macro means nothing until the macro is used. */
function isInDefinition(text: string, offset: number): boolean {
  const definition = [...text.slice(0, offset).matchAll(/`define\b/g)].at(-1);
  return definition !== undefined && offset < endOfDirective(text, definition.index);
}
