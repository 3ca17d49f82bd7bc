import type { Expression } from './ast.ts';
import { evaluate } from './constant.ts';
import type { EventTerm, Statement } from './items.ts';
import type { Scope } from './scope.ts';
import { baseNameOf, forEachStatement, localNames, namesAssigned, namesRead } from './walk.ts';

export const RESET_NAME = /res(?:et)?(?:_?n|_?b)?$|rst|reset|cl(?:ea)?r/i;

/** A signal that is tested, and the level that makes the test hold. */
export interface LevelTest {
  readonly signal: Expression;
  readonly active: 'high' | 'low';
}

/** The parts that the signals of an edge-triggered block play. */
export interface EventBlock {
  readonly clocks: readonly EventTerm[];
  readonly asyncResets: readonly LevelTest[];
  readonly syncResets: readonly SyncTest[];
}

/** A test that may be a synchronous reset; its name has to say so unless the structure does. */
export interface SyncTest extends LevelTest {
  /** It comes first and sets everything that the block assigns to constants. */
  readonly structural: boolean;
}

/** An event control met in a process, with the statements that run after it. */
export interface EventUse {
  readonly terms: readonly EventTerm[] | '*';
  readonly body: Statement;
}

/** All event controls of a process, also those between its statements: `always begin @(posedge clk); … end`. */
export function eventUses(statement: Statement): EventUse[] {
  if (statement.kind === 'event') return [{ terms: statement.control, body: statement.body }, ...eventUses(statement.body)];
  if (statement.kind === 'block') {
    return statement.statements.flatMap((inner, index) => {
      if (inner.kind !== 'event') return eventUses(inner);
      const rest = statement.statements.slice(index + 1);
      const body: Statement = rest.length > 0 ? { kind: 'block', items: statement.items, statements: [inner.body, ...rest] } : inner.body;
      return [{ terms: inner.control, body }, ...eventUses(inner.body)];
    });
  }
  if (statement.kind === 'loop' || statement.kind === 'delay' || statement.kind === 'wait') return eventUses(statement.body);
  if (statement.kind === 'if') return [...eventUses(statement.whenTrue), ...(statement.whenFalse ? eventUses(statement.whenFalse) : [])];
  if (statement.kind === 'case') return statement.branches.flatMap((branch) => eventUses(branch.body));
  return [];
}

/** A text that is equal for equal simple signals; undefined for anything else. */
export function signalKey(expression: Expression, scope: Scope): string | undefined {
  if (expression.kind === 'name') return expression.scope === undefined ? expression.name : undefined;
  if (expression.kind === 'select') {
    const base = signalKey(expression.base, scope);
    const index = evaluate(expression.index, scope);
    return base === undefined || !index ? undefined : `${base}[${index.bits}]`;
  }
  if (expression.kind === 'member') {
    const base = signalKey(expression.base, scope);
    return base === undefined ? undefined : `${base}.${expression.name}`;
  }
  return undefined;
}

/** Takes a condition apart at its `or`s, as in `!rst_n || clear`; undefined stands for a part that is no test of a level. */
export function levelTests(condition: Expression, scope: Scope): (LevelTest | undefined)[] {
  if (condition.kind === 'binary' && (condition.operator === '||' || condition.operator === '|')) {
    return [...levelTests(condition.left, scope), ...levelTests(condition.right, scope)];
  }
  return [levelTest(condition, scope)];
}

function levelTest(condition: Expression, scope: Scope): LevelTest | undefined {
  if (condition.kind === 'binary') {
    const { operator, left, right } = condition;
    const equal = operator === '==' || operator === '===';
    if (!equal && operator !== '!=' && operator !== '!==') return undefined;
    const [constant, signal] = evaluate(right, scope) ? [evaluate(right, scope), left] : [evaluate(left, scope), right];
    if (!constant || constant.bits > 1n) return undefined;
    const test = levelTest(signal, scope);
    return (constant.bits === 1n) === equal ? test : invert(test);
  }
  if (condition.kind === 'unary' && (condition.operator === '!' || condition.operator === '~')) return invert(levelTest(condition.operand, scope));
  return signalKey(condition, scope) === undefined ? undefined : { signal: condition, active: 'high' };
}

function invert(test: LevelTest | undefined): LevelTest | undefined {
  return test && { signal: test.signal, active: test.active === 'high' ? 'low' : 'high' };
}

type If = Extract<Statement, { kind: 'if' }>;

/** The decisions that a block makes first; `q <= rst ? 0 : d` counts as one. */
function leadingIfs(statement: Statement): If[] {
  switch (statement.kind) {
    case 'if':
      return [statement];
    case 'block':
      return statement.statements.flatMap(leadingIfs);
    case 'loop':
    case 'delay':
    case 'event':
      return leadingIfs(statement.body);
    case 'assign': {
      const { value } = statement;
      if (value.kind !== 'conditional') return [];
      const { condition, whenTrue, whenFalse } = value;
      return [{ kind: 'if', condition, whenTrue: { ...statement, value: whenTrue }, whenFalse: { ...statement, value: whenFalse } }];
    }
    default:
      return [];
  }
}

/**
 * Tells clocks from asynchronous resets in an event list, and finds what acts as a synchronous reset. An edge whose signal
 * is tested first is a reset; `matches` says whether a tested signal is that of a term under another name.
 */
export function classifyBlock(terms: readonly EventTerm[], body: Statement, scope: Scope, matches: (test: Expression, term: EventTerm) => boolean): EventBlock {
  const remaining = new Set(terms);
  const asyncResets: LevelTest[] = [];
  const syncResets: SyncTest[] = [];
  const isTerm = (signal: Expression, term: EventTerm): boolean => {
    const key = signalKey(signal, scope);
    return (key !== undefined && key === signalKey(term.expression, scope)) || matches(signal, term);
  };
  /** `first` is lost behind a condition that is no reset, such as an enable. */
  const follow = (statement: Statement, first: boolean): void => {
    for (const decision of leadingIfs(statement)) {
      const tests = levelTests(decision.condition, scope);
      let allAsync = true;
      for (const test of tests) {
        const [term, ...others] = test ? terms.filter((candidate) => isTerm(test.signal, candidate)) : [];
        const known = test && asyncResets.some((reset) => signalKey(reset.signal, scope) === signalKey(test.signal, scope));
        // A signal with both of its edges in the list is a clock, whatever tests it.
        if (test && term && first && others.length === 0 && !known && remaining.size > 1 && remaining.delete(term)) asyncResets.push(test);
        else if (!known) {
          allAsync = false;
          if (test && !term) syncResets.push({ ...test, structural: first && tests.length === 1 && actsAsReset(decision, body, scope) });
        }
      }
      if (decision.whenFalse) follow(decision.whenFalse, first && allAsync);
      else if (!allAsync) follow(decision.whenTrue, false);
    }
  };
  follow(body, true);
  separateReadTerms(remaining, body, asyncResets);
  return { clocks: [...remaining], asyncResets, syncResets };
}

/** Of several edges left, one that the body reads is a control, if another is never read; else one with the name of a reset. */
function separateReadTerms(remaining: Set<EventTerm>, body: Statement, asyncResets: LevelTest[]): void {
  if (remaining.size < 2) return;
  const read = namesRead(body);
  const isRead = (term: EventTerm): boolean => read.has(baseNameOf(term.expression) ?? '');
  const isControl = [...remaining].every((term) => !isRead(term)) ? (term: EventTerm): boolean => RESET_NAME.test(baseNameOf(term.expression) ?? '') : isRead;
  if ([...remaining].every(isControl)) return;
  for (const term of [...remaining].filter(isControl)) {
    remaining.delete(term);
    asyncResets.push({ signal: term.expression, active: term.edge === 'negedge' ? 'low' : 'high' });
  }
}

/** The branch sets everything that the block assigns to constants, and otherwise the block does more than that. */
function actsAsReset(decision: If, body: Statement, scope: Scope): boolean {
  if (!decision.whenFalse || !assignsOnlyConstants(decision.whenTrue, scope) || assignsOnlyConstants(decision.whenFalse, scope)) return false;
  const set = namesAssigned(decision.whenTrue);
  const locals = localNames(body);
  return [...namesAssigned(body)].every((name) => set.has(name) || locals.has(name));
}

function assignsOnlyConstants(statement: Statement, scope: Scope): boolean {
  const locals = localNames(statement);
  const assignments: Extract<Statement, { kind: 'assign' }>[] = [];
  forEachStatement(statement, (inner) => {
    if (inner.kind === 'assign' && !locals.has(baseNameOf(inner.target) ?? '')) assignments.push(inner);
  });
  const constant = assignments.every(({ operator, value }) => (operator === '=' || operator === '<=') && isConstant(value, scope));
  return constant && assignments.length > 0;
}

function isConstant(expression: Expression, scope: Scope): boolean {
  switch (expression.kind) {
    case 'number':
    case 'fill':
    case 'string':
    case 'real':
      return true;
    case 'pattern':
    case 'concatenation':
      return expression.parts.every((part) => (part.kind === 'name' && part.name === 'default') || isConstant(part, scope));
    case 'replication':
      return expression.parts.every((part) => isConstant(part, scope));
    default:
      return evaluate(expression, scope) !== undefined;
  }
}
