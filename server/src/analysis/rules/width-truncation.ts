import type { Expression } from '../ast.ts';
import type { Scope } from '../scope.ts';
import { forEachExpression, partsOf } from '../walk.ts';
import { bits, neededBits, plainWidth } from './expressions.ts';
import type { Report, Rule } from './rule.ts';
import { evaluate, sizeOf } from '../constant.ts';
import { toNumber } from '../operators.ts';
import { drivenBits, signalsOf } from './signals.ts';
import type { ModuleView } from './view.ts';

export const widthTruncation: Rule = {
  id: 'width-truncation',
  followsValues: true,
  level: 'warning',
  category: 'widths',
  reason: 'An assignment to fewer bits than the value has drops the upper ones.',
  verilator: ['WIDTH', 'WIDTHTRUNC'],
  flagged: `wire [7:0] a;
wire [3:0] b;
assign b = a;`,
  silent: `wire [7:0] a;
wire [3:0] b, sum;
assign b = a[3:0];
assign sum = b + 1; // the carry is meant to go`,
  check(module, report) {
    for (const { item, scope, isCertain } of module.items) {
      if (!isCertain) continue;
      if (item.kind === 'assign') check({ target: item.target, value: item.value, scope, guards: [] }, module, report);
      if (item.kind === 'variable' && item.initial && item.span) {
        check({ target: { kind: 'name', scope: undefined, name: item.name, span: item.span }, value: item.initial, scope, guards: [] }, module, report);
      }
    }
    for (const { statement, scope, procedure, guards } of module.statements('assign')) {
      if (!procedure.view.isCertain) continue;
      if (statement.operator === '=' || statement.operator === '<=') check({ ...statement, scope, guards }, module, report);
    }
  },
};

interface Assigned {
  readonly target: Expression;
  readonly value: Expression;
  readonly scope: Scope;
  readonly guards: readonly Expression[];
}

/** Names that a condition around the assignment, or in its value, tests: the value may have been kept small. */
function testedNames(guards: readonly Expression[], value: Expression): Set<string> {
  const tested = new Set<string>();
  const note = (guard: Expression): void => forEachExpression(guard, (part) => part.kind === 'name' && tested.add(part.name));
  for (const guard of guards) note(guard);
  forEachExpression(value, (part) => {
    if (part.kind === 'conditional') note(part.condition);
  });
  return tested;
}

/** What most assignments are: as wide as their target, or a small number. */
function fits(value: Expression, width: number, scope: Scope): boolean {
  if (value.kind === 'number' && value.width === undefined) return value.bits >> BigInt(width) === 0n;
  return (sizeOf(value, scope)?.width ?? Number.POSITIVE_INFINITY) <= width;
}

function partsBelow(expression: Expression): readonly Expression[] {
  return [expression, ...partsOf(expression).flatMap(partsBelow)];
}

/** `q <= {q, d}` moves the oldest bits out. */
function isShift(value: Expression, width: number, scope: Scope): boolean {
  const [first] = value.kind === 'concatenation' ? value.parts : [];
  return first !== undefined && !evaluate(first, scope) && plainWidth(first, scope) === width;
}

/** The bit that is lost is read somewhere by a select, as that of a sum is for its carry: the lower ones are meant here. */
function usesTopBit(value: Expression, width: number, scope: Scope, module: ModuleView): boolean {
  if (value.kind === 'conditional') return [value.whenTrue, value.whenFalse].every((branch) => (neededBits(branch, scope) ?? 0) <= width || usesTopBit(branch, width, scope, module));
  if (value.kind !== 'name') return false;
  const holder = scope.holderOf(value.name);
  return [...module.expressions('select'), ...module.expressions('range')].some(({ expression, scope: other }) => {
    if (expression.base.kind !== 'name' || expression.base.name !== value.name || other.holderOf(value.name) !== holder) return false;
    const signal = signalsOf(module).find(value.name, scope);
    const read = signal && drivenBits(expression, signal, other);
    return typeof read === 'object' && read.low === width && read.high === width;
  });
}

function check({ target, value, scope, guards }: Assigned, module: ModuleView, report: Report): void {
  const width = plainWidth(target, scope);
  if (width === undefined || fits(value, width, scope)) return;
  const needed = neededBits(value, scope);
  if (needed === undefined || needed <= width || isShift(value, width, scope)) return;
  const tested = testedNames(guards, value);
  if (partsBelow(value).some((part) => part.kind === 'name' && tested.has(part.name) && (plainWidth(part, scope) ?? 0) > width)) return;
  if (needed === width + 1 && usesTopBit(value, width, scope, module)) return;
  const constant = evaluate(value, scope);
  const name = target.span ? module.textOf(target.span) : 'the target';
  const what = constant ? `The value ${toNumber(constant)} does not fit` : `${bits(needed)} are assigned`;
  const where = constant ? `into the ${bits(width)} of ${name}` : `to the ${bits(width)} of ${name}`;
  report(value.span, `${what} ${where}, so that the upper ${needed - width === 1 ? 'bit is' : `${needed - width} bits are`} lost; widen ${name}, or select the bits that are meant.`);
}
