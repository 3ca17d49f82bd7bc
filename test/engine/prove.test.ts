import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Yosys } from '../../server/src/tools/yosys.ts';
import { check, counterexample, embedded, program, proveTexts, yosys } from './proving.ts';

const flop = (event: string, body: string): string => `module m(input clk, rst, d, output reg q); always @(${event}) ${body} endmodule`;
const sync = flop('posedge clk', 'if (rst) q <= 0; else q <= d;');

test('combinational logic: equal, and different with values', async () => {
  const ports = 'input a b output y';
  const header = 'module m(input [3:0] a, b, output [4:0] y);';
  await check(`${header} assign y = a + b; endmodule`, `${header} assign y = b - ~a - 1; endmodule`, 'proved', { ports });
  await check(`${header} assign y = a + b; endmodule`, `${header} wire [4:0] t = {1'b0, b}; assign y = t + a; endmodule`, 'proved', { ports });
  const found = await counterexample(`${header} assign y = a & b; endmodule`, `${header} assign y = a | b; endmodule`, { ports });
  const [step] = found.steps;
  assert.ok(found.steps.length === 1 && step !== undefined && !found.unknownOnly && found.doubt === undefined);
  const [a, b] = [step.inputs['a'], step.inputs['b']].map((text) => parseInt(text ?? '', 2));
  assert.ok(a !== undefined && b !== undefined);
  assert.equal(parseInt(step.expected['y'] ?? '', 2), a & b);
  assert.equal(parseInt(step.actual['y'] ?? '', 2), a | b);
});

test('a rewritten register is proved', async () => {
  const result = await check(sync, 'module m(input clk, rst, d, output q); reg s; assign q = s; always @(posedge clk) s <= d & ~rst; endmodule', 'proved');
  assert.deepEqual(result.kind === 'proved' && result.notes, []);
});

test('registers stand for each other by what they do, not by their names', async () => {
  const multiplier = (first: string, second: string, third: string, declared: readonly string[], operation = '*'): string => `module m(input clk, input [23:0] a, b, output [23:0] q);
    ${declared.map((name) => `reg [23:0] ${name};`).join('\n')}
    always @(posedge clk) begin ${first} <= a ${operation} b; ${second} <= ${first} * a; ${third} <= ${second} * b; end
    assign q = ${third};
  endmodule`;
  const options = { ports: 'input clk a b output q', request: { timeoutMs: 5000 } };
  const golden = multiplier('zero', 'one', 'two', ['zero', 'one', 'two']);
  await check(golden, multiplier('c', 'a0', 'b0', ['b0', 'c', 'a0']), 'proved', options);
  // Names that lie.
  await check(golden, multiplier('two', 'zero', 'one', ['zero', 'one', 'two']), 'proved', options);
  await check(golden, multiplier('c', 'a0', 'b0', ['b0', 'c', 'a0'], '^'), 'counterexample', options);
});

test('a test for unknown values finds nothing where the DUT knows what it looks at', async () => {
  const shifting = (name: string, test: string, more = ''): string => `module m(input clk, rst, d, output reg q); reg [1:0] ${name}; ${more}
    always @(posedge clk) if (rst) ${name} <= 0; else ${name} <= {${name}[0], d};
    always @* begin q = ${name}[1]; ${test} end endmodule`;
  const golden = shifting('s', "if (^s === 1'bx) q = 1'bx;");
  await check(golden, shifting('t', "if (1'bx === ^t) q = 1'bx;"), 'proved');
  await check(golden, shifting('t', "if (^t !== 1'bx) q = t[1]; else q = 1'bx;"), 'proved');
  await check(golden, shifting('t', ''), 'proved');
  // What it looks at is unknown for ever, or so to a simulator.
  for (const test of ["if ((u ^ u) === 1'bx) q = 1'b1;", "if (u === 1'bx) q = 1'bx;", "if (^{t, u} === 1'bx) q = 1'bx;", "if (u === 1'bx) q = 0;"]) {
    const other = await proveTexts(golden, shifting('t', test, 'reg u; always @(posedge clk) u <= u & d;'));
    assert.notEqual(other.kind, 'proved', test);
  }
  const known = await proveTexts(shifting('s', "q = ^s === 1'bx;"), shifting('t', 'q = 0;'));
  assert.notEqual(known.kind, 'proved');
});

test('a variable that counts the loops of several blocks does not stand in the way of a proof, nor make one', async () => {
  const looping = (order: string, read = ''): string => `module m(input clk, rst, input [3:0] d, output reg [3:0] q, output reg [2:0] n);
    integer i;
    always @* begin n = 0; for (i = 0; i < 4; i = i + 1) n = n + q[i]; ${read} end
    always @(posedge clk) if (rst) for (i = 0; i < 4; i = i + 1) q[i] <= 1'b0; else for (i = 0; i < 4; i = i + 1) q[i] <= d[${order}];
  endmodule`;
  const plain = (order: string, number = 'q[0] + q[1] + q[2] + q[3]'): string => `module m(input clk, rst, input [3:0] d, output reg [3:0] q, output [2:0] n);
    assign n = ${number}; always @(posedge clk) q <= rst ? 4'd0 : {${order}}; endmodule`;
  const options = { ports: 'input clk rst d output q n' };
  await check(looping('3 - i'), plain('d[0], d[1], d[2], d[3]'), 'proved', options);
  await check(plain('d[0], d[1], d[2], d[3]'), looping('3 - i'), 'proved', options);
  await check(looping('i'), plain('d[0], d[1], d[2], d[3]'), 'counterexample', options);
  const leaking = await proveTexts(looping('i', 'n = i;'), plain('d', "3'd4"), options);
  assert.notEqual(leaking.kind, 'proved');
});

test('wrong edge, wrong polarity, asynchronous for synchronous, lost enable: never proved', async () => {
  const wrongEdge = await counterexample(sync, flop('negedge clk', 'if (rst) q <= 0; else q <= d;'));
  assert.equal(wrongEdge.time, 'edges');
  const polarity = await counterexample(sync, flop('posedge clk', 'if (!rst) q <= 0; else q <= d;'));
  assert.equal(polarity.time, 'ticks');
  const async = flop('posedge clk or posedge rst', 'if (rst) q <= 0; else q <= d;');
  await counterexample(sync, async);
  await counterexample(async, sync);
  await counterexample(async, flop('posedge clk or negedge rst', 'if (!rst) q <= 0; else q <= d;'));
  await counterexample(async, flop('posedge clk or posedge rst', 'if (rst) q <= 1; else q <= d;'));
  await check(async, flop('posedge rst or posedge clk', 'begin if (rst == 1) q <= 1 - 1; else q <= d; end'), 'proved');
});

test('initial values count', async () => {
  const start = (value: string) => `module m(input clk, rst, d, output reg q = ${value}); always @(posedge clk) if (d) q <= ~q; endmodule`;
  await check(start('0'), start("1'b0"), 'proved');
  await counterexample(start('0'), start('1'));
  const held = (value: string) => `module m(input clk, rst, d, output q); reg s = ${value}; assign q = s;
    always @(posedge clk or posedge rst) if (rst) s <= 1; else s <= s; endmodule`;
  await check(held('0'), held('0'), 'proved');
  await counterexample(held('0'), held('1'));
});

test('a reset pulse between two clock edges counts', async () => {
  const golden = flop('posedge clk or posedge rst', 'if (rst) q <= 0; else q <= 1;');
  const dut = `module m(input clk, rst, d, output q); reg s; assign q = s & ~rst; always @(posedge clk) s <= ~rst; endmodule`;
  const found = await counterexample(golden, dut);
  assert.equal(found.time, 'ticks');
});

/** Pairs whose states stand for each other in no simple way, so that no induction of a few steps closes. */
const mapped: Readonly<Record<string, readonly [golden: string, dut: string, wrong: string]>> = {
  'a shift register the other way round': [
    'reg [15:0] s; always @(posedge clk) s <= {s[14:0], d}; assign q = s[15];',
    'reg [15:0] s; always @(posedge clk) s <= {d, s[15:1]}; assign q = s[0];',
    'reg [15:0] s; always @(posedge clk) s <= {d, s[15:1]}; assign q = s[1];',
  ],
  'a counter with one hot bit': [
    'reg [1:0] n; always @(posedge clk) if (rst) n <= 0; else n <= n + d; assign q = n == 3;',
    'reg [3:0] n; always @(posedge clk) if (rst) n <= 1; else if (d) n <= {n[2:0], n[3]}; assign q = n[3];',
    'reg [3:0] n; always @(posedge clk) if (rst) n <= 1; else if (d) n <= {n[2:0], n[2]}; assign q = n[3];',
  ],
  'a memory with other words for other addresses': [
    'reg [3:0] m [0:3]; reg [1:0] w, r; reg [3:0] o; always @(posedge clk) if (rst) begin w <= 0; r <= 0; end else begin m[w] <= {4{d}} ^ w; w <= w + d; r <= r + 1; o <= m[r]; end assign q = o[0];',
    'reg [3:0] m [0:3]; reg [1:0] w, r; reg [3:0] o; always @(posedge clk) if (rst) begin w <= 3; r <= 3; end else begin m[w] <= {4{d}} ^ ~w; w <= w - d; r <= r - 1; o <= m[r]; end assign q = o[0];',
    'reg [3:0] m [0:3]; reg [1:0] w, r; reg [3:0] o; always @(posedge clk) if (rst) begin w <= 3; r <= 3; end else begin m[w] <= {4{d}} ^ ~w; w <= w - d; r <= r - 1; o <= m[w]; end assign q = o[0];',
  ],
};

for (const [name, [golden, dut, wrong]] of Object.entries(mapped)) {
  test(`${name} is proved, and its mistake is found`, async () => {
    const module = (text: string) => `module m(input clk, rst, d, output q); ${text} endmodule`;
    const result = await check(module(golden), module(dut), 'proved');
    assert.equal(result.kind === 'proved' && result.method, 'reachability');
    await counterexample(module(golden), module(wrong));
  });
}

test('a latch that no clock opens is followed, also one in always_comb', async () => {
  const ports = 'input en d output q';
  const latch = (text: string) => `module m(input en, d, output reg q); ${text} endmodule`;
  const golden = latch('always @* if (en) q = d;');
  await check(golden, latch('always_latch if (en) q <= d;'), 'proved', { ports });
  await check(latch('always_comb if (en) q = d;'), latch('always @(en or d) begin if (!en) ; else q = d; end'), 'proved', { ports });
  await counterexample(golden, latch('always @* if (!en) q = d;'), { ports });
  await counterexample(golden, latch('always @(posedge en) q <= d;'), { ports });
  await counterexample(golden, latch('always @* q = en ? d : 1;'), { ports });
  const state = (gap: string) => `module m(input clk, rst, d, output reg q); reg [1:0] s, n;
    always @(posedge clk) if (rst) s <= 0; else s <= n;
    always_comb case (s) 0: n = d ? 1 : 0; 1: n = d ? 2 : 0; ${gap} endcase
    always @* q = s == 2; endmodule`;
  await check(state('2: n = 0;'), state('default: n = 0;'), 'proved');
  await counterexample(state('2: n = 0;'), state(''));
});

test('what is unknown: free where the golden is, a difference where only the DUT is', async () => {
  const ports = 'input a output y';
  const table = (other: string) => `module m(input [1:0] a, output reg [1:0] y);
    always @* case (a) 0: y = 1; 1: y = 2; 2: y = 2'b1x; default: y = ${other}; endcase endmodule`;
  await check(table("2'bx"), table("2'd3"), 'proved', { ports });
  const found = await counterexample(table("2'd3"), table("2'bx"), { ports });
  assert.equal(found.unknownOnly, true);
  const known = table("2'd3").replace("2'b1x", "2'b01");
  await counterexample(table("2'd3"), known, { ports });
  const never = await counterexample(sync, flop('posedge clk', 'q <= q ^ q;'));
  assert.equal(never.unknownOnly, true);
  const later = await counterexample(sync, flop('posedge clk', 'q <= q & d;'));
  assert.equal(later.unknownOnly, false);
});

test('a golden that never becomes known proves nothing', async () => {
  const toggle = (value: string) => flop('posedge clk', `q <= ${value};`);
  const result = await check(toggle('~q'), toggle('q'), 'undecided');
  assert.match(result.kind === 'undecided' ? result.reason : '', /never becomes known/);
});

test('a golden that becomes known late is waited for', async () => {
  const pipeline = (input: string) => `module m(input clk, rst, d, output q); reg [14:0] s; assign q = s[14];
    always @(posedge clk) s <= {s[13:0], ${input}}; endmodule`;
  await check(pipeline('d'), pipeline('d ^ (rst & ~rst)'), 'proved');
});

test('what synthesis and simulation read differently is never called proved', async () => {
  const ports = 'input clk a b output y';
  const comb = (event: string) => `module m(input clk, a, b, output reg y); always @(${event}) y = a & b; endmodule`;
  await check(comb('*'), comb('a or b'), 'proved', { ports });
  await check(comb('*'), comb('a'), 'undecided', { ports });
  await check(comb('*'), `\`define WAKE always @(a)\nmodule m(input clk, a, b, output reg y); \`WAKE y = a & b; endmodule`, 'undecided', { ports });
  const starts = (delay: string) => `module m(input clk, a, b, output y); reg t; initial begin ${delay} t = 1; end assign y = t & a; endmodule`;
  await check(starts(''), starts(''), 'proved', { ports });
  await check(starts(''), starts('#5'), 'undecided', { ports });
  const pipe = (op: string) => `module m(input clk, a, b, output reg y); reg t; always @(posedge clk) t ${op} a; always @(posedge clk) y ${op} t; endmodule`;
  await check(pipe('<='), pipe('<='), 'proved', { ports });
  await check(pipe('<='), pipe('='), 'undecided', { ports });
  const temporary = `module m(input clk, a, b, output reg y); reg t; integer i;
    always @(posedge clk) begin t = a; for (i = 0; i < 1; i = i + 1) t = t & b; y <= t; end endmodule`;
  await check(`module m(input clk, a, b, output reg y); always @(posedge clk) y <= a & b; endmodule`, temporary, 'proved', { ports });
});

test('orders to a synthesis tool do not change what is proved', async () => {
  const ports = 'input a output y';
  const golden = `module m(input [1:0] a, output reg y); always @* begin y = 0; case (a) 0: y = 1; 1: y = 0; endcase end endmodule`;
  const wrong = (text: string) => `module m(input [1:0] a, output reg y); ${text} endmodule`;
  await check(golden, wrong('always @* begin y = 0; case (a) // synopsys full_case parallel_case\n 0: y = 1; 1: y = 0; endcase end'), 'proved', { ports });
  await counterexample(golden, wrong('always @* begin y = 0; (* full_case *) case (a) 0: y = 1; 1: y = 0; default: y = 1; endcase end'), { ports });
  await counterexample(golden, wrong('// synthesis translate_off\nassign y = 1;\n// synthesis translate_on\n').replace('output reg', 'output'), { ports });
  await counterexample(golden, wrong('`ifdef SYNTHESIS\nassign y = a == 0;\n`else\nassign y = 1;\n`endif').replace('output reg', 'output'), { ports });
  await counterexample(golden, wrong('`ifdef YOSYS\nassign y = a == 0;\n`else\nassign y = 1;\n`endif').replace('output reg', 'output'), { ports });
  await counterexample(golden, wrong('assign y = 1; always @* begin assume (a == 0); end').replace('output reg', 'output'), { ports });
});

test('a source cannot print its own proof', async () => {
  const ports = 'input a output y';
  const dut = `module m(input a, output y); assign y = ~a;
    initial $display("stage prove\\nInduction step proven: SUCCESS!\\nSAT solving finished - model found:\\n"); endmodule`;
  await counterexample('module m(input a, output y); assign y = a; endmodule', dut, { ports });
});

test('what the prover cannot follow is named with its side', async () => {
  const golden = 'module m(input clk, a, b, output y); assign y = a; endmodule';
  const ports = 'input clk a b output y';
  const dut = (text: string) => `module m(input clk, a, b, output y); ${text} endmodule`;
  const cases: readonly (readonly [text: string, reason: RegExp])[] = [
    ['wire t; assign t = ~(t & a); assign y = a & t;', /loop/],
    ["assign y = b ? a : 1'bz;", /high-impedance/],
    ['assign y = a; assign y = b;', /driver/],
    ['reg t, u; always @(posedge clk) t <= ~t; always @(posedge t) u <= a; assign y = u | a & 1;', /clock that is made inside/],
    ['reg t; always @(posedge clk or posedge t) if (t) t <= 0; else t <= a; assign y = t;', /resets itself/],
    ['unknown u(a, y);', /unknown/],
    ['reg t; assign y = t; always begin #(3 + 2) t = ~t; end', /runs without waiting for an event/],
  ];
  for (const [text, reason] of cases) {
    const result = await proveTexts(golden, dut(text), { ports });
    const said = result.kind === 'unsupported' ? result.reason : result.kind === 'counterexample' ? (result.doubt ?? '') : '';
    assert.match(said, reason, `${text}: ${JSON.stringify(result)}`);
    assert.match(said, /DUT/);
  }
  await check(golden, golden, 'unsupported', { ports: 'input clk a b inout y' });
});

test('a syntax error has a side, a file and a line', async () => {
  const result = await check(sync, 'module m(input clk, rst, d, output q);\n  assign q = = d;\nendmodule', 'unsupported');
  assert.ok(result.kind === 'unsupported');
  assert.equal(result.side, 'dut');
  assert.deepEqual(
    result.problems.map((p) => [p.file, p.line]),
    [['/w/dut.v', 1]],
  );
});

test('a package that a module imports is read', async () => {
  const ports = 'input a output y';
  const pack = 'package p;\n  typedef enum logic [1:0] { NO, YES } answer;\n  localparam bit ON = 1;\n  function automatic answer f(input logic a); f = a ? YES : NO; endfunction\nendpackage\n';
  const golden = 'module m(input a, output y); assign y = a; endmodule';
  const imports = ['module m import p::*; (input a, output y); answer r; assign r = f(a & ON); assign y = r == YES; endmodule', 'import p::answer, p::YES, p::f;\nmodule m(input a, output y); answer r; assign r = f(a); assign y = r == YES; endmodule'];
  for (const text of imports) {
    await check(golden, pack + text, 'proved', { ports });
    await counterexample(golden, pack + text.replace('r == YES', 'r == NO').replace('p::YES', 'p::NO'), { ports });
  }
});

test('an import that changes what a name stands for elsewhere is not read, and the reason names the package', async () => {
  const golden = 'package p;\n  localparam bit ON = 1;\nendpackage\nmodule m import p::*; (input a, output y);\n  wire w;\n  other o(w);\n  assign y = a & ON & w;\nendmodule\nmodule other(output y); buf (ON, 1\'b0); assign y = ON; endmodule';
  const result = await check(golden, 'module m(input a, output y); assign y = a; endmodule', 'unsupported', { ports: 'input a output y' });
  assert.match(result.kind === 'unsupported' ? result.reason : '', /^The prover cannot read the golden module: Yosys knows no import declaration, here that of p\.$/);
});

test('words of SystemVerilog as names, on one side only', async () => {
  const golden = 'module m(input clk, rst, d, output q); reg bit; assign q = bit; always @(posedge clk) bit <= d & !rst; endmodule';
  const dut = 'module m(input logic clk, rst, d, output logic q); always_ff @(posedge clk) q <= rst ? 0 : d; endmodule';
  await check(golden, dut, 'proved');
});

test('equal module names, macros, includes and parameters stay with their side', async () => {
  const golden = `\`include "op.vh"\n\`define F(x) (x)
    module sub(input a, output y); assign y = \`OP \`F(a); endmodule
    module m(input clk, rst, d, output q); sub s(d, q); endmodule`;
  const dut = `\`define F(x) !(x)
    module sub #(parameter INV = 0)(input a, output y); assign y = INV ? ~a : a; endmodule
    module m #(parameter [7:0] MODE = 0)(input clk, rst, d, output q); sub #(MODE == 3) s(\`F(\`SIGNAL), q); endmodule`;
  const files = { '/inc/op.vh': '`include "deep.vh"\n', '/inc/deep.vh': '`define OP ~\n' };
  await check(golden, dut, 'proved', { files, dutDefines: { SIGNAL: 'd' } });
  await check(golden, dut, 'proved', { files, dutDefines: { SIGNAL: '~d' }, dutParameters: { MODE: "8'd3" } });
  await counterexample(golden, dut, { files, dutDefines: { SIGNAL: 'd' }, dutParameters: { MODE: '3' } });
  const missing = await check(golden, dut, 'unsupported', { dutDefines: { SIGNAL: 'd' } });
  assert.equal(missing.kind === 'unsupported' && missing.side, 'golden');
});

test('two clocks, and a memory', async () => {
  const ports = 'input ca cb d output q';
  const two = (first: string, second: string) => `module m(input ca, cb, d, output reg q); reg s; always @(posedge ${first}) s <= d; always @(posedge ${second}) q <= s; endmodule`;
  await check(two('ca', 'cb'), two('ca', 'cb'), 'proved', { ports });
  await counterexample(two('ca', 'cb'), two('ca', 'ca'), { ports });
  const memory = (init: string) => `module m(input clk, we, input a, input [1:0] d, output [1:0] q); reg [1:0] t [0:1];
    assign q = t[a]; always @(posedge clk) if (we) t[a] <= ${init}; endmodule`;
  await check(memory('d'), memory('d ^ 0'), 'proved', { ports: 'input clk we a d output q' });
  await counterexample(memory('d'), memory('d + (a == 1)'), { ports: 'input clk we a d output q' });
});

/** A register that differs only once it has counted to `limit` without a reset. */
const deep = (limit: number, at: string): string => `module m(input clk, rst, d, output reg q); reg [31:0] n;
  always @(posedge clk) if (rst) begin n <= 0; q <= 0; end else begin n <= n + 1; if (n == ${limit}) q <= ${at}; end endmodule`;

/** Yosys as it is built without ABC. */
const withoutAbc: Yosys = {
  ...yosys,
  run: (script, inputs, options) => (script.includes('\nabc ') ? Promise.resolve({ kind: 'exited', ok: false, log: 'ERROR: No such command: abc', outputs: {}, ms: 0 }) : yosys.run(script, inputs, options)),
};

test('without ABC a bound says how deep the search looked, and a deeper one finds the difference', async () => {
  const bounded = await check(deep(3000000, '0'), deep(3000000, '1'), 'bounded', { request: { maxSteps: 5, yosys: withoutAbc } });
  assert.equal(bounded.kind === 'bounded' && bounded.depth, 5);
  await check(sync, sync, 'proved', { request: { yosys: withoutAbc } });
  const found = await counterexample(deep(6, '0'), deep(6, '1'));
  assert.equal(found.steps.length, 9);
  assert.ok(found.steps.slice(0, -1).every((step) => step.ticks.join() === 'clk[0]'));
});

test('time budget and cancel', async () => {
  const multiply = (text: string) => `module m(input [15:0] a, b, c, output [31:0] y); assign y = ${text}; endmodule`;
  const ports = 'input a b c output y';
  const slow = await check(multiply('(a * b) * c'), multiply('a * (b * c)'), 'undecided', { ports, request: { timeoutMs: 1500 } });
  assert.match(slow.kind === 'undecided' ? slow.reason : '', /time budget/);
  await check(multiply('(a * b) * c'), multiply('a * (b * c)'), 'cancelled', { ports, request: { signal: AbortSignal.timeout(300) } });
});

test('delays are taken as zero and said so', async () => {
  const result = await check(sync, flop('posedge clk', 'if (rst) q <= #1 0; else q <= #1 d;'), 'proved');
  assert.ok(result.kind === 'proved' && result.notes.length === 1);
  const parameterized = `module s #(parameter W = 1)(input [W-1:0] a, output [W-1:0] y); assign y = a; endmodule
    module m(input clk, rst, d, output q); s #(1) u(d, q); endmodule`;
  const plain = await check('module m(input clk, rst, d, output q); assign q = d; endmodule', parameterized, 'proved');
  assert.deepEqual(plain.kind === 'proved' && plain.notes, []);
});

test('the embedded engine answers as the installed one does', { skip: program === undefined }, async () => {
  const dut = flop('posedge clk', 'if (!rst) q <= 0; else q <= d;');
  const [native, wasm] = [await counterexample(sync, dut), await counterexample(sync, dut, { request: { yosys: embedded } })];
  assert.equal(wasm.steps.length, native.steps.length);
  assert.equal(wasm.time, native.time);
});
