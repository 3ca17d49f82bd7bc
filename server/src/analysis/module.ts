import type { Span } from '../base/text.ts';

export type Direction = 'input' | 'output' | 'inout';

/** A declared range with evaluated bounds, as in `[7:0]`. */
export interface Range {
  readonly left: number;
  readonly right: number;
}

/** A place in a source file, in offsets of that file's own text. */
export interface SourceLocation {
  /** Absolute path. */
  readonly file: string;
  readonly span: Span;
}

export interface Port {
  readonly name: string;
  readonly direction: Direction;
  /** Bits of the whole port (packed times unpacked elements), or undefined when a bound could not be evaluated. */
  readonly width: number | undefined;
  /** Outermost first; empty for a scalar. */
  readonly packed: readonly Range[];
  readonly unpacked: readonly Range[];
  readonly signed: boolean;
  readonly location: SourceLocation;
}

export interface Parameter {
  readonly name: string;
  /** A `localparam`, or a body `parameter` of a module with a parameter port list: cannot be overridden. */
  readonly local: boolean;
  /** Source text of the default. */
  readonly defaultText: string | undefined;
  /** Decimal text of the evaluated value, or undefined when it could not be evaluated. */
  readonly value: string | undefined;
  readonly location: SourceLocation;
}

export type Edge = 'posedge' | 'negedge';

/** A top-level input that reaches the event control of sequential logic. */
export interface Clock {
  readonly port: string;
  /** The bit of a vector port, or undefined for a scalar. */
  readonly bit: number | undefined;
  /** Active edges, seen at the top port (an inverter on the way swaps them). */
  readonly edges: readonly Edge[];
}

export interface Reset {
  readonly port: string;
  readonly bit: number | undefined;
  readonly active: 'high' | 'low';
  readonly kind: 'async' | 'sync';
}

/** How a module keeps time, seen from its top ports. */
export interface Clocking {
  readonly clocks: readonly Clock[];
  readonly resets: readonly Reset[];
  /** Any state-holding construct was found: edge-triggered logic or a latch. */
  readonly sequential: boolean;
  readonly latches: boolean;
  /** Inputs beside the clocks reach the event control of a register: they gate or choose a clock, or make an asynchronous reset together. */
  readonly gated: boolean;
  /** False when the analysis met something it could not trace, so that the lists may be incomplete. */
  readonly complete: boolean;
}

/** A literal constant of the source, worth trying as an input value. */
export interface MinedConstant {
  readonly value: bigint;
  readonly width: number | undefined;
}

/** A module elaborated with chosen parameter values. */
export interface ElaboratedModule {
  readonly name: string;
  readonly location: SourceLocation;
  readonly parameters: readonly Parameter[];
  readonly ports: readonly Port[];
  readonly clocking: Clocking;
  /** Constants of this module and everything below it. */
  readonly constants: readonly MinedConstant[];
  /** Absolute paths of the files that define this module and everything below it. */
  readonly files: readonly string[];
  /** Instantiated module names for which no definition was found. */
  readonly unresolved: readonly string[];
}
