import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDoubt, hasDelays, withoutPragmas } from '../../../../server/src/verification/proof/source.ts';

test('comments, attributes and qualifiers of cases are blanked at equal length, names and strings kept', () => {
  assert.equal(withoutPragmas('a // b\n(* c *) d /* e */ @(*) unique case'), 'a     \n        d         @(*)        case');
  assert.equal(withoutPragmas('\\a//b \\c(*d "/* (* e" f*)'), '\\a//b \\c(*d "/* (* e" f*)');
});

test('delays are told from parameters', () => {
  for (const text of ['always begin # (P / 2) c = ~c; end', 'assign #3 y = a;', 'q <= #D d;', 'q <= #(D) d;', 'always #1.5 c = ~c;', 'and #(2, 3) g(y, a, b);', 'wire #(W) y;']) assert.equal(hasDelays(text), true, text);
  for (const text of ['m #(8) u(y);', 'm #(.W(8)) u(y);', 'module m #(parameter W = 8)(output y); endmodule', '// #3\nassign y = a;']) assert.equal(hasDelays(text), false, text);
});

test('a block that does not wait for what it reads is found, and what it only sets is not read', () => {
  const block = (body: string): string | undefined => /'(.*)'/.exec(findDoubt(`module m; always @(a or b) ${body} endmodule`)?.reason ?? '')?.[1];
  for (const body of ['y <= a;', 'begin if (a) y <= b; else y[a] <= b; z <= a; end', "case (a) 1'b0: y <= b; default: y <= a; endcase", 'begin y = a; z <= y; end', 'begin : named y <= a; end']) assert.equal(block(body), undefined, body);
  for (const body of ['y <= c;', 'begin if (a) y <= b; z <= y; end', 'y <= a ? b : y <= b;', 'z = a ? b : y <= b;', 'if (y <= b) z = a;', 'z = b & (y <= a);', 'y <= y + a;', 'case (a) y <= b: z = a; default: z = b; endcase']) assert.match(block(body) ?? '', /^[yc]$/, body);
});

test('what a process assigns both with <= and with = is found where <= may come first', () => {
  const mixed = (text: string): string | undefined => /^A process assigns '(.*)' both/.exec(findDoubt(`module m; ${text} endmodule`)?.reason ?? '')?.[1];
  const clocked = (body: string): string | undefined => mixed(`always @(posedge clk) ${body}`);
  for (const body of ['begin y <= a; y = b; end', 'begin if (a) y <= b; y[0] = b; end', 'for (i = 0; i < 8; i = i + 1) begin y[i] = a; y[i] <= b; end', 'begin {z, y} <= a; {y, x} = b; end', 'begin case (a) 0: y <= b; default: z <= b; endcase y++; end']) assert.equal(clocked(body), 'y', body);
  assert.equal(mixed('initial begin q <= 2; q = 1; end'), 'q');
  assert.equal(mixed('task t; y = 1; endtask always @(posedge clk) begin y <= a; t; end'), 'y');
  assert.equal(mixed('task t; y <= 1; endtask always @(posedge clk) begin t; y = a; end'), 'y');
  assert.equal(mixed('task t(output o); o = 1; endtask always @(posedge clk) begin y <= a; t(y); end'), 'y');
  for (const body of ['begin y = a; y <= b; end', 'if (rst) y = 0; else y <= a;', 'case (a) 0, 1: y <= a; 2: y = b; default y = 1; endcase', 'begin i = a; y <= i; end', 'for (i = 0; i <= 8; i = i + 1) z[i] <= a;']) assert.equal(clocked(body), undefined, body);
  assert.equal(mixed('initial q = 0; always @(posedge clk) q <= a;'), undefined);
});

test('a subroutine that looks at more than its arguments is found where nothing wakes its call, and a function that changes more than its result', () => {
  const doubt = (text: string): string | undefined => /^The (?:subroutine|function) '(.*?)'/.exec(findDoubt(`module m; localparam P = 1; typedef logic t_t; ${text} endmodule`)?.reason ?? '')?.[1];
  const reads = 'function [3:0] f(input [3:0] x); f = x ^ r; endfunction';
  for (const call of ['assign y = f(a);', 'always @* y = f(a);', 'wire z = f(a);', 's u(.x(f(a)));']) assert.equal(doubt(`${reads} ${call}`), 'f', call);
  for (const call of ['always @(posedge clk) y <= f(a);', 'always_comb y = f(a);', 'initial y = f(a);']) assert.equal(doubt(`${reads} ${call}`), undefined, call);
  assert.equal(doubt(`${reads} function g(input x); g = f(x); endfunction assign y = g(a);`), 'g');
  assert.equal(doubt('task t; y = r; endtask always @* t;'), 't');
  assert.equal(doubt('function f(input x); begin n = n + 1; f = x; end endfunction always @(posedge clk) y <= f(a);'), 'f');
  const own = [
    'function automatic [3:0] f; input [3:0] x, z; input w; reg [3:0] r; integer i; begin : named r = x + P; for (i = 0; i < 4; i = i + 1) f[i] = r[i] ^ z[i] ^ w; end endfunction',
    'function t_t f(input t_t x, input logic [3:0] z); t_t r; r = x; return r ^ z[0]; endfunction',
  ];
  for (const text of own) assert.equal(doubt(`${text} assign y = f(a, b, c);`), undefined, text);
});

test('what a process without an edge reads before it sets it is found', () => {
  const ahead = (text: string): string | undefined => /reads '(.*)' before it sets it/.exec(findDoubt(`module m; ${text} endmodule`)?.reason ?? '')?.[1];
  for (const body of ['begin y = t; t = a; end', 'begin if (a) t = b; y = t; t = b; end', 'begin y = t[0]; t[0] = a; end', 'for (i = 0; i < 8; i = i + 1) begin y[i] = t; t = a[i]; end', 'begin case (a) 0: t = b; 1: y = t; endcase {t, z} = b; end']) {
    for (const word of ['always @*', 'always_comb', 'always @(a or b or t)']) assert.equal(ahead(`${word} ${body}`), 't', `${word} ${body}`);
    assert.equal(ahead(`always @(posedge clk) ${body}`), undefined, body);
  }
  for (const body of [
    'begin t = a; y = t; t = b; z = t; end',
    'begin if (a) t = b; y = t; end',
    'begin c[0] = 0; for (i = 0; i < 8; i = i + 1) begin s[i] = c[i] ^ a[i]; c[i + 1] = c[i] & a[i]; end end',
    'for (i = 0; i < 8; i = i + 1) begin t = a[i]; y[i] = t; end',
    'begin for (int t = 0; t < 8; t++) y[t] = a[t]; for (int t = 0; t < 8; t = t + 1) z[t] = a[t]; end',
    'for (int i = 0, t = 8; i < t; i++) t = t - a[i];',
    'for (i = 0; i < $bits(t); i = i + 1) t[i] = a[$bits(t) - 1 - i];',
    'case (a) 0: begin t = a; y = t; end default: begin t = b; y = t; end endcase',
    'begin if (a) t = 1; else if (b) t = 2; else begin t = 0; end y = t; t = t + 1; end',
    'begin t = 0; for (i = 0; i < 8; i = i + 1) if (a[i]) t = t + 1; end',
    'begin {c, t} = a + b; y = t; t = c; end',
  ]) assert.equal(ahead(`always @* ${body}`), undefined, body);
});

test('a loop that sets what it counts with, and a net that is assigned two constants, are found', () => {
  const reason = (text: string): string | undefined => findDoubt(`module m; ${text} endmodule`)?.reason;
  for (const body of ['if (a[i]) i = i + 1;', 'begin y[i] = a; i++; end', 'for (i = 0; i < 2; i = i + 1) y[i] = a;']) assert.match(reason(`always @* for (i = 0; i < 4; i = i + 1) ${body}`) ?? '', /^A loop counts with 'i'/, body);
  assert.equal(reason('always @* begin y = 0; for (i = 0; i < 4; i = i + 1) for (j = 0; j < 4; j = j + 1) y[i] = a[j]; for (i = 0; i < 4; i = i + 1) z[i] = a[i]; end'), undefined);
  assert.match(reason('assign w = 0; assign w = 1;') ?? '', /^'w' is assigned constants continuously/);
  for (const text of ['assign w = a; assign w = 1;', 'assign w[0] = 0; assign w[1] = 1;', 'if (P) assign w = 0; else assign w = 1;', 'assign w = 0; endmodule module n; assign w = 1;', 'if (P) begin : g wire w; assign w = 1; end assign w = 0;']) assert.equal(reason(text), undefined, text);
});
