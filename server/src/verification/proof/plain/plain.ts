/**
 * SystemVerilog in terms that Yosys reads. Each step leaves what it does not understand as it is: then the source stays unread, and no proof is
 * claimed on it.
 */
import { withoutNamedElements } from './arrays.ts';
import { withoutConstantArrays } from './constants.ts';
import { withoutJumps } from './jumps.ts';
import { withoutForeach } from './loops.ts';
import { withoutElementMembers } from './members.ts';
import { withoutMembership } from './membership.ts';
import { withoutPatterns } from './patterns.ts';
import { withoutResultMembers } from './results.ts';
import { withoutLifetimes } from './variables.ts';

const STEPS: readonly ((text: string) => string)[] = [withoutForeach, withoutMembership, withoutLifetimes, withoutJumps, withoutResultMembers, withoutConstantArrays, withoutPatterns, withoutElementMembers, withoutNamedElements];

/** The text, macros expanded, without the constructs that Yosys does not know and that can be said otherwise. */
export function inPlainTerms(text: string): string {
  return STEPS.reduce((plain, step) => step(plain), text);
}
