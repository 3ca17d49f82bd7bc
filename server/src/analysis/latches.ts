import type { Expression } from './ast.ts';
import { evaluate, evaluateNumber, resolveType, sizeOf } from './constant.ts';
import { coversEveryValue } from './cubes.ts';
import type { Cube } from './cubes.ts';
import type { EventTerm, FunctionItem, Statement } from './items.ts';
import { maskOf } from './operators.ts';
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
  if (target.kind === 'name') return isMadeUpOfParts(target, always, scope);
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

/** The keys mean each member of a structure, or each element of a vector or array in its first dimension. */
function isMadeUpOfParts(target: Extract<Expression, { kind: 'name' }>, always: ReadonlySet<string>, scope: Scope): boolean {
  const base = targetKey(target, scope);
  const parts = [...always].filter((key) => key.startsWith(`${base}[`) || key.startsWith(`${base}.`)).map((key) => key.slice(base.length));
  const binding = parts.length > 0 ? scope.variable(target.name) : undefined;
  const type = binding && resolveType(binding);
  if (!type) return false;
  const range = type.unpacked[0] ?? type.packed[0];
  if (!range) return type.members !== undefined && [...type.members.keys()].every((name) => always.has(`${base}.${name}`));
  let next = Math.min(range.left, range.right);
  const bounds = parts.flatMap((part) => boundsOf(part) ?? []).sort((a, b) => a.low - b.low);
  for (const { low, high } of bounds) if (low <= next) next = Math.max(next, high + 1);
  return next > Math.max(range.left, range.right);
}

/** The indices that the first select of a key means, where nothing follows it. */
function boundsOf(part: string): { readonly low: number; readonly high: number } | undefined {
  const [, first, mode, second] = /^\[(\d+)(?:(:|\+:|-:)(\d+))?\]$/.exec(part) ?? [];
  if (first === undefined) return undefined;
  const [left, right] = [Number(first), Number(second ?? first)];
  if (mode === '+:') return { low: left, high: left + right - 1 };
  if (mode === '-:') return { low: left - right + 1, high: left };
  return { low: Math.min(left, right), high: Math.max(left, right) };
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

/** What may be taken for granted where a finding would be wrong if it held, but a proof may not rest on it. */
export interface Trust {
  /** Comments and attributes for synthesis, and values of parameters that no branch is written for. */
  readonly intentions: boolean;
  /** The body of a task or function by its name. */
  readonly subroutine: (name: string) => FunctionItem | undefined;
}

const NOTHING: Trust = { intentions: false, subroutine: () => undefined };
/** Tasks that call each other. */
const MAX_CALLS = 8;

/** Keys of the targets that a statement assigns whatever path it takes; a variable that is assigned as a whole gives its name. */
export function assignedOnEveryPath(statement: Statement, scope: Scope, trust: Trust = NOTHING, depth = 0): Set<string> {
  const inside = (inner: Statement): Set<string> => assignedOnEveryPath(inner, scope, trust, depth);
  switch (statement.kind) {
    case 'block':
      return union(statement.statements.map(inside));
    case 'assign':
      return new Set(targetsOf(statement.target).map((target) => targetKey(target, scope)));
    case 'if': {
      const { branches, otherwise } = chainOf(statement);
      const value = evaluate(statement.condition, scope);
      if (value && trust.intentions) return union([...branches, otherwise ?? NONE].map(inside));
      if (value) return value.bits !== 0n ? inside(statement.whenTrue) : inside(statement.whenFalse ?? NONE);
      if (!otherwise && !chainCoversAll(statement, scope)) return new Set();
      return common([...branches, ...(otherwise ? [otherwise] : [])].map(inside), trust);
    }
    case 'case': {
      const bodies = statement.branches.map((branch) => inside(branch.body));
      if (trust.intentions && evaluate(statement.selector, scope)) return union(bodies);
      return coversAll(statement, scope, trust) ? common(bodies, trust) : new Set();
    }
    // A loop of a combinational process runs at least once; its variable index is a whole for this purpose.
    case 'loop':
      return union([...statement.initial.map(inside), new Set([...inside(statement.body)].flatMap((key) => [key, key.replace(/[[.].*$/, '')]))]);
    case 'call':
      return depth < MAX_CALLS ? assignedByCall(statement.call, scope, trust, depth + 1) : new Set();
    case 'event':
    case 'delay':
    case 'wait':
      return inside(statement.body);
    default:
      return new Set();
  }
}

const NONE: Statement = { kind: 'null' };

function union(sets: readonly ReadonlySet<string>[]): Set<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

type Conditional = Extract<Statement, { kind: 'if' }>;

/** The branches of a chain of `else if`, and the last `else`. */
function chainOf(statement: Conditional): { readonly branches: readonly Statement[]; readonly conditions: readonly Expression[]; readonly otherwise: Statement | undefined } {
  const branches: Statement[] = [];
  const conditions: Expression[] = [];
  let rest: Statement | undefined = statement;
  for (; rest?.kind === 'if'; rest = rest.whenFalse) {
    branches.push(rest.whenTrue);
    conditions.push(rest.condition);
  }
  return { branches, conditions, otherwise: rest };
}

/** Some branch is taken: `unique` promises that, or the conditions compare one selector with each of its values. */
function chainCoversAll(statement: Conditional, scope: Scope): boolean {
  if (statement.promise === 'language') return true;
  const cubes: Cube[] = [];
  let selector: string | undefined;
  let width: number | undefined;
  for (const condition of chainOf(statement).conditions) {
    if (condition.kind !== 'binary' || (condition.operator !== '==' && condition.operator !== '===')) return false;
    const value = evaluate(condition.right, scope);
    const key = targetKey(condition.left, scope);
    width ??= sizeOf(condition.left, scope)?.width;
    if (!value || key.includes('?') || (selector !== undefined && key !== selector)) return false;
    selector = key;
    cubes.push({ bits: value.bits, any: 0n });
  }
  return width !== undefined && width <= MAX_WIDTH && coversEveryValue(cubes, width) === true;
}

/** What a task assigns outside of itself, and the arguments that it fills. */
function assignedByCall(call: Expression, scope: Scope, trust: Trust, depth: number): Set<string> {
  const item = call.kind === 'call' ? trust.subroutine(call.name) : undefined;
  if (!item || call.kind !== 'call') return new Set();
  const own = new Set([item.name, ...item.ports.map(({ name }) => name), ...item.items.flatMap((inner) => (inner.kind === 'variable' ? [inner.name] : []))]);
  const keys = [...assignedOnEveryPath({ kind: 'block', items: [], statements: item.body }, scope, trust, depth)].filter((key) => !own.has(/^[^[.]*/.exec(key)?.[0] ?? ''));
  return new Set([...keys, ...filledArguments(call, item).flatMap(targetsOf).map((target) => targetKey(target, scope))]);
}

/** The arguments of a call that the subroutine assigns. */
export function filledArguments(call: Extract<Expression, { kind: 'call' }>, { ports }: FunctionItem): readonly Expression[] {
  return call.arguments.filter((_, index) => ports[index]?.direction === 'output' || ports[index]?.direction === 'inout' || ports[index]?.direction === 'ref');
}

function common(sets: readonly ReadonlySet<string>[], trust: Trust): Set<string> {
  if (sets.length === 0) return new Set();
  // Two parts or more may be the whole.
  const isMadeUp = (set: ReadonlySet<string>, key: string): boolean => trust.intentions && [...set].filter((part) => part.startsWith(`${key}[`) || part.startsWith(`${key}.`)).length > 1;
  const covers = (set: ReadonlySet<string>, key: string): boolean => set.has(key) || set.has(key.replace(/[[.].*$/, '')) || isMadeUp(set, key);
  const keys = union(sets);
  return new Set([...keys].filter((key) => sets.every((set) => covers(set, key))));
}

/** Selectors of more bits are not looked at. */
const MAX_WIDTH = 64;

/** Some branch of a case statement is taken for every known value. */
export function coversAll(statement: Extract<Statement, { kind: 'case' }>, scope: Scope, trust: Trust = NOTHING): boolean {
  if (statement.promise === 'language' || statement.branches.some((branch) => branch.labels.length === 0)) return true;
  if (trust.intentions && statement.promise === 'synthesis') return true;
  const width = sizeOf(statement.selector, scope)?.width;
  // Nothing can be said about a selector of an unknown size.
  if (width === undefined || statement.inside) return trust.intentions;
  if (width > MAX_WIDTH) return false;
  return coversEveryValue(labelCubes(statement, scope, width), width) ?? trust.intentions;
}

/** The values that the labels of a case statement match, as far as they are constant. */
function labelCubes({ keyword, branches }: Extract<Statement, { kind: 'case' }>, scope: Scope, width: number): Cube[] {
  return branches.flatMap(({ labels }) =>
    labels.flatMap((label): Cube[] => {
      if (label.kind === 'number' && label.unknown !== 0n) return keyword === 'case' ? [] : [{ bits: label.bits, any: label.unknown & maskOf(width) }];
      const value = evaluate(label, scope, width);
      return value ? [{ bits: value.bits, any: 0n }] : [];
    }),
  );
}
