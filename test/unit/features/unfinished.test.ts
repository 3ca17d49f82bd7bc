import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSyntax } from '../../../server/src/syntax/checker.ts';
import { Parser } from '../../../server/src/syntax/parser.ts';
import { isUnfinished, typingBetween } from '../../../server/src/features/unfinished.ts';

const parser = await Parser.create();

/** The text between « and » has just been typed; expects how many errors there are and how many of them are shown. */
function check(fixture: string, errors: number, shown: number): void {
  const [head = '', typed = '', tail = ''] = fixture.split(/[«»]/);
  const text = head + typed + tail;
  const typing = typingBetween(head + tail, text);
  assert(typing);
  const found = checkSyntax(parser, text)?.diagnostics ?? [];
  const findings = found.map(({ span, code, message }) => ({ file: '/a.v', place: { kind: 'span', span }, severity: 'error', code, message, related: [] }) as const);
  assert.equal(findings.length, errors, JSON.stringify(findings));
  assert.equal(findings.filter((finding) => !isUnfinished(finding, text, typing)).length, shown);
}

test('what is being typed is no mistake yet', () => {
  check('module m(input a, output y);\n  assign y = a «&»\n  wire t;\nendmodule\n', 1, 0);
  check('module m(input a, output y);\n  assign y = «a»\nendmodule\n', 1, 0);
  check('module m(input a, output y);\n  assign y = a«\n  »\nendmodule\n', 1, 0);
  check('module m(input a, output reg y);\n  always @(posedge a) begin\n    y <= 1;«\n    »\nendmodule\n', 1, 0);
  check('module m(input a, output reg y);\n  always «@»\nendmodule\n', 1, 0);
  check('«module m(input a»', 1, 0);
});

test('a mistake elsewhere stays shown while something is typed', () => {
  check('module m(input a, output y);\n  wire b\n  wire t;\n\n  wire «u»;\nendmodule\n', 1, 1);
  check('module m(input a, output y);\n  wire b\n  wire t;\n\n  assign y = «a»\nendmodule\n', 2, 1);
});

test('what was taken out, or put in at once, counts as it is', () => {
  assert.equal(typingBetween('assign y = a;', 'assign y = a'), undefined);
  assert.equal(typingBetween('', 'a\nb\nc\nd\n'), undefined);
});
