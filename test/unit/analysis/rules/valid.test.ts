import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, lint } from './harness.ts';

test('a part of what is assigned as a whole makes no latch', async () => {
  await check(`module m(input c, input [7:0] d, input [2:0] s, output logic [7:0] y, z, w); //! undriven-bits
  typedef struct packed { logic [3:0] data; logic v; } pair_t;
  pair_t p;
  always_comb begin p.data = '0; p.v = 0; if (c) p.data[0] = 1; end
  always_comb begin y[7:4] = 1; y[3:0] = 2; if (c) y[2] = 1; if (d[0]) y[6:5] = 0; end
  always_comb begin z[7:4] = 1; z[3:0] = 2; if (c) z[s] = 1; end
  always_comb begin w[7:4] = 1; if (c) w[3] = p.v; end //! inferred-latch
  wire unused_ok = ^p;
endmodule`);
});

test('parts that are the whole together make no latch', async () => {
  await check(`module m(input e, input [3:0] s, d, output reg [3:0] p, q, r, output logic [3:0] t, u, v);
  typedef struct packed { logic [1:0] h, l; } pair_t;
  pair_t w;
  logic [3:0] x [2];
  always @* begin {p[3], p[2], p[1], p[0]} = 0; if (e) p = s; end
  always @* begin q[3:2] = 0; q[1:0] = 1; if (e) q = s; end
  always @* begin r[0+:2] = 0; r[3-:2] = 1; if (e) r = s; end
  always @* begin t[3:2] = 0; t[0] = 1; if (e) t = s; end //! inferred-latch
  always_comb begin w.h = 0; w.l = 1; if (e) w = s; u = w; end
  always_comb begin x[0] = s; x[1] = d; if (e) x = '{d, s}; v = x[0] ^ x[1]; end
endmodule`);
});

test('a process may drive what an interface port leads to', async () => {
  await check(`interface bus; logic v; modport m(output v); endinterface
module a(bus.m b, input clk); always_ff @(posedge clk) b.v <= 1; endmodule
module c(input clk, output q); always_ff @(posedge clk) q <= 1; endmodule //! assigned-net`);
});

test('drivers that can let go of a net may be several', async () => {
  await check(`module m(input a, b, c, output z, y);
  bufif1 (z, a, b);
  bufif0 (z, c, b);
  and (y, a, b);
  or (y, a, c); //! multiple-drivers
endmodule`);
});

test('queues, associative and dynamic arrays have methods, items and keys', async () => {
  await check(`module m;
  class pkt; int x; endclass
  pkt q[$]; int aa[string], found[$], bounded[$:7];
  initial begin
    automatic pkt p = new;
    q.push_back(p);
    aa["x"] = 1;
    found = found.find(it) with (it > 2);
    bounded.push_front(1);
    $display(q.size(), bounded[0], aa["y"], q[0].x, q[0].y); //! unknown-member
  end
endmodule`);
});

test('names that only SystemVerilog declares are found', async () => {
  await check(`package consts; let ten = 10; let plus(a, b = 1) = a + b; endpackage
interface bus; logic data; modport given(export answer, output data); endinterface
module callee(bus.given b);
  function automatic logic b.answer(input logic v);
    begin answer = ~v; end
  endfunction
endmodule
program;
  task shared; endtask
  function int next(input int i); return i + 1; endfunction
endprogram
class holder #(type T = int); T held; endclass
class random_pair; rand int one, two; endclass
module m;
  typedef struct { int x; } point_t;
  typedef union tagged { void none; int some; } maybe_t;
  point_t points[$], some_points[$];
  int q[$], sum;
  maybe_t maybe;
  holder #(virtual bus) handle;
  random_pair pair;
  initial begin
    some_points = points.unique(p) with (p.x);
    sum = q.or(v) with (v) + q.xor(w) with (w);
    sum = consts::ten + consts::plus(.a(1)) + next(2);
    shared();
    sum = pair.randomize(two) with { two > 3; };
    maybe = tagged some 1;
    case (maybe) matches
      tagged none: ;
      tagged some .n: sum = n;
    endcase
    if (maybe matches tagged some .n &&& n > 3) $finish;
    sum = gone; //! undeclared-name
  end
endmodule`);
});

test('constants of a block, and generate blocks without a name', async () => {
  await check(`module m(output [3:0] y, z, output logic w);
  function integer count(input integer n);
    begin : outer
      integer k;
      localparam step = 2;
      count = 0;
      for (k = 0; k < n; k = k + step) count = count + 1;
    end
  endfunction
  for (genvar i = 0; i < 2; i++) wire [1:0] x = 1;
  assign y = {genblk1[0].x, genblk1[1].x};
  assign z = count(6);
  assign w = genblk2[0].x; //! undeclared-name
endmodule`);
});

test('a buffer drives all its terminals but the last', async () => {
  await check(`module m(input a, output b, c, d);
  wire n, p;
  buf (b, c, d, n);
  not inverter(p, n, a);
endmodule`);
});

test('a case that covers every value makes no latch, whatever it is written with', async () => {
  await check(`module m(input [1:0] s, input [3:0] p, input [7:0] d, output reg [7:0] a, b, c, e, f, g, h);
  always @* (* full_case *) case (s) 0: a = d; 1: a = ~d; endcase
  always @* case (s) // synopsys full_case parallel_case
    0: b = d; 1: b = ~d; endcase
  always @* case (s) // not a full case //! inferred-latch
    0: c = d; 1: c = ~d; endcase
  always @* casez (p) 4'b0000: e = 0; 4'b???1: e = 1; 4'b??10: e = 2; 4'b?100: e = 3; 4'b1000: e = 4; endcase
  always @* casez (p) 4'b0000: f = 0; 4'b???1: f = 1; 4'b??10: f = 2; 4'b?100: f = 3; endcase //! inferred-latch
  always_comb begin unique if (s == 0) g = d; else if (s == 1) g = ~d; end
  always_comb if (s == 0) h = d; else if (s == 1) h = ~d; else if (s == 2) h = 0; else if (s == 3) h = 1;
endmodule`);
});

test('what a parameter selects, a task assigns or no path reads old is no latch', async () => {
  await check(`module m #(parameter MODE = 0, VALUE = 1'b0)(input a, b, clr, set, en, input [7:0] k, output reg [7:0] o, p, q, output reg l, x);
  always @* case (MODE) 0: o = k; 1: o = ~k; endcase
  always @* if (a) q = k; else set_q(~k);
  task set_q(input [7:0] v); q = v; endtask
  task give(input [7:0] v, output [7:0] r); r = v; endtask
  always @* if (a) p = k; else give(~k, p);
  always @* begin if (clr) l = VALUE; else if (set) l = 1; else if (en) l = a; end //! plain-latch
  reg [7:0] t, u;
  reg [127:0] i;
  reg [7:0] z;
  always @* begin
    z = 0;
    for (i = 0; i < 100; i = i + 2) z = z + k;
    if (a) begin t = z; u = t + 1; end
    else if (b) u = k; //! inferred-latch
    x = ^u;
  end
endmodule`);
});

test('case items are compared in the size of the largest', async () => {
  await check(`module m(input [7:0] q, input [1:0] s, input signed [1:0] n, output reg [3:0] y, z, w);
  always @* case (q[0] + q[1] + q[2]) 4'd0: y = 1; 4'd1: y = 2; 4'd2: y = 3; 4'd3: y = 4; default: y = 5; endcase
  always @* case (s) 4'd5: z = 1; 4'd1: z = 2; default: z = 3; endcase //! unreachable-case-item
  always @* case (n) 4'b1111: w = 1; default: w = 2; endcase
endmodule`);
});

test('drivers that give way, hold by force or drive a buffer', async () => {
  await check(`module buffer(input a, e, output y); assign y = e ? a : 1'bz; endmodule
module plain(input a, output y); assign y = a; endmodule
module outer(input a, e, output y); buffer b (.a(a), .e(e), .y(y)); endmodule
module m(input clk, a, b, e, output y, z, w, output reg q);
  buffer b0 (.a(a), .e(e), .y(y));
  buffer b1 (.a(b), .e(~e), .y(y));
  outer o0 (.a(a), .e(e), .y(w));
  outer o1 (.a(b), .e(~e), .y(w));
  plain p0 (.a(a), .y(z));
  plain p1 (.a(b), .y(z)); //! multiple-drivers
  always @(posedge clk) begin q <= a; if (b) force q = 1; else release q; end //! not-synthesizable //! not-synthesizable
  initial begin force a = 1; force y = 0; end
endmodule`);
});

test('ports that are interfaces, references or declared twice', async () => {
  await check(`interface bus; logic v; endinterface
module m(input clk, bus b, input d, ref int r, y, output z);
  output y;
  always @(posedge clk) begin b.v <= d; r <= 1; end
endmodule
module n(clk, y, z);
  input clk;
  output [1:0] y, z; //! undriven
  wire [1:0] y = {clk, clk};
  wire [1:0] z;
endmodule`.replace(', y, output z);\n  output y;', ');'));
});

test('what only the type of a signal is asked for, a formal tool chooses or a test bench sets needs no driver', async () => {
  await check(`module m(output [31:0] y, output z, w, v, u);
  wire [7:0] asked [0:3];
  assign y = $bits(asked) + $size(asked) + $left(asked, 2);
  (* anyconst *) reg chosen;
  assign z = chosen;
  reg set /*verilator public_flat_rw*/;
  assign w = set;
  reg none; //! undriven
  assign v = none;
  (* keep *) wire kept; //! undriven
  assign u = kept;
endmodule`);
});

test('processes that wake for what they name', async () => {
  await check(`module m(input clk, c2, a, b, input [7:0] k, output reg x, y, z, w, v);
  reg mode;
  initial mode = 1;
  always @(a) x = a & mode;
  always @(a) y = a & b; //! incomplete-sensitivity
  always @(a) if (a) $display("%b", b);
  always @(a or k) fill(k, z);
  task fill(input [7:0] from, output to); to = ^from; endtask
  always @(posedge clk) w = a; //! clocked-race
  always @(posedge clk) v <= w;
  reg r1;
  always @(posedge c2) r1 = a; //! blocking-in-clocked
  always @(negedge c2) if (r1) $display("seen");
endmodule`);
});

test('resets and edges in other forms', async () => {
  await check(`module m(input clk, rst_n, rst, d, output reg a, b, c, e);
  always @(posedge clk or negedge rst_n) if (~(!rst_n)) a <= d; else a <= 0;
  always @(posedge clk or negedge rst_n) if (rst_n) b <= 0; else b <= d; //! reset-polarity
  always @(d or negedge clk) if (!clk) c = d;
  always @(posedge clk or rst) if (rst) e <= 0; else e <= d; //! mixed-edges
endmodule`);
});

test('text that only looks like an assignment or a comparison', async () => {
  await check(`module m;
  reg [7:0] seed, s, t;
  int list[$] = {2, -1, 127};
  initial begin
    if ($value$plusargs("SEED=%d", seed)) s = 1;
    if (s == "=") t = "\\r";
    if ((2'bxx == 2'b01) !== 1'bx) t = 2;
    if (s == 8'bx) t = 3; //! unknown-compare
  end
endmodule`);
});

test('widths that are meant', async () => {
  await check(`module m #(parameter type T = logic [7:0], S = logic [3:0])(input [31:0] w, input [15:0] x, input T u, output [7:0] b, d, e, f, g, output S n);
  assign b = w >> 8;
  assign d = x - 16'd300;
  assign e = x[0] ? w >> 24 : w;
  function integer f1(input integer k); f1 = k + 1; endfunction
  assign f = f1(3);
  assign g = w; //! width-truncation
  wire [8:0] sum = x[7:0] + x[15:8];
  wire [7:0] low = sum;
  wire carry = sum[8];
  assign n = ~u;
  typedef logic signed [15:0] s_t;
  typedef struct { string name; struct { logic [7:0] a[2][3]; } in; } deep_t;
  s_t line [2:1];
  deep_t p, q;
  wire neg = line[2] < 0;
  assign line[1] = x;
  assign line[2] = line[1];
  assign {p.in.a[0][0], q.in.a[0][0]} = {8'h01, 8'h01};
endmodule`);
});

test('loops go through bits, and only through those that depend on each other', async () => {
  await check(`module m(input clk, s, r, en, input [3:0] d, output [7:0] y, output [3:0] g, output z, qn);
  wire [3:0] chain, grey, ring, sum, later;
  assign chain = {chain[2:0], s} & d;
  assign grey[3] = d[3];
  assign grey[2:0] = grey[3:1] ^ d[2:0];
  assign ring = {ring[2:0], ring[3]} ^ d; //! combinational-loop
  wire [1:0] two;
  assign two[0] = two[1] & s; //! combinational-loop
  assign two[1] = two[0] | r;
  assign sum = {sum[2:0], s} + d;
  wire [3:0] bad = bad[3:1] + d; //! combinational-loop
  wire p = (up == d) ^ s; //! combinational-loop
  wire [3:0] up;
  assign up = {4{s}} & {3'b0, p};
  wire q;
  assign q = ~(s & qn);
  assign qn = ~(r & q);
  wire osc;
  assign #5 osc = ~osc;
  (* keep *) wire kept;
  assign kept = ~(kept & en);
  wire held;
  assign held = en ? s : held;
  assign y = {chain, ring} ^ {sum, bad}, g = grey ^ up ^ later, z = q ^ osc ^ kept ^ held ^ ^two;
  assign later[0] = d[0];
  assign later[1] = later[0] & d[1];
  assign later[3:2] = later[1:0] | d[3:2];
endmodule`);
});

test('parts that nothing drives, and parts that only seem so', async () => {
  await check(`module half(input a, output [1:0] o); assign o = {a, ~a}; endmodule
module m #(parameter N = 4)(input clk, input [3:0] d, output [3:0] y, z, output [7:0] w, v, output [N-1:0] u, output p); //! undriven-bits
  wire [3:0] n, lower, whole, looped; //! undriven-bits
  wire [1:4] up;
  assign n[2:0] = d[2:0];
  assign lower[1:0] = d[1:0];
  half h0 (.a(d[0]), .o(up[1:2]));
  half h1 (.a(d[1]), .o(up[3:4]));
  assign {whole[3], whole[2:0]} = d;
  for (genvar i = 0; i < 4; i++) assign looped[i] = d[i];
  assign y = n, p = ^lower[1:0];
  assign z = up ^ whole ^ looped;
  assign w[6:0] = d;
  reg [7:0] kept = 0;
  always @(posedge clk) kept[3:0] <= d;
  assign v = kept;
  assign u[N-1] = d[0], u[N-2:0] = 0;
  int count;
  initial count[7:0] = 1;
  wire q = count > d;
endmodule`);
});

test('unknown digits of a plain case match no value', async () => {
  await check(`module m(input [3:0] s, input b, output reg [3:0] y, z, w);
  always @* case (s) 4'b1xxx: y = 1; default: y = 0; endcase //! unreachable-case-item
  always @* casez (s) 4'b1???: z = 1; default: z = 0; endcase
  always @* case (b) 1'b0: w = 0; 1'b1: w = 1; 1'bx: w = 2; 1'bz: w = 3; endcase
endmodule`);
});

test('inputs that nothing reads, and resets in logic', async () => {
  const levels = { 'unread-input': 'warning', 'reset-as-data': 'warning' } as const;
  await check(`module sub(input clk, rst_n, input [3:0] bus, input unused_pin, output reg q); //! unread-input
  always @(posedge clk or negedge rst_n) if (!rst_n) q <= 0; else q <= ~q;
  wire [3:0] width = $bits(clk);
endmodule
module top(input clk, rst_n, d, output q, y); //! reset-as-data
  sub s (.clk(clk), .rst_n(rst_n), .bus({4{d}}), .unused_pin(d), .q(q));
  reg r;
  always @(posedge clk or negedge rst_n) if (!rst_n) r <= 0; else r <= d;
  assign y = r & rst_n;
endmodule`.replace('output q, y); //! reset-as-data', 'output q, y);').replace('assign y = r & rst_n;', 'assign y = r & rst_n; //! reset-as-data'), { levels });
});

test('an assignment may wait inside, and an x of a casez stands for itself', async () => {
  await check(`module m(input e, input [1:0] a, output reg p, q, r, output reg [1:0] y);
  always p = #1 ~p;
  always q = @(e) 1'b1;
  always r <= @(e) 1'b1; //! always-without-control
  always @* casez (a) 2'b10: y = 1; 2'bx?: y = 2; 2'b??: y = 3; endcase
endmodule`);
});

test('a class without a constructor is made all the same', async () => {
  await check(`class base; int x; endclass
class derived extends base; function new(); super.new(); endfunction endclass
module m(input a, output b);
  base o = base::new;
  derived d;
  initial begin d = derived::new(); d.x = o.x; assert (a); end
  a1: assert #0 (a);
  assign b = a;
endmodule`);
});

test('a modport may name subroutines that a connected module defines', async () => {
  await check(`interface bus;
  logic [7:0] data;
  modport provider(output data, export task send(input logic [7:0] val), export function logic [3:0] ask(int what, input byte how));
  modport consumer(input data, import task send(input logic [7:0] val), import ask, import function int own(), task more(int n), last);
  function int own(); return data; endfunction
  task more(int n); endtask
  task last; endtask
endinterface`);
});

test('processes of a test bench are no hardware', async () => {
  const checks = `reg [3:0] count, last; reg seen; wire [3:0] q;
  always @(count) begin if (count == 4) last = q; else if (count == 3) seen = 1; end
  initial begin count = 0; repeat (5) #10 count = count + 1; $finish; end
  initial $monitor("%d %d %b", count, last, seen);
  dut d(count, q);`;
  await check(`module tb; ${checks}\nendmodule\nmodule dut(input [3:0] a, output [3:0] q); assign q = a; endmodule`);
  await check(`module tb; ${checks}\n  logic k; always_comb if (seen) k = last[0]; //! inferred-latch\n  initial $display(k);\nendmodule\nmodule dut(input [3:0] a, output [3:0] q); assign q = a; endmodule`);
});

test('a process that wakes for what it assigns late reads no old value in the end', async () => {
  await check(`module m(input a, b, output reg x, y, output logic z);
  reg t, u; logic v;
  always @(*) begin t <= a & b; x = t | b; end //! nonblocking-in-combinational
  always @(a, b, u) begin u <= a & b; y = u | b; end //! nonblocking-in-combinational
  always_comb begin v <= a & b; z = v | b; end //! stale-read
endmodule`);
});

test('the size that is suggested for a literal holds its value', async () => {
  const found = await lint('module m(input a, output [63:0] y, z); assign y = {a, 1}; assign z = {a, 23}; endmodule');
  assert.deepEqual(found.map(({ message }) => /as in (\S+)\.$/.exec(message)?.[1]), ["1'b1", "5'd23"]);
});

test('what a formal tool may choose within its assumptions has a value', async () => {
  await check(`module m(input clk, input [3:0] d, addr, output reg [3:0] q);
  reg [3:0] f_addr; wire f_en, nothing; //! undriven
  always @(*) assume (f_addr < 8);
  assume property (@(posedge clk) f_en || d == 0);
  always @(posedge clk) if ((f_en && addr == f_addr) || nothing) q <= d;
endmodule`);
});

test('a default clocking block may be named after its declaration', async () => {
  await check(`module m(input clk, d);
  clocking cb @(posedge clk); input d; endclocking
  default clocking cb;
  initial ##2 $display(cb.d);
endmodule`);
});

test('a remainder fits into the bits below its divisor', async () => {
  await check(`module m(input [7:0] a, output [2:0] x, y, output [3:0] z);
  localparam N = 8;
  assign x = a % N;
  assign y = a % 9; //! width-truncation
  assign z = (a + 1) % 16;
endmodule`);
});
