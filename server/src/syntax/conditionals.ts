import type { Span } from '../base/text.ts';

/** A branch of a conditional that is being read. */
export interface Branch {
  readonly opener: Span;
  /** The conditional itself stands in active text. */
  readonly live: boolean;
  active: boolean;
  taken: boolean;
  elseSeen: boolean;
}

/** Whether text behind these branches, the innermost last, is read. */
export function isActive(branches: readonly Branch[]): boolean {
  return branches.at(-1)?.active ?? true;
}

/** Begins a conditional. */
export function openBranch(branches: Branch[], opener: Span, holds: boolean): void {
  const live = isActive(branches);
  branches.push({ opener, live, active: live && holds, taken: holds, elseSeen: false });
}

/** Goes to the next branch of the innermost conditional or ends it; what is wrong with that as a message, if anything is. */
export function switchBranch(branches: Branch[], name: 'endif' | 'else' | 'elsif', holds: boolean): string | undefined {
  const branch = branches.at(-1);
  if (!branch) return `'\`${name}' has no '\`ifdef' or '\`ifndef' before it; remove it or add one.`;
  if (name === 'endif') {
    branches.pop();
    return undefined;
  }
  const problem = branch.elseSeen ? `'\`${name}' follows an '\`else' of the same conditional; remove one of them.` : undefined;
  branch.active = branch.live && !branch.taken && holds;
  branch.taken ||= holds;
  branch.elseSeen ||= name === 'else';
  return problem;
}
