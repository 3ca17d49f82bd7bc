import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { documentSymbols, workspaceSymbols } from '../../../../server/src/features/names/document-symbols.ts';
import type { DocumentSymbol } from '../../../../server/src/features/names/document-symbols.ts';
import { hierarchyAbove, hierarchyAt, hierarchyBelow } from '../../../../server/src/features/names/hierarchy.ts';
import { inlayHints } from '../../../../server/src/features/names/inlay-hints.ts';
import { semanticTokens } from '../../../../server/src/features/names/semantic-tokens.ts';
import { folds, selections } from '../../../../server/src/features/structure.ts';
import { fixture } from './fixture.ts';

function symbols(text: string, expected: readonly string[]): void {
  const { snapshot, file } = fixture(text);
  const lines = (list: readonly DocumentSymbol[], indent: string): string[] => list.flatMap(({ kind, name, detail, children }) => [`${indent}${kind} ${name}${detail === '' ? '' : `: ${detail}`}`, ...lines(children, `${indent}  `)]);
  assert.deepEqual(lines(documentSymbols(snapshot, file), ''), expected);
}

/** Each token as `text:type.modifiers`. */
function tokens(text: string, expected: string): void {
  const { snapshot, file, files } = fixture(text);
  const found = semanticTokens(snapshot, file).map(({ span, type, modifiers }) => [`${files.get(file)?.slice(span.start, span.end) ?? ''}:${type}`, ...modifiers].join('.'));
  assert.equal(found.join(' '), expected);
}

/** The text with the hints in `‹›`. */
function hints(text: string, expected: string): void {
  const { snapshot, file, files } = fixture(text);
  let shown = files.get(file) ?? '';
  for (const { offset, text: hint } of inlayHints(snapshot, file, { start: 0, end: shown.length }).toReversed()) shown = `${shown.slice(0, offset)}‹${hint}›${shown.slice(offset)}`;
  assert.equal(shown.split('\n')[0], expected);
}

/** First and last line of each fold, from 0. */
function folded(text: string, expected: readonly string[]): void {
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length - 1;
  assert.deepEqual(folds(text).map(({ start, end, kind }) => `${kind} ${lineOf(start)}-${lineOf(end)}`).sort(), [...expected].sort());
}

describe('symbols', () => {
  it('of a document are a tree', () => {
    symbols('package p; typedef enum {A} t; localparam N = 1; endpackage\nmodule m #(parameter W = 1)(input [W-1:0] a);\nreg q [0:1];\nfor (genvar i = 0; i < 2; i++) begin : g wire x; sub u(); end\nif (1) wire y;\nfunction f(input z); reg l; endfunction\nalways @* begin : b reg k; end\nendmodule', [
      'package p',
      '  enum t: enum {A}',
      '    enum-member A',
      '  parameter N',
      'module m',
      '  parameter W',
      '  port a: input [W-1:0]',
      '  variable q: reg [0:1]',
      '  genvar i: genvar',
      '  block g',
      '    net x: wire',
      '    instance u: sub',
      '  net y: wire',
      '  function f',
      '  block b',
      '    variable k: reg',
    ]);
  });

  it('of a document hold values of enumerations, members of structures and what belongs to classes', () => {
    symbols('module m; typedef enum {A, B} t; enum {C} x, y; typedef struct { int a; struct { bit b; } c; } s; endmodule\nclass k #(type T = int, int D = 1, U = 2); int v; function void f(); endfunction task g(); endtask endclass', [
      'module m',
      '  enum t: enum {A, B}',
      '    enum-member A',
      '    enum-member B',
      '  variable x: enum {C}',
      '    enum-member C',
      '  variable y: enum {C}',
      '  typedef s: struct { int a; struct { bit b; } c; }',
      '    member a: int',
      '    member c: struct { bit b; }',
      '      member b: bit',
      'class k',
      '  type-parameter T',
      '  parameter D: int',
      '  parameter U: int',
      '  member v: int',
      '  method f: void',
      '  method g',
    ]);
  });

  it('of the workspace are found by some of their letters, best first', () => {
    const { snapshot } = fixture('//- a.sv\npackage p; typedef int fifo_t; endpackage\nmodule my_fifo; wire fifo; endmodule\nmodule fifo; endmodule\n`define FIFO_DEPTH 3\n');
    assert.deepEqual(workspaceSymbols(snapshot, 'fifo').map(({ name, kind, container }) => [kind, name, container].join(' ').trim()), ['module fifo', 'typedef fifo_t p', 'macro FIFO_DEPTH', 'module my_fifo']);
    assert.deepEqual(workspaceSymbols(snapshot, 'zz'), []);
  });

  it('of the workspace are methods too, with their class', () => {
    const { snapshot } = fixture('//- a.sv\nclass driver; int run_count; function new(); endfunction task run_phase(); endtask extern function int run_id(); endclass\nfunction int driver::run_id(); return 1; endfunction\n');
    assert.deepEqual(workspaceSymbols(snapshot, 'run').map(({ name, kind, container }) => [kind, name, container].join(' ').trim()), ['method run_id driver', 'method run_phase driver']);
  });
});

describe('semantic tokens', () => {
  it('say what a name is', () => {
    tokens('`define K 1\nmodule m #(parameter W = 1)(input a, output reg q); always @(posedge a) q <= W + `K + nothing; sub u(.a); endmodule module sub(input a); endmodule',
      'K:macro m:class.declaration W:variable.declaration.readonly a:parameter.declaration q:parameter.declaration a:parameter q:parameter.modification W:variable.readonly K:macro sub:class u:property.declaration a:parameter sub:class.declaration a:parameter.declaration');
  });

  it('tell what a class has from what a module has', () => {
    tokens('class c #(type T = int, int D = 1); int v; function void f(); v = D; endfunction endclass', 'c:class.declaration T:typeParameter.declaration D:variable.declaration.readonly v:property.declaration f:method.declaration v:property.modification D:variable.readonly');
  });

  it('of a part are those that touch it', () => {
    const { snapshot, file } = fixture('module m; wire a; wire b; endmodule');
    assert.deepEqual(semanticTokens(snapshot, file, { start: 18, end: 25 }).map(({ span }) => span.start), [23]);
  });
});

describe('inlay hints', () => {
  it('name what is connected by position', () => {
    hints('module top(input c, x); sub #(4) u(c, x), v(.clk(c)); endmodule\nmodule sub #(parameter W = 1)(input clk, x); endmodule', 'module top(input c, x); sub #(‹W:›4) u(‹clk:›c, x), v(.clk(c)); endmodule');
  });

  it('give values and widths that have to be worked out', () => {
    hints("module m #(parameter D = 12, parameter W = $clog2(D))(input [W-1:0] a, input [3:0] b); localparam L = 8'hff, N = W * 2; endmodule", "module m #(parameter D = 12, parameter W = $clog2(D)‹= 4›)(input [W-1:0] a‹: 4 bits›, input [3:0] b); localparam L = 8'hff, N = W * 2‹= 8›; endmodule");
  });
});

describe('the hierarchy', () => {
  const design = '//- a.v\nmodule a; b u1(), u2(); c u3(); endmodule\n//- b.v\nmodule b; c$0 x(); endmodule\n//- c.v\nmodule c; endmodule';

  it('goes up and down through instances', () => {
    const { snapshot, file, offset } = fixture(design);
    const item = hierarchyAt(snapshot, file, offset);
    const top = hierarchyAt(snapshot, '/w/a.v', 8);
    assert.ok(item && top);
    assert.equal(item.name, 'c');
    const text = (links: ReturnType<typeof hierarchyAbove>): string[] => links.map((link) => `${link.item.name}: ${link.instances.map(({ name }) => name).join(', ')}`).sort();
    assert.deepEqual(text(hierarchyAbove(snapshot, item)), ['a: u3', 'b: x']);
    assert.deepEqual(text(hierarchyBelow(snapshot, top)), ['b: u1, u2', 'c: u3']);
  });
});

describe('structure', () => {
  it('folds constructs, lists, comments and conditional text', () => {
    folded('// a\n// b\nmodule m (\n  input a\n);\n`ifdef X\nalways @* begin\n  q = {\n    a\n  };\nend\n`else\nwire b;\n`endif\n/* c\n*/\nendmodule\n', ['comment 0-1', 'code 2-16', 'code 2-4', 'code 6-10', 'code 7-9', 'code 5-10', 'code 11-12', 'comment 14-15']);
    folded('module m; wire a; endmodule', []);
    folded('//region a\nwire b;\n// #region c\nwire d;\n//endregion\n//endregion\n', ['region 0-5', 'region 2-4']);
    folded('`define A(x) \\\n  wire x; \\\n  assign x = 1\n`define B 2\n// `define C \\\n', ['macro 0-2']);
  });

  it('is selected from the inside out', () => {
    const text = 'module m;\n  always @(posedge clk) begin\n    q <= f(a + b);\n  end\nendmodule';
    const found = selections(text, text.indexOf('b)')).map(({ start, end }) => text.slice(start, end).replace(/\s+/g, ' '));
    assert.deepEqual(found, ['b', 'a + b', '(a + b)', 'q <= f(a + b)', 'q <= f(a + b);', 'begin q <= f(a + b); end', 'always @(posedge clk) begin q <= f(a + b); end', 'module m; always @(posedge clk) begin q <= f(a + b); end endmodule']);
  });

  it('is selected with all branches of a statement', () => {
    const text = 'always @* begin\n  if (a) begin\n    y = 1;\n  end else if (b) y = 0;\n  else begin\n    y = c;\n  end\n  for (i = 0; i < 4; i = i + 1) if (d[i]) z = i;\n  #5 w = 1;\nend';
    const around = (place: string): string[] => selections(text, text.indexOf(place)).map(({ start, end }) => text.slice(start, end).replace(/\s+/g, ' '));
    const chain = 'if (a) begin y = 1; end else if (b) y = 0; else begin y = c; end';
    assert.ok(around('1;').includes(chain));
    assert.ok(around('0;').includes(chain));
    assert.ok(around('c;').includes(chain));
    assert.deepEqual(around('z =').slice(1, 4), ['if (d[i]) z = i;', 'for (i = 0; i < 4; i = i + 1) if (d[i]) z = i;', text.slice(text.indexOf('begin')).replace(/\s+/g, ' ')]);
  });
});
