import { basename } from 'node:path';
import type { ModuleName } from '../verification/reference.ts';
import type { ModuleInfo } from './module-info.ts';
import { staleLabel } from './verdict-text.ts';

/** What is known about the reference and the last run of one module. */
export interface ModuleState {
  /** `known` is false when no file of the workspace defines the golden any more. */
  readonly golden: (ModuleName & { readonly known: boolean }) | undefined;
  readonly running: boolean;
  readonly last: { readonly label: string; readonly stale: boolean } | undefined;
  /** How many modules instantiate it, as far as is known. */
  readonly users: number;
}

export interface Lens {
  /** Offset in the text of the document. */
  readonly offset: number;
  readonly module: string;
  readonly title: string;
  readonly action: 'verify' | 'selectReference' | 'showVerdict' | 'showInstances';
}

/** The lenses above the modules of one document, in its order. */
export function moduleLenses(modules: readonly ModuleInfo[], stateOf: (module: ModuleInfo) => ModuleState): Lens[] {
  return modules.flatMap((module) => {
    const lens = (title: string, action: Lens['action']): Lens => ({ offset: module.span.start, module: module.name, title, action });
    const { golden, running, last, users } = stateOf(module);
    const instances = users === 0 ? [] : [lens(users === 1 ? 'Instantiated in 1 module' : `Instantiated in ${users} modules`, 'showInstances')];
    if (!golden) return [...instances, lens('Select reference…', 'selectReference')];
    if (!golden.known) return [...instances, lens(`Reference ${golden.module} not found: select reference…`, 'selectReference')];
    const against = goldenText(golden, module);
    if (running) return [...instances, lens(`Verifying against ${against}…`, 'verify')];
    const verdict = last && lens(last.stale ? staleLabel(last.label) : last.label, 'showVerdict');
    return [...instances, lens(`Verify against ${against}`, 'verify'), ...(verdict ? [verdict] : [])];
  });
}

/** The golden's name, with its file where the name alone would say nothing. */
function goldenText(golden: ModuleName, module: ModuleInfo): string {
  return golden.module === module.name ? `${golden.module} (${basename(golden.file)})` : golden.module;
}
