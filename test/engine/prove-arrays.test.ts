/** Ports that are unpacked arrays: the prover sees a vector, with the element at the left of each range in the high bits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, counterexample } from './proving.ts';

interface Family {
  readonly name: string;
  readonly ports: string;
  readonly golden: string;
  readonly same: readonly string[];
  readonly wrong: readonly string[];
}

const leaf = 'module leaf #(parameter N = 2, W = 4) (input [W-1:0] a [0:N-1], output reg [W-1:0] b [N]); integer i; always @* for (i = 0; i < N; i = i + 1) b[i] = a[N-1-i] + 1; endmodule';
const two = (body: string, bounds = '[0:3]'): string => `module m(input logic [3:0] a ${bounds}, input logic [1:0] s, output logic [3:0] y, z ${bounds}); ${body} endmodule`;
const file = (body: string): string => `module m(input logic clk, we, input [1:0] at, input [2:0] d, output logic [2:0] r [4]); ${body} endmodule`;
const grid = (body: string): string => `module m(input [2:0] a [0:1][0:2], input [1:0] i, input j, output [2:0] y [1:0], w); ${body} endmodule`;
const signs = (body: string): string => `module m(input signed [2:0] a [0:1], output signed [5:0] y, output lt, output signed [2:0] h [0:0]); ${body} endmodule`;
const passed = (body: string): string => `${leaf} module m(input [3:0] x [0:1], output [3:0] y [0:1]); ${body} endmodule`;

const families: readonly Family[] = [
  {
    name: 'elements that are chosen and moved',
    ports: 'input a s output y z',
    golden: two('assign y = a[s]; always_comb for (int i = 0; i < 4; i++) z[i] = a[3-i];'),
    same: [
      two("always_comb case (s) 0: y = a[0]; 1: y = a[1]; 2: y = a[2]; default: y = a[3]; endcase assign z[0] = a[3]; assign z[1] = a[2]; assign z[2] = a[1]; assign z[3] = a[0];"),
      two("assign y = a[s + 3'd4]; genvar g; generate for (g = 0; g < 4; g++) assign z[g+4] = a[7-g]; endgenerate", '[4:7]'),
      two('assign y = a[3 - s]; genvar g; generate for (g = 0; g < 4; g++) assign z[g] = a[3-g]; endgenerate', '[3:0]'),
    ],
    wrong: [
      two('assign y = a[s]; always_comb for (int i = 0; i < 4; i++) z[i] = a[i];'),
      two('assign y = a[~s]; always_comb for (int i = 0; i < 4; i++) z[i] = a[3-i];'),
      two('assign y = a[s]; genvar g; generate for (g = 0; g < 4; g++) assign z[g] = a[3-g]; endgenerate', '[3:0]'),
      two("assign y = a[s]; assign z[0] = a[3]; assign z[1] = a[2]; assign z[2] = a[1]; assign z[3] = a[1];"),
    ],
  },
  {
    name: 'a register file',
    ports: 'input clk we at d output r',
    golden: file('always_ff @(posedge clk) if (we) r[at] <= d;'),
    same: [
      file('genvar g; generate for (g = 0; g < 4; g++) always_ff @(posedge clk) if (we && at == g) r[g] <= d; endgenerate'),
      file('logic [2:0] k [4]; always_ff @(posedge clk) if (we) k[at] <= d; assign r[0] = k[0]; assign r[1] = k[1]; assign r[2] = k[2]; assign r[3] = k[3];'),
    ],
    wrong: [file('always_ff @(posedge clk) if (we && at != 0) r[at] <= d;'), file("always_ff @(posedge clk) if (we) r[2'd3 - at] <= d;"), file('always_ff @(posedge clk) if (we) begin r[at] <= d; if (at == 2) r[3] <= d; end')],
  },
  {
    name: 'several dimensions, and a list of ports of one kind',
    ports: 'input a i j output y w',
    golden: grid('assign y[0] = a[0][0] ^ a[0][1] ^ a[0][2]; assign y[1] = a[1][0] & a[1][1] & a[1][2]; assign w = a[j][i];'),
    same: [grid('reg [2:0] p, q; integer k; always @* begin p = 0; q = 7; for (k = 0; k < 3; k = k + 1) begin p = p ^ a[0][k]; q = q & a[1][k]; end end assign y[0] = p; assign y[1] = q; assign w = j ? a[1][i] : a[0][i];')],
    wrong: [grid('assign y[0] = a[0][0] ^ a[0][1] ^ a[0][2]; assign y[1] = a[1][0] & a[1][1] & a[1][2]; assign w = a[!j][i];'), grid('assign y[1] = a[0][0] ^ a[0][1] ^ a[0][2]; assign y[0] = a[1][0] & a[1][1] & a[1][2]; assign w = a[j][i];')],
  },
  {
    name: 'elements with a sign',
    ports: 'input a output y lt h',
    golden: signs('assign y = a[0] * a[1]; assign lt = a[0] < a[1]; assign h[0] = a[0] >>> 1;'),
    same: [signs('wire signed [2:0] p = a[0], q = a[1]; assign y = $signed({{3{p[2]}}, p}) * $signed({{3{q[2]}}, q}); assign lt = q > p; assign h[0] = {p[2], p[2:1]};')],
    wrong: [signs('assign y = $unsigned(a[0]) * $unsigned(a[1]); assign lt = a[0] < a[1]; assign h[0] = a[0] >>> 1;'), signs('assign y = a[0] * a[1]; assign lt = $unsigned(a[0]) < $unsigned(a[1]); assign h[0] = a[0] >>> 1;'), signs('assign y = a[0] * a[1]; assign lt = a[0] < a[1]; assign h[0] = a[0] >> 1;')],
  },
  {
    name: 'arrays between instances',
    ports: 'input x output y',
    golden: 'typedef logic [3:0] word; module m(input word x [0:1], output word y [0:1]); assign y[0] = x[0] + 2; assign y[1] = x[1] + 2; endmodule',
    same: [passed('wire [3:0] t [0:1]; leaf u(.a(x), .b(t)); leaf v(t, y);'), passed('wire [3:0] t [0:1]; genvar g; generate for (g = 0; g < 2; g = g + 1) begin : each if (g == 0) begin leaf u(.a(x), .b(t)); end else begin : last leaf #(.N(2)) v(.b(y), .a(t)); end end endgenerate')],
    wrong: [passed('leaf u(.a(x), .b(y));'), passed('wire [3:0] s [0:1], t [0:1]; leaf u(x, s); leaf v(s, t); leaf w(t, y);'), passed('wire [3:0] t [0:1]; leaf u(.a(x), .b(t)); assign y[0] = t[1] + 2; assign y[1] = t[0] + 1;')],
  },
];

for (const { name, ports, golden, same, wrong } of families) {
  test(name, async () => {
    for (const dut of [golden, ...same]) await check(golden, dut, 'proved', { ports });
    for (const dut of wrong) await counterexample(golden, dut, { ports });
  });
}

test('what is not understood is left to simulation', async () => {
  const plain = passed('assign y[0] = x[0] + 2; assign y[1] = x[1] + 2;');
  const ports = 'input x output y';
  for (const body of ['leaf u(.b(y), .*);', 'wire [3:0] t [0:3]; leaf u(.a(x), .b(t[0:1]));', 'wire [3:0] t [1:0]; leaf u(x, t);', "leaf u('{x[0], x[1]}, y);"]) {
    await check(plain, passed(body), 'unsupported', { ports });
  }
  const { doubt } = await counterexample(plain, passed('wire [7:0] t [0:1]; leaf u(x, t); leaf #(.W(8)) v(t, y);'), { ports });
  assert.match(doubt ?? '', /^The DUT has ports that are unpacked arrays, and connects a port to something of another width/);
});
