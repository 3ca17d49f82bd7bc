import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeDesign, isClosed, type ClosedDesign } from '../../../../server/src/verification/two-state/closed-text.ts';
import { threeStateUse } from '../../../../server/src/verification/two-state/three-state.ts';
import { loaded } from '../../analysis/design.ts';

async function close(text: string, files: Record<string, string> = {}): Promise<ClosedDesign> {
  return closeDesign(await loaded({ 'top.sv': text, ...files }, { module: 'm' }));
}

/** What a closed design reads as, blanks and empty lines left out. */
async function textOf(text: string, files: Record<string, string> = {}): Promise<string> {
  const closed = await close(text, files);
  assert.equal(closed.kind, 'closed', closed.kind === 'closed' ? '' : closed.problems[0]?.message);
  return closed.texts.map((one) => one.text.replace(/[ \t]+/g, ' ').replace(/\s*\n\s*/g, '\n').trim()).join('\n');
}

async function problem(text: string, files: Record<string, string> = {}): Promise<string> {
  const closed = await close(text, files);
  const [first] = closed.kind === 'closed' ? [] : closed.problems;
  return first === undefined ? 'closed' : `${closed.kind} ${String((first.line ?? -1) + 1)}: ${first.message}`;
}

const m = (body: string): string => `module m(input a, output y);\n${body}\nassign y = a;\nendmodule`;

test('macros, includes, comments and conditionals are resolved; directives that mean something stay', async () => {
  const text = '`timescale 1ns/1ps\n`default_nettype none\n`define W 3\n`include "h.vh"\nmodule m(input wire a, output wire [`W:0] y);\n/* verilator lint_off X */ `ifdef NO\nassign y = 9;\n`else\nassign y = `NAME + a; // verilator public\n`endif\nendmodule\n`line 3 "/etc/passwd" 0\n';
  assert.equal(await textOf(text, { 'h.vh': '`define NAME 7\n`systemc_never\n'.replace('`systemc_never\n', '') }), '`timescale 1ns/1ps\n`default_nettype none\nmodule m(input wire a, output wire [3:0] y);\nassign y = 7 + a;\nendmodule');
});

test('orders to the compiler that hide in strings and names do not reach it', async () => {
  assert.equal(await textOf(m('initial $display("/*verilator x*/ `systemc_header $c // %d $");')), m('initial $display("\\057*verilator x*\\057 \\140systemc_header \\044c \\057\\057 %d \\044");'));
  for (const name of ['\\a"', '\\a/*b', '\\a`b', '\\a//']) assert.match(await problem(m(`wire ${name} ; initial $display("x", 1);`)), /^(?:unsuited|forbidden) 2: /, name);
  for (const name of ['\\$_TBUF_', '\\a$c', '\\$system']) assert.match(await problem(m(`wire ${name} ;`)), /^unsuited 2: The name /, name);
  assert.match(await problem(m('wire \\a" ; initial $display(" $c(", 1, ") \\b" ");')), /^(?:unsuited|forbidden)/);
});

test('native code, files and orders of other languages are refused', async () => {
  for (const body of ['initial $c("system(1);");', 'wire z = $c32("1");', 'initial $system("x");', 'initial $fopen("x");', 'initial $stacktrace;', 'initial $writememh("x", r);', 'import "DPI-C" function int f(); wire w = f();', 'initial $readmemh("/etc/passwd", r);', 'initial $readmemh(NAME, r);', 'initial $readmemh("../x", r);', '`define C $c\ninitial `C("1");']) {
    assert.match(await problem(m(body)), /^forbidden \d: /, body);
  }
  assert.match(await problem(m('`systemc_header\n#include <stdlib.h>\n`verilog')), /^unsuited 2: `systemc_header begins text of another language/);
  assert.match(await problem(m('`verilator_config\nlint_off')), /^unsuited 2: /);
  assert.match(await problem(m('initial $display(`FILE);')), /^unsuited 2: `FILE is no macro/);
  assert.match(await problem(m('\0')), /^unsuited 2: A character here/);
  assert.match(await problem('`include "none.vh"\nmodule m(input a, output y); endmodule'), /^unsuited 1: The file "none\.vh" was not found/);
});

test('what stays inside the simulation is allowed, memory images with their places', async () => {
  const closed = await close(m('reg [7:0] r [0:3]; initial begin $readmemh("sub/rom.hex", r); $display("%d", $clog2(3)); $dumpfile("x"); $finish; end'));
  assert.equal(closed.kind === 'closed' && closed.images[0]?.to, 'sub/rom.hex');
  assert.equal(await problem(m('wire b = $unsigned(a); assert property (@(posedge a) $rose(a) |-> $past(b));')), 'closed');
});

test('places lead back through includes and macros', async () => {
  const closed = await close('`define N 3\n`include "h.vh"\nmodule m(input a, output y);\nassign y = `N +   bad;\nendmodule', { 'h.vh': '// one\nparameter P = 1;\n' });
  assert.ok(closed.kind === 'closed');
  const [text] = closed.texts;
  const lines = text?.text.split('\n') ?? [];
  const place = (needle: string) => {
    const line = lines.findIndex((one) => one.includes(needle));
    const { file, line: at, character } = text?.locate(line + 1, (lines[line] ?? '').indexOf(needle) + 1) ?? {};
    return [file?.split('/').at(-1), at, character];
  };
  assert.deepEqual(place('bad'), ['top.sv', 3, 18]);
  assert.deepEqual(place('P = 1'), ['h.vh', 1, 10]);
});

test('a text of our own is closed unless a value in it reaches out', () => {
  assert.equal(isClosed('module w;\nm #(.P(3)) side ();\nendmodule\n`resetall\n'), true);
  for (const value of ['$c("x")', '`X', '3 /* verilator public */', '"a\nb"']) assert.equal(isClosed(`module w;\nm #(.P(${value})) side ();\nendmodule\n`), false, value);
});

test('high impedance is told from patterns', () => {
  for (const code of ["casez (a) 4'b1zz?: y = 1; 4'bz, 4'b01zz: y = 2; endcase", "casez (a) 4'b1???: y = 1; endcase", 'wire trip, wandering, inouts;', "if (a ==? 4'b1??0) y = 1;", '$display("tri zzz");']) {
    assert.equal(threeStateUse(code), undefined, code);
  }
  for (const code of ["assign y = en ? d : 8'bz;", "assign y = en ? 8'hZZ : d;", "assign y = 'z;", "y <= 1'bz;", 'inout a;', 'tri1 x;', 'bufif0 (y, a, b);', 'wand w;', 'assign (pull1, strong0) y = a;', "y = {4'bz, a};"]) {
    assert.notEqual(threeStateUse(code), undefined, code);
  }
});
