import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commentAt, headersOf } from '../../../server/src/generation/comment.ts';

/** The comment at the line that holds `|`, with the lines of its text trimmed at the right. */
function at(marked: string): { readonly lines: readonly string[]; readonly header: string | undefined } | undefined {
  const line = marked.slice(0, marked.indexOf('|')).split('\n').length - 1;
  const source = marked.replace('|', '');
  const found = commentAt(source, line);
  if (found === undefined) return undefined;
  // Offsets into the text are offsets into the source.
  for (const word of found.text.matchAll(/\w+/g)) assert.equal(source.slice(found.start + word.index, found.start + word.index + word[0].length), word[0]);
  return { lines: found.text.split('\n').map((text) => text.trimEnd()), header: found.header };
}

describe('the comment at a line', () => {
  test('line comments on successive lines are one', () => {
    assert.deepEqual(at('wire x; // other\n// a b\n// 0| 1\n\n// more\n')?.lines, ['   a b', '   0 1']);
    assert.deepEqual(at('  //  a b\n  //| 0 1\n')?.lines, ['    a b', '     0 1']);
  });

  test('block comments, with and without stars', () => {
    assert.deepEqual(at('/*\n a b\n| 0 1\n*/')?.lines, ['', ' a b', ' 0 1', '']);
    assert.deepEqual(at('/**\n * a b\n *| 0 1\n */')?.lines, ['', '   a b', '   0 1', '']);
    assert.deepEqual(at('/*\n * a b\n| 0 1\n*/')?.lines, ['', ' * a b', ' 0 1', ''], 'a star that is not on every line may be a cell');
  });

  test('a line below a comment means that comment', () => assert.deepEqual(at('// a b\n\n|module m(input a);\nendmodule')?.lines, ['   a b']));

  test('no comment', () => {
    assert.equal(at('module| m;\n// later\nendmodule'), undefined);
    assert.equal(at('// a\nwire x;\n|wire y;'), undefined);
    assert.equal(at('initial $display("// a|");'), undefined);
  });

  test('the header right below is the interface', () => {
    const header = 'module m #(parameter N = 1) (\n  input a, // a; b\n  output y\n);';
    assert.equal(at(`// |a\n\n\`timescale 1ns/1ns\n/* note */ ${header}\nendmodule`)?.header, header);
    assert.equal(at('// |a\nwire x;\nmodule m(input a);\nendmodule')?.header, undefined);
  });

  test('headers of a file', () => assert.deepEqual(headersOf('// module x;\nmodule a(input b);\nendmodule\nmodule c;\nendmodule').map(({ name, text }) => [name, text]), [['a', 'module a(input b);'], ['c', 'module c;']]));
});
