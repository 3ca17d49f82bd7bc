import type { CodeMap, Element } from '../coverage/code-map.ts';
import { Influence } from './influence.ts';
import { NONE, Slices } from './slices.ts';

/** How much each piece of code had to do with what the outputs did. */
export interface Spectrum {
  /** Weight of the steps in which a difference began at an output. */
  readonly failed: number;
  /** By element: how much of that it had a part in, and how much of what was right. */
  readonly activity: ReadonlyMap<Element, { readonly failed: number; readonly passed: number }>;
  /** Branches that were taken in any step. */
  readonly taken: ReadonlySet<number>;
}

export interface Steps {
  readonly count: number;
  /** Indexes of the outputs that differ in a step. */
  readonly differing: (step: number) => readonly number[];
  /** Clocks moved in a step. */
  readonly clocked: (step: number) => boolean;
  /** Whether a branch was taken in a step. */
  readonly took: (step: number, branch: number) => boolean;
  /** Whether an element that stands for a missing arm has in a step a value that it had where an output was wrong. */
  readonly isMissing: (element: number, step: number) => boolean;
  /** First step that is compared. */
  readonly from: number;
}

/** The part of code in a value shrinks by this factor with each register between. */
const PER_REGISTER = 0.95;
/** Weights behind the first difference: from there on state may be wrong where the code is right, and what is right may be so by chance. */
const BEHIND_FIRST = { failed: 0.5, passed: 0.05 } as const;
/** Work of carrying slices on, in bytes joined. */
const MOST_WORK = 400_000_000;
/** Rounds that logic needs until nothing changes, as a rule. */
const ROUNDS = 3;
/** Steps with fewer of which before the first difference nothing is said. */
const FEWEST_STEPS = 4;

/**
 * How much each element had a part in what the outputs did, from dynamic slices: an output that is wrong where it was right before tells against all
 * that had a part in its value, one that is right for it. What goes on being wrong tells nothing. Undefined where following the steps is too much work.
 */
export function spectrumOf(code: CodeMap, top: string, outputs: readonly string[], steps: Steps): Spectrum | undefined {
  const influence = new Influence(code);
  const ids = outputs.map((name) => influence.id({ module: top, name }));
  const names = new Set(ids.flatMap((id) => [...influence.cone(id).names]));
  const window = windowOf(steps, influence, names);
  if (window === undefined) return undefined;
  const hasState = code.elements.some(({ runs }) => runs === 'clocked');
  const slices = new Slices(code, influence, names);
  const failed = new Float64Array(code.elements.length);
  const passed = new Float64Array(code.elements.length);
  let [failures, isBehind] = [0, false];
  let before: readonly number[] = [];
  for (let step = window.from; step < window.to; step++) {
    slices.advance({ took: (branch) => steps.took(step, branch), clocked: steps.clocked(step), isMissing: (element) => steps.isMissing(element, step) });
    if (step < steps.from) continue;
    const now = steps.differing(step);
    const weights = isBehind && hasState ? BEHIND_FIRST : { failed: 1, passed: 1 };
    for (const [output, id] of ids.entries()) {
      const fails = now.includes(output);
      if (fails && before.includes(output)) continue;
      if (fails) failures += weights.failed;
      const [sum, weight] = fails ? [failed, weights.failed] : [passed, weights.passed];
      for (const [element, registers] of slices.of(id).entries()) if (registers !== NONE) sum[element] = (sum[element] ?? 0) + weight * PER_REGISTER ** registers;
    }
    isBehind ||= now.length > 0;
    before = now;
  }
  return { failed: failures, taken: takenIn(steps, code.branches.length), activity: new Map(code.elements.map((element, index) => [element, { failed: failed[index] ?? 0, passed: passed[index] ?? 0 }])) };
}

function takenIn({ count, took }: Steps, branches: number): Set<number> {
  const taken = new Set<number>();
  for (let step = 0; step < count && taken.size < branches; step++) {
    for (let branch = 0; branch < branches; branch++) if (took(step, branch)) taken.add(branch);
  }
  return taken;
}

/** The steps that can be followed, around the first difference. */
function windowOf({ count, differing }: Steps, influence: Influence, names: ReadonlySet<number>): { readonly from: number; readonly to: number } | undefined {
  let first = 0;
  while (first < count && differing(first).length === 0) first++;
  let joins = 1;
  for (const name of names) {
    joins += influence.connected(name).length;
    for (const element of influence.drivers(name)) joins += influence.reads(element).length;
  }
  const most = Math.floor(MOST_WORK / (ROUNDS * joins * influence.elements.length));
  const behind = Math.min(count - first, Math.ceil(most / 2));
  const from = Math.max(0, first + behind - most);
  return first - from < Math.min(first, FEWEST_STEPS) ? undefined : { from, to: first + behind };
}

/**
 * How often a kind of code is the cause, among code of equal activity: what chooses between values before what computes them, since a wrong choice shows in
 * several branches, then what only passes values on, then the event list of a process.
 */
const WEIGHTS: Readonly<Record<Element['kind'], number>> = { assignment: 1, condition: 1.05, declaration: 0.9, connection: 0.8, event: 0.7 };

/** Arms of a `case` that may never be taken until that says nothing of the one among them. */
const MOST_IDLE = 2;
const IDLE_BEFORE_GAP = 1.02;

/** The label of an arm comes behind the code of the arm itself, and so does an arm or an `else` that need not be missing. */
const ONE_BRANCH = 0.95;

function weightOf({ kind, branches, gap }: Element): number {
  return kind === 'condition' && branches.length === 1 && gap?.lacks !== 'arm' ? ONE_BRANCH : WEIGHTS[kind];
}

/** An element with how suspicious it is. */
export interface Suspicion {
  readonly element: Element;
  /** 0 to 1, and somewhat more for what is suspicious by its kind. */
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
 * The code that can have an influence on the differing outputs, most suspicious first: Ochiai's coefficient over the slices in
 * which a piece takes part (Abreu, Zoeteweij and van Gemund 2007), with more weight on how many of the differences it explains; among equals the nearest to an
 * output. Where nothing is known about the steps, the share of the differing outputs that it can reach.
 */
export function rankSuspects({ code, top, outputs, spectrum, isEvent }: SuspectOptions): Suspicion[] {
  const influence = new Influence(code);
  const cones = outputs.map((name) => influence.cone(influence.id({ module: top, name })).distances);
  const found = code.elements.flatMap((element, index): Suspicion[] => {
    const distances = cones.flatMap((cone) => cone.get(index) ?? []);
    if (distances.length === 0 || (element.gap !== undefined && spectrum === undefined)) return [];
    const distance = Math.min(...distances);
    const activity = spectrum === undefined ? distances.length / outputs.length : coefficient(element, spectrum);
    const score = isEvent && element.kind === 'event' ? WEIGHTS.condition + activity : weightOf(element) * activity;
    return [{ element, score, distance }];
  });
  return withIdleArms(withConstants(found), influence, spectrum).sort((a, b) => b.score - a.score || a.distance - b.distance);
}

/** A constant is as suspicious as the code that uses it. */
function withConstants(found: readonly Suspicion[]): Suspicion[] {
  const users = new Map<string, number>();
  const keyOf = ({ module }: Element, name: string): string => `${module} ${name}`;
  for (const { element, score } of found) {
    if (element.kind === 'declaration' || element.kind === 'event' || element.gap !== undefined) continue;
    for (const name of element.reads) users.set(keyOf(element, name), Math.max(score, users.get(keyOf(element, name)) ?? 0));
  }
  return found.map((suspicion) => {
    const { element, score } = suspicion;
    if (element.kind !== 'declaration') return suspicion;
    return { ...suspicion, score: WEIGHTS.declaration * Math.max(score, ...element.targets.map((name) => users.get(keyOf(element, name)) ?? 0)) };
  });
}

/**
 * Where a value has no arm and an arm is never taken, its label may well be meant for that value; but not where the choice is by a state, which may not come to
 * the arm for want of the other.
 */
function withIdleArms(found: readonly Suspicion[], influence: Influence, spectrum: Spectrum | undefined): Suspicion[] {
  const scores = new Map<Element, number>();
  const isByState = ({ module, gap }: Element): boolean =>
    (gap?.chooser.match(/[A-Za-z_]\w*/g) ?? []).some((name) => [...influence.cone(influence.id({ module, name })).distances.keys()].some((index) => influence.elements[index]?.runs === 'clocked'));
  for (const { element, score } of found) {
    const { gap } = element;
    if (gap === undefined || gap.lacks === 'else' || score === 0 || isByState(element)) continue;
    const idle = spectrum === undefined ? [] : gap.arms.filter((arm) => !spectrum.taken.has(arm));
    if (idle.length === 0 || idle.length > MOST_IDLE) continue;
    for (const { element: label } of found) {
      const [arm, ...others] = label.branches;
      if (label.kind === 'condition' && label.gap === undefined && others.length === 0 && arm !== undefined && idle.includes(arm)) scores.set(label, score * IDLE_BEFORE_GAP);
    }
  }
  return found.map((suspicion) => ({ ...suspicion, score: Math.max(suspicion.score, scores.get(suspicion.element) ?? 0) }));
}

function coefficient(element: Element, { failed, activity }: Spectrum): number {
  const counts = activity.get(element);
  if (counts === undefined || counts.failed === 0) return 0;
  return Math.sqrt(counts.failed / failed) * (counts.failed / Math.sqrt(failed * (counts.failed + counts.passed)));
}
