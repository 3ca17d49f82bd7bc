import { finish } from '../../base/steps.ts';
import type { Steps } from '../../base/steps.ts';
import type { Span } from '../../base/text.ts';
import type { Declaration, DeclarationIndex, Scope, Use, UseIndex } from '../names/model.ts';
import type { FileView, ModuleView } from './view.ts';

/** What the uses of a declaration do with it. */
export interface Usage {
  readonly index: DeclarationIndex;
  readonly declaration: Declaration;
  readonly uses: readonly Use[];
  readonly isRead: boolean;
  readonly isWritten: boolean;
  /** Its type is used, as by `$bits`. */
  readonly isAsked: boolean;
  /** Something that is not followed may read or write it. */
  readonly isUncertain: boolean;
}

interface Draft {
  readonly index: DeclarationIndex;
  readonly declaration: Declaration;
  readonly uses: Use[];
  isRead: boolean;
  isWritten: boolean;
  isAsked: boolean;
  isUncertain: boolean;
}

/** All lists are in the order of the text. */
export interface Names {
  readonly usages: readonly Usage[];
  readonly scopes: readonly Scope[];
  /** Uses of which nothing in the visible scopes declares the name. */
  readonly undeclared: readonly Use[];
  /** Members of what is known that it does not have. */
  readonly withoutMember: readonly Use[];
}

/** What a variable refers to without holding it. */
const HANDLES: ReadonlySet<string> = new Set(['class', 'interface', 'modport']);

const known = new WeakMap<FileView, Names>();

/** Uses that are looked at in one step. */
const STEP = 500;

/** What the names of a file mean, for all rules. */
export function namesOf(file: FileView): Names {
  return known.get(file) ?? finish(namesInSteps(file));
}

/** Works out what `namesOf` gives, step by step. */
export function* namesInSteps(file: FileView): Steps<Names> {
  const before = known.get(file);
  if (before) return before;
  const { names, resolver } = file;
  const drafts = names.declarations.map((declaration, index): Draft => ({ index, declaration, uses: [], isRead: false, isWritten: false, isAsked: false, isUncertain: false }));
  const undeclared: Use[] = [];
  const withoutMember: Use[] = [];
  const draftsOf = (use: UseIndex): Draft[] => {
    const found = resolver.resolve(names, use);
    return found.kind === 'declared' ? found.targets.flatMap((target) => (target.names === names ? (drafts[target.index] ?? []) : [])) : [];
  };
  for (const [index, use] of names.uses.entries()) {
    if (index % STEP === 0) yield;
    const found = resolver.resolve(names, index);
    if (found.kind === 'unresolved') {
      if (found.reason === 'undeclared' && !use.soft) undeclared.push(use);
      // Methods of arrays, queues and objects may read and write them.
      if (use.base.kind === 'member' && use.base.operator === '.') for (const draft of draftsOf(use.base.of)) draft.isUncertain = true;
      if (found.reason === 'no-member' && use.base.kind === 'member' && !use.soft) withoutMember.push(use);
      continue;
    }
    for (const target of found.targets) {
      const draft = target.names === names ? drafts[target.index] : undefined;
      if (!draft) continue;
      note(draft, use, resolver.accessOf(names, index));
      // A write through a handle reads the handle.
      if (use.partial && resolver.insideOf(target).some(({ names: inner, scope }) => HANDLES.has(inner.scopes[scope]?.kind ?? 'block'))) draft.isRead = true;
    }
  }
  const result: Names = {
    usages: drafts.sort((a, b) => a.declaration.span.start - b.declaration.span.start),
    scopes: names.scopes.toSorted((a, b) => a.extent.start - b.extent.start),
    undeclared,
    withoutMember,
  };
  known.set(file, result);
  return result;
}

function note(draft: Draft, use: Use, access: Use['access']): void {
  if (access === 'declaration' || access === 'label') return;
  draft.uses.push(use);
  if (use.soft) draft.isUncertain = true;
  switch (access) {
    case 'write':
      draft.isWritten = true;
      return;
    case 'update':
      draft.isRead = true;
      draft.isWritten = true;
      return;
    case 'connection':
    case 'argument':
    case 'path':
      draft.isUncertain = true;
      return;
    case 'type':
      draft.isAsked = true;
      return;
    // An instance names the port but does not read it.
    case 'formal':
      if (draft.declaration.kind !== 'port') draft.isRead = true;
      return;
    default:
      draft.isRead = true;
  }
}

/** Declarations inside a unit. */
export function usagesIn(module: ModuleView): readonly Usage[] {
  return module.once(collectUsages);
}

function collectUsages({ file, extent }: ModuleView): readonly Usage[] {
  return usagesWithin(file, extent);
}

/** Declarations in a part of the parsed text. */
export function usagesWithin(file: FileView, extent: Span | undefined): readonly Usage[] {
  return inside(namesOf(file).usages, extent, ({ declaration }) => declaration.span.start);
}

/** Scopes inside a unit, its own among them. */
export function scopesIn({ file, extent }: ModuleView): readonly Scope[] {
  return scopesWithin(file, extent);
}

/** Scopes that begin in a part of the parsed text. */
export function scopesWithin(file: FileView, extent: Span | undefined): readonly Scope[] {
  return inside(namesOf(file).scopes, extent, ({ extent: { start } }) => start);
}

/** Uses in a unit that nothing declares. */
export function undeclaredIn({ file, extent }: ModuleView): readonly Use[] {
  return inside(namesOf(file).undeclared, extent, ({ span }) => span.start);
}

/** The part of a list in the order of the text that lies in a unit, found by bisection, so that many units cost no more than one. */
function inside<T>(list: readonly T[], extent: Span | undefined, startOf: (item: T) => number): readonly T[] {
  if (!extent) return [];
  const firstAt = (offset: number): number => {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const item = list[middle];
      if (item !== undefined && startOf(item) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return list.slice(firstAt(extent.start), firstAt(extent.end));
}

export function isInside(offset: number, module: ModuleView): boolean {
  return module.extent !== undefined && offset >= module.extent.start && offset < module.extent.end;
}

/** Names may come from where nobody can look: an unknown macro inside, or a header that was not found. */
export function isOpaque({ file, extent }: ModuleView): boolean {
  return isOpaqueIn(file, extent);
}

export function isOpaqueIn({ missesInclude, unknownMacros }: FileView, extent: Span | undefined): boolean {
  return missesInclude || (extent !== undefined && unknownMacros.some(({ start }) => start >= extent.start && start < extent.end));
}
