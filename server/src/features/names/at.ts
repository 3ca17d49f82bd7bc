import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import { occurrencesWithin } from '../../analysis/names/source.ts';
import type { NamedSource, Occurrence } from '../../analysis/names/source.ts';
import type { Span } from '../../base/text.ts';
import { conditionsAt } from '../../syntax/conditionals.ts';
import type { MacroMention } from '../../syntax/mentions.ts';
import type { IncludeDirective } from '../../syntax/preprocessed.ts';
import { mentionsIn } from './mentions.ts';
import type { NameSnapshot } from './snapshot.ts';

/** What stands at a place of a source. */
export type AtPlace =
  | { readonly kind: 'include'; readonly directive: IncludeDirective; readonly span: Span }
  | { readonly kind: 'macro'; readonly mention: MacroMention; readonly span: Span }
  /** `targets` is empty for a name whose meaning is not known. */
  | { readonly kind: 'name'; readonly name: string; readonly span: Span; readonly source: NamedSource; readonly occurrences: readonly Occurrence[]; readonly targets: readonly DeclarationRef[] };

function covers(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}

/** The name, macro or include at an offset of a source file, or directly before it. */
export function placeAt(snapshot: NameSnapshot, file: string, offset: number): AtPlace | undefined {
  const own = snapshot.source(file);
  if (!own) return undefined;
  const directive = own.preprocessed.includes.find((include) => include.file === file && covers(include.span, offset));
  const mention = mentionsIn(own).find(({ span }) => covers({ start: span.start - 1, end: span.end }, offset));
  // A macro may stand for the name of the file.
  if (directive && !mention) return { kind: 'include', directive, span: directive.span };
  if (mention) return { kind: 'macro', mention, span: mention.span };
  const direct = nameAt(snapshot, own, own, offset);
  if (direct && direct.targets.length > 0) return direct;
  // A header means what it means where it is included.
  for (const includer of snapshot.includers(file)) {
    const source = snapshot.source(includer);
    const found = source && nameAt(snapshot, source, own, offset);
    if (found && found.targets.length > 0) return found;
  }
  return direct ?? leftOutNameAt(snapshot, own, offset);
}

/** What a name in text that the defines leave out would mean if it were active. */
function leftOutNameAt(snapshot: NameSnapshot, own: NamedSource, offset: number): AtPlace | undefined {
  if (!own.preprocessed.inactive.some((span) => covers(span, offset))) return undefined;
  const conditions = conditionsAt(own.text, offset);
  const assumed = conditions && snapshot.assuming(conditions);
  const source = assumed?.source(own.file);
  return assumed && source && nameAt(assumed, source, source, offset);
}

function nameAt(snapshot: NameSnapshot, source: NamedSource, own: NamedSource, offset: number): Extract<AtPlace, { kind: 'name' }> | undefined {
  const near = occurrencesWithin(source.names, own.file, { start: offset, end: offset }).filter((occurrence) => occurrence.file === own.file && covers(occurrence.span, offset));
  const word = wordAt(own.text, offset);
  // Where two names touch, as in `a.b`, the one that begins at the cursor is meant.
  const exact = near.filter(({ exact: isExact }) => isExact);
  const start = Math.max(-1, ...exact.map(({ span }) => span.start));
  const direct = exact.filter(({ span }) => span.start === start);
  const found = direct.length > 0 ? direct : near.filter(({ name }) => name === word?.name);
  const [first] = found;
  if (!first) return undefined;
  const span = first.exact ? first.span : (word?.span ?? first.span);
  const targets = found.flatMap((occurrence) => targetsOf(snapshot, source, occurrence));
  return { kind: 'name', name: first.name, span, source, occurrences: found, targets: uniqueRefs(targets) };
}

/** What an occurrence means: itself, when it declares. */
export function targetsOf(snapshot: NameSnapshot, { names }: NamedSource, occurrence: Occurrence): readonly DeclarationRef[] {
  if (occurrence.declaration !== undefined) return [{ names, index: occurrence.declaration }];
  if (occurrence.use === undefined) return [];
  const found = snapshot.resolver.resolve(names, occurrence.use);
  return found.kind === 'declared' ? found.targets : [];
}

function uniqueRefs(refs: readonly DeclarationRef[]): DeclarationRef[] {
  return refs.filter((ref, at) => refs.findIndex((other) => other.names === ref.names && other.index === ref.index) === at);
}

/** The identifier around an offset. */
export function wordAt(text: string, offset: number): { readonly name: string; readonly span: Span } | undefined {
  let start = offset;
  while (start > 0 && /[\w$]/.test(text[start - 1] ?? '')) start--;
  let end = offset;
  while (/[\w$]/.test(text[end] ?? '')) end++;
  const name = text.slice(start, end);
  return /^[A-Za-z_]/.test(name) ? { name, span: { start, end } } : undefined;
}
