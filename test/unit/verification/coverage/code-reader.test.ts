import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Parser } from '../../../../server/src/syntax/parser.ts';
import { preprocess } from '../../../../server/src/syntax/preprocess.ts';
import { withInsertions, type CodeMap } from '../../../../server/src/verification/coverage/code-map.ts';
import { readCode } from '../../../../server/src/verification/coverage/code-reader.ts';

const parser = await Parser.create();
const file = '/design.sv';

function codeOf(text: string): CodeMap & { readonly marked: string } {
  const source = preprocess(file, text, {});
  using tree = parser.parse(source.text);
  assert.ok(tree);
  const code = readCode([{ file, text: source.text, map: source.map, root: tree.rootNode }], (branch) => `M${String(branch)};`);
  const { branches, elements, instances, comparisons, ports, insertions, complete } = code;
  return { branches, elements, instances, comparisons, ports, insertions, complete, marked: withInsertions(text, insertions.get(file) ?? []) };
}

/** The statements of an always block, marked, and the names of its branches in the order of their numbers. */
function check(statements: string, marked: string, ...branches: string[]): void {
  const head = 'module m(input clk, a, b, output reg y); parameter P = 1;\nalways @(posedge clk) ';
  const code = codeOf(`${head}${statements}\nendmodule`);
  assert.equal(code.marked, `${head}${marked}\nendmodule`);
  assert.deepEqual(code.branches.map(({ what }) => what), branches);
  assert.ok(code.complete);
}

test('every arm of an if is marked, and so is an else that is missing', () => {
  check('if (a) y <= 1; else y <= 0;', 'if (a) begin M0; y <= 1; end else begin M1; y <= 0; end', 'if (a)', 'else of if (a)');
  check('if (a) y <= 1;', 'if (a) begin M0; y <= 1; end else begin M1; end', 'if (a)', 'missing else of if (a)');
  check('if (a) ; else if (b) y <= 1;', 'if (a) begin M0; ; end else if (b) begin M1; y <= 1; end else begin M2; end', 'if (a)', 'if (b)', 'missing else of if (b)');
});

test('an else keeps the if that it belongs to', () => {
  check(
    'if (a) if (b) y <= 1; else y <= 0;',
    'if (a) begin M0; if (b) begin M1; y <= 1; end else begin M2; y <= 0; end end else begin M3; end',
    'if (a)', 'if (b)', 'else of if (b)', 'missing else of if (a)',
  );
  check(
    'if (a) for (;;) if (b) if (clk) y <= 1; else y <= 0; else y <= b;',
    'if (a) begin M0; for (;;) if (b) begin M1; if (clk) begin M2; y <= 1; end else begin M3; y <= 0; end end else begin M4; y <= b; end end else begin M5; end',
    'if (a)', 'if (b)', 'if (clk)', 'else of if (clk)', 'else of if (b)', 'missing else of if (a)',
  );
});

test('every item of a case is marked', () => {
  check(
    'case (a) 0, 1: y <= 1; default: begin y <= 0; end endcase',
    'case (a) 0, 1: begin M0; y <= 1; end default: begin M1; begin y <= 0; end end endcase',
    'case 0, 1', 'default of case (a)',
  );
});

test('what no arm of a case takes is marked in a default of its own', () => {
  check('case (a) 0: y <= 1; endcase', 'case (a) 0: begin M0; y <= 1; end default: begin M1; end endcase', 'case 0', 'no arm of case (a)');
  const { branches, elements } = codeOf("module m(input [1:0] s, output reg y);\nalways @* case (s) 2'd0, 2'd1: y = 1; 2'd2: y = 0; endcase\nendmodule");
  assert.deepEqual(branches.map(({ kind }) => kind), ['arm', 'arm', 'rest']);
  assert.deepEqual(elements.flatMap(({ gap }) => gap ?? []), [{ lacks: 'arm', chooser: 's', comparison: 0, labels: ["2'd0", "2'd1", "2'd2"], arms: [0, 1] }]);
});

test('elements know when they run', () => {
  const { elements } = codeOf('module m(input clk, a, output reg y);\nreg r = 0; initial y = 0; always @(posedge clk) y <= a; assign z = a; always @* w = a;\nendmodule');
  assert.deepEqual(elements.filter(({ kind }) => kind !== 'event').map(({ targets, runs }) => `${targets.join()} ${runs}`), ['r once', 'y once', 'y clocked', 'z settled', 'w settled']);
});

test('both arms of a conditional operator are marked, the nested one only where it counts', () => {
  check(
    'y <= a ? b : clk;',
    "begin if (a) begin M0;  end else if (!(a)) begin M1;  end y <= a ? b : clk; end",
    "'b' of 'a ? b : clk'", "'clk' of 'a ? b : clk'",
  );
  check('y <= P ? b : clk;', 'y <= P ? b : clk;');
});

test('a continuous assignment gets a process that watches it', () => {
  const code = codeOf('module m(input a, b, output y);\nassign y = a ? b : 1;\nendmodule');
  assert.match(code.marked, /assign y = a \? b : 1; initial forever begin if \(a\) begin M0; {2}end else if \(!\(a\)\) begin M1; {2}end @\(\(a\)\); end\n/);
});

test('a comparison whose result is kept is marked as it comes out, where it decides', () => {
  check(
    'y <= a & (b == clk);',
    'begin if (a) if (b == clk) begin M0; end else if (!(b == clk)) begin M1; end y <= a & (b == clk); end',
    "'b == clk' is true", "'b == clk' is false",
  );
  check(
    'y <= a ? b < clk : P == 1;',
    'begin if (a) begin M0; if (b < clk) begin M2; end else if (!(b < clk)) begin M3; end end else if (!(a)) begin M1;  end y <= a ? b < clk : P == 1; end',
    "'b < clk' of 'a ? b < clk : P == 1'", "'P == 1' of 'a ? b < clk : P == 1'", "'b < clk' is true", "'b < clk' is false",
  );
});

test('a comparison that an instance is connected to is marked beside it, and noted where that is wanted', () => {
  const text = 'module m(input [1:0] a, b, output y);\nsub u(.p(a == b || b[0]), .y(y));\nendmodule';
  const code = codeOf(text);
  assert.deepEqual(code.branches.map(({ kind }) => kind), ['result', 'result']);
  const marks = 'if (!(b[0])) if (a == b) begin M0; end else if (!(a == b)) begin M1; end';
  assert.ok(code.marked.includes(`.y(y)); initial forever begin ${marks} @((a == b) or (!(b[0]))); end`), code.marked);
  assert.deepEqual(code.comparisons.map(({ when }) => when), ['(!(b[0]))', undefined]);
  const noting = withInsertions(text, code.insertions.get(file) ?? [], (comparison) => `N${String(comparison)};`);
  assert.ok(noting.includes(`${marks} begin N0; N1;  end @((a == b) or (!(b[0])) or (a) or (b) or (a) or (b)); end`), noting);
});

test('a comparison inside a macro is left out, and the map is still complete', () => {
  const code = codeOf('`define SET(c) begin y <= 0; y <= c == 1; y <= c; end\nmodule m(input clk, a, output reg y);\nalways @(posedge clk) `SET(a)\nendmodule');
  assert.deepEqual([code.complete, code.branches], [true, []]);
});

test('a branch inside a macro cannot be marked, and the map says so', () => {
  const code = codeOf('`define SET(c) if (c) y <= 1;\nmodule m(input clk, a, output reg y);\nalways @(posedge clk) begin `SET(a) if (clk) y <= 0; end\nendmodule');
  assert.equal(code.complete, false);
  assert.match(code.marked, /begin `SET\(a\) if \(clk\) begin M\d;/);
});

test('elements know what they assign, read and depend on', () => {
  const { elements, instances, ports } = codeOf(
    'module m(input clk, input [1:0] a, output reg y, output z);\nalways @(posedge clk) if (a[0]) {y, q[i]} <= b; sub u(.p(y), .r(z));\nendmodule\nmodule sub(p, r); input p; output r; assign r = ~p; endmodule',
  );
  const assignment = elements.find(({ kind }) => kind === 'assignment');
  assert.deepEqual([assignment?.targets, assignment?.reads, assignment?.branches], [['y', 'q'], ['i', 'b', 'a'], [0]]);
  const condition = elements.find(({ kind, gap }) => kind === 'condition' && gap === undefined);
  assert.deepEqual([condition?.targets, condition?.reads, condition?.branches], [['y', 'q'], ['a'], [0, 1]]);
  const event = elements.find(({ kind }) => kind === 'event');
  assert.deepEqual([event?.targets, event?.reads], [['y', 'q'], ['clk']]);
  assert.deepEqual(instances, [{ module: 'm', of: 'sub', connections: [{ port: 'p', names: ['y'] }, { port: 'r', names: ['z'] }], wildcard: false }]);
  assert.deepEqual(ports.get('sub'), ['p', 'r']);
});
