import type { ElaboratedModule } from './module.ts';

/** Files that are read one after the other as one text (IEEE 1800-2017, 3.12.1): what earlier ones define is there in later ones. */
export interface CompilationUnit {
  /** Absolute paths in their order. */
  readonly sources: readonly string[];
  /** Absolute paths of files that are read behind all sources, each by itself and where something of it is wanted. */
  readonly libraries: readonly string[];
}

/** One side of a comparison as a caller names it. */
export interface DesignInput {
  /** Absolute path; need not exist when `text` is given. */
  readonly file: string;
  /** Unsaved text that stands in for the file's content. */
  readonly text?: string;
  /** Texts that stand in for the content of other files, by absolute path. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Module to compare; may be left out when the file defines exactly one candidate. */
  readonly module?: string;
  /** Further source files (absolute paths) in which instantiated modules may be found. */
  readonly libraryFiles?: readonly string[];
  /** A file that several units name belongs to the first of them. */
  readonly units?: readonly CompilationUnit[];
  /** Absolute directories. The file's own directory is always searched. */
  readonly includeDirs?: readonly string[];
  readonly defines?: Readonly<Record<string, string>>;
  /** Overrides of header parameters: name to expression text. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A problem in a source file, in that file's own coordinates. */
export interface SourceProblem {
  /** Absolute path. */
  readonly file: string;
  /** Zero-based; undefined when no place is known. */
  readonly line: number | undefined;
  readonly character: number | undefined;
  readonly message: string;
}

/** A problem with how grave it is; `rule` names the rule that found it, undefined for a syntax error. */
export interface GradedProblem extends SourceProblem {
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly rule: string | undefined;
}

/** A source text that a tool must compile. */
export interface DesignSource {
  /** Absolute path as the user knows it. */
  readonly file: string;
  readonly text: string;
}

/** A call of a system task or function, or an import of a foreign function, at its place in the user's file. */
export interface OutsideUse {
  readonly kind: 'task' | 'import';
  /** The task's name with its `$`, or what is imported. */
  readonly name: string;
  /** The first argument, where it is a plain string literal. */
  readonly text: string | undefined;
  /** Absolute path. */
  readonly file: string;
  /** Zero-based. */
  readonly line: number;
  readonly character: number;
}

/** A module with everything below it, ready to be compiled. */
export interface LoadedDesign {
  readonly input: DesignInput;
  readonly module: ElaboratedModule;
  /**
   * Files with packages first, each before its users; then the named file, then what it instantiates; those of one compilation unit in its
   * order. Each file once. Before a file that macros of earlier files reach stands a text that defines them.
   */
  readonly sources: readonly DesignSource[];
  /** Files that the sources include, as far as they were found. */
  readonly includes: readonly DesignSource[];
  /** What the sources may reach for outside of themselves, macros expanded, in the order of the sources. */
  readonly outside: readonly OutsideUse[];
  /** What looks like a mistake to this parser, which does not know every construct; the tools have the last word. */
  readonly doubts: readonly SourceProblem[];
}

export type LoadResult =
  | { readonly kind: 'loaded'; readonly design: LoadedDesign }
  /** `reason` is one full sentence that names what to do next; `problems` holds the places, syntax errors first. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly problems: readonly SourceProblem[] };
