import type { FileSpan } from './snapshot.ts';

export interface TextEdit extends FileSpan {
  readonly newText: string;
}

export type RenameResult =
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] }
  /** `reason` is one full sentence; `place` is what stands in the way, if it has one. */
  | { readonly kind: 'refused'; readonly reason: string; readonly place?: FileSpan };

/** Texts with edits applied, by file. Edits of one file do not overlap. */
export function applyEdits(textOf: (file: string) => string, edits: readonly TextEdit[]): Map<string, string> {
  const result = new Map<string, string>();
  for (const file of new Set(edits.map((edit) => edit.file))) {
    let text = textOf(file);
    const own = edits.filter((edit) => edit.file === file).toSorted((a, b) => b.span.start - a.span.start || b.span.end - a.span.end);
    for (const { span, newText } of own) text = text.slice(0, span.start) + newText + text.slice(span.end);
    result.set(file, text);
  }
  return result;
}
