import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { evaluate } from '../../../server/src/analysis/constant.ts';
import { toNumber } from '../../../server/src/analysis/operators.ts';
import { parseExpression } from '../../../server/src/analysis/expression.ts';
import { Scope } from '../../../server/src/analysis/scope.ts';

function check(text: string, expected: number | bigint | undefined, width?: number): void {
  const scope = new Scope(undefined);
  scope.setConstant('W', { bits: 8n, width: 32, signed: true });
  scope.setConstant('U4', { bits: 15n, width: 4, signed: false });
  const value = evaluate(parseExpression(text), scope);
  assert.equal(value && toNumber(value), expected === undefined ? undefined : BigInt(expected), text);
  if (width !== undefined) assert.equal(value?.width, width, text);
}

test('literals', () => {
  check('42', 42, 32);
  check("8'hFf", 255, 8);
  check("4'sd15", -1, 4);
  check("12'b1010_0101", 165, 12);
  check("4'd20", 4, 4);
  check("'hff", 255);
  check("'1", 1, 1);
  check("4'b1x0z", undefined);
  check('"AB"', 0x4142, 16);
  check(String.raw`"\r\n"`, 0x720a, 16);
  check(String.raw`"\x4A\101\q"`, 0x4a4171, 24);
  check('40_000_000_000', 40_000_000_000);
});

test('operators and their precedence', () => {
  check('1 + 2 * 3', 7);
  check('(1 + 2) * 3', 9);
  check('2 ** 3 ** 2', 64);
  check('-7 / 2', -3);
  check('-7 % 3', -1);
  check('1 << 2 + 1', 8);
  check('5 & 3 | 8', 9);
  check('1 ? 2 : 0 ? 3 : 4', 2);
  check('W > 4 && !(W == 7)', 1, 1);
  check('~0', -1);
  check("~4'b0101", 0b1010, 4);
  check("&4'hf", 1, 1);
  check("^4'b0111", 1, 1);
  check("~|4'b0", 1, 1);
  check('-8 >>> 1', -4);
  check('-8 >> 1', 0x7ffffffc);
  check('1 / 0', undefined);
});

test('sizes come from the context, as in assignments and comparisons', () => {
  check("4'd15 + 4'd1", 0, 4);
  check("4'd15 + 1", 16, 32);
  check("U4 + 4'd1 == 16", 1);
  check("8'shff == -1", 1);
  check("8'hff == -1", 0);
  check("4'sb1000 + 8'sd0", -8, 8);
  check("4'sb1000 + 8'd0", 8, 8);
});

test('concatenations, selects, casts and system functions', () => {
  check("{4'h1, 4'h2}", 0x12, 8);
  check("{2{4'ha}}", 0xaa, 8);
  check('W[3]', 1, 1);
  check('U4[2:1]', 3, 2);
  check('W[2 +: 2]', 2, 2);
  check("signed'(4'hf)", -1, 4);
  check("6'(W)", 8, 6);
  check("int'(4'hf)", 15, 32);
  check("byte'(255)", -1, 8);
  check('$signed(U4)', -1, 4);
  check('$bits(logic [W-1:0])', 8);
  check('$countones(U4)', 4);
  check('W inside {[1:9]}', 1);
  for (const [argument, result] of [[0, 0], [1, 0], [2, 1], [3, 2], [8, 3], [9, 4], [1024, 10]]) check(`$clog2(${argument})`, result);
});

test('unknown names and unknown calls are not constant', () => {
  check('MISSING + 1', undefined);
  check('$random', undefined);
  check('1 || MISSING', 1);
  check('1 ? 3 : MISSING', undefined);
});

test('law: 32-bit signed arithmetic equals that of JavaScript', () => {
  const number = fc.integer();
  fc.assert(
    fc.property(number, number, fc.constantFrom('+', '-', '*', '&', '|', '^'), (a, b, operator) => {
      const expected = { '+': (a + b) | 0, '-': (a - b) | 0, '*': Math.imul(a, b), '&': a & b, '|': a | b, '^': a ^ b }[operator];
      const scope = new Scope(undefined);
      scope.setConstant('a', { bits: BigInt.asUintN(32, BigInt(a)), width: 32, signed: true });
      scope.setConstant('b', { bits: BigInt.asUintN(32, BigInt(b)), width: 32, signed: true });
      const value = evaluate(parseExpression(`a ${operator} b`), scope);
      assert.equal(value && toNumber(value), BigInt(expected));
    }),
  );
});

test('law: the parser of expressions ends on any text', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.constantFrom('(', ')', '{', '}', '[', ']', "'{", '?', ':', ',', '+', 'a', '1', "'", '.', '::', '$')), (text, pieces) => {
      parseExpression(text);
      parseExpression(pieces.join(' '));
    }),
  );
});
