import { test } from 'node:test';
import { check } from './harness.ts';

test('a part of what is assigned as a whole makes no latch', async () => {
  await check(`module m(input c, input [7:0] d, input [2:0] s, output logic [7:0] y, z, w);
  typedef struct packed { logic [3:0] data; logic v; } pair_t;
  pair_t p;
  always_comb begin p.data = '0; p.v = 0; if (c) p.data[0] = 1; end
  always_comb begin y[7:4] = 1; y[3:0] = 2; if (c) y[2] = 1; if (d[0]) y[6:5] = 0; end
  always_comb begin z[7:4] = 1; z[3:0] = 2; if (c) z[s] = 1; end
  always_comb begin w[7:4] = 1; if (c) w[3] = p.v; end //! inferred-latch
  wire unused_ok = ^p;
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
