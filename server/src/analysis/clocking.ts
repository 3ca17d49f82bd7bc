import type { Elaboration } from './elaborate.ts';
import { classifyBlock, eventUses, RESET_NAME } from './event-block.ts';
import type { EventUse, LevelTest } from './event-block.ts';
import type { EventTerm, Statement } from './items.ts';
import { feedsItself, holdsValue, missesReads } from './latches.ts';
import type { Clock, Clocking, Edge, Reset } from './module.ts';
import type { Scope } from './scope.ts';
import { composePhase, Tracer, withPhase } from './trace.ts';
import type { Phase, Root, Trace } from './trace.ts';

const CLOCK_NAME = /cl(?:oc)?k|(?:^|_)ck(?:_|$)/i;
/** A control by its name; such an input is a reset only when its name says that too. */
const CONTROL_NAME = /(?:^|_)(?:c?en|ena|enable|ce|ld|load|va?li?d|we|wr|rd|re|start|go|push|pop|sel|up|down|shift|data|d|in|din)(?:_|\d|$)/i;

/**
 * Finds clocks, resets and latches of a module and everything below it, seen from its own ports. Event controls are traced
 * back through connections, assignments, inverters, gates and multiplexers; a clock that a register divides leads to the
 * clock of that register, which has an event control of its own.
 */
export function analyzeClocking(elaboration: Elaboration): Clocking {
  const tracers = new Map<Elaboration, Tracer>();
  const timings = new Map<Elaboration, Timing>();
  const tracerOf = (module: Elaboration): Tracer => {
    let tracer = tracers.get(module);
    if (!tracer) {
      tracer = new Tracer(module, tracerOf);
      tracers.set(module, tracer);
    }
    return tracer;
  };
  const timingOf = (module: Elaboration): Timing => {
    let timing = timings.get(module);
    if (!timing) {
      timing = new Timing(module, tracerOf(module), timingOf);
      timings.set(module, timing);
    }
    return timing;
  };
  return timingOf(elaboration).result();
}

interface ClockUse {
  readonly root: Root;
  readonly edges: Set<Edge>;
}

interface ResetUse {
  readonly root: Root;
  readonly active: Reset['active'];
  readonly kind: Reset['kind'];
}

/** Clocks and resets of one module at its own ports. */
class Timing {
  readonly #module: Elaboration;
  readonly #tracer: Tracer;
  readonly clocks = new Map<string, ClockUse>();
  readonly resets = new Map<string, ResetUse>();
  sequential = false;
  latches = false;
  gated = false;
  complete: boolean;

  constructor(module: Elaboration, tracer: Tracer, timingOf: (module: Elaboration) => Timing) {
    this.#module = module;
    this.#tracer = tracer;
    this.complete = module.complete && module.unresolved.length === 0;
    for (const { item, scope } of module.items) {
      if (item.kind === 'always' || item.kind === 'initial') this.#process(item.body, item.kind === 'always' ? item.keyword : 'initial', scope);
      else if (item.kind === 'assign' && feedsItself(item.target, item.value, scope)) this.latches = true;
    }
    for (const child of module.children) {
      if (child.module) this.#child(timingOf(child.module), child);
      else this.complete = false;
    }
    this.sequential ||= this.latches;
  }

  result(): Clocking {
    const order = new Map(this.#module.ports.map((port, index) => [port.name, index]));
    const byPort = (a: { port: string }, b: { port: string }): number => (order.get(a.port) ?? 0) - (order.get(b.port) ?? 0);
    const clocks = [...this.clocks.values()].map(({ root, edges }): Clock => ({ ...this.#place(root), edges: (['posedge', 'negedge'] as const).filter((edge) => edges.has(edge)) }));
    const resets = [...this.resets.values()].map(({ root, active, kind }): Reset => ({ ...this.#place(root), active, kind }));
    const isClock = (reset: Reset): boolean => clocks.some((clock) => clock.port === reset.port && clock.bit === reset.bit);
    return {
      clocks: clocks.sort(byPort),
      resets: resets.filter((reset) => !isClock(reset)).sort(byPort),
      sequential: this.sequential,
      latches: this.latches,
      gated: this.gated,
      complete: this.complete,
    };
  }

  /** An event control of a whole vector looks at its lowest bit. */
  #place(root: Root): { port: string; bit: number | undefined } {
    const port = this.#module.ports.find((candidate) => candidate.name === root.port);
    const isVector = (port?.width ?? 1) > 1;
    const lowest = port?.packed[0]?.right ?? 0;
    return { port: root.port, bit: isVector ? (root.bit ?? lowest) : undefined };
  }

  #process(body: Statement, keyword: string, scope: Scope): void {
    const uses = eventUses(body);
    for (const use of uses) this.#event(use, scope);
    if (keyword === 'initial') return;
    if (keyword === 'always_latch') {
      this.latches = true;
      return;
    }
    if (keyword === 'always_comb' || (uses.length === 1 && uses[0]?.terms === '*')) {
      if (holdsValue(body, scope)) this.latches = true;
    } else if (uses.length === 0) {
      // An `always` without event control runs on time alone.
      this.sequential = true;
      this.complete = false;
    }
  }

  #event({ terms, body }: EventUse, scope: Scope): void {
    if (terms === '*') return;
    const edges = terms.filter((term) => term.edge !== undefined);
    const levels = terms.filter((term) => term.edge === undefined);
    if (levels.length > 0) this.#levels(levels, edges.length > 0, body, scope);
    if (edges.length === 0) return;
    this.sequential = true;
    const block = classifyBlock(edges, body, scope, (signal, term) => sameRoot(this.#tracer.trace(signal, scope), this.#tracer.trace(term.expression, scope)));
    for (const term of block.clocks) this.#clock(term, scope);
    for (const test of block.asyncResets) this.#reset(test, 'async', scope);
    for (const test of block.syncResets) {
      const traced = this.#tracer.trace(test.signal, scope);
      if (this.#looksLikeReset(test, traced)) this.#reset(test, 'sync', scope);
    }
  }

  #levels(levels: readonly EventTerm[], mixed: boolean, body: Statement, scope: Scope): void {
    const misses = missesReads(levels, body, scope);
    const traced = levels.map((term) => this.#tracer.trace(term.expression, scope));
    // A level list with nothing but a clock works on both of its edges.
    if (misses && !mixed && traced.every((trace) => trace.roots.length > 0 && trace.roots.every((root) => CLOCK_NAME.test(root.port)))) {
      this.sequential = true;
      for (const trace of traced) for (const root of trace.roots) this.#addClock({ ...root, phase: 'both' }, ['posedge', 'negedge']);
      return;
    }
    if (mixed || misses || holdsValue(body, scope)) this.latches = true;
  }

  #clock(term: EventTerm, scope: Scope): void {
    const traced = this.#tracer.trace(term.expression, scope);
    if (!traced.complete) this.complete = false;
    const edges: readonly Edge[] = term.edge === 'posedge' || term.edge === 'negedge' ? [term.edge] : ['posedge', 'negedge'];
    this.gated ||= traced.chosen;
    for (const root of this.#clocksAmong(traced.roots)) this.#addClock(root, edges);
  }

  /** Where a clock is gated, the enable comes to the same event control; names tell them apart when they can. */
  #clocksAmong(roots: readonly Root[]): readonly Root[] {
    const named = roots.filter((root) => CLOCK_NAME.test(root.port));
    if (named.length > 0 && named.length < roots.length) this.gated = true;
    return named.length > 0 ? named : roots;
  }

  /** What several inputs make may show a pulse where they change at once, in one description and not in another. */
  #mayGlitch({ roots, chosen }: Trace): void {
    if (roots.length > 1 || chosen) this.gated = true;
  }

  #addClock(root: Root, edges: readonly Edge[]): void {
    const seen = edges.flatMap((edge) => edgesThrough(edge, root.phase));
    const key = `${root.port} ${root.bit ?? ''}`;
    const known = this.clocks.get(key);
    if (known) for (const edge of seen) known.edges.add(edge);
    else this.clocks.set(key, { root, edges: new Set(seen) });
  }

  #reset(test: LevelTest, kind: Reset['kind'], scope: Scope): void {
    const traced = this.#tracer.trace(test.signal, scope);
    if (!traced.complete) this.complete = false;
    if (kind === 'async') this.#mayGlitch(traced);
    for (const root of traced.roots) this.#addReset(root, test.active, kind);
  }

  #addReset(root: Root, level: Reset['active'], kind: Reset['kind']): void {
    if (root.phase === 'both') return;
    const active = root.phase === 'same' ? level : level === 'high' ? 'low' : 'high';
    const key = `${root.port} ${root.bit ?? ''}`;
    // An asynchronous use decides: it is the stronger demand on the stimulus.
    if (kind === 'async' || !this.resets.has(key)) this.resets.set(key, { root, active, kind });
  }

  #looksLikeReset(test: LevelTest & { structural: boolean }, traced: Trace): boolean {
    if (traced.roots.length === 0 || traced.roots.some((root) => (this.#widthOf(root) ?? 1) !== 1)) return false;
    if (traced.roots.every((root) => RESET_NAME.test(root.port))) return true;
    const [root, ...others] = traced.roots;
    return test.structural && !traced.stored && traced.complete && root !== undefined && others.length === 0 && !CONTROL_NAME.test(root.port);
  }

  #widthOf(root: Root): number | undefined {
    return root.bit === undefined ? this.#module.ports.find((port) => port.name === root.port)?.width : 1;
  }

  #child(timing: Timing, child: Elaboration['children'][number]): void {
    this.sequential ||= timing.sequential;
    this.latches ||= timing.latches;
    this.gated ||= timing.gated;
    this.complete &&= timing.complete;
    for (const { root, edges } of timing.clocks.values()) {
      const traced = this.#tracer.traceThrough(child, root.phase === 'same' ? root : { ...root, phase: 'same' });
      if (!traced.complete) this.complete = false;
      this.gated ||= traced.chosen;
      for (const outer of this.#clocksAmong(traced.roots)) this.#addClock(outer, [...edges]);
    }
    for (const { root, active, kind } of timing.resets.values()) {
      const traced = withPhase(this.#tracer.traceThrough(child, { ...root, phase: 'same' }), 'same');
      if (!traced.complete) this.complete = false;
      if (kind === 'async') this.#mayGlitch(traced);
      if (kind === 'sync' && traced.roots.length > 1 && !traced.roots.every((outer) => RESET_NAME.test(outer.port))) continue;
      for (const outer of traced.roots) this.#addReset(outer, active, kind);
    }
  }
}

function edgesThrough(edge: Edge, phase: Phase): Edge[] {
  if (phase === 'both') return ['posedge', 'negedge'];
  return composePhase(phase, 'same') === 'same' ? [edge] : [edge === 'posedge' ? 'negedge' : 'posedge'];
}

function sameRoot(a: Trace, b: Trace): boolean {
  const [first] = a.roots;
  const [second] = b.roots;
  return a.roots.length === 1 && b.roots.length === 1 && first?.port === second?.port && first?.bit === second?.bit;
}
