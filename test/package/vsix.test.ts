import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { packageExtension, packageProblems } from '../../scripts/package.ts';
import { runStep } from '../../scripts/steps.ts';
import { readZip } from '../../scripts/zip.ts';

const GOLDEN = 'module golden(input [3:0] a, output y);\n  assign y = ^a;\nendmodule\n';
const EQUAL = 'module dut(input [3:0] a, output y);\n  assign y = a[3] ^ a[2] ^ a[1] ^ a[0];\nendmodule\n';
const BROKEN = 'module dut(input [3:0] a, output y);\n  assign y = |a;\nendmodule\n';

describe('the package for the editor', () => {
  let folder = '';
  let extension = '';
  let vsix = Buffer.alloc(0);

  before(async () => {
    // Outside the repository, so that nothing resolves to its node_modules.
    folder = await mkdtemp(join(tmpdir(), 'rtl-copilot-vsix-'));
    vsix = await readFile(await packageExtension(join(folder, 'extension.vsix')));
    for (const [path, content] of readZip(vsix)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    extension = join(folder, 'extension');
    await writeFile(join(folder, 'golden.v'), GOLDEN);
    await writeFile(join(folder, 'equal.v'), EQUAL);
    await writeFile(join(folder, 'broken.v'), BROKEN);
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const cli = async (...args: string[]): Promise<{ exitCode: number; output: string }> =>
    runStep([process.execPath, join(extension, 'dist/cli.mjs'), ...args], { cwd: folder, limitMinutes: 2 });

  test('it is fit to publish', () => {
    assert.deepEqual(packageProblems(vsix), []);
  });

  test('its bundles need nothing but Node and the editor', async () => {
    for (const name of ['client.cjs', 'server.mjs', 'cli.mjs', 'mcp.mjs', 'yosys-worker.mjs', 'verify-worker.mjs']) {
      const { metafile } = await build({
        entryPoints: [join(extension, 'dist', name)], bundle: true, packages: 'external', platform: 'node', format: 'esm', write: false, metafile: true, outdir: folder, logLevel: 'error',
      });
      const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map((one) => one.path));
      assert.ok(imports.length > 0, name);
      const allowed = (path: string): boolean => isBuiltin(path) || (name === 'client.cjs' && path === 'vscode');
      assert.deepEqual(imports.filter((path) => !allowed(path)), [], name);
    }
  });

  test('its command line is executable and finds its parser', async () => {
    assert.match((await readFile(join(extension, 'dist/cli.mjs'), 'utf8')).slice(0, 20), /^#!\/usr\/bin\/env node\n/);
    const clean = await cli('check', 'golden.v');
    assert.equal(clean.exitCode, 0, clean.output);
    await writeFile(join(folder, 'wrong.v'), 'module m(output y);\n  assign y = 1\nendmodule\n');
    const wrong = await cli('check', 'wrong.v');
    assert.equal(wrong.exitCode, 1, wrong.output);
    assert.match(wrong.output, /wrong\.v:2:/);
  });

  test('its embedded engine proves and refutes', async () => {
    const equal = await cli('verify', '--dut', 'equal.v', '--golden', 'golden.v', '--engine', 'yosys-wasm', '--json');
    assert.equal(equal.exitCode, 0, equal.output);
    const result = JSON.parse(equal.output) as { verdict: string; engines: { name: string }[] };
    assert.equal(result.verdict, 'equivalent');
    assert.deepEqual(result.engines.map((engine) => engine.name), ['yosys-wasm']);
    const broken = await cli('verify', '--dut', 'broken.v', '--golden', 'golden.v', '--engine', 'yosys-wasm');
    assert.equal(broken.exitCode, 1, broken.output);
  });
});

describe('the check of a package', () => {
  const problems = (files: Record<string, string>): string[] => packageProblems(storedZip(files));

  test('names every missing file, the manifest\'s own too', () => {
    const found = problems({ 'extension/package.json': JSON.stringify({ main: './dist/client.cjs', icon: './media/none.png' }) });
    assert.ok(found.includes('dist/client.cjs is missing.') && found.includes('media/none.png is missing.') && found.includes('dist/web-tree-sitter.wasm is missing.'));
  });

  test('names files that do not belong', () => {
    for (const path of ['node_modules/a/index.js', 'server/src/cli.ts', 'test/a.js', 'dist/client.cjs.123.tmp', '.env', 'dist/yosys/share/a.sh']) {
      assert.ok(problems({ [`extension/${path}`]: '' }).includes(`${path} does not belong into the package.`), path);
    }
    assert.ok(!problems({ 'extension/dist/cli.mjs': '' }).some((problem) => problem.includes('belong')));
  });

  test('a file that is no zip is an error', () => {
    assert.throws(() => packageProblems(Buffer.from('text')), /no zip file/);
  });
});

/** A zip archive without compression and without checksums, as far as the reader looks. */
function storedZip(files: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, data] = [Buffer.from(path), Buffer.from(text)];
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(offset, 42);
    parts.push(local, name, data);
    directory.push(central, name);
    offset += local.length + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
