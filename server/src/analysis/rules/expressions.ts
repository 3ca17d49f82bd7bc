import type { Expression } from '../ast.ts';
import { evaluate, resolveType, sizeOf } from '../constant.ts';
import { maskOf, toNumber } from '../operators.ts';
import { sizeOfRange } from '../resolve-type.ts';
import type { Scope } from '../scope.ts';
import { partsOf } from '../walk.ts';

/** Nothing in it has a name, so that no parameter can change its value. */
export function isLiteral(expression: Expression): boolean {
  const { kind } = expression;
  if (kind === 'number') return true;
  if (kind === 'name' || kind === 'call' || kind === 'other' || kind === 'pattern' || kind === 'type') return false;
  return partsOf(expression).every(isLiteral);
}

/** It names a variable whose size people do not mean: `integer`, `int` and their like. */
function isLooselySized(expression: Expression, scope: Scope): boolean {
  return expression.kind === 'name' && expression.scope === undefined && scope.variable(expression.name)?.type.kind === 'atom';
}

/** A function that returns an `integer` or `int`, as functions do whose author does not think of bits. */
function returnsInteger({ name, scope: unit }: Extract<Expression, { kind: 'call' }>, scope: Scope): boolean {
  const type = (unit === undefined ? scope.function(name) : scope.package(unit)?.function(name))?.returns();
  return type?.width === 32 && type.signed;
}

function bitLength(number: bigint): number {
  return number < 0n ? (-number - 1n).toString(2).replace(/^0$/, '').length + 1 : number === 0n ? 0 : number.toString(2).length;
}

/**
 * The bits that an expression needs so that nothing of it is lost that its author can have meant: a carry, a borrow and the
 * bits that a shift moves out do not count. Undefined where that cannot be told.
 */
export function neededBits(expression: Expression, scope: Scope): number | undefined {
  if (expression.kind === 'number' && expression.unknown !== 0n) return undefined;
  const constant = evaluate(expression, scope);
  if (constant) return bitLength(toNumber(constant));
  switch (expression.kind) {
    case 'fill':
      return 0;
    case 'name':
    case 'member':
      return isLooselySized(expression, scope) ? undefined : plainWidth(expression, scope);
    case 'select':
    case 'range':
      return isLooselySized(expression.base, scope) ? undefined : plainWidth(expression, scope);
    case 'unary':
      if (expression.operator === '~' || expression.operator === '+' || expression.operator === '-') return neededBits(expression.operand, scope);
      return 1;
    case 'binary':
      return neededByOperator(expression, scope);
    case 'conditional':
      return largest(neededBits(expression.whenTrue, scope), neededBits(expression.whenFalse, scope));
    case 'concatenation':
      return neededByParts(expression.parts, scope);
    case 'replication':
      return sizeOf(expression, scope)?.width;
    case 'sign-cast':
      return neededBits(expression.operand, scope);
    case 'call':
      if ((expression.name === '$signed' || expression.name === '$unsigned') && expression.arguments[0]) return neededBits(expression.arguments[0], scope);
      return expression.name.startsWith('$') || returnsInteger(expression, scope) ? undefined : sizeOf(expression, scope)?.width;
    case 'width-cast':
    case 'type-cast':
      return sizeOf(expression, scope)?.width;
    case 'inside':
      return 1;
    default:
      return undefined;
  }
}

function largest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : Math.max(a, b);
}

function neededByOperator({ operator, left, right }: Extract<Expression, { kind: 'binary' }>, scope: Scope): number | undefined {
  const own = neededBits(left, scope);
  const other = neededBits(right, scope);
  switch (operator) {
    case '+':
    case '*':
    case '|':
    case '^':
    case '~^':
    case '^~':
      return largest(own, other);
    case '&':
      return own === undefined || other === undefined ? (own ?? other) : Math.min(own, other);
    case '<<':
    case '<<<':
      return own;
    // Whoever moves a field to the right, or takes an offset away, knows how small the rest is.
    case '>>':
    case '>>>':
    case '-':
    case '/':
      return undefined;
    case '%': {
      // A remainder is below the divisor.
      const divisor = evaluate(right, scope);
      const most = divisor && toNumber(divisor) > 0n ? bitLength(toNumber(divisor) - 1n) : other;
      return own === undefined || most === undefined ? undefined : Math.min(own, most);
    }
    case '**':
      return undefined;
    default:
      return 1;
  }
}

/** Leading zeros of a concatenation need no bits. */
function neededByParts(parts: readonly Expression[], scope: Scope): number | undefined {
  let total = 0;
  for (const part of parts) {
    // `{$random, $random}` gives more bits than are wanted, on purpose.
    if (part.kind === 'call' && part.name.startsWith('$')) return undefined;
    // That is another mistake.
    if (part.kind === 'number' && part.width === undefined) return undefined;
    const width = plainWidth(part, scope);
    const constant = evaluate(part, scope);
    if (width === undefined) return undefined;
    total = total === 0 && constant ? bitLength(constant.bits) : total + width;
  }
  return total;
}

/** Bits of an expression by itself; undefined for unpacked arrays and for what has no bits. */
export function plainWidth(expression: Expression, scope: Scope): number | undefined {
  const root = rootOf(expression);
  if (root.kind === 'name' && root.scope === undefined) {
    const binding = scope.variable(root.name);
    if (binding) {
      const type = resolveType(binding);
      const depth = selectsOf(expression);
      if (type.members && expression.kind !== 'name' && expression.kind !== 'member') return undefined;
      if (expression.kind !== 'range' && depth < type.unpacked.length) return undefined;
      // Only the outermost select of one packed dimension is known to give a bit.
      if (expression.kind === 'select' || expression.kind === 'range') return selectWidth(expression, type, depth, scope);
    } else if (expression.kind !== 'name') return undefined;
  } else if (expression.kind === 'select' || expression.kind === 'range' || expression.kind === 'member') return undefined;
  if (expression.kind === 'concatenation') {
    const widths = expression.parts.map((part) => plainWidth(part, scope));
    return widths.reduce((sum, width) => (sum === undefined || width === undefined ? undefined : sum + width), 0);
  }
  return sizeOf(expression, scope)?.width;
}

function selectWidth(expression: Extract<Expression, { kind: 'select' | 'range' }>, type: ReturnType<typeof resolveType>, depth: number, scope: Scope): number | undefined {
  if (type.width === undefined) return undefined;
  const packedSelects = depth - type.unpacked.length;
  if (expression.kind === 'range') {
    if (packedSelects < 1) return undefined;
    const inner = type.packed.slice(packedSelects).reduce((bits, range) => bits * sizeOfRange(range), 1);
    const count = sizeOf(expression, scope)?.width;
    return count === undefined ? undefined : count * inner;
  }
  if (packedSelects > type.packed.length) return packedSelects === 1 && type.packed.length === 0 ? 1 : undefined;
  return type.packed.slice(packedSelects).reduce((bits, range) => bits * sizeOfRange(range), packedSelects === 0 && type.packed.length === 0 ? type.width : 1);
}

function rootOf(expression: Expression): Expression {
  return expression.kind === 'select' || expression.kind === 'range' || expression.kind === 'member' ? rootOf(expression.base) : expression;
}

/** How many selects stand behind a name. */
function selectsOf(expression: Expression): number {
  return expression.kind === 'select' || expression.kind === 'range' ? selectsOf(expression.base) + 1 : 0;
}

/** The largest number that so many bits hold. */
export function largestOf(width: number): bigint {
  return maskOf(width);
}

export function bits(count: number): string {
  return count === 1 ? '1 bit' : `${count} bits`;
}
