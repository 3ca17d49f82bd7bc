import type { Expression } from './ast.ts';
import { evaluate, evaluateNumber, sizeOf } from './constant.ts';
import type { EventTerm, Statement } from './items.ts';
import type { Scope } from './scope.ts';
import { baseNameOf, forEachExpression, forEachStatement, localNames, namesAssigned, namesRead, targetsOf } from './walk.ts';

/** A level-sensitive process keeps a value: some path through it leaves one of its variables unassigned. */
export function holdsValue(body: Statement, scope: Scope): boolean {
  const locals = localNames(body);
  const always = assignedOnEveryPath(body, scope);
  let holds = false;
  forEachStatement(body, (statement) => {
    if (statement.kind !== 'assign') return;
    for (const target of targetsOf(statement.target)) {
      const base = baseNameOf(target);
      if (base === undefined || locals.has(base) || isLoopInteger(base, scope)) continue;
      if (!isCovered(target, always, scope)) holds = true;
    }
  });
  return holds;
}

/** A process with a list of levels does not wake for everything it reads, so that it keeps old results. */
export function missesReads(terms: readonly EventTerm[], body: Statement, scope: Scope): boolean {
  const listed = new Set<string>();
  for (const term of terms) forEachExpression(term.expression, (expression) => listed.add(baseNameOf(expression) ?? ''));
  const own = namesAssigned(body);
  const locals = localNames(body);
  return [...namesRead(body)].some((name) => !listed.has(name) && !own.has(name) && !locals.has(name) && scope.variable(name) !== undefined && !isLoopInteger(name, scope));
}

/** A continuous assignment that gives its own target back, as in `assign q = en ? d : q`. */
export function feedsItself(target: Expression, value: Expression, scope: Scope): boolean {
  const keys = new Set(targetsOf(target).map((part) => targetKey(part, scope)));
  let found = false;
  forEachExpression(value, (expression) => {
    if (expression.kind === 'name' || expression.kind === 'select') found ||= keys.has(targetKey(expression, scope));
  });
  return found;
}

function isLoopInteger(name: string, scope: Scope): boolean {
  const type = scope.variable(name)?.type;
  return type?.kind === 'atom' && (type.keyword === 'integer' || type.keyword === 'int');
}

/** One of the keys means all of the target: the variable, a part that the target lies in, or a range that holds its bit. */
export function isCovered(target: Expression, always: ReadonlySet<string>, scope: Scope): boolean {
  if (always.has(targetKey(target, scope))) return true;
  if (target.kind !== 'select' && target.kind !== 'range' && target.kind !== 'member') return false;
  if (isCovered(target.base, always, scope)) return true;
  if (target.kind === 'member' || (target.kind === 'range' && target.mode !== ':')) return false;
  const [first, last] = (target.kind === 'select' ? [target.index, target.index] : [target.left, target.right]).map((bound) => evaluateNumber(bound, scope));
  if (first === undefined || last === undefined) return false;
  const [high, low] = [Math.max(first, last), Math.min(first, last)];
  const base = targetKey(target.base, scope);
  return [...always].some((key) => {
    const [, left, right] = key.startsWith(`${base}[`) ? (/^\[(\d+):(\d+)\]$/.exec(key.slice(base.length)) ?? []) : [];
    return left !== undefined && right !== undefined && Math.max(Number(left), Number(right)) >= high && Math.min(Number(left), Number(right)) <= low;
  });
}

/** A text for the part of a variable that is assigned; a variable index stays as its name. */
export function targetKey(target: Expression, scope: Scope): string {
  switch (target.kind) {
    case 'name':
      return target.name;
    case 'select':
      return `${targetKey(target.base, scope)}[${indexKey(target.index, scope)}]`;
    case 'range':
      return `${targetKey(target.base, scope)}[${indexKey(target.left, scope)}${target.mode}${indexKey(target.right, scope)}]`;
    case 'member':
      return `${targetKey(target.base, scope)}.${target.name}`;
    default:
      return '?';
  }
}

function indexKey(expression: Expression, scope: Scope): string {
  const value = evaluate(expression, scope);
  if (value) return value.bits.toString();
  const names: string[] = [];
  forEachExpression(expression, (part) => names.push(part.kind === 'name' ? part.name : part.kind));
  return names.join(' ');
}

/** Keys of the targets that a statement assigns whatever path it takes; a variable that is assigned as a whole gives its name. */
export function assignedOnEveryPath(statement: Statement, scope: Scope): Set<string> {
  switch (statement.kind) {
    case 'block': {
      const all = new Set<string>();
      for (const inner of statement.statements) for (const key of assignedOnEveryPath(inner, scope)) all.add(key);
      return all;
    }
    case 'assign':
      return new Set(targetsOf(statement.target).map((target) => targetKey(target, scope)));
    case 'if': {
      if (evaluate(statement.condition, scope)?.bits === 1n) return assignedOnEveryPath(statement.whenTrue, scope);
      if (!statement.whenFalse) return new Set();
      return common([assignedOnEveryPath(statement.whenTrue, scope), assignedOnEveryPath(statement.whenFalse, scope)]);
    }
    case 'case': {
      if (!coversAll(statement, scope)) return new Set();
      return common(statement.branches.map((branch) => assignedOnEveryPath(branch.body, scope)));
    }
    // A loop of a combinational process runs at least once; its variable index is a whole for this purpose.
    case 'loop':
      return new Set([...assignedOnEveryPath(statement.body, scope)].flatMap((key) => [key, key.replace(/[[.].*$/, '')]));
    case 'event':
    case 'delay':
    case 'wait':
      return assignedOnEveryPath(statement.body, scope);
    default:
      return new Set();
  }
}

function common(sets: readonly Set<string>[]): Set<string> {
  const [first, ...others] = sets;
  if (!first) return new Set();
  const covers = (set: Set<string>, key: string): boolean => set.has(key) || set.has(key.replace(/[[.].*$/, ''));
  const keys = new Set(sets.flatMap((set) => [...set]));
  return new Set([...keys].filter((key) => covers(first, key) && others.every((set) => covers(set, key))));
}

/** Some branch of a case statement is taken for every known value. */
export function coversAll(statement: Extract<Statement, { kind: 'case' }>, scope: Scope): boolean {
  if (statement.full || statement.branches.some((branch) => branch.labels.length === 0)) return true;
  if (statement.keyword !== 'case' || statement.inside) return false;
  const width = sizeOf(statement.selector, scope)?.width;
  if (width === undefined || width > 16) return false;
  const values = new Set<bigint>();
  for (const label of statement.branches.flatMap((branch) => branch.labels)) {
    const value = evaluate(label, scope, width);
    if (value) values.add(value.bits);
  }
  return values.size >= 2 ** width;
}
