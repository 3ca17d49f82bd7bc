import { literal } from '../verification/value-text.ts';
import type { VerifyResult, WitnessStep } from '../verification/verdict.ts';
import { padRight, plain, type Paint } from './layout.ts';
import { withoutIdleSamples } from './witness-view.ts';

/** The parts of a result that a waveform shows. */
export type WaveformSource = Pick<VerifyResult, 'witness' | 'clocks' | 'mismatch'>;

export interface WaveformOptions {
  /** Width of the terminal; older samples that do not fit are left out. */
  readonly columns: number;
  readonly paint?: Paint;
}

interface Signal {
  readonly label: string;
  /** Binary text at each shown sample. */
  readonly values: readonly string[];
  readonly suspect: boolean;
}

const mostInputs = 12;
const mostOutputs = 6;
/** Columns of one sample: room for a change and a few digits. */
const narrowest = 3;
const widest = 10;

/**
 * Draws the witness as text, one signal a line: scalars as levels (`▁▁╱▔▔`), vectors as values between changes (`╳0110═`),
 * `░` is x and `┄` is z. Idle samples
 * are dropped, so the drawing is in order but not to scale. An output that differs has a line for the golden and one for the DUT. Empty without a witness.
 */
export function waveform(source: WaveformSource, { columns, paint = plain }: WaveformOptions): string[] {
  const witness = withoutIdleSamples(source.witness);
  if (witness.length === 0) return [];
  const all = signalsOf(source, witness);
  const labels = Math.max(...all.map((signal) => signal.label.length), 'cycle'.length) + 2;
  const sample = sampleColumns(all);
  const shown = witness.slice(-Math.max(2, Math.floor((columns - labels) / sample)));
  const signals = signalsOf(source, shown);
  const row = (label: string, text: string): string => `${padRight(label, labels)}${text}`.trimEnd();
  return [
    ...leftOut(witness.length - shown.length, labels, paint),
    row(source.clocks.length === 0 ? 'vector' : 'cycle', paint('dim', ruler(shown, sample, source.clocks.length === 0))),
    ...signals.map((signal) => row(signal.label, drawSignal(signal, sample, paint))),
    ...marker(source, shown.length, { labels, sample, columns, paint }),
    ...hidden(source, labels, paint),
  ];
}

function leftOut(samples: number, labels: number, paint: Paint): string[] {
  return samples === 0 ? [] : [' '.repeat(labels) + paint('dim', `… ${samples} earlier sample${samples === 1 ? '' : 's'} left out`)];
}

function signalsOf({ clocks, mismatch }: WaveformSource, steps: readonly WitnessStep[]): Signal[] {
  const first = steps[0];
  if (first === undefined) return [];
  const isClock = (name: string): boolean => clocks.some((clock) => clock.port === name);
  const differing = mismatch?.differing ?? [];
  const stepsByCycle = steps.length > 1 && new Set(steps.map((step) => step.cycle)).size > 1;
  // A prover's witness has one sample a cycle, in which the clock looks as if it stood still.
  const misleading = (name: string): boolean => stepsByCycle && isClock(name) && steps.every((step) => step.inputs[name] === first.inputs[name]);
  const inputs = orderedInputs(first, isClock).filter((name) => !misleading(name)).slice(0, mostInputs);
  const outputs = orderedOutputs(first, differing).slice(0, mostOutputs);
  const signal = (label: string, side: 'inputs' | 'expected' | 'actual', name: string, suspect = false): Signal => {
    const values = steps.map((step) => step[side][name] ?? '');
    return { label: `${label}${radixOf(values)}`, values, suspect };
  };
  return [
    ...inputs.map((name) => signal(name, 'inputs', name)),
    ...outputs.flatMap((name) =>
      differing.includes(name) ? [signal(`${name} golden`, 'expected', name), signal(`${name} DUT`, 'actual', name, true)] : [signal(name, 'actual', name)],
    ),
  ];
}

function orderedInputs(step: WitnessStep, isClock: (name: string) => boolean): string[] {
  const names = Object.keys(step.inputs);
  return [...names.filter(isClock), ...names.filter((name) => !isClock(name))];
}

function orderedOutputs(step: WitnessStep, differing: readonly string[]): string[] {
  return [...differing, ...Object.keys(step.expected).filter((name) => !differing.includes(name))];
}

/** Size and radix as in a literal, said once in the label: `4'b`, `8'h`. */
function radixOf(values: readonly string[]): string {
  const width = Math.max(...values.map((value) => value.length));
  if (width <= 1) return '';
  return ` ${width}'${width > 4 ? 'h' : 'b'}`;
}

/** Up to four bits in binary, more in hexadecimal, where `X` and `Z` are digits that are x or z in part (IEEE 1364 17.1.1.4). */
function digitsOf(bits: string): string {
  if (bits.length <= 4) return bits;
  let digits = '';
  for (let end = bits.length; end > 0; end -= 4) digits = hexDigit(bits.slice(Math.max(0, end - 4), end)) + digits;
  return digits;
}

function hexDigit(nibble: string): string {
  if (/^[01]+$/.test(nibble)) return Number.parseInt(nibble, 2).toString(16);
  if (/^(?:x+|z+)$/.test(nibble)) return nibble.charAt(0);
  return nibble.includes('x') ? 'X' : 'Z';
}

function sampleColumns(signals: readonly Signal[]): number {
  const digits = signals.flatMap((signal) => (isVector(signal) ? signal.values.map((value) => digitsOf(value).length) : []));
  return Math.min(widest, Math.max(narrowest, ...digits.map((length) => length + 1)));
}

function isVector(signal: Signal): boolean {
  return signal.values.some((value) => value.length > 1);
}

/** The number of the cycle (or of the vector) above the first sample that has it. */
function ruler(steps: readonly WitnessStep[], sample: number, byVector: boolean): string {
  const number = (step: WitnessStep | undefined): number | undefined => (byVector ? step?.step : step?.cycle);
  return steps.map((step, at) => padRight(number(step) === number(steps[at - 1]) ? '' : ` ${number(step) ?? ''}`, sample).slice(0, sample)).join('').trimEnd();
}

function drawSignal(signal: Signal, sample: number, paint: Paint): string {
  const text = isVector(signal) ? drawVector(signal.values, sample) : drawScalar(signal.values, sample);
  if (!signal.suspect) return text;
  const split = text.length - sample;
  return text.slice(0, split) + paint('red', text.slice(split));
}

const levels: Readonly<Record<string, string>> = { '0': '▁', '1': '▔', x: '░', z: '┄' };

function drawScalar(values: readonly string[], sample: number): string {
  return values
    .map((value, at) => {
      const level = levels[value] ?? ' ';
      const before = values[at - 1];
      return transition(before, value, level) + level.repeat(sample - 1);
    })
    .join('');
}

function transition(before: string | undefined, now: string, level: string): string {
  if (before === '0' && now === '1') return '╱';
  if (before === '1' && now === '0') return '╲';
  return level;
}

function drawVector(values: readonly string[], sample: number): string {
  let text = '';
  for (let at = 0; at < values.length; ) {
    let end = at + 1;
    while (end < values.length && values[end] === values[at]) end++;
    const room = (end - at) * sample - 1;
    const digits = digitsOf(values[at] ?? '');
    const fitting = digits.length <= room ? digits : `${digits.slice(0, Math.max(0, room - 1))}…`;
    text += (at === 0 ? '═' : '╳') + fitting.padEnd(room, '═');
    at = end;
  }
  return text;
}

interface Place {
  readonly labels: number;
  readonly sample: number;
  readonly columns: number;
  readonly paint: Paint;
}

/** The line that points at the last sample, where the mismatch is. */
function marker({ mismatch }: WaveformSource, samples: number, place: Place): string[] {
  if (mismatch === undefined) return [];
  const at = place.labels + (samples - 1) * place.sample + 1;
  const text = `expected ${literal(mismatch.expected)}, got ${literal(mismatch.actual)}`;
  const line = at + 2 + text.length <= place.columns ? `${' '.repeat(at)}▲ ${text}` : `${' '.repeat(Math.max(0, at - text.length - 1))}${text} ▲`;
  return [place.paint('red', line)];
}

function hidden({ witness, mismatch }: WaveformSource, labels: number, paint: Paint): string[] {
  const inputs = Math.max(0, Object.keys(witness[0]?.inputs ?? {}).length - mostInputs);
  const outputs = Math.max(0, orderedOutputs(witness[0] ?? { step: 0, cycle: 0, phase: 'settled', inputs: {}, expected: {}, actual: {} }, mismatch?.differing ?? []).length - mostOutputs);
  if (inputs + outputs === 0) return [];
  return [' '.repeat(labels) + paint('dim', `… ${inputs} more inputs and ${outputs} more outputs are in --json and --vcd`)];
}
