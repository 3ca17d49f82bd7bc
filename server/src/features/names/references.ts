import { keyOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import { occurrencesNamed } from '../../analysis/names/source.ts';
import type { NamedSource, Occurrence } from '../../analysis/names/source.ts';
import type { UseAccess } from '../../analysis/names/model.ts';
import { identifierMentions } from '../../syntax/mentions.ts';
import { placeAt, targetsOf } from './at.ts';
import { mentionsIn } from './mentions.ts';
import { isConcernedWith, readingsOf } from './readings.ts';
import type { FileSpan, NameSnapshot } from './snapshot.ts';

export interface Reference extends FileSpan {
  readonly role: 'declaration' | 'read' | 'write' | 'other';
}

/** An occurrence with the model that it was found in. */
export interface Found {
  readonly source: NamedSource;
  readonly occurrence: Occurrence;
  readonly targets: readonly DeclarationRef[];
}

/** Every place that means what the name at an offset means, in all files or in the given one; undefined where no name stands. */
export function references(snapshot: NameSnapshot, file: string, offset: number, scope: 'workspace' | 'file' = 'workspace'): Reference[] | undefined {
  const at = placeAt(snapshot, file, offset);
  if (!at || at.kind === 'include') return undefined;
  const files = (name: string): readonly string[] => (scope === 'file' ? [file] : snapshot.filesMentioning(name, file));
  if (at.kind === 'macro') return files(at.mention.name).flatMap((each) => macroReferences(snapshot, each, at.mention.name));
  if (at.targets.length === 0) return [];
  const groups = scope === 'file' ? closeGroups([snapshot], at.name, at.targets, [file]).groups : groupsOf(snapshot, file, at.name, at.targets);
  const places = groups.flatMap(({ snapshot: read, found }) =>
    found.flatMap(({ source, occurrence }) => referencePlaces(source, read, occurrence).map((span): Reference => ({ file: occurrence.file, span, role: roleOf(read, source, occurrence) }))));
  return uniqueReferences(scope === 'file' ? places.filter((place) => place.file === file) : places);
}

/** Files times readings of them that one question is worth: a name that very many files mention is looked for in active text alone. */
const MOST_READ = 2000;

/** What means the same, also in text that the defines leave out, as far as there is a reading of that. */
function groupsOf(snapshot: NameSnapshot, from: string, name: string, targets: readonly DeclarationRef[]): readonly Group[] {
  const files = snapshot.filesMentioning(name, from);
  const active = closeGroups([snapshot], name, targets, files).groups;
  const touched = new Set([from, ...active.flatMap(({ found }) => found.map(({ occurrence }) => occurrence.file))]);
  const { readings } = readingsOf(snapshot, { from: name }, files, isConcernedWith(targets, touched));
  const others = readings.slice(0, Math.floor(MOST_READ / files.length)).map((reading) => reading.snapshot);
  return others.length === 0 ? active : closeGroups([snapshot, ...others], name, targets, files).groups;
}

/** The occurrences of a name in all files, and those of them that mean what is looked for. */
export interface Group {
  readonly snapshot: NameSnapshot;
  readonly all: readonly Found[];
  readonly found: readonly Found[];
}

/**
 * Whoever means one of several declarations of a name by the same use means them all, as does a method those that it overrides; a place that means one in any of the snapshots, which
 * differ in what conditionals leave out, means the same in the others.
 */
export function closeGroups(snapshots: readonly NameSnapshot[], name: string, targets: readonly DeclarationRef[], files: readonly string[]): { readonly keys: ReadonlySet<string>; readonly groups: readonly Group[] } {
  const readings = snapshots.map((snapshot) => {
    const all = files.flatMap((file) => {
      const source = snapshot.source(file);
      if (!source) return [];
      const named = occurrencesNamed(source.names, name);
      return named.map((occurrence): Found => ({ source, occurrence, targets: targetsOf(snapshot, source, occurrence) }));
    });
    return { snapshot, all, linked: all.map((found) => ({ found, links: [...found.targets.flatMap((target) => [target, ...snapshot.resolver.overridden(target)]).map(keyOf), ...(snapshots.length > 1 ? linkOf(found) : [])] })) };
  });
  const keys = new Set(targets.map(keyOf));
  for (let size = 0; size !== keys.size; ) {
    size = keys.size;
    for (const { linked } of readings) for (const { links } of linked) if (links.some((key) => keys.has(key))) for (const key of links) keys.add(key);
  }
  const groups = readings.map(({ snapshot, all, linked }): Group => ({ snapshot, all, found: linked.filter(({ links }) => links.some((key) => keys.has(key))).map(({ found }) => found) }));
  return { keys, groups };
}

/**
 * What an occurrence has in common with those of other readings of its own file: a use its place, apart from what else stands there, as a
 * port and a net in a `.name` connection; a declaration the scope that it stands in.
 */
function linkOf({ source, occurrence: { name, file, span, exact, use, declaration } }: Found): string[] {
  const { names } = source;
  if (!exact || file !== source.file) return [];
  const { shorthand = false, base } = (use === undefined ? undefined : names.uses[use]) ?? {};
  if (base) return [`${file} ${span.start} ${base.kind} ${shorthand}`];
  const scope = names.scopes[declaration === undefined ? -1 : (names.declarations[declaration]?.scope ?? -1)];
  return scope ? [`${file} in ${scope.kind} ${names.map.locate(scope.extent.start).span.start} ${name}`] : [];
}

/** In a macro usage the places of the name among its arguments, or the usage where the macro itself names it. */
export function referencePlaces(source: NamedSource, snapshot: NameSnapshot, occurrence: Occurrence): FileSpan['span'][] {
  if (occurrence.exact) return [occurrence.span];
  const text = occurrence.file === source.file ? source.text : (snapshot.source(occurrence.file)?.text ?? '');
  const places = identifierMentions(text, occurrence.name, occurrence.span);
  return places.length > 0 ? places : [occurrence.span];
}

const WRITES: ReadonlySet<UseAccess> = new Set(['write', 'update']);
const READS: ReadonlySet<UseAccess> = new Set(['read', 'event', 'call', 'argument', 'connection']);

function roleOf(snapshot: NameSnapshot, { names }: NamedSource, { use }: Occurrence): Reference['role'] {
  if (use === undefined) return 'declaration';
  const access = snapshot.resolver.accessOf(names, use);
  return WRITES.has(access) ? 'write' : READS.has(access) ? 'read' : 'other';
}

function macroReferences(snapshot: NameSnapshot, file: string, name: string): Reference[] {
  const source = snapshot.source(file);
  return (source ? mentionsIn(source) : []).flatMap((mention): Reference[] => (mention.name === name ? [{ file, span: mention.span, role: mention.kind === 'define' ? 'declaration' : 'read' }] : []));
}

function uniqueReferences(places: readonly Reference[]): Reference[] {
  const seen = new Map<string, Reference>();
  for (const place of places) {
    const key = `${place.file}:${place.span.start}`;
    const known = seen.get(key);
    // A shorthand connection is read or written by its net.
    if (!known || known.role === 'other') seen.set(key, place);
  }
  return [...seen.values()];
}
