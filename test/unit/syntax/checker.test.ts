import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { checkSyntax } from '../../../server/src/syntax/checker.ts';
import type { CheckedText } from '../../../server/src/syntax/checker.ts';
import { Parser, SyntaxTree } from '../../../server/src/syntax/parser.ts';
import { preprocess } from '../../../server/src/syntax/preprocess.ts';
import { findStructureMistakes } from '../../../server/src/syntax/structure.ts';
import { randomEdit, randomFrom, RECIPES, seedMistakes } from './mistakes.ts';

const parser = await Parser.create();
const folder = join(import.meta.dirname, '../../fixtures/clean');
const clean = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
const hosts = clean.filter(({ name }) => name.startsWith('plain_'));

function readInclude(path: string): string | undefined {
  return clean.find(({ name }) => join(folder, name) === path)?.text;
}

function checkText(text: string, previous?: CheckedText): CheckedText {
  const checked = checkSyntax(parser, text, { previous });
  assert(checked);
  return checked;
}

/** Messages with their one-based lines, those of directives too. */
function messagesOf(name: string, text: string, defines: Record<string, string> = {}): string[] {
  const source = preprocess(join(folder, name), text, { readFile: readInclude, defines });
  const line = (offset: number): number => text.slice(0, offset).split('\n').length;
  return [
    ...checkText(source.text).diagnostics.map(({ span, message }) => `${line(source.map.locateSpan(span).span.start)}: ${message}`),
    ...source.problems.map(({ span, message }) => `${line(span.start)}: ${message}`),
  ];
}

describe('the clean corpus', () => {
  test('has no diagnostics, with its conditionals one way or the other', () => {
    assert(clean.length >= 60, `${clean.length} files`);
    for (const { name, text } of clean) {
      assert.deepEqual(messagesOf(name, text), [], name);
      const symbols = [...text.matchAll(/`(?:ifdef|elsif) (\w+)/g)].map(([, symbol]): [string, string] => [symbol ?? '', '1']);
      if (symbols.length > 0 && !name.includes('include')) assert.deepEqual(messagesOf(name, text, Object.fromEntries(symbols)), [], name);
    }
  });

  test('holds nothing that the reader of structure takes for a mistake', () => {
    for (const { name, text } of clean) {
      if (/^(?:old_names|unknown_macros)/.test(name)) continue;
      const source = preprocess(join(folder, name), text, { readFile: readInclude });
      assert.deepEqual(findStructureMistakes(source.text), [], name);
    }
  });
});

test('an item outside of all modules is told, unless the text is a part of one', () => {
  assert.deepEqual(messagesOf('a.sv', 'module m; endmodule\n// one\n(* keep *) assign x = 1;\n'), ["3: 'assign' stands outside of any module; move it into one."]);
  assert.deepEqual(messagesOf('a.sv', 'initial $finish;\nmodule m; endmodule\n'), ["1: 'initial' stands outside of any module; move it into one."]);
  assert.deepEqual(messagesOf('a.sv', 'assign y = a;\nalways @(posedge clk) q <= d;\n'), []);
  assert.deepEqual(messagesOf('a.sv', 'wire w; logic x; bind m n u();\nfunction int f(); return 1; endfunction\nmodule m; endmodule\n'), []);
  assert.deepEqual(messagesOf('a.sv', 'module m;\nendmodule\nassign y = a;\nendmodule\n'), ["2: Code and another 'endmodule' follow this one; remove one of the two."]);
});

test('a mistake of any kind is reported once, on its line', () => {
  assert(Object.keys(RECIPES).length >= 40);
  const wrong = seedMistakes(hosts, 2, 11).flatMap(({ kind, text, lines }) => {
    const found = messagesOf('mistake.sv', text);
    const isRight = found.length === 1 && lines.includes(Number.parseInt(found[0] ?? '', 10) - 1);
    return isRight ? [] : [`${kind}: ${found.join(' | ')}`];
  });
  assert.deepEqual(wrong, []);
});

test('an end of a module that comes too early is one mistake, whatever it cuts off', () => {
  const early = (text: string): string[] => messagesOf('early.sv', text);
  const told = (line: number): string[] => [`${line}: Code and another 'endmodule' follow this one; remove one of the two.`];
  assert.deepEqual(early('module m(input a, output y);\n  wire t = a;\nendmodule : m // here\n  function f(int x); return x; endfunction\n  assign y = t;\nendmodule\nmodule n; endmodule\n'), told(3));
  assert.deepEqual(early('module m(input c, a, output reg y, z);\n  always @(posedge c) begin\n    y <= a;\nendmodule\n    z <= a;\n  end\nendmodule\n'), told(4));
  assert.deepEqual(early('module m(input [1:0] a, output reg y);\n  always @*\n    case (a)\n      0: y = 1;\nendmodule\n      default: y = 0;\n    endcase\nendmodule\n'), told(5));
  assert.deepEqual(early('module m; endmodule\n// A comment.\nendmodule\n'), ["3: 'endmodule' without 'module'; remove it or add the beginning."]);
  assert.match(early('module m(input a, output reg y);\n  always @* begin\n    y = a;\nendmodule\n  wire t;\nendmodule\n').join(' | '), /^2: 'begin' without 'end'.* \| 4: Code/);
});

test('the end of a module on any line of it is one mistake', () => {
  const several: string[] = [];
  for (const name of ['plain_uart.v', 'plain_fifo.v', 'plain_top.v', 'enum_fsm.sv']) {
    const lines = readFileSync(join(folder, name), 'utf8').split('\n');
    const first = lines.findIndex((line) => /^module\b/.test(line));
    const last = lines.findIndex((line) => /^endmodule\b/.test(line));
    for (let at = first + 1; at < last; at++) {
      const found = messagesOf(name, lines.toSpliced(at, 0, 'endmodule').join('\n'));
      if (found.length !== 1) several.push(`${name}:${at} ${found.join(' | ')}`);
    }
  }
  assert.deepEqual(several, []);
});

function assertAsFromScratch(text: string, before: CheckedText): CheckedText {
  const checked = checkText(text, before);
  const fresh = checkText(text);
  assert.deepEqual(checked.units.map(({ start, end }) => [start, end]), fresh.units.map(({ start, end }) => [start, end]));
  assert.deepEqual(checked.diagnostics, fresh.diagnostics);
  return checked;
}

test('law: after any sequence of edits the result is that of a check from scratch, and every tree is freed', () => {
  const trees = SyntaxTree.liveCount;
  const long = hosts.map(({ text }) => text).join('\n');
  // The seeds write modules into modules, whose beginnings are told from mistakes by what follows far behind.
  for (const seed of [3, 27]) {
    const random = randomFrom(seed);
    for (const start of [long, ...hosts.slice(0, 3).map(({ text }) => text)]) {
      let text = start;
      let checked = checkText(text);
      for (let count = 0; count < 60; count++) {
        text = randomEdit(text, start, random);
        checked = assertAsFromScratch(text, checked);
      }
    }
  }
  assert.equal(SyntaxTree.liveCount, trees);
});

test('an edit is seen by what is far before it and depends on it', () => {
  const filler = '  assign y = a;\n'.repeat(20);
  const edits = {
    'a module is nested only as long as both have an end': [`module m (input a);\n${filler}module n;\n${filler}endmodule\n${filler}`, 'endmodule\n'],
    'the item behind a wide indentation decides whether a unit ends before it': [`module m (input a);\n  wire t;\n${' '.repeat(90)}`, 'assign y = a;\nendmodule\n'],
    'the label of a module stands behind blank lines': [`module m (input a);\nendmodule${'\n'.repeat(90)}`, ': m\n'],
    'a reserved word is a name where it is declared': [`module m (input a);\n  assign do = a;\nendmodule\n${'// next\n'.repeat(20)}`, 'module n (input do);\nendmodule\n'],
  };
  for (const [name, [before = '', typed = '']] of Object.entries(edits)) {
    const start = checkText(before);
    let checked = start;
    for (let length = 1; length <= typed.length; length++) checked = assertAsFromScratch(before + typed.slice(0, length), checked);
    assert.notDeepEqual(checked.units.slice(0, start.units.length), start.units, name);
    assertAsFromScratch(before, checked);
  }
});

test('an edit has little of a long text parsed again', () => {
  const text = Array.from({ length: 40 }, () => hosts.map((host) => host.text).join('\n')).join('\n');
  const at = text.indexOf('level == DEPTH', text.length / 2);
  const checked = checkText(`${text.slice(0, at)} ${text.slice(at)}`, checkText(text));
  assert(checked.parsed < 5000, `${checked.parsed} of ${text.length} characters`);
});

test('a reserved word of SystemVerilog is a name where an old design declares it so, and a mistake elsewhere', () => {
  const old = 'module m (input clk, input [7:0] byte, output reg [7:0] do);\n  always @(posedge clk) do <= byte;\nendmodule\n';
  assert.deepEqual(messagesOf('m.v', old), []);
  assert.deepEqual(messagesOf('m.v', 'module m(a, type, y); // type of element\n  input a;\n  input [1:0] type; // "type of"\n  output y;\n  assign y = type[a];\nendmodule\n'), []);
  const oldest = '`begin_keywords "1364-1995"\nmodule m(generate, localparam, y);\n  input generate; input [3:0] localparam; output y; reg y; wire genvar;\n  assign genvar = localparam[1];\n  always @(generate or genvar) y = generate & genvar;\nendmodule\n`end_keywords\n';
  assert.deepEqual(messagesOf('m.v', oldest), []);
  assert.deepEqual(messagesOf('m.v', old.replace('do <= byte', 'do <= byte +')), ["2: Missing an operand after '+'."]);
  assert.equal(messagesOf('m.sv', 'module m (input logic a);\n  assign unique = a;\nendmodule\n').length, 1);
});

test('a mistake leaves the modules round it as they are', () => {
  const [first, second, third] = ['one', 'two', 'three'].map((name) => `module ${name} (input a, output y);\n  assign y = a;\nendmodule\n`);
  for (const broken of [second?.replace('endmodule', ''), second?.replace(');', ')'), second?.replace('module two', 'modul two'), second?.replace('(input', 'input')]) {
    const found = messagesOf('m.v', `${first}${broken}${third}`);
    assert.equal(found.length, 1, found.join(' | '));
    assert.match(found[0] ?? '', /^[456]: /, broken);
  }
});

test('a header that is not found hides no mistake and makes none', () => {
  const text = '`include "gone.svh"\nmodule m (input [`W-1:0] a, output y);\n  `CHECK(a, b)\n  assign y = a[0]\n  wire t;\nendmodule\n';
  const [include, mistake, ...others] = messagesOf('m.sv', text).sort();
  assert.match(include ?? '', /^1: The file "gone\.svh" was not found/);
  assert.match(mistake ?? '', /^4: Missing ';' after this assignment\.$/);
  assert.deepEqual(others, []);
});

test('a header with a guard decides the branches behind it', () => {
  const text = '`include "include_guard.svh"\n`ifdef INCLUDE_GUARD_SVH\nmodule m; guarded_t a\nendmodule\n`else\nmodule n(; endmodule\n`endif\n';
  assert.deepEqual(messagesOf('m.sv', text), ["3: Missing ';' after this statement."]);
});

test('in a text that is nested too deeply to be read to its end, what was found before stays', () => {
  const text = `module m(input a, output reg y);\n  assign y = = a;\n  always @* ${'begin '.repeat(20_000)} y = a;\nendmodule\n`;
  assert.deepEqual(messagesOf('deep.sv', text), ["2: Missing an operand after '='.", '3: This is nested too deeply to be read any further.']);
});

test('a character of two code units is one sign, and half of one is told by its code', () => {
  const within = (sign: string): string => `module m(input a, output y);\n  assign y = a ${sign} a;\nendmodule\n`;
  assert.deepEqual(messagesOf('sign.sv', within('😀')), ["2: '😀' is not expected here."]);
  assert.deepEqual(messagesOf('sign.sv', within('\ud83d')), ["2: '\\ud83d' is not expected here."]);
  assert.deepEqual(messagesOf('sign.sv', within('“')), ["2: '“' is not expected here."]);
  assert.deepEqual(messagesOf('sign.sv', within('\u0007')), ["2: '\\x07' is not expected here."]);
});

test('a generate region that lost its end reaches to the next one only', () => {
  const part = (at: number): string => `  generate\n    for (g = 0; g < 4; g = g + 1) begin : lanes_${at}\n      assign lane[g] = data[g] & stage[${at % 8}][g];\n    end\n  endgenerate\n\n  wire t_${at} = d;\n  always @(posedge clk) begin\n    q_${at} <= d;\n  end\n\n`;
  const text = `module m(input clk);\n${Array.from({ length: 60 }, (_, at) => part(at)).join('')}endmodule\n`;
  const before = checkText(text);
  for (const broken of [text.replace('endgenerate', 'e ndgenerate'), text.replace('endgenerate', ''), text.replace('  endgenerate', '  end endgenerate'), text.replace('    end\n', '')]) {
    const checked = checkText(broken, before);
    assert.deepEqual(checked.diagnostics, checkText(broken).diagnostics);
    assert(checked.diagnostics.length > 0);
    assert(checked.parsed < text.length / 4, `${checked.parsed} of ${text.length} characters`);
  }
});
