import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runStep } from './steps.ts';

/** Programs that the tests run, and the Debian package that brings each. */
const NEEDED = [
  { programs: ['iverilog', 'vvp'], package: 'iverilog' },
  { programs: ['yosys', 'yosys-abc'], package: 'yosys' },
  { programs: ['chromium'], package: 'chromium' },
] as const;

function onPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)));
}

function missingPackages(skipped: readonly string[]): string[] {
  return NEEDED.filter((tool) => !skipped.includes(tool.package) && !tool.programs.every(onPath)).map((tool) => tool.package);
}

async function aptGet(args: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const command = ['apt-get', '-q', '-y', '--no-install-recommends', ...args];
    const outcome = await runStep(command, { cwd: '/', limitMinutes: 10, env: { DEBIAN_FRONTEND: 'noninteractive' } });
    if (outcome.exitCode === 0) return;
    if (attempt === 3) throw new Error(`${command.join(' ')} failed:\n${outcome.output.slice(-2000)}`);
  }
}

/**
 * Makes sure the programs that the tests need are there: installs them on a Debian-like system when run as root.
 * Throws with the names of the packages otherwise; a test never passes because its tool is missing.
 */
export async function ensureSystemTools(options: { browser: boolean }): Promise<void> {
  const skipped = options.browser ? [] : ['chromium'];
  const missing = missingPackages(skipped);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(`The tests need ${missing.join(', ')}: install them, for example with "sudo apt-get install ${missing.join(' ')}".`);
  }
  console.log(`installing ${missing.join(', ')}`);
  await aptGet(['update']);
  await aptGet(['install', ...missing]);
  const still = missingPackages(skipped);
  if (still.length > 0) throw new Error(`${still.join(', ')} cannot be found although apt-get installed it.`);
}
