import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf } from '../../../server/src/analysis/walk.ts';
import { summarize } from '../../../server/src/analysis/summary.ts';
import type { Expression } from '../../../server/src/analysis/ast.ts';
import { Parser } from '../../../server/src/syntax/parser.ts';

const parser = await Parser.create();

/** Every object of a summary that says where it is written. */
function placed(value: unknown): { kind?: string; name?: string; span: { start: number; end: number } }[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'span' in value && !('file' in value) ? [value as { span: { start: number; end: number } }] : [];
  return [...own, ...Object.values(value).flatMap(placed)];
}

const source = `module m #(parameter int W = 8 + 1, type T = logic [W-1:0]) (input logic clk, input [W - 1:0] \\a+b , output reg [3:0] q[0:W]);
  wire [W*2-1:0] n = \\a+b  ^ {W{1'b0}}, k; // a comment
  typedef enum logic [1:0] {IDLE, RUN = 2'd1} state_t;
  function automatic [3:0] f(input [3:0] x); f = x + 4'd1; endfunction
  sub #(.W(W + 1), .D()) u_sub [3:0] (.clk, .in(  n[3 : 0] /* here */ ), .o());
  sub u_two (clk, n[1]);
  and #1 g1 (k, n[0], n[1]);
  always @(posedge clk or negedge n[0]) begin : named
    if (!n[0]) q[0] <= '0; else case (n) 1, 2: q[1] <= f(k); default: ; endcase
    for (int i = 0; i < W; i++) q[i] <= n[i +: 4] + i;
  end
  for (genvar g = 0; g < W; g = g + 1) begin : gen
    assign k[g] = ~n[g] ? 4'(n) : T'(n);
  end
endmodule
`;

test('what is read from a text is placed where it stands', () => {
  using tree = parser.parse(source);
  assert.ok(tree && !tree.hasError);
  const summary = summarize('/m.sv', source, tree);
  const found = placed(summary);
  assert.ok(found.length > 100, String(found.length));
  for (const { kind, name, span } of found) {
    const text = source.slice(span.start, span.end);
    assert.equal(text.trim(), text, `${kind}: "${text}"`);
    if (kind === 'name' || kind === 'variable' || kind === 'port' || kind === 'parameter' || kind === 'function' || kind === 'typedef') {
      assert.equal(text.replace(/^\\/, ''), name, kind);
    }
  }
});

test('an expression holds its parts', () => {
  using tree = parser.parse(source);
  assert.ok(tree);
  const check = (expression: Expression): void => {
    for (const part of partsOf(expression)) {
      if (expression.span && part.span) {
        assert.ok(part.span.start >= expression.span.start && part.span.end <= expression.span.end, source.slice(part.span.start, part.span.end));
      }
      check(part);
    }
  };
  for (const { items } of summarize('/m.sv', source, tree).modules) for (const item of items) if (item.kind === 'assign') check(item.value);
});
