/** Bundles client, server and command line into `dist/`, and puts the binaries they load beside them. Quick: runs on every `npm install`. */
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyAssets, copyYosysFiles, writeIfChanged } from './assets.ts';
import { thirdPartyLicences } from './licences.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');

/** CommonJS packages inside an ES module bundle call `require`, which ES modules lack. */
const REQUIRE_FOR_ESM = "import { createRequire as createRequireForBundle } from 'node:module';\nconst require = createRequireForBundle(import.meta.url);";

/** An old Node fails somewhere inside a library; this says it in one sentence instead. Runs first and parses on any version. */
const OLDEST_NODE = 22;
const NODE_GUARD = `if (Number(process.versions.node.split('.')[0]) < ${OLDEST_NODE}) {
  process.stderr.write('rtl-copilot needs Node ${OLDEST_NODE} or newer, this is ' + process.versions.node + '; install a newer Node.\\n');
  process.exit(3);
}`;

interface Bundle {
  readonly entry: string;
  readonly output: string;
  readonly format: 'cjs' | 'esm';
  readonly executable?: boolean;
}

const BUNDLES: readonly Bundle[] = [
  { entry: 'client/src/extension.ts', output: 'client.cjs', format: 'cjs' },
  { entry: 'server/src/main.ts', output: 'server.mjs', format: 'esm' },
  { entry: 'server/src/cli.ts', output: 'cli.mjs', format: 'esm', executable: true },
  { entry: 'server/src/mcp.ts', output: 'mcp.mjs', format: 'esm', executable: true },
  { entry: 'server/src/tools/yosys-worker.ts', output: 'yosys-worker.mjs', format: 'esm' },
  { entry: 'server/src/verification/batch/verify-worker.ts', output: 'verify-worker.mjs', format: 'esm' },
];

function options(bundle: Bundle, version: string): BuildOptions & { write: false; metafile: true } {
  return {
    absWorkingDir: ROOT,
    entryPoints: [bundle.entry],
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: bundle.format,
    outfile: join(DIST, bundle.output),
    // `import` comes first so that packages with both forms give the one that bundles well.
    mainFields: ['module', 'main'],
    external: ['vscode'],
    define: { 'process.env.RTL_COPILOT_VERSION': JSON.stringify(version) },
    banner: bundle.format === 'esm' ? { js: [bundle.executable === true ? NODE_GUARD : '', REQUIRE_FOR_ESM].join('\n') } : {},
    // The licences stand in THIRD-PARTY-LICENSES.txt.
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
    metafile: true,
  };
}

async function buildBundle(bundle: Bundle, version: string): Promise<Metafile> {
  const result = await build(options(bundle, version));
  const path = join(DIST, bundle.output);
  const text = result.outputFiles[0]?.text ?? '';
  await writeIfChanged(path, bundle.executable === true && !text.startsWith('#!') ? `#!/usr/bin/env node\n${text}` : text);
  if (bundle.executable === true) await chmod(path, 0o755);
  return result.metafile;
}

async function main(): Promise<void> {
  const started = performance.now();
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const [metafiles] = await Promise.all([Promise.all(BUNDLES.map((bundle) => buildBundle(bundle, version))), copyAssets(ROOT, DIST), copyYosysFiles(ROOT, DIST)]);
  const licences = await thirdPartyLicences(ROOT, metafiles, ['node_modules/web-tree-sitter', 'node_modules/tree-sitter-systemverilog']);
  await writeIfChanged(join(DIST, 'THIRD-PARTY-LICENSES.txt'), licences);
  console.log(`build: ${BUNDLES.map((bundle) => bundle.output).join(', ')} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

await main();
