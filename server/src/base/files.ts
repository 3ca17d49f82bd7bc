import { readFile, readdir } from 'node:fs/promises';

/** Read access to source files; the editor puts unsaved texts in front of the disk with its own reader. */
export interface FileReader {
  /** The text of a file, or undefined when it cannot be read. */
  read(path: string): Promise<string | undefined>;
  /** Names (not paths) of the regular files of a directory, sorted; empty when it cannot be listed. */
  list(directory: string): Promise<string[]>;
}

/** A UTF-8 byte order mark is removed, since offsets count from the first character of the source. */
export const diskFiles: FileReader = {
  async read(path) {
    try {
      return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
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
