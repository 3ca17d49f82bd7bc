import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { diskFiles, readTextSync } from '../../../server/src/base/files.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'files-test-'));
after(() => {
  rmSync(folder, { recursive: true, force: true });
});
const posix = process.platform === 'win32' ? { skip: 'no named pipes' } : {};

function pipe(name: string): string {
  const file = path.join(folder, name);
  execFileSync('mkfifo', [file]);
  return file;
}

describe('reading from the disk', () => {
  test('a byte order mark is removed', async () => {
    const file = path.join(folder, 'marked.v');
    writeFileSync(file, '\uFEFFmodule m; endmodule\n');
    assert.equal(await diskFiles.read(file), 'module m; endmodule\n');
    assert.equal(readTextSync(file), 'module m; endmodule\n');
  });

  test('what is missing, a directory or a device cannot be read', async () => {
    for (const file of [path.join(folder, 'missing.v'), folder, ...(process.platform === 'win32' ? [] : ['/dev/zero'])]) {
      assert.equal(await diskFiles.read(file), undefined);
      assert.equal(readTextSync(file), undefined);
    }
  });

  test('a pipe is read to its end, and waiting for it blocks nothing', posix, async () => {
    const file = pipe('written');
    assert.equal(readTextSync(file), undefined);
    const read = diskFiles.read(file);
    await appendFile(file, 'module m; endmodule');
    assert.equal(await read, 'module m; endmodule');
  });
});
