import type { Span } from '../../base/text.ts';
import type { Expression } from '../ast.ts';
import { evaluate } from '../constant.ts';
import type { Statement } from '../items.ts';
import { isNonblocking, listNames } from './assignments.ts';
import { groupBy } from './group.ts';
import { heldSignals } from './latch.ts';
import type { Gap } from './latch.ts';
import type { Fix, Rule } from './rule.ts';
import { typeOf } from './signals.ts';
import type { Signal } from './signals.ts';
import type { ModuleView, Procedure } from './view.ts';
import { assignmentsOf } from './assignments.ts';

const WHY: Readonly<Record<Gap['kind'], string>> = {
  'no-else': "this 'if' has no 'else'",
  'no-default': "this 'case' has no 'default' and does not cover every value",
  branch: 'this branch does not assign it',
};

export const inferredLatch: Rule = {
  id: 'inferred-latch',
  level: 'warning',
  category: 'processes',
  reason: 'A combinational process that leaves a variable unassigned on some path keeps its old value, which is a latch.',
  verilator: ['LATCH', 'CASEINCOMPLETE'],
  flagged: `always @(*) begin
  z = d;
  if (en) y = d;
end`,
  silent: `always @(*) begin
  z = d;
  y = 0;
  if (en) y = d;
end`,
  check(module, report) {
    const nonblocking = new Set(assignmentsOf(module).filter(isNonblocking).map(({ signal }) => signal));
    for (const [procedure, signals] of heldSignals(module)) {
      // A level-sensitive process that assigns with '<=' is a latch on purpose.
      const unwanted = [...signals].filter(([signal]) => procedure.keyword === 'always_comb' || !nonblocking.has(signal));
      if (isPlainLatch(procedure)) continue;
      for (const group of groupBy(unwanted, ([, gap]) => gap?.span.start ?? -1).values()) {
        const gap = group[0][1];
        const names = listNames(group.map(([signal]) => signal.name));
        const why = gap ? WHY[gap.kind].replace(/\bit$/, group.length > 1 ? 'them' : 'it') : 'some path does not assign it';
        report(
          gap?.span ?? procedure.span,
          `${names} ${group.length > 1 ? 'keep their' : 'keeps its'} old value here, which makes a latch: ${why}. Assign ${group.length > 1 ? 'them' : 'it'} on every path, or give ${group.length > 1 ? 'them' : 'it'} a value first.`,
          { fixes: defaultsFirst(group.map(([signal]) => signal), procedure, module) },
        );
      }
    }
  },
};

/** `always @(*) if (enable) q = d;`: what people write who want a latch, with resets before it perhaps. */
function isPlainLatch({ keyword, body, scope }: Procedure): boolean {
  if (keyword !== 'always') return false;
  let last = onlyIn(body);
  while (last?.kind === 'if' && last.whenFalse) {
    const reset: readonly { readonly value: Expression }[] | undefined = assignmentsIn(last.whenTrue);
    if (reset?.every(({ value }) => value.kind === 'fill' || evaluate(value, scope) !== undefined) !== true) return false;
    last = onlyIn(last.whenFalse);
  }
  return last?.kind === 'if' && assignmentsIn(last.whenTrue) !== undefined;
}

function onlyIn(statement: Statement): Statement | undefined {
  return statement.kind === 'block' && statement.statements.length === 1 ? statement.statements[0] : statement;
}

/** The assignments of a branch that does nothing else. */
function assignmentsIn(branch: Statement): readonly Extract<Statement, { kind: 'assign' }>[] | undefined {
  const statements = branch.kind === 'block' ? branch.statements : [branch];
  const assignments = statements.filter((statement) => statement.kind === 'assign');
  return assignments.length === statements.length ? assignments : undefined;
}

export const plainLatch: Rule = {
  id: 'plain-latch',
  level: 'hint',
  category: 'processes',
  reason: 'A process that consists of one if without else is a latch; always_latch says that it is meant.',
  flagged: `always @(*) if (en) q = d;`,
  silent: `always_latch if (en) q = d;`,
  check(module, report) {
    for (const [procedure, signals] of heldSignals(module)) {
      const gap = [...signals.values()][0];
      if (!gap || !isPlainLatch(procedure)) continue;
      const names = [...signals.keys()].map(({ name }) => name);
      report(gap.span, `${listNames(names)} ${names.length > 1 ? 'keep their' : 'keeps its'} value while this condition is false, which makes a latch; add an 'else' if that is not meant.`);
    }
  },
};

/** Assigns zero at the start of the process. */
function defaultsFirst(signals: readonly Signal[], procedure: Procedure, module: ModuleView): Fix[] {
  const { body } = procedure;
  const types = signals.map(typeOf);
  if (body.kind !== 'block' || !body.span || body.items.length > 0 || types.some((type) => !type || type.unpacked.length > 0)) return [];
  const head = /^begin\b(?:\s*:\s*\w+)?/.exec(module.textOf(body.span))?.[0];
  const [first] = body.statements;
  if (head === undefined || !first?.span) return [];
  const at: Span = { start: body.span.start + head.length, end: body.span.start + head.length };
  const gapText = module.textOf({ start: at.start, end: first.span.start });
  const indent = /\n([ \t]*)$/.exec(gapText)?.[1];
  const text = signals.map(({ name }) => `${name} = 0;`);
  const inserted = indent === undefined ? text.map((line) => ` ${line}`).join('') : text.map((line) => `\n${indent}${line}`).join('');
  return [{ title: `Assign 0 to ${listNames(signals.map(({ name }) => name))} first`, changes: [{ span: at, text: inserted }] }];
}
