import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clocking } from '../../../server/src/analysis/module.ts';
import { loaded } from './design.ts';

function describe(clocking: Clocking): string {
  const bit = (value: number | undefined): string => (value === undefined ? '' : `[${value}]`);
  const clocks = clocking.clocks.map((clock) => `${clock.edges.join('/')} ${clock.port}${bit(clock.bit)}`);
  const resets = clocking.resets.map((reset) => `${reset.kind} ${reset.active} ${reset.port}${bit(reset.bit)}`);
  const marks = [clocking.sequential ? '' : 'combinational', clocking.latches ? 'latch' : '', clocking.gated ? 'gated' : '', clocking.complete ? '' : 'incomplete'];
  return [...clocks, ...resets, ...marks].filter((part) => part !== '').join(', ');
}

/** The body of a module with common ports; `below` holds further modules. */
async function check(body: string, expected: string, below = ''): Promise<void> {
  const header = 'module top(input clk, clk2, rst, rst_n, en, sel, d, input [1:0] v, output reg q, output reg [3:0] r, output y);';
  const { module } = await loaded(`${header}\n${body}\nendmodule\n${below}`, { module: 'top' });
  assert.equal(describe(module.clocking), expected, body);
}

test('edges and asynchronous resets of both polarities', async () => {
  await check('always @(posedge clk) q <= d;', 'posedge clk');
  await check('always_ff @(negedge clk) q <= d;', 'negedge clk');
  await check('always @(posedge clk or negedge rst_n) if (!rst_n) q <= 0; else q <= d;', 'posedge clk, async low rst_n');
  await check('always @(posedge clk, posedge rst) begin if (rst == 1\'b1) q <= 0; else q <= d; end', 'posedge clk, async high rst');
  await check('always @(negedge rst_n or posedge clk) if (~rst_n) q <= 0; else if (en) q <= d;', 'posedge clk, async low rst_n');
  await check('always @(posedge clk or posedge rst) q <= rst ? 1\'b0 : d;', 'posedge clk, async high rst');
  await check('always @(posedge clk or posedge en) if (en) q <= 0; else q <= d;', 'posedge clk, async high en');
});

test('an asynchronous reset and set, and a synchronous clear beside an asynchronous reset', async () => {
  await check('always @(posedge clk or negedge rst_n or posedge sel) if (!rst_n) q <= 0; else if (sel) q <= 1; else q <= d;', 'posedge clk, async low rst_n, async high sel');
  await check('always @(posedge clk or negedge rst_n) if (!rst_n) q <= 0; else if (rst) q <= 0; else q <= d;', 'posedge clk, sync high rst, async low rst_n');
  await check('always @(posedge clk or negedge rst_n) if (!rst_n || rst) q <= 0; else q <= d;', 'posedge clk, sync high rst, async low rst_n');
});

test('synchronous resets by structure or name, never a plain enable or load', async () => {
  await check('always @(posedge clk) if (rst) r <= 0; else r <= r + 1;', 'posedge clk, sync high rst');
  await check('always @(posedge clk) if (!rst_n) r <= 4\'d3; else r <= r + 1;', 'posedge clk, sync low rst_n');
  await check('always @(posedge clk) if (d) r <= 0; else r <= r + 1;', 'posedge clk');
  await check('always @(posedge clk) if (clk2) r <= 0; else r <= r + 1;', 'posedge clk, sync high clk2');
  await check('always @(posedge clk) if (en) r <= 0; else r <= r + 1;', 'posedge clk');
  await check('always @(posedge clk) if (en) r <= {r[2:0], d};', 'posedge clk');
  await check('always @(posedge clk) if (clk2) q <= 0; else q <= 1;', 'posedge clk');
  await check('always @(posedge clk) if (rst | r == 9) r <= 0; else r <= r + 1;', 'posedge clk, sync high rst');
  await check('always @(posedge clk) if (en) begin if (rst) r <= 0; else r <= r + 1; end', 'posedge clk, sync high rst');
});

test('several clocks, both edges, bits of a vector, iff and waits inside a process', async () => {
  await check('always @(posedge clk) q <= d; always @(negedge clk2) r <= r + d;', 'posedge clk, negedge clk2');
  await check('always @(posedge clk or negedge clk) q <= d;', 'posedge/negedge clk');
  await check('always @(posedge clk or negedge clk) if (clk) q <= d; else q <= ~d;', 'posedge/negedge clk');
  await check('always @(posedge clk) q <= d; always @(negedge clk) r <= d;', 'posedge/negedge clk');
  await check('always @(posedge v[1]) q <= d;', 'posedge v[1]');
  await check('always_ff @(posedge clk iff en) q <= d;', 'posedge clk');
  await check('always begin @(posedge clk); q <= d; @(posedge clk); q <= ~d; end', 'posedge clk');
});

test('clocks through assignments, inverters, gates, multiplexers and primitives', async () => {
  await check('wire c = clk; always @(posedge c) q <= d;', 'posedge clk');
  await check('wire c; assign c = ~clk; always @(posedge c) q <= d;', 'negedge clk');
  await check('wire c = clk & en; always @(posedge c) q <= d;', 'posedge clk, gated');
  await check('wire c = sel ? clk : ~clk2; always @(posedge c) q <= d;', 'posedge clk, negedge clk2, gated');
  await check('wire c = 1 ? clk : clk2; always @(posedge c) q <= d;', 'posedge clk, posedge clk2');
  await check('reg c; always @* if (sel) c = clk; else c = clk2; always @(posedge c) q <= d;', 'posedge clk, posedge clk2, gated');
  await check('wire n = rst_n & en; always @(posedge clk or negedge n) if (!n) q <= 0; else q <= d;', 'posedge clk, async low rst_n, async low en, gated');
  await check('wire c = clk ^ sel; always @(posedge c) q <= d;', 'posedge/negedge clk, gated');
  await check('wire c; not n(c, clk); always @(posedge c) q <= d;', 'negedge clk');
  await check('reg c; always @* c = !clk; always @(negedge c) q <= d;', 'posedge clk');
  await check('wire n = ~rst_n; always @(posedge clk or posedge n) if (n) q <= 0; else q <= d;', 'posedge clk, async low rst_n');
});

test('a divided clock leads to the clock of its register', async () => {
  await check('reg half; always @(posedge clk) half <= ~half; always @(posedge half) q <= d;', 'posedge clk');
  await check('reg [3:0] n; always @(posedge clk) n <= n + 1; always @(posedge n[3] or posedge rst) if (rst) q <= 0; else q <= d;', 'posedge clk, async high rst');
});

test('clocks and resets through instances, by name, position and wildcard', async () => {
  const below = 'module ff(input c, r, d, output reg q); always @(posedge c or negedge r) if (!r) q <= 0; else q <= d; endmodule';
  await check('ff u(.c(~clk), .r(rst_n), .d(d), .q(y));', 'negedge clk, async low rst_n', below);
  await check('ff u(clk, ~rst, d, y);', 'posedge clk, async high rst', below);
  await check('wire c = clk2, r = rst_n; ff u(.q(y), .*);', 'posedge clk2, async low rst_n', below);
  await check('wire g; gate k(.i(clk), .e(en), .o(g)); ff u(g, rst_n, d, y);', 'posedge clk, async low rst_n, gated', `${below} module gate(input i, e, output o); assign o = i & e; endmodule`);
  await check('genvar i; generate for (i = 0; i < 2; i = i + 1) begin : g ff u(v[i], rst_n, d, y); end endgenerate', 'posedge v[0], posedge v[1], async low rst_n', below);
});

test('latches and what looks like one', async () => {
  await check('always_latch if (en) q <= d;', 'latch');
  await check('always @* if (en) q = d;', 'latch');
  await check('always @* case (v) 0: q = d; 1: q = en; endcase', 'latch');
  await check('assign y = en ? d : y;', 'latch');
  await check('always @(en) q = en & d;', 'latch');
  await check('always @* if (en) q = d; else q = 0;', 'combinational');
  await check('always @* begin q = 0; if (en) q = d; end', 'combinational');
  await check('always @* case (v) 0: q = d; 1: q = en; 2: q = 0; 3: q = 1; endcase', 'combinational');
  await check('always @* case (v) 0: q = d; default: q = en; endcase', 'combinational');
  await check('integer i; always @* for (i = 0; i < 4; i = i + 1) r[i] = d;', 'combinational');
  await check('always @(en or d) q = en & d;', 'combinational');
});

test('what cannot be traced is said', async () => {
  await check('wire c; pll u(.i(clk), .o(c)); always @(posedge c) q <= d;', 'incomplete');
  await check('always @(posedge clk) q <= d; mystery u(clk, d);', 'posedge clk, incomplete');
});

test('clocks and resets that pass through an interface, by modports, the whole of it, and more than one level', async () => {
  const bus = `interface bus(input logic clk, input logic rst_n); logic [3:0] d; logic slow; assign slow = ~clk; modport dst(input d, clk, rst_n); endinterface
    module cons(bus.dst b, output logic q); always_ff @(posedge b.clk or negedge b.rst_n) if (!b.rst_n) q <= 0; else q <= b.d[0]; endmodule
    module late(bus b, output logic q); always_ff @(posedge b.slow) q <= b.d[0]; endmodule
    module deep(bus b, output logic q); cons c(.b, .q); endmodule`;
  await check('bus b(clk2, rst_n); cons c(.b(b.dst), .q(q));', 'posedge clk2, async low rst_n', bus);
  await check('bus b(.clk, .rst_n); cons c(b, q);', 'posedge clk, async low rst_n', bus);
  await check('bus b(clk, rst_n); late l(b, q);', 'negedge clk', bus);
  await check('bus b(.*); deep l(b, q);', 'posedge clk, async low rst_n', bus);
  await check('bus b(clk, rst_n); always_ff @(posedge b.clk) q <= d;', 'posedge clk', bus);
});
