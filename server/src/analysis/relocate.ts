import type { Span } from '../base/text.ts';
import type { SourceLocation } from './module.ts';

/** Stands for the file of a place that is not known yet. */
export const UNPLACED = '';

/** Leads from a span of a parsed text to the place in the sources that it comes from. */
export type Place = (span: Span) => SourceLocation;

/**
 * A copy of plain data, however deep, of which every span is moved by an offset, and every location in the file `UNPLACED` is where its
 * moved span comes from. What is shared under `type` stays shared, since declarators of one statement have the same type.
 */
export function relocated<T>(data: T, by: number, place: Place): T {
  const types = new Map<object, unknown>();
  const unfilled: { readonly from: object; readonly to: object }[] = [];
  const begin = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (isSpan(value)) return { start: value.start + by, end: value.end + by };
    if (isUnplaced(value)) return place({ start: value.span.start + by, end: value.span.end + by });
    const to = Array.isArray(value) ? [] : {};
    unfilled.push({ from: value, to });
    return to;
  };
  const typeOf = (type: object): unknown => {
    const known = types.get(type) ?? begin(type);
    types.set(type, known);
    return known;
  };
  const copy = begin(data);
  for (let next = unfilled.pop(); next; next = unfilled.pop()) {
    const { from, to } = next;
    if (Array.isArray(to)) for (const each of from as readonly unknown[]) to.push(begin(each));
    else for (const [key, part] of Object.entries(from as Record<string, unknown>)) (to as Record<string, unknown>)[key] = key === 'type' && typeof part === 'object' && part !== null ? typeOf(part) : begin(part);
  }
  return copy as T;
}

function isSpan(value: object): value is Span {
  return 'start' in value && typeof value.start === 'number' && 'end' in value;
}

function isUnplaced(value: object): value is SourceLocation {
  return 'file' in value && value.file === UNPLACED && 'span' in value;
}
