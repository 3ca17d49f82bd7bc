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

/** A module without ports in which an initial process waits makes its own stimulus: its processes check and print, and become no hardware. */
export function isTestBench(module: ModuleView): boolean {
  return module.once(waitsWithoutPorts);
}

function waitsWithoutPorts({ summary, procedures }: ModuleView): boolean {
  const waits = (kind: string): boolean => kind === 'delay' || kind === 'event' || kind === 'wait';
  return summary?.headerPorts.length === 0 && procedures.some(({ kind, statements }) => kind === 'initial' && statements.some(({ statement }) => waits(statement.kind)));
}
