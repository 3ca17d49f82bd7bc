import type { Span } from '../base/text.ts';
import { skipOpaque } from './directives.ts';
import { endOfDirective } from './macros.ts';

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

/** Macros by name: whether conditionals have to find each defined. */
export type Conditions = ReadonlyMap<string, boolean>;

interface OpenConditional {
  /** The test of each branch so far. */
  readonly tests: { readonly macro: string; readonly wanted: boolean }[];
  isElse: boolean;
}

/** What has to be so for the text at an offset to be read; undefined when that can't be. */
export function conditionsAt(text: string, offset: number): Conditions | undefined {
  const open: OpenConditional[] = [];
  const piece = /`(?:(ifdef|ifndef|elsif)\s+([A-Za-z_][\w$]*)|(else|endif|define)\b)|"|\/\/|\/\*|\\/g;
  for (let match = piece.exec(text); match && match.index < offset; match = piece.exec(text)) {
    const [whole, test, macro = '', word] = match;
    if (!whole.startsWith('`')) piece.lastIndex = skipOpaque(text, match.index, whole);
    else if (word === 'define') piece.lastIndex = endOfDirective(text, piece.lastIndex);
    else if (test === 'elsif') open.at(-1)?.tests.push({ macro, wanted: true });
    else if (test !== undefined) open.push({ tests: [{ macro, wanted: test === 'ifdef' }], isElse: false });
    else if (word === 'endif') open.pop();
    else {
      const last = open.at(-1);
      if (last) last.isElse = true;
    }
  }
  return conditionsOf(open);
}

/** Every branch before the current one was not taken. */
function conditionsOf(open: readonly OpenConditional[]): Conditions | undefined {
  const conditions = new Map<string, boolean>();
  for (const { tests, isElse } of open) {
    for (const [at, { macro, wanted }] of tests.entries()) {
      const holds = !isElse && at === tests.length - 1 ? wanted : !wanted;
      if ((conditions.get(macro) ?? holds) !== holds) return undefined;
      conditions.set(macro, holds);
    }
  }
  return conditions;
}
