import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptVariable } from '../../../../server/src/verification/proof/subroutines.ts';
import { tokenize } from '../../../../server/src/verification/proof/tokens.ts';

test('a variable of a subroutine that a call may read before it sets it is found', () => {
  const kept = (text: string): string | undefined => keptVariable(tokenize(text));
  const variable = (body: string): string | undefined => kept(`function [7:0] f(input [7:0] x, input t); reg [7:0] r; integer i; begin ${body} f = r; end endfunction`);
  for (const body of ['if (t) r = x;', 'r[0] = x;', 'r = r + x;', 'begin f = r; r = x; end', 'for (i = 0; i < 8; i = i + 1) r[i] = x[i];', 'case (x) 0: r = 1; endcase']) assert.equal(variable(body), 'r', body);
  for (const body of ['r = x;', 'begin : named r = 0; end if (t) r = x;', 'f = x; r = x; for (i = 0; i < 8; i = i + 1) r[i] = t;', 'if (t) r = x; else r = 0;', 'case (x) 0: r = 1; default: begin i = 3; r = i; end endcase']) assert.equal(variable(body), undefined, body);
  assert.equal(kept('task t(input x, output o); if (x) o = 1; endtask'), 'o');
  assert.equal(kept('task t(input x, output o, p); begin p = x; if (x) o = 1; else o = 0; end endtask'), undefined);
  assert.equal(kept('task t; input x; output o; o = x; endtask'), undefined);
  assert.equal(kept('function automatic f(input x); reg r; begin if (x) r = 1; f = r; end endfunction'), undefined);
});
