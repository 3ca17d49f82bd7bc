import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureInstalled, npmInstall } from '../cached-install.ts';

const CODE_SERVER_VERSION = '4.139.1';

/** Dependencies of VS Code's server that need a compiler, an apt library or hundreds of megabytes, and that neither the workbench nor the extension host load. */
const UNNEEDED_DEPENDENCIES = [
  '@devcontainers/cli', '@github/copilot-sdk', '@microsoft/mxc-sdk', '@vscode/copilot-api', '@vscode/sandbox-runtime', '@vscode/sqlite3',
  '@vscode/windows-process-tree', '@vscode/windows-registry', 'kerberos', 'ssh2',
];
const UNNEEDED_EXTENSIONS = ['copilot', 'mermaid-markdown-features', 'microsoft-authentication'];

async function install(folder: string): Promise<void> {
  await npmInstall(folder, [`code-server@${CODE_SERVER_VERSION}`]);
  const vscode = join(folder, 'node_modules/code-server/lib/vscode');
  const manifestPath = join(vscode, 'package.json');
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as { dependencies: Record<string, string> };
  manifest.dependencies = Object.fromEntries(Object.entries(manifest.dependencies).filter(([name]) => !UNNEEDED_DEPENDENCIES.includes(name)));
  await writeFile(manifestPath, JSON.stringify(manifest, undefined, 1));
  await npmInstall(vscode, ['--omit=dev']);
  for (const extension of UNNEEDED_EXTENSIONS) await rm(join(vscode, 'extensions', extension), { recursive: true, force: true });
}

/** Gives the path of VS Code's own server entry (`server-main.js`) from the npm package `code-server`. */
export function ensureVsCodeServer(): Promise<string> {
  return ensureInstalled({ title: "VS Code's server", folder: `code-server-${CODE_SERVER_VERSION}`, entry: 'node_modules/code-server/lib/vscode/out/server-main.js', install });
}

if (import.meta.main) console.log(await ensureVsCodeServer());
