import { setImmediate } from 'node:timers/promises';
import { withinStack } from '../../base/nesting.ts';
import type { Span } from '../../base/text.ts';
import { settableParameters } from '../declare.ts';
import type { Override } from '../declare.ts';
import { Elaborator } from '../elaborate.ts';
import { fromNumber, toNumber } from '../operators.ts';
import type { Scope } from '../scope.ts';
import type { Item, ModuleSummary } from '../items.ts';
import type { RuleMemory, Told, UnitPlace } from './memory.ts';
import type { Extras, Fix, Level, Related, Report, Rule } from './rule.ts';
import { Suppressions } from './suppress.ts';
import { rules } from './table.ts';
import { ModuleView } from './view.ts';
import type { FileView } from './view.ts';

export interface RuleFinding {
  readonly rule: string;
  readonly level: Exclude<Level, 'off'>;
  /** In the file's own text, as all places of a finding. */
  readonly span: Span;
  readonly message: string;
  readonly related: readonly Related[];
  readonly fixes: readonly Fix[];
  readonly unnecessary: boolean;
}

export interface RuleOptions {
  /** Rule id to level, where it differs from the rule's own. */
  readonly levels?: Readonly<Record<string, Level>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Of the runs over the same file before; what it holds is used, and replaced. */
  readonly memory?: RuleMemory | undefined;
}

/** Milliseconds of work between two chances for others. */
const SLICE_MS = 15;
/** Items of a unit on which all rules take no longer than that. */
const SMALL = 50;

/** Runs all rules that are not off. Gives way to other work now and then; undefined when the signal was aborted meanwhile. */
export async function runRules(file: FileView, { levels = {}, signal, memory }: RuleOptions = {}): Promise<readonly RuleFinding[] | undefined> {
  const collector = new Collector(file);
  const active = rules.flatMap((rule) => {
    const level = levels[rule.id] ?? rule.level;
    return level === 'off' ? [] : [{ rule, report: collector.reporter(rule, level) }];
  });
  const places = unitPlaces(file);
  const known = memory?.recall(file, places, JSON.stringify(levels));
  const told = places.map(({ open }, index): readonly Told[] | undefined => open && known?.told[index]);
  let sliceEnd = performance.now() + SLICE_MS;
  for (const [index, { open }] of places.entries()) {
    const unit = told[index] ? undefined : withinStack(() => open?.(), () => undefined);
    if (!unit) continue;
    const list: Told[] = [];
    told[index] = list;
    for (const [position, { rule }] of active.entries()) {
      // A construct that is nested too deeply for a rule is left to the others.
      withinStack(() => check(rule, unit, (...finding) => list.push({ rule: position, finding })), () => undefined);
      // A small unit is done before a look at the clock pays.
      if (unit.module.items.length < SMALL || performance.now() < sliceEnd) continue;
      await setImmediate();
      if (signal?.aborted === true) return undefined;
      sliceEnd = performance.now() + SLICE_MS;
    }
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    if (signal?.aborted === true) return undefined;
    sliceEnd = performance.now() + SLICE_MS;
  }
  if (signal?.aborted === true) return undefined;
  known?.keep(told);
  for (const { rule, finding } of told.flatMap((list) => list ?? [])) active[rule]?.report(...finding);
  return collector.findings();
}

/** A unit, and the same with other values of its parameters, where it has some that can be set. */
interface Unit {
  readonly module: ModuleView;
  readonly varied: () => ModuleView | undefined;
}

function check(rule: Rule, { module, varied }: Unit, report: Report): void {
  if (rule.followsValues !== true) {
    rule.check(module, report);
    return;
  }
  const told: Parameters<Report>[] = [];
  rule.check(module, (...finding) => told.push(finding));
  const other = told.length > 0 ? varied() : undefined;
  const places = other && new Set<number>();
  if (other) rule.check(other, (span) => span && places?.add(span.start));
  for (const finding of told) if (!places || (finding[0] && places.has(finding[0].start))) report(...finding);
}

/** Values that differ from the defaults, so that what follows from the defaults alone does not hold. */
function otherValues(module: ModuleSummary, scope: Scope): Map<string, Override> {
  const values = new Map<string, Override>();
  for (const { name, type } of settableParameters(module)) {
    // Nothing is known of another type.
    if (!type) values.set(name, { type: { type: { kind: 'named', scope: undefined, name: '', packed: [] }, scope } });
    const value = type && scope.constant(name);
    if (value) values.set(name, { value: fromNumber(toNumber(value) * 2n + 1n, { width: Math.max(value.width, 32), signed: value.signed }) });
  }
  return values;
}

interface OpenPlace extends UnitPlace {
  /** Undefined for a unit with syntax errors inside, or of another file. */
  readonly open: (() => Unit) | undefined;
}

/** The modules and packages of the file itself, and what stands outside of them. */
function unitPlaces(file: FileView): OpenPlace[] {
  const { summary, errors } = file;
  const elaborator = new Elaborator(file.library);
  const isSound = (place: { readonly file: string; readonly span: Span }): boolean =>
    place.file === file.file && !errors.some((error) => error.start <= place.span.end && error.end >= place.span.start);
  const openModule = (module: ModuleSummary) => (): Unit => {
    const view = (scope: Scope): ModuleView => new ModuleView(file, { summary: module, extent: module.span, items: module.items, scope }, elaborator);
    const scope = elaborator.moduleScope(module, summary);
    let varied: ModuleView | undefined;
    return {
      module: view(scope),
      varied: () => {
        const values = otherValues(module, scope);
        if (values.size > 0) varied ??= view(elaborator.moduleScope(module, summary, values));
        return varied;
      },
    };
  };
  const openFixed = (extent: Span | undefined, items: readonly Item[], scope: () => Scope) => (): Unit => ({
    module: new ModuleView(file, { summary: undefined, extent, items, scope: scope() }, elaborator),
    varied: () => undefined,
  });
  const places = [
    ...summary.modules.map((module): OpenPlace => ({ extent: module.span, module, open: !module.hasError && isSound(module.location) ? openModule(module) : undefined })),
    ...summary.packages.map(({ items, location, span }): OpenPlace => ({
      extent: span,
      module: undefined,
      open: isSound(location) ? openFixed(span, items, () => elaborator.blockScope(items, elaborator.unitScope(summary))) : undefined,
    })),
  ];
  if (summary.items.length > 0 && errors.length === 0) places.push({ extent: undefined, module: undefined, open: openFixed(undefined, summary.items, () => elaborator.unitScope(summary)) });
  return places;
}

/** Leads findings back to the file's own text and leaves out those that come from elsewhere or are silenced. */
class Collector {
  readonly #file: FileView;
  readonly #suppressions: Suppressions;
  readonly #found = new Map<string, RuleFinding>();

  constructor(file: FileView) {
    this.#file = file;
    this.#suppressions = new Suppressions(file.text);
  }

  reporter(rule: Rule, level: Exclude<Level, 'off'>): Report {
    return (span, message, extras) => this.#add(rule, level, span, message, extras);
  }

  #add(rule: Rule, level: Exclude<Level, 'off'>, at: Span | undefined, message: string, extras: Extras = {}): void {
    const span = at && this.#place(at);
    if (!span) return;
    const silences = this.#suppressions;
    if (silences.covers(span.start, [rule.id, ...(rule.verilator ?? [])])) return;
    const declared = (extras.declared ?? []).flatMap((place) => this.#place(place) ?? []);
    if (declared.some(({ start }) => silences.covers(start, rule.verilator ?? []))) return;
    const key = `${rule.id} ${span.start} ${message}`;
    if (this.#found.has(key)) return;
    this.#found.set(key, {
      rule: rule.id,
      level,
      span,
      message,
      related: (extras.related ?? []).flatMap((related) => {
        const place = this.#place(related.span);
        return place ? [{ ...related, span: place }] : [];
      }),
      fixes: (extras.fixes ?? []).flatMap((fix) => this.#fix(fix) ?? []),
      unnecessary: extras.unnecessary ?? false,
    });
  }

  findings(): RuleFinding[] {
    return [...this.#found.values()].sort((a, b) => a.span.start - b.span.start);
  }

  /** Where the user wrote it; undefined for the text of a macro or of another file. */
  #place(span: Span): Span | undefined {
    const first = this.#file.map.locate(span.start);
    if (!first.exact || first.file !== this.#file.file) return undefined;
    const whole = this.#file.map.locateSpan(span);
    return whole.span.end > first.span.start ? whole.span : { start: first.span.start, end: first.span.start + 1 };
  }

  /** A change is offered only where the text that it replaces is the user's own. */
  #fix(fix: Fix): Fix | undefined {
    const changes = fix.changes.map(({ span, text }) => {
      const place = this.#place(span.end > span.start ? span : { start: Math.max(span.start - 1, 0), end: span.start });
      if (!place) return undefined;
      if (span.end <= span.start) return { span: { start: place.end, end: place.end }, text };
      return this.#file.text.slice(place.start, place.end) === this.#file.parsed.slice(span.start, span.end) ? { span: place, text } : undefined;
    });
    return changes.every((change) => change !== undefined) ? { title: fix.title, changes } : undefined;
  }
}
