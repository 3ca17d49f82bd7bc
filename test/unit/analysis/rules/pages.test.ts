import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rulePages } from '../../../../scripts/rule-pages.ts';

test('the pages of the rules are those that scripts/rule-pages.ts writes', () => {
  const root = join(import.meta.dirname, '../../../..');
  const pages = rulePages();
  for (const [path, text] of pages) assert.equal(readFileSync(join(root, path), 'utf8'), text, `${path}: run node scripts/rule-pages.ts`);
  assert.deepEqual(readdirSync(join(root, 'docs/rules')).map((name) => `docs/rules/${name}`).sort(), [...pages.keys()].filter((path) => path !== 'docs/rules.md').sort());
});
