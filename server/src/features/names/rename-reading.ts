import { declarationOf, keyOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import type { Instance, ScopeIndex } from '../../analysis/names/model.ts';
import type { NamedSource } from '../../analysis/names/source.ts';
import type { Span } from '../../base/text.ts';
import { identifierMentions } from '../../syntax/mentions.ts';
import { written } from '../../syntax/reserved-words.ts';
import type { RenameResult, TextEdit } from './edits.ts';
import type { Found, Group } from './references.ts';
import type { Renamed } from './rename-check.ts';
import type { FileSpan, NameSnapshot } from './snapshot.ts';

export function refusedAt(snapshot: NameSnapshot, what: string, place: FileSpan): RenameResult {
  const line = (snapshot.source(place.file)?.text ?? '').slice(0, place.span.start).split('\n').length;
  return { kind: 'refused', reason: `${what}: ${place.file}, line ${line}.`, place };
}

/** Adds the edits that a group of occurrences wants, by their places; or answers why it can't be renamed. */
export function renameIn(group: Group, renamed: Renamed, files: readonly string[], edits: Map<string, TextEdit>): RenameResult | undefined {
  return new Renaming(group.snapshot, renamed, edits).run(group, files);
}

class Renaming {
  readonly #snapshot: NameSnapshot;
  readonly #old: string;
  readonly #new: string;
  readonly #keys: ReadonlySet<string>;
  readonly #edits: Map<string, TextEdit>;

  constructor(snapshot: NameSnapshot, { from, to, keys }: Renamed, edits: Map<string, TextEdit>) {
    this.#snapshot = snapshot;
    this.#old = from;
    this.#new = to;
    this.#keys = keys;
    this.#edits = edits;
  }

  run({ all, found }: Group, files: readonly string[]): RenameResult | undefined {
    return this.#outside(found) ?? this.#ambiguousUnit(found, all) ?? this.#notFollowed(all) ?? this.#collect(found) ?? this.#wildcards(files) ?? this.#collision(found);
  }

  #refuse(what: string, place: FileSpan): RenameResult {
    return refusedAt(this.#snapshot, what, place);
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
  #notFollowed(all: readonly Found[]): RenameResult | undefined {
    const understood = new Set(all.filter(({ targets }) => targets.length > 0).map(({ occurrence }) => placeKey(occurrence)));
    for (const { source, occurrence, targets } of all) {
      const use = occurrence.use === undefined ? undefined : source.names.uses[occurrence.use];
      if (!use || occurrence.use === undefined) continue;
      const isTarget = targets.some((target) => this.#keys.has(keyOf(target)));
      if (isTarget && targets.some((target) => !this.#keys.has(keyOf(target)))) return this.#refuse(`A use of '${this.#old}' has two meanings`, occurrence);
      if (isTarget && use.soft) return this.#refuse(`'${this.#old}' stands in a construct that is not followed in detail`, occurrence);
      const resolution = this.#snapshot.resolver.resolve(source.names, occurrence.use);
      if (resolution.kind === 'declared' || resolution.reason !== 'uncertain' || understood.has(placeKey(occurrence))) continue;
      if ((use.base.kind === 'port' || use.base.kind === 'parameter') && isUnknownUnit(this.#snapshot, source, use.base.of)) continue;
      return this.#refuse(`It is not known what '${this.#old}' means in one place, and it may be this one`, occurrence);
    }
    return undefined;
  }

  #collect(found: readonly Found[]): RenameResult | undefined {
    for (const { source, occurrence } of found) {
      if (!occurrence.exact) {
        const text = this.#snapshot.source(occurrence.file)?.text ?? '';
        const places = identifierMentions(text, this.#old, occurrence.span);
        if (places.length === 0) return this.#refuse(`'${this.#old}' comes out of a macro's text`, occurrence);
        for (const span of places) this.#edit({ file: occurrence.file, span, newText: this.#new });
        continue;
      }
      this.#edit({ file: occurrence.file, span: occurrence.span, newText: this.#shorthandText(source, occurrence.use) ?? this.#new });
    }
    return undefined;
  }

  /** `.name` means a port and a net; where only one of them is renamed, both have to be written. */
  #shorthandText({ names }: NamedSource, index: number | undefined): string | undefined {
    const use = index === undefined ? undefined : names.uses[index];
    if (!use || index === undefined) return undefined;
    const partner = use.shorthand ? index - 1 : index + 1;
    const other = names.uses[partner];
    if (!other || other.span.start !== use.span.start || other.shorthand === use.shorthand) return undefined;
    const both = this.#snapshot.resolver.resolve(names, partner);
    if (both.kind === 'declared' && both.targets.some((target) => this.#keys.has(keyOf(target)))) return undefined;
    return use.shorthand ? `${written(this.#old)}(${this.#new})` : `${this.#new}(${written(this.#old)})`;
  }

  /** `.*` connects by name: a connection that the rename would break is written out. */
  #wildcards(files: readonly string[]): RenameResult | undefined {
    for (const file of files) {
      const source = this.#snapshot.source(file);
      if (!source) continue;
      for (const instance of source.names.instances) {
        const pair = wildcardPair(this.#snapshot, source, instance, this.#old);
        const isPort = pair?.port !== undefined && this.#keys.has(keyOf(pair.port));
        const isNet = pair?.net !== undefined && this.#keys.has(keyOf(pair.net));
        if (!pair || isPort === isNet) continue;
        const place = source.names.map.locateSpan(pair.wildcard);
        if (!place.exact) return this.#refuse(`'${this.#old}' is connected by a '.*' in a macro`, place);
        this.#edit({ file: place.file, span: { start: place.span.start, end: place.span.start }, newText: isPort ? `.${this.#new}(${written(this.#old)}), ` : `.${written(this.#old)}(${this.#new}), ` });
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
