import assert from 'node:assert/strict';
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { Bench, flop, noPrograms, sides } from './program.ts';

const files = { 'dut.v': flop, 'golden.v': flop };
const program = path.join(import.meta.dirname, '../../dist/cli.mjs');
const posix = { skip: process.platform === 'win32' && 'a matter of POSIX systems' };

describe('odd surroundings', posix, () => {
  const run = (bench: Bench, args: readonly string[], env: Readonly<Record<string, string | undefined>>, stdio: 'pipe' | number = 'pipe') =>
    spawnSync(process.execPath, [program, ...args], { cwd: bench.dir, env: { ...process.env, TMPDIR: bench.temp, ...env }, stdio: ['ignore', stdio, 'pipe'], encoding: 'utf8' });

  for (const [engine, env] of [['auto', {}], ['verilator', {}], ['yosys-wasm', noPrograms]] as const) {
    test(`a folder for temporary files that is not there is said, with ${engine}`, () => {
      using bench = new Bench(files);
      const temp = path.join(bench.temp, 'none');
      const { status, stdout, stderr } = run(bench, ['verify', ...sides, '--engine', engine, '--json'], { ...env, TMPDIR: temp });
      assert.equal(stderr, '');
      const { verdict, reason } = JSON.parse(stdout) as { verdict: string; reason: string };
      assert.deepEqual([status, verdict, reason], [3, 'tool-error', `The folder for temporary files, ${temp}, cannot be used: it does not exist; let TMPDIR name another folder.`]);
    });
  }

  test('a folder for temporary files with blanks and other letters, and no home', () => {
    using bench = new Bench(files);
    const temp = path.join(bench.temp, 'größe λ 漢 1');
    mkdirSync(temp);
    for (const engine of ['iverilog', 'yosys-wasm']) {
      const { status, stderr } = run(bench, ['verify', ...sides, '--engine', engine], { TMPDIR: temp, HOME: undefined, XDG_CACHE_HOME: undefined });
      assert.deepEqual([status, stderr], [0, ''], engine);
    }
  });

  test('standard output that takes no text is said, and the exit code is that of no verdict', { skip: !existsSync('/dev/full') && 'there is no /dev/full' }, () => {
    using bench = new Bench(files);
    const full = openSync('/dev/full', 'w');
    try {
      for (const args of [['verify', ...sides, '--json'], ['--version'], ['check', 'dut.v']]) {
        const { status, stderr } = run(bench, args, {}, full);
        assert.equal(status, 3, args.join(' '));
        assert.match(stderr, /^rtl-copilot: What was found could not be written to standard output: ENOSPC[^\n]*\n$/);
      }
    } finally {
      closeSync(full);
    }
  });
});
