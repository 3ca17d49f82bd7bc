import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSpecification, siteAt, sites } from '../../../server/src/generation/site.ts';

const adder = '// Adds two numbers.\nmodule add(input [3:0] a, b, output [4:0] y);\nendmodule\n';
const filled = '// Adds two numbers.\nmodule add(input [3:0] a, b, output [4:0] y);\n  assign y = a + b;\nendmodule\n';
const table = '// a b || y\n// 0 - || 0\n// 1 0 || 1\n// 1 1 || 1\n';

function replaced(source: string, line = 0): string | undefined {
  const site = siteAt(source, line);
  return site && source.slice(site.span.start, site.span.end);
}

describe('what a written module takes the place of', () => {
  it('is the empty module below', () => assert.equal(replaced(adder), adder.slice(adder.indexOf('module'), -1)));
  it('is the module with its body, where it has one', () => assert.equal(replaced(filled), filled.slice(filled.indexOf('module'), -1)));
  it('is the header, where the end is missing', () => {
    const header = 'module add(input a);';
    assert.equal(replaced(`// Adds.\n${header}\n`), header);
    assert.equal(replaced(`// Adds.\n${header}\nmodule next; endmodule\n`), header);
  });
  it('is the place behind the comment, where nothing stands below', () => {
    const site = siteAt(`${table}\nmodule other;\n  wire w;\nendmodule\n`, 1);
    assert.deepEqual(site?.span, { start: table.length - 1, end: table.length - 1 });
  });
});

describe('a comment that asks for a module', () => {
  const offered = (source: string): string[] => sites(source).filter((site) => isSpecification(site, source)).map(({ text }) => text.trim().split('\n')[0] ?? '');

  it('stands above a header or an empty module, or alone with a table or a wish', () => {
    assert.deepEqual(offered(adder), ['Adds two numbers.']);
    assert.deepEqual(offered('/* Adds. */\nmodule add(input a);\n'), ['Adds.']);
    assert.deepEqual(offered(table), ['a b || y']);
    assert.deepEqual(offered('// A counter of 8 bits with an enable input.\n'), ['A counter of 8 bits with an enable input.']);
  });
  it('is no licence, no remark and no comment of a module that is written', () => {
    assert.deepEqual(offered(filled), []);
    assert.deepEqual(offered('// Copyright: the module authors, inputs and outputs\n\nmodule m; wire w; endmodule\n'), []);
    assert.deepEqual(offered('// Helpers.\n\n`define A 1\n'), []);
    assert.deepEqual(offered('// The module with its inputs and outputs\n`include "a.vh"\n'), []);
  });
});
