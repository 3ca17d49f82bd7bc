import type { Item, ModuleSummary } from '../items.ts';
import { releasesItself } from './release.ts';
import type { FileView } from './view.ts';
import { scopesWithin, usagesWithin } from './usage.ts';

/** Keys of places: what moves is not another. */
const PLACES: ReadonlySet<string> = new Set(['span', 'location', 'nameLocation', 'moduleLocation', 'moduleSpan', 'headerLocation']);

/**
 * All that other units of a file can see of a module, as a text: as long as that stays the same, nothing that the rules find in
 * them can change with it. Its processes, assignments and connections are not part of it; what they do to the declarations of
 * another unit is seen there.
 */
export function shapeOf(module: ModuleSummary, file: FileView): string {
  const { name, kind, ansi, hasError, headerPorts, items } = module;
  const { names, parsed } = file;
  const summary = { name, kind, ansi, hasError, headerPorts, items: visibleItems(items), releases: releasesItself(module) };
  const declared = usagesWithin(file, module.span).map(({ declaration: { kind: of, name: called, direction, typeText, dimensionsText, valueText, span } }) => [
    of,
    called,
    direction,
    typeText,
    dimensionsText,
    valueText,
    of === 'enum-member' ? parsed.slice(span.end, span.end + 8) : '',
  ]);
  const scopes = scopesWithin(file, module.span).map(({ kind: of, owner, names: inside, imports, ports, generateNumber }) => [of, owner === undefined ? '' : names.declarations[owner]?.name, [...inside.keys()], imports, ports.length, generateNumber]);
  return JSON.stringify([summary, declared, scopes], (key, value: unknown) => (PLACES.has(key) ? undefined : typeof value === 'bigint' ? `${value}n` : value));
}

/** What runs is left out; of an instance its module and name stay. */
function visibleItems(items: readonly Item[]): unknown[] {
  return items.flatMap((item): unknown[] => {
    switch (item.kind) {
      case 'always':
      case 'initial':
      case 'assign':
      case 'gate':
        return [];
      case 'instance':
        return [[item.module, item.name, item.array]];
      case 'generate-if':
        return [{ ...item, whenTrue: visibleItems(item.whenTrue), whenFalse: visibleItems(item.whenFalse) }];
      case 'generate-case':
        return [{ ...item, branches: item.branches.map((branch) => ({ ...branch, items: visibleItems(branch.items) })) }];
      case 'generate-for':
      case 'generate-block':
        return [{ ...item, items: visibleItems(item.items) }];
      default:
        return [item];
    }
  });
}
