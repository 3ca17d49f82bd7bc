import type { Span } from '../../base/text.ts';
import type { SourceMap } from '../../syntax/source-map.ts';
import type { Expression } from '../ast.ts';
import { evaluate } from '../constant.ts';
import type { Elaborator } from '../elaborate.ts';
import type { InstanceInterface } from '../ports.ts';
import type { EventControl, FileSummary, FunctionItem, InstanceItem, Item, ModuleSummary, Statement } from '../items.ts';
import type { Library } from '../library.ts';
import type { FileNames } from '../names/model.ts';
import type { NameResolver } from '../names/resolve.ts';
import { Scope } from '../scope.ts';
import { groupBy } from './group.ts';
import { baseNameOf, partsOf, readsOf, substatements, targetsOf } from '../walk.ts';

/** A file as the rules see it: plain data that nothing changes, whatever is typed meanwhile. */
export interface FileView {
  /** Absolute path. */
  readonly file: string;
  /** The file's own text. */
  readonly text: string;
  /** The text behind the preprocessor, in whose offsets everything else is placed. */
  readonly parsed: string;
  readonly map: SourceMap;
  readonly summary: FileSummary;
  readonly names: FileNames;
  readonly resolver: NameResolver;
  /** Places in the parsed text of macros that are not known. */
  readonly unknownMacros: readonly Span[];
  /** Syntax errors, in offsets of the file's own text. */
  readonly errors: readonly Span[];
  /** A header was not found, so that any name may come from it. */
  readonly missesInclude: boolean;
  /** This file and those that it needs. */
  readonly library: Library;
  /** Names of all design units of the project; undefined when not all are known, so that a missing one may be elsewhere. */
  readonly units: ReadonlySet<string> | undefined;
}

export type PlainItem = Exclude<Item, { kind: `generate-${string}` }>;

/** An item in the scope where its names are looked up. */
export interface ItemView {
  readonly item: PlainItem;
  readonly scope: Scope;
  /** It is there with the default parameters: no generate condition around it is unknown. */
  readonly isCertain: boolean;
  /** It stands in a generate loop. */
  readonly inLoop: boolean;
}

export interface StatementView<S extends Statement = Statement> {
  readonly statement: S;
  readonly scope: Scope;
  readonly procedure: Procedure;
  /** The conditions and selectors of the statements around it. */
  readonly guards: readonly Expression[];
}

export type ProcedureKind =
  /** Waits for edges only. */
  | 'clocked'
  /** Wakes on levels, or is `always_comb`. */
  | 'combinational'
  | 'latch'
  /** Waits for edges and for levels. */
  | 'mixed'
  | 'initial'
  | 'subroutine'
  /** An `always` without one event control at its start. */
  | 'other';

/** A process or subroutine. */
export interface Procedure {
  readonly kind: ProcedureKind;
  readonly keyword: string;
  readonly span: Span | undefined;
  readonly control: EventControl | undefined;
  readonly controlSpan: Span | undefined;
  /** What runs after the event control. */
  readonly body: Statement;
  readonly scope: Scope;
  readonly view: ItemView;
  /** Every statement of it, outer ones first. */
  readonly statements: readonly StatementView[];
}

export interface ExpressionView<E extends Expression = Expression> {
  readonly expression: E;
  readonly scope: Scope;
  readonly isCertain: boolean;
}

type KindOf<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

/** A module, package or the rest of a file, read once for all rules. */
export class ModuleView {
  readonly file: FileView;
  /** Undefined for a package and for what stands outside of all units. */
  readonly summary: ModuleSummary | undefined;
  /** Its place in the parsed text; undefined for what stands outside of all units. */
  readonly extent: Span | undefined;
  readonly scope: Scope;
  readonly elaborator: Elaborator;
  readonly items: readonly ItemView[];
  readonly procedures: readonly Procedure[];
  #statements: ReadonlyMap<Statement['kind'], readonly StatementView[]> | undefined;
  #expressions: ReadonlyMap<Expression['kind'], readonly ExpressionView[]> | undefined;
  readonly #interfaces = new Map<InstanceItem, InstanceInterface | undefined>();
  readonly #memo = new Map<unknown, unknown>();

  constructor(file: FileView, unit: { readonly summary: ModuleSummary | undefined; readonly extent: Span | undefined; readonly items: readonly Item[]; readonly scope: Scope }, elaborator: Elaborator) {
    this.file = file;
    this.summary = unit.summary;
    this.extent = unit.extent;
    this.scope = unit.scope;
    this.elaborator = elaborator;
    const items: ItemView[] = [];
    const add = (inner: readonly Item[], scope: Scope, isCertain: boolean, inLoop: boolean): void => {
      for (const item of inner) this.#enter(item, { scope, isCertain, inLoop }, items, add);
    };
    add(unit.items, unit.scope, true, false);
    this.items = items;
    this.procedures = items.flatMap((view) => this.#procedure(view) ?? []);
  }

  /** The text of a place. */
  textOf(span: Span): string {
    return this.file.parsed.slice(span.start, span.end);
  }

  /** Up to so many characters of the unit that stand before a place in it. */
  textBefore(offset: number, most: number): string {
    return this.file.parsed.slice(Math.max(this.extent?.start ?? 0, offset - most), offset);
  }

  /** What several rules need is made once. */
  once<T>(make: (module: ModuleView) => T): T {
    if (!this.#memo.has(make)) this.#memo.set(make, make(this));
    return this.#memo.get(make) as T;
  }

  /** Every expression of one kind that is read somewhere, and the targets of assignments. */
  expressions<K extends Expression['kind']>(kind: K): readonly ExpressionView<KindOf<K>>[] {
    this.#expressions ??= this.#collect();
    return (this.#expressions.get(kind) ?? []) as readonly ExpressionView<KindOf<K>>[];
  }

  /** The ports of what an instance names, with the instance's parameters; undefined when that is not known. */
  interfaces(instance: InstanceItem, scope: Scope): InstanceInterface | undefined {
    if (!this.#interfaces.has(instance)) this.#interfaces.set(instance, this.elaborator.interfaceOf(instance, scope, this.file.file));
    return this.#interfaces.get(instance);
  }

  /** Statements of all procedures, of one kind. */
  statements<K extends Statement['kind']>(kind: K): readonly StatementView<Extract<Statement, { kind: K }>>[] {
    this.#statements ??= groupBy(this.procedures.flatMap(({ statements }) => statements), ({ statement }) => statement.kind);
    return (this.#statements.get(kind) ?? []) as unknown as readonly StatementView<Extract<Statement, { kind: K }>>[];
  }

  #enter(
    item: Item,
    place: Omit<ItemView, 'item'>,
    items: ItemView[],
    add: (inner: readonly Item[], scope: Scope, isCertain: boolean, inLoop: boolean) => void,
  ): void {
    const { scope, isCertain, inLoop } = place;
    const block = (inner: readonly Item[], certain: boolean, loop = inLoop, parent = scope): void => add(inner, this.elaborator.blockScope(inner, parent), certain, loop);
    switch (item.kind) {
      case 'generate-block':
        block(item.items, isCertain);
        return;
      case 'generate-if': {
        const condition = evaluate(item.condition, scope);
        if (condition?.bits !== 0n) block(item.whenTrue, isCertain && condition !== undefined);
        if (!condition || condition.bits === 0n) block(item.whenFalse, isCertain && condition !== undefined);
        return;
      }
      case 'generate-case':
        for (const branch of item.branches) block(branch.items, false);
        return;
      case 'generate-for': {
        const loop = new Scope(scope);
        loop.setConstant(item.variable, undefined);
        block(item.items, false, true, loop);
        return;
      }
      default:
        items.push({ ...place, item });
    }
  }

  #procedure(view: ItemView): Procedure | undefined {
    const { item } = view;
    if (item.kind === 'always') {
      const { body } = item;
      const control = body.kind === 'event' ? body.control : undefined;
      const inner = body.kind === 'event' ? body.body : body;
      return this.#withStatements({
        kind: kindOf(item.keyword, control),
        keyword: item.keyword,
        span: item.span,
        control,
        controlSpan: control && item.span && this.#controlSpan(item.span.start, inner),
        body: inner,
        scope: view.scope,
        view,
      });
    }
    if (item.kind === 'initial') return this.#withStatements({ kind: 'initial', keyword: 'initial', span: item.span, control: undefined, controlSpan: undefined, body: item.body, scope: view.scope, view });
    if (item.kind !== 'function') return undefined;
    const body: Statement = { kind: 'block', items: [], statements: item.body };
    return this.#withStatements({ kind: 'subroutine', keyword: item.task ? 'task' : 'function', span: item.span, control: undefined, controlSpan: undefined, body, scope: this.#subroutineScope(item, view.scope), view });
  }

  #subroutineScope(item: FunctionItem, parent: Scope): Scope {
    const result: Item[] = item.task ? [] : [{ kind: 'variable', name: item.name, net: undefined, type: item.returns, unpacked: [], initial: undefined, location: { file: this.file.file, span: { start: 0, end: 0 } } }];
    return this.elaborator.blockScope([...result, ...item.ports, ...item.items], parent);
  }

  /** From `@` to the end of the list. */
  #controlSpan(from: number, body: Statement): Span | undefined {
    const start = this.file.parsed.indexOf('@', from);
    const limit = body.span?.start ?? start + 1;
    if (start < 0 || start >= limit) return undefined;
    const text = this.file.parsed.slice(start, limit);
    const match = /^@\s*(?:\([^)]*(?:\([^)]*\)[^)]*)*\)|[\w$.]+|\*)/.exec(text);
    return match ? { start, end: start + match[0].length } : undefined;
  }

  #withStatements(procedure: Omit<Procedure, 'statements'>): Procedure {
    const statements: StatementView[] = [];
    const complete: Procedure = { ...procedure, statements };
    const visit = (statement: Statement, outer: Scope, guards: readonly Expression[]): void => {
      const scope = this.#statementScope(statement, outer);
      statements.push({ statement, scope, procedure: complete, guards });
      const guard = statement.kind === 'if' ? statement.condition : statement.kind === 'case' ? statement.selector : undefined;
      const inside = guard ? [...guards, guard] : guards;
      for (const inner of substatements(statement)) visit(inner, scope, inside);
    };
    visit(procedure.body, procedure.scope, []);
    return complete;
  }

  #statementScope(statement: Statement, outer: Scope): Scope {
    if (statement.kind === 'block' && statement.items.length > 0) return this.elaborator.blockScope(statement.items, outer);
    if (statement.kind !== 'loop') return outer;
    const names = statement.initial.flatMap((start) => (start.kind === 'assign' ? (baseNameOf(start.target) ?? []) : [])).filter((name) => !outer.variable(name));
    if (names.length === 0) return outer;
    const scope = new Scope(outer);
    for (const name of names) scope.defineVariable(name, { type: { kind: 'atom', keyword: 'int', width: 32, signed: true }, unpacked: [], scope });
    return scope;
  }

  #collect(): Map<Expression['kind'], ExpressionView[]> {
    const byKind = new Map<Expression['kind'], ExpressionView[]>();
    const visit = (expression: Expression, scope: Scope, isCertain: boolean): void => {
      const list = byKind.get(expression.kind);
      const view = { expression, scope, isCertain };
      if (list) list.push(view);
      else byKind.set(expression.kind, [view]);
      for (const part of partsOf(expression)) visit(part, scope, isCertain);
    };
    for (const { item, scope, isCertain } of this.items) for (const expression of expressionsOf(item)) visit(expression, scope, isCertain);
    for (const { statement, scope, procedure } of this.procedures.flatMap(({ statements }) => statements)) {
      for (const expression of readsOf(statement)) visit(expression, scope, procedure.view.isCertain);
      if (statement.kind === 'assign') for (const target of targetsOf(statement.target)) visit(target, scope, procedure.view.isCertain);
      if (statement.kind === 'block') {
        for (const inner of statement.items) for (const expression of expressionsOf(inner)) visit(expression, scope, procedure.view.isCertain);
      }
    }
    return byKind;
  }
}

function kindOf(keyword: string, control: EventControl | undefined): ProcedureKind {
  if (keyword === 'always_comb') return 'combinational';
  if (keyword === 'always_latch') return 'latch';
  if (keyword === 'always_ff') return 'clocked';
  if (control === undefined) return 'other';
  if (control === '*') return 'combinational';
  const edges = control.filter((term) => term.edge !== undefined).length;
  return edges === control.length ? 'clocked' : edges === 0 ? 'combinational' : 'mixed';
}

/** The expressions that stand in an item itself. */
function expressionsOf(item: Item): readonly Expression[] {
  switch (item.kind) {
    case 'assign':
      return [item.target, item.value];
    case 'variable':
    case 'port':
      return item.initial ? [item.initial] : [];
    case 'parameter':
      return item.value ? [item.value] : [];
    case 'gate':
      return item.terminals;
    case 'instance':
      return [...item.overrides.flatMap(({ value }) => value ?? []), ...item.connections.flatMap(({ expression }) => expression ?? [])];
    default:
      return [];
  }
}
