import type { Span } from '../../base/text.ts';
import type { SourceMap, SourcePlace } from '../../syntax/source-map.ts';

/** Position of a scope in `FileNames.scopes`; 0 is the compilation unit. */
export type ScopeIndex = number;
/** Position of a declaration in `FileNames.declarations`. */
export type DeclarationIndex = number;
/** Position of a use in `FileNames.uses`. */
export type UseIndex = number;

export type UnitKind = 'module' | 'interface' | 'program' | 'package' | 'primitive' | 'class' | 'checker' | 'config';

export type DeclarationKind =
  | UnitKind
  | 'port'
  | 'net'
  | 'variable'
  | 'parameter'
  | 'type-parameter'
  | 'genvar'
  | 'typedef'
  | 'enum-member'
  /** Of a struct or union. */
  | 'member'
  | 'function'
  | 'task'
  /** A port of a function, task, property or sequence. */
  | 'argument'
  | 'instance'
  /** A named block, a generate block or the label of a statement. */
  | 'block'
  | 'modport'
  | 'clocking'
  | 'property'
  | 'sequence'
  | 'covergroup'
  /** A point or cross of a covergroup, by its label. */
  | 'coverpoint'
  | 'constraint'
  | 'specparam';

export type ScopeKind = 'compilation-unit' | UnitKind | 'generate' | 'block' | 'function' | 'task' | 'struct' | 'union' | 'modport' | 'clocking' | 'property' | 'covergroup';

export interface Scope {
  readonly kind: ScopeKind;
  /** Undefined for the compilation unit. */
  readonly parent: ScopeIndex | undefined;
  /** The declaration whose inside this is; undefined for unnamed blocks and inline types. */
  readonly owner: DeclarationIndex | undefined;
  /** From its first keyword to its last, in the preprocessed text. */
  readonly extent: Span;
  /** What can be found by name in it. Several are generate blocks of different branches, or a mistake. Hidden port names are left out. */
  readonly names: ReadonlyMap<string, readonly DeclarationIndex[]>;
  readonly imports: readonly Import[];
  /** A module's ports in the order of its header. */
  readonly ports: readonly DeclarationIndex[];
  /** A module's parameters that an instance may set, in order. */
  readonly parameters: readonly DeclarationIndex[];
  /** The use that names the base of a class, or the class of a method whose body stands outside of it. */
  readonly base: UseIndex | undefined;
  /** For a generate block: its number in the enclosing scope, as in `genblk2`; undefined elsewhere. */
  readonly generateNumber: number | undefined;
}

export interface Import {
  readonly package: string;
  /** Undefined for `*`. */
  readonly name: string | undefined;
}

export interface Declaration {
  readonly kind: DeclarationKind;
  /** Without the backslash of an escaped identifier. */
  readonly name: string;
  /** Place of the name in the preprocessed text; `placeOf` leads to the source. */
  readonly span: Span;
  /** The declaration as a whole in the preprocessed text, from its first to its last character (for one of a list: its own part). */
  readonly extent: Span;
  readonly scope: ScopeIndex;
  /** The scope inside it: of a unit, subroutine, block or modport; undefined for others. */
  readonly inner: ScopeIndex | undefined;
  readonly type: TypeReference | undefined;
  readonly direction: 'input' | 'output' | 'inout' | 'ref' | undefined;
  /** The type as written, net type first, as in `wire [7:0]`; empty for none. */
  readonly typeText: string;
  /** Unpacked dimensions as written, as in `[0:3]`. */
  readonly dimensionsText: string;
  /** The value behind `=` as written. */
  readonly valueText: string | undefined;
  /** Place of that value in the preprocessed text. */
  readonly valueSpan: Span | undefined;
  /** A `localparam`, or a body `parameter` of a module with a parameter list: an instance can't set it. */
  readonly local: boolean;
  /** A port's outer name of `.name(expression)`, which means nothing inside the module. */
  readonly hidden: boolean;
  /** A net that no declaration but its first use makes: `place` is that use. */
  readonly implicit: boolean;
}

/** How the members of something are found. */
export type TypeReference =
  /** The use that names the type: a typedef, class, interface or module. */
  | { readonly kind: 'named'; readonly use: UseIndex }
  /** An inline struct or union. */
  | { readonly kind: 'inline'; readonly scope: ScopeIndex };

export type UseAccess =
  | 'read'
  /** Target of an assignment. */
  | 'write'
  /** Read and written, as by `+=` and `++`. */
  | 'update'
  /** In an event control such as `@(posedge clk)`. */
  | 'event'
  /** The whole of a port connection: the port's direction says whether it is read or written. */
  | 'connection'
  /** The whole of an argument of a call: the direction of the subroutine's port says. */
  | 'argument'
  /** The called function or task. */
  | 'call'
  /** The name of a type. */
  | 'type'
  /** The name of a module, interface or primitive that is instantiated. */
  | 'instantiate'
  /** The name of a port or parameter in `.name(…)` of an instance or call. */
  | 'formal'
  /** A name repeated at the end, as in `endmodule : name`. */
  | 'label'
  /** A further part of a declaration: the header of a non-ANSI port list, `reg q;` for a port `q`. */
  | 'declaration'
  /** The package of an import, or the imported name. */
  | 'import'
  /** A part of a path in which names are only passed through, as `defparam`, `bind`, `disable`. */
  | 'path';

/** What leads to the meaning of a name. */
export type UseBase =
  /** Looked up in the scope and those around it; a name that leads into something (`name.x`, `name::x`) may be a design unit's. */
  | { readonly kind: 'lexical'; readonly orUnit: boolean }
  /** A member of what another use means: `a.b`, `pkg::b`, a port of an interface. */
  | { readonly kind: 'member'; readonly of: UseIndex; readonly operator: '.' | '::' }
  /** A design unit by its name. */
  | { readonly kind: 'unit' }
  /** A port of the module, subroutine or class that another use names. */
  | { readonly kind: 'port'; readonly of: UseIndex }
  | { readonly kind: 'parameter'; readonly of: UseIndex }
  /** A member of the class around it, or of that one's base: `this.x`, `super.x`. */
  | { readonly kind: 'self'; readonly word: 'this' | 'super' }
  /** Looked up inside what another use names, and around that: what a `bind` connects. */
  | { readonly kind: 'inside'; readonly of: UseIndex }
  /** The constructor of the class that a use or declaration names or is of: the `new` of `object = new(…)`. */
  | { readonly kind: 'constructor'; readonly of: { readonly use: UseIndex } | { readonly declaration: DeclarationIndex } }
  /** A known declaration of this file. */
  | { readonly kind: 'declared'; readonly declaration: DeclarationIndex }
  /** A key of an assignment pattern: a member of the type of a use or declaration, or else a lexical name. */
  | { readonly kind: 'pattern-key'; readonly of: { readonly use: UseIndex } | { readonly declaration: DeclarationIndex } | undefined };

export interface Use {
  /** Without the backslash of an escaped identifier. */
  readonly name: string;
  /** Place in the preprocessed text; `placeOf` leads to the source. */
  readonly span: Span;
  readonly scope: ScopeIndex;
  readonly base: UseBase;
  readonly access: UseAccess;
  /** Only a part is meant, by a select or a member behind it. */
  readonly partial: boolean;
  /** A select or a call stands behind it, so that a dot leads into an element of it. */
  readonly followedBySelect: boolean;
  /** It stands in a construct that is not followed in detail, such as a covergroup or specify block. */
  readonly soft: boolean;
  /** Second use at the same place: the net of a `.name` shorthand. */
  readonly shorthand: boolean;
  /** Position in `FileNames.processes` of the process that it stands in; undefined outside of all. */
  readonly process: number | undefined;
  /** For a connection or argument: the formal it belongs to. */
  readonly formal: Formal | undefined;
}

/** A formal by name or, from 0, by position of what `of` names. */
export interface Formal {
  readonly of: UseIndex;
  readonly name: string | undefined;
  readonly position: number | undefined;
}

/** A construct that reads and drives on its own. */
export interface Process {
  readonly kind: 'assign' | 'always' | 'always_comb' | 'always_ff' | 'always_latch' | 'initial' | 'final' | 'gate' | 'instance' | 'declaration' | 'subroutine' | 'assertion' | 'other';
  readonly scope: ScopeIndex;
  /** In the preprocessed text. */
  readonly extent: Span;
}

export interface PortConnection {
  readonly kind: 'named' | 'shorthand' | 'positional' | 'wildcard';
  readonly name: string | undefined;
  /** The use of the port's name, for `named` and `shorthand`. */
  readonly use: UseIndex | undefined;
  /** In the preprocessed text, without separators; empty for an empty position. */
  readonly span: Span;
  /** What is connected; undefined when nothing is. */
  readonly expression: Span | undefined;
}

/** An instance with its connections. */
export interface Instance {
  /** Undefined for an unnamed primitive. */
  readonly declaration: DeclarationIndex | undefined;
  readonly module: string;
  readonly moduleUse: UseIndex;
  readonly scope: ScopeIndex;
  /** From the instance's name to its closing parenthesis, in the preprocessed text. */
  readonly extent: Span;
  /** The parentheses of the parameters, shared by all instances of one statement. */
  readonly parameterList: Span | undefined;
  readonly parameters: readonly PortConnection[];
  /** The parentheses of the connections. */
  readonly portList: Span | undefined;
  readonly ports: readonly PortConnection[];
  /** It has unpacked dimensions, so that connections may be spread. */
  readonly isArray: boolean;
}

/** A call with its parentheses, for signature help. */
export interface Call {
  readonly callee: UseIndex;
  /** The parentheses, in the preprocessed text. */
  readonly list: Span;
  /** One for each argument. */
  readonly arguments: readonly PortConnection[];
}

/**
 * Every scope, declaration and use of one preprocessed text. Frozen, without references to the text or a tree; depends on
 * no other file than those that were included. Names of other files are resolved by `NameResolver`.
 */
export interface FileNames {
  /** Absolute path of the root file. */
  readonly file: string;
  /** From the preprocessed text to the sources. */
  readonly map: SourceMap;
  readonly scopes: readonly Scope[];
  readonly declarations: readonly Declaration[];
  /** In the order of the preprocessed text, but for few that need a look ahead. */
  readonly uses: readonly Use[];
  readonly instances: readonly Instance[];
  readonly calls: readonly Call[];
  readonly processes: readonly Process[];
  /** Usages of macros that are not defined, as places in the preprocessed text: what is near them may mean anything. */
  readonly unknownMacros: readonly Span[];
}

/**
 * Where a name or construct stands in the sources: `file` differs from that of the model for what comes from an include, and
 * `exact` is false inside a macro expansion, where `span` is the macro usage as a whole.
 */
export function placeOf(names: FileNames, span: Span): SourcePlace {
  return names.map.locateSpan(span);
}
