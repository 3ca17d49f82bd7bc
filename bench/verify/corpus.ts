/** Golden modules of many kinds, so that the benchmark runs where no other data is. Each is named by what is special about it. */
export const corpus: Readonly<Record<string, string>> = {
  adder: 'module adder(input [7:0] a, b, input cin, output [7:0] sum, output cout);\nassign {cout, sum} = a + b + {8\'d0, cin};\nendmodule',
  signed_compare:
    'module signed_compare(input signed [7:0] a, input signed [7:0] b, output lt, output eq, output signed [8:0] diff);\nassign lt = a < b, eq = a == b;\nassign diff = a - b;\nendmodule',
  alu: `module alu(input [2:0] op, input [15:0] a, b, output reg [15:0] y, output zero);
  always @* case (op)
    3'd0: y = a + b;
    3'd1: y = a - b;
    3'd2: y = a & b;
    3'd3: y = a | b;
    3'd4: y = a ^ b;
    3'd5: y = a << b[3:0];
    3'd6: y = $signed(a) >>> b[3:0];
    default: y = {15'd0, a < b};
  endcase
  assign zero = y == 16'd0;
endmodule`,
  priority: `module priority_encoder(input [7:0] request, output reg [2:0] index, output reg valid);
  integer i;
  always @* begin
    index = 3'd0; valid = 1'b0;
    for (i = 7; i >= 0; i = i - 1) if (request[i]) begin index = i[2:0]; valid = 1'b1; end
  end
endmodule`,
  rare_value: 'module rare_value(input [31:0] key, input [7:0] d, output reg [7:0] q);\nalways @* if (key == 32\'hcafe_f00d) q = ~d; else if (key[15:0] == 16\'h1234) q = d + 8\'d1; else q = d;\nendmodule',
  divider: 'module divider(input [7:0] a, input [7:0] b, output [7:0] q, output [7:0] r);\nassign q = b == 8\'d0 ? 8\'hff : a / b;\nassign r = b == 8\'d0 ? a : a % b;\nendmodule',
  counter: 'module counter(input clk, input rst, input en, input up, output reg [7:0] q, output wrap);\nassign wrap = en && (up ? q == 8\'hff : q == 8\'h00);\nalways @(posedge clk) if (rst) q <= 8\'d0; else if (en) q <= up ? q + 8\'d1 : q - 8\'d1;\nendmodule',
  slow_counter: `module slow_counter(input clk, input rst_n, input en, output reg tick);
  reg [13:0] n;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin n <= 14'd0; tick <= 1'b0; end
    else if (en) begin tick <= n == 14'd9999; n <= n == 14'd9999 ? 14'd0 : n + 14'd1; end
endmodule`,
  shift: 'module shift(input clk, input arst, input load, input [7:0] d, input si, output so, output reg [7:0] q);\nassign so = q[7];\nalways @(posedge clk, posedge arst) if (arst) q <= 8\'h5a; else if (load) q <= d; else q <= {q[6:0], si};\nendmodule',
  sequence: `module sequence_detector(input clk, input rst, input bit_in, output found);
  localparam A = 0, B = 1, C = 2, D = 3, E = 4;
  reg [2:0] state;
  assign found = state == E;
  always @(posedge clk)
    if (rst) state <= A;
    else case (state)
      A: state <= bit_in ? B : A;
      B: state <= bit_in ? B : C;
      C: state <= bit_in ? D : A;
      D: state <= bit_in ? E : C;
      default: state <= bit_in ? B : C;
    endcase
endmodule`,
  fifo: `module fifo #(parameter W = 8, parameter A = 2)(input clk, input rst, input push, input pop, input [W-1:0] din, output [W-1:0] dout, output full, output empty);
  reg [W-1:0] mem [0:(1<<A)-1];
  reg [A:0] wp, rp;
  assign empty = wp == rp;
  assign full = wp[A] != rp[A] && wp[A-1:0] == rp[A-1:0];
  assign dout = mem[rp[A-1:0]];
  always @(posedge clk)
    if (rst) begin wp <= 0; rp <= 0; end
    else begin
      if (push && !full) begin mem[wp[A-1:0]] <= din; wp <= wp + 1'b1; end
      if (pop && !empty) rp <= rp + 1'b1;
    end
endmodule`,
  arbiter: `module arbiter(input clk, input rst, input [2:0] req, output reg [2:0] grant);
  reg [1:0] last;
  reg [2:0] rotated, chosen;
  always @* begin
    case (last) 2'd0: rotated = {req[0], req[2], req[1]}; 2'd1: rotated = {req[1], req[0], req[2]}; default: rotated = req; endcase
    chosen = rotated & (~rotated + 3'd1);
    case (last) 2'd0: grant = {chosen[1], chosen[0], chosen[2]}; 2'd1: grant = {chosen[0], chosen[2], chosen[1]}; default: grant = chosen; endcase
  end
  always @(posedge clk) if (rst) last <= 2'd2; else if (|req) last <= grant[0] ? 2'd0 : grant[1] ? 2'd1 : 2'd2;
endmodule`,
  lfsr: 'module lfsr(input clk, input rst, input en, output reg [15:0] q);\nalways @(posedge clk) if (rst) q <= 16\'hace1; else if (en) q <= {q[14:0], q[15] ^ q[13] ^ q[12] ^ q[10]};\nendmodule',
  pipeline: `module pipeline(input clk, input [7:0] a, b, c, output reg [17:0] y);
  reg [15:0] product; reg [7:0] held;
  always @(posedge clk) begin product <= a * b; held <= c; y <= product + held; end
endmodule`,
  latch: 'module latch(input en, input clear, input [3:0] d, output reg [3:0] q);\nalways @* if (clear) q = 4\'d0; else if (en) q = d;\nendmodule',
  both_edges: 'module both_edges(input clk, input d, output q);\nreg p, n;\nalways @(posedge clk) p <= d ^ n;\nalways @(negedge clk) n <= d ^ p;\nassign q = p ^ n;\nendmodule',
  two_clocks: `module two_clocks(input wclk, input rclk, input rst_n, input d, output reg q, output reg seen);
  reg a, b;
  always @(posedge wclk or negedge rst_n) if (!rst_n) a <= 1'b0; else a <= d;
  always @(posedge rclk or negedge rst_n) if (!rst_n) {q, b} <= 2'b00; else {q, b} <= {b, a};
  always @(negedge rclk or negedge rst_n) if (!rst_n) seen <= 1'b0; else seen <= seen | q;
endmodule`,
  gated_clock: 'module gated_clock(input clk, input gate, input rst, input d, output reg q, output reg [3:0] n);\nreg enable;\nalways @* if (!clk) enable = gate;\nwire slow = clk & enable;\nalways @(posedge slow or posedge rst) if (rst) begin q <= 0; n <= 0; end else begin q <= d; n <= n + 4\'d1; end\nendmodule',
  divided_clock: 'module divided_clock(input clk, input rst, output reg half, output reg [3:0] n);\nalways @(posedge clk or posedge rst) if (rst) half <= 1\'b0; else half <= ~half;\nalways @(posedge half or posedge rst) if (rst) n <= 4\'d0; else n <= n + 4\'d3;\nendmodule',
  three_state: 'module three_state(input oe, input sel, input [3:0] a, b, output [3:0] y);\nassign y = oe ? (sel ? b : a) : 4\'bzzzz;\nendmodule',
  pad: 'module pad(input clk, input oe, input d, inout io, output reg q);\nassign io = oe ? d : 1\'bz;\nalways @(posedge clk) q <= io;\nendmodule',
  packed_ports: `module packed_ports(input logic [3:0][7:0] lanes, input logic [1:0] pick, output logic [7:0] lane, output logic [3:0] parity);
  typedef struct packed { logic high; logic [6:0] rest; } byte_t;
  byte_t chosen;
  assign chosen = byte_t'(lanes[pick]);
  assign lane = {chosen.rest, chosen.high};
  always_comb for (int i = 0; i < 4; i++) parity[i] = ^lanes[i];
endmodule`,
  hierarchy: `module hierarchy #(parameter N = 4)(input [N-1:0] a, b, input cin, output [N-1:0] sum, output cout);
  wire [N:0] carry;
  assign carry[0] = cin, cout = carry[N];
  genvar i;
  generate for (i = 0; i < N; i = i + 1) begin : stage full_adder fa(.a(a[i]), .b(b[i]), .c(carry[i]), .s(sum[i]), .co(carry[i+1])); end endgenerate
endmodule
module full_adder(input a, b, c, output s, co);
  assign s = a ^ b ^ c;
  assign co = (a & b) | (c & (a ^ b));
endmodule`,
  handshake: `module handshake(input clk, input rst, input valid, input [7:0] data, output ready, output reg out_valid, output reg [7:0] out_data, input out_ready);
  assign ready = !out_valid || out_ready;
  always @(posedge clk)
    if (rst) out_valid <= 1'b0;
    else if (ready) begin out_valid <= valid; if (valid) out_data <= data ^ 8'h3c; end
endmodule`,
  old_names: 'module old_names(input clk, input logic, input do, output reg bit);\nalways @(posedge clk) bit <= logic ^ (do & bit);\nendmodule',
  uart: `module uart(input clk, input rst, input start, input [7:0] data, output reg tx, output busy);
  reg [3:0] left; reg [8:0] frame; reg [1:0] pace;
  assign busy = left != 4'd0;
  always @(posedge clk)
    if (rst) begin left <= 4'd0; tx <= 1'b1; pace <= 2'd0; frame <= 9'd0; end
    else if (!busy) begin if (start) begin frame <= {data, 1'b0}; left <= 4'd10; pace <= 2'd0; end end
    else begin
      pace <= pace + 2'd1;
      if (pace == 2'd3) begin tx <= left == 4'd1 ? 1'b1 : frame[0]; frame <= {1'b1, frame[8:1]}; left <= left - 4'd1; end
    end
endmodule`,
};

/** The name of the module to compare: the first of a text. */
export function topOf(text: string): string {
  return /\bmodule\s+(\w+)/.exec(text)?.[1] ?? '';
}
