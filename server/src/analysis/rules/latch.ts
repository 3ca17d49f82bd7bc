import type { Span } from '../../base/text.ts';
import type { Expression } from '../ast.ts';
import { evaluate } from '../constant.ts';
import { assignedOnEveryPath, coversAll, isCovered, targetKey } from '../latches.ts';
import type { Trust } from '../latches.ts';
import type { Statement } from '../items.ts';
import type { Scope } from '../scope.ts';
import { baseNameOf, forEachExpression, namesRead, readsOf, substatements, targetsOf } from '../walk.ts';
import { assignmentsOf, escapes, isLoopCounter } from './assignments.ts';
import { groupBy } from './group.ts';
import type { SignalAssignment } from './assignments.ts';
import type { Signal } from './signals.ts';
import { isTestBench, trustOf } from './trust.ts';
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
  const trust = trustOf(module);
  const isHardware = ({ keyword }: Procedure): boolean => keyword !== 'always' || !isTestBench(module);
  const combinational = assignmentsOf(module).filter(({ procedure }) => procedure.kind === 'combinational' && isHardware(procedure));
  for (const [procedure, assignments] of groupBy(combinational, (assignment) => assignment.procedure)) {
    const { body, scope } = procedure;
    const facts = new ProcessFacts(body, { scope, trust });
    const always = facts.onEveryPath(body);
    for (const [signal, own] of groupBy(assignments, (assignment) => assignment.signal)) {
      const open = isLoopCounter(signal) ? undefined : own.find((assignment) => isOpen(assignment, always));
      if (!open || (!escapes(signal, procedure) && !(facts.reads.has(signal.name) && readsBefore(body, signal.name, { scope, trust })))) continue;
      const signals = held.get(procedure) ?? new Map<Signal, Gap | undefined>();
      held.set(procedure, signals.set(signal, gapIn(body, { key: targetKey(open.target, open.scope), name: signal.name, scope, trust, facts })));
    }
  }
  return held;
}

interface Surroundings {
  readonly scope: Scope;
  readonly trust: Trust;
}

/** Some path through a process reads a variable that it has not assigned before, so that the value of the last time is seen. */
function readsBefore(body: Statement, name: string, { scope, trust }: Surroundings): boolean {
  let found = false;
  const mentions = (expressions: readonly Expression[]): void => {
    for (const expression of expressions) forEachExpression(expression, (part) => (found ||= part.kind === 'name' && part.name === name));
  };
  /** Whether the variable is assigned behind the statement, where it was assigned or not before. */
  const walk = (statement: Statement, before: boolean): boolean => {
    if (before || found) return before;
    mentions(readsOf(statement));
    switch (statement.kind) {
      case 'block':
        return statement.statements.reduce<boolean>((assigned, inner) => walk(inner, assigned), before);
      case 'assign':
        return targetsOf(statement.target).some((target) => baseNameOf(target) === name);
      case 'if': {
        const branches = [walk(statement.whenTrue, before), statement.whenFalse ? walk(statement.whenFalse, before) : false];
        return branches.every(Boolean);
      }
      case 'case': {
        const branches = statement.branches.map((branch) => walk(branch.body, before));
        return branches.every(Boolean) && coversAll(statement, scope, trust);
      }
      case 'loop':
        return [...statement.initial, statement.body, ...statement.step].reduce<boolean>((assigned, inner) => walk(inner, assigned), before);
      case 'call':
        return [...assignedOnEveryPath(statement, scope, trust)].some((key) => key === name || key.startsWith(`${name}[`));
      case 'event':
      case 'delay':
      case 'wait':
        return walk(statement.body, before);
      default:
        return before;
    }
  };
  walk(body, false);
  return found;
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

/** What the statements of a process do, each read once however many signals are asked for. */
class ProcessFacts {
  readonly #body: Statement;
  readonly #surroundings: Surroundings;
  #reads: ReadonlySet<string> | undefined;
  readonly #assigned = new Map<Statement, ReadonlySet<string>>();
  readonly #onEveryPath = new Map<Statement, ReadonlySet<string>>();
  readonly #first = new Map<Statement, ReadonlyMap<string, number>>();

  constructor(body: Statement, surroundings: Surroundings) {
    this.#body = body;
    this.#surroundings = surroundings;
  }

  /** Names that the process reads somewhere. */
  get reads(): ReadonlySet<string> {
    this.#reads ??= namesRead(this.#body);
    return this.#reads;
  }

  /** Keys of the targets that a statement, or one inside it, assigns. */
  assigned(statement: Statement): ReadonlySet<string> {
    let keys = this.#assigned.get(statement);
    if (!keys) {
      keys = new Set(statement.kind === 'assign' ? targetsOf(statement.target).map((target) => targetKey(target, this.#surroundings.scope)) : substatements(statement).flatMap((inner) => [...this.assigned(inner)]));
      this.#assigned.set(statement, keys);
    }
    return keys;
  }

  onEveryPath(statement: Statement): ReadonlySet<string> {
    let keys = this.#onEveryPath.get(statement);
    if (!keys) {
      keys = assignedOnEveryPath(statement, this.#surroundings.scope, this.#surroundings.trust);
      this.#onEveryPath.set(statement, keys);
    }
    return keys;
  }

  /** The first statement of a block that assigns one of the keys. */
  firstIn(block: Extract<Statement, { kind: 'block' }>, keys: readonly string[]): Statement | undefined {
    let first = this.#first.get(block);
    if (!first) {
      const places = block.statements.flatMap((inner, index) => [...this.assigned(inner)].map((key): [string, number] => [key, index]));
      first = new Map(places.toReversed());
      this.#first.set(block, first);
    }
    return block.statements[Math.min(...keys.map((key) => first.get(key) ?? block.statements.length))];
  }
}

interface Sought extends Surroundings {
  readonly key: string;
  readonly name: string;
  readonly facts: ProcessFacts;
}

function gapIn(statement: Statement, sought: Sought): Gap | undefined {
  const { key, name, scope, trust, facts } = sought;
  const assigns = (inner: Statement): boolean => {
    const keys = facts.assigned(inner);
    return keys.has(key) || keys.has(name);
  };
  const isFull = (inner: Statement): boolean => {
    const keys = facts.onEveryPath(inner);
    return keys.has(key) || keys.has(name);
  };
  switch (statement.kind) {
    case 'block': {
      const first = facts.firstIn(statement, [key, name]);
      return first && gapIn(first, sought);
    }
    case 'if': {
      const { whenTrue, whenFalse } = statement;
      const keyword = wordAt(statement.span, 2);
      if (assigns(whenTrue) && !isFull(whenTrue)) return gapIn(whenTrue, sought);
      if (!whenFalse) return keyword && { kind: 'no-else', span: keyword };
      if (assigns(whenFalse)) return isFull(whenFalse) ? branch(whenTrue.span) : gapIn(whenFalse, sought);
      return branch(whenFalse.span ?? keyword);
    }
    case 'case': {
      const partial = statement.branches.find(({ body }) => assigns(body) && !isFull(body));
      if (partial) return gapIn(partial.body, sought);
      const keyword = wordAt(statement.span, statement.keyword.length);
      if (!coversAll(statement, scope, trust)) return keyword && { kind: 'no-default', span: keyword };
      const missing = statement.branches.find(({ body }) => !assigns(body));
      return branch(missing?.labels[0]?.span ?? missing?.body.span ?? keyword);
    }
    case 'loop':
    case 'event':
    case 'delay':
    case 'wait':
      return gapIn(statement.body, sought);
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
