import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { finish } from '../../../../server/src/base/steps.ts';
import type { FileNames } from '../../../../server/src/analysis/names/model.ts';
import { readNames, readNamesInSteps } from '../../../../server/src/analysis/names/read.ts';
import { preprocess } from '../../../../server/src/syntax/preprocess.ts';
import { randomEdit, randomFrom } from '../../syntax/mistakes.ts';

function plainOf(names: FileNames): string {
  return JSON.stringify(names, (key, value: unknown) => (key === 'map' ? undefined : value instanceof Map ? [...value] : value));
}

function read(text: string, previous?: FileNames): FileNames {
  const source = preprocess('/m.sv', text);
  return finish(readNamesInSteps('/m.sv', source.text, source.map, previous));
}

/** Reads a text with and without an earlier model; returns how many of the declarations were taken over as they were. */
function agree(text: string, previous: FileNames): { readonly names: FileNames; readonly kept: number } {
  const names = read(text, previous);
  const source = preprocess('/m.sv', text);
  assert.equal(plainOf(names), plainOf(readNames('/m.sv', source.text, source.map)), text);
  return { names, kept: names.declarations.filter((declaration) => previous.declarations.includes(declaration)).length };
}

const first = 'package pkg;\n  typedef logic [3:0] nibble;\nendpackage\n';
const second = 'module one(input a, output y);\n  wire w;\n  sub u (.p(w), .q(implied));\n  function f(input x);\n    f = x;\n  endfunction\n  assign y = f(a);\nendmodule : one\n';
const third = 'module two import pkg::*; (input nibble n);\n  typedef struct { nibble low; } pair;\n  pair p;\n  initial p = \'{low: n};\n  always @(*) if (n) $display(p.low);\nendmodule\n';
const fourth = 'class c;\n  int i;\n  function new(); i = 1; endfunction\nendclass\nmodule three;\n  c o = new();\n  one u (o.i, implied);\nendmodule\n';
const whole = first + second + third + fourth;

describe('what is known of names behind an edit', () => {
  const edits: readonly (readonly [what: string, from: string, to: string, keeps: boolean])[] = [
    ['is kept in front of it', 'o.i', 'o.i + 1', true],
    ['is moved behind it', 'f = x;', 'f = x; // more', false],
    ['is moved where something is declared', 'wire w;', 'wire w, v;', false],
    ['is the same where nothing changes', '', '', true],
    ['is seen from where a unit has another name', 'module one(', 'module implied(', false],
    ['is read anew where a unit loses its end', 'endmodule : one', '', false],
    ['is read anew where a comment begins', 'wire w;', 'wire w; /*', false],
    ['is read anew where an attribute ends', 'wire w;', 'wire w; *)', false],
    ['is read anew where an old name is declared', 'wire w;', 'reg do;', false],
    ['is read anew where something is imported for all', 'module one', 'import pkg::*;\nmodule one', false],
    ['is the same in front of all', 'package pkg', '// more\npackage pkg', false],
    ['is the same behind all', '.i, implied);\nendmodule\n', '.i, implied);\nendmodule\nmodule four; endmodule\n', true],
  ];
  for (const [what, from, to, keeps] of edits) {
    test(what, () => {
      const { kept } = agree(whole.replace(from, to), read(whole));
      assert.equal(kept > 0, keeps);
    });
  }

  test('is that of a reading from scratch after random edits', () => {
    const folder = join(import.meta.dirname, '../../../fixtures/clean');
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const random = randomFrom(7);
    let kept = 0;
    for (let at = 0; at < texts.length; at += 4) {
      const original = texts.slice(at, at + 4).join('\n');
      let text = original;
      let names = read(text);
      for (let count = 0; count < 12; count++) {
        text = randomEdit(text, original, random);
        const result = agree(text, names);
        names = result.names;
        if (result.kept > 0) kept++;
      }
    }
    assert.ok(kept > 20, `${kept}`);
  });
});
