import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasDelays, withoutPragmas } from '../../../../server/src/verification/proof/source.ts';

test('comments, attributes and qualifiers of cases are blanked at equal length, names and strings kept', () => {
  assert.equal(withoutPragmas('a // b\n(* c *) d /* e */ @(*) unique case'), 'a     \n        d         @(*)        case');
  assert.equal(withoutPragmas('\\a//b \\c(*d "/* (* e" f*)'), '\\a//b \\c(*d "/* (* e" f*)');
});

test('delays are told from parameters', () => {
  for (const text of ['always begin # (P / 2) c = ~c; end', 'assign #3 y = a;', 'q <= #D d;', 'q <= #(D) d;', 'always #1.5 c = ~c;', 'and #(2, 3) g(y, a, b);', 'wire #(W) y;']) assert.equal(hasDelays(text), true, text);
  for (const text of ['m #(8) u(y);', 'm #(.W(8)) u(y);', 'module m #(parameter W = 8)(output y); endmodule', '// #3\nassign y = a;']) assert.equal(hasDelays(text), false, text);
});
