import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rules } from '../../../../server/src/analysis/rules/table.ts';
import type { Level } from '../../../../server/src/analysis/rules/rule.ts';
import { lint, wrap } from './harness.ts';

describe('each rule', () => {
  test('has an id of its own in kebab case and a reason of one line', () => {
    assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length);
    for (const { id, reason } of rules) {
      assert.match(id, /^[a-z]+(?:-[a-z]+)*$/);
      assert.match(reason, /^[A-Z`c][^\n]*\.$/, id);
    }
  });

  for (const { id, level, flagged, silent } of rules) {
    const others = id === 'unknown-module' ? { others: {} } : {};
    // The examples are pieces of modules.
    const levels: Record<string, Level> = { ...(id.startsWith('undriven') ? {} : { undriven: 'off', 'undriven-bits': 'off' }), ...(level === 'off' ? { [id]: 'warning' } : {}) };

    test(`${id} flags its first example once, and nothing else does at its level`, async () => {
      const findings = await lint(wrap(flagged), { levels, ...others });
      assert.deepEqual(findings.filter((finding) => finding.rule === id || finding.level === 'error' || finding.level === 'warning').map(({ rule }) => rule), [id], findings.map(({ message }) => message).join('\n'));
      for (const { message } of findings) assert.match(message, /^[^\n]+[.?]$/);
    });

    test(`${id} is silent about its second example`, async () => {
      const findings = await lint(wrap(silent), { levels, ...others });
      assert.deepEqual(findings.filter((finding) => finding.rule === id || finding.level === 'error' || finding.level === 'warning').map(({ rule, message }) => `${rule}: ${message}`), []);
    });
  }
});
