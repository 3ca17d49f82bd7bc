import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A binary that ships as it is, from a package that nobody has to trust twice: the build refuses it when its content changed. */
export interface Asset {
  readonly package: string;
  readonly version: string;
  readonly licence: string;
  readonly source: string;
  /** Path inside the package. */
  readonly file: string;
  /** Path inside `dist/`. */
  readonly target: string;
  readonly sha256: string;
  readonly purpose: string;
}

const YOSYS = {
  package: '@yowasp/yosys',
  version: '0.55.944',
  licence: 'ISC (ABC and MiniSat inside: Berkeley and MIT)',
  source: 'https://github.com/YoWASP/yosys',
};

export const ASSETS: readonly Asset[] = [
  {
    package: 'web-tree-sitter',
    version: '0.26.13',
    licence: 'MIT',
    source: 'https://github.com/tree-sitter/tree-sitter',
    file: 'web-tree-sitter.wasm',
    target: 'web-tree-sitter.wasm',
    sha256: '99fa2281fc4c6da713ccdadce72e81571b032ab9901b751be2d5aa127c843aaf',
    purpose: 'the incremental parser runtime',
  },
  {
    package: 'tree-sitter-systemverilog',
    version: '0.4.1',
    licence: 'MIT',
    source: 'https://github.com/gmlarumbe/tree-sitter-systemverilog',
    file: 'tree-sitter-systemverilog.wasm',
    target: 'tree-sitter-systemverilog.wasm',
    sha256: '005dfb42ad39dc7d9673c3867f8dc9eeb4b0271c2c172080a23578c1c3532e02',
    purpose: 'the SystemVerilog grammar (tree-sitter ABI 15)',
  },
  ...[
    ['yosys.core.wasm', '88e18d7bc8e6134614d57927a37757a021b46d1ba8c0bc4c0b6f385f391f5a67'],
    ['yosys.core2.wasm', 'f6324e235c0cb5963a943352883711522fe8b6ca2b7118a8fa0794753c62830e'],
    ['yosys.core3.wasm', '48f510d4bdbb3ab13547120e41fa35348ec82fb22eba47a7fe8b905603468745'],
    ['yosys.core4.wasm', 'c87bae35abb0e0cfb68093e0db218050f8ecfbf23c361f19e35266948eb10a59'],
  ].map(([file = '', sha256 = '']) => ({ ...YOSYS, file: `gen/${file}`, target: `yosys/${file}`, sha256, purpose: 'the embedded Yosys' })),
];

/** Writes a file only when its content differs, and then in one step, so that a reader never meets half of it. */
export async function writeIfChanged(path: string, content: Buffer | string): Promise<void> {
  const bytes = Buffer.from(content);
  if (existsSync(path) && (await readFile(path)).equals(bytes)) return;
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, bytes);
  await rename(temporary, path);
}

async function readVerified(root: string, asset: Asset): Promise<Buffer> {
  const folder = join(root, 'node_modules', asset.package);
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  if (version !== asset.version) throw new Error(`${asset.package} is at ${version}, but scripts/assets.ts names ${asset.version}.`);
  const content = await readFile(join(folder, asset.file));
  const sha256 = createHash('sha256').update(content).digest('hex');
  if (sha256 !== asset.sha256) {
    throw new Error(`${asset.package}/${asset.file} has sha256 ${sha256}, expected ${asset.sha256}: reinstall the package, or review the new content and update scripts/assets.ts.`);
  }
  return content;
}

function provenance(): string {
  const rows = ASSETS.map((a) => `| \`${a.target}\` | ${a.purpose} | \`${a.package}\` ${a.version} | ${a.licence} | <${a.source}> | \`${a.sha256}\` |`);
  return [
    '# Where the binaries in this folder come from',
    '',
    'Each is copied unchanged from a published npm package; the build compares its sha256 with the one below and stops on a difference.',
    '',
    '| file | what it is | package | licence | source | sha256 |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** Copies the binaries into `dist`, verified, with `PROVENANCE.md` beside them. */
export async function copyAssets(root: string, dist: string): Promise<void> {
  await Promise.all(ASSETS.map(async (asset) => writeIfChanged(join(dist, asset.target), await readVerified(root, asset))));
  await writeIfChanged(join(dist, 'PROVENANCE.md'), provenance());
}

/** Copies the JavaScript and cell libraries that the embedded Yosys loads beside its WebAssembly, and its licence. */
export async function copyYosysFiles(root: string, dist: string): Promise<void> {
  const from = join(root, 'node_modules', YOSYS.package, 'gen');
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.wasm')).map((entry) => join(entry.parentPath, entry.name).slice(from.length + 1));
  await Promise.all(files.map(async (file) => writeIfChanged(join(dist, 'yosys', file), await readFile(join(from, file)))));
  await writeIfChanged(join(dist, 'yosys/LICENSE.txt'), await readFile(join(root, 'scripts/licences/yosys.txt')));
}
