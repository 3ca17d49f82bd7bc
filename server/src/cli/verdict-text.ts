import { grouped } from '../base/text.ts';
import type { Clock, Reset } from '../analysis/module.ts';
import { coverageText } from '../verification/report.ts';
import { count, literal, someOf } from '../verification/value-text.ts';
import { fixText, noFixText, verdictLabel } from '../features/verdict-text.ts';
import { exitCodeOf, type CodePlace, type Coverage, type EngineReport, type Evidence, type FixSearch, type Mismatch, type Suspect, type VerifyResult } from '../verification/verdict.ts';
import { labelled, padRight, plain, wrap, type Paint } from './layout.ts';
import { mismatchTable } from './mismatch-table.ts';
import { placeText, type Places } from './places.ts';
import { waveform } from './waveform.ts';

export interface VerdictTextOptions {
  readonly places: Places;
  /** Width of the terminal. */
  readonly columns: number;
  readonly paint?: Paint;
  /** Draw the witness as a waveform. */
  readonly wave?: boolean;
}

const labelColumns = 12;
const NOTE_INDENT = 2;

/** A result for a person at a terminal: verdict first, then its reason, then what it rests on. */
export function verdictText(result: VerifyResult, options: VerdictTextOptions): string {
  const { columns, places, paint = plain } = options;
  const blocks = [
    [verdictLine(result, paint)],
    wrap(result.reason, columns),
    sideLines(result, places),
    problemLines(result, places, paint),
    interfaceLines(result, places),
    ...(result.mismatch === undefined ? [] : mismatchBlocks(result, result.mismatch, options)),
    evidenceLines(result, places, columns),
  ];
  return `${blocks.filter((block) => block.length > 0).map((block) => block.join('\n')).join('\n\n')}\n`;
}

function verdictLine(result: VerifyResult, paint: Paint): string {
  const colour = ([0, 1, 2, 3] as const)[exitCodeOf(result.verdict)];
  const style = colour === 0 ? 'green' : colour === 2 ? 'yellow' : 'red';
  return paint('bold', paint(style, verdictLabel(result)));
}

/** Paths are not wrapped, so that they can be copied. */
function sideLines({ dut, golden }: VerifyResult, places: Places): string[] {
  const side = ({ module, file }: VerifyResult['dut']): string => (module === undefined ? places.path(file) : `${module}  ${places.path(file)}`);
  return [padRight('DUT', labelColumns) + side(dut), padRight('Golden', labelColumns) + side(golden)];
}

/** Where a tool came to its limit, nothing is said against the source. */
function problemLines({ problems, verdict }: VerifyResult, places: Places, paint: Paint): string[] {
  const label = verdict === 'tool-error' ? paint('yellow', 'limit of a tool:') : paint('red', 'error:');
  return problems.map((problem) => `${placeText(places.path(problem.file), problem.line, problem.character)}: ${label} ${problem.message}`);
}

function interfaceLines({ interfaceIssues }: VerifyResult, places: Places): string[] {
  return interfaceIssues.map((issue) => {
    const { dut, golden } = issue;
    const place = dut ?? golden;
    const related = dut === undefined || golden === undefined ? '' : ` (golden: ${places.location(golden)})`;
    return place === undefined ? issue.message : `${places.location(place)}: ${issue.message}${related}`;
  });
}

function mismatchBlocks(result: VerifyResult, mismatch: Mismatch, { columns, places, wave, paint = plain }: VerdictTextOptions): string[][] {
  const { lines, otherInputs, otherOutputs, earlier } = mismatchTable({ ...result, mismatch }, columns);
  const place = (name: string, location: Mismatch['dut']): string[] => (location === undefined ? [] : [padRight(name, labelColumns) + places.location(location)]);
  return [
    result.witness.length === 0 ? mismatchValues(mismatch, columns) : [...lines.slice(0, -1), paint('red', lines.at(-1) ?? '')],
    [
      ...(earlier > 0 ? labelled('Before', `${count(earlier, 'earlier sample')} in the counterexample`, labelColumns, columns) : []),
      ...(otherInputs.length > 0 && result.witness.length > 0 ? labelled('With', otherInputs.join(', '), labelColumns, columns) : []),
      ...(otherOutputs.length > 0 ? labelled('Also wrong', otherOutputs.join(', '), labelColumns, columns) : []),
      ...(mismatch.pattern === undefined ? [] : labelled('Pattern', mismatch.pattern.text, labelColumns, columns)),
      ...listed('Suspects', (mismatch.suspects ?? []).flatMap((suspect) => suspectLines(suspect, places, columns - labelColumns))),
      ...(result.fix === undefined ? [] : fixLines(result.fix, places, columns)),
      ...place('DUT port', mismatch.dut),
      ...place('Golden port', mismatch.golden),
    ],
    wave === true ? waveform(result, { columns, paint }) : [],
  ];
}

/** The code with its place, not wrapped, and below it what is said of it. */
function suspectLines(suspect: Suspect, places: Places, columns: number): string[] {
  const note = suspect.note === undefined ? [] : wrap(suspect.note, columns - NOTE_INDENT);
  return [`${placeOf(suspect, places)}: ${suspect.text}`, ...note.map((line) => ' '.repeat(NOTE_INDENT) + line)];
}

function fixLines(search: FixSearch, places: Places, columns: number): string[] {
  if (search.fixes.length === 0) return labelled('Fix', noFixText(search, 'the DUT'), labelColumns, columns);
  return listed('Fix', search.fixes.map((fix) => `${placeOf(fix, places)}: ${fixText(fix)}`));
}

function placeOf({ file, line, character }: CodePlace, places: Places): string {
  return placeText(places.path(file), line, character);
}

/** Lines behind a label that are not wrapped, so that places can be copied. */
function listed(label: string, lines: readonly string[]): string[] {
  return lines.map((text, index) => padRight(index === 0 ? label : '', labelColumns) + text);
}

/** For an engine that gives no witness rows. */
function mismatchValues(mismatch: Mismatch, columns: number): string[] {
  const inputs = Object.entries(mismatch.inputs).map(([name, bits]) => `${name}=${literal(bits)}`);
  return [
    ...labelled('Output', `${mismatch.output}: expected ${literal(mismatch.expected)}, got ${literal(mismatch.actual)}`, labelColumns, columns),
    ...(inputs.length === 0 ? [] : labelled('With', inputs.join(', '), labelColumns, columns)),
  ];
}

function evidenceLines(result: VerifyResult, places: Places, columns: number): string[] {
  const line = (label: string, text: string): string[] => (text === '' ? [] : labelled(label, text, labelColumns, columns));
  const file = (label: string, path: string | undefined): string[] => (path === undefined ? [] : [padRight(label, labelColumns) + places.path(path)]);
  const { artefacts } = result;
  return [
    ...line('Compared', result.evidence === undefined ? '' : evidenceText(result.evidence, result.clocks.length > 0)),
    ...(result.evidence?.coverage === undefined ? [] : coverageLines(result.evidence.coverage, places, columns)),
    ...result.engines.flatMap((engine) => line(engine.role === 'proof' ? 'Proof' : 'Simulation', engineText(engine))),
    ...line('Clocks', result.clocks.map(clockText).join(', ')),
    ...line('Resets', result.resets.map(resetText).join(', ')),
    ...result.notes.flatMap((note) => line('Note', note)),
    ...file('Testbench', artefacts.testbench),
    ...file('Waveform', artefacts.vcd),
    ...file('Case file', artefacts.caseFile),
    ...line('Time', `${(result.elapsedMs / 1000).toFixed(2)} s`),
  ];
}

/** Unreached branches that are listed; the JSON has all. */
const mostUnreached = 8;
const mostUntoggled = 6;

function coverageLines(coverage: Coverage, places: Places, columns: number): string[] {
  const { unreached, untoggled } = coverage;
  const shown = unreached.slice(0, mostUnreached).map((branch) => `${placeOf(branch, places)}: ${branch.what}`);
  const more = unreached.length - shown.length;
  const lines = more > 0 ? [...shown, `and ${grouped(more)} more`] : shown;
  return [
    ...labelled('Reached', coverageText(coverage), labelColumns, columns),
    ...listed('Not reached', lines),
    ...(untoggled.length === 0 ? [] : labelled('Not toggled', someOf(untoggled, mostUntoggled), labelColumns, columns)),
  ];
}

function evidenceText(evidence: Evidence, clocked: boolean): string {
  const observed = Math.floor(evidence.observedOutputBits * 100);
  return [
    evidence.exhaustive ? 'every input combination' : count(evidence.comparisons, 'sample'),
    count(evidence.steps, 'stimulus row'),
    ...(clocked ? [count(evidence.cycles, 'clock cycle')] : []),
    `seed ${evidence.seed}`,
    ...(observed < 100 ? [`${observed} % of the output bits were known at least once`] : []),
  ].join(', ');
}

function engineText({ name, version }: EngineReport): string {
  return name === 'yosys-wasm' ? `yosys-wasm ${version} (embedded)` : `${name} ${version}`;
}

function bitText({ port, bit }: Pick<Clock, 'port' | 'bit'>): string {
  return bit === undefined ? port : `${port}[${bit}]`;
}

function clockText(clock: Clock): string {
  return `${bitText(clock)} (${clock.edges.join(' and ')})`;
}

function resetText(reset: Reset): string {
  return `${bitText(reset)} (${reset.kind === 'async' ? 'asynchronous' : 'synchronous'}, active ${reset.active})`;
}
