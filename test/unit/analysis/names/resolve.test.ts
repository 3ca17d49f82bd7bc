import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { declarationOf } from '../../../../server/src/analysis/names/declaration-ref.ts';
import { placeOf } from '../../../../server/src/analysis/names/model.ts';
import { workspace } from './workspace.ts';

/**
 * Names behind `/*?label*​/` must mean exactly the declarations behind `/*!label*​/` of the same label; where there are none,
 * the name has to stay unresolved. Labels may be empty.
 */
function check(fixture: string, defines: Readonly<Record<string, string>> = {}): void {
  const { files, models, resolver } = workspace(fixture, defines);
  const marks = (sign: string): { file: string; offset: number; label: string }[] =>
    [...files].flatMap(([file, text]) => [...text.matchAll(new RegExp(`/\\*\\${sign}(\\w*)\\*/`, 'g'))].map((match) => ({ file, offset: match.index + match[0].length, label: match[1] ?? '' })));
  const questions = marks('?');
  assert.ok(questions.length > 0, 'the fixture asks something');
  for (const { file, offset, label } of questions) {
    const model = models.find((candidate) => candidate.file === file);
    assert.ok(model);
    const uses = model.uses.flatMap((use, index) => {
      const place = placeOf(model, use.span);
      return place.file === file && place.span.start === offset ? [index] : [];
    });
    assert.ok(uses.length > 0, `a use of ${label} at ${file}:${offset}: ${files.get(file)?.slice(offset, offset + 20) ?? ''}`);
    const found = new Set(
      uses.flatMap((use) => {
        const resolution = resolver.resolve(model, use);
        return resolution.kind === 'declared' ? resolution.targets.map((target) => placeOf(target.names, declarationOf(target).span)).map((place) => `${place.file}:${place.span.start}`) : [];
      }),
    );
    const wanted = marks('!').filter((mark) => mark.label === label).map((mark) => `${mark.file}:${mark.offset}`);
    assert.deepEqual([...found].sort(), wanted.sort(), `use ${label} at ${offset} of ${file}`);
  }
}

describe('names in a file', () => {
  it('are found in the scope and those around it, the innermost first', () => {
    check(`module m(input logic /*!a*/a, output logic y);
      logic /*!b*/b;
      always_comb begin : blk
        logic /*!c*/b;
        /*?c*/b = /*?a*/a;
        y = blk./*?c*/b;
      end
      assign /*?b*/b = 1;
    endmodule`);
  });

  it('may be declared in a header without types', () => {
    check(`module m(/*?a*/a, q); input /*!a*/a; output q; reg q; initial q = /*?a*/a; endmodule`);
    check(`module m(/*?*/q); output [3:0] /*!*/q; reg [3:0] /*?*/q; always @* /*?*/q = 1; endmodule`);
  });

  it('of loops and blocks end with them', () => {
    check(`module m; int /*!o*/i; initial begin for (int /*!i*/i = 0; /*?i*/i < 3; /*?i*/i++) $display(/*?i*/i); /*?o*/i = 1; end
      initial foreach (arr[/*!f*/k]) $display(/*?f*/k); int arr[3]; endmodule`);
  });

  it('of a generate loop are its own, by an indexed path too', () => {
    check(`module m(input [3:0] d, output [3:0] q);
      wire /*!out*/s = d[0];
      genvar /*!g*/i;
      generate for (/*?g*/i = 0; /*?g*/i < 4; /*?g*/i = /*?g*/i + 1) begin : /*!blk*/g
        wire /*!in*/s = d[/*?g*/i];
        assign q[i] = /*?in*/s;
      end endgenerate
      assign x = /*?blk*/g[0]./*?in*/s & /*?out*/s;
    endmodule`);
  });

  it('of unnamed generate blocks are found by their number', () => {
    check(`module m; parameter P = 1;
      if (P) wire a; else wire b;
      for (genvar i = 0; i < 2; i++) begin wire /*!w*/w; end
      if (P == 1) begin wire /*!x*/x; end else begin wire z; end
      assign y = genblk2[0]./*?w*/w & genblk3./*?x*/x & genblk1./*?*/x;
    endmodule`);
  });

  it('in branches of the same name mean both', () => {
    check(`module m; if (1) begin : /*!g*/g wire /*!x*/x; end else begin : /*!g*/g wire /*!x*/x; end assign y = /*?g*/g./*?x*/x; endmodule`);
  });

  it('of subroutines, arguments and their locals', () => {
    check(`module m;
      function automatic int /*!f*/f(input int /*!a*/a, ref int b);
        int /*!l*/l; /*?l*/l = /*?a*/a; /*?f*/f = l; return l;
      endfunction : /*?f*/f
      task /*!t*/t; input /*!n*/n; reg r; begin r = /*?n*/n; end endtask
      initial begin /*?t*/t(1); x = /*?f*/f(./*?a*/a(1), .b(2)); end
      int x;
    endmodule`);
  });

  it('of enumerations belong to the scope around them, members to their type', () => {
    check(`module m;
      typedef enum logic [1:0] {/*!IDLE*/IDLE, RUN = 2} /*!st*/state_t;
      typedef struct packed { logic [3:0] /*!lo*/lo; struct packed { logic /*!x*/x; } /*!in*/in; state_t s; } /*!p*/pair_t;
      /*?st*/state_t s = /*?IDLE*/IDLE;
      /*?p*/pair_t p, q[3];
      assign p./*?lo*/lo = q[1]./*?in*/in./*?x*/x;
      initial begin p = '{/*?lo*/lo: 1, /*?in*/in: '{/*?x*/x: 0}, s: /*?IDLE*/IDLE}; q[0] = pair_t'{/*?lo*/lo: 1, default: 0}; end
      parameter pair_t D = '{/*?lo*/lo: 3, default: '0};
    endmodule`);
  });

  it('that nothing declares stay unresolved, but make nets in connections', () => {
    check(`module m(output y); assign y = /*?*/nowhere; endmodule`);
    check(`module m(output y); sub u(.a(/*!n*/n)); assign y = /*?n*/n; endmodule module sub(input a); endmodule`);
    check(`module m; assign /*!n*/made = 1; wire z = /*?n*/made; endmodule`);
  });

  it('come out of macros and includes', () => {
    check(`//- defs.vh
      \`define DECL(n) logic n
      localparam /*!w*/WIDTH = 4;
      //- top.sv
      \`include "defs.vh"
      module m; logic [/*?w*/WIDTH-1:0] d; \`DECL(e); assign x = e; endmodule`);
  });

  it('that are escaped keywords are names', () => {
    check('module m; wire /*!*/\\begin ; assign y = /*?*/\\begin ; endmodule');
  });
});

describe('names of other files', () => {
  it('are those of modules, their ports and parameters', () => {
    check(`//- top.sv
      module top; wire [3:0] w; wire /*!b*/b;
        /*?sub*/sub #(./*?W*/W(4), ./*?L*/L(2)) u (./*?a*/a(w), ./*?b2*/q(b), .none(/*?b*/b));
        sub #(4) v [1:0] (w, /*?b*/b);
        initial $display(/*?none*/nothing, u./*?in*/inner.x, top.u./*?a*/a);
      endmodule
      //- sub.sv
      module /*!sub*/sub #(parameter /*!W*/W = 1, localparam /*!L*/L = 2)(input [W-1:0] /*!a*/a, output /*!b2*/q); wire /*!in*/inner; endmodule : /*?sub*/sub`);
  });

  it('of a shorthand connection mean the port and the net', () => {
    check(`module top; wire /*!x*/clk; sub u (./*?x*/clk); endmodule module sub(input /*!x*/clk); endmodule`);
  });

  it('are package items, by name, by import and by wildcard', () => {
    check(`//- p.sv
      package /*!p*/p; typedef logic [3:0] /*!t*/nib_t; localparam /*!N*/N = 3; function int /*!f*/f; return N; endfunction endpackage
      package q; import p::*; export p::*; localparam /*!M*/M = /*?N*/N; endpackage
      //- top.sv
      module m import p::*; #(parameter W = /*?N*/N)(input /*?t*/nib_t a);
        import q::/*?M*/M;
        wire [/*?p*/p::/*?N*/N:0] x = /*?f*/f() + /*?M*/M + q::/*?N*/N;
      endmodule`);
  });

  it('are those of packages that another file imports outside of its modules, behind all nearer ones', () => {
    check(`//- p.sv
      package p; typedef enum { /*!R*/RUN } /*!t*/state_t; localparam int N = 3; endpackage
      //- all.sv
      import p::*;
      import missing::*;
      //- top.sv
      module m(input /*?t*/state_t s); localparam /*!n*/N = 1; wire w = s == /*?R*/RUN || s == /*?n*/N || s == /*?none*/M; endmodule`);
    check(`//- p.sv
      package p; localparam int A = 1; localparam int /*!b*/B = 2; endpackage
      //- all.sv
      import p::B;
      //- top.sv
      module m; localparam C = /*?none*/A + /*?b*/B; endmodule`);
  });

  it('are signals of interfaces and their modports', () => {
    check(`//- bus.sv
      interface /*!bus*/bus_if(input clk); logic /*!v*/valid; modport /*!m*/master(output /*?v*/valid, input clk); modport slave(input valid); endinterface
      //- top.sv
      module dev(/*?bus*/bus_if./*?m*/master /*!p*/p, bus_if q); assign /*?p*/p./*?v*/valid = q./*?v*/valid; endmodule
      module top; bus_if /*!b*/b(1); dev d(.p(/*?b*/b.master), .q(b)); assign x = b./*?v*/valid; endmodule`);
  });

  it('of a class are those of its base too', () => {
    check(`package p; class base; int /*!n*/n; function void /*!go*/go(); /*?n*/n = 1; endfunction endclass
      class /*!d*/derived extends base; rand int k; function new(); super.new(); /*?n*/n = 2; this./*?n*/n = 3; /*?go*/go(); endfunction endclass endpackage
      module m; import p::*; /*?d*/derived d = new(); initial begin d./*?go*/go(); d./*?n*/n = 1; end endmodule`);
  });

  it('behind this and super are those of the class or its base, also in bodies outside of it', () => {
    check(`class b; int /*!n*/n; virtual function int /*!s*/size(); return n; endfunction endclass
      class c extends b; int /*!x*/x; function new(int /*!a*/x); this./*?x*/x = /*?a*/x; this./*?n*/n = 1; endfunction
      virtual function int size(); return super./*?s*/size() + super./*?n*/n; endfunction extern task /*!r*/run(int k); endclass
      task c::/*?r*/run(int /*!t*/times); repeat (/*?t*/times) /*?x*/x++; this./*?x*/x = super./*?s*/size(); endtask`);
  });

  it('stay those of a module behind a class or module in it, wherever that begins on its line', () => {
    check('module /*!m*/m; wire /*!a*/a;\nclass /*!c*/c; int x; endclass\nassign b = /*?a*/a; /*?c*/c o;\nmodule inner; endmodule\nassign d = /*?a*/a;\nendmodule');
    check('module m; wire a;\nclass c; int x; endclass\nmodule n; /*?c*/c o; endmodule'.replace('class c', 'class /*!c*/c'));
  });

  it('of a class that is made are its constructor, or the one it inherits', () => {
    check(`class a; function /*!a*/new(int /*!n*/n); endfunction endclass class b extends a; endclass
      class c extends b; extern function /*!c*/new(string s = ""); function void go(); this.x = /*?a*/new(./*?n*/n(1)); endfunction b x; a list[2]; endclass
      function c::/*?c*/new(string s = ""); super./*?a*/new(3); list[1] = /*?a*/new(4); endfunction
      module m; c d = /*?c*/new; b e, f[]; initial begin e = /*?a*/new(1); d = c::/*?c*/new("x"); f = new[3]; d.list[0] = /*?a*/new(2); end endmodule`);
  });

  it('of a clocking block are those of its signals, or its own', () => {
    check(`interface i(input clk); logic /*!d*/d, r; clocking cb @(posedge clk); default input #1step output #2; input /*?d*/d; output /*!o*/o = r; endclocking endinterface
      module m; virtual i v; initial begin v.cb./*?d*/d = 1; v.cb./*?o*/o <= 1; end endmodule`);
  });

  it('that a bind connects are those of the bound module', () => {
    check(`//- core.sv
      module core(input clk); import p::*; logic /*!c*/cnt; wire w = K; endmodule package p; localparam /*!k*/K = 1; endpackage
      //- bind.sv
      module chk(input /*!a*/a, b); endmodule
      module other; logic cnt; bind core chk #(.W(/*?k*/K)) u(./*?a*/a(/*?c*/cnt), .b(/*?none*/gone)); endmodule`);
  });

  it('of a named block inside a loop are found from outside, unless the loop has variables of its own', () => {
    check(`module m; initial begin : w integer i; for (i = 0; i < 2; i = i + 1) begin : in reg /*!t*/t; end end
      initial begin : v for (int i = 0; i < 2; i++) begin : in reg t; end end
      assign x = w.in./*?t*/t, y = v.in./*?none*/t; endmodule`);
  });

  it('are those of the nearest file', () => {
    check(`//- a/sub.v
      module sub(input /*!a*/a); endmodule
      //- b/sub.v
      module sub(input /*!b*/a); endmodule
      //- b/top.v
      module top; sub u(./*?b*/a(1)); endmodule
      //- a/x/top.v
      module top; sub u(./*?a*/a(1)); endmodule`);
  });
});

describe('broken text', () => {
  it('with circles of imports, classes and types ends', () => {
    check('package p; import p::*; import q::*; wire x = /*?*/nothing; endpackage package q; import p::*; endpackage');
    check('class c extends d; function f; f = /*?*/nothing; endfunction endclass class d extends c; endclass');
    check('module m; typedef a b; typedef b a; a x; assign y = x./*?*/nothing; endmodule');
  });

  it('costs only the construct that is broken', () => {
    check(`module m(input /*!a*/a, output y);
      wire x = ;
      assign y = (/*?a*/a;
      always @(posedge begin
      foo bar baz;
      assign y = /*?a*/a &;
    module n; wire /*!w*/w; assign z = /*?w*/w; endmodule`);
  });
});

describe('structures in each other', () => {
  it('make a model no larger than the text, however deep they stand', () => {
    const depth = 1000;
    const text = `module m;\n${'struct packed { '.repeat(depth)}logic x;${Array.from({ length: depth }, (_, index) => `} s${index};`).join('\n')}\nlogic behind;\nendmodule\n`;
    const { models } = workspace(text);
    const declarations = models[0]?.declarations ?? [];
    assert.ok(declarations.some(({ name }) => name === 'behind'));
    const written = declarations.reduce((sum, { typeText }) => sum + typeText.length, 0);
    assert.ok(written < 60 * text.length, `${written} characters of types for ${text.length}`);
  });

  it('leave a member open where they are passed over', () => {
    const nested = `${'struct packed { '.repeat(60)}logic x;${' } s;'.repeat(60)}`;
    const { models, resolver } = workspace(`module m(output y);\n${nested}\nassign y = s${'.s'.repeat(59)}.x;\nendmodule\n`);
    const [model] = models;
    assert.ok(model);
    const last = model.uses.findLastIndex(({ name }) => name === 'x');
    assert.deepEqual(resolver.resolve(model, last), { kind: 'unresolved', reason: 'uncertain' });
  });
});
