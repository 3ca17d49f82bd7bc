import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { check, lint, told } from './harness.ts';

describe('comments silence rules', () => {
  const late = (lines: string): string => `module m(input clk, input [7:0] d, output logic [3:0] q, r);\n${lines}\nendmodule\n`;

  test('on their own line and on the next', () =>
    check(late(`  always @(posedge clk) q <= d; // rtl-copilot off-line width-truncation
  // rtl-copilot off-next-line width-truncation -- the rest is checked elsewhere
  always @(posedge clk) r <= d;`)));

  test('from off to on, and only the rules that they name', () =>
    check(late(`  // rtl-copilot off multiple-drivers, width-truncation
  always @(posedge clk) q <= d;
  // rtl-copilot on width-truncation
  always @(posedge clk) q <= d; //! width-truncation
  /* rtl-copilot off */
  always @(posedge clk) r <= d;`)));

  test('in the words of Verilator', () =>
    check(late(`  // verilator lint_save
  // verilator lint_off WIDTHTRUNC
  always @(posedge clk) q <= d;
  // verilator lint_restore
  /* verilator lint_off UNUSED */
  always @(posedge clk) r <= d; //! width-truncation`)));

  test('but not inside strings, and not by other words', () =>
    check(late(`  initial $display("// rtl-copilot off");
  // rtl-copilot is off today
  always @(posedge clk) q <= d; //! width-truncation
  always @(posedge clk) r <= d[3:0];`)));
});

describe('rules are silent where they cannot know', () => {
  const cases: Readonly<Record<string, string>> = {
    'inactive code': 'module m(input [7:0] a, output [3:0] y);\n`ifdef NEVER\nassign y = a; assign y = b;\n`else\nassign y = a[3:0];\n`endif\nendmodule\n',
    'the text of a macro': '`define CUT(x) assign y = x; assign y = x;\nmodule m(input [7:0] a, output [3:0] y);\n`CUT(a)\nendmodule\n',
    'an unknown macro': 'module m(input [7:0] a, output [3:0] y);\n`DECLARE(b)\nassign y = b;\nendmodule\n',
    'an unknown header': '`include "gone.vh"\nmodule m(output y);\nassign y = from_header;\nendmodule\n',
    'an unknown package': 'module m import gone::*; (output y);\nassign y = from_package;\nendmodule\n',
    'an unknown type': 'module m(input gone::word_t a, output [3:0] y);\nassign y = a;\nendmodule\n',
    'an unknown module': 'module m(input a, output y);\nwire n;\ngone u (.a(a), .n(n));\nassign y = n;\nendmodule\n',
    'a module with a syntax error': 'module m(input [7:0] a, output [3:0] y);\nassign y = a\nassign y = a;\nassign y = undeclared;\nendmodule\n',
    'a parameter that may be larger': 'module m #(parameter W = 4)(input [7:0] a, output [W-1:0] y);\nassign y = a;\nendmodule\n',
    'a branch that a parameter rules out': 'module m #(parameter W = 4)(input [W-1:0] a, output [7:0] y);\nif (W > 8) assign y = a[W-1 -: 9]; else assign y = a;\nendmodule\n',
    'a value that was tested': "module m(input [4:0] sum, output [3:0] y);\nassign y = sum > 9 ? sum + 6 : sum;\nendmodule\n",
    'carries, shifts and masks': 'module m(input [7:0] a, output [7:0] s, t, output [3:0] u, v);\nassign s = a + 1;\nassign t = a << 3;\nassign u = a & 4\'hf;\nassign v = a >> 4;\nendmodule\n',
    'a history': 'module m(input clk, d, output reg [7:0] q);\nalways @(posedge clk) q <= {q, d};\nendmodule\n',
    'loops with integers': 'module m(input [7:0] a, output reg [7:0] y);\ninteger i;\nalways @(*) for (i = 0; i < 8; i = i + 1) y[i] = a[7 - i];\nendmodule\n',
    'three-state drivers': "module m(input a, b, ea, eb, output y);\nassign y = ea ? a : 1'bz;\nassign y = eb ? b : 1'bz;\nendmodule\n",
    'parts of one vector': 'module m(input clk, a, output reg [1:0] y);\nalways @(posedge clk) y[0] <= a;\nalways @(posedge clk) y[1] <= a;\nendmodule\n',
    'a generate loop': 'module m(input [3:0] a, output [3:0] y);\ngenvar i;\nfor (i = 0; i < 4; i = i + 1) assign y[i] = a[i];\nendmodule\n',
    'a value at power-on': 'module m(input clk, d, output reg q);\ninitial q = 0;\nalways @(posedge clk) q <= d;\nendmodule\n',
    'a latch on purpose': 'module m(input en, d, output reg q, output logic p);\nalways @(*) if (en) q <= d;\nalways_latch if (en) p <= d;\nendmodule\n',
    'an enumeration that is covered': 'module m(input [1:0] s, output logic y);\nalways_comb case (s) 0: y = 1; 1: y = 0; 2: y = 1; 3: y = 0; endcase\nendmodule\n',
    'unique': "module m(input [2:0] s, output logic y);\nalways_comb unique case (s) 0: y = 1; 1: y = 0; endcase\nendmodule\n",
    'a value given first': 'module m(input [2:0] s, output logic y, z);\nalways_comb begin {y, z} = 0; case (s) 0: y = 1; 1: z = 1; endcase end\nendmodule\n',
    'two clocks in one list, as memories have': 'module m(input clk, set, d, output reg q);\nalways @(posedge clk or posedge set) if (set) q <= 1; else q <= d;\nendmodule\n',
    'a temporary of one process': 'module m(input clk, a, b, output reg q);\nreg t;\nalways @(posedge clk) begin t = a ^ b; q <= t; end\nendmodule\n',
    'ports left open': 'module s(input a, output x, y); assign x = a, y = a; endmodule\nmodule m(input a, output y);\ns u (.a(a), .x(), .y(y));\ns v (a);\nendmodule\n',
    'a black box': 'module m(input a, output y);\nendmodule\n',
    'two branches of one name': 'module m #(parameter P = 0)(input a, output y);\nif (P) begin : g wire w = a; assign y = w; end else begin : g wire w = ~a; assign y = w; end\nendmodule\n',
    'a test bench': 'module tb;\nreg clk = 0, d;\nwire q;\nalways #5 clk = ~clk;\ninitial begin d = 0; @(posedge clk); d = 1; wait (q); $finish; end\nassign q = clk & d;\nendmodule\n',
    'an old style of ports': 'module m(clk, d, q);\ninput clk, d;\noutput q;\nreg q;\nalways @(posedge clk) q <= d;\nendmodule\n',
    'hierarchical names': 'module s(input a); wire n = a; endmodule\nmodule m(input a, output y);\ns u (.a(a));\nassign y = u.n;\nendmodule\n',
    'structures': 'module m(input a, output y);\nstruct packed { logic p, q; } both;\nassign both.p = a;\nassign both.q = ~a;\nassign y = ^both;\nendmodule\n',
  };
  for (const [name, text] of Object.entries(cases)) {
    test(name, async () => {
      const findings = await lint(text);
      assert.deepEqual(told(findings.filter(({ level }) => level !== 'hint'), text), [], findings.map(({ message }) => message).join('\n'));
    });
  }
});

test('cells of a technology are not missed in a project', async () => {
  const text = 'module m(input a, output y);\nwire n;\nBUFG b (.I(a), .O(n));\nsky130_fd_sc_hd__inv_1 i (.A(n), .Y(y));\ngone g (.a(n));\nendmodule\n';
  assert.deepEqual(told(await lint(text, { others: { 'o.v': 'module o; endmodule\n' } }), text), ['5: unknown-module']);
});

test('what was meant is guessed for some slips, not for a whole text of unknown names', async () => {
  const assigns = Array.from({ length: 300 }, (_, index) => `assign y[${index}] = value${index}x;`);
  const found = await lint(`module m(input value0, output [299:0] y);\n${assigns.join('\n')}\nendmodule\n`);
  assert.equal(found.filter(({ rule }) => rule === 'undeclared-name').length, 300);
  assert.equal(found.filter(({ message }) => message.includes('did you mean value0')).length, 100);
});

test('a net was not meant to be an instance', async () => {
  const found = await lint('module m(input a, b, output y);\nand l1 (x1, a, b);\nnot (y, x1);\nendmodule\n');
  assert.deepEqual(found.filter(({ rule }) => rule === 'implicit-net').map(({ message }) => message), ['x1 is not declared, so that it becomes a wire of 1 bit; declare it.']);
});

test('of the many nets that a netlist does not declare, only those that connect nothing are told by themselves', async () => {
  const chain = (count: number): string => {
    const gates = Array.from({ length: count }, (_, index) => `inv u${index} (.a(${index === 0 ? 'a' : `n${index - 1}`}), .y(n${index}));`);
    return `module inv(input a, output y); assign y = ~a; endmodule\nmodule m(input a, output z);\n${gates.join('\n')}\nassign z = n${count - 1};\ninv last (.a(n3), .y(n3x));\nendmodule\n`;
  };
  const messages = async (count: number): Promise<string[]> => (await lint(chain(count))).flatMap(({ rule, message }) => (rule === 'implicit-net' ? [message] : []));
  assert.deepEqual(await messages(40), ['n0 and 40 other names of this module are not declared, so that they become wires of 1 bit; declare them.', 'n3x is not declared, so that it becomes a wire of 1 bit; declare it.']);
  assert.equal((await messages(10)).length, 11);
});
