import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ParsedText } from '../../../server/src/analysis/parsed-text.ts';
import type { Finding } from '../../../server/src/features/finding.ts';
import { typingBetween, withoutUnfinished } from '../../../server/src/features/unfinished.ts';
import { Parser } from '../../../server/src/syntax/parser.ts';
import { preprocess } from '../../../server/src/syntax/preprocess.ts';

const parser = await Parser.create();
const folder = path.resolve(import.meta.dirname, '../../fixtures/clean');

function findingsIn(text: string): Finding[] {
  const source = preprocess('/a.sv', text, { readFile: (file) => (file.endsWith('.svh') ? readFileSync(path.join(folder, path.basename(file)), 'utf8') : undefined) });
  const parsed = new ParsedText(parser, { file: '/a.sv', text, source, previous: undefined, deadlineMs: undefined });
  const { problems } = parsed;
  parsed.delete();
  return problems.map(({ file, span, severity, code, message }) => ({ file, place: { kind: 'span', span }, severity, code, message, related: [] }));
}

/** The errors that are shown when the newer text has just been made of the older by typing. */
function shownAfter(before: string, after: string): Finding[] {
  const typing = typingBetween(before, after);
  const found = findingsIn(after).filter(({ severity }) => severity === 'error');
  return typing ? withoutUnfinished(found, after, typing, findingsIn) : found;
}

/** The text between « and » has just been typed; expects how many errors there are and how many of them are shown. */
function check(fixture: string, errors: number, shown: number): void {
  const [head = '', typed = '', tail = ''] = fixture.split(/[«»]/);
  const text = head + typed + tail;
  assert.equal(findingsIn(text).length, errors, text);
  assert.equal(shownAfter(head + tail, text).length, shown, text);
}

test('what is being typed is no mistake yet', () => {
  check('module m(input a, output y);\n  assign y = a «&»\n  wire t;\nendmodule\n', 1, 0);
  check('module m(input a, output y);\n  assign y = «a»\nendmodule\n', 1, 0);
  check('module m(input a, output y);\n  assign y = a«\n  »\nendmodule\n', 1, 0);
  check('module m(input a, output reg y);\n  always @(posedge a) begin\n    y <= 1;«\n    »\nendmodule\n', 1, 0);
  check('module m(input a, output reg y);\n  always «@»\nendmodule\n', 1, 0);
  check('«module m(input a»', 1, 0);
});

test('an error elsewhere that is there only because of what is being typed is not shown', () => {
  check('module m (\n    input a,\n    input [1«:»\n    output y\n);\n  assign y = a;\nendmodule\n', 1, 0);
  check('module m (input a);\n  task show(); endtask\n  localparam L = 3«7»\n  initial begin\n    show();\n  end\nendmodule\n', 1, 0);
});

test('a conditional or the arguments of a macro that are being typed are no mistake yet', () => {
  check('`ifdef A\nmodule m;«\n»', 1, 0);
  check('`define SUM(x, y) x + y\nmodule m;\n  wire w = `SUM(\n    1,«\n    »\nendmodule\n', 1, 0);
  check('`define SUM( \\\n    a,«b»\n', 1, 0);
  check('`endif\nmodule m;\n\nwire «t»;\nendmodule\n', 1, 1);
});

test('a mistake elsewhere stays shown while something is typed', () => {
  check('module m(input a, output y);\n  wire b\n  wire t;\n\n  wire «u»;\nendmodule\n', 1, 1);
  check('module m(input a, output y);\n  wire b\n  wire t;\n\n  assign y = «a»\nendmodule\n', 2, 1);
});

test('what was taken out, or put in at once, counts as it is', () => {
  assert.equal(typingBetween('assign y = a;', 'assign y = a'), undefined);
  assert.equal(typingBetween('', 'a\nb\nc\nd\n'), undefined);
});

/** Key presses: a character each, and a line end with the indentation behind it. */
function keysOf(typed: string): readonly string[] {
  return typed.match(/\n[ \t]*|[\s\S]/g) ?? [];
}

const CLOSED_BY: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The texts before and after each key press, with brackets that an editor closes by itself. */
function* typedInto(head: string, typed: string, tail: string, closesBrackets: boolean): Generator<readonly [before: string, after: string]> {
  let [before, ahead] = [head, tail];
  let pending = 0;
  for (const key of keysOf(typed)) {
    const old = before + ahead;
    if (pending > 0 && ahead.startsWith(key) && /^[)\]}]$/.test(key)) {
      pending--;
      ahead = ahead.slice(1);
    } else if (closesBrackets && CLOSED_BY[key] !== undefined) {
      pending++;
      ahead = CLOSED_BY[key] + ahead;
    }
    before += key;
    yield [old, before + ahead];
  }
}

/** A line that the rest of the text can do without. */
function lineInTheMiddle(text: string): { readonly head: string; readonly line: string; readonly tail: string } {
  for (let start = text.indexOf('\n', text.length / 2) + 1; start > 0; start = text.indexOf('\n', start) + 1) {
    const end = text.indexOf('\n', start);
    const [head, line, tail] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
    if (line.trim() !== '' && findingsIn(head + tail).length === 0) return { head, line, tail };
  }
  return { head: text, line: '', tail: '' };
}

test('no key press makes a flash while valid text is typed, into nothing or between other lines', () => {
  for (const name of readdirSync(folder).filter((file) => /^(?:plain_(?:alu|fifo|fsm|arbiter)|classes|covergroups|structs|specify_block|nested_conditionals|macro_text)\./.test(file))) {
    const text = readFileSync(path.join(folder, name), 'utf8');
    const { head, line, tail } = lineInTheMiddle(text);
    const stories = [typedInto('', text, '', false), typedInto(head, line, tail, false), typedInto(head, line, tail, true)];
    let count = 0;
    for (const story of stories) {
      for (const [before, after] of story) {
        if (count++ % 11 !== 0) continue;
        assert.deepEqual(shownAfter(before, after).map(({ message }) => message), [], `${name}: ${after.slice(-80)}`);
      }
    }
  }
});
