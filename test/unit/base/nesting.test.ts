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
  for (const deep of [`assign y = ${'('.repeat(3000)}a${')'.repeat(3000)};`, `assign y = ${'a + '.repeat(12_000)}a;`, `always @(*) ${'if (a) y = 1; else '.repeat(3000)} y = 0;`]) {
    const module = core.parse({ file: '/m.sv', text: `module m(input a, output reg y);\n${deep}\nendmodule\nmodule n(input b); endmodule\n`, context: { includeDirs: [], defines: {} } });
    assert.ok(module);
    assert.deepEqual(module.summary.modules.map(({ name, headerPorts }) => `${name} ${headerPorts.length}`), ['m 2', 'n 1']);
    module.delete();
    const found = await core.check({ sources: [{ file: '/m.sv', text: `module m(input a, output reg y);\n${deep}\nendmodule\nmodule n(input b, output y); assign y = b; wire unused_name, w; endmodule\n` }], context: { includeDirs: [], defines: {} }, levels: { unused: 'warning' } });
    assert.deepEqual(found.filter(({ rule }) => rule === 'unused').map(({ line }) => line), [3]);
  }
});
