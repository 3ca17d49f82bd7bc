import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { withTempDir } from '../../server/src/base/tempdir.ts';
import { IndexCache } from '../../server/src/lsp/index-cache.ts';

const outline = { modules: [], packages: [{ name: 'p', uses: [] }], others: [], symbols: [], includes: ['/h.svh'] };
const context = { includeDirs: ['/inc'], defines: { A: '1' } };
const found = { hash: 'text', context, looked: ['/h.svh', '/gone.svh'], outline };
const hashOf = (file: string): string | undefined => (file === '/h.svh' ? 'header' : undefined);

async function reopened(folder: string, version = '1'): Promise<IndexCache> {
  const cache = new IndexCache(folder, '/workspace', version);
  await cache.load();
  return cache;
}

test('a file is found again while its text, its headers and its settings are the same', () =>
  withTempDir(async (dir) => {
    const cache = await reopened(dir);
    cache.keep('/a.sv', found, hashOf);
    await cache.save();
    const again = await reopened(dir);
    assert.deepEqual(again.find('/a.sv', 'text', { includeDirs: ['/inc'], defines: { A: '1' } }, hashOf), outline);
    assert.equal(again.find('/a.sv', 'other', context, hashOf), undefined);
    assert.equal(again.find('/a.sv', 'text', { ...context, defines: {} }, hashOf), undefined);
    assert.equal(again.find('/a.sv', 'text', context, () => undefined), undefined);
    assert.equal(again.find('/a.sv', 'text', context, () => 'header'), undefined);
    assert.equal(again.find('/b.sv', 'text', context, hashOf), undefined);
    assert.equal((await reopened(dir, '2')).find('/a.sv', 'text', context, hashOf), undefined);
  }));

test('a damaged cache is as good as none, and is replaced as a whole', () =>
  withTempDir(async (dir) => {
    const cache = await reopened(dir);
    cache.keep('/a.sv', found, hashOf);
    await cache.save();
    const [name] = await readdir(dir);
    const file = join(dir, name ?? '');
    const good = await readFile(file, 'utf8');
    for (const damaged of ['', good.slice(0, -5), good.replace('"p"', '"q"'), '{}', good.replace('\n', ' ')]) {
      await writeFile(file, damaged);
      const again = await reopened(dir);
      assert.equal(again.find('/a.sv', 'text', context, hashOf), undefined);
      again.keep('/a.sv', found, hashOf);
      await again.save();
      assert.equal(await readFile(file, 'utf8'), good);
    }
    assert.deepEqual(await readdir(dir), [name]);
  }));

test('a file that is not met any more leaves the cache', () =>
  withTempDir(async (dir) => {
    const cache = await reopened(dir);
    cache.keep('/a.sv', found, hashOf);
    cache.keep('/b.sv', found, hashOf);
    await cache.save();
    const again = await reopened(dir);
    again.find('/a.sv', 'text', context, hashOf);
    await again.save();
    const third = await reopened(dir);
    assert.notEqual(third.find('/a.sv', 'text', context, hashOf), undefined);
    assert.equal(third.find('/b.sv', 'text', context, hashOf), undefined);
  }));
