import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { codeOnly, commonTimescale, timescaleDirective } from '../../../server/src/verification/source-scan.ts';

test('comments and strings are blanked at equal length', () => {
  assert.equal(codeOnly('a // b\nc /* d\ne */ f "g\\"h" i'), 'a     \nc     \n     f "    " i');
  assert.equal(codeOnly('\\a//b \\c"/*d e // f'), '\\a//b \\c"/*d e     ');
  const piece = fc.constantFrom('"', '\\', '/', '*', '\n', 'a', ' ', '//', '/*', '*/');
  fc.assert(
    fc.property(fc.array(piece).map((pieces) => pieces.join('')), (text) => {
      const blanked = codeOnly(text);
      assert.equal(blanked.length, text.length);
      assert.deepEqual(blanked.split('\n').map((line) => line.length), text.split('\n').map((line) => line.length));
    }),
  );
});

test('a common time scale takes the coarsest unit and the finest precision', () => {
  const check = (sources: string[], expected: string | undefined): void => {
    const timescale = commonTimescale(sources);
    assert.equal(timescale === undefined ? undefined : timescaleDirective(timescale), expected);
  };
  check(['module m; endmodule'], undefined);
  check(['`timescale 1ns / 1ps\nmodule m; endmodule'], '`timescale 1ns/1ps\n');
  check(['`timescale 10 ns/1 ns', '`timescale 1us/100ps'], '`timescale 1us/100ps\n');
  check(['`timescale 100s/10ms'], '`timescale 100s/10ms\n');
  check(['// `timescale 1ns/1ps'], undefined);
});
