import type { Expression } from '../ast.ts';
import type { Item, ModuleSummary } from '../items.ts';
import type { Library } from '../library.ts';
import { forEachExpression, forEachStatement } from '../walk.ts';

/** Gates of which the output can be high-impedance, and resistive ones that give way. */
export const RELEASING_GATES = /^(?:bufif|notif|r?[cnp]mos|r?tran|pull)/;

/** A value that lets go of what it is assigned to. */
export function canRelease(value: Expression): boolean {
  let found = false;
  forEachExpression(value, (part) => {
    if ((part.kind === 'number' && part.unknown !== 0n) || (part.kind === 'fill' && part.bit === 'z')) found = true;
  });
  return found;
}

/** Modules below a module, before it is taken for one that may let go. */
const MAX_DEPTH = 20;

/** Whether an output of a module can be high-impedance, as far as can be told: one that is not known can. */
export function releasesNets(module: ModuleSummary | undefined, { library, file }: { readonly library: Library; readonly file: string }, depth = 0): boolean {
  if (!module || depth > MAX_DEPTH) return true;
  if (module.mayRelease !== undefined) return module.mayRelease;
  return someItem(module.items, (item) => releases(item) || (item.kind === 'instance' && releasesNets(library.module(item.module, file)?.module, { library, file }, depth + 1)));
}

/** What the module itself says, where the modules below it cannot be asked. */
export function mayRelease(module: ModuleSummary): boolean {
  return someItem(module.items, (item) => releases(item) || item.kind === 'instance');
}

/** Whether it lets go by itself, whatever the modules below it do. */
export function releasesItself(module: ModuleSummary): boolean {
  return someItem(module.items, releases);
}

function releases(item: Item): boolean {
  switch (item.kind) {
    case 'port':
      return item.direction === 'inout' || item.direction === 'interface';
    case 'assign':
      return canRelease(item.value);
    case 'variable':
      return item.initial !== undefined && canRelease(item.initial);
    case 'gate':
      return RELEASING_GATES.test(item.gate);
    case 'always':
    case 'initial': {
      let found = false;
      forEachStatement(item.body, (statement) => (found ||= statement.kind === 'assign' && canRelease(statement.value)));
      return found;
    }
    default:
      return false;
  }
}

function someItem(items: readonly Item[], test: (item: Item) => boolean): boolean {
  return items.some((item) => {
    switch (item.kind) {
      case 'generate-if':
        return someItem([...item.whenTrue, ...item.whenFalse], test);
      case 'generate-case':
        return item.branches.some((branch) => someItem(branch.items, test));
      case 'generate-for':
      case 'generate-block':
        return someItem(item.items, test);
      default:
        return test(item);
    }
  });
}
