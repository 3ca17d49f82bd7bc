import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import type { Diagnostic } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { silentLogger } from '../../server/src/base/logger.ts';
import { createCore } from '../../server/src/core.ts';
import { Analyses } from '../../server/src/lsp/analysis.ts';
import { Preprocessings } from '../../server/src/lsp/preprocessings.ts';
import { PlacedText, pathOf, uriOf } from '../../server/src/lsp/convert.ts';
import { DiagnosticsStore } from '../../server/src/lsp/diagnostics-store.ts';
import { Folders } from '../../server/src/lsp/folders.ts';
import { Sources } from '../../server/src/lsp/sources.ts';
import { WorkspaceIndex, findSources } from '../../server/src/lsp/workspace-index.ts';
import { module } from '../unit/features/fixtures.ts';

async function inFolder(files: readonly string[], task: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parts-'));
  try {
    for (const file of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), `text of ${file}`);
    }
    await task(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('the diagnostics store', () => {
  const say = (message: string, line = 0): Diagnostic => ({ message, range: { start: { line, character: 0 }, end: { line, character: 1 } } });

  function store() {
    const published: string[] = [];
    const diagnostics = new DiagnosticsStore((file, list) => published.push(`${file}: ${list.map(({ message }) => (typeof message === 'string' ? message : message.value)).join(', ')}`));
    return { published, diagnostics };
  }

  it('lets an owner replace only its own, in all files it spoke of', () => {
    const { published, diagnostics } = store();
    diagnostics.replace('syntax:a', new Map([['a', [say('s')]], ['header', [say('h')]]]));
    diagnostics.replace('verify:a', new Map([['a', [say('v')]]]));
    diagnostics.replace('syntax:a', new Map([['a', [say('t')]]]));
    diagnostics.clear('verify:a');
    assert.deepEqual(published, ['a: s', 'header: h', 'a: s, v', 'a: t, v', 'header: ', 'a: t']);
  });

  it('publishes nothing that is as it was', () => {
    const { published, diagnostics } = store();
    diagnostics.clear('x');
    diagnostics.replace('x', new Map([['a', []]]));
    diagnostics.replace('x', new Map([['a', [say('s')]]]));
    diagnostics.replace('x', new Map([['a', [say('s')]]]));
    assert.deepEqual(published, ['a: s']);
  });

  it('gives the same message at the same place once', () => {
    const { diagnostics } = store();
    diagnostics.replace('x', new Map([['a', [say('s'), say('s', 1)]]]));
    diagnostics.replace('y', new Map([['a', [{ ...say('s'), range: { start: { line: 0, character: 0 }, end: { line: 0, character: 9 } } }]]]));
    assert.deepEqual(diagnostics.of('a').map(({ range }) => range.start.line), [0, 1]);
  });
});

describe('the workspace index', () => {
  const outline = (...notations: string[]) => ({ modules: notations.map(module), packages: [], others: [], symbols: [], includes: [] });

  it('knows who defines a name, and forgets with the file', () => {
    const index = new WorkspaceIndex();
    index.set('/a.v', outline('/a.v:m() uses x', '/a.v:n()'));
    index.set('/b.v', { modules: [module('/b.v:m()')], packages: [{ name: 'pkg', uses: ['other'] }], others: [], symbols: [], includes: [] });
    assert.deepEqual(index.definitions('m'), [{ file: '/a.v', uses: ['x'] }, { file: '/b.v', uses: [] }]);
    assert.deepEqual(index.definitions('pkg'), [{ file: '/b.v', uses: ['other'] }]);
    assert.equal(index.moduleCount, 3);
    index.set('/a.v', outline('/a.v:o()'));
    assert.deepEqual(index.definitions('m'), [{ file: '/b.v', uses: [] }]);
    assert.deepEqual(index.definitions('n'), []);
    index.remove('/b.v');
    assert.deepEqual(index.modules().map(({ name }) => name), ['o']);
    assert.deepEqual(index.definitions('pkg'), []);
  });

  it('finds the source files of a folder, nearest first, without excluded and linked folders', () =>
    inFolder(['deep/er/c.svh', 'b.sv', 'a.v', 'x.txt', '.git/h.v', 'obj_dir/v.v', 'deep/d.vh'], async (folder) => {
      await symlink(folder, join(folder, 'deep', 'loop'));
      const found: string[] = [];
      for await (const file of findSources(folder, { exclude: ['obj_dir'], signal: new AbortController().signal })) found.push(relative(folder, file));
      assert.deepEqual(found, ['a.v', 'b.sv', 'deep/d.vh', 'deep/er/c.svh']);
    }));

  it('of a folder that is not there is empty', async () => {
    for await (const file of findSources('/nowhere/at/all', { exclude: [], signal: new AbortController().signal })) assert.fail(file);
  });
});

describe('sources', () => {
  it('are the open text, else the disk, and know when they changed', () =>
    inFolder(['a.v'], async (folder) => {
      const file = join(folder, 'a.v');
      const sources = new Sources();
      assert.equal(sources.find(file)?.text, 'text of a.v');
      const onDisk = sources.hash(file);
      const document = TextDocument.create(uriOf(file), 'verilog', 1, 'open text');
      sources.open(document);
      assert.equal(sources.find(file)?.text, 'open text');
      assert.equal(await sources.files.read(file), 'open text');
      assert.notEqual(sources.hash(file), onDisk);
      TextDocument.update(document, [{ text: 'text of a.v' }], 2);
      assert.equal(sources.hash(file), onDisk);
      sources.close(file);
      await writeFile(file, 'new text');
      sources.forget(file);
      assert.equal(sources.find(file)?.text, 'new text');
      assert.equal(sources.hash(join(folder, 'none.v')), undefined);
    }));
});

describe('syntax trees', () => {
  it('are kept for open files only, and freed when those close', async () => {
    const core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } });
    let alive = 0;
    const counting = {
      parseInSteps: core.parseInSteps.bind(core),
      parse: (request: Parameters<typeof core.parse>[0]) => {
        const parsed = core.parse(request);
        if (!parsed) return undefined;
        alive++;
        const original = parsed.delete.bind(parsed);
        parsed.delete = () => {
          alive--;
          original();
        };
        return parsed;
      },
    };
    const analyses = new Analyses(counting, new Preprocessings(new Sources()));
    const context = { includeDirs: [], defines: {} };
    for (const text of ['module a; endmodule', 'module b; endmodule', 'module c; endmodule']) analyses.ofOpen('/a.v', new PlacedText(text), context);
    assert.deepEqual(analyses.once('/b.v', new PlacedText('module d; endmodule'), context)?.outline.modules.map(({ name }) => name), ['d']);
    assert.equal(alive, 1);
    analyses.ofOpen('/c.v', new PlacedText('module e; endmodule'), context);
    assert.equal(alive, 2);
    analyses.drop('/a.v');
    assert.equal(alive, 1);
    analyses.dropAll();
    assert.equal(alive, 0);
  });
});

describe('places and addresses', () => {
  it('of a tool cover the word they point at', () => {
    const text = new PlacedText('wire foo = bar;\r\n  // end\n');
    const at = (line: number, character: number) => {
      const { start, end } = text.rangeOf({ kind: 'position', position: { line, character } });
      return `${start.line}:${start.character}-${end.line}:${end.character}`;
    };
    assert.equal(at(0, 5), '0:5-0:8');
    assert.equal(at(0, 9), '0:9-0:15');
    assert.equal(at(1, 0), '1:0-1:8');
    assert.equal(at(99, 0), '2:0-2:0');
  });

  it('lead back and forth for unusual names', () => {
    for (const path of ['/a b/ä#%.v', '/plain.v']) assert.equal(pathOf(uriOf(path)), path);
    assert.equal(pathOf('untitled:Untitled-1'), 'untitled:Untitled-1');
    assert.equal(uriOf('untitled:Untitled-1'), 'untitled:Untitled-1');
    assert.equal(pathOf('file:///a%20b/c.v'), '/a b/c.v');
  });

  it('of folders: the innermost counts', () => {
    const folders = new Folders();
    folders.set(['file:///w', 'file:///w/inner', 'untitled:x']);
    assert.equal(folders.rootOf('/w/inner/a.v'), '/w/inner');
    assert.equal(folders.rootOf('/w/inner2/a.v'), '/w');
    assert.equal(folders.rootOf('/elsewhere/a.v'), undefined);
    assert.equal(folders.referenceRoot('/elsewhere/a.v'), '/elsewhere');
    assert.equal(folders.display('/w/inner/rtl/a.v'), 'rtl/a.v');
    folders.change(['file:///new'], ['file:///w']);
    assert.deepEqual(folders.all.map(({ root }) => root), ['/w/inner', '/new']);
  });
});
