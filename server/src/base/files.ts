import { constants, openSync, readFileSync, statSync } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { withLineFeeds } from './text.ts';

/** Read access to source files; the editor puts unsaved texts in front of the disk with its own reader. */
export interface FileReader {
  /** The text of a file, or undefined when it cannot be read. */
  read(path: string): Promise<string | undefined>;
  /** Names (not paths) of the regular files of a directory, sorted; empty when it cannot be listed. */
  list(directory: string): Promise<string[]>;
}

/** Offsets count from the first character of the source. */
function sourceText(content: string): string {
  return withLineFeeds(content.replace(/^\uFEFF/, ''));
}

/** Opened like a file, a named pipe that nobody writes blocks a thread for ever, and with it the end of this process. */
function openPipe(path: string): Socket {
  return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false });
}

async function readPath(path: string): Promise<string | undefined> {
  const stats = await stat(path);
  if (stats.isFile()) return readFile(path, 'utf8');
  return stats.isFIFO() ? text(openPipe(path)) : undefined;
}

/**
 * Regular files and pipes, so that a shell's `<(command)` can be read; a device or a socket cannot. A UTF-8 byte order mark is removed.
 */
export const diskFiles: FileReader = {
  async read(path) {
    try {
      const content = await readPath(path);
      return content === undefined ? undefined : sourceText(content);
    } catch {
      return undefined;
    }
  },
  async list(directory) {
    try {
      const entries = await readdir(directory, { withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() || entry.isSymbolicLink())
        .map((entry) => entry.name)
        .sort();
    } catch {
      return [];
    }
  },
};

/** Files held in memory, by absolute path; what they lack is asked from `behind`, if given. */
export function memoryFiles(texts: ReadonlyMap<string, string>, behind?: FileReader): FileReader {
  return {
    async read(path) {
      return texts.get(path) ?? (await behind?.read(path));
    },
    async list(directory) {
      const prefix = directory.endsWith('/') ? directory : `${directory}/`;
      const own = [...texts.keys()].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
      const names = new Set([...own.filter((name) => !name.includes('/')), ...((await behind?.list(directory)) ?? [])]);
      return [...names].sort();
    },
  };
}

/** The text of a regular file of up to so many bytes; undefined for a larger one, and where there is none that can be read. */
export async function readTextUpTo(path: string, mostBytes: number): Promise<string | undefined> {
  try {
    const stats = await stat(path);
    return stats.isFile() && stats.size <= mostBytes ? sourceText(await readFile(path, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a regular file without its byte order mark, or undefined when there is none that can be read. Blocks, but never on a pipe. */
export function readTextSync(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? sourceText(readFileSync(path, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}
