import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifierMentions, macroMentions } from '../../../server/src/syntax/mentions.ts';
import { readUnits } from '../../../server/src/syntax/units.ts';
import { codeOnly } from '../../../server/src/verification/source-scan.ts';

const text = 'module m;\n  initial $display("""a `M "quoted" name\nendmodule\n""", name, `N);\nendmodule\n';

test('what stands between three quotes is a string for whoever looks for words', () => {
  assert.deepEqual(macroMentions(text).map(({ name }) => name), ['N']);
  assert.deepEqual(identifierMentions(text, 'name').map(({ start }) => start), [text.lastIndexOf('name')]);
  assert.deepEqual(readUnits(text).units.map(({ end }) => end), [text.trimEnd().length, text.length]);
  assert.doesNotMatch(codeOnly(text).slice(0, text.indexOf(', name')), /quoted|endmodule|`M/);
  assert.equal(codeOnly(text).length, text.length);
});
