/** Makes the VS Code package `rtl-copilot-<version>.vsix` and refuses one that lacks a needed file, carries a foreign one, or grew too large. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runStep } from './steps.ts';
import { readZip } from './zip.ts';

const ROOT = join(import.meta.dirname, '..');
const MAX_BYTES = 20 * 2 ** 20;

const REQUIRED = [
  'package.json', 'readme.md', 'LICENSE.txt', 'dist/client.cjs', 'dist/server.mjs', 'dist/cli.mjs', 'dist/mcp.mjs', 'dist/yosys-worker.mjs', 'dist/verify-worker.mjs', 'dist/web-tree-sitter.wasm',
  'dist/tree-sitter-systemverilog.wasm', 'dist/PROVENANCE.md', 'dist/THIRD-PARTY-LICENSES.txt', 'dist/yosys/bundle.js', 'dist/yosys/resources-yosys.js',
  'dist/yosys/yosys.core.wasm', 'dist/yosys/LICENSE.txt', 'media/reasoning.js', 'media/reasoning.css', 'docs/rules.md', 'docs/rules/inferred-latch.md',
];
const ALLOWED = [
  /^package\.json$/, /^readme\.md$/, /^changelog\.md$/, /^LICENSE\.txt$/, /^dist\/[\w-]+\.(cjs|mjs|wasm|md|txt)$/,
  /^dist\/yosys\/(share\/.*\.v|[\w.-]+\.(js|wasm|txt))$/, /^syntaxes\/[\w.-]+\.json$/, /^docs\/rules(\/[\w-]+)?\.md$/, /^media\/[\w./-]+\.(png|svg|json|md|v|sv|js|css)$/,
];

/** Files of the extension that its manifest names by a relative path, such as grammars, icons and schemas. */
function namedFiles(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('./') ? [value.slice(2)] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namedFiles) : [];
}

/** What is wrong with a package, one sentence each; empty when it is fit to publish. */
export function packageProblems(vsix: Buffer): string[] {
  const paths = [...readZip(vsix).keys()].filter((path) => path.startsWith('extension/')).map((path) => path.slice('extension/'.length));
  const manifest = readZip(vsix).get('extension/package.json');
  const named = manifest === undefined ? [] : namedFiles(JSON.parse(manifest.toString('utf8')));
  const missing = [...new Set([...REQUIRED, ...named])].filter((path) => !paths.includes(path));
  const foreign = paths.filter((path) => !ALLOWED.some((pattern) => pattern.test(path)));
  const tooLarge = vsix.length > MAX_BYTES ? [`The package has ${vsix.length} bytes, more than ${MAX_BYTES}.`] : [];
  return [...missing.map((path) => `${path} is missing.`), ...foreign.map((path) => `${path} does not belong into the package.`), ...tooLarge];
}

/** Builds the bundles and packs them; gives the path of the package. Throws when the package is not fit. */
export async function packageExtension(output?: string): Promise<string> {
  const { name, version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { name: string; version: string };
  const path = output ?? join(ROOT, `${name}-${version}.vsix`);
  await rm(path, { force: true });
  const vsce = join(ROOT, 'node_modules/@vscode/vsce/vsce');
  const pack = [process.execPath, vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', path];
  for (const command of [[process.execPath, 'scripts/build.ts'], pack]) {
    const outcome = await runStep(command, { cwd: ROOT, limitMinutes: 3 });
    if (outcome.exitCode !== 0) throw new Error(`${command.slice(1, 3).join(' ')} failed:\n${outcome.output}`);
  }
  const vsix = await readFile(path);
  const problems = packageProblems(vsix);
  if (problems.length > 0) throw new Error(`${path} is not fit to publish:\n${problems.join('\n')}`);
  console.log(`${path}: ${readZip(vsix).size} files, ${(vsix.length / 2 ** 20).toFixed(1)} MiB`);
  return path;
}

if (import.meta.main) {
  try {
    await packageExtension();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
