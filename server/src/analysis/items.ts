import type { Span } from '../base/text.ts';
import type { DataType, Dimension, Expression, Placed } from './ast.ts';
import type { Direction, Edge, SourceLocation } from './module.ts';

/** One term of an event control: `posedge clk iff enable`. */
export interface EventTerm {
  readonly edge: Edge | 'edge' | undefined;
  readonly expression: Expression;
  readonly iff: Expression | undefined;
}

/** `'*'` is the implicit list of `@*`. */
export type EventControl = readonly EventTerm[] | '*';

export interface CaseBranch {
  /** Empty for `default`. */
  readonly labels: readonly Expression[];
  readonly body: Statement;
}

/** Who says that some branch is taken: `unique` or `priority`, which simulators check, or a `full_case` for synthesis only. */
export type Promised = 'language' | 'synthesis' | undefined;

export type Statement = StatementForm & Placed;

export type StatementForm =
  | { readonly kind: 'block'; readonly items: readonly Item[]; readonly statements: readonly Statement[] }
  | { readonly kind: 'if'; readonly condition: Expression; readonly whenTrue: Statement; readonly whenFalse: Statement | undefined; readonly promise?: Promised }
  | {
      readonly kind: 'case';
      readonly keyword: string;
      readonly inside: boolean;
      readonly promise?: Promised;
      readonly selector: Expression;
      readonly branches: readonly CaseBranch[];
    }
  | {
      readonly kind: 'assign';
      readonly target: Expression;
      /** `=`, `<=`, or a compound operator such as `+=`; `++` and `--` count as `+=` and `-=`. */
      readonly operator: string;
      readonly value: Expression;
      /** By `force` or a procedural `assign`, which hold against other drivers until they are released. */
      readonly forced?: boolean;
    }
  | {
      readonly kind: 'loop';
      readonly keyword: 'for' | 'while' | 'repeat' | 'forever' | 'do' | 'foreach';
      readonly initial: readonly Statement[];
      readonly condition: Expression | undefined;
      readonly step: readonly Statement[];
      readonly body: Statement;
    }
  | { readonly kind: 'event'; readonly control: EventControl; readonly body: Statement }
  | { readonly kind: 'delay' | 'wait'; readonly body: Statement }
  | { readonly kind: 'return'; readonly value: Expression | undefined }
  | { readonly kind: 'call'; readonly call: Expression }
  | { readonly kind: 'null' }
  | { readonly kind: 'other' };

export interface ParameterItem extends Placed {
  readonly kind: 'parameter';
  readonly name: string;
  readonly local: boolean;
  /** It stands in the parameter port list. */
  readonly header: boolean;
  /** Undefined for a type parameter. */
  readonly type: DataType | undefined;
  readonly typeDefault: DataType | undefined;
  readonly unpacked: readonly Dimension[];
  readonly value: Expression | undefined;
  readonly valueText: string | undefined;
  readonly location: SourceLocation;
}

export interface VariableItem extends Placed {
  readonly kind: 'variable';
  readonly name: string;
  /** The net type keyword, or undefined for a variable. */
  readonly net: string | undefined;
  readonly type: DataType;
  readonly unpacked: readonly Dimension[];
  /** For a net a continuous assignment, for a variable its value at the start. */
  readonly initial: Expression | undefined;
  readonly location: SourceLocation;
}

/** A port as declared, in the header or (non-ANSI) in the body. */
export interface PortItem extends Placed {
  readonly kind: 'port';
  readonly name: string;
  readonly direction: Direction | 'ref' | 'interface';
  readonly net: string | undefined;
  readonly type: DataType;
  readonly unpacked: readonly Dimension[];
  readonly initial: Expression | undefined;
  readonly location: SourceLocation;
}

export interface Connection extends Placed {
  /** Undefined for a connection by position. */
  readonly port: string | undefined;
  /** Undefined for an open port. */
  readonly expression: Expression | undefined;
  readonly text: string;
  readonly location: SourceLocation;
}

export interface ParameterOverride extends Placed {
  /** Undefined for an override by position. */
  readonly name: string | undefined;
  readonly value: Expression | undefined;
  readonly text: string;
}

export interface InstanceItem extends Placed {
  readonly kind: 'instance';
  readonly module: string;
  readonly moduleLocation: SourceLocation;
  /** Place of the module's name in the parsed text. */
  readonly moduleSpan: Span;
  /** Empty for an unnamed instance of a primitive. */
  readonly name: string;
  readonly location: SourceLocation;
  readonly array: readonly Dimension[];
  readonly overrides: readonly ParameterOverride[];
  readonly connections: readonly Connection[];
  /** It has `.*`. */
  readonly wildcard: boolean;
}

export interface FunctionItem extends Placed {
  readonly kind: 'function';
  readonly name: string;
  readonly task: boolean;
  readonly returns: DataType;
  readonly ports: readonly PortItem[];
  readonly items: readonly Item[];
  readonly body: readonly Statement[];
}

export interface GenerateBranch {
  /** Empty for `default`. */
  readonly labels: readonly Expression[];
  readonly items: readonly Item[];
}

/** The place of what has a name is that of its name. */
export type Item = ItemForm & Placed;

export type ItemForm =
  | ParameterItem
  | VariableItem
  | PortItem
  | InstanceItem
  | FunctionItem
  | { readonly kind: 'typedef'; readonly name: string; readonly type: DataType; readonly unpacked: readonly Dimension[] }
  | { readonly kind: 'import'; readonly package: string; readonly name: string | undefined }
  | { readonly kind: 'assign'; readonly target: Expression; readonly value: Expression }
  | {
      readonly kind: 'always';
      readonly keyword: 'always' | 'always_comb' | 'always_ff' | 'always_latch';
      readonly body: Statement;
      readonly location: SourceLocation;
    }
  | { readonly kind: 'initial'; readonly body: Statement }
  | { readonly kind: 'gate'; readonly gate: string; readonly terminals: readonly Expression[] }
  | { readonly kind: 'defparam'; readonly path: readonly string[]; readonly value: Expression }
  | { readonly kind: 'generate-if'; readonly condition: Expression; readonly whenTrue: readonly Item[]; readonly whenFalse: readonly Item[] }
  | { readonly kind: 'generate-case'; readonly selector: Expression; readonly branches: readonly GenerateBranch[] }
  | {
      readonly kind: 'generate-for';
      readonly variable: string;
      readonly initial: Expression;
      readonly condition: Expression;
      readonly next: Expression;
      readonly items: readonly Item[];
    }
  | { readonly kind: 'generate-block'; readonly items: readonly Item[] };

/** A port of the header: ANSI ports refer to themselves, `.a(b)` refers to `b`, `a[3:0]` to a part of `a`. */
export interface HeaderPort {
  readonly name: string;
  readonly internal: Expression | undefined;
  readonly location: SourceLocation;
}

export interface ModuleSummary extends Placed {
  readonly name: string;
  readonly kind: 'module' | 'interface' | 'program';
  readonly ansi: boolean;
  /** In the order of the header. */
  readonly headerPorts: readonly HeaderPort[];
  /** Everything declared in it, header first; ANSI ports are items too. */
  readonly items: readonly Item[];
  /** From the first keyword to the last. */
  readonly location: SourceLocation;
  readonly nameLocation: SourceLocation;
  /** From the first keyword to the semicolon of the header. */
  readonly headerLocation: SourceLocation;
  /** The end of the header in the parsed text. */
  readonly headerEnd: number;
  /** Between header and closing keyword. */
  readonly bodyLocation: SourceLocation;
  /** The parser met something in it that it could not read. */
  readonly hasError: boolean;
  /** An output may be high-impedance; undefined where the items tell. */
  readonly mayRelease?: boolean;
}

export interface PackageSummary extends Placed {
  readonly name: string;
  readonly items: readonly Item[];
  readonly location: SourceLocation;
}

/** What a file declares, as plain data without references to the syntax tree. */
export interface FileSummary {
  readonly file: string;
  readonly modules: readonly ModuleSummary[];
  readonly packages: readonly PackageSummary[];
  /** Names of user-defined primitives. */
  readonly primitives: readonly string[];
  /** Declarations outside of all design units. */
  readonly items: readonly Item[];
}
