/** The system the product runs on, as far as installing a program depends on it. */
export interface SystemInfo {
  /** As `process.platform` names it. */
  readonly platform: string;
  /** Text of `/etc/os-release`; empty where there is none. */
  readonly osRelease: string;
}

const linuxCommands: readonly { readonly ids: readonly string[]; readonly command: string }[] = [
  { ids: ['debian', 'ubuntu'], command: 'sudo apt-get install iverilog' },
  { ids: ['fedora', 'rhel', 'centos'], command: 'sudo dnf install iverilog' },
  { ids: ['arch'], command: 'sudo pacman -S iverilog' },
  { ids: ['suse', 'opensuse'], command: 'sudo zypper install iverilog' },
  { ids: ['alpine'], command: 'sudo apk add iverilog' },
  { ids: ['gentoo'], command: 'sudo emerge sci-electronics/iverilog' },
  { ids: ['nixos'], command: 'nix-env -iA nixos.iverilog' },
];

/** The terminal command that installs Icarus Verilog, or undefined when none is known for this system. */
export function simulatorInstallCommand({ platform, osRelease }: SystemInfo): string | undefined {
  switch (platform) {
    case 'darwin':
      return 'brew install icarus-verilog';
    case 'win32':
      return 'choco install iverilog';
    case 'freebsd':
      return 'sudo pkg install iverilog';
    default: {
      const ids = distributionIds(osRelease);
      return linuxCommands.find((entry) => ids.some((id) => entry.ids.some((known) => id === known || id.startsWith(`${known}-`))))?.command;
    }
  }
}

/** The distribution's own id first, then those it derives from. */
function distributionIds(osRelease: string): string[] {
  const value = (key: string): string => new RegExp(`^${key}=["']?([^"'\\n]*)`, 'm').exec(osRelease)?.[1] ?? '';
  return `${value('ID')} ${value('ID_LIKE')}`.split(/\s+/).filter((id) => id !== '');
}
