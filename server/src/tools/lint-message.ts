/** What a tool says about a place; `column` and `length` are known where the tool tells them. */
export interface LintMessage {
  /** As the tool was given it. */
  readonly file: string;
  /** One-based. */
  readonly line: number;
  /** One-based. */
  readonly column: number | undefined;
  readonly length: number | undefined;
  readonly severity: 'error' | 'warning';
  /** The tool's own name for it, such as `WIDTH`; empty where it has none. */
  readonly code: string;
  readonly message: string;
  /** `unsupported`: the tool knows that it may be legal. `unknown-module`: about a file that the tool was not given. */
  readonly about: 'syntax' | 'unsupported' | 'unknown-module' | 'other';
  /** Further places that the message names, with one-based lines. */
  readonly related: readonly { readonly file: string; readonly line: number; readonly message: string }[];
}
