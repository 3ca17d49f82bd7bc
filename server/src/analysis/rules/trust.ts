import type { Trust } from '../latches.ts';
import type { ModuleView } from './view.ts';

/** What rules may take for granted in a module. */
export function trustOf(module: ModuleView): Trust {
  return module.once(collectTrust);
}

function collectTrust(module: ModuleView): Trust {
  const subroutines = new Map(module.items.flatMap(({ item }) => (item.kind === 'function' ? [[item.name, item] as const] : [])));
  return { intentions: true, subroutine: (name) => subroutines.get(name) };
}
