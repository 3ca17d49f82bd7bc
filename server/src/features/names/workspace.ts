import type { FunctionItem } from '../../analysis/items.ts';
import { declarationOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import { NearestFiles } from '../../analysis/names/lookup.ts';
import { NameResolver } from '../../analysis/names/resolve.ts';
import { readSource } from '../../analysis/names/source.ts';
import type { NamedSource } from '../../analysis/names/source.ts';
import type { Conditions } from '../../syntax/conditionals.ts';
import type { PreprocessOptions } from '../../syntax/preprocessed.ts';
import { outlineSymbols } from '../outline.ts';
import type { OutlineSymbol } from '../outline.ts';
import type { NameSnapshot } from './snapshot.ts';

/** Where a snapshot gets its files from; everything stays the same as long as the snapshot is used. */
export interface NameFilesEnv {
  /** Absolute paths of all known files. */
  readonly files: readonly string[];
  readonly complete: boolean;
  /** Undefined for a file that can't be read. */
  text(file: string): string | undefined;
  options(file: string): Omit<PreprocessOptions, 'readFile'>;
  /** A model of the text as it is, perhaps an old one; undefined for a file that can't be read. */
  source(file: string): NamedSource | undefined;
  symbols(file: string): readonly OutlineSymbol[];
  /** Absolute paths of the files that a file includes, directly or through others. */
  includes(file: string): readonly string[];
  /** The function that a piece of preprocessed text declares. */
  readFunction(text: string): FunctionItem | undefined;
  isOwn(file: string): boolean;
}

export class NameWorkspace implements NameSnapshot {
  readonly resolver: NameResolver;
  readonly #env: NameFilesEnv;
  readonly #overlay: ReadonlyMap<string, string>;
  readonly #assumed: Conditions;
  /** Files in which a conditional may test an assumed macro, with those that include them. */
  readonly #conditional: ReadonlySet<string>;
  readonly #sources = new Map<string, NamedSource | undefined>();
  readonly #mentions = new Map<string, readonly string[]>();
  readonly #lookup: NearestFiles;
  #declaring: Map<string, string[]> | undefined;
  #importing: readonly string[] | undefined;
  #includers: Map<string, string[]> | undefined;

  constructor(env: NameFilesEnv, overlay: ReadonlyMap<string, string> = new Map(), assumed: Conditions = new Map(), conditional: ReadonlySet<string> = new Set()) {
    this.#env = env;
    this.#overlay = overlay;
    this.#assumed = assumed;
    this.#conditional = conditional;
    this.#lookup = new NearestFiles({ filesDeclaring: (name) => this.#filesDeclaring(name), filesImporting: () => this.#filesImporting(), namesOf: (file) => this.source(file)?.names });
    this.resolver = new NameResolver(this.#lookup);
  }

  get complete(): boolean {
    return this.#env.complete;
  }

  isOwn(file: string): boolean {
    return this.#env.isOwn(file);
  }

  source(file: string): NamedSource | undefined {
    if (this.#sources.has(file)) return this.#sources.get(file);
    const source = this.#isChanged(file) ? this.#read(file) : this.#env.source(file);
    this.#sources.set(file, source);
    return source;
  }

  with(texts: ReadonlyMap<string, string>): NameSnapshot {
    return new NameWorkspace(this.#env, new Map([...this.#overlay, ...texts]), this.#assumed, this.#conditional);
  }

  assuming(conditions: Conditions): NameSnapshot {
    const concerned = [...conditions.keys()].flatMap((macro) => this.filesMentioning(macro, ''));
    return new NameWorkspace(this.#env, this.#overlay, new Map([...this.#assumed, ...conditions]), new Set([...this.#conditional, ...concerned]));
  }

  functionItem(ref: DeclarationRef): FunctionItem | undefined {
    const { kind, extent } = declarationOf(ref);
    const source = kind === 'function' ? this.source(ref.names.file) : undefined;
    return source?.names === ref.names ? this.#env.readFunction(source.preprocessed.text.slice(extent.start, extent.end)) : undefined;
  }

  unitsNamed(name: string): readonly DeclarationRef[] {
    return this.#lookup.units(name, '');
  }

  filesMentioning(word: string, from: string): readonly string[] {
    const known = this.#mentions.get(word) ?? this.#search(word);
    this.#mentions.set(word, known);
    return [...new Set([from, ...known])];
  }

  /** Does the search of `filesMentioning` beforehand and in parts, between which `pause` is awaited. */
  async search(word: string, pause: () => Promise<void>): Promise<void> {
    if (this.#mentions.has(word)) return;
    const found: string[] = [];
    for (const [at, file] of this.#env.files.entries()) {
      if (this.#mentionsWord(file, word)) found.push(file);
      if (at % 20 === 19) await pause();
    }
    this.#mentions.set(word, this.#withIncluders(found));
  }

  includers(file: string): readonly string[] {
    if (!this.#includers) {
      this.#includers = new Map();
      for (const user of this.#env.files) {
        for (const included of this.#env.includes(user)) {
          const users = this.#includers.get(included);
          if (users) users.push(user);
          else this.#includers.set(included, [user]);
        }
      }
    }
    return this.#includers.get(file) ?? [];
  }

  *symbols(): Iterable<OutlineSymbol> {
    for (const file of this.#env.files) for (const symbol of this.#symbolsOf(file)) if (symbol.kind !== 'import') yield symbol;
  }

  #isChanged(file: string): boolean {
    return this.#conditional.has(file) || (this.#overlay.size > 0 && (this.#overlay.has(file) || this.#env.includes(file).some((included) => this.#overlay.has(included))));
  }

  #read(file: string): NamedSource | undefined {
    const text = this.#textOf(file);
    return text === undefined ? undefined : readSource(file, text, { ...this.#env.options(file), assume: this.#assumed, readFile: (path) => this.#textOf(path) });
  }

  #textOf(file: string): string | undefined {
    return this.#overlay.get(file) ?? this.#env.text(file);
  }

  #symbolsOf(file: string): readonly OutlineSymbol[] {
    const source = this.#isChanged(file) ? this.source(file) : undefined;
    return source ? outlineSymbols(source) : this.#env.symbols(file);
  }

  #filesDeclaring(name: string): readonly string[] {
    if (!this.#declaring) {
      this.#declaring = new Map();
      for (const file of this.#env.files) {
        for (const symbol of this.#symbolsOf(file)) {
          if (symbol.container !== '' || symbol.kind === 'macro' || symbol.kind === 'import') continue;
          const files = this.#declaring.get(symbol.name);
          if (!files) this.#declaring.set(symbol.name, [file]);
          else if (files.at(-1) !== file) files.push(file);
        }
      }
    }
    return this.#declaring.get(name) ?? [];
  }

  #filesImporting(): readonly string[] {
    return (this.#importing ??= this.#env.files.filter((file) => this.#symbolsOf(file).some(({ kind }) => kind === 'import')));
  }

  #search(word: string): string[] {
    return this.#withIncluders(this.#env.files.filter((file) => this.#mentionsWord(file, word)));
  }

  #mentionsWord(file: string, word: string): boolean {
    return this.#textOf(file)?.includes(word) === true;
  }

  #withIncluders(files: readonly string[]): string[] {
    return [...new Set(files.flatMap((file) => [file, ...this.includers(file)]))];
  }
}
