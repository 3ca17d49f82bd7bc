import type { Diagnostic } from 'vscode-languageserver';

/** Sends all diagnostics of one file; an empty list clears them. */
export type Publish = (file: string, diagnostics: readonly Diagnostic[]) => void;

/**
 * Diagnostics by their owner, such as the syntax of one file or the verification of one module. An owner replaces only its
 * own, in whatever files they are, and a file is published only when its diagnostics changed.
 */
export class DiagnosticsStore {
  readonly #publish: Publish;
  readonly #owners = new Map<string, ReadonlyMap<string, readonly Diagnostic[]>>();
  readonly #published = new Map<string, string>();

  constructor(publish: Publish) {
    this.#publish = publish;
  }

  /** Replaces everything the owner has said, by file. */
  replace(owner: string, byFile: ReadonlyMap<string, readonly Diagnostic[]>): void {
    const before = this.#owners.get(owner);
    if (byFile.size === 0) this.#owners.delete(owner);
    else this.#owners.set(owner, byFile);
    for (const file of new Set([...(before?.keys() ?? []), ...byFile.keys()])) this.#update(file);
  }

  clear(owner: string): void {
    this.replace(owner, new Map());
  }

  /** All diagnostics of a file; the same message at the same place is given once, as its first owner gave it. */
  of(file: string): Diagnostic[] {
    const seen = new Set<string>();
    return [...this.#owners.values()]
      .flatMap((byFile) => byFile.get(file) ?? [])
      .filter((diagnostic) => {
        const key = JSON.stringify([diagnostic.range.start, diagnostic.message]);
        return !seen.has(key) && seen.add(key);
      });
  }

  /** What everybody but one owner says about a file. */
  except(owner: string, file: string): Diagnostic[] {
    return [...this.#owners].flatMap(([name, byFile]) => (name === owner ? [] : (byFile.get(file) ?? [])));
  }

  #update(file: string): void {
    const diagnostics = this.of(file);
    const text = diagnostics.length === 0 ? undefined : JSON.stringify(diagnostics);
    if (this.#published.get(file) === text) return;
    if (text === undefined) this.#published.delete(file);
    else this.#published.set(file, text);
    this.#publish(file, diagnostics);
  }
}
