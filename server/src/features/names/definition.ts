import { declarationOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import { placeOf } from '../../analysis/names/model.ts';
import type { Span } from '../../base/text.ts';
import { placeAt } from './at.ts';
import type { FileSpan, NameSnapshot } from './snapshot.ts';

export interface Definition extends FileSpan {
  /** The name or directive that was asked about. */
  readonly origin: Span;
}

/** Where the name, macro or include at an offset is declared; several for a `.name` connection, which means port and net. */
export function definitions(snapshot: NameSnapshot, file: string, offset: number): Definition[] {
  const at = placeAt(snapshot, file, offset);
  if (!at) return [];
  if (at.kind === 'include') {
    return at.directive.resolved === undefined ? [] : [{ file: at.directive.resolved, span: { start: 0, end: 0 }, origin: at.span }];
  }
  if (at.kind === 'macro') return macroDefinitions(snapshot, file, at.mention.name, at.mention.span).map((place) => ({ ...place, origin: at.span }));
  return uniqueSpans(at.targets.map(spanOfDeclaration)).map((place) => ({ ...place, origin: at.span }));
}

/** The declaration of the type of the name at an offset. */
export function typeDefinitions(snapshot: NameSnapshot, file: string, offset: number): Definition[] {
  const at = placeAt(snapshot, file, offset);
  if (at?.kind !== 'name') return [];
  return at.targets.flatMap((ref) => {
    const { type } = declarationOf(ref);
    const target = type?.kind === 'named' ? snapshot.resolver.target(ref.names, type.use) : undefined;
    return target ? [{ ...spanOfDeclaration(target), origin: at.span }] : [];
  });
}

/** A declaration's name in its source; for one that a macro makes, the usage of the macro. */
export function spanOfDeclaration(ref: DeclarationRef): FileSpan {
  const { file, span } = placeOf(ref.names, declarationOf(ref).span);
  return { file, span };
}

/** The definition that is in force at a usage if the file knows it, else those of other files. */
export function macroDefinitions(snapshot: NameSnapshot, file: string, name: string, mention: Span): FileSpan[] {
  const sources = [file, ...snapshot.includers(file)].flatMap((each) => snapshot.source(each) ?? []);
  const own = sources[0]?.preprocessed.definitions.filter((macro) => macro.name === name) ?? [];
  const before = own.findLast(({ location }) => location.file !== file || location.span.start <= mention.start);
  const known = before ?? own[0] ?? sources.flatMap(({ preprocessed }) => preprocessed.definitions.filter((macro) => macro.name === name)).at(-1);
  if (known) return [known.location];
  return [...snapshot.symbols()].filter((symbol) => symbol.kind === 'macro' && symbol.name === name).map((symbol) => ({ file: symbol.file, span: symbol.span }));
}

function uniqueSpans(places: readonly FileSpan[]): FileSpan[] {
  return places.filter((place, at) => places.findIndex((other) => other.file === place.file && other.span.start === place.span.start) === at);
}
