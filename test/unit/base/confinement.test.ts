import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { findConfinement, runConfined } from '../../../server/src/base/confinement.ts';
import { withTempDir } from '../../../server/src/base/tempdir.ts';
import { assertGone } from './alive.ts';

const linux = { skip: process.platform !== 'linux' && 'only Linux has the means' };
const here = await findConfinement();
const confined = { skip: here.kind !== 'confined' && `bubblewrap is ${here.kind} on this machine` };

/** Puts a shell script in the place of bubblewrap while `body` runs; it runs the program behind `--`, if at all. */
async function withFake(script: string, body: (dir: string) => Promise<void>): Promise<void> {
  const before = process.env['PATH'];
  await withTempDir(async (dir) => {
    const fake = path.join(dir, 'bwrap');
    writeFileSync(fake, `#!/bin/sh\n${script}\n`);
    chmodSync(fake, 0o755);
    process.env['PATH'] = `${dir}${path.delimiter}${before ?? ''}`;
    try {
      await body(dir);
    } finally {
      process.env['PATH'] = before;
    }
  });
}

/** The processes whose command line ends so, as this process sees them. */
function processesNamed(commandLine: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() === commandLine ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

const shell = (script: string, cwd: string, more: { cpuMs?: number; timeoutMs?: number } = {}) => runConfined('/bin/sh', ['-c', script], { cwd, timeoutMs: 20_000, ...more });

test('where bubblewrap may not do its work, programs run without it, and its words are told', linux, async () => {
  await withFake('echo "bwrap: No permissions to create a new namespace" >&2; exit 1', async (dir) => {
    assert.deepEqual(await findConfinement(), { kind: 'unusable', path: path.join(dir, 'bwrap'), said: 'bwrap: No permissions to create a new namespace' });
    const result = await shell('echo ran', dir);
    assert.equal(result.kind === 'exited' && result.stdout, 'ran\n');
  });
});

test('a program that does not work where it is confined runs without it, and is asked once', linux, async () => {
  await withFake('echo "$@" >> "$0.log"; case "$*" in *unfit*) exit 0;; esac; while [ "$1" != -- ]; do shift; done; shift; exec "$@"', async (dir) => {
    const run = (trial: string) => runConfined('/bin/sh', ['-c', 'echo ran'], { cwd: dir, timeoutMs: 20_000, trial: ['-c', `: > trial; : ${trial}`] });
    for (const trial of ['unfit', 'unfit', 'fit']) {
      const result = await run(trial);
      assert.equal(result.kind === 'exited' && result.stdout, 'ran\n');
    }
    const starts = readFileSync(path.join(dir, 'bwrap.log'), 'utf8').trim().split('\n').map((line) => line.replace(/^.* -- /, ''));
    assert.deepEqual(starts, ['/bin/sh -c : > trial; : unfit', '/bin/sh -c : > trial; : fit', '/bin/sh -c echo ran']);
  });
});

test('the signal that ends a confined program is told as for any other', linux, async () => {
  await withFake('while [ "$1" != -- ]; do shift; done; shift; "$@"; exit $?', async (dir) => {
    const result = await shell('kill -SEGV $$', dir);
    assert.equal(result.kind === 'crashed' && result.signal, 'SIGSEGV');
    assert.equal((await shell('while :; do :; done', dir, { cpuMs: 1000 })).kind, 'timed-out');
    assert.equal((await shell('exit 3', dir)).kind, 'exited');
  });
});

test('a confined program writes to its own directory alone, and reaches neither the network nor other processes', confined, async () => {
  await withTempDir(async (outside) => {
    await withTempDir(async (dir) => {
      writeFileSync(path.join(outside, 'readable'), 'read me');
      const script = `cat ${outside}/readable > inside; echo x > ${outside}/made; echo x > made-here; cat /proc/net/dev | grep -c : ; kill -0 ${String(process.pid)} && echo seen`;
      const result = await shell(script, dir);
      assert.ok(result.kind === 'exited');
      assert.equal(readFileSync(path.join(dir, 'inside'), 'utf8'), 'read me');
      assert.equal(existsSync(path.join(dir, 'made-here')), true);
      assert.equal(existsSync(path.join(outside, 'made')), false);
      assert.equal(result.stdout.includes('seen'), false);
      assert.equal(result.stderr.includes('Read-only file system'), true);
    });
  });
});

test('limits hold for a confined program, and nothing of it is left behind', confined, async () => {
  await withTempDir(async (dir) => {
    assert.equal((await shell('while :; do :; done', dir, { cpuMs: 1000 })).kind, 'timed-out');
    const signal = new AbortController();
    const running = runConfined('/bin/sh', ['-c', 'trap "" TERM; setsid sleep 977 & sleep 977'], { cwd: dir, timeoutMs: 20_000, signal: signal.signal });
    for (let tries = 0; tries < 1000 && processesNamed('sleep 977').length < 2; tries++) await delay(10);
    const inside = processesNamed('sleep 977');
    assert.equal(inside.length, 2);
    signal.abort();
    assert.equal((await running).kind, 'cancelled');
    for (const pid of inside) await assertGone(pid);
  });
});
