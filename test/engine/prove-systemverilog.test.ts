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
