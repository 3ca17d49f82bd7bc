import { inputAt, known, numberOf, plainInputs, type Moment, type Pattern, type View } from './view.ts';
import { literal } from '../value-text.ts';

/** Changes, or chances to change, that a statement about time needs. */
const LEAST_CHANGES = 4;
const LEAST_HOLDS = 6;

/** A moment with the one before it, both known. */
interface Step {
  readonly before: Moment;
  readonly now: Moment;
}

function stepsOf({ moments }: View): Step[] {
  return moments.flatMap((now, index) => {
    const before = moments[index - 1];
    return before?.known === true && now.known ? [{ before, now }] : [];
  });
}

/** What a reset does, or when, where every difference begins while a reset is asserted. */
export function resetPattern(view: View): Pattern | undefined {
  const { moments, output, starts, exchange } = view;
  const began = starts.flatMap((index) => moments[index] ?? []);
  const windows = moments.filter(({ resetClocked }, index) => resetClocked && moments[index - 1]?.resetClocked !== true).length;
  if ((exchange.resets ?? []).length !== 1 || windows < 2 || began.some(({ inReset, known: isKnown }) => !inReset || !isKnown)) return undefined;
  const settled = moments.filter(({ resetClocked, known: isKnown }) => resetClocked && isKnown);
  const values = new Set(settled.map(({ expected }) => expected));
  const [value] = values;
  // Outside a reset the golden must have other values, else its reset does not show.
  if (values.size !== 1 || value === undefined || settled.length < LEAST_CHANGES || !moments.some(({ inReset, expected }) => !inReset && expected !== value && !/[xz]/.test(expected))) return undefined;
  const reset = exchange.resets?.[0]?.port ?? '';
  const got = new Set(settled.map(({ actual }) => actual));
  const [wrong] = got;
  if (got.size === 1 && wrong !== undefined && wrong !== value) {
    return { id: 'reset-value', text: `'${output.port}' is ${literal(wrong)} in reset, where ${literal(value)} is expected.` };
  }
  if (got.size > 1) {
    const reacts = settled.filter(({ actual }) => actual === value).length * 2 > settled.length;
    return reacts ? undefined : { id: 'reset-missing', text: `'${output.port}' does not take its reset value ${literal(value)} while '${reset}' is asserted.` };
  }
  // With a clock edge in the reset both agree, so that only its first moments differ.
  const early = moments.filter(({ inReset, resetClocked, known: isKnown }) => inReset && !resetClocked && isKnown);
  const late = early.filter(({ differs }) => differs);
  if (late.every(({ expected, actual }) => expected === value && actual !== value)) {
    return { id: 'reset-kind', text: `'${output.port}' is reset only by a clock edge, where '${reset}' is expected to act at once: a synchronous reset in place of an asynchronous one.` };
  }
  if (late.every(({ expected, actual }) => actual === value && expected !== value)) {
    return { id: 'reset-kind', text: `'${output.port}' is reset at once by '${reset}', where a clock edge is expected first: an asynchronous reset in place of a synchronous one.` };
  }
  return undefined;
}

/** The DUT moves at the edge at which the golden never does. */
export function edgePattern(view: View): Pattern | undefined {
  const { exchange, output } = view;
  const [clock, ...others] = exchange.clocks;
  if (clock === undefined || others.length > 0 || clock.edges.length !== 1) return undefined;
  const steps = stepsOf(view).filter(({ before, now }) => !before.inReset && !now.inReset);
  const changes = (edge: Moment['edge'], side: 'expected' | 'actual'): number => steps.filter(({ before, now }) => now.edge === edge && before[side] !== now[side]).length;
  if (changes('none', 'expected') + changes('none', 'actual') > 0 || changes('inactive', 'expected') > 0 || changes('active', 'expected') < LEAST_CHANGES) return undefined;
  if (changes('inactive', 'actual') < LEAST_CHANGES) return undefined;
  const [right, wrong] = clock.edges[0] === 'posedge' ? ['rising', 'falling'] : ['falling', 'rising'];
  const where = changes('active', 'actual') === 0 ? `at the ${wrong} edge of '${clock.port}'` : `at both edges of '${clock.port}'`;
  return { id: 'edge', text: `'${output.port}' changes ${where}, where only the ${right} edge is expected to change it.` };
}

/** Most differences begin at the edge at which the golden never moves: some process listens to the wrong event. */
export function beginsAtWrongEdge({ moments, starts }: View): boolean {
  const wrong = starts.filter((index) => moments[index]?.edge === 'inactive').length;
  const moves = moments.some((now, index) => now.edge === 'inactive' && !now.inReset && now.expected !== moments[index - 1]?.expected);
  return wrong * 2 > starts.length && !moves;
}

/** The first difference begins as a reset is asserted, before any clock moves: the golden follows at once, and the DUT does not. */
export function missesReset({ moments, starts }: View): boolean {
  const [first = 0] = starts;
  const [before, now] = [moments[first - 1], moments[first]];
  if (starts.length === 0 || before === undefined || now === undefined || now.edge !== 'none' || !now.inReset || before.inReset) return false;
  return now.expected !== before.expected && now.actual === before.actual;
}

/** One input holds the golden, and the DUT moves on. */
export function enablePattern(view: View): Pattern | undefined {
  const { exchange, output, moments, starts } = view;
  if (exchange.clocks.length !== 1) return undefined;
  const steps = stepsOf(view).filter(({ now, before }) => now.edge === 'active' && !now.inReset && !before.inReset);
  const began = starts.flatMap((index) => moments[index] ?? []);
  if (began.length < 2 || began.some(({ edge, inReset }) => edge !== 'active' || inReset)) return undefined;
  const fits = plainInputs(view).filter(({ width }) => width === 1).flatMap((field) =>
    ['0', '1'].filter((level) => {
      const held = steps.filter(({ now }) => inputAt(view, field, now) === level);
      const free = steps.filter(({ now }) => inputAt(view, field, now) !== level);
      const golden = held.length >= LEAST_HOLDS && held.every(({ before, now }) => before.expected === now.expected) && free.filter(({ before, now }) => before.expected !== now.expected).length >= LEAST_CHANGES;
      const startsHere = began.every((moment) => inputAt(view, field, moment) === level);
      return golden && startsHere && held.filter(({ before, now }) => before.actual !== now.actual).length >= 2;
    }).map((level) => ({ port: field.port, level })),
  );
  const [input] = fits;
  if (fits.length !== 1 || input === undefined) return undefined;
  return { id: 'enable', text: `'${output.port}' changes although '${input.port}' is ${input.level}, which is expected to hold it: the enable is ignored.` };
}

/** A count that goes on too long, ends too early, or goes wrong where it wraps. */
export function countPattern(view: View): Pattern | undefined {
  const { output, moments, starts } = view;
  const pairs = known(view);
  if (output.width < 2 || pairs.length === 0 || starts.length < 2) return undefined;
  const steps = stepsOf(view);
  const lowest = pairs.reduce((least, { expected }) => (expected < least ? expected : least), pairs[0]?.expected ?? '');
  const highest = pairs.reduce((most, { expected }) => (expected > most ? expected : most), '');
  const ups = steps.filter(({ before, now }) => numberOf(now.expected) === numberOf(before.expected) + 1n).length;
  const plain = steps.every(({ before, now }) => now.expected === before.expected || now.expected === lowest || numberOf(now.expected) === numberOf(before.expected) + 1n);
  if (!plain || ups < LEAST_CHANGES) return undefined;
  const began = starts.map((index) => ({ before: moments[index - 1], now: moments[index] }));
  // Each difference begins where the golden, or the DUT, returns to the start and the other does not.
  const atEnd = began.every(({ before, now }) => before?.known === true && now?.known === true && (now.expected === lowest) !== (now.actual === lowest));
  if (!atEnd) return undefined;
  const ends = new Set(began.map(({ before }) => before?.expected));
  const [end] = ends;
  if (ends.size !== 1 || end === undefined) return undefined;
  const dutHighest = pairs.reduce((most, { actual }) => (actual > most ? actual : most), '');
  const decimal = (bits: string): string => String(numberOf(bits));
  const difference = numberOf(dutHighest) - numberOf(highest);
  if (difference === 1n || difference === -1n) {
    return { id: 'off-by-one', text: `'${output.port}' counts to ${decimal(dutHighest)}, where it is expected to count to ${decimal(highest)}.` };
  }
  if (end !== highest) return undefined;
  return { id: 'wrap', text: `'${output.port}' is right until it has to return from ${decimal(highest)} to ${decimal(lowest)}, and differs only from there.` };
}
