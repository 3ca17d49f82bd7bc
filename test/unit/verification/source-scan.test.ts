import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { codeOnly, commonTimescale, forbiddenConstructs, memoryImages, timescaleDirective } from '../../../server/src/verification/source-scan.ts';

test('comments and strings are blanked at equal length', () => {
  assert.equal(codeOnly('a // b\nc /* d\ne */ f "g\\"h" i'), 'a     \nc     \n     f "    " i');
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

test('constructs that reach outside are found at their place, not in comments or strings', () => {
  const check = (text: string, expected: string[]): void => {
    assert.deepEqual(
      forbiddenConstructs(text).map(({ offset }) => text.slice(offset).split('(')[0]?.trim()),
      expected,
    );
  };
  check('initial $system("rm x");', ['$system']);
  check('initial begin f = $fopen("x"); $fwrite(f, "y"); end', ['$fopen', '$fwrite']);
  check('// $system\ninitial $display("$fopen(");', []);
  check('initial begin $dumpfile("w.vcd"); $display("x"); $finish; end', ['$dumpfile']);
  check('initial $readmemh("rom.hex", rom);', []);
  check('initial $readmemh("/etc/passwd", rom);', ['$readmemh']);
  check('initial $readmemb("../secret", rom);', ['$readmemb']);
  check('initial $readmemh(NAME, rom);', ['$readmemh']);
  check('wire [$clog2(8):0] a = $signed(b);', []);
});

test('memory images are listed with their literal paths', () => {
  assert.deepEqual(
    memoryImages('initial $readmemh ( "data/rom.hex", rom);').map(({ path }) => path),
    ['data/rom.hex'],
  );
});
