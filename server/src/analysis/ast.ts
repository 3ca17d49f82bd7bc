import type { Span } from '../base/text.ts';

/** Where something is written, in offsets of the parsed text; undefined for what a reader made up. */
export interface Placed {
  readonly span?: Span;
}

/** A constant of the source. `bits` holds the value without its unknown digits, `unknown` the positions of x and z. */
export interface NumberLiteral {
  readonly kind: 'number';
  readonly bits: bigint;
  readonly unknown: bigint;
  /** Undefined for an unsized number. */
  readonly width: number | undefined;
  readonly signed: boolean;
}

export type RangeMode = ':' | '+:' | '-:';

export type Expression = ExpressionForm & Placed;

export type ExpressionForm =
  | NumberLiteral
  /** An unsized single-bit literal such as `'1`, which fills its context. */
  | { readonly kind: 'fill'; readonly bit: '0' | '1' | 'x' | 'z' }
  | { readonly kind: 'real'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'name'; readonly scope: string | undefined; readonly name: string }
  | { readonly kind: 'member'; readonly base: Expression; readonly name: string }
  | { readonly kind: 'select'; readonly base: Expression; readonly index: Expression }
  | { readonly kind: 'range'; readonly base: Expression; readonly mode: RangeMode; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'conditional'; readonly condition: Expression; readonly whenTrue: Expression; readonly whenFalse: Expression }
  | { readonly kind: 'concatenation'; readonly parts: readonly Expression[] }
  | { readonly kind: 'replication'; readonly count: Expression; readonly parts: readonly Expression[] }
  | { readonly kind: 'call'; readonly scope: string | undefined; readonly name: string; readonly arguments: readonly Expression[] }
  | { readonly kind: 'sign-cast'; readonly signed: boolean; readonly operand: Expression }
  | { readonly kind: 'width-cast'; readonly width: Expression; readonly operand: Expression }
  | { readonly kind: 'type-cast'; readonly type: DataType; readonly operand: Expression }
  | { readonly kind: 'type'; readonly type: DataType }
  | { readonly kind: 'pattern'; readonly parts: readonly Expression[] }
  | { readonly kind: 'inside'; readonly operand: Expression; readonly ranges: readonly Expression[] }
  /** Something this parser does not know; `parts` are the expressions found in it. */
  | { readonly kind: 'other'; readonly parts: readonly Expression[] };

/** A packed or unpacked dimension as written: `[left:right]`, or `[size]` with `right` undefined. */
export interface Dimension {
  readonly left: Expression;
  readonly right: Expression | undefined;
}

export interface EnumMember {
  readonly name: string;
  readonly value: Expression | undefined;
  /** `NAME[3]` stands for NAME0 to NAME2, `NAME[2:4]` for NAME2 to NAME4. */
  readonly range: Dimension | undefined;
}

export interface StructMember {
  readonly name: string;
  readonly type: DataType;
  readonly unpacked: readonly Dimension[];
}

/** A data type as written, not yet evaluated. */
export type DataType =
  /** A vector of bits; `keyword` is empty where the type is implicit. */
  | { readonly kind: 'vector'; readonly keyword: '' | 'logic' | 'reg' | 'bit'; readonly signed: boolean; readonly packed: readonly Dimension[] }
  | { readonly kind: 'atom'; readonly keyword: string; readonly width: number; readonly signed: boolean }
  | { readonly kind: 'real' | 'string' | 'void' }
  | { readonly kind: 'enum'; readonly base: DataType | undefined; readonly members: readonly EnumMember[]; readonly packed: readonly Dimension[] }
  | {
      readonly kind: 'struct' | 'union';
      readonly isPacked: boolean;
      readonly signed: boolean;
      readonly members: readonly StructMember[];
      readonly packed: readonly Dimension[];
    }
  | { readonly kind: 'named'; readonly scope: string | undefined; readonly name: string; readonly packed: readonly Dimension[] };

export const implicitType: DataType = { kind: 'vector', keyword: '', signed: false, packed: [] };
