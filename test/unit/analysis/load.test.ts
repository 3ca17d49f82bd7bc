import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Port } from '../../../server/src/analysis/module.ts';
import type { DesignInput } from '../../../server/src/analysis/design.ts';
import { loaded, loadFrom } from './design.ts';

function describe(port: Port): string {
  return `${port.direction}${port.signed ? ' signed' : ''} ${port.name}:${port.width ?? '?'}${port.unpacked.length > 0 ? ' unpacked' : ''}`;
}

async function ports(source: string, expected: string[], input: Partial<DesignInput> = {}): Promise<void> {
  const design = await loaded(source, input);
  assert.deepEqual(design.module.ports.map(describe), expected);
}

async function rejects(files: Record<string, string>, reason: RegExp, input: Partial<DesignInput> = {}): Promise<void> {
  const result = await loadFrom(files, input);
  assert(result.kind === 'rejected');
  assert.match(result.reason, reason);
}

test('ANSI ports inherit direction and type from the one before', async () => {
  await ports('module m(input clk, rst, input signed [7:0] a, b, output reg [3:0] q, r, output o, inout tri [1:0] io); endmodule', [
    'input clk:1', 'input rst:1', 'input signed a:8', 'input signed b:8', 'output q:4', 'output r:4', 'output o:1', 'inout io:2',
  ]);
});

test('non-ANSI ports take direction and type from the body, in the order of the header', async () => {
  await ports('module m(q, a, b, .x(t)); parameter W = 5; input [W-1:0] a; input b; output q; reg [W:0] q; output signed [1:0] t; endmodule', [
    'output q:6', 'input a:5', 'input b:1', 'output signed x:2',
  ]);
});

test('widths follow parameters, localparams, macros, functions and $clog2', async () => {
  const source = `\`define EXTRA 2
module m #(parameter DEPTH = 16, parameter W = DEPTH * 2, localparam A = $clog2(DEPTH)) (input [W-1:0] d, input [A-1:0] addr, output [width(W)+\`EXTRA-1:0] q);
  function integer width(input integer n); begin width = 0; while (n > 1) begin n = n >> 1; width = width + 1; end end endfunction
endmodule`;
  await ports(source, ['input d:32', 'input addr:4', 'output q:7']);
  await ports(source, ['input d:128', 'input addr:6', 'output q:9'], { parameters: { DEPTH: '64' } });
  await ports(source, ['input d:3', 'input addr:4', 'output q:3'], { parameters: { W: "2'd3" } });
});

test('constants keep the dimensions they are declared with', async () => {
  await ports(`module m #(localparam [3:0][7:0] SIZES = 32'h04030201, localparam [0:3] ASCENDING = 4'b1000, localparam [8:1] SHIFTED = 8'h06)
    (input [SIZES[2]-1:0] a, input [SIZES[3][2:0]:0] b, input [ASCENDING[0]:0] c, input [SHIFTED[3]:0] d, input [SHIFTED[3:2]-1:0] e, input [SIZES[2:1]-1:0] f); endmodule`,
  ['input a:3', 'input b:5', 'input c:2', 'input d:2', 'input e:3', 'input f:770']);
});

test('a constant of a function has the type of its value, and an argument its dimensions', async () => {
  await ports(`module m #(parameter N = 4) (input [count(N)-1:0] a, input [sum({8'h1, 8'h2, 8'h3, 8'h4}) - 1:0] b);
    function integer count(input integer n);
      begin : body
        integer k;
        localparam step = 2;
        count = 0;
        for (k = 0; k < n; k = k + step) count = count + 1;
      end
    endfunction
    function integer sum(input [3:0][7:0] values);
      begin sum = 0; for (int i = 0; i < 4; i++) sum += values[i]; end
    endfunction
  endmodule`, ['input a:2', 'input b:10']);
});

test('a parameter in the body can be set only without a header list', async () => {
  await ports('module m(a); parameter W = 2; input [W-1:0] a; endmodule', ['input a:9'], { parameters: { W: '9' } });
  const { module } = await loaded('module m #(parameter A = 1, localparam L = A + 1) (input x); parameter B = L * 2; localparam C = -B; endmodule');
  assert.deepEqual(module.parameters.map(({ name, local, value }) => [name, local, value]), [['A', false, '1'], ['L', true, '2'], ['B', true, '4'], ['C', true, '-4']]);
  await rejects({ 'top.sv': 'module m #(parameter A = 1) (input x); localparam B = 1; endmodule' }, /Module m has no parameter B; it has A\./, { parameters: { B: '2' } });
  await rejects({ 'top.sv': 'module m #(parameter A = 1) (input x); endmodule' }, /"foo" for parameter A cannot be evaluated/, { parameters: { A: 'foo' } });
});

test('types: typedef, enum, packed structure, packed and unpacked arrays, type parameters', async () => {
  await ports(
    `package p; localparam W = 6; typedef enum logic [2:0] {A, B} state_t; typedef struct packed { logic [W-1:0] d; state_t s; } bus_t; endpackage
module m import p::*; #(parameter type T = bus_t) (input bus_t b, input p::state_t s, input T t, input logic [3:0][7:0] a, input logic [7:0] u [0:3], input int i, input byte unsigned c, output [W-1:0] w);
endmodule`,
    ['input b:9', 'input s:3', 'input t:9', 'input a:32', 'input u:32 unpacked', 'input signed i:32', 'input c:8', 'output w:6'],
  );
});

test('a bound that is not known leaves the width open', async () => {
  await ports('module m(input [`W-1:0] a, input [X:0] b, input c); endmodule', ['input a:?', 'input b:?', 'input c:1']);
  await ports('module m(input [`W-1:0] a); endmodule', ['input a:4'], { defines: { W: '4' } });
});

test('conditionals choose between headers', async () => {
  const source = '`ifdef WIDE\nmodule m(input [7:0] a);\n`else\nmodule m(input a\n`ifdef DBG\n, output dbg\n`endif\n);\n`endif\nendmodule';
  await ports(source, ['input a:1']);
  await ports(source, ['input a:8'], { defines: { WIDE: '' } });
  await ports(source, ['input a:1', 'output dbg:1'], { defines: { DBG: '' } });
});

test('the module is chosen when the choice is clear', async () => {
  const two = 'module leaf(input a); endmodule module top(input a); leaf u(a); endmodule';
  assert.equal((await loaded(two)).module.name, 'top');
  assert.equal((await loaded(two, { module: 'leaf' })).module.name, 'leaf');
  await rejects({ 'top.sv': 'module a(input x); endmodule module b(input x); endmodule' }, /several modules \(a, b\); name the one to compare/);
  await rejects({ 'top.sv': two }, /Module nope is not defined in \/d\/top.sv; it defines leaf and top\./, { module: 'nope' });
});

test('bad files are rejected with one sentence', async () => {
  await rejects({}, /does not exist or cannot be read/);
  await rejects({ 'top.sv': ' \n' }, /is empty/);
  await rejects({ 'top.sv': '// only a comment\n' }, /defines no module/);
  await rejects({ 'top.sv': 'this is not Verilog' }, /No module can be read/);
  await rejects({ 'top.sv/part.v': 'module m(input a); endmodule' }, /\/d\/top\.sv is a folder; name a file in it\./);
  await rejects({ 'top.sv': Buffer.from('module m(input a); endmodule', 'utf16le').toString('utf8') }, /is no UTF-8 text; save it as UTF-8/);
  await rejects({ 'top.sv': 'interface i; endinterface module m(i x); endmodule' }, /Port x of module m is no plain input, output or inout/);
});

test('what a compiler has no words for is doubted: text that is Markdown, and a package that is nowhere', async () => {
  const doubts = async (source: string): Promise<string[]> => (await loaded(source)).doubts.map(({ line, message }) => `${String((line ?? -1) + 1)} ${message}`);
  assert.match((await doubts('Here it is:\n```verilog\nmodule m(input a); endmodule\n```\n'))[0] ?? '', /^2 This line is Markdown; keep only/);
  assert.deepEqual(await doubts('module m(input a); endmodule\n// ```\n'), []);
  assert.deepEqual(await doubts('module m import p::*; (input a);\nendmodule'), ['1 Package p was not found beside this file or in the include folders; add the file that defines it.']);
  assert.deepEqual(await doubts('package p; endpackage module m import p::*; (input a); endmodule'), []);
});

test('unsaved text stands in for the file', async () => {
  const design = await loaded({ 'top.sv': 'module old(input a); endmodule' }, { text: 'module fresh(input a); endmodule' });
  assert.equal(design.module.name, 'fresh');
  assert.equal(design.sources[0]?.text, 'module fresh(input a); endmodule');
});

test('submodules are found in library files and beside the file, transitively', async () => {
  const files = {
    'top.sv': 'module top(input a); mid u(.a(a)); endmodule',
    'mid.v': 'module mid(input a); leaf u(.a(a)); other v(.a(a)); endmodule',
    'parts.sv': 'module leaf(input a); endmodule',
    '/lib/other.v': 'module other(input a); endmodule',
    'unused.v': 'module unused(input a); endmodule',
  };
  const design = await loaded(files, { libraryFiles: ['/lib/other.v'] });
  assert.deepEqual(design.sources.map(({ file }) => file), ['/d/top.sv', '/d/mid.v', '/d/parts.sv', '/lib/other.v']);
  assert.deepEqual(design.module.unresolved, []);
  const without = await loaded(files);
  assert.deepEqual(without.module.unresolved, ['other']);
});

test('a sibling that defines again what the design has is left alone', async () => {
  const files = {
    'top.sv': 'module top(input a); leaf u(.a(a)); endmodule',
    'golden.sv': 'module top(input a); leaf u(.a(a)); endmodule module leaf(input a); endmodule',
  };
  const design = await loaded(files);
  assert.deepEqual(design.sources.map(({ file }) => file), ['/d/top.sv']);
  assert.deepEqual(design.module.unresolved, ['leaf']);
});

test('packages come before their users, includes are listed', async () => {
  const design = await loaded({
    'top.sv': '`include "defs.vh"\nmodule top import b_pkg::*; (input [B-1:0] a, input [`W-1:0] w); endmodule',
    'defs.vh': '`define W 3\n',
    'a_pkg.sv': 'package a_pkg; localparam A = 2; endpackage',
    'z.sv': 'package b_pkg; localparam B = a_pkg::A * 2; endpackage',
  });
  assert.deepEqual(design.sources.map(({ file }) => file), ['/d/a_pkg.sv', '/d/z.sv', '/d/top.sv']);
  assert.deepEqual(design.module.ports.map((port) => port.width), [4, 3]);
  assert.deepEqual(design.includes, [{ file: '/d/defs.vh', text: '`define W 3\n' }]);
});

test('a compilation unit hands on macros and what is declared outside of modules, in its order and to its libraries', async () => {
  const files = {
    'top.sv': '`include "cfg.svh"\nmodule top(input word_t a, input [`W-1:0] b, input `BUS c); sub u(a); leaf v(); endmodule',
    'a/first.sv': '`include "cfg.svh"\n`define BUS \\\n  [7:4]\n`define MAX(a, b = 1) ((a) > (b) ? (a) : (b))\n`define GONE\nmodule unused; endmodule\n',
    'a/types.sv': '`undef GONE\nlocalparam L = 5;\ntypedef logic [`MAX(L, 2):0] word_t;\nmodule other(input x); endmodule',
    'a/sub.sv': 'module sub(input word_t a);\n`ifdef GONE\nmissing u();\n`endif\nendmodule',
    'b/leaf.v': 'module leaf; wire `BUS x; endmodule',
    'inc/cfg.svh': '`ifndef CFG\n`define CFG\n`define W 3\n`endif\n',
  };
  const libraries = ['/d/b/leaf.v'];
  const sources = ['/d/a/first.sv', '/d/a/types.sv', '/d/a/sub.sv', '/d/top.sv'];
  const input = { includeDirs: ['/d/inc'], libraryFiles: [...sources, ...libraries] };
  const design = await loaded(files, { ...input, units: [{ sources, libraries }] });
  assert.deepEqual(design.module.ports.map((port) => port.width), [6, 3, 4]);
  assert.deepEqual(design.module.unresolved, []);
  const compiled = design.sources.map(({ file, text }) => `${file.slice('/d/'.length)}${file.includes('.macros') ? `: ${text}` : ''}`);
  const macros = (gone: string): string => `${gone}\`define W 3\n\`define BUS [7:4]\n\`define MAX(a, b = 1) ((a) > (b) ? (a) : (b))\n`;
  const undefined_ = '`undef GONE\n';
  assert.deepEqual(compiled, [
    `a/.macros-before-types.sv: ${macros('')}\`define GONE\n`,
    'a/types.sv',
    `a/.macros-before-sub.sv: ${macros(undefined_)}`,
    'a/sub.sv',
    `.macros-before-top.sv: ${macros(undefined_)}`,
    'top.sv',
    `b/.macros-before-leaf.v: ${macros(undefined_)}`,
    'b/leaf.v',
  ]);
  const alone = await loadFrom(files, input);
  assert(alone.kind === 'rejected' || alone.design.module.ports[2]?.width !== 4);
});

test('a syntax error is a doubt with its place, not a rejection', async () => {
  const design = await loaded('module m(input a, output y);\n  assign y = a\n  wire t;\nendmodule\n');
  assert.deepEqual(design.module.ports.map(describe), ['input a:1', 'output y:1']);
  assert.deepEqual(design.doubts.map(({ line, character }) => [line, character]), [[1, 13]]);
});

test('generate branches decide which submodules count, parameters travel down', async () => {
  const source = `module top #(parameter W = 4) (input [W-1:0] a);
  generate if (W > 8) begin : g wide u(.a(a)); end else begin : h narrow #(.N(W)) u(.a(a)); end endgenerate
endmodule
module narrow #(parameter N = 1) (input [N-1:0] a); endmodule`;
  assert.deepEqual((await loaded(source)).module.unresolved, []);
  assert.deepEqual((await loaded(source, { parameters: { W: '9' } })).module.unresolved, ['wide']);
});

test('constants that are compared with anything are mined at every depth', async () => {
  const { module } = await loaded(`module top #(parameter LIMIT = 77) (input [7:0] a, output reg y);
  always @* case (a) 8'h12: y = 1; default: y = a == LIMIT; endcase
  sub u(.x(a));
endmodule
module sub(input [7:0] x); wire hit = x > 200; wire sum = x + 99; endmodule`);
  assert.deepEqual(module.constants.map(({ value, width }) => `${width ?? ''}'${value}`).sort(), ["8'18", "8'200", "8'77"]);
});
