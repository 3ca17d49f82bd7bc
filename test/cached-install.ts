import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const exec = promisify(execFile);

const NPM_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
const INSTALL_TIMEOUT_MS = 10 * 60_000;

function cacheFolder(): string {
  return process.env['RTL_COPILOT_E2E_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'rtl-copilot-e2e');
}

export async function npmInstall(cwd: string, args: readonly string[]): Promise<void> {
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

export interface CachedInstall {
  /** What a person calls it. */
  readonly title: string;
  /** Name of its folder in the cache, with its version. */
  readonly folder: string;
  /** A file that a whole install has, relative to the folder. */
  readonly entry: string;
  /** Fills an empty folder that is an npm project. */
  readonly install: (folder: string) => Promise<void>;
}

/**
 * Gives the path of an entry of something that only tests use, and that is too large for the dependencies, installing it into a cache outside of the repository first when it isn't there.
 * An install becomes visible under its final name only when it is whole.
 */
export async function ensureInstalled({ title, folder, entry, install }: CachedInstall): Promise<string> {
  const cache = cacheFolder();
  const target = join(cache, folder);
  const file = join(target, entry);
  if (existsSync(file)) return file;
  await mkdir(cache, { recursive: true });
  await removeAbandoned(cache);
  const partial = `${target}.partial-${process.pid}`;
  console.log(`installing ${title} into ${target}`);
  const started = performance.now();
  try {
    await mkdir(partial, { recursive: true });
    await writeFile(join(partial, 'package.json'), '{ "name": "tested-with", "private": true }\n');
    await install(partial);
    await rename(partial, target).catch((error: unknown) => {
      // Another process finished first: its install is as good as ours.
      if (!existsSync(file)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  if (!existsSync(file)) throw new Error(`${title} was installed, but ${file} is missing.`);
  console.log(`${title} installed in ${Math.round((performance.now() - started) / 1000)} s`);
  return file;
}
