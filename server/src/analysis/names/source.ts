import { finish } from '../../base/steps.ts';
import type { Steps } from '../../base/steps.ts';
import type { Span } from '../../base/text.ts';
import { preprocess } from '../../syntax/preprocess.ts';
import type { Preprocessed, PreprocessOptions } from '../../syntax/preprocessed.ts';
import type { DeclarationIndex, FileNames, UseIndex } from './model.ts';
import { placeOf } from './model.ts';
import { readNamesInSteps } from './read.ts';

/** A source text with what the preprocessor made of it and the names in that. */
export interface NamedSource {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
  readonly preprocessed: Preprocessed;
  readonly names: FileNames;
  /** Macros that settings or file lists define for it. */
  readonly given: readonly string[];
}

export function readSource(file: string, text: string, options: PreprocessOptions): NamedSource {
  return finish(namedInSteps({ file, text, preprocessed: preprocess(file, text, options), given: Object.keys(options.defines ?? {}) }, undefined));
}

/** Adds the names of a source, step by step. What an edit does not concern is taken over from an earlier version. */
export function* namedInSteps(source: Omit<NamedSource, 'names'>, previous: NamedSource | undefined): Steps<NamedSource> {
  const { file, preprocessed } = source;
  return { ...source, names: yield* readNamesInSteps(file, preprocessed.text, preprocessed.map, previous?.names) };
}

/** A name where it stands: a declaration, or a use. */
export interface Occurrence {
  readonly name: string;
  /** The source that it stands in. */
  readonly file: string;
  /** Of the name, or where `exact` is false of the macro usage that it comes out of. */
  readonly span: Span;
  readonly exact: boolean;
  readonly declaration: DeclarationIndex | undefined;
  readonly use: UseIndex | undefined;
}

const known = new WeakMap<FileNames, readonly Occurrence[]>();

/** Where so many places are asked about, all names are looked at. */
const MOST_PLACES = 20;

/** All names of a model in the order of the preprocessed text; an implicit net is found by its uses only. */
export function occurrencesOf(names: FileNames): readonly Occurrence[] {
  const before = known.get(names);
  if (before) return before;
  const found = occurrencesThat(names, () => true);
  known.set(names, found);
  return found;
}

/** Those of `occurrencesOf` that have a name. */
export function occurrencesNamed(names: FileNames, name: string): readonly Occurrence[] {
  return known.get(names)?.filter((occurrence) => occurrence.name === name) ?? occurrencesThat(names, (each) => each.name === name);
}

/** Those of `occurrencesOf` that stand in a part of a source or touch it, and perhaps others. */
export function occurrencesWithin(names: FileNames, file: string, part: Span): readonly Occurrence[] {
  const places = names.map.placesOf(file, part);
  if (places.length > MOST_PLACES) return occurrencesOf(names);
  return occurrencesThat(names, ({ span }) => places.some(({ start, end }) => span.start <= end && start <= span.end));
}

function occurrencesThat(names: FileNames, fits: (named: { readonly name: string; readonly span: Span }) => boolean): readonly Occurrence[] {
  const found: (Occurrence & { readonly at: number })[] = [];
  const add = (name: string, span: Span, declaration: DeclarationIndex | undefined, use: UseIndex | undefined): void => {
    const place = placeOf(names, span);
    found.push({ name, file: place.file, span: place.span, exact: place.exact, declaration, use, at: span.start });
  };
  names.declarations.forEach((declaration, index) => {
    if (!declaration.implicit && fits(declaration)) add(declaration.name, declaration.span, index, undefined);
  });
  names.uses.forEach((use, index) => {
    if (fits(use)) add(use.name, use.span, undefined, index);
  });
  return found.sort((a, b) => a.at - b.at);
}
