import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hover } from '../../../../server/src/features/names/hover.ts';
import { fixture } from './fixture.ts';
import type { FixtureOptions } from './fixture.ts';

/** The hover at `$0` without its code fences, paragraphs joined by ` | `. */
function check(text: string, expected: string | undefined, options?: FixtureOptions): void {
  const { snapshot, file, offset } = fixture(text, options);
  const found = hover(snapshot, file, offset)?.text;
  assert.equal(found?.replace(/```(?:systemverilog)?\n?/g, '').trim().replace(/\n{2,}/g, ' | ').replace(/\n\s*/g, ' '), expected);
}

describe('a hover', () => {
  it('tells type, width and comment', () => {
    check('module m #(parameter W = 8);\n// The sum.\n// Of all.\nlogic signed [W-1:0] sum$0;\nendmodule', 'logic signed [W-1:0] sum | 8 bits [7:0], signed | The sum. Of all.');
    check('module m;\nwire a$0; // a switch\nendmodule', 'wire a | 1 bit | a switch');
    check('module m;\ntypedef struct packed { logic [3:0] a; logic b; } s_t;\n/** Pairs. */\ns_t [1:0] x;\nassign y = x$0;\nendmodule', 's_t [1:0] x typedef struct packed { logic [3:0] a; logic b; } s_t | 10 bits | Pairs.');
  });

  it('tells how many elements an array has, and the bits of each', () => {
    check('module m #(parameter D = 4)(input c); logic signed [D-1:0] mem$0 [0:15]; endmodule', 'logic signed [D-1:0] mem [0:15] | 4 bits [3:0], signed each, 16 elements');
  });

  it('takes no comment for that of a port which is about its module', () => {
    check('// Adds one.\nmodule m(input a$0, output b); endmodule', 'input a | 1 bit · module `m`');
    check('// Adds one.\nmodule m(input a$0, // the sum\n  output b); endmodule', 'input a | 1 bit · module `m` | the sum');
  });

  it('tells the comment of a macro', () => {
    check('`define W 12 // width of addresses\nmodule m; wire [`W$0-1:0] a; endmodule', '`define W 12 | width of addresses');
    check('// Both.\n`define P(a) a + \\\n  1\nmodule m; int a = `P$0(2); endmodule', '`define P(a) a +  1 | expands here to | 2 +  1 | Both.');
  });

  it('tells the structure or enumeration behind a name for its type', () => {
    check('package p; typedef enum logic {A, B} e_t; typedef e_t f_t; endpackage module m import p::*; (input f_t x$0); endmodule', 'input f_t x typedef enum logic {A, B} e_t | 1 bit · module `m`');
    check('module m; typedef logic [3:0] n_t; n_t x$0; endmodule', 'n_t x | 4 bits');
    check('class c; int a; endclass module m; c x$0; endmodule', 'c x');
  });

  it('tells the value of a parameter', () => {
    check('module m #(parameter D = 12, W = $clog2(D$0)); endmodule', 'parameter D = 12 | module `m`');
    check('module m #(parameter D = 12, parameter W$0 = $clog2(D)); endmodule', 'parameter W = $clog2(D) | = 4 · module `m`');
    check("package p; localparam [15:0] A = 'hbeef; endpackage module m; wire x = p::A$0; endmodule", "localparam [15:0] A = 'hbeef | = 48879 (16'hbeef) · package `p`");
    check('module m; typedef enum logic [1:0] {A, B, C} t; wire x = C$0; endmodule', "C | = 2 (2'h2) · module `m`");
  });

  it('tells what a constant function makes of its arguments, from wherever it comes', () => {
    const p = 'package p; function automatic int twice(int n); for (int i = 0; i < 2; i++) twice += n; endfunction localparam int K = twice(3); endpackage';
    check(`${p} module m; int k = p::K$0; endmodule`, 'localparam int K = twice(3) | = 6 · package `p`');
    check(`//- p.sv\n${p}\n//- m.sv\nmodule m; import p::*; logic [twice(K) - 1:0] w$0; endmodule`, 'logic [twice(K) - 1:0] w | 12 bits [11:0]');
    check('module m; localparam L$0 = depth(9); function integer depth(input integer n); begin depth = 0; while (n > 0) begin n = n >> 1; depth = depth + 1; end end endfunction endmodule', 'localparam L = depth(9) | = 4 · module `m`');
  });

  it('tells the width that parts of parameters make', () => {
    check("module m; parameter P = 8'hA5; wire [P[7:4]-1:0] w$0; endmodule", 'wire [P[7:4]-1:0] w | 10 bits [9:0]');
  });

  it('tells what a number of another base is', () => {
    check("module m; wire [7:0] x = 8'h$02A; endmodule", "= 42 (8'h2a, 8'b101010)");
    check("module m; wire signed [3:0] x = 4'sb11$001; endmodule", "= -3 (4'hd, 4'b1101)");
    check("module m; wire [7:0] x = 4$02; // 8'h2A\nendmodule", undefined);
    check("module m; // 8'h$02A\nendmodule", undefined);
    check("module m; wire x = 4'bx$0; endmodule", undefined);
  });

  it('gives no number for a text', () => {
    check('module m #(parameter FILE$0 = "init.hex"); endmodule', 'parameter FILE = "init.hex" | module `m`');
    check('module sub #(parameter FILE = ""); endmodule module top; sub #(.FILE$0("a.hex")) u(); endmodule', 'parameter FILE = "" | module `sub`');
  });

  it('writes an escaped name as it has to be written', () => {
    check('module m; wire \\a+b ; assign \\a+b$0 = 1; endmodule', 'wire \\a+b | 1 bit');
  });

  it('tells direction and width of a port as its instance has it', () => {
    check('module sub #(parameter W = 8)(input [W-1:0] a); endmodule module top; sub #(.W(4)) u(.a$0(x)); endmodule', 'input [W-1:0] a | 4 bits [3:0] · module `sub`');
    check('module sub #(parameter W = 8)(input [W-1:0] a); endmodule module top; localparam N = 2; sub #(.W$0(N * 8)) u(.a(x)); endmodule', 'parameter W = 8 | module `sub` · here 16');
  });

  it('tells the width that a type makes which the instance gives', () => {
    check('module f #(parameter D = 2, parameter type T = logic [7:0])(input T d); endmodule module m; f #(.T(logic [31:0])) u(.d$0(x)); endmodule', 'input T d | 32 bits · module `f`');
    check('module f #(parameter type T = logic)(input T d); endmodule module m; typedef logic [2:0] n_t; f #(n_t) u(.d$0(x)); endmodule', 'input T d | 3 bits · module `f`');
  });

  it('knows each of the names that one entry of an enumeration stands for', () => {
    check('module m; typedef enum logic [2:0] {A = 2, B[2], C[3:2]} t; initial $display(B1$0); endmodule', "B1 | = 4 (3'h4) · module `m`");
    check('module m; typedef enum logic [2:0] {A = 2, B[2], C[3:2]} t; initial $display(C2$0); endmodule', "C2 | = 6 (3'h6) · module `m`");
  });

  it('shows the header of a module', () => {
    check('// Adds.\nmodule add #(parameter W = 8, localparam X = 1)(input [W-1:0] a, output reg q); endmodule module top; ad$0d u(); endmodule', 'module add #( parameter W = 8 ) ( input [W-1:0] a, output reg q ); | Adds.');
  });

  it('shows a macro and what it becomes', () => {
    check('`define MAX(a, b) ((a) > (b) ? (a) : (b))\nmodule m; wire x = `MA$0X(1, 2); endmodule', '`define MAX(a, b) ((a) > (b) ? (a) : (b)) | expands here to | ((1) > (2) ? (1) : (2))');
    check('module m; wire x = `A$0; endmodule', '`define A 3 | defined by a setting or a file list', { defines: { A: '3' } });
  });

  it('shows a macro that another file defines', () => {
    check('//- defs.vh\n`define W 8 // bits\n//- m.v\nmodule m(input [`W$0-1:0] a); endmodule', '`define W 8 | bits');
  });

  it('shows a subroutine with its arguments', () => {
    check('module m; function automatic [3:0] f(input [3:0] a, b); return a; endfunction wire x = f$0(1, 2); endmodule', 'function [3:0] f(input [3:0] a, input [3:0] b) | 4 bits · module `m`');
  });

  it('is silent where nothing is known', () => {
    check('module m; assign x = nothing$0; endmodule', undefined);
  });
});
