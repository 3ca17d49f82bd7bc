import type { LoadedDesign, SourceProblem } from '../analysis/design.ts';
import type { CompilerProblem, NotCompiled, RunnableSide, SimulationEngine } from './engine.ts';
import type { Finding } from './report.ts';
import type { SideProblem, Unknowns } from './verdict.ts';

/** A try of one engine in which it could not compile a side. Undefined: a golden that was compiled before. */
export interface FailedTry {
  readonly engine: Pick<SimulationEngine, 'name' | 'title' | 'version'>;
  readonly results: Readonly<Record<'golden' | 'dut', RunnableSide | NotCompiled | undefined>>;
}

type Sides = Readonly<Record<'golden' | 'dut', Pick<LoadedDesign, 'doubts'>>>;

export const sideName = { dut: 'DUT', golden: 'reference' } as const;

/** What ends a verification whatever other engines there are: it was cancelled, a side reaches outside of the simulation, or its time can never pass. */
export function endingFinding({ results }: FailedTry): Finding | undefined {
  const sides = sidesOf(results);
  if (sides.some(([, result]) => result.kind === 'failed' && result.cause === 'cancelled')) return { verdict: 'cancelled', reason: 'The verification was cancelled.' };
  const forbidden = sides.flatMap(([side, result]) => (result.kind === 'forbidden' ? sideProblems(side, result.problems) : []));
  if (forbidden[0] !== undefined) return { verdict: 'bad-input', reason: forbidden[0].message, problems: forbidden };
  const endless = sides.flatMap(([side, result]) => (result.kind === 'refused' ? sideProblems(side, result.problems.filter(({ about }) => about === 'never-waits')) : []));
  const [first] = endless;
  return first && { verdict: 'bad-input', reason: `The ${sideName[first.side]} does not compile: ${sentence(first.message)}`, problems: endless };
}

/** Whether the source may be right although the engine refused it. */
export function mayBeLimit({ results }: FailedTry): boolean {
  return !sidesOf(results).some(([, result]) => result.kind === 'refused' && result.problems.some(({ about }) => about === 'missing-name'));
}

/** Why an engine gave no answer, as one full sentence. */
export function whyNot({ engine, results }: FailedTry): string {
  const [first] = sidesOf(results);
  if (first === undefined) return `${engine.title} was not run.`;
  const [side, result] = first;
  if (result.kind === 'failed') return `${engine.title} did not compile the ${sideName[side]}: ${sentence(result.message)}`;
  return `${engine.title} could not compile the ${sideName[side]}: ${sentence(telling(result.problems))}`;
}

/**
 * The verdict where no engine compiled both sides. It is a mistake of the source only where this analysis sees one, where the only engine
 * that tried says so of more than its grammar, or where a second one refuses the source as well; else the tools are at their limit.
 */
export function refusalFinding([first, ...others]: readonly [FailedTry, ...FailedTry[]], pair: Sides): Finding {
  const tries = [first, ...others];
  const refused = tries.flatMap(({ engine, results }) => sidesOf(results).flatMap(([side, result]) => (result.kind === 'refused' ? [{ engine, side, problems: result.problems, about: aboutAll(result.problems) }] : [])));
  // What this parser doubts as well is the user's mistake, and its words and places are better than the compiler's.
  const doubts = (['dut', 'golden'] as const).flatMap((side) => (refused.some((one) => one.side === side) ? sideProblems(side, pair[side].doubts) : []));
  const [doubt] = doubts;
  if (doubt !== undefined) return { verdict: 'bad-input', reason: `The ${sideName[doubt.side]} does not compile: ${sentence(doubt.message)}`, problems: doubts };
  const alsoFailed = (named: string): string => tries.filter(({ engine }) => engine.title !== named).map((one) => ` ${whyNot(one)}`).join('');
  const failed = sidesOf(first.results).find(([, result]) => result.kind === 'failed');
  if (failed?.[1].kind === 'failed') {
    const [side, { cause, message }] = failed;
    return { verdict: cause === 'timed-out' ? 'timeout' : 'tool-error', reason: `The ${sideName[side]} could not be compiled: ${sentence(message)}${alsoFailed(first.engine.title)}` };
  }
  const told = refused.find(({ about }) => about === 'mistake') ?? refused.find(({ problems }) => problems[0]?.about !== 'syntax') ?? refused[0];
  if (told === undefined) return { verdict: 'tool-error', reason: `No simulator could be used.${alsoFailed('')}` };
  const problems = sideProblems(told.side, told.problems);
  const message = sentence(problems[0]?.message ?? 'no message');
  // Where the first compiler names a mistake, a construct that the second does not know is no doubt about that.
  const named = refused.some(({ engine, about }) => engine.name === first.engine.name && about === 'mistake');
  const limit = named ? undefined : refused.find(({ about }) => about === 'unsupported');
  if (limit !== undefined) {
    const said = sentence(telling(limit.problems));
    return { verdict: 'tool-error', reason: `${limit.engine.title} does not support a construct of the ${sideName[limit.side]}: ${said}${alsoFailed(limit.engine.title)}`, problems: sideProblems(limit.side, limit.problems) };
  }
  const agreed = refused.some(({ engine, side }) => side === told.side && engine.name !== told.engine.name);
  if (!agreed && told.problems[0]?.about === 'syntax') {
    return { verdict: 'tool-error', reason: `${told.engine.title} could not read the ${sideName[told.side]}, in which this analysis sees no mistake: ${message}${alsoFailed(told.engine.title)}`, problems };
  }
  return { verdict: 'bad-input', reason: `The ${sideName[told.side]} does not compile: ${message}`, problems };
}

/** Why strict comparison is left to an engine that knows x. */
export function unfitFor(engine: SimulationEngine, unknowns: Unknowns): string | undefined {
  return unknowns === 'strict' && !engine.fourState ? `${engine.title} knows only 0 and 1, so it cannot compare unknown values.` : undefined;
}

function sidesOf(results: FailedTry['results']): (readonly ['dut' | 'golden', NotCompiled])[] {
  return (['dut', 'golden'] as const).flatMap((side) => {
    const result = results[side];
    return result === undefined || result.kind === 'runnable' ? [] : [[side, result] as const];
  });
}

/** The message that says most: that a construct is not supported, where there is one. */
function telling(problems: readonly (SourceProblem & Partial<CompilerProblem>)[]): string {
  return (problems.find(({ about }) => about === 'unsupported') ?? problems[0])?.message ?? 'no message';
}

/** What a refusal as a whole says: that the compiler is at its limit, that its grammar ends, or that the source is wrong. */
function aboutAll(problems: readonly CompilerProblem[]): 'unsupported' | 'syntax' | 'mistake' {
  if (problems.some(({ about }) => about === 'unsupported')) return 'unsupported';
  return problems[0]?.about === 'syntax' ? 'syntax' : 'mistake';
}

export function sideProblems(side: 'dut' | 'golden', problems: readonly SourceProblem[]): SideProblem[] {
  return problems.map(({ file, line, character, message }) => ({ file, line, character, message, side }));
}

function sentence(text: string): string {
  return text.replace(/[^.!?]$/, '$&.');
}
