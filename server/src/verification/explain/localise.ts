import { differencesAt } from '../compare.ts';
import { markWords } from '../harness/watch.ts';
import { firstRows } from '../stimulus/rows.ts';
import type { Budget } from '../engine.ts';
import { rankSuspects, spectrumOf, type Spectrum, type StepOutcome } from './suspects.ts';
import type { Suspect } from '../verdict.ts';
import type { WatchedSide } from '../coverage/watched.ts';
import { samplesOf } from '../trace.ts';
import type { Exchange } from '../witness.ts';

/** Lines that are named. */
const MOST_SUSPECTS = 5;
/** Rows behind the first difference that are looked at: more failing steps tell causes apart. */
const MORE_ROWS = 500;
/** Marks beyond which no run is watched. */
const MOST_MARKS = 8_000_000;
const LONGEST_TEXT = 80;

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
 * The likeliest lines of the DUT behind a difference: what has an influence on the differing outputs, ranked by how much more often
 * it was active where a difference began than where there was none.
 */
export async function localise(options: LocaliseOptions): Promise<Suspect[]> {
  const { side, exchange, sample } = options;
  const { layout, rows } = exchange;
  const count = Math.min(rows.count, Math.ceil((sample + 1) / layout.samplesPerRow) + MORE_ROWS);
  const { outcomes, outputs } = outcomesOf(exchange, count * layout.samplesPerRow);
  const spectrum = await watch(options, count, outcomes);
  const ranked = rankSuspects({ code: side.code, top: side.top, outputs, spectrum, isEvent: options.isEvent }).filter(({ score }) => score > 0);
  const suspects: Suspect[] = [];
  for (const { element, score } of ranked) {
    const place = side.place(element.location);
    if (suspects.some(({ file, line }) => file === place.file && line === place.line)) continue;
    suspects.push({ ...element.location, ...place, text: side.textOf(element.location, LONGEST_TEXT), score: Math.round(score * 1000) / 1000 });
    if (suspects.length === MOST_SUSPECTS) break;
  }
  return suspects;
}

async function watch({ side, exchange, budget }: LocaliseOptions, count: number, outcomes: readonly StepOutcome[]): Promise<Spectrum | undefined> {
  const words = markWords(side.code.branches.length);
  if (side.code.branches.length === 0 || words * outcomes.length > MOST_MARKS) return undefined;
  const rows = firstRows(exchange.rows, count);
  const noted = await side.run(rows, { eachSample: true, changes: [], compared: [] }, budget);
  // A copy that behaves in another way than the DUT says nothing about it.
  if (noted === undefined || !side.didAs(noted, samplesOf(exchange.dut, 0, noted.trace.samples))) return undefined;
  return spectrumOf(side.code, noted.marks, words, outcomes);
}

function outcomesOf({ golden, dut, layout, criterion, compareFrom }: Exchange, samples: number): { readonly outcomes: StepOutcome[]; readonly outputs: string[] } {
  const outcomes: StepOutcome[] = [];
  const outputs = new Set<string>();
  let before = 0;
  for (let sample = 0; sample < Math.min(samples, golden.samples, dut.samples); sample++) {
    const bits = sample < compareFrom * layout.samplesPerRow ? [] : differencesAt(golden, dut, sample, criterion);
    outcomes.push(bits.length === 0 ? 'passes' : before > 0 ? 'goes on' : 'fails');
    before = bits.length;
    for (const port of layout.observed) if (bits.some((bit) => bit >= port.offset && bit < port.offset + port.width)) outputs.add(port.port);
  }
  return { outcomes, outputs: [...outputs] };
}
