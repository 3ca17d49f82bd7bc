import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withinStack } from '../../../server/src/base/nesting.ts';
import { readSource } from '../../../server/src/analysis/names/source.ts';
import { createCore } from '../../../server/src/core.ts';

test('a text that is nested too deeply is read as far as that goes', async () => {
  const dive = (depth: number): number => (depth === 0 ? 0 : 1 + dive(depth - 1));
  assert.equal(withinStack(() => dive(1e7), () => -1), -1);
  assert.throws(() => withinStack(() => assert.fail('another failure'), () => 0), /another failure/);
  const core = await createCore({ logger: { log: () => undefined }, toolPaths: { iverilog: '', yosys: '', verilator: '' } });
  for (const opener of ['begin ', '(', '{', 'if (1) ', 'for (;;) begin ', 'module m; ', 'fork ', 'function f; ', "a = '{"]) {
    assert.equal(readSource('/a.sv', `module first; wire a; initial ${opener.repeat(10_000)}`, {}).names.declarations[0]?.name, 'first', opener);
  }
  const parsed = core.parse({ file: '/a.sv', text: `module first; initial ${'begin '.repeat(10_000)}`, context: { includeDirs: [], defines: {} }, deadlineMs: 300 });
  assert.ok(parsed === undefined || parsed.problems.length > 0);
  parsed?.delete();
});
