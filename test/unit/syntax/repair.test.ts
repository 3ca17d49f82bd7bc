import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSyntax } from '../../../server/src/syntax/checker.ts';
import { Parser } from '../../../server/src/syntax/parser.ts';
import { repairableMistake } from '../../../server/src/syntax/repair.ts';

const parser = await Parser.create();

/** The mistake stands between « and »; it is the only one that is told. */
function check(fixture: string, message: string): void {
  const text = fixture.replace(/[«»]/g, '');
  const found = checkSyntax(parser, text)?.diagnostics.map(({ span, message: told }) => ({ at: `«${text.slice(span.start, span.end)}»`, start: span.start, told }));
  const start = fixture.indexOf('«');
  assert.deepEqual(found, [{ at: fixture.slice(start, fixture.indexOf('»') + 1), start, told: message }], text);
}

const inClass = (body: string): string => `class pkt;\n  rand bit [3:0] x, y;\n  ${body}\nendclass\n`;
const inModule = (body: string): string => `module m (input clk, a, b, output q);\n  ${body}\nendmodule\n`;

test('a word that is missing is named where it is missing, also in what only verification uses', () => {
  check(inClass('function void f«(»;\n  endfunction'), "Missing ')' after this.");
  check(inClass('rand int «z»\n  function void f();\n  endfunction'), "Missing ';' after this.");
  check(inClass('constraint c { x < «5» y > 3; }'), "Missing ';' after this.");
  check(inClass('constraint «c» x < 5; }'), "Missing '{' after this.");
  check(inModule('specify (a => «b» = 1; endspecify'), "Missing ')' after this.");
  check(inModule('specify (a => b) = «1» (b => q) = 2; endspecify'), "Missing ';' after this.");
  check(inModule('property p; @(posedge clk) a ##[1:«3» b; endproperty'), "Missing ']' after this.");
  check(inModule('property p; @(posedge clk) a «|->» ; endproperty'), "Missing an operand after '|->'.");
  check(inModule('covergroup cg @(posedge clk); coverpoint a { bins x = {1«}» } endgroup'), "Missing ';' after this.");
  check(inModule('covergroup cg @(posedge clk); coverpoint a { bins x = 2«}»; } endgroup'), "'}' is not expected here.");
  check(inModule('clocking cb @(posedge clk«)» input a; endclocking'), "Missing ';' after this.");
});

test('a mistake in a table of a primitive or in productions is told', () => {
  check('primitive p(y, a, b);\n  output y;\n  input a, b;\n  table\n    0 ? : «0»\n    1 ? : 1;\n  endtable\nendprimitive\n', "Missing ';' after this.");
  check(inModule('initial randsequence (main)\n    main : one «two»\n    one : { a = 1; };\n    two : { b = 1; };\n  endsequence'), "Missing ';' after this.");
  check(inModule('initial randsequence (main)\n    main : one;\n    one : { a = «1» };\n  endsequence'), "Missing ';' after this.");
  check('«primitive» p(y, a);\n  output y;\n  input a;\n  table\n    0 : 1;\n  endtable\nmodule m;\nendmodule\n', "'primitive' without 'endprimitive'; add it where the block ends.");
});

test('a block of a class or a checker that is not closed is told at its beginning', () => {
  check(inClass('«function» void f();\n    x = 1;'), "'function' without 'endfunction'; add it where the block ends.");
  check(inModule('«sequence» s; a ##1 b;\n  wire t;'), "'sequence' without 'endsequence'; add it where the block ends.");
  check('module m;\n  «class» pkt;\n    int x;\nendmodule\n', "'class' without 'endclass'; add it where the block ends.");
});

test('a word too many and two in the wrong order are told', () => {
  check(inModule('wire [1:«@» 0] w;'), "'@' is not expected here.");
  check(inModule('covergroup cg; coverpoint a { low «bins» = {1}; } endgroup'), "'bins' belongs before 'low'.");
});

test('what the change of one word mends is one mistake, whatever follows from it', () => {
  check('module m «#»\n    parameter A = 1,\n    parameter B = 2,\n    parameter C = 3\n) (input a);\nendmodule\n', "Missing '(' after this.");
  check('module m (\n    input «)» a,\n    input b,\n    output c\n);\n  wire d;\nendmodule\n', "')' is not expected here.");
});

test('nothing is told where more than a word is wrong, or nothing', () => {
  const told = (text: string): string | undefined => {
    using tree = parser.parse(text);
    return tree && repairableMistake(parser, tree)?.message;
  };
  assert.equal(told(inModule('property p; @(posedge clk) a |-> ##[1: ) b ( ; endproperty')), undefined);
  assert.equal(told(inModule('wire w;')), undefined);
});
