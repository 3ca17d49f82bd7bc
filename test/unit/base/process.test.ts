import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { findExecutable, killAllProcesses, run, type RunOptions } from '../../../server/src/base/process.ts';
import { withTempDir } from '../../../server/src/base/tempdir.ts';
import { assertGone } from './alive.ts';

const node = process.execPath;
const js = (script: string, options: Partial<RunOptions> = {}) => run(node, ['-e', script], { timeoutMs: 20_000, ...options });

/** A script that starts a grandchild which ignores SIGTERM, writes its process id to `file`, then does `rest`. */
const withGrandchild = (file: string, rest: string): string => `
  const grandchild = require('node:child_process').spawn(process.execPath,
    ['-e', "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)"], { stdio: ['ignore', 'pipe', 'inherit'] });
  grandchild.stdout.once('data', () => {
    require('node:fs').writeFileSync(${JSON.stringify(file)}, String(grandchild.pid));
    ${rest}
  });`;

async function untilExists(file: string): Promise<void> {
  for (let i = 0; i < 1000 && (!existsSync(file) || readFileSync(file, 'utf8') === ''); i++) await delay(10);
}

test('a non-zero exit is a result with both outputs', async () => {
  const result = await js(`console.log('out'); console.error('err'); process.exitCode = 3`);
  assert.ok(result.kind === 'exited');
  assert.deepEqual([result.exitCode, result.stdout, result.stderr], [3, 'out\n', 'err\n']);
});

test('arguments reach the program as they are', async () => {
  const odd = ['a b', '$HOME', '"', `it's`, '*', ';', 'é'];
  const result = await run(node, ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...odd], { timeoutMs: 20_000 });
  assert.ok(result.kind === 'exited');
  assert.deepEqual(JSON.parse(result.stdout), odd);
});

test('lines in arguments and the environment reach the program as they are', async () => {
  const script = 'console.log(JSON.stringify([process.argv.slice(1), process.env.ODD, process.env.GONE]))';
  process.env['GONE'] = 'here';
  const odd = [['two\nlines', ''], ['', 'x=y', '-n']];
  for (const args of odd) {
    const result = await run(node, ['-e', script, '--', ...args], { timeoutMs: 20_000, env: { ODD: `${args[0] ?? ''}$(id)`, GONE: undefined } });
    assert.ok(result.kind === 'exited');
    assert.deepEqual(JSON.parse(result.stdout), [args, `${args[0] ?? ''}$(id)`, null]);
  }
  delete process.env['GONE'];
});

test('each run sees the environment of its time', async () => {
  const seen: string[] = [];
  for (const value of ['first', 'second']) {
    process.env['RUN_TEST_VALUE'] = value;
    const result = await js('process.stdout.write(process.env.RUN_TEST_VALUE)');
    assert.ok(result.kind === 'exited');
    seen.push(result.stdout);
  }
  delete process.env['RUN_TEST_VALUE'];
  assert.deepEqual(seen, ['first', 'second']);
});

test('programs that run at the same time or are stopped early do not touch those after them', async () => {
  const texts = Array.from({ length: 12 }, (_, index) => `${String(index)} `.repeat(2000));
  const runs = texts.map((text, index) => {
    const controller = new AbortController();
    const result = run(node, ['-e', 'process.stdout.write(process.argv[1])', text], { timeoutMs: 20_000, signal: controller.signal });
    if (index % 3 === 0) setTimeout(() => controller.abort(), index);
    return result;
  });
  for (const [index, result] of (await Promise.all(runs)).entries()) {
    if (result.kind === 'cancelled') assert.equal(index % 3, 0);
    else assert.equal(result.kind === 'exited' ? result.stdout : result.kind, texts[index]);
  }
});

test('a missing program is typed, with and without a memory limit', async () => {
  for (const memoryBytes of [undefined, 1 << 30]) {
    const result = await run('no-such-program-anywhere', [], { timeoutMs: 1000, ...(memoryBytes === undefined ? {} : { memoryBytes }) });
    assert.deepEqual(result, { kind: 'not-found', command: 'no-such-program-anywhere' });
  }
});

test('a missing working directory is not mistaken for a missing program', async () => {
  await assert.rejects(run(node, ['-e', ''], { timeoutMs: 1000, cwd: '/no/such/dir' }), /working directory/);
});

test('standard input is empty and closed, or the given text', async () => {
  const echo = `process.stdin.on('data', (d) => process.stdout.write(d)).on('end', () => console.log('end'))`;
  const empty = await js(echo);
  assert.ok(empty.kind === 'exited');
  assert.equal(empty.stdout, 'end\n');
  const given = await js(echo, { stdin: 'text ' });
  assert.ok(given.kind === 'exited');
  assert.equal(given.stdout, 'text end\n');
});

test('a program that closes its input early does not fail the run', async () => {
  const result = await js(`process.stdin.destroy(); console.log('bye')`, { stdin: 'x'.repeat(1 << 20) });
  assert.ok(result.kind === 'exited');
  assert.equal(result.stdout, 'bye\n');
});

test('output is complete and streamed, and characters split between chunks survive', async () => {
  let streamed = '';
  const result = await js(`for (let i = 0; i < 20000; i++) process.stdout.write('é€😀')`, { onStdout: (chunk) => (streamed += chunk) });
  assert.ok(result.kind === 'exited');
  assert.equal(result.stdout, 'é€😀'.repeat(20000));
  assert.equal(streamed, result.stdout);
});

test('a timeout kills the grandchild too and keeps the output so far', { skip: process.platform === 'win32' }, async () => {
  await withTempDir(async (dir) => {
    const pidFile = path.join(dir, 'pid');
    const result = await js(withGrandchild(pidFile, `console.log('started'); process.on('SIGTERM', () => {});`), { timeoutMs: 4000 });
    assert.ok(result.kind === 'timed-out');
    assert.equal(result.stdout, 'started\n');
    await assertGone(Number(readFileSync(pidFile, 'utf8')));
  });
});

test('an abort kills the grandchild too', { skip: process.platform === 'win32' }, async () => {
  await withTempDir(async (dir) => {
    const pidFile = path.join(dir, 'pid');
    const controller = new AbortController();
    const running = js(withGrandchild(pidFile, ''), { signal: controller.signal });
    await untilExists(pidFile);
    controller.abort();
    assert.deepEqual(await running, { kind: 'cancelled' });
    await assertGone(Number(readFileSync(pidFile, 'utf8')));
  });
});

test('an aborted signal starts nothing', async () => {
  assert.deepEqual(await js('', { signal: AbortSignal.abort() }), { kind: 'cancelled' });
});

test('a program that prints for ever is stopped at the output limit, with its grandchild', { skip: process.platform === 'win32' }, async () => {
  await withTempDir(async (dir) => {
    const pidFile = path.join(dir, 'pid');
    const script = withGrandchild(pidFile, `const w = () => process.stdout.write('0123456789', w); w();`);
    const result = await js(script, { maxOutputBytes: 1003 });
    assert.ok(result.kind === 'output-limit');
    assert.equal(result.stdout, '0123456789'.repeat(100) + '012');
    await assertGone(Number(readFileSync(pidFile, 'utf8')));
  });
});

test('a grandchild that outlives its parent is killed when the parent ends', { skip: process.platform === 'win32' }, async () => {
  await withTempDir(async (dir) => {
    const pidFile = path.join(dir, 'pid');
    const result = await js(withGrandchild(pidFile, 'process.exit(0)'));
    assert.ok(result.kind === 'exited' && result.exitCode === 0);
    await assertGone(Number(readFileSync(pidFile, 'utf8')));
  });
});

test('a descendant in another process group cannot hold the run open', { skip: process.platform === 'win32' }, async () => {
  const result = await js(`
    const c = require('node:child_process').spawn('sleep', ['15'], { detached: true, stdio: 'inherit' });
    console.log(c.pid); process.exit(0)`, { timeoutMs: 14_000 });
  assert.ok(result.kind === 'exited');
  process.kill(Number(result.stdout), 'SIGKILL');
});

test('a death by a foreign signal is a crash, not a timeout', { skip: process.platform === 'win32' }, async () => {
  const result = await js(`process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 1000)`);
  assert.ok(result.kind === 'crashed');
  assert.equal(result.signal, 'SIGSEGV');
});

test('killAllProcesses ends whole groups', { skip: process.platform === 'win32' }, async () => {
  await withTempDir(async (dir) => {
    const pidFile = path.join(dir, 'pid');
    const running = js(withGrandchild(pidFile, ''));
    await untilExists(pidFile);
    killAllProcesses();
    assert.equal((await running).kind, 'crashed');
    await assertGone(Number(readFileSync(pidFile, 'utf8')));
  });
});

test('a limit of CPU time counts what the program computes, not what it waits for', { skip: process.platform !== 'linux' }, async () => {
  for (const input of [{}, { stdin: '' }]) {
    const busy = await run(process.execPath, ['-e', "console.log('begun'); for (;;);"], { timeoutMs: 60_000, cpuMs: 900, ...input });
    assert.equal(busy.kind, 'timed-out');
    assert.equal('stdout' in busy && busy.stdout, 'begun\n');
    const waiting = await run(process.execPath, ['-e', 'setTimeout(() => {}, 1200)'], { timeoutMs: 60_000, cpuMs: 900, ...input });
    assert.equal(waiting.kind, 'exited');
  }
});

test('a memory limit holds where the system can keep one', { skip: process.platform !== 'linux' || findExecutable('python3') === undefined }, async () => {
  const script = 'x = bytearray(200 << 20); print(len(x))';
  const free = await run('python3', ['-c', script], { timeoutMs: 20_000 });
  assert.ok(free.kind === 'exited' && free.exitCode === 0);
  const limited = await run('python3', ['-c', script], { timeoutMs: 20_000, memoryBytes: 100 << 20 });
  assert.ok(limited.kind === 'exited' && limited.exitCode !== 0);
});

test('findExecutable wants an executable file', { skip: process.platform === 'win32' }, async () => {
  await withTempDir((dir) => {
    const file = path.join(dir, 'tool with space');
    writeFileSync(file, '#!/bin/sh\n');
    assert.equal(findExecutable(file), undefined);
    chmodSync(file, 0o755);
    assert.equal(findExecutable(file), file);
    assert.equal(findExecutable('tool with space', { PATH: `/nowhere:${dir}` }), file);
    assert.equal(findExecutable(dir), undefined);
    return Promise.resolve();
  });
});
