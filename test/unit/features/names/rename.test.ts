import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits } from '../../../../server/src/features/names/edits.ts';
import { rename } from '../../../../server/src/features/names/rename.ts';
import { fixture } from './fixture.ts';
import type { FixtureOptions } from './fixture.ts';

/** Renames what stands at `$0` to `n`; `expected` is the whole workspace afterwards, without its cursor. */
function check(before: string, expected: string, options?: FixtureOptions): void {
  const { snapshot, files, file, offset } = fixture(before, options);
  const result = rename(snapshot, file, offset, 'n');
  if (result.kind === 'refused') assert.fail(result.reason);
  const after = new Map([...files, ...applyEdits((path) => files.get(path) ?? '', result.edits)]);
  assert.deepEqual([...after], [...fixture(expected).files]);
}

function refused(before: string, reason: RegExp, newName = 'n', options?: FixtureOptions): void {
  const { snapshot, file, offset } = fixture(before, options);
  const result = rename(snapshot, file, offset, newName);
  if (result.kind === 'edits') assert.fail(JSON.stringify(result.edits));
  assert.match(result.reason, reason);
}

describe('a rename', () => {
  it('follows a net through its module, and no other', () => {
    check(
      'module m(input a, output y); wire x$0; assign x = a, y = x; endmodule module k; wire x; endmodule',
      'module m(input a, output y); wire n; assign n = a, y = n; endmodule module k; wire x; endmodule',
    );
  });

  it('is refused for one of the names that an entry of an enumeration stands for', () => {
    refused('module m; typedef enum {A, B[2]} t; t x = B1$0; endmodule', /one of several names/);
  });

  it('does not mix a generate loop and its module', () => {
    check(
      'module m; wire s; for (genvar i = 0; i < 2; i++) begin : g wire s$0; assign s = i; end assign x = g[0].s & s; endmodule',
      'module m; wire s; for (genvar i = 0; i < 2; i++) begin : g wire n; assign n = i; end assign x = g[0].n & s; endmodule',
    );
    check(
      'module m; wire s$0; for (genvar i = 0; i < 2; i++) begin : g wire s; assign s = i; end assign x = g[0].s & s; endmodule',
      'module m; wire n; for (genvar i = 0; i < 2; i++) begin : g wire s; assign s = i; end assign x = g[0].s & n; endmodule',
    );
  });

  it('takes all branches that one path may mean', () => {
    check(
      'module m; if (1) begin : g wire s$0; end else begin : g wire s; end assign x = g.s; endmodule',
      'module m; if (1) begin : g wire n; end else begin : g wire n; end assign x = g.n; endmodule',
    );
  });

  it('of a port reaches its connections in other files', () => {
    check(
      `//- a.v
      module a(input clk$0, output q); assign q = clk; endmodule
      //- b.v
      module b(input clk); a u(.clk(clk)), v(clk, w); wire w = u.clk; endmodule`,
      `//- a.v
      module a(input n, output q); assign q = n; endmodule
      //- b.v
      module b(input clk); a u(.n(clk)), v(clk, w); wire w = u.n; endmodule`,
    );
  });

  it('of a non-ANSI port takes header, direction and type', () => {
    check('module m(a, q); input a; output q; reg q$0; always @(a) q = a; endmodule', 'module m(a, n); input a; output n; reg n; always @(a) n = a; endmodule');
  });

  it('writes a shorthand connection out on the side that keeps its name', () => {
    const sub = 'module sub(input clk); endmodule';
    check(`module top(input clk$0); sub u(.clk); endmodule ${sub}`, `module top(input n); sub u(.clk(n)); endmodule ${sub}`);
    check('module top(input clk); sub u(.clk); endmodule module sub(input clk$0); endmodule', 'module top(input clk); sub u(.n(clk)); endmodule module sub(input n); endmodule');
  });

  it('writes a connection by .* out', () => {
    check('module top(input clk$0, d); sub u(.*); endmodule module sub(input clk, d); endmodule', 'module top(input n, d); sub u(.clk(n), .*); endmodule module sub(input clk, d); endmodule');
    check('module top(input clk, d); sub u(.*); endmodule module sub(input clk$0, d); endmodule', 'module top(input clk, d); sub u(.n(clk), .*); endmodule module sub(input n, d); endmodule');
  });

  it('of a module takes its instances and its end label', () => {
    check(
      `//- a.v
      module a; endmodule : a
      //- b.v
      module b; a$0 #() u(); a a(); endmodule`,
      `//- a.v
      module n; endmodule : n
      //- b.v
      module b; n #() u(); n a(); endmodule`,
    );
  });

  it('of a parameter, a package item, a member, a function and its argument', () => {
    check('module m #(parameter W$0 = 1); wire [W-1:0] x; endmodule module t; m #(.W(3)) u(); defparam u.W = 2; endmodule', 'module m #(parameter n = 1); wire [n-1:0] x; endmodule module t; m #(.n(3)) u(); defparam u.n = 2; endmodule');
    check('package p; typedef int t; localparam t W = 1; endpackage module m; import p::*; wire [p::W$0:0] x = W; endmodule', 'package p; typedef int t; localparam t n = 1; endpackage module m; import p::*; wire [p::n:0] x = n; endmodule');
    check('module m; typedef struct packed {logic a$0, b;} s_t; s_t s = \'{a: 1, b: 0}; wire a = s.a; endmodule', 'module m; typedef struct packed {logic n, b;} s_t; s_t s = \'{n: 1, b: 0}; wire a = s.n; endmodule');
    check('module m; function f$0(input a); f = a; endfunction wire x = f(.a(1)); endmodule', 'module m; function n(input a); n = a; endfunction wire x = n(.a(1)); endmodule');
    check('module m; function f(input a$0); f = a; endfunction wire x = f(.a(1)); endmodule', 'module m; function f(input n); f = n; endfunction wire x = f(.n(1)); endmodule');
  });

  it('reaches the arguments of macros', () => {
    check('`define INV(x) (~(x))\nmodule m(input a$0, output y); assign y = `INV(a); endmodule', '`define INV(x) (~(x))\nmodule m(input n, output y); assign y = `INV(n); endmodule');
  });

  it('reaches headers, and their users', () => {
    check(
      `//- h.vh
      localparam W = 3;
      //- a.v
      module a;
      \`include "h.vh"
      wire [W$0:0] x; endmodule
      //- b.v
      module b;
      \`include "h.vh"
      wire [W:0] x; endmodule`,
      `//- h.vh
      localparam n = 3;
      //- a.v
      module a;
      \`include "h.vh"
      wire [n:0] x; endmodule
      //- b.v
      module b;
      \`include "h.vh"
      wire [n:0] x; endmodule`,
    );
  });

  it('of a macro takes tests, uses and the texts of others', () => {
    check('`define A$0 1\n`ifdef A\n`define B `A + 1\n`endif\nmodule m; wire A = `A + `B; endmodule', '`define n 1\n`ifdef n\n`define B `n + 1\n`endif\nmodule m; wire A = `n + `B; endmodule');
  });

  it('reaches text that the defines leave out, in every branch', () => {
    const both = (before: string, options?: FixtureOptions): void => check(before, before.replaceAll('$0', '').replaceAll(/\ba\b/g, 'n'), options);
    both('module m; wire a$0;\n`ifdef SIM\ninitial $display(a); // A\n`elsif FPGA\nassign x = {a, s.A};\n`else\nsub u(.A(a));\n`endif\nendmodule module sub(input A); endmodule');
    both('module m;\n`ifdef SIM\nreg A, a$0;\n`else\nwire a;\n`endif\nassign y = a;\nendmodule');
    both('module m(input b\n`ifdef SIM\n, output a$0\n`endif\n); assign x = 1;\n`ifdef SIM\n assign a = b;\n`endif\nendmodule\nmodule t; m u(.b(1)\n`ifdef SIM\n, .a(A)\n`endif\n); endmodule', { defines: { SIM: '1' } });
    both('module m; wire a$0;\n`ifdef SIM\nif (1) begin : g wire A; assign A = a; end\n`endif\nendmodule'.replace('assign A = a', 'assign x = a'));
    both('//- p.sv\npackage p; localparam a$0 = 1; endpackage\n//- m.sv\nmodule m;\n`ifdef SIM\nimport p::*;\nwire [a:0] w;\n`endif\nendmodule');
    both('//- h.svh\n`ifdef SIM\n`define USE(x) x\n`endif\n//- m.sv\n`include "h.svh"\nmodule m; wire a$0;\n`ifdef SIM\nassign y = `USE(a);\n`endif\nendmodule');
    both('`ifdef SIM\nmodule a$0(input x);\n`else\nmodule a(input y);\n`endif\nendmodule : a\n');
    both('module m;\n`ifdef SIM\ntypedef logic a$0;\n`else\ntypedef reg a;\n`endif\nendmodule module k; wire A; endmodule');
    // Another thing of the same name, in a scope of its own.
    check('module m; wire a$0;\n`ifdef SIM\ninitial begin : b reg a; a = 1; end\n`endif\nendmodule', 'module m; wire n;\n`ifdef SIM\ninitial begin : b reg a; a = 1; end\n`endif\nendmodule');
  });

  it('reaches what is bound, clocking blocks and methods outside of their class', () => {
    check('module m; logic a$0; endmodule module k(input x); endmodule bind m k u(.x(a));', 'module m; logic n; endmodule module k(input x); endmodule bind m k u(.x(n));');
    check('interface i; logic a$0; clocking c @(posedge k); input a; endclocking endinterface module m(i v); initial v.c.a = 1; endmodule', 'interface i; logic n; clocking c @(posedge k); input n; endclocking endinterface module m(i v); initial v.c.n = 1; endmodule');
    check('class c; int a$0; extern task t(); endclass task c::t(); this.a = a; endtask', 'class c; int n; extern task t(); endclass task c::t(); this.n = n; endtask');
    check('class c; int a; extern task t$0(); endclass task c::t(); endtask', 'class c; int a; extern task n(); endclass task c::n(); endtask');
  });

  it('of a method takes those that it overrides, and those that override it', () => {
    const classes = (name: string, at = name): string => `class a; virtual function int ${at}(); endfunction endclass class b extends a; function int ${name}(); return super.${name}(); endfunction endclass class c extends b; function int ${name}(); endfunction int x = ${name}(); endclass class d; function int f(); endfunction endclass`;
    check(classes('f', 'f$0'), classes('n'));
    check(`${classes('f')} module m; c h; initial h.f$0(); endmodule`, `${classes('n')} module m; c h; initial h.n(); endmodule`);
  });

  it('writes escaped names that it leaves as they are with their backslash', () => {
    check('module top(input \\wire ); sub u(.\\wire ); endmodule module sub(input \\wi$0re ); endmodule', 'module top(input \\wire ); sub u(.n(\\wire ) ); endmodule module sub(input n ); endmodule');
    check('module top(input \\a.b ); sub u(.*); endmodule module sub(input \\a$0.b ); endmodule', 'module top(input \\a.b ); sub u(.n(\\a.b ), .*); endmodule module sub(input n ); endmodule');
  });

  it('of an implicit net takes all its uses', () => {
    check('module m(output y); sub u(.q(w$0)); assign y = w; endmodule module sub(output q); endmodule', 'module m(output y); sub u(.q(n)); assign y = n; endmodule module sub(output q); endmodule');
  });
});

describe('a rename is refused', () => {
  it('without a name, or to none', () => {
    refused('module m; assign $0 = 1; endmodule', /no name here/);
    refused('module m; wire a$0; endmodule', /can't be a name/, '2x');
    refused('module m; wire a$0; endmodule', /can't be a name/, 'wire');
    refused('module m; assign y = a$0; endmodule', /declaration of 'a' was not found/);
    refused('class c; function ne$0w(); endfunction endclass', /rename its class instead/);
    refused('module m; if (1) wire w; assign x = genblk1$0.w; endmodule', /generate block without a name/);
  });

  it('while files are unknown, and in files of others', () => {
    refused('module m; wire a$0; endmodule', /Not all files/, 'n', { complete: false });
    refused('//- m.v\nmodule m; lib u(.a$0(1)); endmodule\n//- lib.v\nmodule lib(input a); endmodule', /outside of the workspace|not found/, 'n', { foreign: ['/w/lib.v'] });
  });

  it('when the new name is taken, hides another or is hidden', () => {
    refused('module m; wire a$0, n; endmodule', /already declared/);
    refused('module m; wire a$0; initial begin : b reg n; n = a; end endmodule', /would mean another thing/);
    refused('module m; wire n; initial begin : b reg a$0; a = n; end endmodule', /would mean another thing/);
    refused('module m$0; endmodule module n; endmodule', /already (declared|defined)/);
    refused('module top(input a$0); sub u(.*); endmodule module sub(input a, n); endmodule', /would mean another thing/);
    refused('`define A$0 1\n`define n 2\n', /already exists/);
  });

  it('when the name comes out of a macro, or is glued together', () => {
    refused('`define USE a\nmodule m; wire a$0; wire b = `USE; endmodule', /macro's text/);
    refused('`define REG(x) reg x``_q; always @(x) x``_q = x;\nmodule m; wire a$0; `REG(a) wire z = a_q; endmodule', /would mean another thing/);
    refused('module m; wire a = `A$0; endmodule', /setting or a file list/, 'n', { defines: { A: '1' } });
  });

  it('when it stands in text that the defines leave out and is not certain there', () => {
    const left = (text: string): string => `module m; wire a$0;\n\`ifdef SIM\n${text}\n\`endif\nendmodule`;
    refused(left('initial x.y.a = 1;'), /not known what 'a' means/);
    refused(left('`ifndef SIM\nassign a = 1;\n`endif'), /leave out/);
    refused(left('`define CHECK a\nassign x = `CHECK;'), /macro's text/);
    refused(left('initial begin : b reg n; n = a; end'), /would mean another thing/);
    refused(left('wire n;'), /already declared/);
  });

  it('when a path that names it can not be followed', () => {
    refused('module m; wire a$0; endmodule module t; initial x.y.a = 1; endmodule', /not known what 'a' means/);
  });

  it('when its module is defined twice', () => {
    refused('//- 1/a.v\nmodule a(input x$0); endmodule\n//- 2/a.v\nmodule a(input x); endmodule\n//- t.v\nmodule t; a u(.x(1)); endmodule', /defined more than once/);
  });
});
