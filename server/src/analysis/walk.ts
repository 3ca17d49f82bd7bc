import type { Expression } from './ast.ts';
import type { Item, Statement } from './items.ts';

/** The expressions that an expression is made of, outermost level only. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'member':
      return [expression.base];
    case 'select':
      return [expression.base, expression.index];
    case 'range':
      return [expression.base, expression.left, expression.right];
    case 'unary':
    case 'sign-cast':
    case 'type-cast':
      return [expression.operand];
    case 'width-cast':
      return [expression.width, expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'conditional':
      return [expression.condition, expression.whenTrue, expression.whenFalse];
    case 'concatenation':
    case 'pattern':
    case 'other':
      return expression.parts;
    case 'replication':
      return [expression.count, ...expression.parts];
    case 'call':
      return expression.arguments;
    case 'inside':
      return [expression.operand, ...expression.ranges];
    default:
      return [];
  }
}

/** Calls back for an expression and everything in it. */
export function forEachExpression(expression: Expression, visit: (expression: Expression) => void): void {
  visit(expression);
  for (const part of partsOf(expression)) forEachExpression(part, visit);
}

/** The statements directly inside a statement. */
export function substatements(statement: Statement): readonly Statement[] {
  switch (statement.kind) {
    case 'block':
      return statement.statements;
    case 'if':
      return statement.whenFalse ? [statement.whenTrue, statement.whenFalse] : [statement.whenTrue];
    case 'case':
      return statement.branches.map((branch) => branch.body);
    case 'loop':
      return [...statement.initial, ...statement.step, statement.body];
    case 'event':
    case 'delay':
    case 'wait':
      return [statement.body];
    default:
      return [];
  }
}

export function forEachStatement(statement: Statement, visit: (statement: Statement) => void): void {
  visit(statement);
  for (const inner of substatements(statement)) forEachStatement(inner, visit);
}

/** The expressions that a statement itself reads; those of statements inside it are left out. */
export function readsOf(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case 'if':
      return [statement.condition];
    case 'case':
      return [statement.selector, ...statement.branches.flatMap((branch) => branch.labels)];
    case 'assign': {
      const indexes = targetsOf(statement.target).flatMap((target) => partsOf(target).slice(1));
      return statement.operator === '=' || statement.operator === '<=' ? [statement.value, ...indexes] : [statement.target, statement.value, ...indexes];
    }
    case 'loop':
      return statement.condition ? [statement.condition] : [];
    case 'return':
      return statement.value ? [statement.value] : [];
    case 'call':
      return [statement.call];
    default:
      return [];
  }
}

/** The single targets of an assignment: `{a, b[1]}` gives `a` and `b[1]`. */
export function targetsOf(target: Expression): readonly Expression[] {
  return target.kind === 'concatenation' || target.kind === 'pattern' ? target.parts.flatMap(targetsOf) : [target];
}

/** The variable or net that a target or operand such as `a[3].b` belongs to. */
export function baseNameOf(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'name':
      return expression.scope === undefined ? expression.name : undefined;
    case 'select':
    case 'range':
    case 'member':
      return baseNameOf(expression.base);
    default:
      return undefined;
  }
}

/** Names declared inside the blocks of a statement. */
export function localNames(statement: Statement): Set<string> {
  const names = new Set<string>();
  forEachStatement(statement, (inner) => {
    if (inner.kind === 'block') for (const item of inner.items) if (hasName(item)) names.add(item.name);
    if (inner.kind === 'loop') {
      for (const start of inner.initial) {
        const name = start.kind === 'assign' ? baseNameOf(start.target) : undefined;
        if (name !== undefined) names.add(name);
      }
    }
  });
  return names;
}

function hasName(item: Item): item is Extract<Item, { kind: 'variable' }> {
  return item.kind === 'variable';
}

/** Base names of everything that a statement and those inside it read. */
export function namesRead(statement: Statement): Set<string> {
  const names = new Set<string>();
  forEachStatement(statement, (inner) => {
    for (const read of readsOf(inner)) {
      forEachExpression(read, (expression) => {
        if (expression.kind === 'name' && expression.scope === undefined) names.add(expression.name);
      });
    }
  });
  return names;
}

/** Base names of everything that a statement and those inside it assign. */
export function namesAssigned(statement: Statement): Set<string> {
  const names = new Set<string>();
  forEachStatement(statement, (inner) => {
    if (inner.kind !== 'assign') return;
    for (const target of targetsOf(inner.target)) {
      const name = baseNameOf(target);
      if (name !== undefined) names.add(name);
    }
  });
  return names;
}
