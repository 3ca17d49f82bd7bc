import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutPragmas } from '../../../../server/src/verification/proof/source.ts';

test('comments, attributes and qualifiers of cases are blanked at equal length, names and strings kept', () => {
  assert.equal(withoutPragmas('a // b\n(* c *) d /* e */ @(*) unique case'), 'a     \n        d         @(*)        case');
  assert.equal(withoutPragmas('\\a//b \\c(*d "/* (* e" f*)'), '\\a//b \\c(*d "/* (* e" f*)');
});
