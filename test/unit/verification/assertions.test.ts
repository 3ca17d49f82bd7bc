import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actingAssertions } from '../../../server/src/verification/assertions.ts';

/** What of the code is found, up to the end of the line. */
const found = (code: string): string[] => actingAssertions(code).map(({ offset, isConcurrent }) => `${isConcurrent ? 'concurrent' : 'immediate'} ${code.slice(offset).split('\n')[0] ?? ''}`);

test('assertions that only check and print', () => {
  for (const code of [
    'assert (a == b);',
    'assert (a <= b && $onehot(c)) else $error("  ", a);',
    'assert (a inside {1, 2}) $display(""); else begin $error; $info(""); end',
    'chk: assert property (@(posedge clk) disable iff (rst) f(a) |-> b) else $fatal;',
    'cover property (@(posedge clk) a);\nassign q = d;',
    'assume final (a) begin : none end : none else ;\nq = 1;',
    "assert (logic'(a) === 1'b1);",
    'wire assert_q = assert_d;',
    'assert property (p);',
  ]) {
    assert.deepEqual(found(code), [], code);
  }
});

test('assertions that do more, or that cannot be read', () => {
  for (const code of [
    'immediate assert (a) q = 1; else q = 0;',
    'immediate assert (a); else q <= 0;',
    'immediate assert (a) else begin $error; q = 1; end',
    'immediate assert (pop(a));',
    'immediate assert ($cast(s, a));',
    'immediate assert (n++ < 3);',
    'immediate assert ((n = a) == 3);',
    'concurrent assert property (@(posedge clk) a) else err = 1;',
    'concurrent assert property (@(posedge clk) a) else -> failed;',
    'concurrent cover property (@(posedge clk) a) seen <= 1;',
    'concurrent assert #0 (a) else t(1);',
    'immediate assert (a',
    'immediate assert (a) else if (b) $error;',
  ]) {
    assert.deepEqual(found(code.replace(/^\w+ /, '')), [code], code);
  }
});
