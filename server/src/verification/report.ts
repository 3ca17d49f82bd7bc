import { grouped } from '../base/text.ts';
import type { SourceLocation } from '../analysis/module.ts';
import { count, literal } from './value-text.ts';
import type { EngineReport, Coverage, Evidence, InterfaceIssue, Mismatch, SideProblem, Unknowns, VerdictKind, VerifyRequest, VerifyResult, WitnessStep } from './verdict.ts';

/** What a step of the verification found, before it is put into the stable result object. */
export interface Finding {
  readonly verdict: VerdictKind;
  readonly reason: string;
  readonly evidence?: Evidence;
  readonly mismatch?: Mismatch;
  readonly witness?: readonly WitnessStep[];
  readonly interfaceIssues?: readonly InterfaceIssue[];
  readonly problems?: readonly SideProblem[];
  readonly notes?: readonly string[];
  /** The simulator broke down, and another one may not. */
  readonly isBroken?: boolean;
}

export interface ReportContext {
  readonly request: VerifyRequest;
  readonly dutModule: string | undefined;
  readonly goldenModule: string | undefined;
  readonly clocks: VerifyResult['clocks'];
  readonly resets: VerifyResult['resets'];
  readonly engines: readonly EngineReport[];
  readonly notes: readonly string[];
  readonly artefacts: VerifyResult['artefacts'];
  readonly elapsedMs: number;
}

export function makeResult(finding: Finding, context: ReportContext): VerifyResult {
  return {
    schema: 1,
    verdict: finding.verdict,
    reason: finding.reason,
    dut: { module: context.dutModule ?? context.request.dut.module, file: context.request.dut.file },
    golden: { module: context.goldenModule ?? context.request.golden.module, file: context.request.golden.file },
    engines: context.engines.map(({ name, version, role, values }) => ({ name, version, role, values })),
    clocks: context.clocks,
    resets: context.resets,
    evidence: finding.evidence,
    mismatch: finding.mismatch,
    witness: finding.witness ?? [],
    interfaceIssues: finding.interfaceIssues ?? [],
    problems: finding.problems ?? [],
    notes: [...context.notes, ...(finding.notes ?? [])],
    elapsedMs: Math.round(context.elapsedMs),
    artefacts: context.artefacts,
  };
}

export function differentReason(mismatch: Mismatch, clocked: boolean): string {
  const others = mismatch.differing.length - 1;
  const more = others === 0 ? '' : ` (${count(others, 'other output')} ${others === 1 ? 'differs' : 'differ'} too)`;
  const cycle = grouped(mismatch.cycle);
  const when = !clocked ? 'for the inputs shown' : mismatch.phase === 'clocked' ? `right after the clock edge of cycle ${cycle}` : `between clock edges, after cycle ${cycle}`;
  return `${whatDiffers(mismatch)}, ${when}${more}.`;
}

function whatDiffers({ output, expected, actual }: Mismatch): string {
  const [wanted, got] = [literal(expected), literal(actual)];
  if (!`${wanted}${got}`.includes('…')) return `Output '${output}' is ${got} where ${wanted} is expected`;
  // What is left out in the middle of the values may be all that differs.
  const differs = (bit: string, at: number): boolean => bit !== actual[at] && /[01]/.test(bit);
  const first = Array.from(expected).findIndex(differs);
  const last = Array.from(expected).findLastIndex(differs);
  if (first < 0) return `Output '${output}' is ${got} where ${wanted} is expected`;
  const part = (bits: string): string => literal(bits.slice(first, last + 1));
  const number = (at: number): string => String(expected.length - 1 - at);
  if (first === last) return `Bit ${number(first)} of output '${output}' is ${part(actual)} where ${part(expected)} is expected`;
  return `Output '${output}' is ${part(actual)} in bits ${number(first)} to ${number(last)} where ${part(expected)} is expected`;
}

export function boundedReason(evidence: Evidence, clocked: boolean, unknowns: Unknowns = 'ignore'): string {
  const strictly = unknowns === 'strict' ? ', unknown values included' : '';
  if (evidence.exhaustive) return `No difference for any input combination${strictly}, each tried twice (${count(evidence.comparisons, 'comparison')}).`;
  const span = clocked ? ` over ${count(evidence.cycles, 'clock cycle')}` : '';
  const reached = evidence.coverage === undefined ? '' : ` The stimulus reached ${coverageText(evidence.coverage)}.`;
  return `No difference in ${count(evidence.comparisons, 'comparison')}${span}${strictly}; this is a bounded check, not a proof.${reached}`;
}

/** What was reached, as the end of a sentence: `14 of 15 branches and 118 of 120 toggles of the golden`. */
export function coverageText({ branches, toggles }: Coverage): string {
  const share = (part: { readonly reached: number; readonly total: number }, noun: string): string => `${grouped(part.reached)} of ${count(part.total, noun)}`;
  const parts = [
    ...(branches.total === 0 ? [] : [branches.total === 1 ? `${String(branches.reached)} of 1 branch` : share(branches, 'branche')]),
    ...(toggles === undefined || toggles.total === 0 ? [] : [share(toggles, 'toggle')]),
  ];
  return `${parts.join(' and ')} of the golden`;
}

/** Finds the declarations of a port on both sides. */
export type PortLocator = (port: string) => { readonly dut: SourceLocation | undefined; readonly golden: SourceLocation | undefined };
