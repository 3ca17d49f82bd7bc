import type { Declaration, DeclarationIndex, Use, UseIndex } from '../names/model.ts';
import type { FileView, ModuleView } from './view.ts';

/** What the uses of a declaration do with it. */
export interface Usage {
  readonly index: DeclarationIndex;
  readonly declaration: Declaration;
  readonly uses: readonly Use[];
  readonly isRead: boolean;
  readonly isWritten: boolean;
  /** Something that is not followed may read or write it. */
  readonly isUncertain: boolean;
}

interface Draft {
  readonly index: DeclarationIndex;
  readonly declaration: Declaration;
  readonly uses: Use[];
  isRead: boolean;
  isWritten: boolean;
  isUncertain: boolean;
}

/** Uses of which nothing in the visible scopes declares the name. */
export interface Names {
  readonly usages: readonly Usage[];
  readonly undeclared: readonly Use[];
  /** Members of what is known that it does not have. */
  readonly withoutMember: readonly Use[];
}

const known = new WeakMap<FileView, Names>();

/** What the names of a file mean, for all rules. */
export function namesOf(file: FileView): Names {
  const before = known.get(file);
  if (before) return before;
  const { names, resolver } = file;
  const drafts = names.declarations.map((declaration, index): Draft => ({ index, declaration, uses: [], isRead: false, isWritten: false, isUncertain: false }));
  const undeclared: Use[] = [];
  const withoutMember: Use[] = [];
  const draftsOf = (use: UseIndex): Draft[] => {
    const found = resolver.resolve(names, use);
    return found.kind === 'declared' ? found.targets.flatMap((target) => (target.names === names ? (drafts[target.index] ?? []) : [])) : [];
  };
  for (const [index, use] of names.uses.entries()) {
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
      if (draft) note(draft, use, resolver.accessOf(names, index));
    }
  }
  const result = { usages: drafts, undeclared, withoutMember };
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
    default:
      draft.isRead = true;
  }
}

/** Declarations inside a unit. */
export function usagesIn(module: ModuleView): readonly Usage[] {
  return namesOf(module.file).usages.filter(({ declaration }) => isInside(declaration.span.start, module));
}

export function isInside(offset: number, module: ModuleView): boolean {
  return module.extent !== undefined && offset >= module.extent.start && offset < module.extent.end;
}

/** Names may come from where nobody can look: an unknown macro inside, or a header that was not found. */
export function isOpaque(module: ModuleView): boolean {
  return module.file.missesInclude || module.file.unknownMacros.some(({ start }) => isInside(start, module));
}
