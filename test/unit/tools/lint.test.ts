import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lintFindings } from '../../../server/src/features/lint-findings.ts';
import { lintArguments } from '../../../server/src/tools/lint.ts';
import { parseVerilatorMessages } from '../../../server/src/tools/verilator-messages.ts';

const file = '/tmp/a b/top:3: x.sv';

const printed = `%Warning-WIDTH: ${file}:3:12: Operator ASSIGNW expects 3 bits on the Assign RHS, but Assign RHS's VARREF 'd' generates 4 bits.
                                     : ... In instance top
    3 |   assign t = d;
      |            ^
                ... For warning description see https://verilator.org/warn/WIDTH?v=5.006
                ... Use "/* verilator lint_off WIDTH */" and lint_on around source to disable this message.
%Error-PINNOTFOUND: ${file}:4:18: Pin not found: 'nope'
    4 |   sub u (.x(d), .nope(t));
      |                  ^~~~
%Error: ${file}:5:15: Duplicate declaration of signal: 't'
    5 |   logic [2:0] t;
      |               ^
        ${file}:2:15: ... Location of original declaration
%Error: ${file}:6:3: Cannot find file containing module: 'missing'
    6 |   missing m (.a(clk));
      |   ^~~~~~~
%Error: ${file}:6:3: This may be because there's no search path specified with -I<dir>.
        ... Looked in:
%Error-UNSUPPORTED: ${file}:7:3: Unsupported: covergroup
%Error: Exiting due to 5 error(s)
        ... See the manual at https://verilator.org/verilator_doc.html for more assistance.
`;
const text = `module top (input [3:0] d);
  logic [2:0] t;
  assign t = d;
  sub u (.x(d), .nope(t));
  logic [2:0] t;
  missing m (.a(clk));
endmodule
`;

test('messages of Verilator are read with their ranges and further places, whatever the path holds', () => {
  const messages = parseVerilatorMessages(printed, [file]);
  assert.deepEqual(
    messages.map(({ line, column, length, severity, code, about }) => [line, column, length, severity, code, about]),
    [
      [3, 12, 1, 'warning', 'WIDTH', 'other'],
      [4, 18, 4, 'error', 'PINNOTFOUND', 'other'],
      [5, 15, 1, 'error', '', 'other'],
      [6, 3, 7, 'error', '', 'unknown-module'],
      [6, 3, undefined, 'error', '', 'unknown-module'],
      [7, 3, undefined, 'error', 'UNSUPPORTED', 'unsupported'],
    ],
  );
  assert.deepEqual(messages[2]?.related, [{ file, line: 2, message: 'Location of original declaration' }]);
});

/** The findings as `text under it: message`. */
function shown(messages: Parameters<typeof lintFindings>[1], said: Parameters<typeof lintFindings>[3] = []): string[] {
  return lintFindings('verilator', messages, { file: '/top.sv', text, given: file }, said).map(({ place, message }) => {
    assert(place.kind === 'span');
    return `${text.slice(place.span.start, place.span.end)}: ${message}`;
  });
}

test('only what the tool can judge is shown, on what is meant, and nothing that is said already', () => {
  const messages = parseVerilatorMessages(printed, [file]);
  assert.deepEqual(shown(messages).slice(1), ["nope: Pin not found: 'nope'. (verilator)", "t: Duplicate declaration of signal: 't'. (verilator)"]);
  assert.equal(shown(messages)[0]?.startsWith('d: Operator ASSIGNW'), true);
  const said = [{ line: 2, message: 'The value has 4 bits, the target width is 3.' }, { line: 3, message: "'sub' has no port 'nope'." }];
  assert.deepEqual(shown(messages, said), ["t: Duplicate declaration of signal: 't'. (verilator)"]);
});

test('a message without a column is put on the name that it speaks of', () => {
  const message = { file, line: 3, column: undefined, length: undefined, severity: 'error', code: '', message: "Unable to bind wire/reg/memory `d' in `top'", about: 'other', related: [] } as const;
  assert.deepEqual(shown([message]), ["d: Unable to bind wire/reg/memory `d' in `top'. (verilator)"]);
});

test('no argument can be taken for another one', () => {
  const request = { dir: '/tmp', files: ['/a b/-x.sv'], includeDirs: ['/i j'], defines: { A: '1 2' }, old: false, timeoutMs: 1, memoryBytes: 1 };
  assert.deepEqual(lintArguments({ name: 'iverilog', version: '11' }, request).slice(-4), ['-I', '/i j', '-DA=1 2', '/a b/-x.sv']);
  assert.equal(lintArguments({ name: 'verilator', version: '4.2' }, request).includes('--timing'), false);
  assert.deepEqual(lintArguments({ name: 'verilator', version: '5.006' }, request).slice(-3), ['-I/i j', '-DA=1 2', '/a b/-x.sv']);
});
