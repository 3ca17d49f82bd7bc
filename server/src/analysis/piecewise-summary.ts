import { withinStack } from '../base/nesting.ts';
import type { Steps } from '../base/steps.ts';
import type { Span } from '../base/text.ts';
import { openingLength, wholeUnit } from '../syntax/checker.ts';
import { maskNames, youngKeywordsAsNames } from '../syntax/grammar-gaps.ts';
import type { Parser } from '../syntax/parser.ts';
import type { Preprocessed } from '../syntax/preprocessed.ts';
import type { Unit } from '../syntax/units.ts';
import type { FileSummary, Item, ModuleSummary, PackageSummary, PortItem } from './items.ts';
import { relocated, UNPLACED } from './relocate.ts';
import type { Place } from './relocate.ts';
import { summarizeWhatFits } from './summary.ts';

/** A piece of a text that can be parsed by itself. */
export interface Piece extends Unit {
  /** The same object for as long as the text of the piece is the same. */
  readonly identity: object;
}

/** What a piece declares, in offsets of the piece made whole; undefined where it took too long to parse. */
interface PieceSummary {
  readonly declared: FileSummary;
  /** What decided how it was read where its text is no correct SystemVerilog; undefined elsewhere. */
  readonly names: string | undefined;
}

/** What pieces declare, for as long as somebody holds them. */
const known = new WeakMap<object, PieceSummary>();

/** A design unit of which more pieces may follow. */
interface OpenUnit {
  readonly header: ModuleSummary | PackageSummary;
  readonly parts: Part[];
}

/** The items of a piece that belong to the design unit around it. */
interface Part {
  readonly unit: ModuleSummary | PackageSummary | undefined;
  readonly by: number;
  readonly place: Place;
}

/**
 * Reads what a text declares piece by piece, so that an edit costs no more than its piece. Of a text without errors the result
 * is that of `summarize`; an error stays in its piece. The items of a module are placed when they are first asked for.
 * `deadlineMs` is for each piece.
 */
export function* summarizePieces(file: string, source: Preprocessed, pieces: readonly Piece[], parser: Parser, deadlineMs: number): Steps<FileSummary> {
  const { text, map } = source;
  const place: Place = (span) => {
    const found = map.locateSpan(span);
    return { file: found.file, span: found.span };
  };
  const summary = new Assembly(file, place);
  let names: ReadonlySet<string> | undefined;
  const namesOfText = (): ReadonlySet<string> => (names ??= youngKeywordsAsNames(text));
  for (const piece of pieces) {
    yield;
    summary.add(piece, summaryOf(piece, text, parser, namesOfText, deadlineMs));
  }
  return summary.finish();
}

function summaryOf(piece: Piece, text: string, parser: Parser, namesOfText: () => ReadonlySet<string>, deadlineMs: number): FileSummary | undefined {
  const before = known.get(piece.identity);
  if (before && (before.names === undefined || before.names === keyOf(namesOfText()))) return before.declared;
  const whole = wholeUnit(text, piece);
  using first = parser.parse(whole, { deadlineMs });
  if (!first) return undefined;
  const masked = first.hasError ? maskNames(whole, namesOfText()) : undefined;
  using tree = masked === undefined ? first.copy() : parser.parse(masked, { deadlineMs });
  if (!tree) return undefined;
  const nothing: FileSummary = { file: UNPLACED, modules: [], packages: [], primitives: [], items: [] };
  const declared = withinStack(() => summarizeWhatFits(UNPLACED, whole, tree), () => nothing);
  known.set(piece.identity, { declared, names: first.hasError ? keyOf(namesOfText()) : undefined });
  return declared;
}

function keyOf(names: ReadonlySet<string>): string {
  return [...names].join(' ');
}

const partsOfUnits = new WeakMap<object, readonly Part[]>();

/** The items of a unit, some of them at other places than where they stand now, in lists that are the same objects for as long as nothing in them changes. */
export function unplacedItems(unit: ModuleSummary | PackageSummary): readonly (readonly Item[])[] {
  return partsOfUnits.get(unit)?.flatMap(({ unit: part }) => (part ? [part.items] : [])) ?? [unit.items];
}

/** The ports among the items of a module. */
export function portItems(module: ModuleSummary): readonly PortItem[] {
  const parts = partsOfUnits.get(module);
  if (!parts) return module.items.filter((item) => item.kind === 'port');
  return parts.flatMap(({ unit, by, place }) => relocated(unit?.items.filter((item) => item.kind === 'port') ?? [], by, place));
}

/** Puts together what the pieces of a text declare. */
class Assembly {
  readonly #file: string;
  readonly #place: Place;
  readonly #modules: ModuleSummary[] = [];
  readonly #packages: PackageSummary[] = [];
  readonly #primitives: string[] = [];
  readonly #items: Item[] = [];
  #open: OpenUnit | undefined;

  constructor(file: string, place: Place) {
    this.#file = file;
    this.#place = place;
  }

  add(piece: Piece, declared: FileSummary | undefined): void {
    const by = piece.start - openingLength(piece);
    const modules = [...(declared?.modules ?? [])];
    const packages = [...(declared?.packages ?? [])];
    // The unit that a piece continues or leaves open is around all others in it, so that it ends last.
    const cut = piece.opensIn === 'text' ? piece.closesIn : piece.opensIn;
    const outer = cut === 'text' ? undefined : cut === 'package' ? packages.pop() : modules.pop();
    if (declared) this.#addDeclared(declared, modules, packages, by);
    if (piece.opensIn === 'text') this.#open = outer && cut !== 'text' ? { header: outer, parts: [] } : undefined;
    this.#open?.parts.push({ unit: outer, by, place: this.#place });
    if (piece.closesIn === 'text') this.#close();
  }

  #addDeclared({ items, primitives }: FileSummary, modules: readonly ModuleSummary[], packages: readonly PackageSummary[], by: number): void {
    this.#primitives.push(...primitives);
    this.#items.push(...relocated(items, by, this.#place));
    for (const unit of modules) this.#modules.push(this.#module(unit, [{ unit, by, place: this.#place }]));
    for (const unit of packages) this.#packages.push(this.#package(unit, [{ unit, by, place: this.#place }]));
  }

  #close(): void {
    if (!this.#open) return;
    const { header, parts } = this.#open;
    this.#open = undefined;
    if ('headerEnd' in header) this.#modules.push(this.#module(header, parts));
    else this.#packages.push(this.#package(header, parts));
  }

  finish(): FileSummary {
    this.#close();
    return { file: this.#file, modules: this.#modules, packages: this.#packages, primitives: this.#primitives, items: this.#items };
  }

  #module(header: ModuleSummary, parts: readonly Part[]): ModuleSummary {
    const place = this.#place;
    const by = parts[0]?.by ?? 0;
    const last = parts.at(-1);
    const end = (last?.unit?.span?.end ?? 0) + (last?.by ?? 0);
    const bodyEnd = (last?.unit && 'bodyLocation' in last.unit ? last.unit.bodyLocation.span.end : 0) + (last?.by ?? 0);
    const start = (header.span?.start ?? 0) + by;
    const headerEnd = header.headerEnd + by;
    const module: ModuleSummary = {
      name: header.name,
      kind: header.kind,
      ansi: header.ansi,
      headerPorts: relocated(header.headerPorts, by, place),
      get items(): readonly Item[] {
        return itemsOf(this, parts);
      },
      location: place({ start, end }),
      nameLocation: relocated(header.nameLocation, by, place),
      headerLocation: place({ start, end: headerEnd }),
      headerEnd,
      span: { start, end },
      bodyLocation: place({ start: headerEnd, end: bodyEnd }),
      hasError: parts.some(({ unit }) => !unit || ('hasError' in unit && unit.hasError)),
    };
    partsOfUnits.set(module, parts);
    return module;
  }

  #package(header: PackageSummary, parts: readonly Part[]): PackageSummary {
    const last = parts.at(-1);
    const span: Span = { start: (header.span?.start ?? 0) + (parts[0]?.by ?? 0), end: (last?.unit?.span?.end ?? 0) + (last?.by ?? 0) };
    const unit: PackageSummary = {
      name: header.name,
      get items(): readonly Item[] {
        return itemsOf(this, parts);
      },
      location: this.#place(span),
      span,
    };
    partsOfUnits.set(unit, parts);
    return unit;
  }
}

/** Replaces the getter by what it gives. */
function itemsOf(unit: object, parts: readonly Part[]): readonly Item[] {
  const items = parts.flatMap(({ unit: part, by, place }) => (part ? relocated(part.items, by, place) : []));
  Object.defineProperty(unit, 'items', { value: items, enumerable: true });
  return items;
}
