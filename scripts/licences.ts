import type { Metafile } from 'esbuild';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The package folder (`node_modules/@scope/name`, nested ones too) that a bundled file belongs to. */
function packageFolder(input: string): string | undefined {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
}

async function licenceOf(root: string, folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as { name: string; version: string; license?: string };
  const file = (await readdir(join(root, folder))).find((name) => /^licen[cs]e(\.\w+)?$/i.test(name));
  if (file === undefined && manifest.license === undefined) throw new Error(`${manifest.name} states no licence and must not be bundled.`);
  const text = file === undefined ? `(the package carries no licence text)` : (await readFile(join(root, folder, file), 'utf8')).trim();
  return `${manifest.name} ${manifest.version}: ${manifest.license ?? 'see below'}\n\n${text}\n`;
}

/** The licence texts of every package that went into the bundles, sorted by name, plus those of `folders` that ship beside them. */
export async function thirdPartyLicences(root: string, bundles: readonly Metafile[], folders: readonly string[]): Promise<string> {
  const bundled = bundles.flatMap((bundle) => Object.keys(bundle.inputs)).map(packageFolder);
  const unique = new Set([...bundled, ...folders].filter((folder) => folder !== undefined));
  const texts = await Promise.all([...unique].map((folder) => licenceOf(root, folder)));
  return ['RTL Copilot ships with the software below, under the licences stated. The embedded Yosys has its own file: yosys/LICENSE.txt.\n', ...texts.sort()].join(
    `\n${'-'.repeat(78)}\n`,
  );
}
