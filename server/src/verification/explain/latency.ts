import type { Pattern, View } from './view.ts';

/** Longest constant delay, in cycles, that is recognised. */
const LONGEST_LATENCY = 4;
const LEAST_COMPARED = 16;
const LEAST_CHANGES = 4;

/** A constant delay or lead, judged on the values behind each active edge of the clock. */
export function latencyPattern({ exchange, output, moments }: View): Pattern | undefined {
  if (exchange.clocks.length !== 1) return undefined;
  const cycles = moments.filter(({ edge }) => edge === 'active');
  for (let lag = 1; lag <= LONGEST_LATENCY; lag++) {
    for (const late of [true, false]) {
      let compared = 0;
      let changes = 0;
      let last = '';
      const fits = cycles.every(({ expected, actual }, index) => {
        const other = cycles[index - lag];
        if (other === undefined) return true;
        const [from, to] = late ? [other.expected, actual] : [other.actual, expected];
        if (/[xz]/.test(from + to)) return true;
        compared++;
        if (from !== last) changes++;
        last = from;
        return from === to;
      });
      if (!fits || compared < LEAST_COMPARED || changes < LEAST_CHANGES) continue;
      const delay = lag === 1 ? 'one cycle' : `${String(lag)} cycles`;
      return { id: 'latency', text: `'${output.port}' has the right values ${delay} too ${late ? 'late' : 'early'}.` };
    }
  }
  return undefined;
}
