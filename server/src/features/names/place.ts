import type { Call, FileNames, Instance, PortConnection, ScopeIndex } from '../../analysis/names/model.ts';
import type { NamedSource } from '../../analysis/names/source.ts';
import type { Span } from '../../base/text.ts';

/** The offset in the preprocessed text that an offset of the file itself came to. */
export function preprocessedOffset({ names }: NamedSource, offset: number): number {
  return names.map.fromRoot(offset);
}

/** The innermost scope around an offset of the preprocessed text. */
export function scopeAt(names: FileNames, offset: number): ScopeIndex {
  let best = 0;
  let size = Number.POSITIVE_INFINITY;
  names.scopes.forEach(({ extent, kind }, index) => {
    if (kind === 'struct' || kind === 'union' || extent.start > offset || offset > extent.end || extent.end - extent.start > size) return;
    best = index;
    size = extent.end - extent.start;
  });
  return best;
}

/** A place inside the parentheses of an instance or call. */
export interface InList {
  readonly list: Span;
  readonly connections: readonly PortConnection[];
}

/** The parentheses of a list, which may not be closed yet, are around an offset. */
export function isInside(list: Span | undefined, offset: number, text: string): list is Span {
  if (!list || offset <= list.start) return false;
  if (text[list.end - 1] === ')' && list.end - 1 > list.start) return offset < list.end;
  return text.slice(list.end, offset).trim() === '' && offset >= list.start;
}

export function instanceAt(names: FileNames, offset: number, text: string): { readonly instance: Instance; readonly part: 'ports' | 'parameters' } | undefined {
  for (const instance of names.instances) {
    if (isInside(instance.portList, offset, text)) return { instance, part: 'ports' };
    if (isInside(instance.parameterList, offset, text)) return { instance, part: 'parameters' };
  }
  return undefined;
}

/** The innermost call whose parentheses are around an offset. */
export function callAt(names: FileNames, offset: number, text: string): Call | undefined {
  return names.calls.filter(({ list }) => isInside(list, offset, text)).toSorted((a, b) => b.list.start - a.list.start)[0];
}

/** Which of the parts of a list an offset is in, counted by the separators before it. */
export function positionIn(list: Span, offset: number, text: string): number {
  let depth = 0;
  let position = 0;
  const piece = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\]|\\.)*"?|[()[\]{},]/g;
  for (const match of text.slice(list.start + 1, offset).matchAll(piece)) {
    const sign = match[0];
    if (sign === '(' || sign === '[' || sign === '{') depth++;
    else if (sign === ')' || sign === ']' || sign === '}') depth--;
    else if (sign === ',' && depth === 0) position++;
  }
  return position;
}
