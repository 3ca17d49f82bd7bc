import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { summarize } from '../../../server/src/analysis/summary.ts';
import { moduleAt, outlineOf } from '../../../server/src/features/module-info.ts';
import type { SourceOutline } from '../../../server/src/features/module-info.ts';
import { Parser } from '../../../server/src/syntax/parser.ts';

describe('the outline of a file', () => {
  let parser: Parser;
  before(async () => {
    parser = await Parser.create();
  });
  after(() => parser.delete());

  function outline(text: string): SourceOutline {
    using tree = parser.parse(text);
    assert.ok(tree);
    return outlineOf(summarize('/a.sv', text, tree));
  }

  it('has modules with ports and what they use, through generate blocks', () => {
    const text = `module top #(parameter W = 8) (input logic clk, output logic [W-1:0] y, inout z);
  import pkg::*;
  generate if (W > 1) begin : g sub #(.A(other::B)) s (.clk(clk), .y(y)); end endgenerate
  sub t (.clk(clk), .y());
endmodule
package pkg; localparam X = third::Y; endpackage
interface bus; import pkg::*; endinterface
module user(bus a, side.slave b, input word c); endmodule
primitive udp(output y, input a); table 0 : 1; endtable endprimitive
`;
    const { modules, packages, others } = outline(text);
    assert.deepEqual(modules.map(({ name, uses }) => [name, uses.toSorted()]), [['top', ['other', 'pkg', 'sub']], ['user', ['bus', 'side', 'word']]]);
    assert.deepEqual(others, [{ name: 'bus', uses: ['pkg'] }, { name: 'udp', uses: [] }]);
    assert.deepEqual(packages, [{ name: 'pkg', uses: ['third'] }]);
    const [top] = modules;
    assert.ok(top);
    assert.deepEqual(top.ports.map(({ name, direction, span }) => [name, direction, text.slice(span.start, span.end)]), [
      ['clk', 'input', 'clk'],
      ['y', 'output', 'y'],
      ['z', 'inout', 'z'],
    ]);
    assert.equal(text.slice(top.nameSpan.start, top.nameSpan.end), 'top');
    assert.match(text.slice(top.span.start, top.span.end), /^module top[^]*endmodule$/);
  });

  it('places non-ANSI ports at their declaration', () => {
    const text = 'module m(a, y);\n  input [3:0] a;\n  output reg y;\nendmodule\n';
    const [m] = outline(text).modules;
    assert.deepEqual(m?.ports.map(({ name, direction, span }) => [name, direction, text.lastIndexOf(name, span.start) === span.start]), [
      ['a', 'input', true],
      ['y', 'output', true],
    ]);
    assert.ok((m.ports[0]?.span.start ?? 0) > text.indexOf('input'));
  });

  it('compares ranges as they are written, without blanks', () => {
    const range = (declaration: string): string | undefined => outline(`module m(${declaration});\nendmodule\n`).modules[0]?.ports[0]?.range;
    assert.equal(range('input [7:0] a'), range('input wire [ 7 : 0 ] a'));
    assert.notEqual(range('input [7:0] a'), range('input [8:0] a'));
    assert.notEqual(range('input [7:0] a'), range('input a'));
    assert.equal(range('input [W-1:0] a'), range('input logic [W - 1:0] a'));
  });
});

describe('the module at an offset', () => {
  const named = (name: string, start: number, end: number) => ({ file: '/a.v', name, span: { start, end }, nameSpan: { start, end }, ports: [], uses: [] });

  it('is the one around it, else the only one', () => {
    const two = [named('a', 0, 10), named('b', 20, 30)];
    assert.equal(moduleAt(two, 25)?.name, 'b');
    assert.equal(moduleAt(two, 10)?.name, 'a');
    assert.equal(moduleAt(two, 15), undefined);
    assert.equal(moduleAt(two.slice(0, 1), 15)?.name, 'a');
    assert.equal(moduleAt([], 15), undefined);
  });
});
