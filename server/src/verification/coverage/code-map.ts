import type { SourceLocation } from '../../analysis/module.ts';

/**
 * `arm`: a branch of the code. `default`: one that takes what no other branch takes, which is often nothing, as the `default` of a `case` that names every value.
 * The others are none of the code: `result`: a comparison whose result is kept or passed on has come out one way; `rest`: a `case` without a `default` took no arm.
 */
export type BranchKind = 'arm' | 'default' | 'result' | 'rest';

/** A branch that a simulation can be watched to take. */
export interface Branch {
  /** As the source has it: `if (a)`, `else of if (a)`, `case 2'b01`, `default`, `b of a ? b : c`. */
  readonly what: string;
  readonly location: SourceLocation;
  /** Branches of one process run together. */
  readonly process: number;
  readonly kind: BranchKind;
  /** Its statement, in offsets of the file; undefined where it has none of its own. */
  readonly body: SourceLocation | undefined;
}

/** A piece of code that gives names their values or decides whether other pieces run. */
export interface Element {
  readonly module: string;
  readonly kind: 'assignment' | 'condition' | 'event' | 'declaration' | 'connection';
  readonly location: SourceLocation;
  /** Names of the module that it assigns, or whose assignment it controls. */
  readonly targets: readonly string[];
  /** Names that it reads, those of the conditions around it included. */
  readonly reads: readonly string[];
  /** Indexes of the branches in which it takes part; empty when it always does. */
  readonly branches: readonly number[];
  /** `clocked`: at the edges of a clock or an asynchronous control; `once`: when the simulation starts; `settled`: whenever what it reads changes. */
  readonly runs: 'clocked' | 'once' | 'settled';
  /** Set where it stands for code that may be missing. */
  readonly gap?: Gap | undefined;
  /** A statement that makes what a procedural assignment sets wrong, to stand behind it. */
  readonly fault?: string | undefined;
}

/** A choice that takes a branch because no arm names the value. */
export interface Gap {
  /** `arm`: a `case` without a `default`; `default`: a `case` that takes its `default`; `else`: an `if` without one. */
  readonly lacks: 'arm' | 'default' | 'else';
  /** What is chosen by, as the source has it. */
  readonly chooser: string;
  /** Index of a comparison whose left side is the value that is chosen by. */
  readonly comparison?: number | undefined;
  /** The labels of all arms, as the source has them. */
  readonly labels: readonly string[];
  /** Branches of those arms, or of the `if`. */
  readonly arms: readonly number[];
}

export interface Connection {
  /** By name, or by position. */
  readonly port: string | number;
  readonly names: readonly string[];
}

export interface InstanceLink {
  /** The module that holds the instance. */
  readonly module: string;
  readonly of: string;
  readonly connections: readonly Connection[];
  /** `.*`: every other port is connected to the name that it has. */
  readonly wildcard: boolean;
}

/** Two values that a decision compares, or that decide it through the nets that it reads. */
export interface Comparison {
  /** The branches and results that it decides about. */
  readonly branches: readonly number[];
  /** Expressions in the scope of the decision. */
  readonly left: string;
  readonly right: string;
  /** Which is greater decides, not whether they are equal. */
  readonly ordered: boolean;
  /** The expression under which it counts; undefined: always. */
  readonly when?: string | undefined;
}

/** Text to insert into a source file so that it marks what it runs. */
export interface Insertion {
  readonly offset: number;
  readonly text: string;
  /** Only needed to watch one of these comparisons: without a text it is what notes them, before the decision. */
  readonly comparisons?: readonly number[];
}

/** What the code of one or more files does, piece by piece. */
export interface CodeMap {
  readonly branches: readonly Branch[];
  readonly elements: readonly Element[];
  readonly instances: readonly InstanceLink[];
  readonly comparisons: readonly Comparison[];
  /** Port names of each module in order. */
  readonly ports: ReadonlyMap<string, readonly string[]>;
  /** Insertions of each file, in the order in which they are made where offsets are equal. */
  readonly insertions: ReadonlyMap<string, readonly Insertion[]>;
  /** False when some branch stands where nothing can be inserted, in a macro or an included file. */
  readonly complete: boolean;
}

/** The statement that marks a branch as taken. */
export type Mark = (branch: number) => string;

/** A text with everything inserted; `watch` is the statement that notes a comparison, or undefined where it is not wanted. */
export function withInsertions(text: string, insertions: readonly Insertion[], watch: (comparison: number) => string | undefined = () => undefined): string {
  const ordered = insertions.map((insertion, order) => ({ ...insertion, order })).sort((a, b) => a.offset - b.offset || a.order - b.order);
  let result = '';
  let from = 0;
  for (const { offset, text: inserted, comparisons } of ordered) {
    const notes = comparisons?.flatMap((comparison) => watch(comparison) ?? []);
    const now = notes === undefined ? inserted : notes.length === 0 ? '' : inserted === '' ? `begin ${notes.join(' ')} ` : inserted;
    result += text.slice(from, offset);
    // A word of the source may stand right before or behind, as in `o <= 1;end`, and so may what was inserted last.
    result += `${meets(result.slice(-1), now)}${now}${meets(now, text.slice(offset, offset + 1))}`;
    from = offset;
  }
  return result + text.slice(from);
}

/** A space where two words would become one. */
function meets(before: string, behind: string): string {
  return /[\w$]$/.test(before) && /^[\w$]/.test(behind) ? ' ' : '';
}
