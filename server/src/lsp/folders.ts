import { dirname, relative, sep } from 'node:path';
import { pathOf } from './convert.ts';

export interface Folder {
  /** Absolute path. */
  readonly root: string;
  readonly uri: string;
}

/** The folders of the workspace. */
export class Folders {
  #folders: readonly Folder[] = [];

  get all(): readonly Folder[] {
    return this.#folders;
  }

  set(uris: readonly string[]): void {
    this.#folders = uris.filter((uri) => uri.startsWith('file:')).map((uri) => ({ uri, root: pathOf(uri) }));
  }

  change(added: readonly string[], removed: readonly string[]): void {
    const kept = this.#folders.map(({ uri }) => uri).filter((uri) => !removed.includes(uri));
    this.set([...kept, ...added]);
  }

  /** The innermost folder that holds a file, or undefined. */
  rootOf(file: string): string | undefined {
    const roots = this.#folders.map(({ root }) => root).filter((root) => file.startsWith(root.endsWith(sep) ? root : root + sep));
    return roots.sort((a, b) => b.length - a.length)[0];
  }

  /** Where the references of a file are kept: its workspace folder, or its own directory outside of all folders. */
  referenceRoot(file: string): string {
    return this.rootOf(file) ?? dirname(file);
  }

  /** Path for people: relative to the workspace folder, with forward slashes. */
  display(file: string): string {
    const root = this.rootOf(file);
    return (root === undefined ? file : relative(root, file)).replaceAll('\\', '/');
  }
}
