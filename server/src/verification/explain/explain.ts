import { latencyPattern } from './latency.ts';
import { beginsAtWrongEdge, countPattern, edgePattern, enablePattern, missesReset, resetPattern } from './time.ts';
import { arithmeticPattern, bitPattern, constantPattern, extensionPattern, singleBitPattern, swappedPortsPattern, undrivenPattern } from './value.ts';
import { viewOf, type Pattern, type View } from './view.ts';
import type { ObservedPort } from '../stimulus/layout.ts';
import type { Mismatch } from '../verdict.ts';
import type { Exchange } from '../witness.ts';

/** From the most to the least telling; the first that fits is named. */
const PATTERNS: readonly ((view: View) => Pattern | undefined)[] = [
  undrivenPattern,
  constantPattern,
  bitPattern,
  swappedPortsPattern,
  resetPattern,
  edgePattern,
  latencyPattern,
  extensionPattern,
  enablePattern,
  countPattern,
  singleBitPattern,
  arithmeticPattern,
];

/**
 * Names the pattern of a difference when one fits everything that was recorded of the output: how values are changed (inverted,
 * reordered, extended or cut, off by a constant) or when (reset, edge, delay, enable, wrap). A pattern is a hint about the cause;
 * it never changes the verdict.
 */
export function explainDifference(exchange: Exchange, output: ObservedPort, fromSample: number): Mismatch['pattern'] {
  return patternOf(viewOf(exchange, output, fromSample));
}

export function patternOf(view: View): Pattern | undefined {
  for (const pattern of PATTERNS) {
    const found = pattern(view);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the cause is likely the event list of a process. */
export function suspectsEvent(view: View, pattern: Pattern | undefined): boolean {
  return pattern?.id === 'edge' || pattern?.id === 'reset-kind' || beginsAtWrongEdge(view) || missesReset(view);
}
