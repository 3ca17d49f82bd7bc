import { compareTraces } from '../compare.ts';
import type { Field } from '../stimulus/layout.ts';
import { firstRows, type Rows } from '../stimulus/rows.ts';
import { chunks, edited, withZeros, type Edit } from './edits.ts';
import type { ShrinkTask } from './task.ts';

/** Rows that the candidates of one run have together, unless two of them have more. */
const MOST_ROWS = 4000;

/** A task whose candidates can be run together. */
export type CommonTask = ShrinkTask & { readonly together: NonNullable<ShrinkTask['together']> };

/**
 * Looks for a plainer stimulus with few runs, many candidates in each. What comes out is only likely to fail, since something of what the candidate before left there
 * may remain; a run from power-on is to confirm it.
 */
export async function shrinkInCommonRuns(whole: Rows, tails: readonly Rows[], task: CommonTask, isOver: () => boolean): Promise<Rows> {
  let best = (await failingParts(tails, (rows) => rows, task)).find((rows) => rows !== undefined) ?? whole;
  while (!isOver()) {
    const edits = editsOf(best, task);
    const applied = (chosen: readonly Edit[]): Rows => edited(best, chosen, task.prefix, task.layout);
    const alone = await failingParts(edits, (edit) => applied([edit]), task);
    const first = alone.find((rows) => rows !== undefined);
    if (first === undefined) break;
    const merges = mergesOf(edits.filter((_, index) => alone[index] !== undefined));
    const merged = merges.length < 2 || isOver() ? [] : await failingParts(merges, applied, task);
    best = merged.findLast((rows) => rows !== undefined) ?? first;
  }
  return best;
}

/**
 * Makes candidates and runs them one after the other, as many as there is room for; returns of each that fails its rows up to the failing one.
 */
async function failingParts<T>(sources: readonly T[], make: (source: T) => Rows, { layout, prefix, criterion, allows, together }: CommonTask): Promise<(Rows | undefined)[]> {
  const tried: { readonly index: number; readonly rows: Rows }[] = [];
  let count = 0;
  for (const [index, source] of sources.entries()) {
    const rows = make(source);
    if (count + rows.count > Math.max(MOST_ROWS, 2 * rows.count)) break;
    if (allows?.(rows) === false) continue;
    tried.push({ index, rows });
    count += rows.count;
  }
  const failing: (Rows | undefined)[] = sources.map(() => undefined);
  const answers = tried.length === 0 ? undefined : await together(tried.map(({ rows }) => rows));
  for (const [at, { golden, dut }] of (answers ?? []).entries()) {
    const part = tried[at];
    if (part === undefined) continue;
    const { difference } = compareTraces(golden, dut, criterion, prefix * layout.samplesPerRow);
    if (difference !== undefined) failing[part.index] = firstRows(part.rows, Math.floor(difference.sample / layout.samplesPerRow) + 1);
  }
  return failing;
}

/** What may be made plainer in some rows, the largest steps first. */
function editsOf(rows: Rows, { layout, prefix }: ShrinkTask): Edit[] {
  const changes = (fields: readonly Field[]): boolean => withZeros(rows, fields, prefix, layout) !== undefined;
  const fields = layout.fields.filter((field) => field.role !== 'clock' && changes([field]));
  return [
    ...(fields.length > 1 ? [{ kind: 'zero', fields } as const] : []),
    ...[...chunks(rows.count, prefix, layout.samplesPerRow)].map((chunk) => ({ kind: 'drop', ...chunk }) as const),
    ...fields.map((field) => ({ kind: 'zero', fields: [field] }) as const),
  ];
}

/** The first edit, the first two, and so on; an edit that those before it contain adds nothing. */
function mergesOf(edits: readonly Edit[]): Edit[][] {
  const merges: Edit[][] = [];
  for (const edit of edits) {
    const before = merges.at(-1) ?? [];
    if (!before.some((larger) => contains(larger, edit))) merges.push([...before, edit]);
  }
  return merges;
}

function contains(larger: Edit, edit: Edit): boolean {
  if (larger.kind === 'zero') return edit.kind === 'zero' && edit.fields.every((field) => larger.fields.includes(field));
  return edit.kind === 'drop' && edit.from >= larger.from && edit.from + edit.count <= larger.from + larger.count;
}
