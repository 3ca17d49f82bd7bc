import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutReturns } from '../../../../server/src/verification/proof/returns.ts';

const made = (body: string, head = 'function automatic [3:0] f(input [3:0] a, b);'): string => withoutReturns(`${head} ${body} endfunction`).slice(head.length + 1, -' endfunction'.length);

test('a result is assigned where nothing runs behind it', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['return a ^ b;', 'f = a ^ b;'],
    ['reg t; t = a[0]; begin : x return t; end', 'reg t; t = a[0]; begin : x f = t; end'],
    ['if (a) return 1; else return 2;', 'if (a) f = 1; else f = 2;'],
    ['if (a) return 1; return 2;', 'if (a) f = 1; else begin f = 2; end'],
    ['if (a) return 1; else if (b) begin f = 3; return 2; end f = 4; return 5;', 'if (a) f = 1; else if (b) begin f = 3; f = 2; end else begin f = 4; f = 5; end'],
    ['if (a) if (b) return 1; else return 2; return 3;', 'if (a) if (b) f = 1; else f = 2; else begin f = 3; end'],
    ['if (a) return 1; if (b) return 2; return 3;', 'if (a) f = 1; else begin if (b) f = 2; else begin f = 3; end end'],
    ['case (a) 0, 1: return b; 2: begin if (b) return 1; return 2; end default: return 0; endcase', 'case (a) 0, 1: f = b; 2: begin if (b) f = 1; else begin f = 2; end end default: f = 0; endcase'],
    ['f = 1; if (a) return 2;', 'f = 1; if (a) f = 2;'],
  ];
  for (const [given, expected] of cases) assert.equal(made(given), expected);
});

test('a function stays as it is where something may run behind a result', () => {
  const cases = [
    'return 1; return 2;',
    'for (int i = 0; i < 4; i++) if (a[i]) return i; return 0;',
    'if (a) if (b) return 1; return 2;',
    'if (a) begin if (b) return 1; end else return 3; return 2;',
    'if (a) return 1; else f = 2; f = f + 1;',
    'case (a) 0: return 1; endcase return 2;',
    'if (a) return `ONE; return 2;',
  ];
  for (const body of cases) assert.equal(made(body), body);
  assert.equal(made('if (a) return; y = 1;', 'function automatic void f(input a);'), 'if (a) return; y = 1;');
  const task = 'task t; if (a) return; y = 1; endtask';
  assert.equal(withoutReturns(task), task);
});
