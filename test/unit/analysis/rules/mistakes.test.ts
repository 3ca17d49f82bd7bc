import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { check, fixed, lint, viewOf } from './harness.ts';

/** A clean counter and a module that uses it; each mistake is one replacement in it and must be the only finding, on its line. */
const host = `module counter #(parameter int WIDTH = 8) (
  input logic clk, rst_n, en,
  input logic [WIDTH-1:0] start,
  output logic [WIDTH-1:0] count
);
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) count <= '0;
    else if (en) count <= count + 1'b1;
    else count <= start;
endmodule

package maths;
  localparam int LIMIT = 12;
  function automatic logic [3:0] clip(input logic [3:0] value);
    if (value > 4'd12) return 4'd12;
    else return value;
  endfunction
endpackage

module top import maths::*; (
  input clk, rst_n,
  input [1:0] sel,
  input [7:0] a, b,
  input signed [7:0] s, t,
  output reg [7:0] q, y,
  output reg [3:0] low,
  output wire [7:0] total,
  output wire big, less
);
  typedef enum logic [1:0] {IDLE, RUN, DONE} state_t;
  state_t state, next;
  wire [7:0] n0;
  wire [3:0] half = a[7:4];

  counter #(.WIDTH(8)) u0 (.clk(clk), .rst_n(rst_n), .en(a[0]), .start(b), .count(n0));

  assign total = n0 + b;
  assign big = a > 8'd100;
  assign less = s < t;

  function automatic [3:0] pick(input [7:0] word);
    pick = word[3:0];
  endfunction

  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      q <= 0;
      state <= IDLE;
    end else begin
      q <= total;
      state <= next;
    end

  always_comb begin
    case (state)
      IDLE: next = a[0] ? RUN : IDLE;
      RUN: next = DONE;
      default: next = IDLE;
    endcase
  end

  always @(*) begin
    case (sel)
      2'd0: y = a;
      2'd1: y = b;
      2'd2: y = {half, 4'b0};
      default: y = 8'hff;
    endcase
    if (big) low = clip(pick(a));
    else low = 4'd3;
  end

  genvar g;
  wire [3:0] inverted;
  generate
    for (g = 0; g < 4; g = g + 1) begin : bits
      assign inverted[g] = ~half[g];
    end
    if (LIMIT > 4) begin : wide
      wire [7:0] both = a | {inverted, half};
      reg [7:0] held;
      always @(posedge clk) held <= both;
    end
  endgenerate
endmodule
`;

interface Mistake {
  readonly rule: string;
  readonly before: string;
  readonly after: string;
  /** The line that must be flagged holds this text; undefined: the one of the replacement. */
  readonly at?: string;
}

const mistakes: readonly Mistake[] = [
  { rule: 'undeclared-name', before: 'q <= total;', after: 'q <= totl;' },
  { rule: 'undeclared-name', before: 'pick = word[3:0];', after: 'pick = wrod[3:0];' },
  { rule: 'undeclared-name', before: 'return value;', after: 'return vlaue;' },
  { rule: 'undeclared-name', before: 'RUN: next = DONE;', after: 'RUN: next = DONNE;' },
  { rule: 'undeclared-name', before: 'assign inverted[g] = ~half[g];', after: 'assign inverted[g] = ~halve[g];' },
  { rule: 'implicit-net', before: '.count(n0));', after: '.count(n0)), u1 (.clk(clk), .rst_n(rst_n), .en(n_en), .start(b), .count());' },
  { rule: 'unknown-port', before: '.start(b)', after: '.strat(b)' },
  { rule: 'repeated-port', before: '.en(a[0])', after: '.en(a[0]), .en(a[1])' },
  { rule: 'missing-port', before: '.start(b), ', after: '' },
  { rule: 'unknown-parameter', before: '.WIDTH(8)', after: '.WIDHT(8)' },
  { rule: 'repeated-parameter', before: '.WIDTH(8)', after: '.WIDTH(8), .WIDTH(8)' },
  { rule: 'port-width', before: '.start(b)', after: '.start(half)' },
  { rule: 'width-truncation', before: 'else low = 4\'d3;', after: 'else low = a;' },
  { rule: 'width-truncation', before: 'wire [3:0] half = a[7:4];', after: 'wire [3:0] half = a;' },
  { rule: 'width-truncation', before: 'pick = word[3:0];', after: 'pick = word;' },
  { rule: 'width-truncation', before: 'wire [7:0] both = a |', after: 'wire [5:0] both = a |' },
  { rule: 'truncated-constant', before: "8'd100", after: "8'd300" },
  { rule: 'truncated-constant', before: "return 4'd12", after: "return 4'd18" },
  { rule: 'index-out-of-range', before: '.en(a[0])', after: '.en(a[8])' },
  { rule: 'index-out-of-range', before: 'word[3:0]', after: 'word[9:6]' },
  { rule: 'unsized-in-concatenation', before: "{half, 4'b0}", after: '{half[3], half[2:0], 0}' },
  { rule: 'signed-compare', before: 's < t', after: 's < a' },
  { rule: 'constant-comparison', before: "a > 8'd100", after: "a >= 9'd400" },
  { rule: 'constant-comparison', before: "value > 4'd12", after: 'value < 0' },
  { rule: 'unknown-compare', before: "a > 8'd100", after: "a == 8'hxx" },
  { rule: 'multiple-drivers', before: 'assign big =', after: 'assign total = b;\n  assign big =', at: 'assign total = b;' },
  { rule: 'multiple-drivers', before: 'always_comb begin', after: 'always @(posedge clk) q <= a;\n  always_comb begin', at: 'q <= a;' },
  { rule: 'multiple-drivers', before: 'if (LIMIT > 4)', after: 'assign inverted[2] = 1;\n    assign inverted[2] = 0;\n    if (LIMIT > 4)', at: 'assign inverted[2] = 0' },
  { rule: 'undriven', before: '.count(n0)', after: '.count()', at: 'wire [7:0] n0;' },
  { rule: 'undriven', before: 'assign less = s < t;', after: '', at: 'output wire big, less' },
  { rule: 'assigned-input', before: 'assign less = s < t;', after: 'assign less = s < t;\n  assign sel = 1;', at: 'assign sel' },
  { rule: 'assigned-net', before: 'output reg [7:0] q, y,', after: 'output [7:0] q,\n  output reg [7:0] y,', at: 'q <= 0;' },
  { rule: 'combinational-loop', before: 'assign total = n0 + b;', after: 'assign total = n0 + (total ^ b);' },
  { rule: 'inferred-latch', before: '      default: next = IDLE;\n', after: '', at: 'case (state)' },
  { rule: 'inferred-latch', before: "      default: y = 8'hff;\n", after: '', at: 'case (sel)' },
  { rule: 'inferred-latch', before: "\n    else low = 4'd3;", after: '' },
  { rule: 'inferred-latch', before: "2'd1: y = b;", after: "2'd1: ;" },
  { rule: 'incomplete-sensitivity', before: 'always @(*) begin', after: 'always @(sel or a or b) begin' },
  { rule: 'clocked-race', before: 'always_comb begin', after: 'reg [7:0] early;\n  always @(posedge clk) early = a;\n  reg [7:0] late;\n  always @(posedge clk) late <= early;\n  always_comb begin', at: 'early = a' },
  { rule: 'blocking-in-clocked', before: 'always @(posedge clk) held <= both;', after: 'always @(posedge clk) held = both;\n      wire seen = ^held;', at: 'held = both' },
  { rule: 'stale-read', before: "    if (big) low = clip(pick(a));\n    else low = 4'd3;", after: "    low = 4'd3;\n  end\n  logic [3:0] fresh, stale;\n  always_comb begin\n    fresh <= a[3:0];\n    stale = fresh;\n  end\n  wire seen = ^stale;\n  always @(*) begin", at: 'fresh <=' },
  { rule: 'nonblocking-in-combinational', before: "    if (big) low = clip(pick(a));\n    else low = 4'd3;", after: "    low <= 4'd3;", at: 'low <=' },
  { rule: 'mixed-assignment', before: "      q <= 0;", after: '      q = 0;' },
  { rule: 'mixed-edges', before: 'always @(posedge clk or negedge rst_n)', after: 'always @(posedge clk or rst_n)' },
  { rule: 'reset-polarity', before: 'if (!rst_n) begin', after: 'if (rst_n) begin' },
  { rule: 'reset-polarity', before: "if (!rst_n) count <= '0;", after: "if (rst_n) count <= '0;" },
  { rule: 'untested-edge', before: 'always @(posedge clk) held', after: 'always @(posedge clk or negedge rst_n) held' },
  { rule: 'always-without-control', before: 'always @(*) begin', after: 'always begin' },
  { rule: 'duplicate-case-item', before: "2'd1: y = b;", after: "2'd0: y = b;" },
  { rule: 'unreachable-case-item', before: "2'd1: y = b;", after: "3'd5: y = b;" },
  { rule: 'repeated-condition', before: 'else low = 4\'d3;', after: "else if (big) low = 1;\n    else low = 4'd3;", at: 'else if (big)' },
  { rule: 'assignment-in-condition', before: 'if (big) low', after: 'if ((low = a[3:0])) low' },
  { rule: 'constant-condition', before: 'if (big) low', after: "if (1'b1) low" },
  { rule: 'duplicate-declaration', before: 'wire [7:0] n0;', after: 'wire [7:0] n0;\n  wire n0;', at: '  wire n0;' },
  { rule: 'casex', before: 'case (sel)', after: 'casex (sel)' },
  { rule: 'not-synthesizable', before: 'held <= both;', after: '#1 held <= both;' },
];

describe('a seeded mistake is told once, on its line', () => {
  test('in a design that is clean without it', async () => {
    assert.deepEqual(viewOf(host).errors, []);
    await check(host);
  });

  for (const [index, { rule, before, after, at }] of mistakes.entries()) {
    test(`${index}: ${rule}: ${after.split('\n')[0] ?? ''}`, async () => {
      const start = host.indexOf(before);
      assert.ok(start >= 0, before);
      const text = host.slice(0, start) + after + host.slice(start + before.length);
      const place = at === undefined ? start + Math.max(after.search(/\S/), 0) : text.indexOf(at) + Math.max(at.search(/\S/), 0);
      const line = text.slice(0, place).split('\n').length;
      const lines = text.split('\n');
      lines[line - 1] = `${lines[line - 1] ?? ''} //! ${rule}`;
      await check(lines.join('\n'));
    });
  }
});

describe('what a fix leaves is clean', () => {
  for (const { rule, before, after } of mistakes) {
    test(`${rule}: ${after.split('\n')[0] ?? ''}`, async () => {
      const text = host.replace(before, () => after);
      const finding = (await lint(text)).find((candidate) => candidate.rule === rule);
      assert.ok(finding);
      for (const { title } of finding.fixes) {
        const mended = fixed(text, finding, title);
        const again = (await lint(mended)).filter((candidate) => candidate.rule === rule || candidate.level === 'error');
        assert.deepEqual(again.map(({ message }) => message), [], `${title}\n${mended}`);
      }
    });
  }
});
