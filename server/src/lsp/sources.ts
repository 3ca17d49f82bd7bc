import { createHash } from 'node:crypto';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { diskFiles, readTextSync } from '../base/files.ts';
import type { FileReader } from '../base/files.ts';
import { PlacedText, pathOf, uriOf } from './convert.ts';
import type { Texts } from './convert.ts';

/** Texts as the user sees them: the open documents stand in front of the disk. */
export class Sources implements Texts {
  readonly #documents = new Map<string, TextDocument>();
  /** Texts from the disk; undefined for a file that cannot be read. */
  readonly #disk = new Map<string, PlacedText | undefined>();
  readonly #open = new Map<string, { readonly version: number; readonly text: PlacedText }>();
  readonly #hashes = new WeakMap<PlacedText, string>();

  /** For verifications: unsaved texts, then the disk as it is now. */
  readonly files: FileReader = {
    read: async (path) => this.unsaved(path) ?? (await diskFiles.read(path)),
    list: (directory) => diskFiles.list(directory),
  };

  /** Grows when a file may have another text than before, but not with the versions of open documents. */
  revision = 0;

  /** Differs when a file may have another text than before. */
  stamp(): string {
    return this.stampWithout(undefined);
  }

  /** Differs when another file than this one may have another text than before. */
  stampWithout(file: string | undefined): string {
    const others = [...this.#documents].flatMap(([path, { uri, version }]) => (path === file ? [] : [`${uri} ${version}`]));
    return [this.revision, ...others].join('\n');
  }

  document(file: string): TextDocument | undefined {
    return this.#documents.get(file);
  }

  get documents(): readonly TextDocument[] {
    return [...this.#documents.values()];
  }

  open(document: TextDocument): void {
    const file = pathOf(document.uri);
    this.revision++;
    this.#documents.set(file, document);
    this.#open.delete(file);
  }

  close(file: string): void {
    this.#documents.delete(file);
    this.#open.delete(file);
    this.forget(file);
  }

  /** Forgets what was read of a file that changed on the disk. */
  forget(file: string): void {
    this.revision++;
    this.#disk.delete(file);
  }

  /** The text of an open document. */
  unsaved(file: string): string | undefined {
    return this.document(file) && this.find(file)?.text;
  }

  find(file: string): PlacedText | undefined {
    const document = this.document(file);
    if (!document) return this.#fromDisk(file);
    const known = this.#open.get(file);
    if (known?.version === document.version) return known.text;
    const text = new PlacedText(document.getText());
    this.#open.set(file, { version: document.version, text });
    return text;
  }

  /** As `find`, without keeping what is read. */
  glance(file: string): string | undefined {
    if (this.document(file) || this.#disk.has(file)) return this.find(file)?.text;
    return readText(file)?.text;
  }

  textOf(file: string): PlacedText {
    return this.find(file) ?? new PlacedText('');
  }

  uriOf(file: string): string {
    return this.document(file)?.uri ?? uriOf(file);
  }

  /** Equal for equal texts; undefined for a file that does not exist. */
  hash(file: string): string | undefined {
    const text = this.find(file);
    if (!text) return undefined;
    const hash = this.#hashes.get(text) ?? createHash('sha1').update(text.text).digest('base64');
    this.#hashes.set(text, hash);
    return hash;
  }

  #fromDisk(file: string): PlacedText | undefined {
    if (!this.#disk.has(file)) this.#disk.set(file, readText(file));
    return this.#disk.get(file);
  }
}

function readText(file: string): PlacedText | undefined {
  const text = readTextSync(file);
  return text === undefined ? undefined : new PlacedText(text);
}
