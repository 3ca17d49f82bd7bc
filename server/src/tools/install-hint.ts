import { readFileSync } from 'node:fs';

export type InstallableTool = 'iverilog' | 'yosys' | 'verilator' | 'c++' | 'bubblewrap';

export interface SystemFacts {
  readonly platform: NodeJS.Platform;
  /** Content of `/etc/os-release`; empty where there is none. */
  readonly osRelease: string;
}

/** Families in the words of os-release's ID and ID_LIKE. */
const linuxCommands: readonly (readonly [families: readonly string[], command: string])[] = [
  [['debian', 'ubuntu'], 'sudo apt-get install'],
  [['fedora', 'rhel', 'centos'], 'sudo dnf install'],
  [['arch'], 'sudo pacman -S'],
  [['suse', 'opensuse'], 'sudo zypper install'],
  [['alpine'], 'sudo apk add'],
  [['gentoo'], 'sudo emerge'],
  [['nixos'], 'nix-shell -p'],
];

/** Names of packages that are not those of the tool, by the command. */
const packageNames: Readonly<Record<string, Partial<Record<InstallableTool, string>>>> = {
  'sudo apt-get install': { 'c++': 'g++' },
  'sudo dnf install': { 'c++': 'gcc-c++' },
  'sudo pacman -S': { 'c++': 'gcc' },
  'sudo zypper install': { 'c++': 'gcc-c++' },
  'sudo apk add': { 'c++': 'g++' },
  'sudo emerge': { 'c++': 'sys-devel/gcc', bubblewrap: 'sys-apps/bubblewrap' },
  'nix-shell -p': { iverilog: 'verilog', 'c++': 'gcc' },
};

export function thisSystem(): SystemFacts {
  let osRelease = '';
  try {
    osRelease = readFileSync('/etc/os-release', 'utf8');
  } catch {
    // Only Linux has the file, and not every Linux.
  }
  return { platform: process.platform, osRelease };
}

function families(osRelease: string): Set<string> {
  const words = new Set<string>();
  for (const match of osRelease.matchAll(/^(?:ID|ID_LIKE)=["']?([^"'\n]*)/gm)) {
    for (const word of (match[1] ?? '').split(/\s+/)) {
      words.add(word.toLowerCase());
      // openSUSE writes `opensuse-leap` and `opensuse-tumbleweed`.
      words.add(word.toLowerCase().split('-')[0] ?? '');
    }
  }
  return words;
}

/** The command that installs a tool on such a system, or undefined when none is known. */
export function installCommand(tool: InstallableTool, system: SystemFacts): string | undefined {
  if (system.platform === 'darwin') return tool === 'c++' ? 'xcode-select --install' : `brew install ${tool === 'iverilog' ? 'icarus-verilog' : tool}`;
  if (system.platform === 'win32') return tool === 'iverilog' ? 'winget install --id Icarus.Verilog --exact' : undefined;
  const words = families(system.osRelease);
  const command = linuxCommands.find(([names]) => names.some((name) => words.has(name)))?.[1];
  if (command === undefined) return undefined;
  return `${command} ${packageNames[command]?.[tool] ?? tool}`;
}

/** What to do to get a tool, as a clause that follows `To get it, `. */
export function installAdvice(tool: InstallableTool, system: SystemFacts): string {
  const command = installCommand(tool, system);
  if (command !== undefined) return `run "${command}"`;
  if (tool === 'c++') return 'install GCC or Clang and put it on PATH';
  if (tool === 'bubblewrap') return 'install bubblewrap and put bwrap on PATH';
  return 'install the OSS CAD Suite from https://github.com/YosysHQ/oss-cad-suite-build and put its bin folder on PATH';
}
