import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findExecutable } from '../../server/src/base/process.ts';
import {
  createEmbeddedYosys,
  createNativeYosys,
  findEmbeddedYosys,
  parseYosysProblems,
  parseYosysVersion,
  readEmbeddedYosysVersion,
  readYosysVersion,
  type Yosys,
} from '../../server/src/tools/yosys.ts';

test('errors with and without a place', () => {
  const log = `1. Executing Verilog-2005 frontend: d/a b.v
d/a b.v:2: ERROR: syntax error, unexpected TOK_ENDMODULE, expecting TOK_ID or '#'
ERROR: Module \`\\sub' referenced in module \`\\top' in cell \`\\u' is not part of the design.
d/a.v:3: Warning: Identifier \`\\x' is implicitly declared.`;
  assert.deepEqual(parseYosysProblems(log), [
    { file: 'd/a b.v', line: 2, message: "syntax error, unexpected TOK_ENDMODULE, expecting TOK_ID or '#'" },
    { file: undefined, line: undefined, message: "Module `\\sub' referenced in module `\\top' in cell `\\u' is not part of the design." },
  ]);
});

test('versions of several releases', () => {
  assert.equal(parseYosysVersion('Yosys 0.23 (git sha1 7ce5011c24b)\n'), '0.23');
  assert.equal(parseYosysVersion('Yosys 0.55+46 (git sha1 60f126cd0, ccache clang)'), '0.55+46');
  assert.equal(parseYosysVersion('command not found'), undefined);
});

async function checkEngine(yosys: Yosys): Promise<void> {
  const good = await yosys.run(
    'read_verilog -sv "a dir/é.v"\nproc\nwrite_json out.json',
    { 'a dir/é.v': 'module a(input c, d, output reg q); always @(posedge c) q <= d; endmodule' },
    { outputs: ['out.json', 'never.txt'], timeoutMs: 60_000 },
  );
  assert.ok(good.kind === 'exited' && good.ok, JSON.stringify(good));
  assert.deepEqual(Object.keys(good.outputs), ['out.json']);
  assert.match(good.outputs['out.json'] ?? '', /"\$dff"/);
  const bad = await yosys.run('read_verilog a.v', { 'a.v': 'module a;\nfoo endmodule' }, { outputs: [], timeoutMs: 60_000 });
  assert.ok(bad.kind === 'exited' && !bad.ok);
  assert.deepEqual(
    parseYosysProblems(bad.log).map((p) => [p.file, p.line]),
    [['a.v', 2]],
  );
  // 32-bit multiplication commutes, which takes a SAT solver far longer than this limit.
  const hard = `module m(input [31:0] a, b, output y); assign y = a * b == b * a; endmodule`;
  const started = performance.now();
  const slow = await yosys.run('read_verilog a.v\nsat -prove y 1 m', { 'a.v': hard }, { outputs: [], timeoutMs: 2500 });
  assert.equal(slow.kind, 'timed-out');
  assert.ok(performance.now() - started < 40_000);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 200);
  const aborted = await yosys.run('read_verilog a.v\nsat -prove y 1 m', { 'a.v': hard }, { outputs: [], timeoutMs: 60_000, signal: controller.signal });
  assert.equal(aborted.kind, 'cancelled');
  await assert.rejects(yosys.run('', { '../out.v': '' }, { outputs: [], timeoutMs: 1000 }), /outside/);
}

const program = findExecutable('yosys');

test('the installed program', { skip: program === undefined }, async () => {
  assert.ok(program !== undefined);
  const version = await readYosysVersion(program);
  assert.match(version ?? '', /^0\.\d+/);
  await checkEngine(createNativeYosys(program, version ?? ''));
});

test('the embedded engine', async () => {
  const embedded = findEmbeddedYosys();
  assert.ok(embedded !== undefined);
  const version = await readEmbeddedYosysVersion(embedded);
  assert.match(version ?? '', /^0\.\d+/);
  await checkEngine(createEmbeddedYosys(embedded, version ?? ''));
});
