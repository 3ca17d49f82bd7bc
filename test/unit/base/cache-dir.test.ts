import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { cacheDir } from '../../../server/src/base/cache-dir.ts';

test('the cache lies where the system keeps such files', () => {
  assert.equal(cacheDir('linux', {}, '/home/a'), path.join('/home/a', '.cache', 'rtl-copilot'));
  assert.equal(cacheDir('linux', { XDG_CACHE_HOME: '/c' }, '/home/a'), path.join('/c', 'rtl-copilot'));
  assert.equal(cacheDir('linux', { XDG_CACHE_HOME: 'relative' }, '/home/a'), path.join('/home/a', '.cache', 'rtl-copilot'));
  assert.equal(cacheDir('darwin', {}, '/Users/a'), path.join('/Users/a', 'Library', 'Caches', 'rtl-copilot'));
  assert.equal(cacheDir('win32', {}, '/u'), path.join('/u', 'AppData', 'Local', 'rtl-copilot'));
});
