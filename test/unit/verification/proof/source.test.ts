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
