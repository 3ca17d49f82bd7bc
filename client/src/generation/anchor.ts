/** A change of a document: the offset and length that were replaced in the text before it, and what came there. */
export interface Change {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/** A span of a document that moves along with edits around it. */
export interface Anchor {
  readonly start: number;
  readonly end: number;
}

/** The anchor after a change; undefined when the change touches what is inside. Text that comes right before the anchor moves it, text right behind it does not. */
export function moved(anchor: Anchor, { rangeOffset, rangeLength, text }: Change): Anchor | undefined {
  const end = rangeOffset + rangeLength;
  const shift = text.length - rangeLength;
  if (end <= anchor.start) return { start: anchor.start + shift, end: anchor.end + shift };
  return rangeOffset >= anchor.end ? anchor : undefined;
}

/** The anchor after the changes of one edit, whose offsets are all of the text before it. */
export function movedBy(anchor: Anchor, changes: readonly Change[]): Anchor | undefined {
  const ordered = [...changes].sort((a, b) => b.rangeOffset - a.rangeOffset);
  return ordered.reduce<Anchor | undefined>((at, change) => at && moved(at, change), anchor);
}
