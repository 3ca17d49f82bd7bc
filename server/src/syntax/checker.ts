import { finish } from '../base/steps.ts';
import type { Steps } from '../base/steps.ts';
import { changeBetween, LineIndex } from '../base/text.ts';
import type { Span } from '../base/text.ts';
import { MACRO, syntaxDiagnostics, touchesMacro } from './diagnostics.ts';
import type { SyntaxDiagnostic } from './diagnostics.ts';
import { firstEarlyEnd } from './early-ends.ts';
import type { EarlyEnd } from './early-ends.ts';
import { maskGrammarGaps, youngKeywordsInSteps } from './grammar-gaps.ts';
import { hasDesignUnit, strayItem } from './stray-items.ts';
import { isDeclaredType, suspectTypes } from './suspects.ts';
import type { Suspect } from './suspects.ts';
import type { Parser, SyntaxTree } from './parser.ts';
import { repairableMistake } from './repair.ts';
import { maskUnknownMacros } from './unknown-macros.ts';
import { readUnitsInSteps } from './units.ts';
import type { Unit, UnitContext } from './units.ts';

export interface CheckedUnit extends Unit {
  /** The same object for as long as the text of the unit is the same, so that more can be remembered of it. */
  readonly identity: object;
  /** Its text is no correct SystemVerilog as it stands, so that the names of the whole text decide what is wrong with it. */
  readonly dependsOnNames: boolean;
  /** Relative to the unit. */
  readonly diagnostics: readonly SyntaxDiagnostic[];
  readonly suspects: readonly Suspect[];
  /** An item at its beginning that stands outside of all design units, relative to the unit. */
  readonly stray: SyntaxDiagnostic | undefined;
}

/** A text whose syntax was checked; it is handed in again with the next version of the text. */
export interface CheckedText {
  readonly text: string;
  readonly units: readonly CheckedUnit[];
  /** Reserved words that the text uses as names, where they matter. */
  readonly names: ReadonlySet<string>;
  /** In the order of the text. */
  readonly diagnostics: readonly SyntaxDiagnostic[];
  /** Characters that were parsed for it. */
  readonly parsed: number;
}

export interface CheckOptions {
  readonly previous?: CheckedText | undefined;
  /** Milliseconds of wall-clock time after which the check is given up. */
  readonly deadlineMs?: number;
  /** A unit that takes longer than this many milliseconds is left without a look for mistakes. */
  readonly unitDeadlineMs?: number | undefined;
}

const OPENING: Readonly<Record<UnitContext, string>> = { text: '', module: 'module m(p);\n', interface: 'interface m(p);\n', program: 'program m(p);\n', package: 'package m;\n' };
const CLOSING: Readonly<Record<UnitContext, string>> = { text: '', module: '\nendmodule\n', interface: '\nendinterface\n', program: '\nendprogram\n', package: '\nendpackage\n' };
const NO_NAMES: ReadonlySet<string> = new Set();
/** Ends of design units that are tried without, in one text. */
const MOST_EARLY_ENDS = 3;

/**
 * Finds the syntax errors of a text unit by unit. The units that an edit leaves as they were are not parsed again, and the
 * result is the same as that of a check from scratch. Undefined when the deadline passed.
 */
export function checkSyntax(parser: Parser, text: string, options: CheckOptions = {}): CheckedText | undefined {
  return finish(checkInSteps(parser, text, options));
}

/** As `checkSyntax`, step by step; the deadline is that of all steps together. */
export function checkInSteps(parser: Parser, text: string, options: CheckOptions = {}): Steps<CheckedText | undefined> {
  return checkWithout(parser, text, options, MOST_EARLY_ENDS);
}

function* checkWithout(parser: Parser, text: string, { previous, deadlineMs = 10_000, unitDeadlineMs }: CheckOptions, mostEnds: number): Steps<CheckedText | undefined> {
  const end = performance.now() + deadlineMs;
  const plan = yield* planUnits(text, previous);
  const units: CheckedUnit[] = [];
  let names: ReadonlySet<string> | undefined;
  let parsed = 0;
  for (const { unit, known } of plan) {
    yield;
    if (known?.dependsOnNames === true) names ??= yield* youngKeywordsInSteps(text);
    if (known && (!known.dependsOnNames || (names && sameNames(names, previous?.names ?? NO_NAMES)))) {
      units.push({ ...known, ...unit });
      continue;
    }
    parsed += unit.end - unit.start;
    const most = Math.min(end - performance.now(), unitDeadlineMs ?? Infinity);
    let found = checkPlain(parser, text, unit, most);
    if (found === 'broken') {
      names ??= yield* youngKeywordsInSteps(text);
      found = checkBroken(parser, text, unit, names, most);
    }
    if (!found && (unitDeadlineMs === undefined || performance.now() > end)) return undefined;
    units.push(found ?? { ...unit, ...aboutUnit(text, unit), dependsOnNames: true, diagnostics: [] });
  }
  const checked = { text, units, names: names ?? NO_NAMES, diagnostics: collect(text, units), parsed };
  const { early, without } = earlyEndIn(checked) ?? {};
  if (!early) return checked;
  const again = mostEnds > 0 ? yield* checkWithout(parser, without ?? '', { previous: checked, deadlineMs: end - performance.now(), unitDeadlineMs }, mostEnds - 1) : undefined;
  return withEarlyEnd(checked, early, again);
}

/** The end of a design unit that seems to stand too early, and the text without it. */
function earlyEndIn({ text, units, diagnostics }: CheckedText): { readonly early: EarlyEnd; readonly without: string } | undefined {
  const early = firstEarlyEnd(text, units, diagnostics);
  if (!early) return undefined;
  const { span } = early.diagnostic;
  return { early, without: text.slice(0, span.start) + ' '.repeat(span.end - span.start) + text.slice(span.end) };
}

/** What is wrong on account of an early end alone, and so not in a check without it, is told by it alone. */
function withEarlyEnd(checked: CheckedText, early: EarlyEnd, again: CheckedText | undefined): CheckedText {
  const { diagnostics } = checked;
  const isMended = again !== undefined && again.diagnostics.length < diagnostics.length;
  const others = isMended ? again.diagnostics : diagnostics.filter((diagnostic) => diagnostic !== early.stray);
  return { ...checked, parsed: checked.parsed + (again?.parsed ?? 0), diagnostics: [...others, early.diagnostic].sort((a, b) => a.span.start - b.span.start) };
}

function sameNames(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((name) => b.has(name));
}

interface Planned {
  readonly unit: Unit;
  /** What was found out about the same text before. */
  readonly known: CheckedUnit | undefined;
}

/** Units of the new text, with those of the old one whose text and surroundings are the same. */
function* planUnits(text: string, previous: CheckedText | undefined): Steps<Planned[]> {
  if (!previous) return (yield* readUnitsInSteps(text)).units.map((unit) => ({ unit, known: undefined }));
  const { start, oldEnd, newEnd } = changeBetween(previous.text, text);
  const shift = newEnd - oldEnd;
  const kept = previous.units.findIndex((unit) => unit.reach > start);
  const before = previous.units.slice(0, kept < 0 ? previous.units.length : kept);
  const last = before.at(-1);
  const behind = new Map(previous.units.flatMap((unit, index) => (unit.start > oldEnd ? [[unit.start + shift, index] as const] : [])));
  const ahead = new Map(previous.units.flatMap((unit) => (unit.end <= start ? [[unit.start, unit] as const] : [])));
  const unitBefore = (unit: Unit): CheckedUnit | undefined => {
    const known = ahead.get(unit.start);
    return known?.end === unit.end && known.opensIn === unit.opensIn && known.closesIn === unit.closesIn ? known : undefined;
  };
  const unitBehind = (offset: number): CheckedUnit | undefined => previous.units[behind.get(offset) ?? -1];
  const from = last ? { offset: last.end, context: last.closesIn } : undefined;
  const { units, stopped } = yield* readUnitsInSteps(text, from, ({ offset, context }) => unitBehind(offset)?.opensIn === context);
  const rest = stopped ? previous.units.slice(behind.get(stopped.offset)) : [];
  return [
    ...before.map((unit) => ({ unit, known: unit })),
    ...units.map((unit) => ({ unit, known: unitBefore(unit) })),
    ...rest.map((unit) => ({ unit: { start: unit.start + shift, end: unit.end + shift, reach: unit.reach + shift, opensIn: unit.opensIn, closesIn: unit.closesIn }, known: unit })),
  ];
}

/** The text of a unit with a beginning and an end of the design unit that it is a part of, so that it can be parsed by itself. */
export function wholeUnit(text: string, { start, end, opensIn, closesIn }: Unit): string {
  return OPENING[opensIn] + text.slice(start, end) + CLOSING[closesIn];
}

/** Characters in front of the own text of a unit that is made whole. */
export function openingLength({ opensIn }: Unit): number {
  return OPENING[opensIn].length;
}

/** A unit that is correct as it stands. */
function checkPlain(parser: Parser, text: string, unit: Unit, deadlineMs: number): CheckedUnit | 'broken' | undefined {
  using tree = parser.parse(wholeUnit(text, unit), { deadlineMs });
  if (!tree) return undefined;
  return tree.hasError ? 'broken' : { ...unit, ...aboutUnit(text, unit), dependsOnNames: false, diagnostics: [] };
}

/** A unit that the grammar does not know, or that has a mistake. */
function checkBroken(parser: Parser, text: string, unit: Unit, namesOfText: ReadonlySet<string>, deadlineMs: number): CheckedUnit | undefined {
  const whole = wholeUnit(text, unit);
  using tree = parser.parse(maskGrammarGaps(whole, namesOfText) ?? whole, { deadlineMs });
  return tree && { ...unit, ...aboutUnit(text, unit), dependsOnNames: true, diagnostics: within(mistakesOf(parser, tree), openingLength(unit), unit.end - unit.start) };
}

function aboutUnit(text: string, { start, end, opensIn }: Unit): Pick<CheckedUnit, 'identity' | 'suspects' | 'stray'> {
  const own = text.slice(start, end);
  return { identity: {}, suspects: suspectTypes(own), stray: opensIn === 'text' ? strayItem(own) : undefined };
}

/**
 * Where no mistake can be named by the structure of the text, the one word whose change makes it parse. Where several are
 * named and the change of one word mends them all, there is but one.
 */
function mistakesOf(parser: Parser, tree: SyntaxTree): readonly SyntaxDiagnostic[] {
  const { text } = tree;
  const found = syntaxDiagnostics(tree, text);
  if (found.length === 1 || !tree.hasError) return found;
  const hasMacros = MACRO.test(text);
  if (found.length > 1 && hasMacros) return found;
  const mistake = hasMacros ? mistakeBesideMacros(parser, text) : repairableMistake(parser, tree);
  return mistake ? [found.find((other) => saysMore(other, mistake) || (other.code === 'keyword' && isOnOneLine(text, other.span, mistake.span))) ?? mistake] : found;
}

function saysMore(finding: SyntaxDiagnostic, { span, message }: SyntaxDiagnostic): boolean {
  return finding.span.start === span.start && finding.message.startsWith(message.slice(0, -1));
}

function isOnOneLine(text: string, a: Span, b: Span): boolean {
  return !text.slice(Math.min(a.start, b.start), Math.max(a.start, b.start)).includes('\n');
}

/** A mistake that no macro is to blame for that is not known. */
function mistakeBesideMacros(parser: Parser, text: string): SyntaxDiagnostic | undefined {
  const masked = maskUnknownMacros(text);
  using tree = parser.parse(masked.text);
  const mistake = tree?.hasError === true ? repairableMistake(parser, tree, masked.holdsItems) : undefined;
  return mistake && !touchesMacro(mistake.span, text) ? mistake : undefined;
}

/** Moves places into the unit's own text. What is before it is about the beginning of the design unit, and stays negative. */
function within(diagnostics: readonly SyntaxDiagnostic[], offset: number, length: number): SyntaxDiagnostic[] {
  const move = (at: number): number => Math.min(at - offset, length);
  return diagnostics.map((diagnostic) => ({ ...diagnostic, span: { start: move(diagnostic.span.start), end: move(diagnostic.span.end) } }));
}

/** The keyword that begins the design unit which a unit continues. */
function openerOf(text: string, units: readonly CheckedUnit[], index: number): Span {
  const first = units.slice(0, index).findLast((unit) => unit.opensIn === 'text');
  const header = first && /\b(?:macromodule|module|interface|program|package)\b/.exec(text.slice(first.start, first.end));
  if (!first || !header) return { start: 0, end: 0 };
  return { start: first.start + header.index, end: first.start + header.index + header[0].length };
}

function collect(text: string, units: readonly CheckedUnit[]): SyntaxDiagnostic[] {
  const found: SyntaxDiagnostic[] = [];
  let lines: LineIndex | undefined;
  const lineOf = (offset: number): number => (lines ??= new LineIndex(text)).position(offset).line;
  const declared = new Map<string, boolean>();
  const isDeclared = (suspect: Suspect): boolean => {
    const known = declared.get(suspect.word) ?? isDeclaredType(text, suspect);
    declared.set(suspect.word, known);
    return known;
  };
  for (const [index, unit] of units.entries()) {
    const shift = ({ start, end }: Span): Span => (start < 0 ? openerOf(text, units, index) : { start: start + unit.start, end: end + unit.start });
    const own = unit.diagnostics.map((diagnostic) => ({ ...diagnostic, span: shift(diagnostic.span) }));
    found.push(...own);
    // Where something else is wrong, an end may stand too early.
    if (unit.stray && own.length === 0 && hasDesignUnit(text)) found.push({ ...unit.stray, span: shift(unit.stray.span) });
    if (unit.suspects.length === 0) continue;
    const told = new Set(own.map(({ span }) => lineOf(span.start)));
    for (const suspect of unit.suspects) {
      const span = shift(suspect.span);
      if (!told.has(lineOf(span.start)) && !isDeclared(suspect)) found.push({ span, code: 'keyword', message: `'${suspect.word}' is no keyword; did you mean '${suspect.keyword}'?` });
    }
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}
