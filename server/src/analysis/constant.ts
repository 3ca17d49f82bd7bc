import type { Expression } from './ast.ts';
import { arithmetic, BIT, BIT_RESULT, compare, convert, extend, fromNumber, INTEGER, logical, LOGICAL, maskOf, power, reduce, REDUCTIONS, shift, SHIFTS, stringBits, toNumber } from './operators.ts';
import type { Size } from './operators.ts';
import { elementOf, partOf } from './part-select.ts';
import { resolveWith, sizeOfRange } from './resolve-type.ts';
import type { ResolvedType, Scope, TypeBinding, Value } from './scope.ts';
import { DIMENSION_QUERIES, VALUE_FUNCTIONS } from './system-functions.ts';

const MAX_WIDTH = 1 << 20;
/** Numbers below fit into 32 bits with their sign. */
const SMALL = 1n << 31n;

/** Evaluates a constant expression; undefined when some part is not constant, unknown (x, z) or not supported. */
export function evaluate(expression: Expression, scope: Scope, contextWidth = 0): Value | undefined {
  if (hasVariable(expression, scope)) return undefined;
  const size = sizeOf(expression, scope);
  if (!size) return undefined;
  const width = Math.max(size.width, contextWidth);
  if (width > MAX_WIDTH) return undefined;
  const bits = evaluateIn(expression, scope, { width, signed: size.signed });
  return bits === undefined ? undefined : { bits, width, signed: size.signed };
}

/** Something in it that its value depends on for certain is no constant: most expressions of a design are found out by their first name. */
function hasVariable(expression: Expression, scope: Scope): boolean {
  switch (expression.kind) {
    case 'name':
      return lookup(expression.scope, expression.name, scope) === undefined;
    case 'select':
    case 'range':
      return hasVariable(expression.base, scope);
    case 'unary':
      return hasVariable(expression.operand, scope);
    case 'binary':
      // One side may decide a logical operation.
      return !LOGICAL.has(expression.operator) && (hasVariable(expression.left, scope) || hasVariable(expression.right, scope));
    case 'conditional':
      return hasVariable(expression.condition, scope);
    case 'concatenation':
      return expression.parts.some((part) => hasVariable(part, scope));
    default:
      return false;
  }
}

/** An expression as a plain number, such as the bound of a range; undefined when it is not constant or not a safe integer. */
export function evaluateNumber(expression: Expression, scope: Scope): number | undefined {
  const value = evaluate(expression, scope);
  if (!value) return undefined;
  const number = Number(toNumber(value));
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Evaluates the bounds of a declared type. */
export function resolveType(binding: TypeBinding): ResolvedType {
  if (binding.resolved) return binding.resolved;
  const type = resolveWith(binding, evaluateNumber);
  // What is not known yet may be known once everything is declared.
  if (type.width !== undefined) binding.resolved = type;
  return type;
}

/** All bits of a type with its unpacked elements. */
export function totalWidth(type: ResolvedType): number | undefined {
  return type.width === undefined ? undefined : type.unpacked.reduce((bits, range) => bits * sizeOfRange(range), type.width);
}

/** Width and signedness of an expression by itself; undefined when they cannot be told. */
export function sizeOf(expression: Expression, scope: Scope): Size | undefined {
  switch (expression.kind) {
    case 'number':
      return { width: numberWidth(expression), signed: expression.signed };
    case 'fill':
      return BIT;
    case 'string':
      return { width: Math.max(expression.value.length, 1) * 8, signed: false };
    case 'name':
      return nameSize(expression.scope, expression.name, scope);
    case 'member':
    case 'select':
    case 'range':
      return selectSize(expression, scope);
    case 'unary':
      return REDUCTIONS.has(expression.operator) ? BIT : sizeOf(expression.operand, scope);
    case 'binary':
      if (BIT_RESULT.has(expression.operator)) return BIT;
      if (SHIFTS.has(expression.operator) || expression.operator === '**') return sizeOf(expression.left, scope);
      return larger(sizeOf(expression.left, scope), sizeOf(expression.right, scope));
    case 'conditional':
      return larger(sizeOf(expression.whenTrue, scope), sizeOf(expression.whenFalse, scope));
    case 'concatenation':
      return sum(expression.parts, scope);
    case 'replication': {
      const count = evaluateNumber(expression.count, scope);
      const inner = sum(expression.parts, scope);
      return count === undefined || count < 0 || !inner ? undefined : { width: inner.width * count, signed: false };
    }
    case 'call':
      return callSize(expression, scope);
    case 'sign-cast': {
      const inner = sizeOf(expression.operand, scope);
      return inner && { width: inner.width, signed: expression.signed };
    }
    case 'width-cast':
      return castSize(expression, scope);
    case 'type-cast': {
      const type = resolveType({ type: expression.type, unpacked: [], scope });
      return type.width === undefined ? undefined : { width: type.width, signed: type.signed };
    }
    case 'inside':
      return BIT;
    case 'real':
    case 'type':
    case 'pattern':
    case 'other':
      return undefined;
  }
}

function numberWidth({ width, bits, signed }: Extract<Expression, { kind: 'number' }>): number {
  return width ?? (bits < SMALL ? 32 : Math.max(32, bits.toString(2).length + (signed ? 1 : 0)));
}

function larger(left: Size | undefined, right: Size | undefined): Size | undefined {
  if (!left || !right) return undefined;
  return { width: Math.max(left.width, right.width), signed: left.signed && right.signed };
}

function sum(parts: readonly Expression[], scope: Scope): Size | undefined {
  let width = 0;
  for (const part of parts) {
    const size = sizeOf(part, scope);
    if (!size) return undefined;
    width += size.width;
  }
  return { width, signed: false };
}

function lookup(packageName: string | undefined, name: string, scope: Scope): Value | undefined {
  return packageName === undefined ? scope.constant(name) : scope.package(packageName)?.constant(name);
}

function nameSize(packageName: string | undefined, name: string, scope: Scope): Size | undefined {
  const value = lookup(packageName, name, scope);
  if (value) return value;
  const binding = packageName === undefined ? scope.variable(name) : undefined;
  if (!binding) return undefined;
  const type = resolveType(binding);
  return type.width === undefined ? undefined : { width: type.width, signed: type.signed };
}

/** All bits of an expression, a variable or a type, unpacked elements included, as `$bits` gives them. */
export function bitsOf(expression: Expression, scope: Scope): number | undefined {
  if (expression.kind === 'type') return totalWidth(resolveType({ type: expression.type, unpacked: [], scope }));
  if (expression.kind === 'name') {
    const binding =
      expression.scope === undefined
        ? (scope.variable(expression.name) ?? scope.type(expression.name))
        : scope.package(expression.scope)?.type(expression.name);
    if (binding) return totalWidth(resolveType(binding));
  }
  return sizeOf(expression, scope)?.width;
}

function selectSize(expression: Extract<Expression, { kind: 'member' | 'select' | 'range' }>, scope: Scope): Size | undefined {
  if (expression.kind === 'range') {
    const left = evaluateNumber(expression.left, scope);
    const right = evaluateNumber(expression.right, scope);
    if (expression.mode !== ':') return right === undefined ? undefined : { width: right, signed: false };
    return left === undefined || right === undefined ? undefined : { width: Math.abs(left - right) + 1, signed: false };
  }
  const known = expression.kind === 'select' ? evaluateSelect(expression, scope) : undefined;
  if (known) return { width: known.width, signed: false };
  const type = operandType(expression, scope);
  return type?.width === undefined ? undefined : { width: type.width, signed: type.signed };
}

/** The type of a variable, or of the element or member that selects and dots lead to; undefined where it is not known. */
export function operandType(expression: Expression, scope: Scope): ResolvedType | undefined {
  switch (expression.kind) {
    case 'name': {
      const binding = expression.scope === undefined ? scope.variable(expression.name) : undefined;
      return binding && resolveType(binding);
    }
    case 'member':
      return operandType(expression.base, scope)?.members?.get(expression.name)?.type;
    case 'select': {
      const type = operandType(expression.base, scope);
      if (!type || type.unpacked.length > 0) return type && { ...type, unpacked: type.unpacked.slice(1) };
      const [outer, ...inner] = type.packed;
      if (type.width === undefined) return undefined;
      return { width: outer ? type.width / sizeOfRange(outer) : 1, signed: false, packed: inner, unpacked: [], members: undefined };
    }
    default:
      return undefined;
  }
}

function callSize(call: Extract<Expression, { kind: 'call' }>, scope: Scope): Size | undefined {
  const [first] = call.arguments;
  if (call.name === '$signed' || call.name === '$unsigned') {
    const inner = first && sizeOf(first, scope);
    return inner && { width: inner.width, signed: call.name === '$signed' };
  }
  if (call.name === '$onehot' || call.name === '$onehot0' || call.name === '$isunknown') return BIT;
  if (call.name.startsWith('$')) return INTEGER;
  const definition = call.scope === undefined ? scope.function(call.name) : scope.package(call.scope)?.function(call.name);
  const type = definition?.returns();
  return type?.width === undefined ? undefined : { width: type.width, signed: type.signed };
}

/** `N'(x)` with a number N, or `name'(x)` where the name is a type. */
function castSize(cast: Extract<Expression, { kind: 'width-cast' }>, scope: Scope): Size | undefined {
  const { width } = cast;
  if (width.kind === 'name') {
    const binding = width.scope === undefined ? scope.type(width.name) : scope.package(width.scope)?.type(width.name);
    if (binding) {
      const type = resolveType(binding);
      return type.width === undefined ? undefined : { width: type.width, signed: type.signed };
    }
  }
  const number = evaluateNumber(width, scope);
  const inner = sizeOf(cast.operand, scope);
  return number === undefined || number <= 0 || !inner ? undefined : { width: number, signed: inner.signed };
}

/** The bits of an expression whose size is known, in the size of its context. */
function evaluateIn(expression: Expression, scope: Scope, size: Size): bigint | undefined {
  switch (expression.kind) {
    case 'number':
      return expression.unknown === 0n ? extend(expression.bits, numberWidth(expression), size) : undefined;
    case 'fill':
      if (expression.bit === '0') return 0n;
      return expression.bit === '1' ? maskOf(size.width) : undefined;
    case 'string':
      return stringBits(expression.value) & maskOf(size.width);
    case 'name': {
      const value = lookup(expression.scope, expression.name, scope);
      return value && extend(value.bits, value.width, size);
    }
    case 'select':
    case 'range': {
      const part = evaluateSelect(expression, scope);
      return part && extend(part.bits, part.width, { ...size, signed: false });
    }
    case 'unary':
      return evaluateUnary(expression, scope, size);
    case 'binary':
      return evaluateBinary(expression, scope, size);
    case 'conditional': {
      const condition = truth(expression.condition, scope);
      return condition === undefined ? undefined : evaluateIn(condition ? expression.whenTrue : expression.whenFalse, scope, size);
    }
    case 'concatenation':
      return evaluateConcatenation(expression.parts, scope);
    case 'replication': {
      const once = evaluateConcatenation(expression.parts, scope);
      const count = evaluateNumber(expression.count, scope);
      const width = sum(expression.parts, scope)?.width;
      if (once === undefined || count === undefined || width === undefined || width * count > MAX_WIDTH) return undefined;
      let bits = 0n;
      for (let index = 0; index < count; index++) bits = (bits << BigInt(width)) | once;
      return bits & maskOf(size.width);
    }
    case 'call': {
      const value = evaluateCall(expression, scope);
      return value && extend(value.bits, value.width, size);
    }
    case 'sign-cast': {
      const value = evaluate(expression.operand, scope);
      return value && extend(value.bits, value.width, size);
    }
    case 'width-cast':
    case 'type-cast': {
      const own = sizeOf(expression, scope);
      const value = own && evaluate(expression.operand, scope, own.width);
      return value && extend(convert(value, own).bits, own.width, size);
    }
    case 'inside':
      return evaluateInside(expression, scope);
    case 'member':
    case 'real':
    case 'type':
    case 'pattern':
    case 'other':
      return undefined;
  }
}

/** The selected bits; undefined outside of the constant. */
function evaluateSelect(expression: Extract<Expression, { kind: 'select' | 'range' }>, scope: Scope): Value | undefined {
  const { base: inner } = expression;
  const base = inner.kind === 'select' ? evaluateSelect(inner, scope) : inner.kind === 'name' ? lookup(inner.scope, inner.name, scope) : evaluate(inner, scope);
  if (!base) return undefined;
  if (expression.kind === 'select') {
    const index = evaluateNumber(expression.index, scope);
    return index === undefined ? undefined : elementOf(base, index);
  }
  const left = evaluateNumber(expression.left, scope);
  const right = evaluateNumber(expression.right, scope);
  return left === undefined || right === undefined ? undefined : partOf(base, expression.mode, left, right);
}

function truth(expression: Expression, scope: Scope): boolean | undefined {
  const value = evaluate(expression, scope);
  return value && value.bits !== 0n;
}

function evaluateUnary(expression: Extract<Expression, { kind: 'unary' }>, scope: Scope, size: Size): bigint | undefined {
  const { operator, operand } = expression;
  if (REDUCTIONS.has(operator)) {
    const value = evaluate(operand, scope);
    return value && BigInt(reduce(operator, value));
  }
  const bits = evaluateIn(operand, scope, size);
  if (bits === undefined) return undefined;
  if (operator === '~') return ~bits & maskOf(size.width);
  if (operator === '-') return -bits & maskOf(size.width);
  return operator === '+' ? bits : undefined;
}

function evaluateBinary(expression: Extract<Expression, { kind: 'binary' }>, scope: Scope, size: Size): bigint | undefined {
  const { operator, left, right } = expression;
  if (LOGICAL.has(operator)) return logical(operator, truth(left, scope), truth(right, scope));
  if (BIT_RESULT.has(operator)) {
    const common = larger(sizeOf(left, scope), sizeOf(right, scope));
    if (!common) return undefined;
    const a = evaluateIn(left, scope, common);
    const b = evaluateIn(right, scope, common);
    if (a === undefined || b === undefined) return undefined;
    return BigInt(compare(operator, toNumber({ bits: a, ...common }), toNumber({ bits: b, ...common })));
  }
  const a = evaluateIn(left, scope, size);
  if (a === undefined) return undefined;
  if (SHIFTS.has(operator) || operator === '**') {
    const amount = evaluate(right, scope);
    if (!amount) return undefined;
    return operator === '**' ? power(a, amount, size) : shift(operator, a, amount.bits, size);
  }
  const b = evaluateIn(right, scope, size);
  if (b === undefined) return undefined;
  const result = arithmetic(operator, toNumber({ bits: a, ...size }), toNumber({ bits: b, ...size }));
  return result === undefined ? undefined : result & maskOf(size.width);
}

function evaluateConcatenation(parts: readonly Expression[], scope: Scope): bigint | undefined {
  let bits = 0n;
  for (const part of parts) {
    const value = evaluate(part, scope);
    if (!value) return undefined;
    bits = (bits << BigInt(value.width)) | value.bits;
  }
  return bits;
}

function evaluateInside(expression: Extract<Expression, { kind: 'inside' }>, scope: Scope): bigint | undefined {
  const value = evaluate(expression.operand, scope);
  if (!value) return undefined;
  const number = toNumber(value);
  for (const range of expression.ranges) {
    const [from, to] = range.kind === 'other' ? range.parts : [range, range];
    const low = from && evaluate(from, scope);
    const high = to && evaluate(to, scope);
    if (!low || !high) return undefined;
    if (number >= toNumber(low) && number <= toNumber(high)) return 1n;
  }
  return 0n;
}

function evaluateCall(call: Extract<Expression, { kind: 'call' }>, scope: Scope): Value | undefined {
  const [first] = call.arguments;
  if (call.name.startsWith('$')) return first ? systemCall(call.name, first, scope) : undefined;
  const definition = call.scope === undefined ? scope.function(call.name) : scope.package(call.scope)?.function(call.name);
  const values = call.arguments.map((argument) => evaluate(argument, scope));
  return definition && values.every((value) => value !== undefined) ? definition.call(values) : undefined;
}

function systemCall(name: string, argument: Expression, scope: Scope): Value | undefined {
  if (name === '$bits') {
    const bits = bitsOf(argument, scope);
    return bits === undefined ? undefined : fromNumber(BigInt(bits));
  }
  const query = DIMENSION_QUERIES.get(name);
  if (!query) {
    const value = evaluate(argument, scope);
    return value && VALUE_FUNCTIONS.get(name)?.(value);
  }
  const binding = argument.kind === 'name' && argument.scope === undefined ? (scope.variable(argument.name) ?? scope.type(argument.name)) : undefined;
  const type = binding && resolveType(binding);
  const range = type && (type.unpacked[0] ?? type.packed[0]);
  return range && fromNumber(BigInt(query(range)));
}
