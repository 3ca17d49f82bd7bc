import type { DeclarationKind } from '../analysis/names/model.ts';
import { placeOf } from '../analysis/names/model.ts';
import type { NamedSource } from '../analysis/names/source.ts';
import type { Span } from '../base/text.ts';
import type { SourceOutline } from './module-info.ts';

/** A name that other files may use. */
export interface OutlineSymbol {
  readonly name: string;
  /** `import`: a package that is imported outside of all design units; `method`: a function or task of a class. */
  readonly kind: DeclarationKind | 'macro' | 'import' | 'method';
  /** Absolute path. */
  readonly file: string;
  /** Of the name. */
  readonly span: Span;
  /** The package or class that it belongs to, or empty. */
  readonly container: string;
}

/** What a file means to others. */
export interface FileOutline extends SourceOutline {
  readonly symbols: readonly OutlineSymbol[];
  /** Absolute paths of the files that it includes, directly or through others. */
  readonly includes: readonly string[];
}

const METHODS: ReadonlySet<DeclarationKind> = new Set(['function', 'task']);

/** Design units, what stands outside of them, the items of packages, the methods of classes, and macros, as far as the file itself declares them. */
export function outlineSymbols({ file, names, preprocessed }: Pick<NamedSource, 'file' | 'names' | 'preprocessed'>): OutlineSymbol[] {
  const declared = names.declarations.flatMap((declaration): OutlineSymbol[] => {
    const scope = names.scopes[declaration.scope];
    const isMethod = scope?.kind === 'class' && scope.owner !== undefined && METHODS.has(declaration.kind) && declaration.name !== 'new';
    if (!scope || (scope.kind !== 'compilation-unit' && scope.kind !== 'package' && !isMethod)) return [];
    const place = placeOf(names, declaration.span);
    if (place.file !== file) return [];
    const container = scope.owner === undefined ? '' : (names.declarations[scope.owner]?.name ?? '');
    return [{ name: declaration.name, kind: isMethod ? 'method' : declaration.kind, file, span: place.span, container }];
  });
  const macros = preprocessed.definitions.flatMap(({ name, location }): OutlineSymbol[] =>
    location.file === file ? [{ name, kind: 'macro', file, span: location.span, container: '' }] : [],
  );
  const imports = names.scopes[0]?.imports ?? [];
  return [...declared, ...macros, ...imports.map((entry): OutlineSymbol => ({ name: entry.package, kind: 'import', file, span: { start: 0, end: 0 }, container: '' }))];
}
