import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSyntax } from '../../../server/src/syntax/checker.ts';
import { Parser } from '../../../server/src/syntax/parser.ts';

const parser = await Parser.create();

/** What people leave unfinished while they type, in a module that is whole around it. */
const ITEMS = [
  'assign', 'assign z', 'assign z =', 'assign z = a &', 'assign z = (a', 'assign z = b[', 'assign z = {a,', 'assign z = a ?', 'assign z = a ? b', 'always', 'always @', 'always @(',
  'always @(*)', 'always @(posedge clk', 'always @(posedge clk) y', 'always @(posedge clk) y <=', 'always @(posedge clk) begin', 'initial', 'initial begin', 'wire', 'wire [', 'wire [3:0]',
  'wire [3:0] q,', 'reg q =', 'parameter', 'localparam P', 'localparam P =', 'sub', 'sub u', 'sub u (', 'sub u (.', 'sub u (.a', 'sub u (.a(', 'sub u (.a(a),', 'sub #(', 'sub #(.P(3)) u',
  'genvar', 'generate', 'if', 'if (a)', 'if (a) begin', 'function', 'function [3:0] f', 'task t', 'typedef', 'typedef enum', 'import', 'always_comb y =', 'y', 'y <=',
];
const STATEMENTS = [
  'y', 'y <=', 'y <= b +', 'if', 'if (', 'if (a)', 'if (a) y <= 1; else', 'case', 'case (a)', 'case (a)\n1:\nendcase', 'case (a)\n1: y\nendcase', 'for', 'for (', 'for (i = 0;', 'while (', 'repeat', 'begin', '@(', '#', 'forever', '$display(',
];

function check(body: string): void {
  const before = 'module m (input a, clk, input [3:0] b, output reg [3:0] y, output z);\n  wire w = a;\n  ';
  const found = checkSyntax(parser, `${before}${body}\nendmodule\n`)?.diagnostics ?? [];
  assert.equal(found.length, 1, `${body}: ${found.map(({ message }) => message).join(' ')}`);
  const place = (found[0]?.span.start ?? -1) - before.length;
  assert.ok(place >= 0 && place <= body.length + 1, `${body}: the mistake is told at ${place}`);
}

test('an unfinished item is one mistake, and it is told there', () => {
  for (const item of ITEMS) check(item);
});

test('an unfinished statement is one mistake, and it is told there', () => {
  for (const statement of STATEMENTS) check(`always @(posedge clk) begin\n    ${statement}\n  end`);
});
