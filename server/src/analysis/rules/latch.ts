import type { Span } from '../../base/text.ts';
import type { Expression } from '../ast.ts';
import { evaluate } from '../constant.ts';
import { assignedOnEveryPath, coversAll, isCovered, targetKey } from '../latches.ts';
import type { Statement } from '../items.ts';
import type { Scope } from '../scope.ts';
import { forEachStatement, targetsOf } from '../walk.ts';
import { assignmentsOf, isLoopCounter } from './assignments.ts';
import { groupBy } from './group.ts';
import type { SignalAssignment } from './assignments.ts';
import type { Signal } from './signals.ts';
import type { ModuleView, Procedure } from './view.ts';

/** Where a path through a process leaves a signal as it was. */
export interface Gap {
  readonly kind: 'no-else' | 'no-default' | 'branch';
  /** The keyword, or the branch that lacks the assignment. */
  readonly span: Span;
}

/** The signals that each combinational process keeps on some path, with the place where that path begins. */
export function heldSignals(module: ModuleView): ReadonlyMap<Procedure, ReadonlyMap<Signal, Gap | undefined>> {
  return module.once(collectHeld);
}

function collectHeld(module: ModuleView): ReadonlyMap<Procedure, ReadonlyMap<Signal, Gap | undefined>> {
    const held = new Map<Procedure, Map<Signal, Gap | undefined>>();
    const combinational = assignmentsOf(module).filter(({ procedure }) => procedure.kind === 'combinational');
    for (const [procedure, assignments] of groupBy(combinational, (assignment) => assignment.procedure)) {
      const always = assignedOnEveryPath(procedure.body, procedure.scope);
      for (const [signal, own] of groupBy(assignments, (assignment) => assignment.signal)) {
        const open = isLoopCounter(signal) ? undefined : own.find((assignment) => isOpen(assignment, always));
        if (!open) continue;
        const signals = held.get(procedure) ?? new Map<Signal, Gap | undefined>();
        held.set(procedure, signals.set(signal, gapIn(procedure.body, targetKey(open.target, open.scope), signal.name, procedure.scope)));
      }
    }
    return held;
}

function isOpen({ target, scope }: SignalAssignment, always: ReadonlySet<string>): boolean {
  return !isCovered(target, always, scope) && !mayBeCovered(target, always, scope);
}

/** A variable index into what is assigned part by part: the parts may be all there are. */
function mayBeCovered(target: Expression, always: ReadonlySet<string>, scope: Scope): boolean {
  if (target.kind !== 'select' && target.kind !== 'range' && target.kind !== 'member') return false;
  const base = targetKey(target.base, scope);
  const isVariable = target.kind === 'select' ? !evaluate(target.index, scope) : target.kind === 'range' && !evaluate(target.left, scope);
  return (isVariable && [...always].some((key) => key.startsWith(`${base}[`))) || mayBeCovered(target.base, always, scope);
}

function gapIn(statement: Statement, key: string, name: string, scope: Scope): Gap | undefined {
  const assigns = (inner: Statement | undefined): boolean => inner !== undefined && mentions(inner, key, name, scope);
  const isFull = (inner: Statement): boolean => {
    const keys = assignedOnEveryPath(inner, scope);
    return keys.has(key) || keys.has(name);
  };
  switch (statement.kind) {
    case 'block':
      return statement.statements.filter((inner) => assigns(inner)).map((inner) => gapIn(inner, key, name, scope))[0];
    case 'if': {
      const { whenTrue, whenFalse } = statement;
      const keyword = wordAt(statement.span, 2);
      if (assigns(whenTrue) && !isFull(whenTrue)) return gapIn(whenTrue, key, name, scope);
      if (!whenFalse) return keyword && { kind: 'no-else', span: keyword };
      if (assigns(whenFalse)) return isFull(whenFalse) ? branch(whenTrue.span) : gapIn(whenFalse, key, name, scope);
      return branch(whenFalse.span ?? keyword);
    }
    case 'case': {
      const partial = statement.branches.find(({ body }) => assigns(body) && !isFull(body));
      if (partial) return gapIn(partial.body, key, name, scope);
      const keyword = wordAt(statement.span, statement.keyword.length);
      if (!coversAll(statement, scope)) return keyword && { kind: 'no-default', span: keyword };
      const missing = statement.branches.find(({ body }) => !assigns(body));
      return branch(missing?.labels[0]?.span ?? missing?.body.span ?? keyword);
    }
    case 'loop':
    case 'event':
    case 'delay':
    case 'wait':
      return gapIn(statement.body, key, name, scope);
    default:
      return undefined;
  }
}

function branch(span: Span | undefined): Gap | undefined {
  return span && { kind: 'branch', span };
}

function wordAt(span: Span | undefined, length: number): Span | undefined {
  return span && { start: span.start, end: span.start + length };
}

function mentions(statement: Statement, key: string, name: string, scope: Scope): boolean {
  let found = false;
  forEachStatement(statement, (inner) => {
    if (inner.kind !== 'assign') return;
    found ||= targetsOf(inner.target).some((target) => {
      const own = targetKey(target, scope);
      return own === key || own === name;
    });
  });
  return found;
}
