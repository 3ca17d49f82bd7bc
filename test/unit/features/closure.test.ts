import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { libraryFiles } from '../../../server/src/features/closure.ts';
import { module } from './fixtures.ts';

function check(top: string, others: readonly string[], expected: readonly string[]): void {
  const modules = others.map(module);
  const files = libraryFiles(module(top), (name) => modules.filter((candidate) => candidate.name === name));
  assert.deepEqual(files, expected);
}

describe('library files', () => {
  it('are those of everything below, each once', () => {
    check('/a.v:a() uses b, c', ['/b.v:b() uses d', '/c.v:c() uses d, a', '/d.v:d()', '/unused.v:e()'], ['/b.v', '/c.v', '/d.v']);
  });

  it('lack what nobody defines and what the file itself defines', () => {
    check('/a.v:a() uses b, missing', ['/a.v:b()'], []);
  });

  it('are the nearest of several definitions', () => {
    check('/rtl/core/a.v:a() uses s', ['/golden/s.v:s()', '/rtl/lib/s.v:s()', '/rtl/core/sub/s.v:s()'], ['/rtl/core/sub/s.v']);
    check('/golden/a.v:a() uses s', ['/golden/s.v:s()', '/rtl/s.v:s()'], ['/golden/s.v']);
  });

  it('are nearest to the file that uses them, and those that are needed anyway are taken first', () => {
    check('/rtl/a.v:a() uses b', ['/lib/b.v:b() uses s', '/lib/s.v:s()', '/rtl/s.v:s()'], ['/lib/b.v', '/lib/s.v']);
    check('/rtl/a.v:a() uses b, s', ['/lib/b.v:b()', '/lib/b.v:s()', '/rtl/s.v:s()'], ['/lib/b.v']);
  });

  it('end for modules that use each other', () => {
    check('/a.v:a() uses b', ['/b.v:b() uses a', '/a.v:a() uses b'], ['/b.v']);
  });
});
