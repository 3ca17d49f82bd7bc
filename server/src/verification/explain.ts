import type { ObservedPort } from './layout.ts';
import { portText, traceBit } from './trace.ts';
import type { Mismatch } from './verdict.ts';
import type { Exchange } from './witness.ts';

/** Longest constant delay, in cycles, that is recognised. */
const LONGEST_LATENCY = 4;

type Pair = readonly [expected: string, actual: string];

/**
 * Names the pattern of a difference when one fits every known sample of the output: inverted, bits reversed, stuck, late or early
 * by whole cycles, off by a constant. A pattern is a hint about the cause; it never changes the verdict.
 */
export function explainDifference(exchange: Exchange, output: ObservedPort, fromSample: number): Mismatch['pattern'] {
  const pairs = knownPairs(exchange, output, fromSample);
  const differing = pairs.filter(([expected, actual]) => expected !== actual);
  const [first] = differing;
  if (first === undefined) return unknownPattern(exchange, output, fromSample);
  if (pairs.every(([expected, actual]) => actual === inverted(expected))) {
    return { id: 'inverted', text: `'${output.port}' is always the inverse of what is expected.` };
  }
  const actuals = new Set(pairs.map(([, actual]) => actual));
  const expecteds = new Set(pairs.map(([expected]) => expected));
  if (pairs.length >= 8 && actuals.size === 1 && expecteds.size > 1) {
    return { id: 'stuck', text: `'${output.port}' never leaves the value ${[...actuals].join('')}.` };
  }
  if (output.width > 1 && differing.length >= 3 && pairs.every(([expected, actual]) => actual === reversed(expected))) {
    return { id: 'bit-order', text: `'${output.port}' has its bits in reversed order.` };
  }
  return latencyPattern(exchange, output, fromSample) ?? offsetPattern(output, differing);
}

function knownPairs({ golden, dut }: Exchange, output: ObservedPort, fromSample: number): Pair[] {
  const pairs: Pair[] = [];
  for (let sample = fromSample; sample < Math.min(golden.samples, dut.samples); sample++) {
    const expected = portText(golden, sample, output);
    const actual = portText(dut, sample, output);
    if (!/[xz]/.test(expected + actual)) pairs.push([expected, actual]);
  }
  return pairs;
}

function unknownPattern({ golden, dut }: Exchange, output: ObservedPort, fromSample: number): Mismatch['pattern'] {
  let known = 0;
  for (let sample = fromSample; sample < Math.min(golden.samples, dut.samples); sample++) {
    for (let bit = output.offset; bit < output.offset + output.width; bit++) {
      if (/[01]/.test(traceBit(golden, sample, bit)) && /[01]/.test(traceBit(dut, sample, bit))) known++;
    }
  }
  const text = known === 0 ? `'${output.port}' is never driven to a known value.` : `'${output.port}' is unknown (x) or undriven (z) where a value is expected.`;
  return { id: 'unknown', text };
}

function inverted(text: string): string {
  return text.replace(/[01]/g, (bit) => (bit === '0' ? '1' : '0'));
}

function reversed(text: string): string {
  return Array.from(text).reverse().join('');
}

/** A constant delay or lead, judged on the values just before each active edge so that both phases of a row do not count twice. */
function latencyPattern({ golden, dut, layout, clocks }: Exchange, output: ObservedPort, fromSample: number): Mismatch['pattern'] {
  if (clocks.length !== 1 || layout.samplesPerRow === 1) return undefined;
  const perCycle = 2 * layout.samplesPerRow;
  for (let lag = 1; lag <= LONGEST_LATENCY; lag++) {
    for (const direction of [1, -1]) {
      const shift = lag * direction * perCycle;
      let compared = 0;
      let changes = 0;
      let fits = true;
      let last = '';
      for (let sample = fromSample; fits && sample < Math.min(golden.samples, dut.samples); sample++) {
        const source = sample - shift;
        if (source < fromSample || source >= golden.samples) continue;
        const expected = portText(golden, source, output);
        const actual = portText(dut, sample, output);
        if (/[xz]/.test(expected + actual)) continue;
        fits = expected === actual;
        compared++;
        if (expected !== last) changes++;
        last = expected;
      }
      if (fits && compared >= 16 && changes >= 4) {
        const cycles = lag === 1 ? 'one cycle' : `${String(lag)} cycles`;
        return { id: 'latency', text: `'${output.port}' has the right values ${cycles} too ${direction === 1 ? 'late' : 'early'}.` };
      }
    }
  }
  return undefined;
}

function offsetPattern(output: ObservedPort, differing: readonly Pair[]): Mismatch['pattern'] {
  if (output.width < 2 || differing.length < 4) return undefined;
  const modulus = 1n << BigInt(output.width);
  const offsets = new Set(differing.map(([expected, actual]) => (BigInt(`0b${actual}`) - BigInt(`0b${expected}`) + modulus) % modulus));
  const [offset] = offsets;
  if (offsets.size !== 1 || offset === undefined) return undefined;
  const signed = offset > modulus / 2n ? offset - modulus : offset;
  const text = signed > 0n ? `${String(signed)} more` : `${String(-signed)} less`;
  return { id: 'offset', text: `Where '${output.port}' differs it is always ${text} than expected.` };
}
