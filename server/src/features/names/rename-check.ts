import { keyOf } from '../../analysis/names/declaration-ref.ts';
import type { FileNames, Instance } from '../../analysis/names/model.ts';
import type { Resolution } from '../../analysis/names/resolve.ts';
import type { NamedSource } from '../../analysis/names/source.ts';
import { wildcardNames } from './connections.ts';
import { applyEdits } from './edits.ts';
import type { TextEdit } from './edits.ts';
import type { FileSpan, NameSnapshot } from './snapshot.ts';

/** What is renamed: `keys` are those of the declarations before. */
export interface Renamed {
  readonly from: string;
  readonly to: string;
  readonly keys: ReadonlySet<string>;
}

/**
 * Compares what all names mean before and after edits, one by one: nothing may change but the name itself. Returns a place
 * where something does.
 */
export function sameMeaning(snapshot: NameSnapshot, edits: readonly TextEdit[], files: readonly string[], renamed: Renamed): FileSpan | undefined {
  const after = snapshot.with(applyEdits((file) => snapshot.source(file)?.text ?? '', edits));
  for (const file of files) {
    const [old, now] = [snapshot.source(file), after.source(file)];
    if (!old || !now) continue;
    const place = difference({ snapshot, source: old }, { snapshot: after, source: now }, renamed, edits);
    if (place) return place;
  }
  return undefined;
}

interface Side {
  readonly snapshot: NameSnapshot;
  readonly source: NamedSource;
}

function difference(before: Side, after: Side, renamed: Renamed, edits: readonly TextEdit[]): FileSpan | undefined {
  const [old, now] = [before.source.names, after.source.names];
  const inserted = insertedUses(now, edits);
  const uses = now.uses.map((_, index) => index).filter((index) => !inserted.has(index));
  const placeOf = (index: number): FileSpan => old.map.locateSpan(old.uses[index]?.span ?? { start: 0, end: 0 });
  if (uses.length !== old.uses.length) return placeOf(0);
  for (const [index, use] of old.uses.entries()) {
    const other = uses[index] ?? -1;
    const [was, is] = [before.snapshot.resolver.resolve(old, index), after.snapshot.resolver.resolve(now, other)];
    const isRenamed = was.kind === 'declared' && was.targets.some((target) => renamed.keys.has(keyOf(target)));
    const wanted = isRenamed && use.name === renamed.from ? renamed.to : use.name;
    if (now.uses[other]?.name !== wanted || meaning(was) !== meaning(is)) return placeOf(index);
  }
  if (old.declarations.length !== now.declarations.length) return placeOf(0);
  for (const [index, declaration] of old.declarations.entries()) {
    const wanted = declaration.name === renamed.from && renamed.keys.has(keyOf({ names: old, index })) ? renamed.to : declaration.name;
    if (now.declarations[index]?.name !== wanted) return old.map.locateSpan(declaration.span);
  }
  return wildcardDifference(before, after, inserted);
}

/** Equal for two resolutions of the same meaning: declarations keep their position in the model of their file. */
function meaning(resolution: Resolution): string {
  if (resolution.kind === 'unresolved') return resolution.reason;
  return resolution.targets.map(({ names, index }) => `${names.file}#${index}`).join(' ');
}

/** Uses in text that an edit puts where there was none. */
function insertedUses(names: FileNames, edits: readonly TextEdit[]): Set<number> {
  const insertions = edits.filter(({ span }) => span.start === span.end);
  const found = new Set<number>();
  if (insertions.length === 0) return found;
  const spans = insertions.map((edit) => {
    const moved = edits.filter((other) => other.file === edit.file && other.span.start < edit.span.start);
    const start = edit.span.start + moved.reduce((sum, other) => sum + other.newText.length - (other.span.end - other.span.start), 0);
    return { file: edit.file, start, end: start + edit.newText.length };
  });
  names.uses.forEach((use, index) => {
    const place = names.map.locateSpan(use.span);
    if (spans.some(({ file, start, end }) => place.file === file && start <= place.span.start && place.span.end <= end)) found.add(index);
  });
  return found;
}

/** Connections by `.*`, with those that are now written out, join the same ports and nets. */
function wildcardDifference(before: Side, after: Side, inserted: ReadonlySet<number>): FileSpan | undefined {
  for (const [index, instance] of before.source.names.instances.entries()) {
    const other = after.source.names.instances[index];
    if (!other || !instance.ports.some(({ kind }) => kind === 'wildcard')) continue;
    const was = wildcardPairs(before, instance);
    const written = other.ports.flatMap(({ use }) => (use !== undefined && inserted.has(use) ? [pairOf(after, use, use + 1)] : []));
    const now = [...wildcardPairs(after, other), ...written];
    if (was.toSorted().join() !== now.toSorted().join()) return before.source.names.map.locateSpan(instance.extent);
  }
  return undefined;
}

function wildcardPairs({ snapshot, source: { names } }: Side, instance: Instance): string[] {
  return wildcardNames(snapshot.resolver, names, instance).map((name) => {
    const port = snapshot.resolver.formal(names, { of: instance.moduleUse, name, position: undefined });
    return `${port ? `${port.names.file}#${port.index}` : name}=${meaning(snapshot.resolver.resolveName(names, instance.scope, name))}`;
  });
}

function pairOf({ snapshot, source: { names } }: Side, port: number, net: number): string {
  return `${meaning(snapshot.resolver.resolve(names, port))}=${meaning(snapshot.resolver.resolve(names, net))}`;
}
