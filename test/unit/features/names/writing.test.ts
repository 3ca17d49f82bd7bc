import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completions } from '../../../../server/src/features/names/completion.ts';
import { signatureAt } from '../../../../server/src/features/names/signature.ts';
import { fixture } from './fixture.ts';

interface Expected {
  /** Labels in order of rank, all of them. */
  readonly only?: readonly string[];
  readonly has?: readonly string[];
  readonly lacks?: readonly string[];
}

function complete(text: string, { only, has = [], lacks = [] }: Expected): void {
  const { snapshot, file, offset } = fixture(text);
  const labels = completions(snapshot, file, offset).items.toSorted((a, b) => a.rank - b.rank).map(({ label }) => label);
  if (only) assert.deepEqual(labels, only);
  assert.deepEqual(has.filter((label) => !labels.includes(label)), [], 'missing');
  assert.deepEqual(lacks.filter((label) => labels.includes(label)), [], 'too many');
}

/** What is written when `label` is chosen. */
function insertion(text: string, label: string): string | undefined {
  const { snapshot, file, offset } = fixture(text);
  return completions(snapshot, file, offset).items.find((item) => item.label === label)?.insert;
}

/** The label with the active parameter in `«»`. */
function signature(text: string, expected: string | undefined): void {
  const { snapshot, file, offset } = fixture(text);
  const found = signatureAt(snapshot, file, offset);
  const active = found?.parameters[found.active ?? -1]?.span;
  assert.equal(found && active ? `${found.label.slice(0, active.start)}«${found.label.slice(active.start, active.end)}»${found.label.slice(active.end)}` : found?.label, expected);
}

const sub = '\nmodule sub #(parameter W = 8, localparam L = 2)(input clk, input [W-1:0] d, output q); parameter BODY = 1; endmodule';

describe('completion', () => {
  it('offers the ports that are not connected yet', () => {
    complete(`module top; sub u(.clk(clk), .$0); endmodule${sub}`, { only: ['d', 'q'] });
    complete(`module top; sub u(.clk(clk),\n  .$0\n  .q(q)); endmodule${sub}`, { only: ['d'] });
    complete(`module top; sub u(.c$0lk(clk), .d(1)); endmodule${sub}`, { only: ['clk', 'q'] });
    complete(`module top; wire n; sub u($0); endmodule${sub}`, { has: ['.clk', '.d', '.q', 'n'] });
    complete(`module top; sub u(.clk(clk), $0); endmodule${sub}`, { has: ['.d', '.q'], lacks: ['.clk'] });
    complete(`module top; sub #($0) u(.clk(clk)); endmodule${sub}`, { has: ['.W'], lacks: ['.clk'] });
    complete(`module top; wire n; sub u(n, $0); endmodule${sub}`, { has: ['n'], lacks: ['.d'] });
    complete(`module top; wire n; sub u(.clk($0)); endmodule${sub}`, { has: ['n'], lacks: ['.d'] });
    assert.equal(insertion(`module top(input d); sub u(.$0); endmodule${sub}`, 'd'), 'd(${1:d})');
  });

  it('offers the arguments of a call that are not given yet', () => {
    const f = 'function automatic int f(int alpha, int beta = 2, int gamma = 3); return alpha; endfunction';
    complete(`module m; ${f} int y; initial y = f(.$0); endmodule`, { only: ['alpha', 'beta', 'gamma'] });
    complete(`module m; ${f} int y; initial y = f(1, .beta(3), .$0); endmodule`, { only: ['gamma'] });
    complete(`module m; ${f} sub u(.d(f(.$0))); endmodule${sub}`, { only: ['alpha', 'beta', 'gamma'] });
    assert.equal(insertion(`module m; ${f} int y; initial y = f(.$0); endmodule`, 'beta'), 'beta(${1:2})');
  });

  it('offers the parameters that an instance may set', () => {
    complete(`module top; sub #(.$0) u(); endmodule${sub}`, { only: ['W'] });
  });

  it('offers the name of the block that ends', () => {
    complete('module counter #(parameter W = 1)(input c);\nendmodule : $0\nmodule b; endmodule', { only: ['counter'] });
    complete('module m; function automatic logic [3:0] f(input a); begin : inner end : i$0 endfunction endmodule', { only: ['inner'] });
    complete('module m; function automatic logic [3:0] f(input a); endfunction : $0\nendmodule', { only: ['f'] });
    complete('class c extends d; endclass : $0', { only: ['c'] });
    complete('module m; initial begin if (a) begin end : $0 end endmodule', { only: [] });
  });

  it('offers parameters before the instance has a name', () => {
    complete(`module top; sub #(.$0\n  wire x;\nendmodule${sub}`, { only: ['W'] });
    complete(`module top; sub #(.$0)\nendmodule${sub}`, { only: ['W'] });
    complete(`module top; wire n; sub #($0\nendmodule${sub}`, { has: ['.W'], lacks: ['.clk'] });
    complete(`module top; wire n; sub u(\n  $0\nendmodule${sub}`, { has: ['.clk', '.d', '.q', 'n'] });
    complete('module top; two #(.A(f(1, 2)), .$0\nendmodule module two #(parameter A = 1, B = 2)(input c); endmodule', { only: ['B'] });
    complete(`module top; other #(.$0\nendmodule${sub}`, { only: [] });
  });

  it('offers what a class has and inherits behind this and super', () => {
    const classes = 'class a; int x; endclass class b extends a; int y; extern function void go();';
    complete(`${classes} function void f(); this.$0 endfunction endclass`, { only: ['y', 'go', 'f', 'x'] });
    complete(`${classes} function void f(); super.$0 endfunction endclass`, { only: ['x'] });
    complete(`${classes} endclass function void b::go(); this.$0 endfunction`, { only: ['y', 'go', 'x'] });
  });

  it('offers the methods that the language gives', () => {
    complete('module m; int q[$]; initial q.$0; endmodule', { has: ['push_back', 'size'], lacks: ['exists'] });
    complete('module m; int q[string]; initial q.$0; endmodule', { has: ['exists', 'num'], lacks: ['push_back'] });
    complete('module m; int q[4][]; initial q[0].$0; endmodule', { has: ['delete', 'size'] });
    complete('module m; string s[2]; initial s[0].$0; endmodule', { has: ['len', 'substr'], lacks: ['sort'] });
    complete('module m; typedef enum {A, B} t; t e; initial e.$0; endmodule', { has: ['name', 'next'] });
    complete('module m; class mailbox; int own; endclass mailbox b; initial b.$0; endmodule', { only: ['own'] });
  });

  it('offers modports alone behind the interface of a port', () => {
    complete('interface bus; logic v; modport m(input v); endinterface module d(bus.$0 b); endmodule', { only: ['m'] });
  });

  it('writes whole instances, with parameters of the header only', () => {
    assert.equal(insertion(`module top;\n  su$0\nendmodule${sub}`, 'sub'), 'sub #(\n    .W(${1:8})\n) ${2:u_sub} (\n    .clk(${3:clk}),\n    .d  (${4:d}),\n    .q  (${5:q})\n);');
    assert.equal(insertion('module top;\n$0\nendmodule module m(a, b); parameter P = 1, Q = P + 1; input a; output b; endmodule', 'm'), 'm #(\n    .P(${1:1}),\n    .Q(${2:2})\n) ${3:u_m} (\n    .a(${4:a}),\n    .b(${5:b})\n);');
  });

  it('of ports that mix arrays, typedefs, groups and names like keywords has each once, in order', () => {
    const mixed = 'module mix import p::*; (input wire input_a, output_b, output t_t [3:0] data_o, input logic [1:0] arr [2][3], inout tri inout_c, input interface_x, p::t_t q); endmodule package p; typedef logic [7:0] t_t; endpackage';
    const text = insertion(`module top;\n$0\nendmodule ${mixed}`, 'mix') ?? '';
    assert.deepEqual([...text.matchAll(/\.(\w+)/g)].map(([, name]) => name), ['input_a', 'output_b', 'data_o', 'arr', 'inout_c', 'interface_x', 'q']);
  });

  it('offers members', () => {
    complete('module m; typedef struct packed {logic a, b;} s_t; s_t s; assign x = s.$0; endmodule', { only: ['a', 'b'] });
    complete('module m; typedef struct packed {logic a, b;} s_t; s_t s[3]; assign x = s[1].$0\n; endmodule', { only: ['a', 'b'] });
    complete('package p; localparam N = 1; typedef logic t; endpackage module m; wire x = p::$0; endmodule', { only: ['N', 't'] });
    complete('interface bus; logic v, r; modport mst(output v, input r); endinterface module m(bus b); assign b.$0 = 1; endmodule', { only: ['v', 'r', 'mst'] });
    complete(`module top; sub u(); initial $display(u.$0); endmodule${sub}`, { has: ['clk', 'W', 'BODY'] });
  });

  it('offers what a modport or clocking block lists and what a class inherits', () => {
    const bus = 'interface bus; logic a, b, c; modport m(input a, output b, import f); clocking k @(posedge c); input a; output o = b; endclocking function f(); endfunction endinterface';
    complete(`${bus} module t(bus.m p); assign p.$0 endmodule`, { only: ['a', 'b', 'f'] });
    complete(`${bus} module t(bus p); initial p.k.$0 endmodule`, { only: ['o', 'a'] });
    complete('class b; int x, y; endclass class c extends b; int x, z; endclass module t; c h; initial h.$0 endmodule', { only: ['x', 'z', 'y'] });
  });

  it('offers macros and directives behind a backtick', () => {
    complete('`define FOO 1\nmodule m; wire x = `F$0; endmodule', { has: ['FOO', 'ifdef'], lacks: ['x', 'wire'] });
  });

  it('offers keywords where they can stand', () => {
    complete('$0', { has: ['module', 'package'], lacks: ['assign', 'posedge'] });
    complete('module m; $0 endmodule', { has: ['assign', 'always_ff'], lacks: ['module', 'posedge'] });
    complete('module m; reg q; always @* begin $0 end endmodule', { has: ['if', 'case', 'q'], lacks: ['assign', 'module'] });
    complete('module m(input a); assign x = $0; endmodule', { has: ['a'], lacks: ['assign', 'if', 'sub'] });
    complete('module m(input a, $0); endmodule', { has: ['input', 'output'], lacks: ['assign'] });
    complete('module m; wire $0; endmodule', { only: [] });
    complete('module m; // as$0\nendmodule', { only: [] });
    complete('module m; initial $display("a$0"); endmodule', { only: [] });
  });

  it('offers what is visible, the nearest first', () => {
    complete('package p; localparam PK = 1; endpackage module m; import p::*; reg mm; function f(input aa); begin f = $0; end endfunction endmodule', { has: ['aa', 'mm', 'PK', 'f'] });
  });
});

describe('a signature', () => {
  it('of a function or task marks the argument at the cursor', () => {
    const f = 'module m; function [3:0] f(input [3:0] a, input b); f = a; endfunction';
    signature(`${f} wire x = f(1, $0); endmodule`, 'function [3:0] f(input [3:0] a, «input b»)');
    signature(`${f} wire x = f($0`, 'function [3:0] f(«input [3:0] a», input b)');
    signature(`${f} wire x = f(.b($0)); endmodule`, 'function [3:0] f(input [3:0] a, «input b»)');
    signature('class c; function new(int a, string b = ""); endfunction endclass module m; c o = new(1, $0); endmodule', 'function new(input int a, «input string b = ""»)');
  });

  it('of parameters comes before the instance has a name', () => {
    signature('module top; two #(1, $0\nendmodule module two #(parameter A = 1, B = 2)(input c); endmodule', 'two #(parameter A = 1, «parameter B = 2»)');
  });

  it('of an instance marks the port', () => {
    signature(`module top; sub u(clk, {a, b}, $0); endmodule${sub}`, 'sub(input clk, input [W-1:0] d, «output q»)');
    signature(`module top; sub u(.q($0)); endmodule${sub}`, 'sub(input clk, input [W-1:0] d, «output q»)');
    signature(`module top; sub #($0) u(); endmodule${sub}`, 'sub #(«parameter W = 8»)');
  });

  it('is none elsewhere', () => {
    signature(`module top; sub u(); wire x = (1 + $02); endmodule${sub}`, undefined);
  });
});
