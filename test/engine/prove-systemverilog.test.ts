/** What Yosys would take for something else: no proof is claimed on it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, embedded, proveTexts } from './proving.ts';

const ports = 'input clk rst a b output q';
const module = (items: string, before = ''): string => `${before} module m(input logic clk, rst, input logic [3:0] a, b, output logic [7:0] q); ${items} endmodule`;

test('of an array of structures, and of a named type with dimensions in front, nothing is proved', async () => {
  const pair = 'typedef struct packed { logic [3:0] v, d; } e_t; typedef logic [3:0] n_t;';
  const texts = [
    module('e_t e [4]; always_ff @(posedge clk) e[a[1:0]] <= {a, b}; assign q = e[b[1:0]];', pair),
    module('e_t [1:0] e; always_ff @(posedge clk) e[a[0]] <= {a, b}; assign q = e[b[0]];', pair),
    module('n_t [1:0] n; always_ff @(posedge clk) n[a[0]] <= b; assign q = n;', pair),
  ];
  for (const yosys of [undefined, embedded]) {
    for (const text of texts) {
      const result = await proveTexts(text, text, { ports, ...(yosys === undefined ? {} : { request: { yosys } }) });
      assert.match('reason' in result ? result.reason : result.kind, /does not keep an array of the type '[en]_t' apart|The prover cannot read/);
    }
  }
});

test('a structure and an array of words are what they are', async () => {
  const types = 'typedef struct packed { logic [3:0] v, d; } e_t;';
  await check(module('e_t e; always_ff @(posedge clk) e <= {a, b}; assign q = e;', types), module('always_ff @(posedge clk) q <= {a, b};'), 'proved', { ports });
  await check(module('logic [7:0] r [4]; always_ff @(posedge clk) r[a[1:0]] <= {a, b}; assign q = r[b[1:0]];'), module('reg [7:0] s [0:3]; always @(posedge clk) s[a[1:0]] <= {a, b}; assign q = s[b[1:0]];'), 'proved', { ports });
});

test('a release that loses the members of a variable of a function claims no proof', async () => {
  const text = module('function automatic [7:0] f(input s_t x); s_t t; t = x; t.hi[1:0] = 0; f = t; endfunction assign q = f({a, b});', 'typedef struct packed { logic [3:0] hi, lo; } s_t;');
  const result = await proveTexts(text, text.replace('t.hi', 't.lo'), { ports });
  assert.ok(result.kind === 'counterexample' || result.kind === 'unsupported', JSON.stringify(result));
});

test('a variable without x begins with 0 and is never taken for one that begins with anything', async () => {
  const rare = (type: string, first = ''): string => module(`${type} s${first}; always_ff @(posedge clk) if (rst) s <= a; assign q = {8{b == 5}} & s;`, 'typedef enum {A, B} e_t; typedef bit [3:0] b_t;');
  for (const type of ['bit [3:0]', 'int', 'byte', 'b_t']) assert.match(JSON.stringify(await proveTexts(rare(type), rare('logic [3:0]', ' = 9'), { ports })), /'s' has a type without x/, type);
  assert.match(JSON.stringify(await proveTexts(rare('e_t').replace('<= a', '<= a[0] ? A : B'), rare('logic [3:0]', ' = 1').replace('<= a', '<= !a[0]'), { ports })), /'s' has a type without x/);
  const unknown = module("bit [3:0] s; always_comb begin s = 'x; if (rst) s = a; end assign q = s;");
  assert.match(JSON.stringify(await proveTexts(unknown, module('assign q = rst ? a : 6;'), { ports })), /'s' has a type without x/);
  // What other registers and elements leave unknown is 0 there, too.
  const given = (value: string, more: string): [golden: string, dut: string] => [module(`bit s = 0; ${more} assign q = s;`), module(`bit s = 0; logic t = 0; ${more} always_ff @(posedge clk) if (rst) t <= 1; assign q = t ? s : ${value};`)];
  const fed = [
    'logic r; always_ff @(posedge clk) begin s <= r; if (rst) r <= a; end',
    'logic r [2:0]; always_ff @(posedge clk) begin s <= r[a[1:0]]; if (rst) r[b[1:0]] <= 1; end',
    'always_ff @(posedge clk) s <= a / b;',
    "logic [2:0] v; assign v = b; always_ff @(posedge clk) s <= v[a[1:0]];",
    'logic r; always_ff @(posedge clk) s <= r & a[0];',
  ];
  for (const more of fed) assert.match(JSON.stringify(await proveTexts(...given('s', more), { ports })), /'s' has a type without x/, more);
  const results = ["function automatic bit f(input logic v); f = v; endfunction logic r; always_ff @(posedge clk) if (rst) r <= a; assign q = f(r);", "logic r; always_ff @(posedge clk) if (rst) r <= a; assign q = bit'(r);"];
  for (const text of results) assert.match(JSON.stringify(await proveTexts(module(text), module("logic r; always_ff @(posedge clk) if (rst) r <= a; assign q = r;"), { ports })), /has a type without x|cannot read/, text);
  await check(...given('s', 'always_ff @(posedge clk) s <= a[0];'), 'proved', { ports });
  await check(rare('bit [3:0]', ' = 0'), rare('logic [3:0]', ' = 0'), 'proved', { ports });
  await check(module('int i; always_ff @(posedge clk) for (i = 0; i < 8; i = i + 1) q[i] <= i < 4 ? a[i] : b[i - 4];'), module('always_ff @(posedge clk) q <= {b, a};'), 'proved', { ports });
});

test('registers of a type without x begin with 0, and what is never unknown may come to them', async () => {
  const machine = (states: string, type: string): string =>
    module(`typedef enum ${type} {${states}} state_t; state_t s, n; logic [3:0] c; always_comb begin n = s; case (s) ${states.split(', ')[0] ?? ''}: if (a == 1) n = ${states.split(', ')[1] ?? ''}; default: if (c == 0) n = ${states.split(', ')[0] ?? ''}; endcase end
      always_ff @(posedge clk) if (rst) begin s <= ${states.split(', ')[0] ?? ''}; c <= 0; end else begin s <= n; c <= s == n ? c - 1 : b; end assign q = s == ${states.split(', ')[1] ?? ''} ? c : 0;`);
  await check(machine('IDLE, RUN', ''), machine('A, B', ''), 'proved', { ports });
  await check(machine('IDLE, RUN', 'int'), machine('A, B', 'bit [1:0]'), 'proved', { ports });
  await check(module('bit [7:0] s; always_ff @(posedge clk) if (rst) s <= 0; else s <= s + a; assign q = s;'), module('int t; always_ff @(posedge clk) t <= rst ? 0 : t + a; assign q = t;'), 'proved', { ports });
  // The golden is 0 from power-on, and what the DUT is then is not known.
  await check(module('bit s; always_ff @(posedge clk) if (rst) s <= a; assign q = s;'), module('logic s; always_ff @(posedge clk) if (rst) s <= a; assign q = s;'), 'undecided', { ports });
});

test('what comes to a variable without x on ways that a netlist does not show claims no proof', async () => {
  const sub = (first = ''): string => `module sub(input logic clk, d, output logic o); logic s${first}; always_ff @(posedge clk) s <= d; assign o = s; endmodule`;
  const pairs: [golden: string, dut: string][] = [
    // Another register has the name of a variable that it drives.
    [module('logic u; bit r, s; always_ff @(posedge clk) begin if (rst) u <= a; s <= ~u; end assign r = u; assign q = {r, s};'), module('logic u = 0, s = 0; always_ff @(posedge clk) begin if (rst) u <= a; s <= ~u; end assign q = {u, s};')],
    [module('bit s, t; wire o; sub i(clk, a[0], o); always_ff @(posedge clk) begin s <= a[0]; t <= ~o; end assign q = {s, t};', sub()), module('logic s = 0, t = 0; wire o; sub i(clk, a[0], o); always_ff @(posedge clk) begin s <= a[0]; t <= ~o; end assign q = {s, t};', sub(' = 0'))],
    // A value that is read before another takes its place.
    [module('logic u, y; bit n; always_ff @(posedge clk) if (rst) u <= a; always_comb begin n = u; y = n & b[0]; n = 0; end assign q = y;'), module('logic u = 1; always_ff @(posedge clk) if (rst) u <= a; assign q = u & b[0];')],
    // One unknown bit makes a sum unknown.
    [module('logic [1:0] u; bit s; initial u[0] = 1; always_ff @(posedge clk) begin if (rst) u[1] <= 0; s <= u + a; end assign q = s;'), module('logic s = 0; always_ff @(posedge clk) s <= ~a[0]; assign q = s;')],
    [module('function automatic logic f(input logic [3:0] c); case (c) 0: f = 1; 1: f = 0; endcase endfunction bit s; always_comb s = f(a); assign q = s;'), module('assign q = a != 1;')],
    [module("bit s; always_latch if (rst) s = a[0]; assign q = s;"), module("logic s = 1; always_latch if (rst) s = a[0]; assign q = s;")],
    [module('enum bit [1:0] {A, B} s; logic u; always_ff @(posedge clk) begin if (rst) u <= a; s <= u ? A : B; end assign q = s;'), module('logic s = 0; logic u = 0; always_ff @(posedge clk) begin if (rst) u <= a; s <= ~u; end assign q = s;')],
    [module('typedef bit w_t [4]; w_t s; logic u; always_ff @(posedge clk) begin if (rst) u <= a; s[a[1:0]] <= u; end assign q = s[b[1:0]];'), module('logic s [4]; logic u = 1; always_ff @(posedge clk) begin if (rst) u <= a; s[a[1:0]] <= u; end assign q = s[b[1:0]];')],
  ];
  for (const [golden, dut] of pairs) assert.notEqual((await proveTexts(golden, dut, { ports })).kind, 'proved', golden);
});

test('a system function that Yosys takes for a net of its own is not followed', async () => {
  for (const name of ['$random', '$time']) {
    const result = await proveTexts(module(`always_ff @(posedge clk) q <= a == 5 ? ${name} : b;`), module('always_ff @(posedge clk) q <= a == 5 ? 0 : b;'), { ports });
    assert.equal(result.kind, 'unsupported', JSON.stringify(result));
  }
});

test('what a function returns is its result, where nothing runs behind it', async () => {
  const golden = module('always_comb q = a > b ? {a, 4\'d1} : a[0] ? {b, a} : b[1:0] == 2 ? 8\'d9 : 8\'d200;');
  const body = (last: string): string => `if (x > y) return {x, 4'd1}; else if (x[0]) begin return {y, x}; end case (y[1:0]) 2: return 9; default: begin ${last} end endcase`;
  const dut = (last: string): string => module(`function automatic logic [7:0] f(input logic [3:0] x, y); ${body(last)} endfunction always_comb q = f(a, b);`);
  await check(golden, dut('logic [7:0] t; t = 200; return t;'), 'proved', { ports });
  await check(golden, dut('return 201;'), 'counterexample', { ports });
  await check(module('assign q = {a, b};'), module('import p::*; assign q = swap(swap({a, b}));', 'package p; function automatic logic [7:0] swap(logic [7:0] x); return {x[3:0], x[7:4]}; endfunction endpackage'), 'proved', { ports });
});
