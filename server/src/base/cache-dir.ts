import os from 'node:os';
import path from 'node:path';

/** Absolute path of the folder for what can be made again at any time: the system's usual place for such files of this user. It need not exist. */
export function cacheDir(platform: NodeJS.Platform = process.platform, variables: Readonly<Record<string, string | undefined>> = process.env, home: string = os.homedir()): string {
  const named = platform === 'win32' ? variables['LOCALAPPDATA'] : variables['XDG_CACHE_HOME'];
  const usual = platform === 'win32' ? ['AppData', 'Local'] : platform === 'darwin' ? ['Library', 'Caches'] : ['.cache'];
  return path.join(named !== undefined && path.isAbsolute(named) ? named : path.join(home, ...usual), 'rtl-copilot');
}
