import type { Statement } from '../items.ts';
import { baseNameOf, forEachExpression, localNames, namesAssigned } from '../walk.ts';
import { isLoopCounter, listNames } from './assignments.ts';
import { groupBy } from './group.ts';
import type { Rule } from './rule.ts';
import { signalsOf } from './signals.ts';
import type { Signal } from './signals.ts';
import { isTestBench, trustOf } from './trust.ts';
import type { ModuleView, Procedure } from './view.ts';

export const incompleteSensitivity: Rule = {
  id: 'incomplete-sensitivity',
  level: 'warning',
  category: 'processes',
  reason: 'A process with a list of levels does not wake when something changes that it reads but does not list, so that simulation and hardware differ.',
  flagged: `always @(a) y = a & b;`,
  silent: `always @(a or b) y = a & b;`,
  check(module, report) {
    if (isTestBench(module)) return;
    for (const procedure of module.procedures) {
      const { control, controlSpan } = procedure;
      if (procedure.kind !== 'combinational' || procedure.keyword !== 'always' || control === undefined || control === '*') continue;
      // What wakes the process is something else than a signal, such as a global clock.
      if (control.some(({ expression }) => expression.kind === 'member' || baseNameOf(expression) === undefined)) continue;
      // A process that prints or waits is a monitor, which wakes for what it names.
      if (procedure.statements.some(({ statement }) => isOfTestBench(statement))) continue;
      const listed = new Set<string>();
      for (const term of control) forEachExpression(term.expression, (part) => listed.add(baseNameOf(part) ?? ''));
      const own = new Set([...namesAssigned(procedure.body), ...localNames(procedure.body), ...namesAssignedByTasks(procedure, module)]);
      const missing = (module.once(signalsRead).get(procedure) ?? []).filter(({ name }) => !listed.has(name) && !own.has(name));
      const names = missing.filter((signal) => !isLoopCounter(signal) && !isSetAtStart(signal)).map(({ name }) => name);
      if (names.length === 0) continue;
      report(controlSpan, `The process reads ${listNames(names)} but does not wake when ${names.length > 1 ? 'they change' : 'it changes'}; write @(*) to wake for everything that is read.`, {
        fixes: controlSpan ? [{ title: "Wake for everything that is read: '@(*)'", changes: [{ span: controlSpan, text: '@(*)' }] }] : [],
      });
    }
  },
};

/** The signals that each process reads, in the order of their declarations. */
function signalsRead(module: ModuleView): ReadonlyMap<Procedure, readonly Signal[]> {
  const readers = signalsOf(module).all.flatMap((signal) => [...new Set(signal.reads.map(({ procedure }) => procedure))].flatMap((procedure) => (procedure ? [{ procedure, signal }] : [])));
  return new Map([...groupBy(readers, ({ procedure }) => procedure)].map(([procedure, group]) => [procedure, group.map(({ signal }) => signal)]));
}

function isOfTestBench(statement: Statement): boolean {
  return ['delay', 'wait', 'event'].includes(statement.kind) || (statement.kind === 'call' && statement.call.kind === 'call' && statement.call.name.startsWith('$'));
}

/** Only an initial process assigns it, so that it does not change later. */
function isSetAtStart({ drivers, port, mayBeDrivenElsewhere }: Signal): boolean {
  return port?.direction !== 'input' && !mayBeDrivenElsewhere && drivers.length > 0 && drivers.every(({ procedure }) => procedure?.kind === 'initial');
}

/** What the tasks that a process calls assign. */
function namesAssignedByTasks({ statements }: Procedure, module: ModuleView): string[] {
  const { subroutine } = trustOf(module);
  return statements.flatMap(({ statement }) => {
    const item = statement.kind === 'call' && statement.call.kind === 'call' ? subroutine(statement.call.name) : undefined;
    return item ? [...namesAssigned({ kind: 'block', items: [], statements: item.body })] : [];
  });
}
