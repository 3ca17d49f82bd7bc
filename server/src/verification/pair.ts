import type { LoadedDesign } from '../analysis/design.ts';
import type { Clocking } from '../analysis/module.ts';
import { Assumption } from './assumption.ts';
import { chooseClocking } from './choose-clocking.ts';
import { portsAgree, withElaboratedPorts } from './elaborate-ports.ts';
import { matchInterfaces } from './interface.ts';
import { sideProblems, type FailedTry } from './refusal.ts';
import type { Finding, PortLocator } from './report.ts';
import { screenDesign } from './screen.ts';
import { layOut, type Layout } from './stimulus/layout.ts';
import type { VerifyRequest } from './verdict.ts';

export interface Pair {
  readonly golden: LoadedDesign;
  readonly dut: LoadedDesign;
}

/** A pair whose ports correspond, with what drives them. */
export interface Prepared extends Pair {
  readonly assumption: Assumption | undefined;
  readonly layout: Layout;
  readonly clocking: Clocking;
}

/** Matches the interfaces, chooses clocks and resets, and lays out the ports. */
export function prepare(pair: Pair, { assume = [], clocks, resets }: VerifyRequest['options']): Prepared | Finding {
  const match = matchInterfaces(pair.golden.module, pair.dut.module);
  if (match.kind === 'mismatch') {
    const [first] = match.issues;
    const all = match.issues.length > 1 ? ` in ${String(match.issues.length)} places` : '';
    return { verdict: 'interface-mismatch', reason: `The ports do not correspond${all}: ${first?.message ?? ''}${bareHint(pair)}`, interfaceIssues: match.issues };
  }
  const clocking = chooseClocking(pair.golden.module, pair.dut.module, match.ports, { clocks, resets });
  if ('verdict' in clocking) return clocking;
  const layout = layOut(match.ports, clocking);
  if (layout.observedBits === 0) {
    return { verdict: 'inconclusive', reason: `'${pair.golden.module.name}' has no outputs, so there is nothing to compare; name a module that has some.` };
  }
  const assumption = Assumption.of(assume, pair.golden.module, layout);
  if (typeof assumption === 'string') return { verdict: 'bad-input', reason: assumption };
  return { ...pair, layout, clocking, assumption };
}

/** A module without ports beside one with some is most likely the other's testbench. */
function bareHint({ golden, dut }: Pair): string {
  const bare = [dut, golden].find(({ module }) => module.ports.length === 0)?.module.name;
  return bare === undefined ? '' : ` '${bare}' has no ports at all, as a testbench has; name the module that it tests.`;
}

/** The pair with the ports that the compiler elaborated, or undefined when the analysis had them right. */
export function correctedPorts(pair: Pair, results: FailedTry['results']): Pair | undefined {
  const corrected = (design: LoadedDesign, result: FailedTry['results']['dut']): LoadedDesign => {
    if (result?.kind !== 'runnable' || result.ports === undefined || portsAgree(design.module, result.ports)) return design;
    return { ...design, module: withElaboratedPorts(design.module, result.ports) };
  };
  const next = { golden: corrected(pair.golden, results.golden), dut: corrected(pair.dut, results.dut) };
  return next.golden === pair.golden && next.dut === pair.dut ? undefined : next;
}

export function locator({ golden, dut }: Pair): PortLocator {
  const find = (design: LoadedDesign, port: string) => design.module.ports.find((candidate) => candidate.name === port)?.location;
  return (port) => ({ dut: find(dut, port), golden: find(golden, port) });
}

/** The finding for a pair of which a side reaches outside of the simulation. */
export function screened({ golden, dut }: Pair, options: { readonly strict: boolean }): Finding | undefined {
  const problems = [...sideProblems('dut', screenDesign(dut, options)), ...sideProblems('golden', screenDesign(golden, options))];
  return problems[0] === undefined ? undefined : { verdict: 'bad-input', reason: problems[0].message, problems };
}
