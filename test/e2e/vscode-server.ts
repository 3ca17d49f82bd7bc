import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const exec = promisify(execFile);

const CODE_SERVER_VERSION = '4.139.1';

/** Dependencies of VS Code's server that need a compiler, an apt library or hundreds of megabytes, and that neither the workbench nor the extension host load. */
const UNNEEDED_DEPENDENCIES = [
  '@devcontainers/cli', '@github/copilot-sdk', '@microsoft/mxc-sdk', '@vscode/copilot-api', '@vscode/sandbox-runtime', '@vscode/sqlite3',
  '@vscode/windows-process-tree', '@vscode/windows-registry', 'kerberos', 'ssh2',
];
const UNNEEDED_EXTENSIONS = ['copilot', 'mermaid-markdown-features', 'microsoft-authentication'];

const NPM_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
const INSTALL_TIMEOUT_MS = 10 * 60_000;

function cacheFolder(): string {
  return process.env['RTL_COPILOT_E2E_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'rtl-copilot-e2e');
}

async function npmInstall(cwd: string, args: readonly string[]): Promise<void> {
  // The registry sometimes drops a connection; npm keeps what it has in its own cache, so a second try is cheap.
  for (let attempt = 1; ; attempt += 1) {
    try {
      await exec('npm', ['install', ...NPM_FLAGS, ...args], { cwd, timeout: INSTALL_TIMEOUT_MS, maxBuffer: 64 << 20 });
      return;
    } catch (error) {
      if (attempt === 3) throw error;
      console.log(`npm install failed in ${cwd}, trying again`);
    }
  }
}

async function installInto(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "name": "vscode-under-test", "private": true }\n');
  await npmInstall(folder, [`code-server@${CODE_SERVER_VERSION}`]);
  const vscode = join(folder, 'node_modules/code-server/lib/vscode');
  const manifestPath = join(vscode, 'package.json');
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as { dependencies: Record<string, string> };
  manifest.dependencies = Object.fromEntries(Object.entries(manifest.dependencies).filter(([name]) => !UNNEEDED_DEPENDENCIES.includes(name)));
  await writeFile(manifestPath, JSON.stringify(manifest, undefined, 1));
  await npmInstall(vscode, ['--omit=dev']);
  for (const extension of UNNEEDED_EXTENSIONS) await rm(join(vscode, 'extensions', extension), { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Removes what installs that were interrupted left behind; a name ends in the pid of the process that worked there. */
async function removeAbandoned(cache: string): Promise<void> {
  for (const entry of await readdir(cache)) {
    const pid = /\.partial-(\d+)$/.exec(entry)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(cache, entry), { recursive: true, force: true });
  }
}

/**
 * Gives the path of VS Code's own server entry (`server-main.js`) from the npm package `code-server`, installing it into the cache
 * first when it isn't there. An install becomes visible under its final name only when it is whole.
 */
export async function ensureVsCodeServer(): Promise<string> {
  const cache = cacheFolder();
  const folder = join(cache, `code-server-${CODE_SERVER_VERSION}`);
  const entry = join(folder, 'node_modules/code-server/lib/vscode/out/server-main.js');
  if (existsSync(entry)) return entry;
  await mkdir(cache, { recursive: true });
  await removeAbandoned(cache);
  const partial = `${folder}.partial-${process.pid}`;
  console.log(`installing VS Code's server (code-server ${CODE_SERVER_VERSION}) into ${folder}`);
  const started = performance.now();
  try {
    await installInto(partial);
    await rename(partial, folder).catch((error: unknown) => {
      // Another process finished first: its install is as good as ours.
      if (!existsSync(entry)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  if (!existsSync(entry)) throw new Error(`code-server ${CODE_SERVER_VERSION} was installed, but ${entry} is missing.`);
  console.log(`VS Code's server installed in ${Math.round((performance.now() - started) / 1000)} s`);
  return entry;
}

if (import.meta.main) console.log(await ensureVsCodeServer());
