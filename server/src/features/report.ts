import type { DoctorReport } from '../core.ts';
import type { VerifyResult, WitnessStep } from '../verification/verdict.ts';
import { coverageText } from '../verification/report.ts';
import { count, literal } from '../verification/value-text.ts';
import { fixVerdict, staleLabel, suspectText, verdictLabel } from './verdict-text.ts';

/** Rows of the witness table; the last ones are shown, since the mismatch is there. */
const mostRows = 24;

/** One verification as Markdown. `pathOf` gives paths for people. */
export function verdictReport(result: VerifyResult, stale: boolean, pathOf: (file: string) => string): string {
  const label = stale ? staleLabel(verdictLabel(result)) : verdictLabel(result);
  const side = (name: 'dut' | 'golden'): string => `\`${result[name].module ?? '(no module)'}\` in ${pathOf(result[name].file)}`;
  return [
    `# ${label}`,
    '',
    result.reason,
    '',
    `- Module under test: ${side('dut')}`,
    `- Golden: ${side('golden')}`,
    ...engineLines(result),
    ...clockLines(result),
    ...(result.mismatch?.pattern === undefined ? [] : [`- Pattern: ${result.mismatch.pattern.text}`]),
    ...evidenceLines(result),
    ...section('Interface', result.interfaceIssues.map(({ message }) => `- ${message}`)),
    ...section(result.verdict === 'tool-error' ? 'Where the tools came to their limit' : 'Problems in the sources', result.problems.map((problem) => `- ${pathOf(problem.file)}${place(problem)}: ${problem.message}`)),
    ...section('Counterexample', witnessTable(result)),
    ...section('Likeliest causes in the module under test', (result.mismatch?.suspects ?? []).map((suspect) => `- ${pathOf(suspect.file)}${place(suspect)}: ${suspectText({ ...suspect, text: `\`${suspect.text}\`` })}`)),
    ...section('Small changes that make it right', (result.fix?.fixes ?? []).map((fix) => `- ${pathOf(fix.file)}${place(fix)}: \`${fix.before}\` becomes \`${fix.after}\`, ${fixVerdict(fix)}`)),
    ...section('Not reached in the golden', unreachedLines(result, pathOf)),
    ...section('Notes', result.notes.map((note) => `- ${note}`)),
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines];
}

function place({ line, character }: { readonly line: number | undefined; readonly character: number | undefined }): string {
  if (line === undefined) return '';
  return character === undefined ? `:${line + 1}` : `:${line + 1}:${character + 1}`;
}

function engineLines({ engines }: VerifyResult): string[] {
  return engines.map(({ name, version, role }) => `- ${role === 'proof' ? 'Proof' : 'Simulation'}: ${name} ${version}`);
}

function clockLines({ clocks, resets }: VerifyResult): string[] {
  const bit = (index: number | undefined): string => (index === undefined ? '' : `[${index}]`);
  return [
    ...clocks.map((clock) => `- Clock: \`${clock.port}${bit(clock.bit)}\` (${clock.edges.join(' and ')})`),
    ...resets.map((reset) => `- Reset: \`${reset.port}${bit(reset.bit)}\` (${reset.kind === 'async' ? 'asynchronous' : 'synchronous'}, active ${reset.active})`),
  ];
}

function evidenceLines({ evidence, elapsedMs }: VerifyResult): string[] {
  const time = `- Time: ${(elapsedMs / 1000).toFixed(2)} s`;
  if (!evidence) return [time];
  const cycles = evidence.cycles > 0 ? `, ${count(evidence.cycles, 'clock edge')}` : '';
  return [
    `- Compared: ${count(evidence.comparisons, 'sample')} of all outputs, ${count(evidence.steps, 'stimulus row')}${cycles}, seed ${evidence.seed}`,
    ...(evidence.exhaustive ? ['- Every input combination was applied.'] : []),
    `- Output bits seen with a known value: ${Math.floor(evidence.observedOutputBits * 100)} %`,
    ...(evidence.coverage === undefined ? [] : [`- Reached: ${coverageText(evidence.coverage)}`]),
    time,
  ];
}

/** Where the stimulus did not get in the golden. */
function unreachedLines({ evidence }: VerifyResult, pathOf: (file: string) => string): string[] {
  const { unreached = [], untoggled = [] } = evidence?.coverage ?? {};
  return [
    ...unreached.map((branch) => `- ${pathOf(branch.file)}${place(branch)}: \`${branch.what}\``),
    ...(untoggled.length === 0 ? [] : [`- Bits that did not go both ways: ${untoggled.map((name) => `\`${name}\``).join(', ')}`]),
  ];
}

function witnessTable({ witness, mismatch }: VerifyResult): string[] {
  const shown = witness.slice(-mostRows);
  const first = shown[0];
  if (!first) return [];
  const inputs = Object.keys(first.inputs);
  const outputs = mismatch?.differing ?? Object.keys(first.expected);
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const header = ['cycle', 'sample', ...inputs, ...outputs.flatMap((name) => [`${name} expected`, `${name} got`])];
  const left = witness.length - shown.length;
  return [
    ...(left > 0 ? [`The last ${mostRows} of ${count(witness.length, 'row')}:`, ''] : []),
    row(header),
    row(header.map(() => '---')),
    ...shown.map((step) => row(witnessCells(step, inputs, outputs))),
  ];
}

function witnessCells(step: WitnessStep, inputs: readonly string[], outputs: readonly string[]): string[] {
  const value = (bits: string | undefined): string => (bits === undefined ? '' : literal(bits));
  const pair = (name: string): string[] => {
    const [expected, actual] = [value(step.expected[name]), value(step.actual[name])];
    return [expected, expected === actual ? actual : `**${actual}**`];
  };
  return [String(step.cycle), step.phase === 'clocked' ? 'after the clock' : 'before the clock', ...inputs.map((name) => value(step.inputs[name])), ...outputs.flatMap(pair)];
}

/** What the product sees of its surroundings, as Markdown. */
/** How one file is seen. */
export interface DoctorFile {
  /** For people. */
  readonly name: string;
  /** Full sentences. */
  readonly lines: readonly string[];
}

export interface DoctorSections {
  readonly file: DoctorFile | undefined;
  readonly workspace: readonly string[];
  readonly models: readonly string[];
}

export function doctorText(report: DoctorReport, { file, workspace, models }: DoctorSections): string {
  return [
    '# RTL Copilot Doctor',
    '',
    `- RTL Copilot ${report.version}`,
    `- Node ${report.node} on ${report.platform}`,
    ...section(
      'Tools',
      report.tools.map((tool) => {
        const found = tool.found ? `${tool.version ?? 'unknown version'}${tool.path === undefined ? '' : ` at ${tool.path}`}` : 'not found';
        return `- ${tool.found ? '✓' : '✗'} ${tool.name}: ${found}. ${tool.remark}`.trimEnd();
      }),
    ),
    ...(file ? section(file.name, file.lines.map((line) => `- ${line}`)) : []),
    ...section('Models', models.map((line) => `- ${line}`)),
    ...section('Workspace', workspace.map((line) => `- ${line}`)),
    '',
  ].join('\n');
}
