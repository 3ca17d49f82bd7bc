import { declarationOf, keyOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import type { FileNames, ScopeIndex } from '../../analysis/names/model.ts';
import { placeOf } from '../../analysis/names/model.ts';
import type { Span } from '../../base/text.ts';
import { placeAt } from './at.ts';
import type { FileSpan, NameSnapshot } from './snapshot.ts';

/** A module as a part of the design's hierarchy. */
export interface HierarchyItem extends FileSpan {
  readonly name: string;
  readonly kind: 'module' | 'interface' | 'program' | 'primitive';
  /** The module as a whole; `span` is its name. */
  readonly whole: Span;
}

export interface HierarchyLink {
  readonly item: HierarchyItem;
  /** Names of the instances, in the file of the parent. */
  readonly instances: readonly { readonly name: string; readonly span: Span }[];
}

type Links = Map<string, { readonly item: HierarchyItem; readonly instances: { readonly name: string; readonly span: Span }[] }>;

/** The module that is named at an offset, directly or by an instance; elsewhere the one around it. */
export function hierarchyAt(snapshot: NameSnapshot, file: string, offset: number): HierarchyItem | undefined {
  const at = placeAt(snapshot, file, offset);
  const target = at?.kind === 'name' ? at.targets[0] : undefined;
  const direct = target && (itemOf(target) ?? itemOfType(snapshot, target));
  if (direct) return direct;
  const names = snapshot.source(file)?.names;
  if (!names) return undefined;
  const around = names.scopes.find(({ parent, owner, extent }) => {
    const place = placeOf(names, extent);
    return parent === 0 && owner !== undefined && place.file === file && place.span.start <= offset && offset <= place.span.end;
  });
  return around?.owner === undefined ? undefined : itemOf({ names, index: around.owner });
}

/** The modules that an item instantiates. */
export function hierarchyBelow(snapshot: NameSnapshot, item: FileSpan): HierarchyLink[] {
  const ref = refOf(snapshot, item);
  if (!ref) return [];
  const { names } = ref;
  const links: Links = new Map();
  for (const instance of names.instances) {
    if (!isInside(names, instance.scope, declarationOf(ref).inner)) continue;
    const module = snapshot.resolver.target(names, instance.moduleUse);
    const child = module && itemOf(module);
    if (!module || !child) continue;
    addLink(links, keyOf(module), child, names, instance.declaration, instance.extent);
  }
  return [...links.values()];
}

/** The modules that instantiate an item. */
export function hierarchyAbove(snapshot: NameSnapshot, item: FileSpan & { readonly name: string }): HierarchyLink[] {
  const ref = refOf(snapshot, item);
  if (!ref) return [];
  const key = keyOf(ref);
  const links: Links = new Map();
  for (const file of snapshot.filesMentioning(item.name, item.file)) {
    const names = snapshot.source(file)?.names;
    for (const instance of names?.instances ?? []) {
      if (!names || instance.module !== item.name) continue;
      const module = snapshot.resolver.target(names, instance.moduleUse);
      const owner = module && keyOf(module) === key ? unitAround(names, instance.scope) : undefined;
      const parent = owner && itemOf(owner);
      if (owner && parent) addLink(links, keyOf(owner), parent, names, instance.declaration, instance.extent);
    }
  }
  return [...links.values()];
}

function addLink(links: Links, key: string, item: HierarchyItem, names: FileNames, declaration: number | undefined, extent: Span): void {
  const named = declaration === undefined ? undefined : names.declarations[declaration];
  const instance = { name: named?.name ?? '', span: placeOf(names, named?.span ?? extent).span };
  const known = links.get(key);
  if (!known) links.set(key, { item, instances: [instance] });
  else if (!known.instances.some(({ span }) => span.start === instance.span.start)) known.instances.push(instance);
}

function itemOf(ref: DeclarationRef): HierarchyItem | undefined {
  const declaration = declarationOf(ref);
  const { kind, name } = declaration;
  if (kind !== 'module' && kind !== 'interface' && kind !== 'program' && kind !== 'primitive') return undefined;
  const place = placeOf(ref.names, declaration.span);
  const whole = placeOf(ref.names, declaration.extent);
  return { name, kind, file: place.file, span: place.span, whole: whole.file === place.file ? whole.span : place.span };
}

function itemOfType(snapshot: NameSnapshot, ref: DeclarationRef): HierarchyItem | undefined {
  const { kind, type } = declarationOf(ref);
  const module = kind === 'instance' && type?.kind === 'named' ? snapshot.resolver.target(ref.names, type.use) : undefined;
  return module && itemOf(module);
}

function refOf(snapshot: NameSnapshot, { file, span }: FileSpan): DeclarationRef | undefined {
  const names = snapshot.source(file)?.names;
  if (!names) return undefined;
  for (const [index, declaration] of names.declarations.entries()) {
    if (placeOf(names, declaration.span).span.start === span.start && itemOf({ names, index })) return { names, index };
  }
  return undefined;
}

function isInside(names: FileNames, start: ScopeIndex, outer: ScopeIndex | undefined): boolean {
  for (let scope: ScopeIndex | undefined = start; scope !== undefined; scope = names.scopes[scope]?.parent) if (scope === outer) return true;
  return false;
}

function unitAround(names: FileNames, start: ScopeIndex): DeclarationRef | undefined {
  for (let scope: ScopeIndex | undefined = start; scope !== undefined; scope = names.scopes[scope]?.parent) {
    const { kind, owner } = names.scopes[scope] ?? {};
    if (owner !== undefined && (kind === 'module' || kind === 'interface' || kind === 'program')) return { names, index: owner };
  }
  return undefined;
}
