import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Parser } from '../../server/src/syntax/parser.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import { verify } from '../../server/src/verification/verify.ts';
import { design, loader } from '../unit/verification/designs.ts';

const toolbox = createToolbox({ iverilog: '', yosys: '' });
const parser = await Parser.create();
after(() => {
  parser.delete();
});

/** Replaces the one place of the golden; simulation alone has to find it, unless a prover may help. No constant of the source is offered as a value. */
async function check(golden: string, place: string, fault: string, prove = false): Promise<void> {
  const dut = golden.replace(place, fault);
  assert.notEqual(dut, golden);
  const resets = golden.includes('input rst') ? [{ port: 'rst', bit: undefined, active: 'high', kind: 'sync' } as const] : [];
  const load = loader({ '/golden.v': design(golden, { file: '/golden.v', resets }), '/dut.v': design(dut, { file: '/dut.v', resets }) });
  const options = { clocks: [], resets: [], cycles: undefined, seed: 1, timeoutMs: 60_000, engine: 'auto', prove } as const;
  const result = await verify({ golden: { file: '/golden.v' }, dut: { file: '/dut.v' }, options }, { load, toolbox, parser }, {});
  assert.equal(result.verdict, 'different', result.reason);
}

test('a 32-bit value behind arithmetic', () =>
  check(
    `module m(input clk, input rst, input [31:0] a, input [31:0] b, output reg [7:0] y);
      wire [31:0] s = (a + b) ^ 32'h5A5A1234;
      always @(posedge clk) if (rst) y <= 0; else if (s == 32'hDEADBEEF) y <= 8'h17; else y <= y + a[0];
    endmodule`,
    "8'h17",
    "8'h18",
  ));

test('a protocol in four steps that ends in a checksum of the steps before', () =>
  check(
    `module m(input clk, input rst, input valid, input [7:0] data, output reg unlocked);
      reg [1:0] state; reg [7:0] sum;
      always @(posedge clk)
        if (rst) begin state <= 0; unlocked <= 0; sum <= 0; end
        else if (valid) case (state)
          0: if (data == 8'hA5) begin state <= 1; sum <= data; end
          1: if (data[7:4] == 4'h3) begin state <= 2; sum <= sum + data; end else state <= 0;
          2: begin state <= 3; sum <= sum ^ data; end
          3: begin state <= 0; if (data == (sum ^ 8'h3C)) unlocked <= 1; else unlocked <= 0; end
        endcase
    endmodule`,
    'unlocked <= 1',
    'unlocked <= 0',
  ));

test('a lock whose four keys have to come in order, one of them multiplied', () =>
  check(
    `module m(input clk, input rst, input start, input [15:0] key, output reg ok);
      reg [2:0] s;
      always @(posedge clk)
        if (rst) begin s <= 0; ok <= 0; end
        else begin
          ok <= 0;
          case (s)
            0: if (start && key == 16'h1234) s <= 1;
            1: if (key == 16'h4321) s <= 2; else s <= 0;
            2: if (key * 16'd3 == 16'h0BAD) s <= 3; else s <= 0;
            3: if (key == 16'hBEEF) s <= 4; else s <= 0;
            4: begin ok <= 1; s <= 0; end
            default: s <= 0;
          endcase
        end
    endmodule`,
    'ok <= 1',
    'ok <= 0',
  ));

test('a threshold of a counter that shows in no output before', () =>
  check(
    `module m(input clk, input rst, input en, output reg q);
      reg [15:0] n;
      always @(posedge clk)
        if (rst) begin n <= 0; q <= 0; end
        else if (!en) n <= 0;
        else if (n == 16'd40000) begin q <= ~q; n <= 0; end
        else n <= n + 1;
    endmodule`,
    '40000',
    '40001',
  ));

test('a value that only the DUT waits for', () =>
  check(
    `module m(input clk, input [31:0] a, input [31:0] b, output reg [31:0] y);
      wire [31:0] s = a * 32'd7 + b;
      always @(posedge clk) if (a[0]) y <= a ^ b; else y <= a;
    endmodule`,
    'if (a[0])',
    "if (s == 32'hCAFEBABE && a[0]) y <= 0; else if (a[0])",
  ));

test('a value behind mixed bits, which the prover finds for a DUT that it cannot read', () =>
  check(
    `module m(input clk, input rst, input [31:0] a, input [31:0] b, output reg [7:0] y, output z);
      sub u(.clk(clk), .rst(rst), .a(a), .b(b), .z(z));
      always @(posedge clk) if (rst) y <= 0; else y <= y + a[0];
    endmodule
    module sub(input clk, input rst, input [31:0] a, input [31:0] b, output reg z);
      wire [31:0] h = a + {b[8:0], b[31:9]};
      always @(posedge clk) if (rst) z <= 0; else if ((h ^ {h[6:0], h[31:7]}) == 32'h1b5f0000) z <= 1;
    endmodule`,
    'z <= 1;',
    'z <= 0;\n real r = 0; always @(posedge clk) r = r + 1.5;',
    true,
  ));

test('a sum that is cut off where only one input in many, held for long, brings it', () =>
  check(
    `module m(input clk, input rst, input ce, input signed [11:0] e, output reg signed [15:0] u);
      reg signed [19:0] sum;
      wire signed [20:0] next = sum + e;
      always @(posedge clk)
        if (rst) begin sum <= 0; u <= 0; end
        else if (ce) begin
          sum <= next > 21'sd400000 ? 20'sd400000 : next < -21'sd400000 ? -20'sd400000 : next[19:0];
          u <= sum >>> 4;
        end
    endmodule`,
    '? -20',
    '? 20',
  ));

test('a timer that only a command starts, behind a timer that only another input lets run', () =>
  check(
    `module m(input clk, input rst, input [3:0] up, input go, input [7:0] d, output reg [1:0] s, output reg [7:0] q);
      reg [13:0] t;
      always @(posedge clk)
        if (rst) begin s <= 0; t <= 0; q <= 0; end
        else case (s)
          0: if (up != 4'b1001) t <= 0; else if (t == 14'd6000) begin s <= 1; t <= 0; end else t <= t + 1;
          1: if (go && up == 4'b0110) t <= t + 1; else if (t == 0 || up == 4'b1111) t <= 0; else if (t >= 14'd3500) s <= 2;
          default: q <= d + 8'd1;
        endcase
    endmodule`,
    "d + 8'd1",
    "d + 8'd2",
  ));

test('what a slow event leaves behind shows when the next one comes with other inputs', () =>
  check(
    `module m(input clk, input rst, input [3:0] b, output reg [3:0] q, output reg [3:0] pressed);
      reg [12:0] n;
      always @(posedge clk)
        if (rst) begin n <= 0; q <= 0; pressed <= 0; end
        else begin
          pressed <= 0;
          if (b == q) n <= 0;
          else if (n == 13'd6000) begin n <= 0; q <= b; pressed <= b & ~q; end
          else n <= n + 1;
        end
    endmodule`,
    'b & ~q',
    'b',
  ));

test('a comparison of wide values that is registered with others in a concatenation', () =>
  check(
    `module m(input clk, input rst, input load, input [31:0] d, output reg [2:0] flags);
      reg [31:0] held;
      always @(posedge clk) if (rst) begin held <= 0; flags <= 0; end else begin
        flags <= {load, held == (d ^ 32'h0F0F3C3C), ^d};
        if (load) held <= d + 32'd77;
      end
    endmodule`,
    "32'h0F0F3C3C",
    "32'h0F0F3C3D",
  ));

test('an arm of a continuous assignment behind a comparison of wide values', () =>
  check(
    `module m(input clk, input rst, input load, input [31:0] d, input [31:0] e, output [7:0] y);
      reg [31:0] held;
      always @(posedge clk) if (rst) held <= 0; else if (load) held <= d;
      assign y = held + e == 32'h1BADCAFE ? 8'h7E : d[7:0];
    endmodule`,
    "8'h7E",
    "8'h7F",
  ));

test('a comparison that an instance is connected to', () =>
  check(
    `module m(input clk, input rst, input [23:0] d, input [23:0] e, output q);
      follow u(.clk(clk), .rst(rst), .d(d * 3 + e == 24'hC0FFEE), .q(q));
    endmodule
    module follow(input clk, input rst, input d, output reg q);
      always @(posedge clk) q <= !rst & d;
    endmodule`,
    'C0FFEE',
    'C0FFED',
  ));

test('of two conditions, the second one counts only where the first one holds', () =>
  check(
    `module m(input clk, input rst, input [3:0] kind, input [15:0] d, input [15:0] e, output reg hit);
      always @(posedge clk) hit <= d + 16'h1234 == (e ^ 16'h0F00) && kind != 4'hC && !rst;
    endmodule`,
    "kind != 4'hC",
    "kind != 4'hD",
  ));
const RECEIVER = `module m(input clk, input rst, input valid, input [1:0] kind, input [7:0] data, output reg done, output reg ok);
  reg [15:0] sum; reg [7:0] high;
  wire [15:0] next = sum * 16'd3 + {data, 4'h5};
  always @(posedge clk)
    if (rst) begin sum <= 16'h0A50; high <= 0; done <= 0; ok <= 0; end
    else begin
      done <= valid & kind == 2; ok <= valid & kind == 2 & sum == {high, data};
      if (valid) case (kind)
        0: sum <= next;
        1: high <= data;
        default: sum <= 16'h0A50;
      endcase
    end
endmodule`;

for (const prove of [false, true]) {
  const how = prove ? 'with a prover' : 'by simulation alone';
  test(`a checksum of a frame that is formed in another way, ${how}`, () => check(RECEIVER, 'sum * 16\'d3 +', 'sum * 16\'d3 ^', prove));

  test(`a check of a frame that never holds, ${how}`, () => check(RECEIVER, '& sum == {high, data}', '& 1\'b0', prove));
}

test('a cyclic redundancy check with another polynomial, whose result is passed on as a net', () =>
  check(
    `module m(input clk, input rst, input valid, input last, input [7:0] data, output reg done, output reg ok);
      reg [15:0] crc; integer i;
      function [15:0] step(input [15:0] c, input [7:0] b);
        begin
          step = c ^ {b, 8'h00};
          for (i = 0; i < 8; i = i + 1) step = step[15] ? (step << 1) ^ 16'h1021 : step << 1;
        end
      endfunction
      wire match = crc == {8'h5A, data};
      always @(posedge clk)
        if (rst) begin crc <= 16'hFFFF; done <= 0; ok <= 0; end
        else begin
          done <= valid & last; ok <= valid & last & match;
          if (valid) crc <= last ? 16'hFFFF : step(crc, data);
        end
    endmodule`,
    "16'h1021",
    "16'h1025",
  ));
