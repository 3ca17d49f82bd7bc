import type { FileSpan } from './snapshot.ts';

export interface TextEdit extends FileSpan {
  readonly newText: string;
}

export type RenameResult =
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] }
  /** `reason` is one full sentence; `place` is what stands in the way, if it has one. */
  | { readonly kind: 'refused'; readonly reason: string; readonly place?: FileSpan };

/** Texts with edits applied, by file. Edits of one file do not overlap; those at one place are applied in their order. */
export function applyEdits(textOf: (file: string) => string, edits: readonly TextEdit[]): Map<string, string> {
  const result = new Map<string, string>();
  for (const file of new Set(edits.map((edit) => edit.file))) {
    const text = textOf(file);
    const own = edits.filter((edit) => edit.file === file).toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
    let [written, at] = ['', 0];
    for (const { span, newText } of own) {
      written += text.slice(at, span.start) + newText;
      at = span.end;
    }
    result.set(file, written + text.slice(at));
  }
  return result;
}
