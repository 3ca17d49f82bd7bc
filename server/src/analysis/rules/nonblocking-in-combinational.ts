import { baseNameOf } from '../walk.ts';
import { assignmentsOf, isNonblocking, replaceAllOperators } from './assignments.ts';
import { groupBy } from './group.ts';
import type { Assignments } from './assignments.ts';
import { heldSignals } from './latch.ts';
import { mixedAssignments } from './mixed-assignment.ts';
import type { Rule } from './rule.ts';
import type { ModuleView } from './view.ts';

/** Late assignments of combinational signals, in groups of one signal in one process. */
function lateAssignments(module: ModuleView): readonly Assignments[] {
  const mixed = mixedAssignments(module);
  const held = heldSignals(module);
  const late = assignmentsOf(module).filter((assignment) => {
    const { procedure, signal } = assignment;
    if (procedure.kind !== 'combinational' || !isNonblocking(assignment) || mixed.has(assignment)) return false;
    // A latch is written with '<='.
    return procedure.keyword !== 'always' || held.get(procedure)?.has(signal) !== true;
  });
  return [...groupBy(late, ({ signal, procedure }) => `${procedure.span?.start ?? 0} ${signal.name}`).values()];
}

/** The process reads the signal behind its assignment, where it is still old, and does not wake when it is new: `@(*)` does (IEEE 1800-2017, 9.4.2.2). */
function isReadBehind([first]: Assignments): boolean {
  const { signal, procedure, statement } = first;
  const { keyword, control } = procedure;
  if (keyword === 'always' && (control === '*' || control?.some(({ expression }) => baseNameOf(expression) === signal.name) === true)) return false;
  return signal.reads.some((read) => read.procedure === procedure && (read.expression.span?.start ?? 0) > (statement.span?.end ?? 0));
}

export const staleRead: Rule = {
  id: 'stale-read',
  level: 'warning',
  category: 'processes',
  reason: 'A combinational process that assigns with <= and reads the result below still sees the old value there.',
  verilator: ['COMBDLY'],
  flagged: `always_comb begin
  t <= a & b;
  y = t | c;
end`,
  silent: `always_comb begin
  t = a & b;
  y = t | c;
end`,
  check(module, report) {
    for (const group of lateAssignments(module)) {
      const [{ signal, statement }] = group;
      if (isReadBehind(group)) report(statement.span, `${signal.name} is read below in this process, where it still has its old value; assign it with '='.`, { fixes: replaceAllOperators(group, '=', module) });
    }
  },
};

export const nonblockingInCombinational: Rule = {
  id: 'nonblocking-in-combinational',
  level: 'hint',
  category: 'processes',
  reason: 'Combinational logic that is assigned with <= takes effect one step late, which other processes may see.',
  verilator: ['COMBDLY'],
  flagged: `always @(*) y <= a & b;`,
  silent: `always @(*) y = a & b;`,
  check(module, report) {
    for (const group of lateAssignments(module)) {
      const [{ signal, statement }] = group;
      if (!isReadBehind(group)) report(statement.span, `${signal.name} is combinational but assigned with '<='; use '=' so that it takes effect at once.`, { fixes: replaceAllOperators(group, '=', module) });
    }
  },
};
