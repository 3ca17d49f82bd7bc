/**
 * Two-level minimisation with don't-cares.
 *
 * Prime implicants by the tabular method of Quine and McCluskey (E. J. McCluskey, "Minimization of Boolean Functions", Bell System Technical Journal 35,
 * 1956); then essential primes and row and column dominance, and on what is left (the cyclic core) a branch-and-bound search for the cheapest cover, which finds
 * the same covers as Petrick's method without multiplying out. Above a bounded search the best cover so far is taken, a greedy one at the worst.
 */

/** A product term: a letter of `0`, `1` or `-` for each input. */
export type Cube = string;

export interface Cover {
  /** Their sum is the function; empty for the constant 0. */
  readonly cubes: readonly Cube[];
  /** The cover is known to be one of the cheapest: fewest terms, then fewest literals. */
  readonly exact: boolean;
}

/** Value of one input combination: it must be 0, must be 1, or does not matter. */
export type Care = 0 | 1 | 2;
export const DONT_CARE = 2;

/** Branches that the search for a cheapest cover may take. */
const MOST_BRANCHES = 1000;
/** A search with more primes than this starts from the greedy cover and is not continued. */
const MOST_PRIMES_IN_SEARCH = 400;

/** A cube in bits: `care` marks fixed inputs, `value` their values. Bit `inputs - 1 - i` belongs to letter `i`. */
interface Implicant {
  readonly care: number;
  readonly value: number;
}

/**
 * A cheapest sum of products for a function of `inputs` variables. `values[i]` is the value for the combination `i`, whose most significant bit is the first
 * input; its length is `2 ** inputs`. At most 16 inputs.
 */
export function minimize(values: ArrayLike<Care>, inputs: number): Cover {
  const ones = indicesOf(values, 1);
  if (ones.length === 0) return { cubes: [], exact: true };
  if (!Array.prototype.includes.call(values, 0)) return { cubes: ['-'.repeat(inputs)], exact: true };
  const primes = inputs <= 10 ? primeImplicants(values, inputs) : expandedPrimes(values, ones, inputs);
  const { chosen, exact } = cheapestCover(ones, primes, inputs);
  const cubes = chosen.map((prime) => text(prime, inputs)).sort((a, b) => (a > b ? -1 : 1));
  return { cubes, exact: exact && inputs <= 10 };
}

function indicesOf(values: ArrayLike<Care>, wanted: Care): number[] {
  const found: number[] = [];
  for (let at = 0; at < values.length; at++) if (values[at] === wanted) found.push(at);
  return found;
}

/** All prime implicants, those of don't-cares alone left out. */
function primeImplicants(values: ArrayLike<Care>, inputs: number): Implicant[] {
  const all = 2 ** inputs - 1;
  const primes: Implicant[] = [];
  let level = new Map<number, Implicant>();
  // A cube's key is its care mask above its value, which is unique up to 16 inputs.
  const key = (care: number, value: number): number => care * 65536 + value;
  for (let at = 0; at < values.length; at++) if (values[at] !== 0) level.set(key(all, at), { care: all, value: at });
  while (level.size > 0) {
    const next = new Map<number, Implicant>();
    for (const { care, value } of level.values()) {
      let prime = true;
      for (let bit = 1; bit <= all; bit *= 2) {
        if ((care & bit) === 0 || !level.has(key(care, value ^ bit))) continue;
        prime = false;
        const merged = { care: care & ~bit, value: value & ~bit };
        next.set(key(merged.care, merged.value), merged);
      }
      if (prime && coversOne({ care, value }, values, all)) primes.push({ care, value });
    }
    level = next;
  }
  return primes;
}

function coversOne({ care, value }: Implicant, values: ArrayLike<Care>, all: number): boolean {
  const free = all & ~care;
  // Runs through all subsets of the free bits.
  for (let subset = free; ; subset = (subset - 1) & free) {
    if (values[value | subset] === 1) return true;
    if (subset === 0) return false;
  }
}

/** One prime for each combination that must be 1, by raising one input after the other while no 0 is touched: for functions too wide for all primes. */
function expandedPrimes(values: ArrayLike<Care>, ones: readonly number[], inputs: number): Implicant[] {
  const all = 2 ** inputs - 1;
  const covered = new Uint8Array(values.length);
  const primes: Implicant[] = [];
  for (const one of ones) {
    if (covered[one] === 1) continue;
    let care = all;
    for (let bit = 1; bit <= all; bit *= 2) if (isImplicant({ care: care & ~bit, value: one & care & ~bit }, values, all)) care &= ~bit;
    const prime = { care, value: one & care };
    primes.push(prime);
    for (let subset = all & ~care; ; subset = (subset - 1) & ~care & all) {
      covered[prime.value | subset] = 1;
      if (subset === 0) break;
    }
  }
  return primes;
}

function isImplicant({ care, value }: Implicant, values: ArrayLike<Care>, all: number): boolean {
  const free = all & ~care;
  for (let subset = free; ; subset = (subset - 1) & free) {
    if (values[value | subset] === 0) return false;
    if (subset === 0) return true;
  }
}

interface Candidate {
  readonly prime: Implicant;
  /** One term counts for more than all literals. */
  readonly cost: number;
  readonly covers: ReadonlySet<number>;
}

function cheapestCover(ones: readonly number[], primes: readonly Implicant[], inputs: number): { chosen: Implicant[]; exact: boolean } {
  const open = representatives(ones, primes);
  const candidates = primes.map((prime): Candidate => ({ prime, cost: 1000 + literals(prime, inputs), covers: new Set(open.filter((one) => (one & prime.care) === prime.value)) }));
  const search = new CoverSearch();
  const chosen = search.solve({ open: new Set(open), candidates });
  return { chosen: chosen.map(({ prime }) => prime), exact: !search.gaveUp };
}

/** One of all combinations that the same primes cover. */
function representatives(ones: readonly number[], primes: readonly Implicant[]): number[] {
  const found = new Map<string, number>();
  for (const one of ones) {
    const by = primes.flatMap(({ care, value }, at) => ((one & care) === value ? [at] : [])).join();
    if (!found.has(by)) found.set(by, one);
  }
  return [...found.values()];
}

function literals({ care }: Implicant, inputs: number): number {
  let sum = 0;
  for (let bit = 0; bit < inputs; bit++) sum += (care >> bit) & 1;
  return sum;
}

interface CoverProblem {
  readonly open: ReadonlySet<number>;
  readonly candidates: readonly Candidate[];
}

/** Looks for a cheapest set of candidates that covers all open combinations. */
class CoverSearch {
  gaveUp = false;
  #branches = 0;
  #best: readonly Candidate[] = [];
  #bestCost = Infinity;

  solve(problem: CoverProblem): readonly Candidate[] {
    const { taken, rest } = reduce(problem);
    if (rest.open.size === 0) return taken;
    this.#best = greedy(rest);
    this.#bestCost = costOf(this.#best);
    if (rest.candidates.length > MOST_PRIMES_IN_SEARCH) this.gaveUp = true;
    else this.#search(rest, []);
    return [...taken, ...this.#best];
  }

  #search(problem: CoverProblem, taken: readonly Candidate[]): void {
    if (++this.#branches > MOST_BRANCHES) {
      this.gaveUp = true;
      return;
    }
    const reduced = reduce(problem);
    const own = [...taken, ...reduced.taken];
    const cost = costOf(own);
    if (reduced.rest.open.size === 0) {
      if (cost < this.#bestCost) [this.#best, this.#bestCost] = [own, cost];
      return;
    }
    if (cost + lowerBound(reduced.rest) >= this.#bestCost) return;
    // Branch on the combination with the fewest choices.
    const choices = fewestChoices(reduced.rest);
    for (const choice of choices) {
      this.#search(without(reduced.rest, choice), [...own, choice]);
      if (this.gaveUp) return;
    }
  }
}

function costOf(candidates: readonly Candidate[]): number {
  return candidates.reduce((sum, { cost }) => sum + cost, 0);
}

/** The problem after a candidate is taken. */
function without({ open, candidates }: CoverProblem, taken: Candidate): CoverProblem {
  const left = new Set([...open].filter((one) => !taken.covers.has(one)));
  const narrowed = candidates.flatMap((candidate): Candidate[] => {
    if (candidate === taken) return [];
    const covers = new Set([...candidate.covers].filter((one) => left.has(one)));
    return covers.size === 0 ? [] : [{ ...candidate, covers }];
  });
  return { open: left, candidates: narrowed };
}

/** Takes essential candidates and drops dominated candidates and combinations until nothing changes. */
function reduce(problem: CoverProblem): { taken: Candidate[]; rest: CoverProblem } {
  const taken: Candidate[] = [];
  let rest = problem;
  for (;;) {
    const essential = [...rest.open].map((one) => rest.candidates.filter(({ covers }) => covers.has(one))).find((choices) => choices.length === 1)?.[0];
    if (essential !== undefined) {
      taken.push(essential);
      rest = without(rest, essential);
      continue;
    }
    if (rest.candidates.length > MOST_PRIMES_IN_SEARCH) return { taken, rest };
    const kept = undominated(rest.candidates);
    const easier = dominatingOnes({ open: rest.open, candidates: kept });
    if (kept.length === rest.candidates.length && easier.size === 0) return { taken, rest };
    const open = new Set([...rest.open].filter((one) => !easier.has(one)));
    rest = { open, candidates: kept.map((candidate) => ({ ...candidate, covers: new Set([...candidate.covers].filter((one) => open.has(one))) })) };
  }
}

/** Candidates of which no other, no dearer one covers as much. */
function undominated(candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter((candidate, at) =>
    !candidates.some((other, index) => other !== candidate && other.cost <= candidate.cost && candidate.covers.size <= other.covers.size && isSubset(candidate.covers, other.covers) && (candidate.covers.size < other.covers.size || other.cost < candidate.cost || index < at)),
  );
}

/** Combinations that are covered whenever some other one is. */
function dominatingOnes({ open, candidates }: CoverProblem): Set<number> {
  const coveredBy = [...open].map((one) => ({ one, by: new Set([...candidates.keys()].filter((at) => candidates[at]?.covers.has(one) === true)) }));
  const dropped = new Set<number>();
  for (const [at, row] of coveredBy.entries()) {
    const implied = coveredBy.some((other, index) => index !== at && !dropped.has(other.one) && other.by.size <= row.by.size && isSubset(other.by, row.by) && (other.by.size < row.by.size || index < at));
    if (implied) dropped.add(row.one);
  }
  return dropped;
}

function isSubset(inner: ReadonlySet<number>, outer: ReadonlySet<number>): boolean {
  for (const item of inner) if (!outer.has(item)) return false;
  return true;
}

/** Combinations that share no candidate need a term each. */
function lowerBound({ open, candidates }: CoverProblem): number {
  let bound = 0;
  const blocked = new Set<number>();
  for (const one of open) {
    if (blocked.has(one)) continue;
    const choices = candidates.filter(({ covers }) => covers.has(one));
    bound += Math.min(...choices.map(({ cost }) => cost));
    for (const { covers } of choices) for (const other of covers) blocked.add(other);
  }
  return bound;
}

function fewestChoices({ open, candidates }: CoverProblem): Candidate[] {
  let best: Candidate[] | undefined;
  for (const one of open) {
    const choices = candidates.filter(({ covers }) => covers.has(one));
    if (best === undefined || choices.length < best.length) best = choices;
  }
  return (best ?? []).sort((a, b) => b.covers.size - a.covers.size || a.cost - b.cost);
}

/** Always the candidate that covers most; then those that the others make superfluous are dropped. */
function greedy(problem: CoverProblem): Candidate[] {
  const chosen: Candidate[] = [];
  let rest = problem;
  while (rest.open.size > 0) {
    let best: Candidate | undefined;
    for (const candidate of rest.candidates) {
      if (best === undefined || candidate.covers.size > best.covers.size || (candidate.covers.size === best.covers.size && candidate.cost < best.cost)) best = candidate;
    }
    if (best === undefined) break;
    const { prime } = best;
    chosen.push(problem.candidates.find((candidate) => candidate.prime === prime) ?? best);
    rest = without(rest, best);
  }
  for (const candidate of [...chosen].reverse()) {
    const others = chosen.filter((other) => other !== candidate);
    if ([...candidate.covers].every((one) => others.some(({ covers }) => covers.has(one)))) chosen.splice(chosen.indexOf(candidate), 1);
  }
  return chosen;
}

function text({ care, value }: Implicant, inputs: number): Cube {
  let cube = '';
  for (let bit = 2 ** (inputs - 1); bit >= 1; bit /= 2) cube += (care & bit) === 0 ? '-' : (value & bit) === 0 ? '0' : '1';
  return cube;
}
