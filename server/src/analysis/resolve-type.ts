import type { DataType, Dimension, EnumMember, Expression } from './ast.ts';
import type { Range } from './module.ts';
import { convert } from './operators.ts';
import type { ResolvedType, Scope, TypeBinding, Value } from './scope.ts';

/** Evaluates the bound of a range; it comes in as a parameter, since constants may ask for the width of types. */
export type EvaluateBound = (expression: Expression, scope: Scope) => number | undefined;

const NO_BITS: ResolvedType = { width: undefined, signed: false, packed: [], unpacked: [], members: undefined };
const MAX_DEPTH = 50;

/** Evaluates the bounds of a declared type. Where one is not known the width is undefined. */
export function resolveWith(binding: TypeBinding, evaluate: EvaluateBound, depth = 0): ResolvedType {
  if (depth > MAX_DEPTH) return NO_BITS;
  const inner = resolveDataType(binding.type, binding.scope, evaluate, depth);
  const unpacked = resolveRanges(binding.unpacked, binding.scope, evaluate, 'size');
  if (!unpacked) return { ...inner, width: undefined };
  return { ...inner, unpacked: [...unpacked, ...inner.unpacked] };
}

function resolveDataType(type: DataType, scope: Scope, evaluate: EvaluateBound, depth: number): ResolvedType {
  switch (type.kind) {
    case 'vector':
      return packedType(1, type.signed, type.packed, scope, evaluate);
    case 'atom':
      return { width: type.width, signed: type.signed, packed: [{ left: type.width - 1, right: 0 }], unpacked: [], members: undefined };
    case 'enum': {
      const base = type.base ? resolveWith({ type: type.base, unpacked: [], scope }, evaluate, depth + 1) : INT;
      return wrap(base, type.packed, scope, evaluate);
    }
    case 'named': {
      const holder = type.scope === undefined ? scope : scope.package(type.scope);
      const binding = holder?.type(type.name);
      if (!binding) return NO_BITS;
      return wrap(resolveWith(binding, evaluate, depth + 1), type.packed, scope, evaluate);
    }
    case 'struct':
    case 'union':
      return structType(type, scope, evaluate, depth);
    case 'real':
    case 'string':
    case 'void':
      return NO_BITS;
  }
}

const INT: ResolvedType = { width: 32, signed: true, packed: [{ left: 31, right: 0 }], unpacked: [], members: undefined };

function packedType(element: number, signed: boolean, dimensions: readonly Dimension[], scope: Scope, evaluate: EvaluateBound): ResolvedType {
  const packed = resolveRanges(dimensions, scope, evaluate, 'packed');
  const width = packed?.reduce((bits, range) => bits * sizeOfRange(range), element);
  return { width, signed, packed: packed ?? [], unpacked: [], members: undefined };
}

/** A value as a constant of a declared type; undefined for a type without bits. */
export function constantOf(value: Value, { width, signed, packed }: ResolvedType): Value | undefined {
  if (width === undefined) return undefined;
  const [range] = packed;
  const isPlain = !range || (packed.length === 1 && range.right === 0 && range.left >= 0);
  return { ...convert(value, { width, signed }), ...(isPlain ? {} : { packed }) };
}

/** Puts further packed dimensions around a type. */
function wrap(inner: ResolvedType, dimensions: readonly Dimension[], scope: Scope, evaluate: EvaluateBound): ResolvedType {
  if (dimensions.length === 0) return inner;
  const outer = packedType(inner.width ?? 0, false, dimensions, scope, evaluate);
  return { ...outer, width: inner.width === undefined ? undefined : outer.width, packed: [...outer.packed, ...inner.packed] };
}

function structType(type: Extract<DataType, { kind: 'struct' | 'union' }>, scope: Scope, evaluate: EvaluateBound, depth: number): ResolvedType {
  const members = type.members.map((member) => ({
    name: member.name,
    type: resolveWith({ type: member.type, unpacked: member.unpacked, scope }, evaluate, depth + 1),
  }));
  const widths = members.map((member) => member.type.width);
  if (!type.isPacked || widths.some((width) => width === undefined)) return NO_BITS;
  const known = widths.map((width) => width ?? 0);
  const total = type.kind === 'union' ? Math.max(0, ...known) : known.reduce((sum, width) => sum + width, 0);
  const fields = new Map<string, { offset: number; type: ResolvedType }>();
  let below = total;
  for (const [index, member] of members.entries()) {
    below -= known[index] ?? 0;
    fields.set(member.name, { offset: type.kind === 'union' ? 0 : below, type: member.type });
  }
  const inner: ResolvedType = { width: total, signed: type.signed, packed: [{ left: total - 1, right: 0 }], unpacked: [], members: fields };
  return wrap(inner, type.packed, scope, evaluate);
}

export function sizeOfRange(range: Range): number {
  return Math.abs(range.left - range.right) + 1;
}

/** `[N]` means N elements from 0; undefined when a bound is not known. */
function resolveRanges(dimensions: readonly Dimension[], scope: Scope, evaluate: EvaluateBound, single: 'size' | 'packed'): Range[] | undefined {
  const ranges: Range[] = [];
  for (const dimension of dimensions) {
    const left = evaluate(dimension.left, scope);
    if (left === undefined) return undefined;
    if (dimension.right === undefined) {
      ranges.push(single === 'size' ? { left: 0, right: left - 1 } : { left: left - 1, right: 0 });
      continue;
    }
    const right = evaluate(dimension.right, scope);
    if (right === undefined) return undefined;
    ranges.push({ left, right });
  }
  return ranges;
}

/** Names of enumeration members in order, with `NAME[3]` and `NAME[2:4]` written out. */
export function enumNames(members: readonly EnumMember[], scope: Scope, evaluate: EvaluateBound): { name: string; value: Expression | undefined }[] {
  return members.flatMap((member) => {
    if (!member.range) return [{ name: member.name, value: member.value }];
    const first = evaluate(member.range.left, scope);
    const second = member.range.right && evaluate(member.range.right, scope);
    if (first === undefined) return [];
    const [from, to] = second === undefined ? [0, first - 1] : [first, second];
    const step = from <= to ? 1 : -1;
    const length = Math.min(Math.abs(to - from) + 1, 10_000);
    return Array.from({ length }, (_, index) => ({
      name: `${member.name}${from + step * index}`,
      value: index === 0 ? member.value : undefined,
    }));
  });
}
