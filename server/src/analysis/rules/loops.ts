import type { Span } from '../../base/text.ts';
import type { Expression } from '../ast.ts';
import { evaluate, sizeOf } from '../constant.ts';
import type { Scope } from '../scope.ts';
import { targetsOf } from '../walk.ts';
import { plainWidth } from './expressions.ts';
import { groupBy } from './group.ts';
import { drivenBits, signalsOf, typeOf } from './signals.ts';
import type { Driver, Signal, Signals } from './signals.ts';
import type { ModuleView } from './view.ts';

/** One signal of a loop, as the assignment that leads to it shows it. */
export interface LoopMember {
  readonly name: string;
  /** The target of the assignment. */
  readonly span: Span | undefined;
  /** Where the signal is declared. */
  readonly declared: Span | undefined;
}

/** How the bits of a value follow those of a source that stands `shift` places further up in it. */
type Manner =
  /** Bit for bit. */
  | 'same'
  /** Each bit those at its place and below, as carries go. */
  | 'below'
  /** The bit at the place of the source all of them, as the result of a comparison. */
  | 'all'
  /** Every bit from that place on all of them. */
  | 'every';

/** Bits `low` to `low + width - 1` of a signal, which a value follows. */
interface Source {
  readonly signal: Signal;
  readonly low: number;
  readonly width: number;
  readonly manner: Manner;
  readonly shift: number;
}

interface Assignment {
  readonly driver: Driver;
  readonly low: number;
  readonly width: number;
  readonly sources: readonly Source[];
}

/** Vectors of more bits are not followed. */
const MAX_WIDTH = 256;
const BITWISE: ReadonlySet<string> = new Set(['&', '|', '^', '~^', '^~']);
const CARRYING: ReadonlySet<string> = new Set(['+', '-', '*']);
const COMPARING: ReadonlySet<string> = new Set(['==', '!=', '===', '!==', '<', '<=', '>', '>=', '&&', '||']);
/** Loops that are meant: oscillators, and whatever an attribute keeps. */
const KEPT = /\(\*[^;]*\b(?:keep|dont_touch|syn_keep|preserve|allow_combinatorial_loops)\b/i;

/**
 * The loops of bits through continuous assignments that are certain: each bit of a loop depends on the one before, whatever the values
 * of other signals. Each signal stands in one of them at most.
 */
export function loopsOf(module: ModuleView): readonly (readonly LoopMember[])[] {
  const { all } = signalsOf(module);
  // A loop goes through signals that continuous assignments read; in most modules they are few, and lead nowhere.
  const read = all.filter(({ reads }) => reads.some(({ procedure }) => procedure === undefined));
  if (assignmentsInCircles(read, module).size === 0) return [];
  const loops = new LoopFinder(assignmentsInCircles(all, module)).loops;
  return loops.filter((loop) => !isLatchOfGates(loop) && !loop.some(({ signal }) => isKept(signal, module))).map((loop) => loop.map(({ signal: { name, span }, driver }) => ({ name, span: driver.target.span, declared: span })));
}

/** The assignments to signals that lead to others of which the same is true; without a loop there are none. */
function assignmentsInCircles(among: readonly Signal[], module: ModuleView): ReadonlyMap<Signal, readonly Assignment[]> {
  const signals = signalsOf(module);
  const assignments = new Map<Signal, readonly Assignment[]>();
  for (const signal of among) {
    const found = signal.drivers.flatMap((driver) => assignmentOf(driver, signal, signals, module) ?? []);
    if (found.length > 0) assignments.set(signal, found);
  }
  const ways = new Map<Signal, number>();
  const edges: { readonly source: Signal; readonly signal: Signal }[] = [];
  for (const [signal, own] of assignments) {
    const sources = new Set(own.flatMap((assignment) => assignment.sources.flatMap((source) => (assignments.has(source.signal) ? [source.signal] : []))));
    ways.set(signal, sources.size);
    for (const source of sources) edges.push({ source, signal });
  }
  const users = groupBy(edges, ({ source }) => source);
  const ends = [...ways].flatMap(([signal, count]) => (count === 0 ? [signal] : []));
  for (let signal = ends.pop(); signal; signal = ends.pop()) {
    assignments.delete(signal);
    for (const { signal: user } of users.get(signal) ?? []) {
      const left = (ways.get(user) ?? 0) - 1;
      ways.set(user, left);
      if (left === 0) ends.push(user);
    }
  }
  return assignments;
}

/** Two gates that feed each other back, `~(s & qn)` and `~(r & q)`, are a latch that is meant. */
function isLatchOfGates(loop: readonly Step[]): boolean {
  return loop.length === 2 && loop.every(({ driver: { value } }) => value?.kind === 'unary' && value.operator === '~' && value.operand.kind === 'binary' && /^[&|]/.test(value.operand.operator));
}

function isKept({ span }: Signal, module: ModuleView): boolean {
  if (!span) return false;
  const before = module.textBefore(span.start, 300);
  return KEPT.test(before.slice(before.lastIndexOf(';') + 1));
}

function assignmentOf(driver: Driver, signal: Signal, signals: Signals, module: ModuleView): Assignment | undefined {
  const { kind, value, target, scope, view } = driver;
  if (!view.isCertain || (kind !== 'assign' && kind !== 'declaration') || !value || isDelayed(driver, module)) return undefined;
  // A part of a concatenation on the left takes a part of the value.
  if (view.item.kind === 'assign' && targetsOf(view.item.target).length > 1) return undefined;
  const bits = drivenBits(target, signal, scope);
  const type = typeOf(signal);
  if (bits === 'some' || type?.width === undefined || type.unpacked.length > 0 || type.width > MAX_WIDTH) return undefined;
  const place = bits === 'all' ? { low: 0, width: type.width } : { low: bits.low, width: bits.high - bits.low + 1 };
  const sources = sourcesOf(value, scope, signals);
  return sources.length > 0 ? { driver, ...place, sources } : undefined;
}

/** A delay makes a clock of an inverter. */
function isDelayed({ target }: Driver, module: ModuleView): boolean {
  if (!target.span) return true;
  const before = module.textBefore(target.span.start, 200);
  return before.slice(before.lastIndexOf(';') + 1).includes('#');
}

/** What every bit of a value depends on for certain: not through multiplexers, selects by variables, shifts and calls. */
function sourcesOf(value: Expression, scope: Scope, signals: Signals): readonly Source[] {
  switch (value.kind) {
    case 'name':
    case 'select':
    case 'range': {
      const base = value.kind === 'name' ? value : value.base;
      const signal = base.kind === 'name' && base.scope === undefined ? signals.find(base.name, scope) : undefined;
      const type = signal && typeOf(signal);
      if (!signal || type?.width === undefined || type.unpacked.length > 0 || type.width > MAX_WIDTH) return [];
      const bits = drivenBits(value, signal, scope);
      if (bits === 'some') return [];
      const { low, high } = bits === 'all' ? { low: 0, high: type.width - 1 } : bits;
      return low < 0 || high >= type.width ? [] : [{ signal, low, width: high - low + 1, manner: 'same', shift: 0 }];
    }
    case 'unary': {
      const inner = sourcesOf(value.operand, scope, signals);
      if (value.operator === '~') return inner;
      return value.operator === '-' || value.operator === '+' ? carried(inner) : compared(inner);
    }
    case 'binary': {
      const sides = [...sourcesOf(value.left, scope, signals), ...sourcesOf(value.right, scope, signals)];
      // A constant takes some bits out.
      if (BITWISE.has(value.operator)) return evaluate(value.left, scope) || evaluate(value.right, scope) ? [] : sides;
      if (CARRYING.has(value.operator)) return carried(sides);
      return COMPARING.has(value.operator) ? compared(sides) : [];
    }
    case 'concatenation':
      return concatenated(value.parts, scope, signals);
    // A multiplexer that feeds itself is a latch, written on purpose.
    default:
      return [];
  }
}

function carried(sources: readonly Source[]): readonly Source[] {
  return sources.map((source) => ({ ...source, manner: source.manner === 'same' ? 'below' : source.manner === 'all' ? 'every' : source.manner }));
}

function compared(sources: readonly Source[]): readonly Source[] {
  return sources.map((source) => ({ ...source, manner: 'all', shift: 0 }));
}

/** Only what stands bit for bit, or is one bit, keeps its place for certain. */
function concatenated(parts: readonly Expression[], scope: Scope, signals: Signals): readonly Source[] {
  const found: Source[] = [];
  let place = 0;
  for (const part of parts.toReversed()) {
    const width = plainWidth(part, scope) ?? sizeOf(part, scope)?.width;
    if (width === undefined) return [];
    for (const source of sourcesOf(part, scope, signals)) {
      if (source.manner === 'same' || width === 1) found.push({ ...source, manner: width === 1 && source.manner !== 'same' ? 'all' : source.manner, shift: source.shift + place });
    }
    place += width;
  }
  return found;
}

interface Bit {
  readonly signal: Signal;
  readonly bit: number;
}

interface Step extends Bit {
  readonly driver: Driver;
}

/** Deeper chains of assignments are not followed. */
const MAX_DEPTH = 2000;

/** Looks at each bit once, depth first; a bit that leads back to one on the way is a loop. */
class LoopFinder {
  readonly loops: (readonly Step[])[] = [];
  readonly #assignments: ReadonlyMap<Signal, readonly Assignment[]>;
  readonly #done = new Map<Signal, Set<number>>();
  readonly #told = new Set<Signal>();
  readonly #path: Step[] = [];

  constructor(assignments: ReadonlyMap<Signal, readonly Assignment[]>) {
    this.#assignments = assignments;
    for (const [signal, own] of assignments) for (const { low, width } of own) for (let bit = low; bit < low + width; bit++) this.#visit({ signal, bit });
  }

  #visit({ signal, bit }: Bit): void {
    const done = this.#done.get(signal) ?? new Set<number>();
    this.#done.set(signal, done);
    if (done.has(bit) || this.#path.length > MAX_DEPTH) return;
    done.add(bit);
    for (const { driver, low, width, sources } of this.#assignments.get(signal) ?? []) {
      if (bit < low || bit >= low + width) continue;
      this.#path.push({ signal, bit, driver });
      for (const source of sources) if (this.#assignments.has(source.signal)) for (const next of bitsBehind(source, bit - low)) this.#follow(next);
      this.#path.pop();
    }
  }

  #follow(next: Bit): void {
    const from = this.#path.findIndex(({ signal, bit }) => signal === next.signal && bit === next.bit);
    if (from < 0) {
      this.#visit(next);
      return;
    }
    const loop = this.#path.slice(from);
    if (loop.some(({ signal }) => this.#told.has(signal))) return;
    for (const { signal } of loop) this.#told.add(signal);
    this.loops.push(loop);
  }
}

/** The bits of a source that the bit at a place of the value follows. */
function bitsBehind({ signal, low, width, manner, shift }: Source, at: number): readonly Bit[] {
  const place = at - shift;
  if (place < 0) return [];
  const all = (count: number): Bit[] => Array.from({ length: count }, (_, index) => ({ signal, bit: low + index }));
  switch (manner) {
    case 'same':
      return place < width ? [{ signal, bit: low + place }] : [];
    case 'below':
      return all(Math.min(place + 1, width));
    case 'all':
      return place === 0 ? all(width) : [];
    case 'every':
      return all(width);
  }
}
