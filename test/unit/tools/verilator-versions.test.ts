import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseVerilatorMessages } from '../../../server/src/tools/verilator-messages.ts';

const DRIVERS = { '5.006': ['first driver', 'other driver'], '5.032': ['first driver', 'other driver'], '5.048': ['offending driver', 'offending driver'] };

for (const [version, [first = '', other = '']] of Object.entries(DRIVERS)) {
  test(`what Verilator ${version} says of \`pin.sv\` and \`design.sv\` is read with its places`, () => {
    const output = readFileSync(path.join(import.meta.dirname, '../../fixtures/verilator', `${version}.txt`), 'utf8');
    const messages = parseVerilatorMessages(output, ['pin.sv', 'design.sv']);
    const ignored = messages.filter(({ about }) => about === 'unsupported');
    assert.deepEqual(ignored.map(({ line, severity }) => [line, severity]), version === '5.048' ? [[11, 'warning'], [11, 'warning']] : []);
    const shown = messages.filter(({ about }) => about === 'other').map(({ file, line, column, length, severity, code }) => [file, line, column, length, severity, code]);
    assert.deepEqual(shown, [
      ['pin.sv', 7, 8, 1, 'warning', 'PINMISSING'],
      ['pin.sv', 7, 19, 1, 'error', 'PINNOTFOUND'],
      ['design.sv', 9, 12, 1, 'warning', version === '5.006' ? 'WIDTH' : 'WIDTHTRUNC'],
      ['design.sv', 10, 15, 6, 'error', 'USERERROR'],
      ['design.sv', 4, 60, undefined, 'warning', 'MULTIDRIVEN'],
    ]);
    const drivers = messages.find(({ code }) => code === 'MULTIDRIVEN')?.related.slice(0, 2);
    assert.deepEqual(drivers?.map(({ line, message }) => [line, message]), [[5, `Location of ${first}`], [6, `Location of ${other}`]]);
  });
}

test('a loop that is not unrolled to its end is a limit of the tool, in the words of each version', () => {
  for (const words of ['Loop unrolling took too long; probably this is an infinite loop, or set --unroll-count above 1024', "Unrolling generate loop took too long; probably this is an infinite loop, otherwise set '--unroll-limit' above 16384"]) {
    assert.deepEqual(parseVerilatorMessages(`%Error: a.sv:1:52: ${words}\n`, []).map(({ about }) => about), ['unsupported']);
  }
});
