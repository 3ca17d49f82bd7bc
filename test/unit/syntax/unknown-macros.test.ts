import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSyntax } from '../../../server/src/syntax/checker.ts';
import { Parser } from '../../../server/src/syntax/parser.ts';
import { maskUnknownMacros } from '../../../server/src/syntax/unknown-macros.ts';

const parser = await Parser.create();

function linesOf(text: string): readonly number[] {
  return (checkSyntax(parser, text)?.diagnostics ?? []).map(({ span }) => text.slice(0, span.start).split('\n').length);
}

test('a macro that fills its lines is taken out, any other one becomes a name, and no character moves', () => {
  const { text, holdsItems } = maskUnknownMacros('module m;\n  `CHECK(a, ")",\n    (b));\n  wire [`W-1:0] x = `F(1, 2);\n  // `NO\nendmodule\n');
  assert.equal(text, 'module m;\n                \n         \n  wire [_W-1:0] x = _F      ;\n  // `NO\nendmodule\n');
  assert.equal(holdsItems, true);
  assert.equal(maskUnknownMacros('class c;\n  `uvm_component_utils(c)\nendclass\n').holdsItems, false);
  assert.equal(maskUnknownMacros('sub u (\n  .a(a),\n  `PORTS\n  .*\n);\n').text, 'sub u (\n  .a(a),\n        \n  .*\n);\n');
});

test('a mistake away from a macro that is not known is told', () => {
  assert.deepEqual(linesOf('class c extends b;\n  `uvm_component_utils(c)\n  int z;\n\n  int x y;\nendclass\n'), [5]);
  assert.deepEqual(linesOf('class c extends b;\n  `utils(c);\n  int x;\n  function new(string name = "c");\n    super.new(name)\n  endfunction : new\nendclass\n'), [5]);
  assert.deepEqual(linesOf('module m (input a);\n  wire [`W-1:0] x;\n\n  property p; @(posedge a) x |-> ; endproperty\nendmodule\n'), [4]);
});

test('nothing is told where a macro may begin or end a block, or where it stands', () => {
  assert.deepEqual(linesOf('module t;\n  `TEST(one)\n\n  check(1);\n\n  `TEST_END\nendmodule\n'), []);
  assert.deepEqual(linesOf('class c;\n  `FIELD(int) = 3 4;\n  covergroup g; coverpoint `X { } endgroup\nendclass\n'), []);
  assert.deepEqual(linesOf('class c extends b;\n  `uvm_object_utils_begin(c)\n    `uvm_field_int(a, UVM_ALL_ON | UVM_NOPACK)\n  `uvm_object_utils_end\n  function new();\n    `uvm_info("T", $sformatf("%0d", a), UVM_LOW)\n    if (!ok) `uvm_fatal("T", "no")\n  endfunction\nendclass\n'), []);
});
