import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseDefine, readFilelist, type Filelist } from '../../../server/src/analysis/filelist.ts';

const empty: Filelist = { sources: [], libraryFiles: [], libraryDirs: [], libraryExtensions: [], includeDirs: [], defines: {}, ignored: [] };

function envOf(files: Record<string, string>, variables: Record<string, string>) {
  return { files: { read: (path: string) => Promise.resolve(files[path]) }, cwd: '/proj', variables };
}

/** Reads `/lists/main.f` and compares what differs from an empty list. */
async function check(text: string, expected: Partial<Filelist>, more: { files?: Record<string, string>; variables?: Record<string, string>; relativeTo?: 'cwd' | 'list' } = {}) {
  const env = envOf({ '/lists/main.f': text, ...more.files }, more.variables ?? {});
  const result = await readFilelist('/lists/main.f', more.relativeTo ?? 'cwd', env);
  assert.deepEqual(result, { kind: 'read', list: { ...empty, ...expected } });
}

async function checkRejected(text: string, expected: RegExp, place: { file?: string; line: number | undefined; character: number | undefined }, files: Record<string, string> = {}) {
  const result = await readFilelist('/lists/main.f', 'cwd', envOf({ '/lists/main.f': text, ...files }, {}));
  assert.equal(result.kind, 'rejected');
  assert.match(result.problem.message, expected);
  assert.deepEqual({ file: result.problem.file, line: result.problem.line, character: result.problem.character }, { file: '/lists/main.f', ...place });
}

describe('file list', () => {
  test('sources, one or several a line, with blank lines and either line end', async () => {
    await check('a.v\r\n\n  sub/b.sv c.v\n/abs/d.v', { sources: ['/proj/a.v', '/proj/sub/b.sv', '/proj/c.v', '/abs/d.v'] });
  });

  test('an empty list and a byte order mark', async () => {
    await check('', {});
    await check('\uFEFFa.v', { sources: ['/proj/a.v'] });
  });

  test('comments of all three kinds, and slashes inside a path', async () => {
    await check('// a.v\n# b.v\nc.v // d.v\n/* e.v\n f.v */ g.v\nh//i.v', { sources: ['/proj/c.v', '/proj/g.v', '/proj/h/i.v'] });
  });

  test('an unfinished block comment hides the rest', async () => {
    await check('a.v\n/* b.v', { sources: ['/proj/a.v'] });
  });

  test('quotes and escaped spaces', async () => {
    await check(`"my dir/a b.v" 'c d.v' e\\ f.v`, { sources: ['/proj/my dir/a b.v', '/proj/c d.v', '/proj/e f.v'] });
  });

  test('a backslash at the end of a line continues it', async () => {
    await check('-y \\\n lib', { libraryDirs: ['/proj/lib'] });
  });

  test('include directories in every spelling', async () => {
    await check('+incdir+inc+/abs/inc\n-I more -Ijoined', { includeDirs: ['/proj/inc', '/abs/inc', '/proj/more', '/proj/joined'] });
  });

  test('defines in every spelling; no value means 1', async () => {
    await check('+define+A+B=2\n-D C -DD=8\'hff +define+E=', { defines: { A: '1', B: '2', C: '1', D: "8'hff", E: '' } });
  });

  test('a quoted define keeps its quotes, its plus signs and its spaces', async () => {
    await check('+define+S="a + b"+T=1', { defines: { S: '"a + b"', T: '1' } });
  });

  test('a define may hold a system function', async () => {
    await check('+define+W=$clog2(DEPTH)+V=$V', { defines: { W: '$clog2(DEPTH)', V: '7' } }, { variables: { V: '7' } });
  });

  test('libraries', async () => {
    await check('-v cells.v\n-y lib\n+libext+.v+sv', { libraryFiles: ['/proj/cells.v'], libraryDirs: ['/proj/lib'], libraryExtensions: ['.v', '.sv'] });
  });

  test('environment variables in three spellings', async () => {
    await check('$A/x.v ${A}/y.v $(A)/z.v +incdir+$A', { sources: ['/r/x.v', '/r/y.v', '/r/z.v'], includeDirs: ['/r'] }, { variables: { A: '/r' } });
  });

  test('unknown options are noted with their place, their value is no source', async () => {
    await check('-sv a.v\n--top-module top +notimingchecks', {
      sources: ['/proj/a.v'],
      ignored: [
        { option: '-sv', file: '/lists/main.f', line: 0 },
        { option: '--top-module top', file: '/lists/main.f', line: 1 },
        { option: '+notimingchecks', file: '/lists/main.f', line: 1 },
      ],
    });
  });

  test('-F is relative to the list, -f to the working directory, also when nested', async () => {
    await check('a.v', { sources: ['/lists/a.v'] }, { relativeTo: 'list' });
    await check('-F sub/inner.f\nlast.v', { sources: ['/lists/sub/b.v', '/proj/c.v', '/lists/last.v'], includeDirs: ['/lists/sub/inc'] }, {
      relativeTo: 'list',
      files: { '/lists/sub/inner.f': 'b.v +incdir+inc -f /lists/deep.f', '/lists/deep.f': 'c.v' },
    });
  });

  test('the same list twice is no cycle', async () => {
    await check('-f /lists/b.f -f /lists/b.f', { sources: ['/proj/x.v', '/proj/x.v'] }, { files: { '/lists/b.f': 'x.v' } });
  });
});

describe('file list problems', () => {
  test('a list that is missing', async () => {
    const result = await readFilelist('gone.f', 'cwd', envOf({}, {}));
    assert.equal(result.kind, 'rejected');
    assert.match(result.problem.message, /\/proj\/gone\.f cannot be read/);
    assert.equal(result.problem.line, undefined);
  });

  test('a nested list that is missing is reported where it is named', () =>
    checkRejected('a.v\n  -f gone.f', /\/proj\/gone\.f cannot be read/, { line: 1, character: 2 }));

  test('a cycle names the way round', () =>
    checkRejected('-f /lists/b.f', /includes itself: \/lists\/main\.f -> \/lists\/b\.f -> \/lists\/main\.f/, { file: '/lists/b.f', line: 1, character: 0 }, { '/lists/b.f': '\n-f /lists/main.f' }));

  test('a variable that is not set', () => checkRejected('a.v\nx/$NOPE/b.v', /NOPE is not set/, { line: 1, character: 0 }));

  test('an option without its value', () => checkRejected('a.v -y', /-y needs a value/, { line: 0, character: 4 }));

  test('a define that is none', () => checkRejected('+define+9x', /"9x" is not a macro definition/, { line: 0, character: 0 }));
});

describe('laws', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);

  test('a quoted path comes back as it is, whatever spaces and letters it holds', async () => {
    const part = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'ß', '漢', ' ', '+', '-', '#', '/', "'") }).filter((text) => text.trim() !== '' && !/^[-+]/.test(text));
    await fc.assert(fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
      const result = await readFilelist('/m.f', 'cwd', envOf({ '/m.f': parts.map((path) => `"/${path}"`).join('\n') }, {}));
      assert.equal(result.kind, 'read');
      assert.equal(result.list.sources.length, parts.length);
    }));
  });

  test('the layout of white space changes nothing', async () => {
    const space = fc.constantFrom(' ', '\n', '\t', '\r\n', ' // note\n', ' /* a\n b */ ');
    await fc.assert(fc.asyncProperty(fc.array(fc.tuple(name, space), { maxLength: 8 }), async (words) => {
      const result = await readFilelist('/m.f', 'cwd', envOf({ '/m.f': words.map(([word, gap]) => word + gap).join('') }, {}));
      assert.equal(result.kind, 'read');
      assert.deepEqual(result.list.sources, words.map(([word]) => `/proj/${word}`));
    }));
  });

  test('any text is read or rejected, never a crash', async () => {
    await fc.assert(fc.asyncProperty(fc.string({ unit: fc.constantFrom('a', ' ', '\n', '"', "'", '\\', '+', '-', 'f', '$', '{', '/', '*', '#', '+define+', '+incdir+') }), async (text) => {
      const result = await readFilelist('/m.f', 'cwd', envOf({ '/m.f': text }, { a: 'b' }));
      assert.ok(result.kind === 'read' || result.problem.message.endsWith('.'));
    }));
  });

  test('a define splits at its first equals sign', () => {
    fc.assert(fc.property(name, fc.string(), (macro, value) => {
      assert.deepEqual(parseDefine(`${macro}=${value}`), { name: macro, value });
    }));
    assert.deepEqual(parseDefine('A'), { name: 'A', value: '1' });
    assert.equal(parseDefine('=1'), undefined);
  });
});
