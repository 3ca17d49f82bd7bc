import type { Span } from '../../base/text.ts';
import type { ModuleView } from './view.ts';

export const levels = ['error', 'warning', 'information', 'hint', 'off'] as const;
export type Level = (typeof levels)[number];

export type Category = 'names' | 'connections' | 'widths' | 'drivers' | 'processes' | 'cases' | 'constants' | 'style';

/** A replacement; in a rule the place is in the parsed text, in a finding in the file itself. */
export interface TextChange {
  readonly span: Span;
  readonly text: string;
}

/** A change that mends what a finding tells. */
export interface Fix {
  /** An imperative sentence without a stop, as a menu shows it. */
  readonly title: string;
  readonly changes: readonly TextChange[];
}

export interface Related {
  readonly span: Span;
  readonly message: string;
}

export interface Extras {
  readonly fixes?: readonly Fix[] | undefined;
  readonly related?: readonly Related[] | undefined;
  /** Where the signals are declared that the finding is about: Verilator names such a warning there, so that its comments count there too. */
  readonly declared?: readonly Span[] | undefined;
  /** What is named can go; editors show it dimmed. */
  readonly unnecessary?: boolean | undefined;
}

/** Tells one finding: its place in the parsed text and one or two full sentences. Without a place nothing is told. */
export type Report = (span: Span | undefined, message: string, extras?: Extras) => void;

export interface Rule {
  /** In kebab case; it stands in settings, comments and the address of the rule's page. */
  readonly id: string;
  readonly level: Level;
  readonly category: Category;
  /** One line: what is wrong with what the rule finds. */
  readonly reason: string;
  /** Names of the Verilator warnings that say the same, so that their `lint_off` comments count. */
  readonly verilator?: readonly string[];
  /** It follows from widths or other values: where parameters can change them, it must hold for other values as well. */
  readonly followsValues?: boolean;
  /** Examples for the rule's page: a piece of a module, or a whole. */
  readonly flagged: string;
  readonly silent: string;
  readonly check: (module: ModuleView, report: Report) => void;
}
