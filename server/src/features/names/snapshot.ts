import type { FunctionItem } from '../../analysis/items.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import type { NameResolver } from '../../analysis/names/resolve.ts';
import type { NamedSource } from '../../analysis/names/source.ts';
import type { Span } from '../../base/text.ts';
import type { Conditions } from '../../syntax/conditionals.ts';
import type { OutlineSymbol } from '../outline.ts';

/** A place in a source file. */
export interface FileSpan {
  /** Absolute path. */
  readonly file: string;
  readonly span: Span;
}

/** The names of all files as they are at one moment. */
export interface NameSnapshot {
  readonly resolver: NameResolver;
  /** Undefined for a file that can't be read. */
  source(file: string): NamedSource | undefined;
  /** The same with other texts in the place of some files; nothing else changes. */
  with(texts: ReadonlyMap<string, string>): NameSnapshot;
  /** The same with conditionals that find macros defined or not as they are told. */
  assuming(conditions: Conditions): NameSnapshot;
  /** Absolute paths of known files whose text, or that of a file they include, has a word; the asked file first. */
  filesMentioning(word: string, from: string): readonly string[];
  /** Files that include a file, directly or through others. */
  includers(file: string): readonly string[];
  /** A function with its body, to work out what it returns for constants; undefined for what is no function, or can't be read. */
  functionItem(ref: DeclarationRef): FunctionItem | undefined;
  /** Design units of a name in all known files. */
  unitsNamed(name: string): readonly DeclarationRef[];
  /** The file belongs to the workspace or is open, so that it may be changed. */
  isOwn(file: string): boolean;
  /** What the known files declare outermost. */
  symbols(): Iterable<OutlineSymbol>;
  /** False while the workspace is still searched, or when files were left out. */
  readonly complete: boolean;
}
