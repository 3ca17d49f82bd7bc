import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Parser } from '../../../../server/src/syntax/parser.ts';
import { changesOf } from '../../../../server/src/verification/fix/changes.ts';
import { numbersNear } from '../../../../server/src/verification/fix/numbers.ts';

const parser = await Parser.create();

/** What may stand in the place of the code between « and », each as the changed code. */
function check(item: string, expected: readonly string[], ports = 'input clk, rst, a, b, input [3:0] n, output y'): void {
  const marked = `module m(${ports}); ${item} endmodule`;
  const [start, end] = [marked.indexOf('«'), marked.indexOf('»') - 1];
  const text = marked.replace(/[«»]/g, '');
  using tree = parser.parse(text);
  assert.ok(tree);
  const inside = changesOf(tree.rootNode, text).filter(({ span }) => span.start >= start && span.end <= end);
  const becomes = inside.map(({ span, text: other }) => text.slice(start, span.start) + other + text.slice(span.end, end));
  assert.deepEqual(becomes.filter((code) => expected.includes(code)).sort(), [...expected].sort(), `of ${JSON.stringify(becomes)}`);
}

/** All that may stand there. */
function checkAll(item: string, expected: readonly string[], ports?: string): void {
  check(item, expected, ports);
  const marked = `module m(${ports ?? 'input clk, rst, a, b, input [3:0] n, output y'}); ${item} endmodule`;
  const text = marked.replace(/[«»]/g, '');
  using tree = parser.parse(text);
  assert.ok(tree);
  const [start, end] = [marked.indexOf('«'), marked.indexOf('»') - 1];
  assert.equal(changesOf(tree.rootNode, text).filter(({ span }) => span.start >= start && span.end <= end).length, expected.length);
}

test('operators that are written for each other, operands too many or in the wrong order', () => {
  check('assign y = «n < 4»;', ['n <= 4', 'n > 4', 'n >= 4', 'n', '4']);
  check('assign y = «a & b»;', ['a | b', 'a ^ b', 'a', 'b']);
  check('assign y = «n - 1»;', ['n + 1', '1 - n', 'n - 0', 'n - 2']);
  check('assign y = «n >>> 1»;', ['n >> 1', 'n <<< 1']);
  check('assign y = ^«n»;', ['~n']);
  check('assign y = «^n»;', ['~^n', '|n', '&n']);
});

test('a sign that is missing or too much', () => {
  check('assign y = «~a»;', ['a']);
  check('assign y = «a && !b»;', ['a && b', '~(a && !b)', '~a && !b']);
  check('always @(posedge clk) if («rst») y <= 0; else y <= a;', ['!(rst)']);
  check('always @(posedge clk) if («!rst») y <= 0; else y <= a;', ['rst']);
});

test('edges, resets in the event list, and the kind of an assignment', () => {
  check('always @(«posedge clk») y <= a;', ['negedge clk']);
  check('always @(«posedge clk») if (!rst) y <= 0; else y <= a;', ['posedge clk or negedge rst']);
  check('always @(«posedge clk or posedge rst») if (rst) y <= 0; else y <= a;', ['posedge clk', 'negedge clk or posedge rst', 'posedge clk or negedge rst']);
  check('always @(posedge clk) begin «y <= a»; end', ['y = a', 'y <= b', 'y <= ~a']);
  check('always @* begin «y = a»; end', ['y <= a']);
});

test('arms, places in a concatenation, windows and names of the same type', () => {
  check('assign y = «a ? b : rst»;', ['a ? rst : b']);
  check('assign {y} = «{a, b}»;', ['{b, a}']);
  check('assign y = «n[2:1]»;', ['n[1:0]', 'n[3:2]']);
  check('reg [3:0] k; reg [4:0] w; assign y = «n»[0];', ['k']);
  checkAll('assign y = «n»[0];', [], 'input [3:0] n, input [2:0] k, output y');
});

test('the interface stays as it is', () => {
  checkAll('assign y = a;', [], 'input clk, «input [3:0] a», output y');
  check('reg «[3:0]» k;', ['[2:0]', '[4:0]']);
});

test('numbers near a number, in its notation', () => {
  assert.deepEqual(numbersNear('0'), ['1']);
  assert.deepEqual(numbersNear('12'), ['11', '13']);
  assert.deepEqual(numbersNear("1'b0"), ["1'b1"]);
  assert.deepEqual(numbersNear("2'b11"), ["2'b00", "2'b10", "2'b01"]);
  assert.deepEqual(numbersNear("16'h0FFF"), ["16'h1000", "16'h0ffe"]);
  assert.deepEqual(numbersNear("'d9"), ["'d10", "'d8"]);
  for (const unread of ["4'b1x0z", "1.5", "'0", "3'sd9z", "4'b12"]) assert.deepEqual(numbersNear(unread), [], unread);
});
