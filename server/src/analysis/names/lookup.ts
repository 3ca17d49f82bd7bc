import { distanceBetween } from '../library.ts';
import type { DeclarationRef } from './declaration-ref.ts';
import type { DeclarationKind, FileNames, Import } from './model.ts';
import type { NameLookup } from './resolve.ts';

const UNITS: ReadonlySet<DeclarationKind> = new Set(['module', 'interface', 'program', 'package', 'primitive', 'checker', 'config', 'class']);

/** Where other files are found: those that declare a name outermost, and their models. */
export interface NameFiles {
  /** Absolute paths of the files that declare the name outside of everything, or as a design unit. */
  filesDeclaring(name: string): readonly string[];
  /** Absolute paths of the files that import packages outside of everything. */
  filesImporting(): readonly string[];
  /** Undefined for a file that can't be read. */
  namesOf(file: string): FileNames | undefined;
}

/** Looks names up in other files, which is right until one of them changes; among equal names the nearest file wins: the fewest folders away, then the first by path. */
export class NearestFiles implements NameLookup {
  readonly #files: NameFiles;
  #imported: readonly Import[] | undefined;

  constructor(files: NameFiles) {
    this.#files = files;
  }

  units(name: string, from: string): readonly DeclarationRef[] {
    return this.#find(name, from, (kind) => UNITS.has(kind));
  }

  outer(name: string, from: string): readonly DeclarationRef[] {
    return this.#find(name, from, (kind) => !UNITS.has(kind) || kind === 'class').filter(({ names }) => names.file !== from);
  }

  imported(): readonly Import[] {
    if (!this.#imported) {
      const imports = this.#files.filesImporting().flatMap((file) => this.#files.namesOf(file)?.scopes[0]?.imports ?? []);
      this.#imported = [...new Map(imports.map((entry) => [`${entry.package}::${entry.name ?? '*'}`, entry])).values()];
    }
    return this.#imported;
  }

  #find(name: string, from: string, fits: (kind: DeclarationKind) => boolean): DeclarationRef[] {
    const files = this.#files.filesDeclaring(name).toSorted((a, b) => distanceBetween(from, a) - distanceBetween(from, b) || (a < b ? -1 : 1));
    return files.flatMap((file) => {
      const names = this.#files.namesOf(file);
      const found = names?.scopes[0]?.names.get(name) ?? [];
      return found.flatMap((index) => (names && fits(names.declarations[index]?.kind ?? 'net') ? [{ names, index }] : []));
    });
  }
}
