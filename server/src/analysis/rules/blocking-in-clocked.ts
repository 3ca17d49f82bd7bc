import { assignmentsOf, escapes, isLoopCounter, isNonblocking, replaceAllOperators } from './assignments.ts';
import { groupBy } from './group.ts';
import type { Assignments } from './assignments.ts';
import { mixedAssignments } from './mixed-assignment.ts';
import type { Rule } from './rule.ts';
import { targetKey } from '../latches.ts';
import type { ModuleView, Procedure } from './view.ts';

/** Registers that a clocked process assigns with '=', in groups of one signal in one process. */
function earlyAssignments(module: ModuleView): readonly Assignments[] {
  const mixed = mixedAssignments(module);
  const early = assignmentsOf(module).filter((assignment) => assignment.procedure.kind === 'clocked' && !isNonblocking(assignment) && !mixed.has(assignment) && !isLoopCounter(assignment.signal));
  return [...groupBy(early, ({ signal, procedure }) => `${procedure.span?.start ?? 0} ${signal.name}`).values()];
}

/** Another process that moves on the same edge reads the register, and may do so before or after. */
function races([{ signal, procedure }]: Assignments): boolean {
  const own = eventsOf(procedure);
  return signal.reads.some((read) => read.procedure !== procedure && read.procedure?.kind === 'clocked' && eventsOf(read.procedure).some((event) => own.includes(event)));
}

/** The edges that a process waits for, as texts. */
function eventsOf({ control, scope }: Procedure): readonly string[] {
  return control === undefined || control === '*' ? [] : control.map(({ edge, expression }) => `${edge ?? ''} ${targetKey(expression, scope)}`);
}

export const clockedRace: Rule = {
  id: 'clocked-race',
  level: 'warning',
  category: 'processes',
  reason: 'A register assigned with = races with another clocked process that reads it: the order of simulation decides which value that one sees.',
  verilator: ['BLKSEQ'],
  flagged: `always @(posedge clk) q = d;
always @(posedge clk) r <= q;`,
  silent: `always @(posedge clk) q <= d;
always @(posedge clk) r <= q;`,
  check(module, report) {
    for (const group of earlyAssignments(module)) {
      if (!races(group)) continue;
      const [{ signal, statement }] = group;
      report(statement.span, `Register ${signal.name} is assigned with '${statement.operator}' and read by another clocked process, which may see the old or the new value; use '<='.`, { fixes: replaceAllOperators(group, '<=', module) });
    }
  },
};

export const blockingInClocked: Rule = {
  id: 'blocking-in-clocked',
  level: 'hint',
  category: 'processes',
  reason: 'A register that others see is assigned with <=, so that all readers on the same edge see the old value.',
  verilator: ['BLKSEQ'],
  flagged: `always @(posedge clk) q = d;`,
  silent: `reg sum; // used in this process only
always @(posedge clk) begin
  sum = a ^ b;
  q <= sum;
end`,
  check(module, report) {
    for (const group of earlyAssignments(module)) {
      const [{ signal, statement, procedure }] = group;
      if (races(group) || !escapes(signal, procedure)) continue;
      report(statement.span, `Register ${signal.name} is assigned with '${statement.operator}' on a clock edge and seen outside of this process; use '<='.`, { fixes: replaceAllOperators(group, '<=', module) });
    }
  },
};
