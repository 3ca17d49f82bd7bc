import { endOfDirective } from '../../syntax/macros.ts';
import type { Reading } from './readings.ts';
import type { Group } from './references.ts';
import type { FileSpan } from './snapshot.ts';

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
