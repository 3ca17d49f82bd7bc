import type { Instance, ScopeIndex } from '../../analysis/names/model.ts';
import { declarationOf, keyOf } from '../../analysis/names/resolve.ts';
import type { DeclarationRef } from '../../analysis/names/resolve.ts';
import type { NamedSource } from '../../analysis/names/source.ts';
import type { Span } from '../../base/text.ts';
import { identifierMentions } from '../../syntax/mentions.ts';
import { isFreeName } from '../../syntax/reserved-words.ts';
import { placeAt } from './at.ts';
import { closeGroup } from './references.ts';
import type { Found } from './references.ts';
import { renameMacro } from './rename-macro.ts';
import { sameMeaning } from './rename-check.ts';
import type { RenameResult, TextEdit } from './edits.ts';
import type { FileSpan, NameSnapshot } from './snapshot.ts';

/** What can be renamed at an offset, or why nothing can. */
export function prepareRename(snapshot: NameSnapshot, file: string, offset: number): { readonly kind: 'name'; readonly span: Span; readonly name: string } | { readonly kind: 'refused'; readonly reason: string } {
  const at = placeAt(snapshot, file, offset);
  if (!at || at.kind === 'include') return { kind: 'refused', reason: 'There is no name here that can be renamed.' };
  if (at.kind === 'macro') return { kind: 'name', span: at.span, name: at.mention.name };
  if (at.targets.length === 0) return { kind: 'refused', reason: unknownMeaning(at.name) };
  return { kind: 'name', span: at.span, name: at.name };
}

function unknownMeaning(name: string): string {
  return /^genblk\d+$/.test(name)
    ? `'${name}' is made up by the language for a generate block without a name; give the block a name instead.`
    : `The declaration of '${name}' was not found, so that not all of its uses would be renamed.`;
}

/**
 * Renames what stands at an offset everywhere, or refuses: every mention of the old name has to be understood, and the
 * edited text has to mean the same, name by name, as the text before.
 */
export function rename(snapshot: NameSnapshot, file: string, offset: number, newName: string): RenameResult {
  const prepared = prepareRename(snapshot, file, offset);
  if (prepared.kind === 'refused') return prepared;
  if (!isFreeName(newName)) return { kind: 'refused', reason: `'${newName}' can't be a name: it has to begin with a letter or '_', go on with letters, digits, '_' and '$', and be no keyword.` };
  if (newName === prepared.name) return { kind: 'edits', edits: [] };
  if (!snapshot.complete) return { kind: 'refused', reason: 'Not all files of the workspace are known yet, so that some uses could be missed; try again when the search for modules has ended.' };
  const at = placeAt(snapshot, file, offset);
  if (at?.kind === 'macro') return renameMacro(snapshot, file, at.mention.name, newName);
  if (at?.kind !== 'name') return { kind: 'refused', reason: 'There is no name here that can be renamed.' };
  return new Renaming(snapshot, file, at.name, newName).run(at.targets);
}

class Renaming {
  readonly #snapshot: NameSnapshot;
  readonly #from: string;
  readonly #old: string;
  readonly #new: string;
  readonly #edits = new Map<string, TextEdit>();

  constructor(snapshot: NameSnapshot, from: string, oldName: string, newName: string) {
    this.#snapshot = snapshot;
    this.#from = from;
    this.#old = oldName;
    this.#new = newName;
  }

  run(targets: readonly DeclarationRef[]): RenameResult {
    const files = this.#snapshot.filesMentioning(this.#old, this.#from);
    const group = closeGroup(this.#snapshot, this.#old, targets, files);
    const refusal =
      this.#outside(group.found) ??
      this.#ambiguousUnit(group.found, group.all) ??
      this.#notFollowed(group.keys, group.all) ??
      this.#inactive(group.found, files) ??
      this.#collect(group.found, group.keys) ??
      this.#wildcards(group.keys, files) ??
      this.#collision(group.found);
    if (refusal) return refusal;
    const edits = [...this.#edits.values()];
    const changed = [...new Set([...files, ...this.#snapshot.filesMentioning(this.#new, this.#from)])];
    const place = sameMeaning(this.#snapshot, edits, changed, { from: this.#old, to: this.#new, keys: group.keys });
    if (place) return this.#refuse(`With the name '${this.#new}' something would mean another thing than now`, place);
    return { kind: 'edits', edits };
  }

  #refuse(what: string, place: FileSpan): RenameResult {
    return { kind: 'refused', reason: `${what}: ${this.#where(place)}.`, place };
  }

  #where({ file, span }: FileSpan): string {
    const text = this.#snapshot.source(file)?.text ?? '';
    const line = text.slice(0, span.start).split('\n').length;
    return `${file}, line ${line}`;
  }

  /** Files that only a macro or an include from outside the known files reaches can't be changed with confidence. */
  #outside(found: readonly Found[]): RenameResult | undefined {
    for (const { occurrence } of found) {
      if (!this.#snapshot.isOwn(occurrence.file)) return this.#refuse(`'${this.#old}' also stands in a file outside of the workspace`, occurrence);
    }
    return undefined;
  }

  /** With two units of one name it is not sure which of them an instance means. */
  #ambiguousUnit(found: readonly Found[], all: readonly Found[]): RenameResult | undefined {
    for (const { source, targets } of found) {
      for (const ref of targets) {
        const unit = unitOf(ref);
        if (!unit || declarationOf(unit).name === '') continue;
        const name = declarationOf(unit).name;
        const others = this.#snapshot.unitsNamed(name).filter((other) => keyOf(other) !== keyOf(unit));
        if (others.length === 0 || !isSeenFromOutside(ref, unit)) continue;
        const fromElsewhere = source.file !== ref.names.file || all.some((each) => each.source.file !== ref.names.file && each.targets.some((target) => unitOf(target) && declarationOf(unitOf(target) ?? target).name === name));
        const [other] = others;
        if (fromElsewhere && other) return this.#refuse(`'${name}' is defined more than once, so that it is not sure which one is meant`, placeOfRef(other));
      }
    }
    return undefined;
  }

  /** A mention that is not understood may mean the renamed thing. */
  #notFollowed(keys: ReadonlySet<string>, all: readonly Found[]): RenameResult | undefined {
    const understood = new Set(all.filter(({ targets }) => targets.length > 0).map(({ occurrence }) => placeKey(occurrence)));
    for (const { source, occurrence, targets } of all) {
      const use = occurrence.use === undefined ? undefined : source.names.uses[occurrence.use];
      if (!use || occurrence.use === undefined) continue;
      const isTarget = targets.some((target) => keys.has(keyOf(target)));
      if (isTarget && targets.some((target) => !keys.has(keyOf(target)))) return this.#refuse(`A use of '${this.#old}' has two meanings`, occurrence);
      if (isTarget && use.soft) return this.#refuse(`'${this.#old}' stands in a construct that is not followed in detail`, occurrence);
      const resolution = this.#snapshot.resolver.resolve(source.names, occurrence.use);
      if (resolution.kind === 'declared' || resolution.reason !== 'uncertain' || understood.has(placeKey(occurrence))) continue;
      if ((use.base.kind === 'port' || use.base.kind === 'parameter') && isUnknownUnit(this.#snapshot, source, use.base.of)) continue;
      return this.#refuse(`It is not known what '${this.#old}' means in one place, and it may be this one`, occurrence);
    }
    return undefined;
  }

  /** What the preprocessor leaves out is compiled with other defines. */
  #inactive(found: readonly Found[], files: readonly string[]): RenameResult | undefined {
    const touched = new Set(found.map(({ occurrence }) => occurrence.file));
    for (const file of files) {
      const source = this.#snapshot.source(file);
      if (!source) continue;
      for (const span of source.preprocessed.inactive) {
        const mention = identifierMentions(source.text, this.#old, span).find(({ start }) => touched.has(file) || /[.:]\s*$/.test(source.text.slice(Math.max(0, start - 20), start)));
        if (mention) return this.#refuse(`'${this.#old}' also stands in text that the current defines leave out`, { file, span: mention });
      }
    }
    return undefined;
  }

  #collect(found: readonly Found[], keys: ReadonlySet<string>): RenameResult | undefined {
    for (const { source, occurrence } of found) {
      if (!occurrence.exact) {
        const text = this.#snapshot.source(occurrence.file)?.text ?? '';
        const places = identifierMentions(text, this.#old, occurrence.span);
        if (places.length === 0) return this.#refuse(`'${this.#old}' comes out of a macro's text`, occurrence);
        for (const span of places) this.#edit({ file: occurrence.file, span, newText: this.#new });
        continue;
      }
      this.#edit({ file: occurrence.file, span: occurrence.span, newText: this.#shorthandText(source, occurrence.use, keys) ?? this.#new });
    }
    return undefined;
  }

  /** `.name` means a port and a net; where only one of them is renamed, both have to be written. */
  #shorthandText({ names }: NamedSource, index: number | undefined, keys: ReadonlySet<string>): string | undefined {
    const use = index === undefined ? undefined : names.uses[index];
    if (!use || index === undefined) return undefined;
    const partner = use.shorthand ? index - 1 : index + 1;
    const other = names.uses[partner];
    if (!other || other.span.start !== use.span.start || other.shorthand === use.shorthand) return undefined;
    const both = this.#snapshot.resolver.resolve(names, partner);
    if (both.kind === 'declared' && both.targets.some((target) => keys.has(keyOf(target)))) return undefined;
    return use.shorthand ? `${this.#old}(${this.#new})` : `${this.#new}(${this.#old})`;
  }

  /** `.*` connects by name: a connection that the rename would break is written out. */
  #wildcards(keys: ReadonlySet<string>, files: readonly string[]): RenameResult | undefined {
    for (const file of files) {
      const source = this.#snapshot.source(file);
      if (!source) continue;
      for (const instance of source.names.instances) {
        const pair = wildcardPair(this.#snapshot, source, instance, this.#old);
        const isPort = pair?.port !== undefined && keys.has(keyOf(pair.port));
        const isNet = pair?.net !== undefined && keys.has(keyOf(pair.net));
        if (!pair || isPort === isNet) continue;
        const place = source.names.map.locateSpan(pair.wildcard);
        if (!place.exact) return this.#refuse(`'${this.#old}' is connected by a '.*' in a macro`, place);
        this.#edit({ file: place.file, span: { start: place.span.start, end: place.span.start }, newText: isPort ? `.${this.#new}(${this.#old}), ` : `.${this.#old}(${this.#new}), ` });
      }
    }
    return undefined;
  }

  #collision(found: readonly Found[]): RenameResult | undefined {
    for (const { targets } of found) {
      for (const { names, index } of targets) {
        const declaration = declarationOf({ names, index });
        const [known] = names.scopes[declaration.scope]?.names.get(this.#new) ?? [];
        if (known !== undefined) return this.#refuse(`'${this.#new}' is already declared in the same place`, placeOfRef({ names, index: known }));
        const [unit] = declaration.scope === 0 ? this.#snapshot.unitsNamed(this.#new) : [];
        if (unit) return this.#refuse(`'${this.#new}' is already defined`, placeOfRef(unit));
      }
    }
    return undefined;
  }

  #edit(edit: TextEdit): void {
    this.#edits.set(`${edit.file}:${edit.span.start}:${edit.span.end}`, edit);
  }
}

function placeKey({ file, span }: FileSpan): string {
  return `${file}:${span.start}`;
}

export function placeOfRef(ref: DeclarationRef): FileSpan {
  const place = ref.names.map.locateSpan(declarationOf(ref).span);
  return { file: place.file, span: place.span };
}

/** The design unit that a declaration stands in, or itself. */
function unitOf(ref: DeclarationRef): DeclarationRef | undefined {
  const { names, index } = ref;
  const declaration = declarationOf(ref);
  if (declaration.scope === 0) return { names, index };
  for (let scope: ScopeIndex | undefined = declaration.scope; scope !== undefined; scope = names.scopes[scope]?.parent) {
    const entry = names.scopes[scope];
    if (entry?.parent === 0 && entry.owner !== undefined) return { names, index: entry.owner };
  }
  return undefined;
}

/** Ports, parameters and what stands directly in a unit can be named from other files. */
function isSeenFromOutside(ref: DeclarationRef, unit: DeclarationRef): boolean {
  const declaration = declarationOf(ref);
  return declaration.scope === 0 || declaration.scope === declarationOf(unit).inner;
}

function isUnknownUnit(snapshot: NameSnapshot, { names }: NamedSource, of: number): boolean {
  const found = snapshot.resolver.resolve(names, of);
  return found.kind === 'unresolved' && found.reason === 'unknown-unit';
}

/** The port and the net that the `.*` of an instance joins under a name; undefined when it joins none such. */
export function wildcardPair(
  snapshot: NameSnapshot,
  { names }: NamedSource,
  instance: Instance,
  name: string,
): { readonly port: DeclarationRef; readonly net: DeclarationRef; readonly wildcard: Span } | undefined {
  const wildcard = instance.ports.find(({ kind }) => kind === 'wildcard');
  if (!wildcard || instance.ports.some((connection) => connection.name === name)) return undefined;
  const port = snapshot.resolver.formal(names, { of: instance.moduleUse, name, position: undefined });
  const net = snapshot.resolver.resolveName(names, instance.scope, name);
  const target = net.kind === 'declared' ? net.targets[0] : undefined;
  return port && target ? { port, net: target, wildcard: wildcard.span } : undefined;
}
