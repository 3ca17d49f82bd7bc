/** Blocks whose order the standard leaves open (IEEE 1800, 4.8): no proof where it can be seen, and proofs where it cannot. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, proveTexts } from './proving.ts';

const ports = 'input clk a b output y';
const module = (text: string, more = ''): string => `${more}\nmodule m(input clk, a, b, output y); ${text} endmodule`;
const stage = 'module stage(input clk, d, output reg q); reg t; always @(posedge clk) begin t = d; q <= t; end endmodule';
const loose = 'module stage(input clk, d, output reg q); always @(posedge clk) q = d; endmodule';

/** `golden` has no race; the others are the same in a simulator that runs blocks in one order, and not in every one. */
const races: Readonly<Record<string, readonly [golden: string, dut: string, modules?: string]>> = {
  'two blocks': ['reg t, u; always @(posedge clk) t <= a; always @(posedge clk) u <= t; assign y = u;', 'reg t, u; always @(posedge clk) t = a; always @(posedge clk) u <= t; assign y = u;'],
  'a name that is escaped in one place': ['reg t, u; always @(posedge clk) t <= a; always @(posedge clk) u <= t; assign y = u;', 'reg t, u; always @(posedge clk) \\t = a; always @(posedge clk) u <= t; assign y = u;'],
  'a name that must be escaped': ['reg t, u; always @(posedge clk) t <= a; always @(posedge clk) u <= t; assign y = u;', 'reg \\t[0] , u; always @(posedge clk) \\t[0] = a; always @(posedge clk) u <= \\t[0] ; assign y = u;'],
  'through logic': ['reg t, u; always @(posedge clk) t <= a; always @(posedge clk) u <= t ^ b; assign y = u;', 'reg t, u; wire v = t ^ b; always @(posedge clk) t = a; always @(posedge clk) u <= v; assign y = u;'],
  'through combinational blocks': ['reg t, u; always @(posedge clk) t <= a; always @(posedge clk) u <= t | b; assign y = u;', 'reg t, u, v; always @* v = t | b; always @(posedge clk) t = a; always @(posedge clk) u <= v; assign y = u;'],
  'from one instance to the next': ['wire t; stage p(clk, a, t), q(clk, t, y);', 'wire t; stage p(clk, a, t), q(clk, t, y);', loose],
  'a task that a block calls': ['reg t, u; always @(posedge clk) t <= a; always @(posedge clk) u <= t; assign y = u;', 'reg t, u; task keep; t = a; endtask always @(posedge clk) keep; always @(posedge clk) u <= t; assign y = u;'],
  'a generate loop': ['reg [2:0] s; always @(posedge clk) s <= {s[1:0], a}; assign y = s[2];', 'reg [2:0] s; always @(posedge clk) s[0] = a; genvar i; generate for (i = 0; i < 2; i = i + 1) begin : g always @(posedge clk) s[i + 1] = s[i]; end endgenerate assign y = s[2];'],
  'blocks that one macro made': ['reg t, u; always @(posedge clk) t <= a; always @(posedge clk) u <= t; assign y = u;', 'reg t, u; `KEEP(t, a, u, t) assign y = u;', '`define KEEP(p, q, r, s) always @(posedge clk) p = q; always @(posedge clk) r = s;'],
  'a counter of a loop': ['reg [1:0] u; always @(posedge clk) u <= 2; assign y = u[0] ^ a;', 'reg [1:0] u, i; reg t; always @(posedge clk) for (i = 0; i < 2; i = i + 1) t <= a; always @(posedge clk) u <= i; assign y = u[0] ^ a;'],
  'a synchronous reset': ['reg t, u; always @(posedge clk) if (b) t <= 0; else t <= a; always @(posedge clk) u <= t; assign y = u;', 'reg t, u; always @(posedge clk) if (b) t = 0; else t <= a; always @(posedge clk) u <= t; assign y = u;'],
  'behind an asynchronous reset': ['reg t, u; always @(posedge clk or posedge b) if (b) t <= 0; else t <= a; always @(posedge clk) u <= t; assign y = u;', 'reg t, u; always @(posedge clk or posedge b) if (b) t <= 0; else t = a; always @(posedge clk) u <= t; assign y = u;'],
  'a latch that closes there': ['reg t, u; always @(posedge clk) t <= a; always @* if (!clk) u = t; assign y = u;', 'reg t, u; wire n = ~clk; always @(posedge clk) t = a; always @* if (n) u = t; assign y = u;'],
  'the enable of another block': ['reg t, u; always @(posedge clk) t <= a; always @(posedge clk) if (t) u <= b; assign y = u;', 'reg t, u; always @(posedge clk) t = a; always @(posedge clk) if (t) u <= b; assign y = u;'],
};

for (const [name, [golden, dut, modules]] of Object.entries(races)) {
  test(`a race is never proved: ${name}`, async () => {
    const result = await proveTexts(module(golden, modules === loose ? loose.replace('=', '<=') : modules), module(dut, modules), { ports });
    const said = result.kind === 'counterexample' ? (result.doubt ?? '') : result.kind === 'undecided' ? result.reason : result.kind;
    assert.match(said, /the order of the blocks matters/);
  });
}

const harmless: Readonly<Record<string, readonly [golden: string, dut: string, modules?: string]>> = {
  'read by an assignment alone': ['reg t; always @(posedge clk) t <= a; assign y = t & b;', 'reg t, u; always @(posedge clk) t = a; always @(posedge clk) u <= b; assign y = t & b;'],
  'read in its own block': ['reg t, u, v; always @(posedge clk) begin u <= a ^ b; v <= u; end assign y = v;', 'reg t, u, v; always @(posedge clk) begin t = a ^ b; u <= t; end always @(posedge clk) v <= u; assign y = v;'],
  'read by a latch that opens there': ['reg t, u; always @(posedge clk) t <= a; always @* if (clk) u = t; assign y = u;', 'reg t, u; always @(posedge clk) t = a; always @* if (clk) u = t; assign y = u;'],
  'read at the other edge': ['reg t, u; always @(posedge clk) t <= a; always @(negedge clk) u <= t; assign y = u;', 'reg t, u; always @(posedge clk) t = a; always @(negedge clk) u = t; assign y = u;'],
  'in an asynchronous reset alone': ['reg t, u; always @(posedge clk or posedge b) if (b) t <= 0; else t <= a; always @(posedge clk) u <= t; assign y = u;', 'reg t, u; always @(posedge clk or posedge b) begin if (b) t = 0; else t <= a; end always @(posedge clk) u <= t; assign y = u;'],
  'a temporary in each instance': ['reg t, u; assign y = u; always @(posedge clk) begin t <= a; u <= t; end', 'wire w; stage p(clk, a, w), q(clk, w, y);', stage],
};

for (const [name, [golden, dut, modules]] of Object.entries(harmless)) {
  test(`an assignment with = that no order can change is followed: ${name}`, async () => {
    await check(module(golden), module(dut, modules), 'proved', { ports });
  });
}
