import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { silentLogger } from '../../server/src/base/logger.ts';
import { createCore } from '../../server/src/core.ts';
import type { Core } from '../../server/src/core.ts';

const plain = { includeDirs: [], defines: {} };

describe('the core', () => {
  const headers = new Map([['/inc/width.vh', '`define WIDTH 8\n'], ['/inc/broken.vh', 'wire ;\n']]);
  let core: Core;
  before(async () => {
    core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' }, readInclude: (path) => headers.get(path) });
  });

  it('finds nothing wrong with a valid text', async () => {
    assert.deepEqual(await core.check({ sources: [{ file: '/a.v', text: 'module a(input x, output y);\n  assign y = ~x;\nendmodule\n' }], context: plain, levels: undefined }), []);
    assert.deepEqual(await core.check({ sources: [{ file: '/a.v', text: '' }], context: plain, levels: undefined }), []);
  });

  it('reports a syntax error at its line', async () => {
    const problems = await core.check({ sources: [{ file: '/a.v', text: 'module a(input x, output y);\n  assign y = ;\nendmodule\n' }], context: plain, levels: undefined });
    assert.equal(problems.length, 1);
    assert.equal(problems[0]?.file, '/a.v');
    assert.equal(problems[0].line, 1);
  });

  it('reads headers and macros, and says which headers were read', () => {
    const text = '`include "width.vh"\nmodule a(input [`WIDTH-1:0] x, output `T y);\nendmodule\n';
    const parsed = core.parse({ file: '/a.v', text, context: { includeDirs: ['/inc'], defines: { T: 'reg' } } });
    assert.ok(parsed);
    assert.deepEqual(parsed.problems, []);
    assert.deepEqual(parsed.includes, ['/inc/width.vh']);
    assert.deepEqual(parsed.summary.modules.map(({ name }) => name), ['a']);
    parsed.delete();
  });

  it('reports an error of a header in the header, and a missing header as a warning', async () => {
    const context = { includeDirs: ['/inc'], defines: {} };
    const problems = await core.check({ sources: [{ file: '/a.v', text: 'module a;\n`include "broken.vh"\nendmodule\n' }], context: context, levels: undefined });
    assert.deepEqual(problems.map(({ file, line }) => [file, line]), [['/inc/broken.vh', 0]]);
    const parsed = core.parse({ file: '/a.v', text: '`include "none.vh"\nmodule a;\nendmodule\n', context });
    assert.ok(parsed);
    assert.deepEqual(parsed.problems.map(({ severity, code }) => [severity, code]), [['warning', 'missing-include']]);
    parsed.delete();
  });

  it('knows in each file of a compilation unit the macros of those before it', async () => {
    const texts = {
      '/alone.sv': 'module alone;\n`ifdef SEEN\n  wire ;\n`endif\nendmodule\n',
      '/macros.sv': '`ifndef GUARD\n`define GUARD\n`include "width.vh"\n`define NET(name) wire [`WIDTH-1:0] name\n`define SEEN\n`define GONE\nmodule twice(input wire ;\nendmodule\n`endif // GUARD\n',
      '/user.sv': '`undef GONE\nmodule user;\n  `NET(a)\n  `NET(b);\nendmodule\n',
      '/library.sv': '`ifdef SEEN\nwire ;\n`endif\n',
      '/last.sv': '`ifdef GONE\nwire ;\n`endif\n`ifndef SEEN\nwire ;\n`endif\n',
    };
    const problems = async (order: readonly (keyof typeof texts)[], unit: readonly string[]): Promise<string[]> => {
      const found = await core.check({ sources: order.map((file) => ({ file, text: texts[file] })), context: { ...plain, includeDirs: ['/inc'] }, unit: { sources: unit, libraries: ['/library.sv'] }, levels: undefined });
      return found.map(({ file, line }) => `${file}:${line}`);
    };
    assert.deepEqual(await problems(['/macros.sv', '/user.sv', '/last.sv', '/alone.sv'], ['/macros.sv', '/user.sv', '/last.sv']), ['/macros.sv:6', '/user.sv:2']);
    assert.deepEqual(await problems(['/user.sv', '/last.sv', '/alone.sv'], ['/user.sv', '/last.sv', '/alone.sv']), ['/last.sv:4']);
    // Library files are read behind all sources.
    assert.deepEqual(await problems(['/macros.sv', '/last.sv', '/library.sv'], ['/macros.sv', '/last.sv']), ['/macros.sv:6', '/last.sv:1', '/library.sv:1']);
    // What a guarded header declares is seen by each file that includes it.
    headers.set('/inc/types.svh', '`ifndef TYPES\n`define TYPES\ntypedef logic [7:0] word;\n`endif\n');
    const parsed = core.parse({ file: '/b.sv', text: '`include "types.svh"\n', context: { includeDirs: ['/inc'], defines: {}, macros: new Map([['TYPES', { name: 'TYPES', parameters: undefined, body: '', location: { file: '/inc/types.svh', span: { start: 0, end: 1 } } }]]) } });
    assert.match(parsed?.preprocessed.text ?? '', /typedef/);
    parsed?.delete();
    // A guard keeps a file from being included again, not from being checked.
    assert.deepEqual(await problems(['/macros.sv', '/alone.sv', '/macros.sv'], ['/macros.sv', '/alone.sv']), ['/macros.sv:6', '/alone.sv:2', '/macros.sv:6']);
  });

  it('gives the same result for an edited text as for a new one', () => {
    const before = 'module a(input x, output y);\n  assign y = x;\nendmodule\n';
    const edited = before.replace('assign y = x;', 'assign y = x\n  wire z;');
    const first = core.parse({ file: '/a.v', text: before, context: plain });
    const again = core.parse({ file: '/a.v', text: edited, context: plain, previous: first });
    const fresh = core.parse({ file: '/a.v', text: edited, context: plain });
    assert.ok(again && fresh && first);
    assert.ok(fresh.problems.length > 0);
    assert.deepEqual(again.problems, fresh.problems);
    assert.deepEqual(again.summary, fresh.summary);
    for (const source of [first, again, fresh]) source.delete();
  });

  it('gives up at the deadline', () => {
    const text = `module a;\n${'  assign x = (a + b) * c;\n'.repeat(50_000)}endmodule\n`;
    assert.equal(core.parse({ file: '/a.v', text, context: plain, deadlineMs: 1 }), undefined);
  });

  it('runs no program for the doctor when it must not', async () => {
    const report = await core.doctor({ tools: false });
    assert.deepEqual(report.tools, []);
    assert.equal(report.node, process.version);
  });
});

describe('the core without a simulator', () => {
  let core: Core;
  let path: string | undefined;
  before(async () => {
    path = process.env['PATH'];
    process.env['PATH'] = '';
    core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } });
  });
  after(() => {
    process.env['PATH'] = path;
  });

  it('says why, and for a wrong path which one', async () => {
    assert.match((await core.missingSimulator())?.reason ?? '', /Icarus Verilog was not found/);
    core.setToolPaths({ iverilog: '/nowhere/iverilog', yosys: '' });
    assert.match((await core.missingSimulator())?.reason ?? '', /\/nowhere\/iverilog/);
  });
});
