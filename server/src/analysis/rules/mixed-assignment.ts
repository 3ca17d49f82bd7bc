import { assignmentsOf, isLoopCounter, isNonblocking, replaceOperator } from './assignments.ts';
import { groupBy } from './group.ts';
import type { SignalAssignment } from './assignments.ts';
import type { Fix, Rule } from './rule.ts';
import type { ModuleView } from './view.ts';

/** Assignments of one signal in one process of which some block and some do not, by process. */
export function mixedAssignments(module: ModuleView): ReadonlySet<SignalAssignment> {
  return module.once(collectMixed);
}

function collectMixed(module: ModuleView): ReadonlySet<SignalAssignment> {
  const mixed = new Set<SignalAssignment>();
  const processes = assignmentsOf(module).filter(({ procedure, signal }) => procedure.kind !== 'initial' && procedure.kind !== 'subroutine' && !isLoopCounter(signal));
  for (const bySignal of groupBy(processes, ({ procedure }) => procedure).values()) {
    for (const assignments of groupBy(bySignal, ({ signal }) => signal).values()) {
      if (new Set(assignments.map(isNonblocking)).size > 1) for (const assignment of assignments) mixed.add(assignment);
    }
  }
  return mixed;
}

function changeTo(operator: '=' | '<=', assignments: readonly SignalAssignment[], module: ModuleView): Fix[] {
  const changes = assignments.flatMap((assignment) => replaceOperator(assignment, operator, module).flatMap((fix) => [...fix.changes]));
  return changes.length === assignments.length ? [{ title: `Use '${operator}'`, changes }] : [];
}

export const mixedAssignment: Rule = {
  id: 'mixed-assignment',
  level: 'warning',
  category: 'processes',
  reason: 'A variable that one process assigns with both = and <= depends on the order of simulation, and synthesis refuses it.',
  verilator: ['BLKANDNBLK', 'BLKSEQ'],
  flagged: `always @(posedge clk) begin
  if (rst) q = 0;
  else q <= d;
end`,
  silent: `always @(posedge clk) begin
  if (rst) q <= 0;
  else q <= d;
end`,
  check(module, report) {
    const groups = groupBy(mixedAssignments(module), ({ procedure, signal }) => `${procedure.span?.start ?? 0} ${signal.name}`);
    for (const assignments of groups.values()) {
      const [first] = assignments;
      const wanted = first.procedure.kind === 'clocked' ? '<=' : '=';
      const wrong = assignments.filter(({ statement }) => statement.operator !== wanted);
      report(wrong[0]?.statement.span, `${first.signal.name} is assigned with both '=' and '<=' in this process; use '${wanted}' in all of them.`, {
        fixes: changeTo(wanted, wrong, module),
        related: wrong.slice(1).flatMap(({ statement }) => (statement.span ? [{ span: statement.span, message: 'Here as well.' }] : [])),
      });
    }
  },
};
