import { declarationOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import { placeOf } from '../../analysis/names/model.ts';
import type { Span } from '../../base/text.ts';
import { isFreeName } from '../../syntax/reserved-words.ts';
import { placeAt } from './at.ts';
import type { AtPlace } from './at.ts';
import { closeGroups } from './references.ts';
import { renameMacro } from './rename-macro.ts';
import { sameMeaning } from './rename-check.ts';
import { isConcernedWith, readingsOf } from './readings.ts';
import { notRead } from './rename-inactive.ts';
import { refusedAt, renameIn } from './rename-reading.ts';
import type { RenameResult, TextEdit } from './edits.ts';
import type { NameSnapshot } from './snapshot.ts';

/** What can be renamed at an offset, or why nothing can. */
export function prepareRename(snapshot: NameSnapshot, file: string, offset: number): { readonly kind: 'name'; readonly span: Span; readonly name: string } | { readonly kind: 'refused'; readonly reason: string } {
  const at = placeAt(snapshot, file, offset);
  if (!at || at.kind === 'include') return { kind: 'refused', reason: 'There is no name here that can be renamed.' };
  if (at.kind === 'macro') return { kind: 'name', span: at.span, name: at.mention.name };
  if (at.name === 'new' && at.targets.some(isConstructor)) return { kind: 'refused', reason: "A constructor is always named 'new'; rename its class instead." };
  if (at.targets.some(isOneOfSeveral)) return { kind: 'refused', reason: `'${at.name}' is one of several names that one entry of an enumeration stands for; change that entry by hand.` };
  if (at.targets.length === 0) return { kind: 'refused', reason: unknownMeaning(at.name) };
  return { kind: 'name', span: at.span, name: at.name };
}

/** Its name is not written where it is declared. */
function isOneOfSeveral({ names, index }: DeclarationRef): boolean {
  const declaration = names.declarations[index];
  return declaration?.kind === 'enum-member' && declaration.span.end - declaration.span.start < declaration.name.length;
}

function isConstructor({ names, index }: DeclarationRef): boolean {
  return names.scopes[names.declarations[index]?.scope ?? -1]?.kind === 'class';
}

function unknownMeaning(name: string): string {
  return /^genblk\d+$/.test(name)
    ? `'${name}' is made up by the language for a generate block without a name; give the block a name instead.`
    : `The declaration of '${name}' was not found, so that not all of its uses would be renamed.`;
}

/**
 * Renames what stands at an offset everywhere, or refuses: every mention of the old name has to be understood, also in text that the
 * current defines leave out, and the edited text has to mean the same, name by name, as the text before.
 */
export function rename(snapshot: NameSnapshot, file: string, offset: number, newName: string): RenameResult {
  const prepared = prepareRename(snapshot, file, offset);
  if (prepared.kind === 'refused') return prepared;
  if (!isFreeName(newName)) return { kind: 'refused', reason: `'${newName}' can't be a name: it has to begin with a letter or '_', go on with letters, digits, '_' and '$', and be no keyword.` };
  if (newName === prepared.name) return { kind: 'edits', edits: [] };
  if (!snapshot.complete) return { kind: 'refused', reason: 'Not all files of the workspace are known, so that some uses could be missed; try again when the search for modules has ended, and raise index.maxFiles if it was cut off.' };
  const at = placeAt(snapshot, file, offset);
  if (at?.kind === 'macro') return renameMacro(snapshot, file, at.mention.name, newName);
  if (at?.kind !== 'name') return { kind: 'refused', reason: 'There is no name here that can be renamed.' };
  return renameEverywhere(snapshot, file, at, newName);
}

function renameEverywhere(snapshot: NameSnapshot, from: string, { name, targets }: Extract<AtPlace, { kind: 'name' }>, newName: string): RenameResult {
  const leftOut = `'${name}' also stands in text that the current defines leave out, where it is not certain what it means`;
  const files = snapshot.filesMentioning(name, from);
  const active = closeGroups([snapshot], name, targets, files).groups.flatMap(({ found }) => found);
  const touched = new Set([from, ...active.map(({ occurrence }) => occurrence.file)]);
  const { readings, unread } = readingsOf(snapshot, { from: name, to: newName }, files, isConcernedWith(targets, touched));
  if (unread) return refusedAt(snapshot, leftOut, unread);
  const { keys, groups } = closeGroups([snapshot, ...readings.map((reading) => reading.snapshot)], name, targets, files);
  const edits = new Map<string, TextEdit>();
  for (const [at, group] of groups.entries()) {
    const reading = readings[at - 1];
    const lost = reading && notRead(reading, group);
    const refusal = lost ? refusedAt(snapshot, leftOut, lost) : renameIn(group, { from: name, to: newName, keys }, files, edits);
    if (refusal) return refusal;
  }
  const all = [...edits.values()];
  const changed = [...new Set([...files, ...snapshot.filesMentioning(newName, from)])];
  for (const group of groups) {
    const place = sameMeaning(group.snapshot, all, changed, { from: name, to: newName, keys });
    if (place) return refusedAt(snapshot, `With the name '${newName}' something would mean another thing than now`, place);
  }
  return { kind: 'edits', edits: all };
}

/** A module, or a port of one, by the file that declares the module. */
export interface RenamedModule {
  /** Absolute path. */
  readonly file: string;
  readonly module: string;
  readonly port: string | undefined;
}

/** The module or port that is renamed at an offset, for what names it outside of the sources; undefined for other things. */
export function renamedModule(snapshot: NameSnapshot, file: string, offset: number): RenamedModule | undefined {
  const at = placeAt(snapshot, file, offset);
  for (const ref of at?.kind === 'name' ? at.targets : []) {
    const { kind, name, scope } = declarationOf(ref);
    const owner = ref.names.scopes[scope]?.owner;
    const module = kind === 'module' ? ref.index : kind === 'port' ? owner : undefined;
    const declared = module === undefined ? undefined : ref.names.declarations[module];
    if (declared?.kind === 'module') return { file: placeOf(ref.names, declared.span).file, module: declared.name, port: kind === 'port' ? name : undefined };
  }
  return undefined;
}
