import assert from 'node:assert/strict';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { run } from '../../../server/src/base/process.ts';
import { lastingTempDir, scratchFolder, withTempDir } from '../../../server/src/base/tempdir.ts';
import { assertGone } from './alive.ts';

test('the directory is there during the call and gone after it, also after an error', async () => {
  const seen = await withTempDir((dir) => {
    writeFileSync(path.join(dir, 'file'), 'x');
    return Promise.resolve(dir);
  });
  assert.equal(existsSync(seen), false);
  let failed = '';
  await assert.rejects(
    withTempDir((dir) => {
      failed = dir;
      return Promise.reject(new Error('no luck'));
    }),
    /no luck/,
  );
  assert.notEqual(failed, '');
  assert.equal(existsSync(failed), false);
});

test('files that live for moments lie where the user has them, and only else in memory', () => {
  for (const variable of ['TMPDIR', 'TMP', 'TEMP']) assert.equal(scratchFolder({ [variable]: '/somewhere' }), os.tmpdir());
  const free = scratchFolder({});
  assert.ok(free === os.tmpdir() || (process.platform === 'linux' && free === '/dev/shm'), free);
});

test('where programs are to be run, no folder in memory is taken, which may forbid it', { skip: process.platform === 'win32' }, async () => {
  const before = process.env['TMPDIR'];
  delete process.env['TMPDIR'];
  try {
    const parent = path.dirname(lastingTempDir());
    assert.equal(parent, realpathSync(os.tmpdir()));
    assert.equal(await withTempDir((dir) => Promise.resolve(path.dirname(dir)), { runsPrograms: true }), parent);
  } finally {
    if (before !== undefined) process.env['TMPDIR'] = before;
  }
});

test('a folder for temporary files that cannot be used, or is full, is named with what to do', { skip: process.platform === 'win32' }, async () => {
  const before = process.env['TMPDIR'];
  await withTempDir(async (dir) => {
    const file = path.join(dir, 'file');
    writeFileSync(file, '');
    try {
      for (const [folder, why] of [[path.join(dir, 'none'), 'it does not exist'], [file, 'it is no folder']] as const) {
        process.env['TMPDIR'] = folder;
        await assert.rejects(withTempDir(() => Promise.resolve()), { name: 'TempDirError', message: `The folder for temporary files, ${folder}, cannot be used: ${why}; let TMPDIR name another folder.` });
      }
      process.env['TMPDIR'] = dir;
      const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      await assert.rejects(withTempDir(() => Promise.reject(full)), { name: 'TempDirError', message: `The folder for temporary files, ${dir}, cannot be used: there is no space left; make room there, or let TMPDIR name another folder.` });
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });
});

const source = (name: string): string => JSON.stringify(new URL(`../../../server/src/base/${name}`, import.meta.url).href);

for (const ending of ['SIGTERM', 'SIGINT', 'exit']) {
  test(`${ending} leaves neither a directory nor a process behind`, { skip: process.platform === 'win32' }, async () => {
    await withTempDir(async (dir) => {
      const note = path.join(dir, 'note');
      const script = `
        import { writeFileSync } from 'node:fs';
        import path from 'node:path';
        const { exitOnSignals } = await import(${source('exit.ts')});
        const { run } = await import(${source('process.ts')});
        const { withTempDir } = await import(${source('tempdir.ts')});
        exitOnSignals();
        void withTempDir((dir) => run('sh', ['-c', 'echo $$; exec sleep 60'], { timeoutMs: 60000, cwd: dir, onStdout: (pid) => {
          writeFileSync(${JSON.stringify(note)}, pid.trim() + ' ' + dir);
          if (${JSON.stringify(ending)} === 'exit') process.exit(7); else process.kill(process.pid, ${JSON.stringify(ending)});
        } }));`;
      const result = await run(process.execPath, ['--input-type=module', '-e', script], { timeoutMs: 20_000, env: { TMPDIR: dir } });
      assert.ok(result.kind === 'exited', JSON.stringify(result));
      assert.equal(result.exitCode, { SIGTERM: 143, SIGINT: 130, exit: 7 }[ending], result.stderr);
      const [pid = '', inner = ''] = readFileSync(note, 'utf8').split(' ');
      assert.ok(inner.startsWith(dir));
      assert.equal(existsSync(inner), false);
      await assertGone(Number(pid));
    });
  });
}
