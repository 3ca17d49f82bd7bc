import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Browser, type Page, chromium } from 'playwright-core';

const exec = promisify(execFile);

/** A loaded machine needs this long to bring up the workbench; seen so far: up to 45 s. */
export const BOOT_TIMEOUT_MS = 120_000;

/** Settings that keep the workbench quiet, and files as the tests wrote them (the web saves by itself otherwise). */
const QUIET_SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off',
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'files.autoSave': 'off',
  'rtlCopilot.lint.tool': 'off',
  'editor.minimap.enabled': false,
  'window.dialogStyle': 'custom',
};

export interface Server {
  readonly port: number;
  readonly logFile: string;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** `server-main.js` of VS Code's server. */
  readonly entry: string;
  /** Folder for everything the server writes. */
  readonly folder: string;
  readonly extensionsDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** The environment without what another VS Code on this machine may have put there. */
function cleanEnvironment(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(VSCODE_.*|PORT)$/.test(name));
  return { ...Object.fromEntries(kept), ...extra };
}

async function writeSettings(userData: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  // The server reads the machine's settings from disk; the user's are kept in the browser and only start from here.
  for (const place of ['Machine', 'User']) {
    await mkdir(join(userData, place), { recursive: true });
    await writeFile(join(userData, place, 'settings.json'), JSON.stringify(settings));
  }
}

async function waitUntilServing(port: number, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + BOOT_TIMEOUT_MS;
  while (performance.now() < deadline) {
    await sleep(100);
    if (child.exitCode !== null) throw new Error(`VS Code's server ended with status ${child.exitCode}`);
    try {
      if ((await fetch(`http://127.0.0.1:${port}/version`)).ok) return;
    } catch {
      // Not listening yet.
    }
  }
  throw new Error("VS Code's server did not answer in time");
}

/** Starts VS Code's server in its own process group. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const port = await freePort();
  const userData = join(options.folder, 'user-data');
  await writeSettings(userData, { ...QUIET_SETTINGS, ...options.settings });
  const args = [
    options.entry, '--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--accept-server-license-terms',
    // Without this flag a built workbench ignores the development extension and the suite in its address.
    '--enable-smoke-test-driver', '--user-data-dir', userData, '--server-data-dir', join(options.folder, 'server-data'),
    '--extensions-dir', options.extensionsDir, '--telemetry-level', 'off', '--disable-workspace-trust',
  ];
  const logFile = join(options.folder, 'server.log');
  const log = createWriteStream(logFile);
  const child = spawn(process.execPath, args, { env: cleanEnvironment(options.env), detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const stop = async (): Promise<void> => {
    if (child.pid === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    process.kill(-child.pid, 'SIGTERM');
    await Promise.race([ended, sleep(3000, undefined, { ref: false })]);
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The whole group is gone already.
    }
  };
  try {
    await waitUntilServing(port, child);
  } catch (error) {
    await stop();
    throw new Error(`${String(error)}\n${await readFile(logFile, 'utf8')}`, { cause: error });
  }
  return { port, logFile, stop };
}

/** Installs a packaged extension the way a user does. */
export async function installExtension(entry: string, vsix: string, folder: string): Promise<string> {
  const extensionsDir = join(folder, 'extensions');
  const scratch = join(folder, 'install');
  const args = [entry, '--install-extension', vsix, '--extensions-dir', extensionsDir, '--user-data-dir', scratch, '--server-data-dir', scratch, '--accept-server-license-terms'];
  await exec(process.execPath, args, { env: cleanEnvironment({}), timeout: BOOT_TIMEOUT_MS });
  return extensionsDir;
}

export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'];
  return chromium.launch({ executablePath, args });
}

/** A fresh copy of a workspace (the tests' own unless another is named), since the tests change it. */
export async function copyWorkspace(folder: string, from = join(import.meta.dirname, 'workspace')): Promise<string> {
  const target = join(await mkdtemp(join(folder, 'workspace-')), basename(from));
  await cp(from, target, { recursive: true });
  return target;
}

/** How the browser names a file on the server's machine. */
export function remoteUri(server: Server, path: string): string {
  return `vscode-remote://localhost:${server.port}${path}`;
}

/** Opens the workbench; `payload` holds what only an address can say, such as the file to open first. */
export async function openWorkbench(page: Page, server: Server, workspace: string, payload: Readonly<Record<string, string>>): Promise<void> {
  const query = new URLSearchParams({ folder: workspace, payload: JSON.stringify(Object.entries({ skipWelcome: 'true', ...payload })) });
  await page.goto(`http://localhost:${server.port}/?${query.toString()}`, { waitUntil: 'commit' });
}
