import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSyntax } from '../../../server/src/syntax/checker.ts';
import type { SyntaxDiagnostic } from '../../../server/src/syntax/diagnostics.ts';
import { Parser } from '../../../server/src/syntax/parser.ts';
import { preprocess } from '../../../server/src/syntax/preprocess.ts';

const parser = await Parser.create();

function syntaxDiagnostics(text: string): readonly SyntaxDiagnostic[] {
  const checked = checkSyntax(parser, text);
  assert(checked);
  return checked.diagnostics;
}

/** The fixture holds the flagged text between « and »; expects exactly this one message, or none without a mark. */
function check(fixture: string, message?: RegExp, defines: Record<string, string> = {}): void {
  const start = fixture.indexOf('«');
  const end = fixture.indexOf('»') - 1;
  const text = fixture.replace(/[«»]/g, '');
  const { text: source, map } = preprocess('/t.sv', text, { defines });
  const found = syntaxDiagnostics(source).map((diagnostic) => ({ ...map.locateSpan(diagnostic.span).span, message: diagnostic.message }));
  if (!message) {
    assert.deepEqual(found, []);
    return;
  }
  assert.equal(found.length, 1, JSON.stringify(found));
  assert.match(found[0]?.message ?? '', message);
  assert.deepEqual([found[0]?.start, found[0]?.end], [start, end], text.slice(found[0]?.start, found[0]?.end));
}

const inModule = (body: string): string => `module m(input clk, input rst_n, input [3:0] a, b, output reg [3:0] q, output [3:0] y);\n${body}\nendmodule\n`;

test('valid text has no diagnostics', () => {
  check(inModule('  assign y = a;\n  always @(posedge clk or negedge rst_n)\n    if (!rst_n) q <= 0;\n    else q <= #1 a;'));
  check('`timescale 1ns/1ps\nmodule m; endmodule\n');
  check('module m(a, .x(t)); input a; output t; endmodule\n');
});

test('a missing semicolon is reported behind the statement that lacks it', () => {
  check(inModule('  assign y = a & «b»\n  wire t;'), /Missing ';' after this assignment/);
  check(inModule("  always @(posedge clk) begin\n    q <= «4'd0»\n  end"), /Missing ';' after this assignment/);
  check(inModule('  always @(posedge clk) begin\n    q <= «a»\n    q <= b;\n  end'), /Missing ';' after this assignment/);
  check(inModule('  wire [3:0] «t»\n  assign y = t;'), /Missing ';' after this declaration/);
  check(inModule('  sub u0 (.a(a), .b(b)«)»\n  assign y = a;'), /Missing ';' after this instance/);
  check('module m(input a, output y«)»\n  assign y = a;\nendmodule\n', /Missing ';' after this module header/);
  check('module m(input a, output y«)»\n  wire t;\n  assign y = a;\nendmodule\n', /Missing ';' after this module header/);
});

test('an unclosed block is reported at its beginning, told by indentation', () => {
  check(inModule('  always @(posedge clk) «begin»\n    if (a) begin\n      q <= b;\n    end\n  sub u0 (.a(a));'), /'begin' without 'end'/);
  check(inModule('  always @(posedge clk) begin\n    if (a) «begin»\n      q <= b;\n    else if (b) begin\n      q <= a;\n    end\n  end'), /'begin' without 'end'/);
  check(inModule('  always @(posedge clk) begin\n    «case» (a)\n      0: q <= b;\n  end'), /'case' without 'endcase'/);
  check('«module» m(input a);\n  wire t;\n\nmodule n;\nendmodule\n', /'module' without 'endmodule'/);
  check('module m(input a);\nendmodule\n«module» n;\n  wire t;\n', /'module' without 'endmodule'/);
});

test('a unit that ends in the word of another kind is told once', () => {
  check('program p ();\n«endmodule»\nmodule n; endmodule\n', /'endmodule' does not end this 'program'; write 'endprogram'/);
  check('interface i;\n  logic a;\n«endmodule»\n', /does not end this 'interface'/);
  check('module m;\n  «program» p;\nendmodule\n', /'program' without 'endprogram'/);
});

test('a missing begin is reported at the statement that wants it', () => {
  check(inModule('  «always» @(posedge clk)\n    q <= b;\n    q <= a;\n  end'), /Missing 'begin' for this 'always'/);
  check(inModule('  always @(posedge clk) begin\n    «if» (a)\n      q <= b;\n    end else begin\n      q <= a;\n    end\n  end'), /Missing 'begin' for this 'if'/);
});

test('mistyped keywords name the keyword', () => {
  check(inModule('  «alway» @(posedge clk) begin\n    q <= a;\n  end'), /did you mean 'always'/);
  check('module m(input a);\n  wire t;\n«endmodul»\n', /did you mean 'endmodule'/);
  check(inModule('  always @(posedge clk) «begni»\n    q <= a;\n  end'), /did you mean 'begin'/);
  check(inModule('  always @(posedge clk)\n    if (a) q <= a;\n    «elseif» (b) q <= b;'), /write 'else if'/);
});

test('brackets and commas', () => {
  check(inModule('  always @(posedge clk) begin\n    if (!«rst_n» begin\n      q <= a;\n    end\n  end'), /Missing '\)'/);
  check(inModule('  always @(posedge clk)\n    if (a)«)» q <= a;'), /closes nothing/);
  check(inModule('  wire [3:«0» t;\n  assign y = t;'), /Missing '\]'/);
  check('module m(\n  input «a»\n  input b\n);\nendmodule\n', /Missing ','/);
  check(inModule('  sub u0 (.a(a«)» .b(b));'), /Missing ','/);
  check('module m(input a«,»);\nendmodule\n', /one too many/);
  check(inModule('  assign y = a «^»;'), /Missing an operand/);
});

test('block names are not taken for unfinished statements', () => {
  check(inModule('  always @(posedge clk) begin : blk\n    if (a) begin : inner\n      q <= b;\n    end : inner\n  end : blk\n  assign y = «a»\n  assign q = b;'), /Missing ';'/);
});

test('numbers have the digits of their base', () => {
  check(inModule("  assign y = a + «8'b012»;"), /no binary number/);
  check(inModule("  assign y = «4'hG»;"), /no hexadecimal number/);
  check(inModule("  assign y = «4'o8» | a;"), /no octal number/);
  check(inModule("  assign y = «4'd»;"), /Digits are missing after this decimal base/);
  check(inModule("  assign y = a«'b0»;"), /size of a number is written in digits.*a'\(…\)/);
  for (const [written, meant] of [['0xff', "'hff"], ['4af', "'h4af"], ['8b1010', "8'b1010"], ['0b11', "'b11"], ['8hF0', "8'hF0"], ['8d255', "8'd255"]] as const) {
    const digits = /^\d+/.exec(written)?.[0] ?? '';
    check(inModule(`  assign y = «${digits}»${written.slice(digits.length)};`), new RegExp(`apostrophe; write ${meant}\\.$`));
  }
  check(inModule("  assign y = a == 4'b1?4'hF:4'b??11;\n  wire t = 1'b1? a : b;\n  wire u = 1'b0?1'b1:1'bx;"));
});

test('a list of ports that one tool alone fills in is told in its words', () => {
  check('module m («.»..);\n  input a;\nendmodule\n', /Only Yosys reads '\.\.\.'/);
});

test('an assignment has its operator', () => {
  check(inModule('  assign «y» a & b;'), /Missing '=' after this/);
  check(inModule('  assign «y» (a);'), /Missing '=' after this/);
  check(inModule('  assign {y[0], y[1]} = a, y[2] «==» b;'), /'==' compares/);
  check(inModule('  assign y «<=» a;'), /'assign' takes '='/);
  check(inModule('  assign «final» = a;'), /reserved word/);
  check(inModule('  always @(posedge clk) begin\n    q[0] «==» a;\n  end'), /'==' compares/);
  check(inModule('  always @(posedge clk) begin\n    q <= a«,»\n    q <= b;\n  end'), /A ';' belongs here/);
});

test('neighbours that no valid text has', () => {
  check('module m(input a, output «output» b);\nendmodule\n', /stands here twice/);
  check(inModule('  wire «wire» t;'), /stands here twice/);
  check('module m(input a, wire «input» b);\nendmodule\n', /belongs before 'wire'/);
  check('module m(input a «output» b);\nendmodule\n', /missing/);
  check(inModule('  parameter int W «16»;'), /not expected/);
  check(inModule('  parameter «int» = 16;'), /A name is missing after 'int'/);
  check(inModule('  sub u (.a(a),\n    «.»\n  assign y = a;'), /A name is missing after this '\.'/);
  check(inModule('  logic [3:0] t «u»;'), /a ',' or ';' is missing/);
  check(inModule('  wire [3«-:»0] t;'), /written with ':'/);
  check(inModule('  wire [3 «-» :0] t;'), /Missing an operand/);
  check(inModule('  wire [«:»0] t;'), /Missing an operand/);
  check(inModule('  assign y = {«,» a};'), /Missing an operand/);
  check(inModule("  assign y = «'(»a);"), /type or width/);
  check(inModule('  always @(posedge clk «negedge» rst_n) q <= a;'), /'or' or ','/);
  check(inModule('  always @(posedge clk «or») q <= a;'), /An event is missing/);
  check(inModule('  always @«(») q <= a;'), /An event is missing/);
  check(inModule('  always @* if «(») q = a;'), /A condition is missing/);
  check(inModule('  always @* begin\n    «q» q + a;\n  end'), /An operator such as '='/);
  check(inModule('  sub u («.»(a));'), /A name is missing/);
});

test('members of enumerations and structures', () => {
  check(inModule('  typedef enum {A, «,» B} t;'), /a member/);
  check(inModule('  typedef enum {A = 1, «B»; t;'), /Missing '}'/);
  check(inModule('  typedef struct packed {\n    logic «a»\n    logic b;\n  } t;'), /Missing ';'/);
  check(inModule('  typedef struct packed {\n    logic a«;»\n  always @(posedge clk) q <= a;'), /Missing '}'/);
  check(inModule('  typedef enum logic [1:0] {A[3], B = 1 + 2, C = {1\'b0, 1\'b1}} t;\n  typedef struct {int a, b [2]; enum {X, Y} c; union packed {logic d; logic e;} f;} u;'));
});

test('items, statements and labels that lack a word', () => {
  check(inModule('  «y» = a & b;'), /needs 'assign' before it/);
  check('«module» (input a);\nendmodule\n', /A name is missing/);
  check(inModule('  assign «=» a;'), /A net is missing/);
  check(inModule('  always @*\n    case (a)\n      «:» q = a;\n      default: q = b;\n    endcase'), /A label is missing/);
  check(inModule('  always @*\n    case (a)\n      0: q = a; «;»\n      default: q = b;\n    endcase'), /one too many/);
  check(inModule('  always @* begin\n    «=» a;\n  end'), /not expected/);
  check(inModule('  sub u (.a(a)«,» , .b(b));'), /one too many/);
  check(inModule('  always @* if (a «=» b) q = a;'), /'=' assigns/);
});

test('two mistakes are two diagnostics', () => {
  const text = inModule('  assign y = a\n  always @(posedge clk)\n    q <= a;\n  wire t\n  wire u;');
  assert.equal(syntaxDiagnostics(text).length, 2);
});

test('nothing is said at an unknown macro, and a mistake elsewhere is still found at its own place', () => {
  check(inModule('  `REGISTER(q, a)\n  `ALWAYS_CLK q <= a;'));
  check(inModule('  `ASSERT(name, a |-> b)\n\n\n\n  assign y = «a»\n  wire t;'), /Missing ';'/);
});

test('optional parts under conditionals are clean in every polarity', () => {
  const ports = 'module m(\n  input a\n`ifdef DEBUG\n  , output dbg\n`endif\n  , output y\n);\nendmodule\n';
  const headers = '`ifndef P\nmodule m(input a);\n`else\nmodule m #(parameter W = 1)(input [W-1:0] a);\n`endif\n  wire t;\nendmodule\n';
  const list = inModule('  assign y = {a[0],\n`ifdef X\n    b[0],\n`endif\n    a[1]};');
  for (const text of [ports, headers, list]) {
    check(text);
    check(text, undefined, { DEBUG: '1', P: '1', X: '1' });
  }
});

test('macros that supply a delay or a header are expanded', () => {
  check(`\`define D #1\n\`define CLOCKED(c) always @(posedge c)\n${inModule('  `CLOCKED(clk) q <= `D a;')}`);
});

test('no text makes the diagnostics throw', () => {
  for (const text of ['', ';', 'end', ')', 'module', 'begin begin', "4'", '`', '"', '/*', 'endmodule endmodule', '«'.repeat(3)]) {
    syntaxDiagnostics(text);
  }
});

test('fences of Markdown and stray backticks are told', () => {
  check('«```verilog»\nmodule m(input a); endmodule\n', /This line is Markdown/);
  check(inModule('  assign y = a «`» b;'), /'`' is not expected here/);
  check('// ```\nmodule m(input a); initial $display("```"); endmodule\n');
});
