import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { includeGuardOf } from '../../../server/src/syntax/include-guard.ts';
import { preprocess } from '../../../server/src/syntax/preprocess.ts';
import type { Preprocessed } from '../../../server/src/syntax/preprocessed.ts';

interface Setting {
  readonly defines?: Record<string, string>;
  readonly files?: Record<string, string>;
}

function run(text: string, { defines, files }: Setting = {}): Preprocessed {
  return preprocess('/work/top.v', text, { defines, includeDirs: ['/inc'], readFile: (path) => files?.[path] });
}

/** Compares the result with white space collapsed. */
function check(text: string, expected: string, setting: Setting = {}): void {
  const result = run(text, setting);
  assert.equal(result.text.replace(/\s+/g, ' ').trim(), expected);
  assert.deepEqual(result.problems, []);
}

test('conditionals choose by what is defined', () => {
  check('`ifdef A\nx\n`elsif B\ny\n`else\nz\n`endif', 'z');
  check('`ifdef A\nx\n`elsif B\ny\n`else\nz\n`endif', 'y', { defines: { B: '' } });
  check('`ifdef A\nx\n`elsif B\ny\n`else\nz\n`endif', 'x', { defines: { A: '1', B: '1' } });
  check('`ifndef A\n`ifdef B\nx\n`else\ny\n`endif\n`endif z', 'y z');
  check('`define A\n`ifdef A x `endif `undef A\n`ifdef A y `endif', 'x');
});

test('conditions may be expressions of macro names in parentheses', () => {
  const holds = (condition: string): boolean => run(`\`ifdef ${condition}\nyes\n\`endif`, { defines: { A: '1', B: '1' } }).text.includes('yes');
  for (const condition of ['(A)', '( A && B )', '(!C)', '(A || C && C)', '(C -> C -> C)', '(A <-> !C)', '((C || A) && !(B && C))', '(A/* a */&&\nB)']) assert.equal(holds(condition), true, condition);
  for (const condition of ['(C)', '(A && C)', '(!A)', '((A || C) && C)', '(A -> C)', '(A <-> C)']) assert.equal(holds(condition), false, condition);
  check('`ifndef (A)\nx\n`elsif (!A && !B)\ny\n`else\nz\n`endif', 'z', { defines: { A: '1' } });
  for (const condition of ['', '(', '(A', '(A &&)', '(&& A)', '\nA']) assert.deepEqual(run(`\`ifdef ${condition}\n\`endif`).problems.map(({ code }) => code), ['bad-directive'], condition);
});

test('nested conditionals in an inactive branch stay inactive, even where their own condition holds', () => {
  check('`ifdef NO\n`ifndef NO\nx\n`else\ny\n`endif\n`elsif ALSO\n`else\nz\n`endif', 'z');
});

test('a missing endif, a stray endif and a second else are problems at their place', () => {
  const codes = (text: string): string[] => run(text).problems.map((problem) => `${problem.code}@${problem.span.start}`);
  assert.deepEqual(codes('a\n`ifdef X\nb'), ['unbalanced-conditional@2']);
  assert.deepEqual(codes('a\n`endif'), ['unbalanced-conditional@2']);
  assert.deepEqual(codes('`ifdef X\n`else\n`else\n`endif'), ['unbalanced-conditional@15']);
});

test('object-like macros expand, again in their own text', () => {
  check('`define W 8\n`define R [`W-1:0]\nwire `R a;', 'wire [8-1:0] a;');
  check('`define LONG a + \\\n  b\nx = `LONG;', 'x = a + b;');
  check('`define C 3 // three\n`C;', '3 ;'.replace(' ', ''));
  check('a = `W;', 'a = 16;', { defines: { W: '16' } });
});

test('function-like macros take arguments, defaults and nested brackets', () => {
  check('`define MAX(a, b) ((a) > (b) ? (a) : (b))\nx = `MAX(f(1, 2), {p, q});', 'x = ((f(1, 2)) > ({p, q}) ? (f(1, 2)) : ({p, q}));');
  check('`define D(x, y = 5) x+y\n`D(1) `D(1, 2) `D(1,)', '1+5 1+2 1+5');
  check('`define E() e\n`E()', 'e');
  check('`define JOIN(a, b) a``_``b\n`JOIN(x, y)', 'x_y');
  check('`define S(a) `"a`"\n`S(hi) "a"', '"hi" "a"');
  check('`define P(x) "x" x 4\'hx\n`P(1)', '"x" 1 4\'hx');
});

test('comments and line ends may stand wherever white space may', () => {
  check('`define A(x /* x */, // the y\n y /* y */) x-y // end\n`A // name\n (1 /* one */, // two\n 2 // too\n)', '1-2');
  check('`define S "a//b" /* c */ "/*"\n`S', '"a//b" "/*"');
  check('`timescale 1 ns / // unit\n 1 /* ps */ ps\n`default_nettype // nets\n none\n`unconnected_drive /* up */\n pull1\nx', 'x');
});

test('a macro in its own arguments is no recursion', () => {
  check('`define MAX(a, b) (a > b ? a : b)\n`MAX(1, `MAX(2, 3))', '(1 > (2 > 3 ? 2 : 3) ? 1 : (2 > 3 ? 2 : 3))');
  check('`define ID(a) a\n`define TWICE(a) `ID(a) `ID(`ID(a))\n`TWICE(`TWICE(x))', 'x x x x');
});

test('escaped names name macros', () => {
  check('`define \\a-b 1\n`define \\c 2\n`\\a-b `c `\\c ;', '1 2 2 ;');
});

test('encrypted text is no Verilog', () => {
  check('a\n`pragma protect begin_protected\n`pragma protect x="y"\n`junk ( " /*\n`pragma protect end_protected x\nb', 'a b');
  check('a `protected\n" ( `ifdef\n`endprotected b', 'a b');
  check('a\n`pragma protect begin\nb', 'a b');
  check('a\n//pragma protect begin_protected\n//pragma protect data_block\n`junk ( " /*\n //pragma protect end_protected x\nb', 'a b');
  check('a //pragma protect begin\nb', 'a //pragma protect begin b');
});

test('a wrong number of arguments is a problem at the usage and leaves the text', () => {
  const result = run('`define M(a, b) a b\nx = `M(1);');
  assert.equal(result.problems[0]?.code, 'bad-macro-usage');
  assert.match(result.text, /x = `M\(1\);/);
});

test('a usage that is no use of its macro is one problem, which tells what is wrong', () => {
  const problems = (usage: string): string[] => run(`\`define M(a, b) a b\n\`define D(a, b = 1) a b\n${usage}\n`).problems.map(({ message }) => message);
  assert.deepEqual(problems('x = `M(1, `M(2);\ny = `M(1, 2);'), ["The '(' behind '`M' is not closed; add a ')'."]);
  assert.deepEqual(problems('x = `M(1, 2, 3);'), ["'`M' takes 2 arguments, and 3 are given."]);
  assert.deepEqual(problems('x = `M(1); y = `D(2);'), ["'`M' takes 2 arguments; one without a default is missing."]);
  assert.deepEqual(problems('x = `M;'), ["'`M' takes 2 arguments in parentheses."]);
});

test('a macro that expands to itself ends', () => {
  const result = run('`define A `B\n`define B `A\nx `A y');
  assert.equal(result.problems[0]?.code, 'recursive-macro');
  assert.match(result.text, /x\s+y/);
});

test('comments, strings and escaped identifiers hide directives', () => {
  const text = '// `ifdef X\n/* `else */ "`endif" \\a`b c';
  assert.equal(run(text).text, text);
});

test('unknown macros stay, and are listed', () => {
  const result = run('always `FOO(a) b <= `BAR;');
  assert.equal(result.text, 'always `FOO(a) b <= `BAR;');
  assert.deepEqual(result.unknown.map(({ name }) => name), ['FOO', 'BAR']);
  assert.deepEqual(result.problems, []);
});

test('directives without meaning for the syntax are blanked', () => {
  check('`timescale 1ns/1ps\n`default_nettype none\n`celldefine module m; endmodule `endcelldefine', 'module m; endmodule');
});

test('includes are spliced in, from the own directory first', () => {
  check('`include "a.vh"\nx', 'own x', { files: { '/work/a.vh': 'own', '/inc/a.vh': 'other' } });
  check('`include "b.vh"\n`W', '7', { files: { '/inc/b.vh': '`define W 7\n' } });
  check('`include <a.vh>\nx', 'other x', { files: { '/work/a.vh': 'own', '/inc/a.vh': 'other' } });
  check('`include <a.vh>\nx', 'own x', { files: { '/work/a.vh': 'own' } });
  check('`define F "a.vh"\n`include `F', 'own', { files: { '/work/a.vh': 'own' } });
});

test('an include guard works, and an include circle ends with a problem', () => {
  check('`include "g.vh"\n`include "g.vh"\n', 'once', { files: { '/work/g.vh': '`ifndef G\n`define G\nonce\n`endif' } });
  const result = run('`include "c.vh"\n', { files: { '/work/c.vh': '`include "c.vh"\n' } });
  assert(result.problems.some(({ code }) => code === 'include-cycle'));
});

test('a macro with arguments names an include', () => {
  const files = { '/work/a_b.vh': 'found' };
  check('`define FILE(x, y) `"x``_``y.vh`"\n`define SAME(x) `FILE(x, b)\n`include `SAME(a) \n`include `FILE( a , b )\nz', 'found found z', { files });
});

test('a missing include is one problem at the directive', () => {
  const result = run('a\n`include "no.vh"\nb');
  assert.deepEqual(result.problems.map(({ code, span }) => [code, span]), [['missing-include', { start: 2, end: 18 }]]);
  assert.match(result.problems[0]?.message ?? '', /"no.vh"/);
});

test('the source map leads to the usage of a macro and to the text of an include', () => {
  const text = '`define W 8\nwire [`W:0] a;\n`include "i.vh"\nend';
  const { text: output, map } = run(text, { files: { '/work/i.vh': 'wire b;\n' } });
  const usage = text.indexOf('`W');
  assert.deepEqual(map.locate(output.indexOf('8')), { file: '/work/top.v', span: { start: usage, end: usage + 2 }, exact: false });
  assert.deepEqual(map.locate(output.indexOf('b;')), { file: '/work/i.vh', span: { start: 5, end: 5 }, exact: true });
  const include = text.indexOf('`include');
  const at = output.indexOf('wire b');
  assert.deepEqual(map.locateInRoot({ start: at, end: at + 6 }), { start: include, end: include + '`include "i.vh"'.length });
  assert.equal(map.locate(output.lastIndexOf('end')).span.start, text.lastIndexOf('end'));
  assert.equal(map.fromRoot(text.lastIndexOf('end')), output.lastIndexOf('end'));
});

const PIECES = ['`ifdef A\n', '`ifndef B\n', '`elsif C\n', '`else\n', '`endif\n', '`define A 1\n', '`define M(x) x+x\n', '`undef A\n', 'wire a;\n', '`A', '`M(3)', '`include "i.vh"\n', '"s`A"', '// c `A\n', '/* ` */', '\\e`x ', '`X '];
const sources = fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }).map((pieces) => pieces.join(''));
const files = { '/work/i.vh': 'inc `A\n`define C\n' };

test('law: the blanked text has equal length and equal lines, and keeps each character or blanks it', () => {
  fc.assert(
    fc.property(fc.oneof(sources, fc.string()), (text) => {
      const { blanked } = run(text, { files });
      assert.equal(blanked.length, text.length);
      for (let index = 0; index < text.length; index++) assert(blanked[index] === text[index] || (blanked[index] === ' ' && text[index] !== '\n'));
    }),
  );
});

test('law: the source map is monotone in the root file and exact where it says so', () => {
  fc.assert(
    fc.property(sources, (text) => {
      const { text: output, map } = run(text, { files });
      let last = 0;
      for (let offset = 0; offset < output.length; offset++) {
        const root = map.locateInRoot({ start: offset, end: offset + 1 });
        assert(root.start >= last && root.end <= text.length);
        last = root.start;
        const place = map.locate(offset);
        const source = place.file === '/work/top.v' ? text : files['/work/i.vh'];
        if (place.exact && output[offset] !== ' ') assert.equal(output[offset], source[place.span.start]);
      }
    }),
  );
});

test('a guard is the macro that all of a file depends on', () => {
  const guarded = '// file\n/* of\n ours */\n`ifndef A_SVH // once\n`define A_SVH\n`ifdef B\n`endif\nwire w;\n`endif // A_SVH\n';
  assert.equal(includeGuardOf(guarded), 'A_SVH');
  assert.equal(includeGuardOf(`${guarded}wire more;\n`), undefined);
  assert.equal(includeGuardOf(guarded.replace('`define A_SVH', '`define A_SVH_')), undefined);
  assert.equal(includeGuardOf('`ifndef WIDTH\n`define WIDTH 8\n`endif\nmodule m;\nendmodule\n'), undefined);
  assert.equal(includeGuardOf(`/*${'* '.repeat(4_000_000)}`), undefined);
});

test('a mistyped directive is told where its arguments show what was meant', () => {
  const messages = (text: string): string[] => run(text).problems.map(({ message }) => message);
  assert.deepEqual(messages('`timscale 1ns/1ps\nmodule m; endmodule\n'), ["'`timscale' is no directive; did you mean '`timescale'?"]);
  assert.deepEqual(messages('  `includ "x.v"\n'), ["'`includ' is no directive; did you mean '`include'?"]);
  assert.deepEqual(messages('`defin A 1 \\\n + 2\nwire a;\n'), ["'`defin' is no directive; did you mean '`define'?"]);
  assert.deepEqual(messages('`includes x\nwire a; `timscale 1\n`defined;\n'), []);
  assert.deepEqual(messages('`define defines(x) x\n`defines (a)\n'), []);
});
