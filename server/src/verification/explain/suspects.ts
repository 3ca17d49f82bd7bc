import type { CodeMap, Element } from '../coverage/code-map.ts';

/** In how many steps each piece of code was active. */
export interface Spectrum {
  /** Steps in which a difference began, and steps without one. */
  readonly failed: number;
  readonly passed: number;
  /** By element: how many of those it was active in. */
  readonly activity: ReadonlyMap<Element, { readonly failed: number; readonly passed: number }>;
}

/** What a step showed: a difference that was not there before, none, or one that goes on and says nothing new. */
export type StepOutcome = 'fails' | 'passes' | 'goes on';

/**
 * Counts in which steps each element was active: some branch of it was. A process that does not run in a step keeps the branches
 * of its last run, since what they set still holds. `marks` holds `words` words of 32 branches for every step.
 */
export function spectrumOf({ branches, elements }: Pick<CodeMap, 'branches' | 'elements'>, marks: Uint32Array, words: number, outcomes: readonly StepOutcome[]): Spectrum {
  const processes = new Map<number, number[]>();
  for (const [branch, { process }] of branches.entries()) processes.set(process, [...(processes.get(process) ?? []), branch]);
  const active = new Uint8Array(branches.length);
  const activity = new Map(elements.map((element) => [element, { failed: 0, passed: 0 }]));
  let failed = 0;
  let passed = 0;
  for (const [step, outcome] of outcomes.entries()) {
    const marked = (branch: number): number => ((marks[step * words + (branch >> 5)] ?? 0) >>> (branch & 31)) & 1;
    for (const own of processes.values()) if (own.some((branch) => marked(branch) === 1)) for (const branch of own) active[branch] = marked(branch);
    if (outcome === 'goes on') continue;
    if (outcome === 'fails') failed++;
    else passed++;
    for (const [element, counts] of activity) {
      if (element.branches.length > 0 && !element.branches.some((branch) => active[branch] === 1)) continue;
      if (outcome === 'fails') counts.failed++;
      else counts.passed++;
    }
  }
  return { failed, passed, activity };
}

/**
 * How often a kind of code is the cause, among code of equal activity: what computes a value before what chooses between values,
 * then what only passes values on, then the event list of a process.
 */
const WEIGHTS: Readonly<Record<Element['kind'], number>> = { assignment: 1, condition: 0.95, declaration: 0.9, connection: 0.8, event: 0.7 };

/** An element with how suspicious it is. */
export interface Suspicion {
  readonly element: Element;
  /** 0 to 1. */
  readonly score: number;
  /** Assignments between it and the nearest output that differs. */
  readonly distance: number;
}

export interface SuspectOptions {
  readonly code: CodeMap;
  /** The module that is verified. */
  readonly top: string;
  /** Outputs that differed in some step. */
  readonly outputs: readonly string[];
  /** Undefined where nothing is known about the steps. */
  readonly spectrum: Spectrum | undefined;
  /** When the differences begin speaks for the event list of a process. */
  readonly isEvent: boolean;
}

/**
 * The code that can have an influence on the differing outputs, most suspicious first: Ochiai's coefficient over the branches in
 * which a piece takes part (Abreu, Zoeteweij and van Gemund 2007), times the share of the differing outputs that it can reach;
 * among equals the nearest to an output.
 */
export function rankSuspects({ code, top, outputs, spectrum, isEvent }: SuspectOptions): Suspicion[] {
  const graph = new Influence(code);
  const cones = outputs.map((output) => graph.cone(top, output));
  const found = code.elements.flatMap((element): Suspicion[] => {
    const distances = cones.flatMap((cone) => cone.get(element) ?? []);
    if (distances.length === 0) return [];
    const weight = isEvent && element.kind === 'event' ? 1 : WEIGHTS[element.kind];
    const activity = isEvent && element.kind === 'event' ? 1 : ochiai(element, spectrum);
    return [{ element, score: (weight * activity * distances.length) / outputs.length, distance: Math.min(...distances) }];
  });
  return withConstants(found).sort((a, b) => b.score - a.score || a.distance - b.distance);
}

/** A constant is as active as the code that uses it. */
function withConstants(found: readonly Suspicion[]): Suspicion[] {
  const users = new Map<string, number>();
  for (const { element, score } of found) {
    if (element.kind === 'declaration' || element.kind === 'event') continue;
    for (const name of element.reads) {
      const key = keyOf({ module: element.module, name });
      users.set(key, Math.max(score, users.get(key) ?? 0));
    }
  }
  return found.map((suspicion) => {
    const { element, score } = suspicion;
    if (element.kind !== 'declaration') return suspicion;
    return { ...suspicion, score: WEIGHTS.declaration * Math.max(score, ...element.targets.map((name) => users.get(keyOf({ module: element.module, name })) ?? 0)) };
  });
}

function ochiai(element: Element, spectrum: Spectrum | undefined): number {
  const counts = spectrum?.activity.get(element);
  if (spectrum === undefined || counts === undefined || spectrum.failed === 0) return 1;
  return counts.failed === 0 ? 0 : counts.failed / Math.sqrt(spectrum.failed * (counts.failed + counts.passed));
}

interface Signal {
  readonly module: string;
  readonly name: string;
}

/** Which elements give a name its value, through instances. */
class Influence {
  readonly #drivers = new Map<string, Element[]>();
  /** The other ends of the ports that a name is connected to, downwards and upwards. */
  readonly #connected = new Map<string, Signal[]>();

  constructor({ elements, instances, ports }: CodeMap) {
    for (const element of elements) for (const name of element.targets) addTo(this.#drivers, { module: element.module, name }, element);
    for (const { module: holder, of, connections, wildcard } of instances) {
      const named = connections.map(({ port, names }) => ({ port: typeof port === 'string' ? port : (ports.get(of)?.[port] ?? ''), names }));
      const taken = new Set(named.map(({ port }) => port));
      const implied = wildcard ? (ports.get(of) ?? []).filter((port) => !taken.has(port)).map((port) => ({ port, names: [port] })) : [];
      for (const { port, names } of [...named, ...implied]) {
        for (const name of names) {
          addTo(this.#connected, { module: holder, name }, { module: of, name: port });
          addTo(this.#connected, { module: of, name: port }, { module: holder, name });
        }
      }
    }
  }

  /** The elements with an influence on a name, and how many assignments away each is. */
  cone(module: string, name: string): Map<Element, number> {
    const found = new Map<Element, number>();
    const seen = new Set<string>();
    let level: Signal[] = [{ module, name }];
    for (let distance = 0; level.length > 0; distance++) {
      const next: Signal[] = [];
      // What is reached through ports is as near as the name itself.
      for (let at = level.pop(); at !== undefined; at = level.pop()) {
        const key = keyOf(at);
        if (seen.has(key)) continue;
        seen.add(key);
        level.push(...(this.#connected.get(key) ?? []));
        for (const element of this.#drivers.get(key) ?? []) {
          if (found.has(element)) continue;
          found.set(element, distance);
          for (const read of element.reads) next.push({ module: element.module, name: read });
        }
      }
      level = next;
    }
    return found;
  }
}

function keyOf({ module, name }: Signal): string {
  return `${module} ${name}`;
}

function addTo<Value>(map: Map<string, Value[]>, signal: Signal, value: Value): void {
  const list = map.get(keyOf(signal));
  if (list === undefined) map.set(keyOf(signal), [value]);
  else list.push(value);
}
