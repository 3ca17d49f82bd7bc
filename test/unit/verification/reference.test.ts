import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  formatReferenceFile,
  goldenOf,
  parseReferenceFile,
  readReferenceFile,
  referenceFileName,
  updateReferenceFile,
  withReference,
} from '../../../server/src/verification/reference.ts';
import type { ReferenceBinding } from '../../../server/src/verification/reference.ts';

const root = '/project';
const binding = (dut: string, golden: string): ReferenceBinding => {
  const name = (text: string) => {
    const [file = '', module = ''] = text.split(':');
    return { file, module };
  };
  return { dut: name(dut), golden: name(golden) };
};

/** `|` in the text marks where the problem must be reported. */
function checkBroken(marked: string, message: RegExp): void {
  const offset = marked.indexOf('|');
  const parsed = parseReferenceFile(marked.replace('|', ''), root);
  assert.equal(parsed.kind, 'broken');
  assert.match(parsed.problem.message, message);
  assert.match(parsed.problem.message, /^\.rtl-copilot\.json [^.]*; correct it by hand, it is never overwritten\.$/);
  assert.equal(parsed.problem.offset, offset);
}

describe('reference file text', () => {
  it('is one line a binding, sorted, with relative forward-slash paths', () => {
    const text = formatReferenceFile(
      [binding('/project/rtl/b.v:top', '/project/golden/b.v:ref'), binding('/project/rtl/a.v:top', '/elsewhere/g.sv:top')],
      root,
    );
    assert.equal(
      text,
      `{
  "schema": 1,
  "references": [
    { "dut": { "file": "rtl/a.v", "module": "top" }, "golden": { "file": "../elsewhere/g.sv", "module": "top" } },
    { "dut": { "file": "rtl/b.v", "module": "top" }, "golden": { "file": "golden/b.v", "module": "ref" } }
  ]
}
`,
    );
  });

  it('reads back what it writes, in any order of the bindings', () => {
    const segment = fc.stringMatching(/^[a-zA-Z0-9 _äß"\-]{1,8}$/);
    const name = fc.record({
      file: fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => `/${parts.join('/')}.v`),
      module: fc.string({ minLength: 1, maxLength: 8 }),
    });
    const bindings = fc.uniqueArray(fc.record({ dut: name, golden: name }), { maxLength: 6, selector: (b) => JSON.stringify(b.dut) });
    fc.assert(
      fc.property(bindings, (list) => {
        const text = formatReferenceFile(list, '/a b');
        const parsed = parseReferenceFile(text, '/a b');
        assert.equal(parsed.kind, 'valid');
        const byText = (items: readonly ReferenceBinding[]) => items.map((item) => JSON.stringify(item)).sort();
        assert.deepEqual(byText(parsed.bindings), byText(list));
        assert.equal(formatReferenceFile(list.toReversed(), '/a b'), text);
      }),
    );
  });

  it('holds nothing when it is missing or blank', () => {
    assert.deepEqual(parseReferenceFile(undefined, root), { kind: 'valid', bindings: [] });
    assert.deepEqual(parseReferenceFile(' \n', root), { kind: 'valid', bindings: [] });
  });

  it('keeps the key that names a JSON schema', () => {
    const text = formatReferenceFile([], root, 'https://example.org/s.json');
    assert.equal(text, '{\n  "$schema": "https://example.org/s.json",\n  "schema": 1,\n  "references": []\n}\n');
    assert.deepEqual(parseReferenceFile(text, root), { kind: 'valid', bindings: [], schemaUrl: 'https://example.org/s.json' });
  });

  it('reports what is wrong and where', () => {
    checkBroken('{ "schema": 1, |<<<<<<< HEAD', /is not valid JSON/);
    checkBroken('{ "schema": 1, "references": [|', /is not valid JSON/);
    checkBroken('|[]', /must hold an object/);
    checkBroken('|{}', /must say "schema": 1/);
    checkBroken('{ |"schema": 2, "references": [] }', /newer version/);
    checkBroken('{ |"schema": "1", "references": [] }', /must say "schema": 1/);
    checkBroken('{ "schema": 1, |"references": {} }', /must have a list "references"/);
    checkBroken('{ "schema": 1, "references": [], |"refs": [] }', /unknown key "refs"/);
    const good = '{ "dut": { "file": "a.v", "module": "[x]" }, "golden": { "file": "g.v", "module": "m" } }';
    checkBroken(`{ "schema": 1, "references": [${good}, |7] }`, /entry 2/);
    checkBroken(`{ "schema": 1, "references": [${good}, |{ "dut": { "file": "a.v" } }] }`, /"dut" of entry 2/);
    checkBroken(
      `{ "schema": 1, "references": [|{ "dut": { "file": "a.v", "module": "m" }, "golden": { "file": "", "module": "m" } }] }`,
      /"golden" of entry 1/,
    );
    checkBroken(`{ "schema": 1, "references": [${good},\n |${good}] }`, /two references for the module \[x\]/);
  });
});

describe('bindings', () => {
  const first = binding('/project/a.v:m', '/project/g.v:m');

  it('are found by file and module', () => {
    assert.deepEqual(goldenOf([first], { file: '/project/a.v', module: 'm' }), first.golden);
    assert.equal(goldenOf([first], { file: '/project/b.v', module: 'm' }), undefined);
    assert.equal(goldenOf([first], { file: '/project/a.v', module: 'n' }), undefined);
  });

  it('are replaced, added and removed', () => {
    const other = { file: '/project/h.v', module: 'h' };
    assert.deepEqual(withReference([first], first.dut, other), [{ dut: first.dut, golden: other }]);
    assert.deepEqual(withReference([first], other, first.golden), [first, { dut: other, golden: first.golden }]);
    assert.deepEqual(withReference([first], first.dut, undefined), []);
    assert.deepEqual(withReference([first], other, undefined), [first]);
  });
});

describe('reference file on the disk', () => {
  async function inFolder(task: (folder: string) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'reference-'));
    try {
      await task(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it('is written, read and left alone beside nothing else', () =>
    inFolder(async (folder) => {
      const dut = { file: join(folder, 'rtl', 'a.v'), module: 'm' };
      const golden = { file: join(folder, 'g.v'), module: 'g' };
      assert.deepEqual(await readReferenceFile(folder), { kind: 'valid', bindings: [] });
      await updateReferenceFile(folder, dut, golden);
      assert.deepEqual(await readReferenceFile(folder), { kind: 'valid', bindings: [{ dut, golden }] });
      await updateReferenceFile(folder, dut, undefined);
      assert.deepEqual(await readReferenceFile(folder), { kind: 'valid', bindings: [] });
      assert.deepEqual(await readdir(folder), [referenceFileName]);
    }));

  it('keeps the name of its JSON schema', () =>
    inFolder(async (folder) => {
      const path = join(folder, referenceFileName);
      await writeFile(path, '{ "$schema": "s", "schema": 1, "references": [] }');
      await updateReferenceFile(folder, { file: join(folder, 'a.v'), module: 'm' }, { file: join(folder, 'g.v'), module: 'g' });
      assert.match(await readFile(path, 'utf8'), /^\{\n {2}"\$schema": "s",\n/);
    }));

  it('is not overwritten while it is broken', () =>
    inFolder(async (folder) => {
      const path = join(folder, referenceFileName);
      await writeFile(path, '{ "schema": 1, oops');
      const name = { file: join(folder, 'a.v'), module: 'm' };
      const update = await updateReferenceFile(folder, name, name);
      assert.equal(update.kind, 'broken');
      assert.equal(await readFile(path, 'utf8'), '{ "schema": 1, oops');
    }));
});
