import type { Field, Layout } from '../stimulus/layout.ts';
import { RowBuilder, selectRows, type Rows } from '../stimulus/rows.ts';

/** A way to make a stimulus plainer: some rows that follow each other are left out, or some fields are zero behind the reset. */
export type Edit = { readonly kind: 'drop'; readonly from: number; readonly count: number } | { readonly kind: 'zero'; readonly fields: readonly Field[] };

/** The rows with all edits made to them, each of which names rows as they are before any. */
export function edited(rows: Rows, edits: readonly Edit[], prefix: number, layout: Layout): Rows {
  const fields = edits.flatMap((edit) => (edit.kind === 'zero' ? edit.fields : []));
  const plain = fields.length === 0 ? rows : (withZeros(rows, fields, prefix, layout) ?? rows);
  const drops = edits.filter((edit) => edit.kind === 'drop');
  if (drops.length === 0) return plain;
  const kept = Array.from({ length: rows.count }, (_, row) => row).filter((row) => !drops.some(({ from, count }) => row >= from && row < from + count));
  return selectRows(plain, kept);
}

/** The rows with some fields held at zero behind the reset; undefined when they are there already. */
export function withZeros(rows: Rows, fields: readonly Field[], prefix: number, layout: Layout): Rows | undefined {
  const builder = new RowBuilder(layout, rows.count);
  let changed = false;
  for (let row = 0; row < rows.count; row++) {
    builder.current.set(rows.bytes.subarray(row * rows.rowBytes, (row + 1) * rows.rowBytes));
    if (row >= prefix) {
      for (const field of fields) {
        for (let bit = field.offset; bit < field.offset + field.width; bit++) {
          changed ||= builder.bit(bit) === 1;
          builder.setBit(bit, 0);
        }
      }
    }
    builder.push();
  }
  return changed ? builder.finish() : undefined;
}

/** Halves, quarters, … of the rows behind the reset, largest first, in whole clock cycles of `unit` rows. The last cycle, in which it fails, is in none that is left out whole. */
export function* chunks(count: number, prefix: number, unit: number): Generator<{ readonly from: number; readonly count: number }> {
  for (let chunk = Math.floor((count - prefix) / 2 / unit) * unit; chunk >= unit; chunk = Math.floor(chunk / 2 / unit) * unit) {
    for (let from = prefix; from + chunk < count; from += chunk) yield { from, count: chunk };
  }
}
