import type { Span } from '../base/text.ts';
import type { Macro } from './macros.ts';
import type { SourceMap } from './source-map.ts';

export interface PreprocessOptions {
  /** Name to text, as with a compiler's `-D`. */
  readonly defines?: Readonly<Record<string, string>> | undefined;
  /** Macros behind the file before this one in its compilation unit, those of `defines` among them; undefined for the first. */
  readonly macros?: ReadonlyMap<string, Macro> | undefined;
  /** What conditionals find defined or not, whatever is; for looking at branches that are left out. */
  readonly assume?: ReadonlyMap<string, boolean> | undefined;
  /** Absolute directories, searched behind the directory of the including file. */
  readonly includeDirs?: readonly string[] | undefined;
  /** The text of a file by absolute path, or undefined when there is none. */
  readonly readFile?: ((path: string) => string | undefined) | undefined;
  /** Directives without influence on the syntax that stay in the text, by name; the others are blanked. */
  readonly kept?: ReadonlySet<string> | undefined;
}

export type PreprocessProblemCode =
  | 'missing-include'
  | 'include-cycle'
  | 'unbalanced-conditional'
  | 'bad-directive'
  | 'bad-macro-usage'
  | 'recursive-macro'
  | 'too-large';

export interface PreprocessProblem {
  readonly code: PreprocessProblemCode;
  readonly file: string;
  readonly span: Span;
  readonly message: string;
}

export interface IncludeDirective {
  /** The name between the quotes. */
  readonly name: string;
  /** The place of the directive in the file that has it. */
  readonly file: string;
  readonly span: Span;
  /** Absolute path, or undefined when no such file was found. */
  readonly resolved: string | undefined;
}

/** A macro usage; `span` is in the coordinates of the file that has it. */
export interface MacroUsage {
  readonly name: string;
  readonly file: string;
  readonly span: Span;
}

/** A macro that the sources define. */
export type DefinedMacro = Macro & { readonly location: NonNullable<Macro['location']> };

export interface Preprocessed {
  /** The text after preprocessing: directives and inactive branches blanked at equal length, macros expanded, includes spliced in. */
  readonly text: string;
  readonly map: SourceMap;
  /** The root file's own text with directives and inactive branches blanked at equal length, and macro usages left as they are. */
  readonly blanked: string;
  /** Inactive branches of the root file. */
  readonly inactive: readonly Span[];
  readonly includes: readonly IncludeDirective[];
  /** Macros defined at the end. */
  readonly macros: ReadonlyMap<string, Macro>;
  /** Every active definition of a macro in the text and its includes, in order. */
  readonly definitions: readonly DefinedMacro[];
  readonly expanded: readonly MacroUsage[];
  /** Usages of macros that are not defined; they stay in the text. */
  readonly unknown: readonly MacroUsage[];
  readonly problems: readonly PreprocessProblem[];
}
