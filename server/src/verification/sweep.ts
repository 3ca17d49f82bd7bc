import { exitCodeOf, type VerdictKind, type VerifyRequest, type VerifyResult } from './verdict.ts';

/** Values that a parameter takes on both sides, one verification after the other. */
export interface Sweep {
  readonly parameter: string;
  /** Expression texts. */
  readonly values: readonly string[];
}

/** Expression texts by the parameters that have them on both sides. */
export type ParameterSet = Readonly<Record<string, string>>;

/** Combinations of all sweeps that are verified at most. */
export const MOST_SETS = 64;

/** Every combination of the values, the last parameter changing fastest. */
export function parameterSets(sweeps: readonly Sweep[]): ParameterSet[] {
  return sweeps.reduce<Record<string, string>[]>((sets, { parameter, values }) => sets.flatMap((set) => values.map((value) => ({ ...set, [parameter]: value }))), [{}]);
}

/** From the worst to the best. */
export const WORST_FIRST: readonly VerdictKind[] = ['different', 'cancelled', 'interface-mismatch', 'bad-input', 'tool-error', 'timeout', 'inconclusive', 'no-difference', 'equivalent'];

/** Of several verdicts the one that counts; undefined where there is none. */
export function worstVerdict(verdicts: readonly VerdictKind[]): VerdictKind | undefined {
  return WORST_FIRST.find((verdict) => verdicts.includes(verdict));
}

/**
 * Verifies a pair with each set of parameters, or as it is where there is none. The result is that of the worst set, with a note on each; after a difference the other sets are not
 * verified any more, and a cancelled set ends it too.
 */
export async function verifySets(request: VerifyRequest, sets: readonly ParameterSet[], verify: (request: VerifyRequest, set: string) => Promise<VerifyResult>): Promise<VerifyResult> {
  const results: { readonly set: string; readonly result: VerifyResult }[] = [];
  for (const set of sets) {
    const name = Object.entries(set).map(([parameter, value]) => `${parameter}=${value}`).join(', ');
    const withSet = (side: VerifyRequest['dut']): VerifyRequest['dut'] => ({ ...side, parameters: { ...side.parameters, ...set } });
    const result = await verify({ ...request, dut: withSet(request.dut), golden: withSet(request.golden) }, name);
    results.push({ set: name, result });
    if (result.verdict === 'different' || result.verdict === 'cancelled') break;
  }
  const verdict = worstVerdict(results.map(({ result }) => result.verdict));
  const worst = results.find(({ result }) => result.verdict === verdict);
  if (worst === undefined) return verify(request, '');
  const left = sets.length - results.length;
  return {
    ...worst.result,
    reason: `With ${worst.set}: ${worst.result.reason}`,
    notes: [
      ...worst.result.notes,
      ...results.filter((entry) => entry !== worst).map(({ set, result }) => `With ${set}: ${exitCodeOf(result.verdict) === 0 ? result.verdict : `${result.verdict}: ${result.reason}`}`.replace(/[^.]$/, '$&.')),
      ...(left > 0 ? [`${String(left)} of ${String(sets.length)} parameter sets were not verified after that.`] : []),
    ],
    elapsedMs: results.reduce((sum, { result }) => sum + result.elapsedMs, 0),
  };
}
