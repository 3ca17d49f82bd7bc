/** Proofs about what Yosys reads only in other terms: each golden is compared with a plain module, and with one that has a fault. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, counterexample, embedded, proveTexts, type Options } from './proving.ts';

const ports = 'input clk rst a b output q';
const newer = { ports, request: { yosys: embedded } };
const module = (items: string, before = ''): string => `${before} module m(input logic clk, rst, input logic [3:0] a, b, output logic [7:0] q); ${items} endmodule`;

/** Each pair: what replaces a place of the golden, and what the place is. */
async function checkPair(golden: string, same: string, [place, fault]: readonly [string, string], options: Options = { ports }): Promise<void> {
  assert.ok(golden.includes(place));
  await check(golden, same, 'proved', options);
  await counterexample(same, golden.replace(place, fault), options);
}

test('a function that returns early, out of a choice and out of a loop', async () => {
  const early = (body: string): string => module(`function automatic logic [3:0] f(input logic [3:0] x, y); ${body} endfunction assign q = f(a, b);`);
  await checkPair(early('if (x == 0) return y; if (y == 0) return 4\'d9; return x ^ y;'), module("assign q = a == 0 ? b : b == 0 ? 9 : a ^ b;"), ["4'd9", "4'd8"]);
  await checkPair(early('case (x[1:0]) 0: return y; 1, 2: begin if (y[0]) return x; end default: ; endcase return 4\'d1;'), module("assign q = a[1:0] == 0 ? b : a[1:0] != 3 && b[0] ? a : 1;"), ['return x', 'return y']);
  await checkPair(early('for (int i = 0; i < 4; i++) if (x[i]) return i; return 4\'d4;'), module('assign q = a[0] ? 0 : a[1] ? 1 : a[2] ? 2 : a[3] ? 3 : 4;'), ['return i;', 'if (i != 2) return i;']);
});

test('a loop that is left, and one that goes on', async () => {
  const loop = module('always_comb begin q = 0; for (int i = 0; i < 4; i++) begin if (b[i]) continue; if (!a[i]) break; q = q + 1; end end');
  const plain = module(`wire [4:0] go; assign go[0] = 1; genvar i; generate for (i = 0; i < 4; i = i + 1) begin : g assign go[i+1] = go[i] & (b[i] | a[i]); end endgenerate
    assign q = (go[0] & a[0] & ~b[0]) + (go[1] & a[1] & ~b[1]) + (go[2] & a[2] & ~b[2]) + (go[3] & a[3] & ~b[3]);`);
  await checkPair(loop, plain, ['continue', 'break']);
  const clocked = module('always_ff @(posedge clk or posedge rst) if (rst) q <= 0; else begin for (int i = 3; i >= 0; i--) begin if (a[i]) begin q <= i; break; end end end');
  await checkPair(clocked, module('always @(posedge clk or posedge rst) if (rst) q <= 0; else if (a[3]) q <= 3; else if (a[2]) q <= 2; else if (a[1]) q <= 1; else if (a[0]) q <= 0;'), ['break;', '']);
});

test('a pattern extends each value as an assignment does', async () => {
  const types = 'typedef struct packed { logic [3:0] hi; logic signed [2:0] mid; logic lo; } s_t;';
  const wide = module("s_t s; logic signed [1:0] n; assign n = a[1:0]; always_comb s = '{hi: a[1:0] + b[1:0], lo: 1, mid: n}; assign q = s;", types);
  await checkPair(wide, module('wire [3:0] sum = a[1:0] + b[1:0]; assign q = {sum, a[1], a[1:0], 1\'b1};'), ['mid: n', 'mid: a[1:0]']);
  const reset = module("s_t s; always_ff @(posedge clk) if (rst) s <= '{hi: '1, default: '0}; else if (b[0]) s <= '{a, b[2:0], 1'b1}; assign q = s;", types);
  await checkPair(reset, module("always @(posedge clk) if (rst) q <= 8'hf0; else if (b[0]) q <= {a, b[2:0], 1'b1};"), ["default: '0", "default: '1"]);
  const chosen = module("s_t s; always_comb s = a[0] ? '{hi: a, default: 0} : '{hi: b, mid: 1, lo: 1}; assign q = s;", types);
  await checkPair(chosen, module("assign q = a[0] ? {a, 4'd0} : {b, 4'b0011};"), ['mid: 1', 'mid: 2']);
});

test('arrays of words, structures and constants', async () => {
  const memory = (reset: string): string => module(`logic [7:0] r [4]; always_ff @(posedge clk) if (rst) ${reset} else r[a[1:0]] <= {a, b}; assign q = r[b[1:0]];`);
  await checkPair(memory("r <= '{default: 8'h5a};"), memory("for (int i = 0; i < 4; i++) r[i] <= 8'h5a;"), ["8'h5a", "8'h5b"]);
  await checkPair(memory("r <= '{1, 2, 3, 4};"), memory('begin r[0] <= 1; r[1] <= 2; r[2] <= 3; r[3] <= 4; end'), ['3, 4', '4, 3']);
  const table = module("localparam logic [3:0] T [4] = '{4'd3, 4'd5, 4'd9, 4'd1}; localparam logic [3:0] U [2:0] = '{7, 8, 2}; assign q = T[a[1:0]] + (a[1:0] < 3 ? U[a[1:0]] : 0);");
  await checkPair(table, module('wire [7:0] t = a[1:0] == 0 ? 3 : a[1:0] == 1 ? 5 : a[1:0] == 2 ? 9 : 1; assign q = t + (a[1:0] == 0 ? 2 : a[1:0] == 1 ? 8 : a[1:0] == 2 ? 7 : 0);'), ['7, 8', '8, 7']);
  const entries = module("e_t e [4]; always_ff @(posedge clk) begin e[a[1:0]].v <= b; if (rst) e[a[1:0]].d <= a; end assign q = {e[b[1:0]].v, e[b[1:0]].d};", 'typedef struct packed { logic [3:0] v, d; } e_t;');
  await checkPair(entries, module('reg [3:0] v [0:3], d [0:3]; always @(posedge clk) begin v[a[1:0]] <= b; if (rst) d[a[1:0]] <= a; end assign q = {v[b[1:0]], d[b[1:0]]};'), ['.d <= a', '.v <= a']);
});

test('membership, loops over arrays, and variables of one call', async () => {
  await checkPair(module("assign q = a inside {1, 4'd3, [6:9]};"), module('assign q = a == 1 || a == 3 || (a >= 6 && a < 10);'), ['6:9', '6:10']);
  await checkPair(module('logic [3:0] r; always_comb foreach (r[i]) r[i] = a[3 - i]; assign q = r;'), module('assign q = {a[0], a[1], a[2], a[3]};'), ['3 - i', 'i']);
  await checkPair(module('always_comb begin automatic logic [3:0] t = a + b; automatic int n; n = n + t; q = n; end'), module('wire [3:0] t = a + b; assign q = t;'), ['a + b', 'a - b']);
  await checkPair(module('function automatic int ones(input logic [3:0] x); foreach (x[i]) ones += x[i]; endfunction assign q = ones(a);'), module('assign q = a[0] + a[1] + a[2] + a[3];'), ['+= x', '-= x']);
});

test('a release that loses the members of a variable of a function claims no proof', async () => {
  const text = module('function automatic [7:0] f(input s_t x); s_t t; t = x; t.hi[1:0] = 0; f = t; endfunction assign q = f({a, b});', 'typedef struct packed { logic [3:0] hi, lo; } s_t;');
  const result = await proveTexts(text, text.replace('t.hi', 't.lo'), { ports });
  assert.ok(result.kind === 'counterexample' || result.kind === 'unsupported', JSON.stringify(result));
});

test('structures of functions and arrays of structures, which older releases do not read', async () => {
  const wide = (text: string): string => text.replace('[7:0] q', '[31:0] q');
  const golden = wide(
    module(
      `e_t e [4]; e_t [1:0] r; p_t p; always_ff @(posedge clk) begin e[a[1:0]] <= {a, b}; r[a[0]] <= {b, a}; p[a[1]] <= b; end
      function automatic logic [7:0] argument(input s_t s); return {s.lo, s.mid, s.hi}; endfunction
      function automatic e_t result(input logic [3:0] x); result = '0; result.v = x; endfunction
      function automatic [7:0] inner(input e_t x); e_t t; t = x; t.v[1:0] = 0; inner = t; endfunction
      assign q = {rst ? e[b[1:0]] : r[b[0]] ^ p[b[1]], argument('{mid: b[2:0], hi: a, lo: b[3]}), result(a), inner({a, b})};`,
      'typedef struct packed { logic [3:0] hi; logic signed [2:0] mid; logic lo; } s_t; typedef struct packed { logic [3:0] v, d; } e_t; typedef logic [3:0] n_t; typedef n_t [1:0] p_t;',
    ),
  );
  const plain = (index: string, parts: string): string =>
    wide(
      module(`reg [7:0] e [0:3], r0, r1; reg [3:0] p0, p1;
      always @(posedge clk) begin e[${index}] <= {a, b}; if (a[0]) r1 <= {b, a}; else r0 <= {b, a}; if (a[1]) p1 <= b; else p0 <= b; end
      assign q = {rst ? e[b[1:0]] : (b[0] ? r1 : r0) ^ (b[1] ? p1 : p0), ${parts}};`),
    );
  const same = plain('a[1:0]', "b, a, a, 4'd0, a[3:2], 2'd0, b");
  const faults = [['e[a[1:0]]', 'e[a[2:1]]'], ['lo: b[3]', 'lo: b[2]'], ['result.v', 'result.d'], ['t.v[1:0]', 't.d[1:0]']] as const;
  const faulty = faults.reduce((text, [place, fault]) => text.replace(place, fault), golden);
  // One proof of all faults as they are meant tells each of them from the golden.
  const [proved, meant] = [await proveTexts(golden, same, newer), await proveTexts(faulty, plain('a[2:1]', "b[2], b[2:0], a, 4'd0, a, a, b[3:2], 2'd0"), newer)];
  assert.deepEqual([proved.kind, meant.kind], ['proved', 'proved'], JSON.stringify([proved, meant]));
});
