import type { Position, Span } from '../base/text.ts';

/** Where a finding points: offsets of the current text, or a line and column that a tool named. */
export type Place = { readonly kind: 'span'; readonly span: Span } | { readonly kind: 'position'; readonly position: Position };

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** A diagnostic before it becomes the protocol's. */
export interface Finding {
  /** Absolute path. */
  readonly file: string;
  readonly place: Place;
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  /** Address of a page that explains it. */
  readonly page?: string | undefined;
  /** What is named can go; editors show it dimmed. */
  readonly unnecessary?: boolean | undefined;
  readonly related: readonly { readonly file: string; readonly span: Span; readonly message: string }[];
}
