import type { Span } from '../base/text.ts';

/** A run of preprocessed text and where it comes from. */
export interface Segment {
  /** Offset in the preprocessed text. */
  readonly start: number;
  /** Absolute path of the source. */
  readonly file: string;
  /** For verbatim text its first character; for an expansion the macro usage in that file. */
  readonly source: Span;
  /** Verbatim text has equal length on both sides; an expansion stands for its usage as a whole. */
  readonly kind: 'verbatim' | 'expansion';
  /** What caused it in the root file: the text itself, the macro usage or the include directive. */
  readonly root: Span;
}

export interface SourcePlace {
  readonly file: string;
  readonly span: Span;
  /** False when the place is a macro usage that stands for the text. */
  readonly exact: boolean;
}

/** Leads from offsets of a preprocessed text back to its sources. Segments are ordered and cover the text without gaps. */
export class SourceMap {
  readonly rootFile: string;
  readonly segments: readonly Segment[];
  readonly length: number;

  constructor(rootFile: string, segments: readonly Segment[], length: number) {
    this.rootFile = rootFile;
    this.segments = segments;
    this.length = length;
  }

  /** The source of one offset; the end of the text maps to the end of the last segment. */
  locate(offset: number): SourcePlace {
    const segment = this.segments[this.#indexAt(offset)];
    if (!segment) return { file: this.rootFile, span: { start: 0, end: 0 }, exact: true };
    if (segment.kind === 'expansion') return { file: segment.file, span: segment.source, exact: false };
    const at = Math.min(segment.source.start + Math.max(offset - segment.start, 0), segment.source.end);
    return { file: segment.file, span: { start: at, end: at }, exact: true };
  }

  /** The source of a span: from the source of its first to that of its last character, in the file of the first. */
  locateSpan(span: Span): SourcePlace {
    const first = this.locate(span.start);
    if (span.end <= span.start) return first;
    const last = this.locate(span.end - 1);
    const exact = first.exact && last.exact;
    const end = last.exact ? last.span.end + 1 : last.span.end;
    if (last.file !== first.file || end < first.span.start) return { ...first, exact: false };
    return { file: first.file, span: { start: first.span.start, end }, exact };
  }

  /** The place in the root file that a span comes from, directly or through a macro or an include. */
  locateInRoot(span: Span): Span {
    const first = this.#rootAt(span.start);
    if (span.end <= span.start) return { start: first.start, end: first.start };
    return { start: first.start, end: Math.max(this.#rootAt(span.end - 1).end, first.end) };
  }

  /** The offset in the preprocessed text that an offset of the root file came to, or the nearest one behind it. */
  fromRoot(offset: number): number {
    let low = 0;
    let high = this.segments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.segments[middle]?.root.end ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    const segment = this.segments[low];
    if (!segment) return this.length;
    return isDirect(segment) ? segment.start + Math.max(offset - segment.root.start, 0) : segment.start;
  }

  /** Parts of the preprocessed text that come from a part of a source, or from what begins or ends where that does; those that follow each other are one. */
  placesOf(file: string, part: Span): Span[] {
    const found: { start: number; end: number }[] = [];
    for (const [index, { start, file: from, source, kind }] of this.segments.entries()) {
      if (from !== file || source.start > part.end || source.end < part.start) continue;
      const end = this.segments[index + 1]?.start ?? this.length;
      const isWhole = kind === 'expansion';
      const place = { start: isWhole ? start : start + Math.max(part.start - source.start, 0), end: isWhole ? end : start + Math.min(part.end, source.end) - source.start };
      const last = found.at(-1);
      if (last?.end === place.start) last.end = place.end;
      else found.push(place);
    }
    return found;
  }

  #rootAt(offset: number): Span {
    const segment = this.segments[this.#indexAt(offset)];
    if (!segment) return { start: 0, end: 0 };
    if (!isDirect(segment)) return segment.root;
    const start = Math.min(segment.root.start + Math.max(offset - segment.start, 0), segment.root.end);
    return { start, end: Math.min(start + 1, segment.root.end) };
  }

  #indexAt(offset: number): number {
    let low = 0;
    let high = this.segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.segments[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Verbatim text of the root file itself. */
function isDirect(segment: Segment): boolean {
  return segment.kind === 'verbatim' && segment.source.start === segment.root.start && segment.source.end === segment.root.end;
}

/** Collects preprocessed text and its segments; neighbouring verbatim runs of one file become one segment. */
export class SourceMapBuilder {
  readonly #rootFile: string;
  readonly #pieces: string[] = [];
  readonly #segments: Segment[] = [];
  #length = 0;

  constructor(rootFile: string) {
    this.#rootFile = rootFile;
  }

  get length(): number {
    return this.#length;
  }

  add(text: string, kind: Segment['kind'], file: string, source: Span, root: Span): void {
    if (text.length === 0) return;
    this.#pieces.push(text);
    const start = this.#length;
    this.#length += text.length;
    const last = this.#segments.at(-1);
    const joins =
      last?.kind === 'verbatim' &&
      kind === 'verbatim' &&
      last.file === file &&
      last.source.end === source.start &&
      (last.root.end === root.start || (last.root.start === root.start && last.root.end === root.end));
    if (joins) {
      this.#segments[this.#segments.length - 1] = {
        ...last,
        source: { start: last.source.start, end: source.end },
        root: { start: last.root.start, end: root.end },
      };
      return;
    }
    this.#segments.push({ start, file, source, kind, root });
  }

  build(): { text: string; map: SourceMap } {
    return { text: this.#pieces.join(''), map: new SourceMap(this.#rootFile, this.#segments, this.#length) };
  }
}
