import type { SourceLocation } from '../analysis/module.ts';
import type { EngineReport, Evidence, InterfaceIssue, Mismatch, SideProblem, VerdictKind, VerifyRequest, VerifyResult, WitnessStep } from './verdict.ts';

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
    engines: context.engines,
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

/** 1234567 as 1,234,567. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A value as a Verilog literal: a single bit as it is, known vectors in hexadecimal, others in binary. */
export function literal(bits: string): string {
  if (bits.length === 1) return bits;
  if (/[xz]/.test(bits)) return `${String(bits.length)}'b${bits}`;
  const hex = BigInt(`0b${bits}`).toString(16).padStart(Math.ceil(bits.length / 4), '0');
  return `${String(bits.length)}'h${hex}`;
}

export function differentReason(mismatch: Mismatch, clocked: boolean): string {
  const others = mismatch.differing.length - 1;
  const more = others === 0 ? '' : ` (${counted(others, 'other output')} ${others === 1 ? 'differs' : 'differ'} too)`;
  const when = !clocked
    ? 'for the inputs shown'
    : mismatch.phase === 'clocked'
      ? `after the edge of cycle ${grouped(mismatch.cycle)}`
      : `after the inputs changed behind cycle ${grouped(mismatch.cycle)}`;
  return `Output '${mismatch.output}' is ${literal(mismatch.actual)} where ${literal(mismatch.expected)} is expected, ${when}${more}.`;
}

export function boundedReason(evidence: Evidence, clocked: boolean): string {
  if (evidence.exhaustive) return `No difference for any input combination, each tried twice (${counted(evidence.comparisons, 'comparison')}).`;
  const span = clocked ? ` over ${counted(evidence.cycles, 'clock cycle')}` : '';
  return `No difference in ${counted(evidence.comparisons, 'comparison')}${span}; this is a bounded check, not a proof.`;
}

/** Finds the declarations of a port on both sides. */
export type PortLocator = (port: string) => { readonly dut: SourceLocation | undefined; readonly golden: SourceLocation | undefined };
