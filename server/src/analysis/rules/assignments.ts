import type { Span } from '../../base/text.ts';
import type { Statement } from '../items.ts';
import type { Fix } from './rule.ts';
import { signalsOf } from './signals.ts';
import type { Driver, Signal } from './signals.ts';
import type { ModuleView, Procedure } from './view.ts';

export interface SignalAssignment extends Driver {
  readonly signal: Signal;
  readonly statement: Extract<Statement, { kind: 'assign' }>;
  readonly procedure: Procedure;
}

/** The assignments to signals of the module in its processes, in the order of the text within each process. */
export function assignmentsOf(module: ModuleView): readonly SignalAssignment[] {
  return module.once(collectAssignments);
}

function collectAssignments(module: ModuleView): readonly SignalAssignment[] {
  const found: SignalAssignment[] = [];
  for (const signal of signalsOf(module).all) {
    for (const driver of signal.drivers) {
      const { statement, procedure } = driver;
      if (statement && procedure) found.push({ ...driver, signal, statement, procedure });
    }
  }
  return found;
}

/** At least one assignment. */
export type Assignments = readonly [SignalAssignment, ...SignalAssignment[]];

export function isNonblocking({ statement }: SignalAssignment): boolean {
  return statement.operator === '<=';
}

/** Counters of loops, which are written with `=` everywhere. */
export function isLoopCounter(signal: Signal): boolean {
  const type = (signal.variable ?? signal.port)?.type;
  return type?.kind === 'atom' && (type.keyword === 'integer' || type.keyword === 'int') && !signal.port;
}

/** Something outside of the process sees the signal. */
export function escapes(signal: Signal, procedure: Procedure): boolean {
  if (signal.port && signal.port.direction !== 'input') return true;
  return signal.mayBeDrivenElsewhere || signal.reads.some((read) => read.procedure !== procedure && read.procedure?.kind !== 'initial');
}

/** The place of the operator between target and value. */
export function operatorSpan({ statement }: { readonly statement: SignalAssignment['statement'] }, module: ModuleView): Span | undefined {
  const from = statement.target.span?.end;
  const to = statement.value.span?.start;
  if (from === undefined || to === undefined) return undefined;
  const at = module.textOf({ start: from, end: to }).indexOf(statement.operator);
  return at < 0 ? undefined : { start: from + at, end: from + at + statement.operator.length };
}

export function replaceOperator(assignment: SignalAssignment, operator: '=' | '<=', module: ModuleView): Fix[] {
  const span = operatorSpan(assignment, module);
  return span && (assignment.statement.operator === '=' || assignment.statement.operator === '<=') ? [{ title: `Change '${assignment.statement.operator}' to '${operator}'`, changes: [{ span, text: operator }] }] : [];
}

/** One fix for all assignments of a group; none where one of them has another operator than '=' and '<='. */
export function replaceAllOperators(group: Assignments, operator: '=' | '<=', module: ModuleView): Fix[] {
  const changes = group.flatMap((assignment) => replaceOperator(assignment, operator, module).flatMap((fix) => [...fix.changes]));
  const [{ signal, statement }] = group;
  if (changes.length < group.length || group.some((assignment) => assignment.statement.operator !== statement.operator)) return [];
  const title = group.length > 1 ? `Change all ${group.length} '${statement.operator}' of ${signal.name} here to '${operator}'` : `Change '${statement.operator}' to '${operator}'`;
  return [{ title, changes }];
}

/** Names in a sentence: `a`, `a and b`, `a, b and c`. */
export function listNames(names: readonly string[]): string {
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  return shown.length <= 1 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}

/** The end of a message: what was meant, or what else to do. */
export function meantOr(meant: string | undefined, otherwise: string): string {
  return meant === undefined ? `${otherwise}.` : `did you mean ${meant}?`;
}

