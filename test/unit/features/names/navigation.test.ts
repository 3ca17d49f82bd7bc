import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { definitions, typeDefinitions } from '../../../../server/src/features/names/definition.ts';
import { references } from '../../../../server/src/features/names/references.ts';
import type { FileSpan } from '../../../../server/src/features/names/snapshot.ts';
import { fixture } from './fixture.ts';
import type { FixtureOptions } from './fixture.ts';

/** `file:line word` of each place. */
function placesOf(files: ReadonlyMap<string, string>, places: readonly FileSpan[]): string[] {
  return places.map(({ file, span }) => {
    const text = files.get(file) ?? '';
    return `${file.slice('/w/'.length)}:${text.slice(0, span.start).split('\n').length} ${text.slice(span.start, span.end)}`.trimEnd();
  });
}

function define(text: string, expected: readonly string[], options?: FixtureOptions): void {
  const { snapshot, files, file, offset } = fixture(text, options);
  assert.deepEqual(placesOf(files, definitions(snapshot, file, offset)), expected);
}

function refer(text: string, expected: readonly string[], scope?: 'file'): void {
  const { snapshot, files, file, offset } = fixture(text);
  const found = references(snapshot, file, offset, scope) ?? [];
  assert.deepEqual(found.map((place) => `${placesOf(files, [place]).join('')} ${place.role}`), expected);
}

describe('a definition', () => {
  it('of a net, a port at its connection, a module', () => {
    define('module m;\nwire w;\nassign x = w$0;\nendmodule', ['top.sv:2 w']);
    const sub = '\n//- sub.v\nmodule sub(input a);\nendmodule';
    define(`//- top.v\nmodule top; sub u(.$0a(1)); endmodule${sub}`, ['sub.v:1 a']);
    define(`//- top.v\nmodule top; s$0ub u(.a(1)); endmodule${sub}`, ['sub.v:1 sub']);
    define(`//- top.v\nmodule top(input a); sub u(.a$0); endmodule${sub}`, ['sub.v:1 a', 'top.v:1 a']);
  });

  it('of an include and of what it brings', () => {
    const header = '//- inc/h.vh\n`ifndef H\n`define H\n`define ON\n`define MAX(a, b) ((a) > (b) ? (a) : (b))\nparameter P = 1;\n`endif\n';
    define(`${header}//- top.v\n\`include "inc$0/h.vh"\n`, ['inc/h.vh:1']);
    define(`${header}//- top.v\n\`include "inc/h.vh"\n\`ifdef ON$0\nmodule m;\nendmodule\n\`endif\n`, ['inc/h.vh:3 ON']);
    define(`${header}//- top.v\n\`include "inc/h.vh"\n\`ifdef ON\nmodule m; wire w;\nassign x = w$0;\nendmodule\n\`endif\n`, ['top.v:3 w']);
    define(`${header}//- top.v\n\`include "inc/h.vh"\nmodule m; wire x = \`M$0AX(1, 2);\nendmodule\n`, ['inc/h.vh:4 MAX']);
    define(`${header}//- top.v\n\`include "inc/h.vh"\nmodule m; wire x = \`MAX(1, P$0);\nendmodule\n`, ['inc/h.vh:5 P']);
    define(`${header}//- top.v\n\`define HERE "inc/h.vh"\n\`include \`HER$0E\n`, ['top.v:1 HERE']);
    define(`${header}//- top.v\n\`define HERE "inc/h.vh"\n\`inc$0lude \`HERE\n`, ['inc/h.vh:1']);
  });

  it('inside a header is that of the file that includes it', () => {
    define('//- body.vh\nassign y = a$0;\n//- top.v\nmodule m(input a, output y);\n`include "body.vh"\nendmodule', ['top.v:1 a']);
  });

  it('of a macro is the one in force', () => {
    define('`define A 1\n`undef A\n`define A 2\nmodule m; wire x = `A$0; endmodule\n`undef A\n`define A 3\n', ['top.sv:3 A']);
    define('//- m.v\nmodule m; wire x = `A$0; endmodule\n//- other.vh\n`define A 2\n', ['other.vh:1 A']);
  });

  it('of a package item, a parameter, a member', () => {
    define('//- p.sv\npackage p;\nlocalparam N = 1;\nendpackage\n//- m.sv\nmodule m; wire x = p::$0N; endmodule', ['p.sv:2 N']);
    define('module m; sub #(.$0W(1)) u(); endmodule\nmodule sub #(parameter W = 2)(); endmodule', ['top.sv:2 W']);
    define('module m;\ntypedef struct packed {\nlogic a; } s_t;\ns_t s; assign s.$0a = 1; endmodule', ['top.sv:3 a']);
  });

  it('of a name in a constraint beside a call is that of the object first', () => {
    const design = '//- a.sv\nclass c; rand int len; rand bit k; constraint lim { len < 10; } extern constraint far; endclass\nconstraint c::far { k == 1; }\nmodule t; int len, other; c o = new;\n';
    define(`${design}initial void'(o.randomize() with { le$0n > 3; });\nendmodule`, ['a.sv:1 len']);
    define(`${design}initial void'(o.randomize() with { len > other$0; });\nendmodule`, ['a.sv:3 other']);
    define(`${design}initial void'(o.randomize() with { len > local::le$0n; });\nendmodule`, ['a.sv:3 len']);
    define(`${design}initial void'(std::randomize(len) with { le$0n > 3; });\nendmodule`, ['a.sv:3 len']);
    define(`${design}initial o.li$0m.constraint_mode(0);\nendmodule`, ['a.sv:1 lim']);
    define(design.replace('{ k ==', '{ k$0 ==').concat('endmodule'), ['a.sv:1 k']);
  });

  it('of what a condition sees of an array is its element', () => {
    const design = '//- a.sv\nmodule t; typedef struct { int id; } e_t; e_t q [$]; int x;\n';
    define(`${design}initial q.sort() with (item.i$0d);\nendmodule`, ['a.sv:1 id']);
    define(`${design}initial q = q.find(x) with (x.i$0d == 3);\nendmodule`, ['a.sv:1 id']);
    define(`${design}initial q = q.find(x) with (x$0.id == 3);\nendmodule`, ['a.sv:2 x']);
    define(`${design}initial $display(q.sum with (item.id + x$0));\nendmodule`, ['a.sv:1 x']);
  });

  it('of a point of a covergroup is its label, and of what it covers the signal', () => {
    const design = '//- a.sv\nmodule t(input clk); logic [3:0] v, lo;\ncovergroup cg @(posedge clk);\nv: coverpoint v { bins lo = {0}; }\nw: coverpoint {lo, v} iff (v > 0);\nboth: cross v, w;\nendgroup\ncg i = new;\n';
    define(design.replace('cross v, w', 'cross v, w$0').concat('endmodule'), ['a.sv:4 w']);
    define(design.replace('cross v,', 'cross v$0,').concat('endmodule'), ['a.sv:3 v']);
    define(design.replace('coverpoint v', 'coverpoint v$0').concat('endmodule'), ['a.sv:1 v']);
    define(`${design}initial i.bo$0th.stop();\nendmodule`, ['a.sv:5 both']);
    define(design.replace('bins lo', 'bins l$0o').concat('endmodule'), []);
  });

  it('of nothing is none', () => {
    define('module m; $0 endmodule', []);
    define('module m; assign x = nowhere$0; endmodule', []);
  });
});

describe('a type definition', () => {
  it('is that of the typedef or module', () => {
    const { snapshot, files, file, offset } = fixture('module m;\ntypedef logic t;\nt x;\nassign y = x$0;\nendmodule');
    assert.deepEqual(placesOf(files, typeDefinitions(snapshot, file, offset)), ['top.sv:2 t']);
  });
});

describe('references', () => {
  it('stand in text that the defines leave out too', () => {
    refer('module m(input a$0);\n`ifdef SIM\nwire x = a;\n`else\nwire y = a;\n`ifdef FPGA\nsub u(.a(a));\n`endif\n`endif\nendmodule\nmodule sub(input a); endmodule', ['top.sv:1 a declaration', 'top.sv:5 a read', 'top.sv:3 a read', 'top.sv:7 a read']);
    refer('module m(input a$0);\n`ifdef SIM\n`ifndef SIM\nwire x = a;\n`endif\n`endif\n`ifdef FPGA\nwire y = a;\n`endif\nendmodule', ['top.sv:1 a declaration', 'top.sv:8 a read']);
  });

  it('tell who reads and who writes, through connections too', () => {
    refer(
      `//- top.v
      module top(output y); wire w$0;
      sub u(.a(w)); drv d(w);
      assign y = w;
      endmodule
      //- sub.v
      module sub(input a); endmodule
      module drv(output a); endmodule`,
      ['top.v:1 w declaration', 'top.v:2 w read', 'top.v:2 w write', 'top.v:3 w read'],
    );
  });

  it('of a port are in all files', () => {
    refer('//- a.v\nmodule a(input clk$0); wire x = clk; endmodule\n//- b.v\nmodule b(input clk);\na u(.clk(clk)), v(.clk);\nendmodule', [
      'a.v:1 clk declaration',
      'a.v:1 clk read',
      'b.v:2 clk other',
      'b.v:2 clk other',
    ]);
  });

  it('reach into macro arguments', () => {
    refer('`define INV(x) (~(x))\nmodule m(input a$0);\nwire y = `INV(a);\nendmodule', ['top.sv:2 a declaration', 'top.sv:3 a read']);
  });

  it('of a macro are its tests and uses', () => {
    refer('`define A$0\n`ifdef A\n`endif\n`ifndef A\n`A\n`endif', ['top.sv:1 A declaration', 'top.sv:2 A read', 'top.sv:4 A read', 'top.sv:5 A read']);
  });

  it('in one file are its highlights', () => {
    refer('module m;\nreg q;\nalways @(posedge q)\nq <= q$0;\nendmodule', ['top.sv:2 q declaration', 'top.sv:3 q read', 'top.sv:4 q write', 'top.sv:4 q read'], 'file');
  });
});
