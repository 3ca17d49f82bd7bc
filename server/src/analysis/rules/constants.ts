import type { Span } from '../../base/text.ts';
import type { Expression } from '../ast.ts';
import { evaluate, resolveType, sizeOf } from '../constant.ts';
import { toNumber } from '../operators.ts';
import { sizeOfRange } from '../resolve-type.ts';
import type { Scope } from '../scope.ts';
import { bits, isLiteral, largestOf, plainWidth } from './expressions.ts';
import type { Report, Rule } from './rule.ts';
import type { ExpressionView, ModuleView } from './view.ts';

const RADIX = { b: 2, o: 8, d: 10, h: 16 } as const;

export const truncatedConstant: Rule = {
  id: 'truncated-constant',
  level: 'warning',
  category: 'constants',
  reason: 'A literal with more digits than its size holds loses the upper ones.',
  verilator: ['WIDTH', 'WIDTHTRUNC'],
  flagged: `assign y = 4'd16;`,
  silent: `assign y = 5'd16;
assign z = 4'b00101;`,
  check(module, report) {
    for (const { expression } of module.expressions('number')) {
      const { span, width } = expression;
      if (!span || width === undefined) continue;
      const [, size = '', base = '', digits = ''] = /^(\d[\d_]*)\s*'\s*[sS]?([bodhBODH])\s*([0-9a-fA-F_]+)$/.exec(module.textOf(span)) ?? [];
      if (digits === '') continue;
      const radix = RADIX[base.toLowerCase() as keyof typeof RADIX];
      if (digits.length * Math.log2(radix) <= width) continue;
      const value = numberOf(digits.replaceAll('_', ''), radix);
      if (value === undefined || value <= largestOf(width)) continue;
      const needed = value.toString(2).length;
      report(span, `${module.textOf(span)} does not fit into ${bits(width)} and becomes ${value & largestOf(width)}; it needs ${needed}.`, {
        fixes: [{ title: `Change the size to ${needed}`, changes: [{ span: { start: span.start, end: span.start + size.length }, text: String(needed) }] }],
      });
    }
  },
};

const FORMS: ReadonlyMap<number, { readonly prefix: string; readonly digits: RegExp }> = new Map([
  [2, { prefix: '0b', digits: /^[01]+$/ }],
  [8, { prefix: '0o', digits: /^[0-7]+$/ }],
  [10, { prefix: '', digits: /^\d+$/ }],
  [16, { prefix: '0x', digits: /^[\da-f]+$/i }],
]);

function numberOf(digits: string, radix: number): bigint | undefined {
  const form = FORMS.get(radix);
  return form?.digits.test(digits) === true ? BigInt(`${form.prefix}${digits}`) : undefined;
}

const EQUALITY = new Set(['==', '!=']);

export const unknownCompare: Rule = {
  id: 'unknown-compare',
  level: 'warning',
  category: 'constants',
  reason: 'Comparing with x or z by == gives x, never true.',
  flagged: `assign y = (a == 1'bx);`,
  silent: `assign y = (a === 1'bx);`,
  check(module, report) {
    for (const { expression } of module.expressions('binary')) {
      const { operator, left, right, span } = expression;
      if (!EQUALITY.has(operator) || !span || !left.span || !right.span) continue;
      const literal = [left, right].find((side) => (side.kind === 'number' && side.unknown !== 0n) || (side.kind === 'fill' && (side.bit === 'x' || side.bit === 'z')));
      const other = literal === left ? right : left;
      // Two constants are compared to see what comes out.
      if (!literal?.span || isLiteral(other)) continue;
      const gap = { start: left.span.end, end: right.span.start };
      const at = gap.start + module.textOf(gap).indexOf(operator);
      report(span, `A comparison with ${module.textOf(literal.span)} by '${operator}' is never true; use '${operator}=' to compare x and z themselves.`, {
        fixes: [{ title: `Change '${operator}' to '${operator}='`, changes: [{ span: { start: at, end: at + 2 }, text: `${operator}=` }] }],
      });
    }
  },
};

const FLIPPED = new Map([['<', '>'], ['<=', '>='], ['>', '<'], ['>=', '<='], ['==', '=='], ['!=', '!=']]);

export const constantComparison: Rule = {
  id: 'constant-comparison',
  followsValues: true,
  level: 'warning',
  category: 'constants',
  reason: 'A comparison whose result does not depend on the signal hides a wrong constant or a missing sign.',
  verilator: ['CMPCONST', 'UNSIGNED'],
  flagged: `wire [3:0] a;
assign y = a == 20;`,
  silent: `wire signed [3:0] a;
assign y = a >= 0;
assign z = a == 7;`,
  check(module, report) {
    for (const { expression, scope, isCertain } of module.expressions('binary')) {
      const { left, right, operator, span } = expression;
      const flipped = FLIPPED.get(operator);
      if (flipped === undefined || !span || !isCertain) continue;
      if (isLiteral(right)) compare(left, operator, right, span, { scope, module, report });
      else if (isLiteral(left)) compare(right, flipped, left, span, { scope, module, report });
    }
  },
};

function compare(signal: Expression, operator: string, literal: Expression, span: { start: number; end: number }, place: { scope: Scope; module: ModuleView; report: Report }): void {
  const { scope, module, report } = place;
  if (signal.kind !== 'name' && signal.kind !== 'select' && signal.kind !== 'range') return;
  if (evaluate(signal, scope)) return;
  const width = plainWidth(signal, scope);
  const size = sizeOf(signal, scope);
  const value = evaluate(literal, scope);
  if (width === undefined || !size || !value || !signal.span) return;
  const isSigned = size.signed && value.signed;
  const number = toNumber(isSigned ? value : { ...value, signed: false });
  // A negative number that meets an unsigned signal becomes a large one; that is another mistake than this.
  if (!isSigned && toNumber(value) < 0n) return;
  const low = isSigned ? -(1n << BigInt(width - 1)) : 0n;
  const high = isSigned ? largestOf(width - 1) : largestOf(width);
  const result = resultOf(operator, number, low, high);
  if (result === undefined) return;
  const name = module.textOf(signal.span);
  const range = isSigned ? `from ${low} to ${high}` : `from 0 to ${high}`;
  report(span, `This comparison is always ${String(result)}, because ${name} has ${bits(width)} and goes ${range}.`);
}

/** The result when it is the same for every value from `low` to `high`. */
function resultOf(operator: string, number: bigint, low: bigint, high: bigint): boolean | undefined {
  const outside = number < low || number > high;
  switch (operator) {
    case '==':
      return outside ? false : undefined;
    case '!=':
      return outside ? true : undefined;
    case '<':
      return number > high ? true : number <= low ? false : undefined;
    case '>=':
      return number > high ? false : number <= low ? true : undefined;
    case '>':
      return number >= high ? (number > high ? false : undefined) : number < low ? true : undefined;
    case '<=':
      return number > high ? true : number < low ? false : undefined;
    default:
      return undefined;
  }
}

function* selectsOf(module: ModuleView): Generator<ExpressionView<Extract<Expression, { kind: 'select' | 'range' }>>> {
  yield* module.expressions('select');
  yield* module.expressions('range');
}

export const indexOutOfRange: Rule = {
  id: 'index-out-of-range',
  level: 'warning',
  category: 'widths',
  reason: 'A select outside of the declared range reads x and writes nothing.',
  verilator: ['SELRANGE'],
  flagged: `wire [7:0] a;
assign y = a[8];`,
  silent: `wire [8:1] a;
assign y = a[8];`,
  check(module, report) {
    for (const { expression, scope } of selectsOf(module)) {
      const { base } = expression;
      if (base.kind !== 'name' || base.scope !== undefined || !expression.span) continue;
      const indexes = expression.kind === 'select' ? [expression.index] : expression.mode === ':' ? [expression.left, expression.right] : [expression.left];
      const binding = indexes.every(isLiteral) ? scope.variable(base.name) : undefined;
      if (!binding || evaluate(base, scope)) continue;
      const dimension = binding.unpacked[0] ?? (binding.type.kind === 'vector' ? binding.type.packed[0] : undefined);
      // A parameter may be the reason why a select lies outside in code that is then not used.
      if (!dimension || !isLiteral(dimension.left) || (dimension.right && !isLiteral(dimension.right))) continue;
      const type = resolveType(binding);
      // The dimension of a queue or dynamic array is not known.
      if (type.unpacked.length < binding.unpacked.length) continue;
      const range = type.unpacked[0] ?? type.packed[0];
      const values = indexes.map((index) => evaluate(index, scope));
      if (!range || values.some((value) => !value)) continue;
      const numbers = values.map((value) => (value ? Number(toNumber(value)) : 0));
      const [low, high] = [Math.min(range.left, range.right), Math.max(range.left, range.right)];
      const outside = numbers.find((number) => number < low || number > high);
      const declared = `[${range.left}:${range.right}]`;
      if (outside !== undefined) {
        report(expression.span, `Index ${outside} lies outside of ${base.name}${declared}, which has ${binding.unpacked.length > 0 ? `${sizeOfRange(range)} elements` : bits(sizeOfRange(range))}.`);
      } else if (expression.kind === 'range' && expression.mode === ':' && numbers.length === 2) {
        const [first = 0, second = 0] = numbers;
        if (first !== second && range.left !== range.right && first > second !== range.left > range.right) {
          report(expression.span, `The bounds of this select run against those of ${base.name}${declared}; write [${second}:${first}].`);
        }
      }
    }
  },
};

export const unsizedInConcatenation: Rule = {
  id: 'unsized-in-concatenation',
  level: 'warning',
  category: 'constants',
  reason: 'A literal without a size has 32 bits or more, so that the parts beside it in a concatenation do not stand where they seem to.',
  verilator: ['WIDTHCONCAT'],
  flagged: `assign y = {a, 0};`,
  silent: `assign y = {a, 1'b0};`,
  check(module, report) {
    for (const { expression, scope } of [...module.expressions('concatenation'), ...module.expressions('replication')]) {
      const unsized = expression.parts.filter(isUnsized);
      if (unsized.length === 0) continue;
      const sized = expression.parts.filter((part) => !isUnsized(part));
      // Where an array is meant, its elements need no size.
      if (expression.kind === 'concatenation' && (sized.length === 0 || module.once(arrayValues).has(expression) || sized.some((part) => plainWidth(part, scope) === undefined))) continue;
      for (const part of unsized) {
        if (!part.span) continue;
        const text = module.textOf(part.span);
        const sizedText = /^[01]$/.test(text) ? `1'b${text}` : /^\d+$/.test(text) ? `${BigInt(text).toString(2).length}'d${text}` : "8'd5";
        const fixes = /^[01]$/.test(text) ? [{ title: `Write it as ${sizedText}`, changes: [{ span: part.span, text: sizedText }] }] : [];
        report(part.span, `${text} has no size, so that it takes 32 bits or more in this concatenation; write its size, as in ${sizedText}.`, { fixes });
      }
    }
  },
};

function isUnsized(part: Expression): boolean {
  return part.kind === 'number' && part.width === undefined;
}

/** Values of unpacked arrays: `{…}` lists their elements. */
function arrayValues(module: ModuleView): ReadonlySet<Expression> {
  const declared = module.items.flatMap(({ item }) => (item.kind === 'variable' && item.unpacked.length > 0 && item.initial ? [item.initial] : []));
  const isArray = ({ target, value }: { readonly target: Expression; readonly value: Expression }, scope: Scope): boolean => value.kind === 'concatenation' && plainWidth(target, scope) === undefined;
  const assigned = module.statements('assign').flatMap(({ statement, scope }) => (isArray(statement, scope) ? [statement.value] : []));
  const continuous = module.items.flatMap(({ item, scope }) => (item.kind === 'assign' && isArray(item, scope) ? [item.value] : []));
  return new Set([...declared, ...assigned, ...continuous]);
}

export const signedCompare: Rule = {
  id: 'signed-compare',
  level: 'warning',
  category: 'widths',
  reason: 'A comparison of a signed with an unsigned value is unsigned, so that negative numbers count as large ones.',
  flagged: `reg signed [7:0] a;
reg [7:0] b;
assign y = a < b;`,
  silent: `reg signed [7:0] a;
reg [7:0] b;
assign y = a < $signed({1'b0, b});
assign z = a < 5;`,
  check(module, report) {
    for (const { span, signed, other } of mixedSigns(module, ['<', '<=', '>', '>='])) {
      report(span, `${signed} is signed but ${other} is not, so that the comparison is unsigned and negative numbers count as large ones; make both signed.`);
    }
  },
};

export const signedArithmetic: Rule = {
  id: 'signed-arithmetic',
  level: 'hint',
  category: 'widths',
  reason: 'A product or quotient of a signed and an unsigned value is unsigned, so that negative numbers count as large ones.',
  flagged: `reg signed [7:0] a;
reg [7:0] b;
assign y = a * b;`,
  silent: `reg signed [7:0] a;
reg [7:0] b;
assign y = a * $signed({1'b0, b});
assign z = a * 5;`,
  check(module, report) {
    for (const { span, signed, other } of mixedSigns(module, ['*', '/', '%'])) {
      report(span, `${signed} is signed but ${other} is not, so that the result is unsigned and negative numbers count as large ones; make both signed.`);
    }
  },
};

/** Operations of one of the operators between a signed variable and something unsigned, with the texts of both. */
function* mixedSigns(module: ModuleView, operators: readonly string[]): Iterable<{ readonly span: Span | undefined; readonly signed: string; readonly other: string }> {
  for (const { expression, scope, isCertain } of module.expressions('binary')) {
    const { operator, left, right, span } = expression;
    if (!isCertain || !operators.includes(operator)) continue;
    const [a, b] = [sizeOf(left, scope), sizeOf(right, scope)];
    if (!a || !b || a.signed === b.signed) continue;
    const [signed, other] = a.signed ? [left, right] : [right, left];
    if (evaluate(signed, scope) || !isSignedName(signed, scope) || !signed.span || !other.span) continue;
    yield { span, signed: module.textOf(signed.span), other: module.textOf(other.span) };
  }
}

/** A variable that its declaration makes signed; integers are used as counters. */
function isSignedName(expression: Expression, scope: Scope): boolean {
  if (expression.kind !== 'name' || expression.scope !== undefined) return false;
  const binding = scope.variable(expression.name);
  return binding !== undefined && binding.type.kind !== 'atom' && binding.type.kind !== 'enum';
}
