import type { Elaboration } from './elaborate.ts';
import type { Clocking } from './module.ts';

/** Not traced yet: says only whether there are always blocks with an event control, and that the lists are incomplete. */
export function analyzeClocking(elaboration: Elaboration): Clocking {
  const sequential = elaboration.items.some(({ item }) => item.kind === 'always' && item.body.kind === 'event' && item.body.control !== '*');
  return { clocks: [], resets: [], sequential, latches: false, complete: false };
}
