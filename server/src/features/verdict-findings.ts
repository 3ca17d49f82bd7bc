import { grouped } from '../base/text.ts';
import type { SourceLocation } from '../analysis/module.ts';
import { twoStateSimulator, type InterfaceIssue, type Mismatch, type SideProblem, type VerdictKind, type VerifyResult } from '../verification/verdict.ts';
import type { Finding } from './finding.ts';
import type { ModuleInfo } from './module-info.ts';
import { fixText, suspectText } from './verdict-text.ts';
import { literal, someOf } from '../verification/value-text.ts';

/** More inputs than this make a message longer than anyone reads; the report shows them all. */
const mostInputs = 6;

/** Possible causes that a message links to. */
const mostSuspects = 3;

export interface VerdictView {
  readonly result: VerifyResult;
  /** The sources changed since the run. */
  readonly stale: boolean;
  /** Both sides as their current text declares them, where they still do. */
  readonly dut: ModuleInfo | undefined;
  readonly golden: ModuleInfo | undefined;
}

/**
 * The findings of a verification. After an edit the evidence stays as quiet information at the ports as they are now, since
 * it is what the person is working on, and says that it is stale; compile problems are dropped, since they speak of lines
 * that may have moved.
 */
export function verdictFindings(view: VerdictView): Finding[] {
  const { result, stale } = view;
  const findings = [
    ...(result.mismatch ? [mismatchFinding(view, result.mismatch)] : []),
    ...result.interfaceIssues.map((issue) => interfaceFinding(view, issue)),
  ].filter((finding) => finding !== undefined);
  if (!stale) return [...findings, ...result.problems.map((problem) => problemFinding(problem, result.verdict))];
  return findings.map((finding) => ({ ...finding, severity: 'information', message: `Stale, edited since: ${finding.message}` }));
}

function mismatchFinding(view: VerdictView, mismatch: Mismatch): Finding | undefined {
  const at = locate(mismatch.dut, mismatch.output, view.dut, view.stale);
  if (!at) return undefined;
  const golden = locate(mismatch.golden, mismatch.output, view.golden, view.stale);
  const name = view.result.golden.module ?? 'the golden';
  return {
    file: at.file,
    place: { kind: 'span', span: at.span },
    severity: 'error',
    code: 'different',
    message: mismatchMessage(mismatch, name, new Set(view.result.clocks.map(({ port }) => port)), twoStateSimulator(view.result.engines)),
    related: [
      ...(golden ? [{ ...golden, message: `${name} drives ${literal(mismatch.expected)} here` }] : []),
      ...(view.stale ? [] : (mismatch.suspects ?? []).slice(0, mostSuspects).map((suspect) => ({ file: suspect.file, span: suspect.span, message: `possible cause: ${suspectText(suspect)}` }))),
      ...(view.stale ? [] : (view.result.fix?.fixes ?? []).slice(0, 1).map((fix) => ({ file: fix.file, span: fix.span, message: `with this change it is right: ${fixText(fix)}` }))),
    ],
  };
}

function mismatchMessage(mismatch: Mismatch, golden: string, clocks: ReadonlySet<string>, twoState: string | undefined): string {
  const { output, expected, actual, inputs, differing, pattern } = mismatch;
  const when = clocks.size > 0 ? ` at cycle ${grouped(mismatch.cycle)}` : '';
  // A clock is at its active level at every mismatch, which says nothing.
  const values = Object.entries(inputs).filter(([name]) => !clocks.has(name)).map(([name, bits]) => `${name}=${literal(bits)}`);
  const given = values.length === 0 ? '' : `\nInputs: ${someOf(values, mostInputs)}.`;
  const others = differing.filter((name) => name !== output);
  const also = others.length === 0 ? '' : ` ${someOf(others, mostInputs)} ${others.length === 1 ? 'differs' : 'differ'} too.`;
  const hint = pattern ? ` ${pattern.text}` : '';
  const simulated = twoState === undefined ? '' : ` ${twoState} simulated this, with 0 and 1 only.`;
  return `${output} differs from ${golden}${when}: expected ${literal(expected)}, got ${literal(actual)}.${also}${hint}${simulated}${given}`;
}

function interfaceFinding(view: VerdictView, issue: InterfaceIssue): Finding | undefined {
  const at = locate(issue.dut, issue.port, view.dut, view.stale) ?? moduleName(view.dut);
  if (!at) return undefined;
  const golden = locate(issue.golden, issue.port, view.golden, view.stale);
  return {
    file: at.file,
    place: { kind: 'span', span: at.span },
    severity: 'error',
    code: `interface-${issue.kind}`,
    message: issue.message,
    related: golden ? [{ ...golden, message: `port ${issue.port} of ${view.result.golden.module ?? 'the golden'}` }] : [],
  };
}

/** The recorded place as long as the text is the verified one, else the port of that name where it stands now. */
function locate(recorded: SourceLocation | undefined, port: string, module: ModuleInfo | undefined, stale: boolean): SourceLocation | undefined {
  if (!stale && recorded) return recorded;
  const span = module?.ports.find(({ name }) => name === port)?.span;
  return module && span ? { file: module.file, span } : undefined;
}

function moduleName(module: ModuleInfo | undefined): SourceLocation | undefined {
  return module && { file: module.file, span: module.nameSpan };
}

/** Where a tool came to its limit, nothing is said against the source. */
function problemFinding(problem: SideProblem, verdict: VerdictKind): Finding {
  const isLimit = verdict === 'tool-error';
  return {
    file: problem.file,
    place: { kind: 'position', position: { line: problem.line ?? 0, character: problem.character ?? 0 } },
    severity: isLimit ? 'information' : 'error',
    code: `${problem.side}-problem`,
    message: isLimit ? `Limit of a tool: ${problem.message}` : problem.message,
    related: [],
  };
}
