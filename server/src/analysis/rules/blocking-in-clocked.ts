import { assignmentsOf, escapes, isLoopCounter, isNonblocking, replaceOperator } from './assignments.ts';
import { mixedAssignments } from './mixed-assignment.ts';
import type { Rule } from './rule.ts';

export const blockingInClocked: Rule = {
  id: 'blocking-in-clocked',
  level: 'warning',
  category: 'processes',
  reason: 'A register assigned with = races with every other process on the same clock edge that reads it.',
  verilator: ['BLKSEQ'],
  flagged: `always @(posedge clk) q = d;
always @(posedge clk) r <= q;`,
  silent: `reg [3:0] sum; // used in this process only
always @(posedge clk) begin
  sum = a + b;
  q <= sum;
end`,
  check(module, report) {
    const mixed = mixedAssignments(module);
    for (const assignment of assignmentsOf(module)) {
      const { procedure, signal, statement } = assignment;
      if (procedure.kind !== 'clocked' || isNonblocking(assignment) || mixed.has(assignment) || isLoopCounter(signal)) continue;
      if (!escapes(signal, procedure)) continue;
      report(statement.span, `Register ${signal.name} is assigned with '${statement.operator}' on a clock edge, but is read elsewhere; use '<=' so that all readers see the old value.`, {
        fixes: statement.operator === '=' ? replaceOperator(assignment, '<=', module) : [],
      });
    }
  },
};
