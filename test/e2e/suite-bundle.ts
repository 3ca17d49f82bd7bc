import { build } from 'esbuild';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Bundles the mocha suite to CommonJS, as the extension host wants it, and gives the path of its entry. The files lie inside `node_modules`
 * so that they find mocha.
 */
export async function bundleSuite(): Promise<string> {
  const root = join(import.meta.dirname, '../..');
  const suite = join(import.meta.dirname, 'suite');
  const cache = join(root, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const outdir = await mkdtemp(join(cache, 'rtl-copilot-suite-'));
  const tests = (await readdir(suite)).filter((name) => name.endsWith('.test.ts'));
  await build({
    entryPoints: ['index.ts', ...tests].map((name) => join(suite, name)),
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return join(outdir, 'index.cjs');
}
