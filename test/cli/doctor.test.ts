import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { DoctorReport } from '../../server/src/core.ts';
import { Bench, noPrograms } from './program.ts';

const manifest = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string };

describe('doctor', () => {
  test('the tools of this machine with version and path', async () => {
    using bench = new Bench({});
    const { code, out } = await bench.run(['doctor', '--json']);
    assert.equal(code, 0);
    const report = JSON.parse(out) as DoctorReport;
    assert.equal(report.version, manifest.version);
    assert.equal(report.node, process.version);
    const iverilog = report.tools.find((tool) => tool.name === 'iverilog');
    assert.match(iverilog?.version ?? '', /^\d+\.\d+/);
    assert.match(iverilog?.path ?? '', /iverilog$/);
    assert.ok(report.tools.some((tool) => tool.name === 'yosys-wasm' && tool.found));
  });

  test('what is missing comes with what to do; the embedded engine is always there', async () => {
    using bench = new Bench({});
    const { code, out } = await bench.run(['doctor'], noPrograms);
    assert.equal(code, 0);
    assert.match(out, /^– iverilog +not found\n {4,}[^–✓]*\binstall/m);
    assert.match(out, /^✓ yosys-wasm +\d/m);
  });

  test('the version of the program', async () => {
    using bench = new Bench({});
    assert.equal((await bench.run(['--version'])).out, `${manifest.version}\n`);
  });
});
