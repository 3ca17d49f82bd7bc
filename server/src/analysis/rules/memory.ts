import { changeBetween } from '../../base/text.ts';
import type { Span, TextChange } from '../../base/text.ts';
import type { ModuleSummary } from '../items.ts';
import type { Extras, Report } from './rule.ts';
import { shapeOf } from './shape.ts';
import { isOpaqueIn, usagesWithin } from './usage.ts';
import type { FileView } from './view.ts';

/** What a rule told of a unit, in offsets of the parsed text. */
export interface Told {
  /** Position in the list of the rules that are not off. */
  readonly rule: number;
  readonly finding: Parameters<Report>;
}

/** A part of a file that the rules look at by itself. */
export interface UnitPlace {
  /** Of a design unit in the parsed text; undefined for what stands outside of all. */
  readonly extent: Span | undefined;
  /** Undefined for a package, and outside of all units. */
  readonly module: ModuleSummary | undefined;
}

interface KnownUnit {
  readonly extent: Span | undefined;
  /** What other units see of it; undefined where that is all of it, or while it is not worked out. */
  shape: string | undefined;
  /** What the whole file does to the names that it declares; undefined outside of all units, where nobody counts it. */
  readonly effects: string | undefined;
  /** Undefined for a unit that the rules did not look at. */
  readonly told: readonly Told[] | undefined;
}

interface Run {
  readonly text: string;
  readonly parsed: string;
  /** All that bears on every unit. */
  readonly surroundings: string;
  readonly units: readonly KnownUnit[];
}

/**
 * What the rules told of the units of a file, kept for the next run over it. After an edit inside of one module that changes
 * nothing of what others see of it, the other units keep what was told of them; after any other edit all are looked at again. What
 * other files declare must be the same as in the run before: whoever keeps the memory forgets it otherwise.
 */
export class RuleMemory {
  #last: Run | undefined;
  /** What is left to be done before the next edit. */
  #unlearned: (() => void)[] = [];

  forget(): void {
    this.#last = undefined;
    this.#unlearned = [];
  }

  /** Prepares for an edit in one more module, which need not be waited for; false when nothing is left to do. */
  learn(): boolean {
    this.#unlearned.pop()?.();
    return this.#unlearned.length > 0;
  }

  /** What was told of the units of a file that have not changed since the last run over it. */
  recall(file: FileView, places: readonly UnitPlace[], levels: string): Recollection {
    const surroundings = surroundingsOf(file, levels);
    const effects = places.map(({ extent }) => extent && effectsOn(file, extent));
    const last = this.#last;
    const change = last?.surroundings === surroundings ? editWithin(last, file, places) : undefined;
    const shapes = last && change ? last.units.map(({ shape }) => shape) : places.map(() => undefined);
    const edited = last && (change ? change.edited : unitAt(places, changeBetween(last.parsed, file.parsed).start));
    const before = shapes[edited ?? -1];
    const module = places[edited ?? -1]?.module;
    if (edited !== undefined && edited >= 0) shapes[edited] = module?.kind === 'module' ? shapeOf(module, file) : undefined;
    const isLocal = change && (change.edited < 0 || (before !== undefined && before === shapes[change.edited]));
    const told = places.map((_, index): readonly Told[] | undefined => {
      const known = last?.units[index];
      if (!isLocal || index === edited || !known?.told || known.effects === undefined || known.effects !== effects[index]) return undefined;
      return moved(known.told, change.edit);
    });
    return {
      told,
      keep: (now) => {
        const units = places.map(({ extent }, index): KnownUnit => ({ extent, shape: shapes[index], effects: effects[index], told: now[index] }));
        this.#last = { text: file.text, parsed: file.parsed, surroundings, units };
        this.#unlearned = units.flatMap((unit, index) => {
          const summary = places[index]?.module;
          return unit.shape === undefined && summary?.kind === 'module' ? [() => void (unit.shape = shapeOf(summary, file))] : [];
        });
      },
    };
  }
}

/** What is known of a file before a run. */
export interface Recollection {
  /** Of each unit what is told of it again, in offsets of the text as it is now; undefined for one that is to be looked at. */
  readonly told: readonly (readonly Told[] | undefined)[];
  /** Remembers what was told of each unit in the end. */
  readonly keep: (told: readonly (readonly Told[] | undefined)[]) => void;
}

/** The position of the unit around an offset, -1 outside of all. */
function unitAt(places: readonly UnitPlace[], offset: number): number {
  return places.findIndex(({ extent }) => extent && extent.start <= offset && offset < extent.end);
}

function surroundingsOf({ missesInclude, names, unknownMacros, library }: FileView, levels: string): string {
  return JSON.stringify([levels, missesInclude, names.unknownMacros.length > 0, unknownMacros.length, library.files.map(({ file }) => file)]);
}

/** What the names of a unit are used for, wherever that is, and whether all of them can be known. */
function effectsOn(file: FileView, extent: Span): string {
  let effects = isOpaqueIn(file, extent) ? '?' : '';
  for (const { isRead, isWritten, isAsked, isUncertain, uses } of usagesWithin(file, extent)) {
    effects += `${uses.length}${isRead ? 'r' : ''}${isWritten ? 'w' : ''}${isAsked ? 'a' : ''}${isUncertain ? '?' : ''},`;
  }
  return effects;
}

/** The change of the parsed text, and the position of the only unit that it touches, -1 for none; undefined where it is not that simple. */
function editWithin(last: Run, file: FileView, places: readonly UnitPlace[]): { readonly edited: number; readonly edit: TextChange } | undefined {
  if (places.length !== last.units.length || touchesNettype(last.text, file.text)) return undefined;
  const edit = changeBetween(last.parsed, file.parsed);
  const delta = edit.newEnd - edit.oldEnd;
  const isSame = last.parsed === file.parsed;
  let edited = -1;
  for (const [index, { extent }] of places.entries()) {
    const before = last.units[index]?.extent;
    if (!before && !extent) continue;
    if (!before || !extent) return undefined;
    const by = isSame || before.end <= edit.start ? 0 : before.start >= edit.oldEnd ? delta : undefined;
    if (by !== undefined) {
      if (extent.start !== before.start + by || extent.end !== before.end + by) return undefined;
      continue;
    }
    // Around units in units there is more than one.
    if (edited >= 0 || edit.start <= before.start || edit.oldEnd >= before.end || extent.start !== before.start || extent.end !== before.end + delta) return undefined;
    edited = index;
  }
  return edited < 0 && !isSame ? undefined : { edited, edit };
}

/** Whether an edit touches a line that says what names without a declaration are. Whatever else a directive does is seen in the parsed text. */
function touchesNettype(before: string, after: string): boolean {
  const { start, oldEnd, newEnd } = changeBetween(before, after);
  return linesAround(before, start, oldEnd).includes('default_nettype') || linesAround(after, start, newEnd).includes('default_nettype');
}

function linesAround(text: string, start: number, end: number): string {
  const last = text.indexOf('\n', end);
  return text.slice(start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1, last < 0 ? text.length : last);
}

/** Undefined when something of it stands where the text was changed. */
function moved(told: readonly Told[], { start, oldEnd, newEnd }: TextChange): readonly Told[] | undefined {
  const delta = newEnd - oldEnd;
  const lost: Span[] = [];
  const move = (span: Span): Span => {
    if (span.end <= start) return span;
    if (span.start < oldEnd) lost.push(span);
    return { start: span.start + delta, end: span.end + delta };
  };
  const moveExtras = ({ fixes, related, declared, ...rest }: Extras): Extras => ({
    ...rest,
    fixes: fixes?.map((fix) => ({ ...fix, changes: fix.changes.map((change) => ({ ...change, span: move(change.span) })) })),
    related: related?.map((other) => ({ ...other, span: move(other.span) })),
    declared: declared?.map(move),
  });
  const result = told.map(({ rule, finding: [span, message, extras] }): Told => ({ rule, finding: [span && move(span), message, extras && moveExtras(extras)] }));
  return lost.length > 0 ? undefined : result;
}
