import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedArray } from '../../../../../server/src/verification/proof/plain/arrays.ts';
import { inPlainTerms } from '../../../../../server/src/verification/proof/plain/plain.ts';

/** What becomes of the text, with one blank between words. */
function check(text: string, expected: string): void {
  assert.equal(inPlainTerms(text).replace(/\s+/g, ' ').trim(), expected);
}

function checkKept(text: string): void {
  assert.equal(inPlainTerms(text), text);
}

test('a jump is a flag', () => {
  check(
    'function automatic logic f(input logic x, y); if (x) return y; return 1; endfunction',
    "function automatic logic f(input logic x, y); reg returned; returned = 1'b0; if (x) begin begin f = y; returned = 1'b1; end end if (!(returned)) begin begin f = 1; returned = 1'b1; end end endfunction",
  );
  check(
    'always_comb for (int i = 0; i < 4; i++) begin if (a[i]) continue; if (b[i]) break; y[i] = 1; end',
    "always_comb begin : jumps reg broken, continued; broken = 1'b0; continued = 1'b0; begin broken = 1'b0; for (int i = 0; i < 4; i++) if (!(broken)) begin continued = 1'b0; begin if (a[i]) begin continued = 1'b1; end if (!(continued)) begin if (b[i]) begin broken = 1'b1; end if (!(broken)) begin y[i] = 1; end end end end end end",
  );
});

test('a jump that is not followed is kept', () => {
  checkKept('function int f(input int x); while (x > 0) begin x--; if (x == 3) return 1; end return 0; endfunction');
  checkKept('always_comb case (x) inside 1: for (int i = 0; i < 4; i++) break; endcase');
});

test('a pattern whose type is not known is kept', () => {
  checkKept("assign y = '{a: 1, b: 2};");
  checkKept("typedef struct { logic a; logic b; } s_t; s_t s; assign s = '{1, 0};");
  checkKept("typedef struct packed { logic a; logic b; } s_t; s_t s; assign s = '{a: 1};");
  checkKept("typedef struct packed { logic a; logic b; } s_t; s_t s; assign s = '{a: 1, c: 0};");
});

test('an array that reads itself is not assigned word by word', () => {
  checkKept("logic [3:0] r [2]; always_comb r = '{r[1], r[0]};");
  check("logic [3:0] r [2]; always_ff @(posedge c) r <= '{r[1], r[0]};", "logic [3:0] r [2]; always_ff @(posedge c) begin r[0] <= (4)'(1'b1 ? (r[1]) : $signed({(4){1'b0}})); r[1] <= (4)'(1'b1 ? (r[0]) : $signed({(4){1'b0}})); end");
});

test('a name that is declared in two ways has no known type', () => {
  const types = 'typedef struct packed { logic a; logic b; } s_t; typedef struct packed { logic b; logic a; } t_t;';
  checkKept(`${types} module m; s_t x; assign x = '{a: 1, b: 0}; endmodule module n; t_t x; endmodule`);
});

test('a set whose elements may be unknown, and an operand of several words, are kept', () => {
  checkKept("assign y = a inside {4'b1??0};");
  checkKept('assign y = a inside {b, 3};');
  checkKept('assign y = a + b inside {1, 3};');
  check('localparam P = 3; assign y = a[2:0] inside {P, [5:6]};', 'localparam P = 3; assign y = ((a[2:0]) == (P) || ((a[2:0]) >= (5) && (a[2:0]) <= (6)));');
});

test('the value of a variable that lives on is left where it is', () => {
  checkKept('function int f(input int x); static int calls = 0; calls++; return_value = calls; endfunction');
  check('always_comb begin automatic logic t = a; y = t; end', 'always_comb begin logic t ; t = a; y = t; end');
});

test('an element of a table is a part of a vector', () => {
  check("localparam logic [3:0] T [0:1] = '{1, 2}; assign y = T[i];", "localparam [2 * (4) - 1 : 0] T = {(4)'(1'b1 ? (2) : $signed({(4){1'b0}})), (4)'(1'b1 ? (1) : $signed({(4){1'b0}}))}; assign y = T[((64'sd0 + (i))) * $signed(32'(4)) +: 4];");
  checkKept("localparam logic [3:0] T [0:1] = '{1, 2}; assign y = f(T);");
  const hoisted = "localparam logic T [0:1] = '{1, 0};";
  const vector = "localparam [2 * (1) - 1 : 0] T = {(1)'(1'b1 ? (0) : $signed({(1){1'b0}})), (1)'(1'b1 ? (1) : $signed({(1){1'b0}}))};";
  check(`package p; ${hoisted} endpackage ${hoisted}`, `package p; ${vector} endpackage ${vector}`);
});

test('an array of what would be read as one element is found', () => {
  const types = 'typedef struct packed { logic a; logic b; } s_t; typedef logic [3:0] n_t;';
  for (const left of ['s_t x [4];', 's_t [3:0] x;', 'n_t [3:0] x;', 'input s_t x [4]']) assert.notEqual(namedArray(`${types} ${left}`), undefined, left);
  for (const fine of ['s_t x;', 'n_t x [4];', 'assign y = x.s_t[0];']) assert.equal(namedArray(`${types} ${fine}`), undefined, fine);
  check(`${types} s_t [3:0] x; p::s_t z [2]; assign y = z[i].a;`, `${types} logic [3:0][1:0] x; logic [1:0] z [2]; assign y = z[i][1 +: 1];`);
});

test('the variable of a loop that is left keeps its value, so it may not be read elsewhere', () => {
  const loop = 'integer i; always_comb begin for (i = 0; i < 8; i = i + 1) if (a[i]) break; q = 1; end';
  assert.doesNotMatch(inPlainTerms(loop), /\bbreak\b/);
  checkKept(loop.replace('q = 1', 'q = i'));
});

test('a loop over several dimensions is left as a whole', () => {
  checkKept('logic [1:0][2:0] k; always_comb foreach (k[i, j]) if (k[i][j]) break;');
  assert.doesNotMatch(inPlainTerms('logic [1:0][2:0] k; always_comb foreach (k[i, j]) if (k[i][j]) continue;'), /foreach|continue;/);
});

test('a loop counts by the bounds of the nearest declaration, and by negative ones', () => {
  checkKept('logic [7:0] x; function automatic logic f(input [3:0] x); f = 0; foreach (x[i]) f ^= x[i]; endfunction');
  check('logic [-3:0] x; initial foreach (x[i]) y = i;', 'logic [-3:0] x; initial for (int i = -3; i <= 0; i = i + 1) y = i;');
});

test('membership takes a reduction as its operand, and unknown bits of a constant for any', () => {
  checkKept('assign q = &a inside {1};');
  checkKept("localparam logic [3:0] P = 4'b1x0x; localparam logic [3:0] Q = P; assign q = a inside {Q};");
  check("assign q = b & a inside {1};", 'assign q = b & ((a) == (1));');
  check("assign q = b && a inside {1};", 'assign q = b && ((a) == (1));');
});

test('a variable of two states begins with 0, an array or a mixed structure is kept', () => {
  check('typedef bit [3:0] n_t; always_comb begin automatic n_t n; q = n; end', 'typedef bit [3:0] n_t; always_comb begin n_t n; n = 0; q = n; end');
  checkKept('always_comb begin automatic int t [4]; t[a] = 5; q = t[b]; end');
  assert.match(inPlainTerms('function automatic int f(input logic [1:0] x, y); int t [4]; t[x] = 5; f = t[y]; endfunction'), /automatic int t/);
  checkKept('typedef struct packed { bit a; logic b; } s_t; always_comb begin automatic s_t s; q = s; end');
});

test('beyond a constant array of two states lies 0', () => {
  checkKept("localparam bit [3:0] T [5] = '{1, 3, 5, 7, 11}; assign q = T[a];");
});

test('a default goes down to the innermost elements', () => {
  checkKept("logic [1:0][1:0][3:0] s; always_comb s = '{default: 1};");
});

test('elements with a sign stay elements', () => {
  assert.equal(namedArray(inPlainTerms('typedef logic signed [3:0] n_t; n_t [1:0] p; assign q = p[a];')), 'n_t');
});
