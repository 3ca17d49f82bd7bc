import { differencesAt } from '../compare.ts';
import type { CodeMap, Element } from '../coverage/code-map.ts';
import type { WatchedSide } from '../coverage/watched.ts';
import type { Budget } from '../engine.ts';
import { markWords } from '../harness/watch.ts';
import { clockLines, levelBefore } from '../stimulus/clock-schedule.ts';
import { firstRows, rowBit } from '../stimulus/rows.ts';
import { samplesOf } from '../trace.ts';
import type { Suspect } from '../verdict.ts';
import type { Exchange } from '../witness.ts';
import { constantsOf, gapText, GapTrace, type Seen } from './gaps.ts';
import { rankSuspects, spectrumOf, type Steps } from './suspects.ts';

/** Lines that are named. */
const MOST_SUSPECTS = 5;
/** Rows behind the first difference that are looked at: more failing steps tell causes apart. */
const MORE_ROWS = 500;
/** Marks beyond which no run is watched. */
const MOST_MARKS = 8_000_000;
const LONGEST_TEXT = 80;
const LONGEST_LINE = 60;
/** Of two pieces of code on one line, the one of which something was seen is shown when it is so much as suspicious as the other. */
const AS_SUSPICIOUS = 0.9;
/** Values that take a default where an output is wrong, until which an arm for them may be what is missing. */
const MOST_MISSING = 2;

export interface LocaliseOptions {
  readonly side: WatchedSide;
  readonly exchange: Exchange;
  /** Of the first difference. */
  readonly sample: number;
  readonly budget: Budget;
  /** When the differences begin speaks for the event list of a process. */
  readonly isEvent: boolean;
}

/**
 * The likeliest lines of the DUT behind a difference: what has an influence on the differing outputs, ranked by how much more it had a
 * part in values where a difference began than where there was none.
 */
export async function localise(options: LocaliseOptions): Promise<Suspect[]> {
  const { side, exchange, sample, isEvent } = options;
  const { code, top } = side;
  const { layout, rows } = exchange;
  const count = Math.min(rows.count, Math.ceil((sample + 1) / layout.samplesPerRow) + MORE_ROWS);
  const differing = differencesOf(exchange, Math.min(count * layout.samplesPerRow, exchange.golden.samples, exchange.dut.samples));
  const ports = layout.observed.map(({ port }) => port);
  const outputs = ports.filter((_, output) => differing.some((own) => own.includes(output)));
  const watched = await watch(options, count, differing);
  const spectrum = watched && spectrumOf(code, top, ports, watched.steps);
  const ranked = rankSuspects({ code, top, outputs, spectrum, isEvent }).filter(({ score }) => score > 0);
  const suspects: Suspect[] = [];
  for (const { element, score } of ranked) {
    const place = side.place(element.location);
    const beside = suspects.findIndex(({ file, line }) => file === place.file && line === place.line);
    const known = suspects[beside];
    const note = watched?.noteOf(element);
    if (known === undefined ? suspects.length === MOST_SUSPECTS : note === undefined || known.note !== undefined || score < AS_SUSPICIOUS * known.score) continue;
    const shown = { ...element.location, ...place, text: textOf(side, element), score: known?.score ?? Math.min(1, Math.round(score * 1000) / 1000) };
    suspects.splice(known === undefined ? suspects.length : beside, 1, note === undefined ? shown : { ...shown, note });
  }
  return suspects;
}

/** A condition is better understood with its line, where that is short. */
function textOf(side: WatchedSide, { kind, location }: Element): string {
  const line = kind === 'condition' ? side.textOf(side.lineOf(location), LONGEST_TEXT) : '';
  return line === '' || line.length > LONGEST_LINE ? side.textOf(location, LONGEST_TEXT) : line;
}

interface Watched {
  readonly steps: Steps;
  /** What is to be said of an element beside its text. */
  readonly noteOf: (element: Element) => string | undefined;
}

/** Undefined where the copy cannot be run. */
async function watch({ side, exchange, budget, sample }: LocaliseOptions, count: number, differing: readonly (readonly number[])[]): Promise<Watched | undefined> {
  const { code } = side;
  const { layout, compareFrom } = exchange;
  const steps = { count: differing.length, from: compareFrom * layout.samplesPerRow, differing: (step: number) => differing[step] ?? [], clocked: clockedIn(exchange) };
  if (code.branches.length === 0) return { steps: { ...steps, took: () => false, isMissing: () => false }, noteOf: () => undefined };
  const seen = await see({ side, exchange, budget }, count, differing.length);
  if (seen === undefined) return undefined;
  const traces = new Map(code.elements.flatMap((element, index): [number, GapTrace][] => (element.gap === undefined ? [] : [[index, traceOf(code, element, seen)]])));
  const missing = new Map([...traces].map(([index, trace]) => [index, new Set(differing.flatMap((outputs, step) => (outputs.length === 0 ? [] : (trace.missing(step) ?? []))))]));
  const isMissing = (element: number, step: number): boolean => {
    const [value, values] = [traces.get(element)?.missing(step), missing.get(element)];
    return value !== undefined && values !== undefined && values.size <= MOST_MISSING && values.has(value);
  };
  const constants = constantsOf(code, ({ location }) => side.textOf(location, LONGEST_TEXT));
  const noteOf = (element: Element): string | undefined => {
    const moment = traces.get(code.elements.indexOf(element))?.momentAt(sample, layout.samplesPerRow);
    return element.gap === undefined || moment === undefined ? undefined : gapText(element.gap, moment, constants);
  };
  return { steps: { ...steps, took: seen.took, isMissing }, noteOf };
}

function traceOf({ branches }: CodeMap, element: Element, seen: Seen): GapTrace {
  const [branch = -1] = element.branches;
  const process = branches[branch]?.process;
  const beside = branches.flatMap((other, index) => (other.process === process && index !== branch ? [index] : []));
  return new GapTrace(element, beside, seen);
}

/** Runs the marked copy; undefined where it does not finish, or behaves in another way than the DUT, which says nothing about it. */
async function see({ side, exchange, budget }: Pick<LocaliseOptions, 'side' | 'exchange' | 'budget'>, rows: number, steps: number): Promise<Seen | undefined> {
  const { code } = side;
  const words = markWords(code.branches.length);
  if (words * steps > MOST_MARKS) return undefined;
  const compared = [...new Set(code.elements.flatMap(({ gap }) => gap?.comparison ?? []))];
  const noted = await side.run(firstRows(exchange.rows, rows), { eachSample: true, changes: [], compared, powerOn: exchange.powerOn }, budget);
  if (noted === undefined || !side.didAs(noted, samplesOf(exchange.dut, 0, noted.trace.samples))) return undefined;
  const took = (step: number, branch: number): boolean => (((noted.marks[step * words + (branch >> 5)] ?? 0) >>> (branch & 31)) & 1) === 1;
  return { steps, took, left: (step, comparison) => noted.compared(step, compared.indexOf(comparison))?.left };
}

/** Whether a clock moved just before a sample. */
function clockedIn({ layout, clocks, rows }: Exchange): (sample: number) => boolean {
  const lines = clockLines(layout, clocks);
  return (sample) => {
    if (layout.samplesPerRow === 1) return true;
    const row = Math.floor(sample / 2);
    return sample % 2 === 1 && lines.some(({ position }) => levelBefore(rows, layout, row, position) !== rowBit(rows, row, position));
  };
}

/** The outputs that differ in each of some samples, by their index. */
function differencesOf({ golden, dut, layout, criterion, compareFrom }: Exchange, samples: number): number[][] {
  return Array.from({ length: samples }, (_, sample) => {
    const bits = sample < compareFrom * layout.samplesPerRow ? [] : differencesAt(golden, dut, sample, criterion);
    return layout.observed.flatMap(({ offset, width }, output) => (bits.some((bit) => bit >= offset && bit < offset + width) ? [output] : []));
  });
}
