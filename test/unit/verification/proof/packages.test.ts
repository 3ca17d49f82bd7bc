import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutImports } from '../../../../server/src/verification/proof/packages.ts';

const pack = 'package p;\n  localparam N = 3;\n  typedef enum { A, B } t;\n  function int f(int x); f = x; endfunction\nendpackage : p\n';

test('what an imported package declares stands behind it, at equal lines and places of the rest', () => {
  const { 'a.sv': first, 'b.sv': second } = withoutImports({ 'a.sv': `${pack}module x; endmodule`, 'b.sv': 'module m import p::*;\n  (input t a);\n  import p::f, p::N;\n  wire w = N;\nendmodule' });
  assert.equal(first, `${pack.trimEnd()}  localparam N = 3; typedef enum { A, B } t; function int f(int x); f = x; endfunction \nmodule x; endmodule`);
  assert.equal(second, 'module m             \n  (input t a);\n                    \n  wire w = N;\nendmodule');
});

test('nothing moves where a name could come to stand for something else', () => {
  const user = 'module m; import p::*; wire w = N; endmodule\n';
  const cases: readonly string[] = [
    `${user}module other(output y); assign y = N; endmodule`,
    `${user}package q; localparam N = 4; endpackage\nmodule z; import q::*; endmodule`,
    user.replace('import p::*;', ''),
  ];
  for (const text of cases) assert.deepEqual(withoutImports({ 'a.sv': pack + text }), { 'a.sv': pack + text });
  assert.deepEqual(withoutImports({ 'a.sv': pack.replace('localparam', '`ifdef Z\n`endif\nlocalparam') + user }), { 'a.sv': pack.replace('localparam', '`ifdef Z\n`endif\nlocalparam') + user });
  const harmless = `${user}module other(output y); sub #(.N(2)) s(.f(y)); assign y = p::N; endmodule`;
  assert.notDeepEqual(withoutImports({ 'a.sv': pack + harmless }), { 'a.sv': pack + harmless });
});
