import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { preprocessedAgain } from '../../../server/src/syntax/preprocess-again.ts';
import { preprocess } from '../../../server/src/syntax/preprocess.ts';
import type { Preprocessed } from '../../../server/src/syntax/preprocessed.ts';
import { randomEdit, randomFrom } from './mistakes.ts';

const header = 'wire h;\n`define H(x) x x\n';
const options = { readFile: (path: string) => (path === '/h.svh' ? header : undefined) };

function plain(source: Preprocessed): string {
  return JSON.stringify(source, (_key, value: unknown) => (value instanceof Map ? [...value] : value));
}

/** Whether an edited text is preprocessed by its edit, and then as from scratch. */
function isTakenOver(old: string, text: string): boolean {
  const again = preprocessedAgain(preprocess('/a.sv', old, options), '/a.sv', old, text);
  if (again) assert.equal(plain(again), plain(preprocess('/a.sv', text, options)), text);
  return again !== undefined;
}

const whole = '`include "h.svh"\n`define W 4\nmodule m;\n  wire [`W-1:0] a;\n  wire b;\n\n`ifdef NO\n  wire c;\n\n`endif\n  `H(q\n  )\n  assign b = a; // why\n  /* more\n  lines */\nendmodule\n`define LATE \\\n  1\n\n';

describe('an edit of a preprocessed text', () => {
  const edits: readonly (readonly [what: string, from: string, to: string, isAgain: boolean])[] = [
    ['is copied in a plain line', 'wire b;', 'wire bb;', true],
    ['is copied in a plain line with a comment', 'b = a;', 'b = ~a;', true],
    ['is copied in new lines behind one', 'wire b;\n', 'wire b;\n  wire x;\n\n  wire y;\n', true],
    ['is copied on a blank line behind a plain one', 'wire b;\n\n', 'wire b;\n  assign\n', true],
    ['is looked at in the last line of a comment', 'lines', 'many lines', false],
    ['is looked at in a line with a macro', '[`W-1:0] a', '[`W-1:0] ab', false],
    ['is looked at where a macro comes', 'wire b;', 'wire [`W:0] b;', false],
    ['is looked at where a comment begins', 'wire b;', 'wire b; /*', false],
    ['is looked at in a branch that is left out', 'wire c;', 'wire cc;', false],
    ['is looked at on a blank line there', 'wire c;\n\n', 'wire c;\n  wire d;\n', false],
    ['is looked at in the arguments of a macro', '`H(q\n  )', '`H(q\n  r)', false],
    ['is looked at behind the text of a macro', '  1\n\n', '  1\n2\n', false],
    ['is looked at in the text of a macro', '  1\n', '  12\n', false],
  ];
  for (const [what, from, to, isAgain] of edits) {
    test(what, () => {
      assert.ok(whole.includes(from));
      assert.equal(isTakenOver(whole, whole.replace(from, to)), isAgain);
    });
  }

  test('gives what a reading from scratch gives, at random places', () => {
    const folder = join(import.meta.dirname, '../../fixtures/clean');
    const random = randomFrom(3);
    let taken = 0;
    for (const name of readdirSync(folder)) {
      const original = readFileSync(join(folder, name), 'utf8') + whole;
      for (let count = 0; count < 15; count++) {
        const old = count % 3 === 0 ? original : randomEdit(original, original, random);
        if (isTakenOver(old, randomEdit(old, original, random))) taken++;
      }
    }
    assert.ok(taken > 200, `${taken}`);
  });
});
