import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Bench } from './program.ts';

const good = 'module good(input a, output y);\n  assign y = a;\nendmodule\n';
const bad = 'module bad(input a, output y);\n  assign y = a\nendmodule\n';

describe('check', () => {
  test('clean files', async () => {
    using bench = new Bench({ 'a.v': good, 'b.sv': good });
    assert.deepEqual(await bench.run(['check', 'a.v', 'b.sv']), { code: 0, signal: null, out: '✓ No errors in 2 files.\n', err: '' });
  });

  test('an error stands at its place, in a folder too', async () => {
    using bench = new Bench({ 'rtl/deep er/größe.v': bad, 'rtl/a.sv': good, 'rtl/notes.txt': 'no Verilog' });
    const { code, out } = await bench.run(['check', 'rtl']);
    assert.equal(code, 1);
    assert.match(out, /^rtl\/deep er\/größe\.v:2:\d+: error: .+\n✗ 1 error in 1 of 2 files\.\n$/);
  });

  test('file lists name sources, include folders and defines', async () => {
    using bench = new Bench({ 'rtl/top.sv': '`include "width.svh"\nmodule top(input [`WIDTH-1:0] a, output [`DEPTH-1:0] y);\n  assign y = a;\nendmodule\n', 'inc/width.svh': '`define WIDTH 4\n', 'sim/files.f': '+incdir+../inc\n+define+DEPTH=4\n../rtl/top.sv\n' });
    assert.deepEqual(await bench.run(['check', '-F', 'sim/files.f']), { code: 0, signal: null, out: '✓ No errors in 1 file.\n', err: '' });
    const missing = await bench.run(['check', '-f', 'sim/files.f']);
    assert.notEqual(missing.code, 0);
    assert.match(missing.err, /which does not exist; where its paths are relative to the list, give it with -F/);
  });

  test('a text in another encoding is told as what it is', async () => {
    using bench = new Bench({ 'good.v': good });
    writeFileSync(path.join(bench.dir, 'wide.v'), `\uFEFF${good}`, 'utf16le');
    const { code, out } = await bench.run(['check', 'wide.v', 'good.v']);
    assert.equal(code, 1);
    assert.match(out, /^wide\.v: error: This is no UTF-8 text; save it as UTF-8.*\n✗ 1 error in 1 of 2 files\.\n$/);
  });

  test('json', async () => {
    using bench = new Bench({ 'a.v': bad });
    const { code, out } = await bench.run(['check', 'a.v', '--json']);
    assert.equal(code, 1);
    const result = JSON.parse(out) as { schema: number; files: number; errors: number; diagnostics: Record<string, unknown>[] };
    assert.deepEqual([result.schema, result.files, result.errors], [1, 1, 1]);
    assert.deepEqual(Object.keys(result.diagnostics[0] ?? {}).sort(), ['character', 'file', 'line', 'message', 'rule', 'severity']);
    assert.deepEqual([result.diagnostics[0]?.['file'], result.diagnostics[0]?.['line']], [path.join(bench.dir, 'a.v'), 1]);
  });

  test('macros and includes are seen as the options say', async () => {
    const source = '`include "w.vh"\nmodule m(input [`W-1:0] a, output y);\n`ifdef FIXED\n  assign y = ^a;\n`else\n  assign y = ;\n`endif\nendmodule\n';
    using bench = new Bench({ 'm.v': source, 'inc/w.vh': '`define W 8\n' });
    assert.equal((await bench.run(['check', 'm.v', '-Iinc', '-DFIXED'])).code, 0);
    const broken = await bench.run(['check', 'm.v', '-Iinc']);
    assert.equal(broken.code, 1);
    assert.match(broken.out, /^m\.v:6:\d+: error/);
  });

  test('a file that is missing', async () => {
    using bench = new Bench({ 'a.v': good });
    const { code, err } = await bench.run(['check', 'gone.v', 'a.v']);
    assert.equal(code, 3);
    assert.equal(err, 'rtl-copilot: gone.v cannot be read; check its path.\n');
  });
});
